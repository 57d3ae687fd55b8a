/* engine_window.h - what an engine has before it draws geometry caches: a
 * window of SDL2, a program of OpenGL 3.3, and a camera. For engine_sample.c.
 */
/* SPDX-License-Identifier: MIT */
#ifndef ENGINE_WINDOW_H
#define ENGINE_WINDOW_H

#define GL_GLEXT_PROTOTYPES
#include <SDL.h>
#include <SDL_opengl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 320, HEIGHT = 240 };

#define NEED(is_good)                                                          \
    ((is_good) ? (void)0 : (fprintf(stderr, "failed: %s\n", #is_good), exit(1)))
#define AT(bytes) ((void *)(uintptr_t)(bytes))
#define UNIFORM(name) glGetUniformLocation(program, name)

static GLuint program, matrices; /* matrices: the buffer of instances */

/* Open a window and make the program of the two shaders. */
static void open_window(const char *shaders)
{
    SDL_Window *window;
    char path[1024];

    NEED(!SDL_Init(SDL_INIT_VIDEO));
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK,
                        SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_MULTISAMPLEBUFFERS, 1);
    SDL_GL_SetAttribute(SDL_GL_MULTISAMPLESAMPLES, 4);
    NEED(window = SDL_CreateWindow("sample", 0, 0, WIDTH, HEIGHT,
                                   SDL_WINDOW_OPENGL));
    NEED(SDL_GL_CreateContext(window));
    program = glCreateProgram();
    for (int i = 0; i < 2; i++) {
        const GLuint shader =
            glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        const char *lines[2] = {"#version 330 core\n#define INSTANCED\n"};

        snprintf(path, sizeof path, "%s/%s", shaders,
                 i ? "surface.frag" : "quantized.vert");
        NEED((lines[1] = SDL_LoadFile(path, NULL)) != NULL);
        lines[1] =
            strstr(lines[1], "core\n") + 5; /* behind the version of the file */
        glShaderSource(shader, 2, lines, NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
    }
    glLinkProgram(program);
    glUseProgram(program);
    glGenVertexArrays(1, &matrices);
    glBindVertexArray(matrices);
    glGenBuffers(1, &matrices);
    for (GLuint i = 0; i < 11; i++)
        glEnableVertexAttribArray(i), glVertexAttribDivisor(i, i >= 8);
    glEnable(GL_DEPTH_TEST);
}

/* The camera of `spindle render`: the whole box is seen. */
static void place_camera(const float low[3], const float high[3])
{
    static const float axes[3][3] = {
        {0.91191f, 0, -0.41036f}, /* of the camera */
        {-0.11507f, 0.96088f, -0.25570f},
        {0.39431f, 0.28040f, 0.87625f}};
    float projection[16] = {0};
    float eye[3];
    const float scale[4] = {0.3249f, 0.3249f * HEIGHT / WIDTH, -0.99f, -1};
    float distance = 0;

    for (int c = 0; c < 8; c++) {
        float at[3] = {0, 0, 0};

        for (int k = 0; k < 9; k++)
            at[k / 3] += axes[k / 3][k % 3] *
                         (c >> k % 3 & 1 ? 0.53f : -0.53f) *
                         (high[k % 3] - low[k % 3]);
        distance = fmaxf(distance, at[2] + fmaxf(fabsf(at[0]) / scale[0],
                                                 fabsf(at[1]) / scale[1]));
    }
    for (int k = 0; k < 3; k++)
        eye[k] = (low[k] + high[k]) / 2 + axes[2][k] * distance;
    for (int k = 0; k < 16; k++) /* depths of 0.02 to 4 distances */
        if (k % 4 < 3) {
            projection[k] = axes[k / 4 < 2 ? k / 4 : 2][k % 4] / scale[k / 4];
            projection[k | 3] -= projection[k] * eye[k % 4];
        }
    projection[11] -= 0.0402f * distance;
    glUniformMatrix4fv(UNIFORM("projection"), 1, GL_TRUE, projection);
    glUniform3fv(UNIFORM("eye"), 1, eye);
    glUniform3fv(UNIFORM("right"), 1, axes[0]);
    glUniform3fv(UNIFORM("up"), 1, axes[1]);
    glUniform3fv(UNIFORM("back"), 1, axes[2]);
    glUniform3f(UNIFORM("base"), 0.60f, 0.19f, 0.12f);
}

/* Print the picture as PPM. */
static void print_picture(void)
{
    static uint8_t rgb[HEIGHT][WIDTH][3];

    glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGB, GL_UNSIGNED_BYTE, rgb);
    printf("P6 %d %d 255\n", WIDTH, HEIGHT);
    for (int y = HEIGHT; y-- > 0;)
        fwrite(rgb[y], sizeof rgb[y], 1, stdout);
}

#endif
