/* screenshot.c - from the back buffer to a picture of render's. */
/* SPDX-License-Identifier: MIT */
#include "view/window/screenshot.h"

#include "render/png.h"

#include <string.h>

/* Read the back buffer. Rows of OpenGL begin at the bottom. */
static void read_picture(const struct window *window, struct raster *raster,
                         struct arena *arena)
{
    const struct gl_library *gl = &window->gl;
    size_t pitch = (size_t)raster->width * 3;
    uint8_t *rows = ARENA_NEW(arena, uint8_t, pitch * raster->height);

    gl->PixelStorei(GL_PACK_ALIGNMENT, 1);
    gl->ReadBuffer(GL_BACK);
    gl->ReadPixels(0, 0, (GLsizei)raster->width, (GLsizei)raster->height,
                   GL_RGB, GL_UNSIGNED_BYTE, rows);
    for (uint32_t y = 0; y < raster->height; y++)
        memcpy(raster->rgb + y * pitch, rows + (raster->height - 1 - y) * pitch,
               pitch);
}

bool screenshot_write(const struct window *window, const char *path,
                      struct diag *diag)
{
    struct host_output *output = host_output_open(path, diag);
    struct raster raster;
    struct arena arena;
    bool is_good;

    if (!output)
        return false;
    arena_init(&arena);
    raster_init(&raster, window->width, window->height, &arena);
    read_picture(window, &raster, &arena);
    is_good = gl_library_check(&window->gl, path, diag) &&
              png_write(output, &raster, diag);
    is_good = host_output_finish(output, is_good);
    arena_free(&arena);
    return is_good;
}
