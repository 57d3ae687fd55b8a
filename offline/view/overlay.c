/* overlay.c - two triangles for each box and each character. */
/* SPDX-License-Identifier: MIT */
#include "view/overlay.h"

#include "render/bitmap_font.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define FIRST_GLYPH 0x20
#define GLYPH_COUNT 95u
#define TEXT_BYTES 256u

/* Upper left pixel of a cell of the atlas. */
static void find_cell(uint32_t cell, uint32_t *x, uint32_t *y)
{
    *x = cell % OVERLAY_ATLAS_COLUMNS * OVERLAY_CELL_WIDTH;
    *y = cell / OVERLAY_ATLAS_COLUMNS * OVERLAY_CELL_HEIGHT;
}

void overlay_atlas(uint8_t pixels[OVERLAY_ATLAS_HEIGHT][OVERLAY_ATLAS_WIDTH])
{
    uint32_t x;
    uint32_t y;

    memset(pixels, 0, (size_t)OVERLAY_ATLAS_HEIGHT * OVERLAY_ATLAS_WIDTH);
    for (uint32_t g = 0; g < GLYPH_COUNT; g++) {
        const uint8_t *rows = bitmap_font_rows((char)(FIRST_GLYPH + g));

        find_cell(g, &x, &y);
        for (uint32_t row = 0; row < BITMAP_FONT_ROWS; row++)
            for (uint32_t column = 0; column < BITMAP_FONT_COLUMNS; column++)
                if (rows[row] >> (BITMAP_FONT_COLUMNS - 1 - column) & 1)
                    pixels[y + row][x + column] = 255;
    }
    find_cell(GLYPH_COUNT, &x, &y);
    for (uint32_t row = 0; row < OVERLAY_CELL_HEIGHT; row++)
        memset(&pixels[y + row][x], 255, OVERLAY_CELL_WIDTH);
}

void overlay_init(struct overlay *overlay, float scale, struct arena *arena)
{
    *overlay = (struct overlay){.arena = arena, .scale = scale};
}

struct quad {
    float x;
    float y;
    float width;
    float height;
    float atlas[4]; /* left, top, right, bottom */
    const uint8_t *top;
    const uint8_t *bottom;
};

static void add_vertex(struct overlay *overlay, const struct quad *quad,
                       int is_right, int is_low)
{
    struct overlay_vertex *v;

    overlay->vertices =
        arena_grow(overlay->arena, overlay->vertices, overlay->count,
                   &overlay->capacity, sizeof *overlay->vertices);
    v = &overlay->vertices[overlay->count++];
    v->position[0] = quad->x + (is_right ? quad->width : 0);
    v->position[1] = quad->y + (is_low ? quad->height : 0);
    v->atlas[0] = quad->atlas[is_right ? 2 : 0];
    v->atlas[1] = quad->atlas[is_low ? 3 : 1];
    memcpy(v->rgba, is_low ? quad->bottom : quad->top, sizeof v->rgba);
}

static void add_quad(struct overlay *overlay, const struct quad *quad)
{
    static const int corners[6][2] = {{0, 0}, {0, 1}, {1, 0},
                                      {1, 0}, {0, 1}, {1, 1}};

    for (int i = 0; i < 6; i++)
        add_vertex(overlay, quad, corners[i][0], corners[i][1]);
}

void overlay_gradient(struct overlay *overlay, float x, float y, float width,
                      float height, const uint8_t top[4],
                      const uint8_t bottom[4])
{
    struct quad quad = {.x = x,
                        .y = y,
                        .width = width,
                        .height = height,
                        .top = top,
                        .bottom = bottom};
    uint32_t left;
    uint32_t upper;

    find_cell(GLYPH_COUNT, &left, &upper);
    for (int i = 0; i < 4; i += 2) {
        quad.atlas[i] = (float)left + (float)OVERLAY_CELL_WIDTH / 2;
        quad.atlas[i + 1] = (float)upper + (float)OVERLAY_CELL_HEIGHT / 2;
    }
    add_quad(overlay, &quad);
}

void overlay_box(struct overlay *overlay, float x, float y, float width,
                 float height, const uint8_t rgba[4])
{
    overlay_gradient(overlay, x, y, width, height, rgba, rgba);
}

void overlay_text(struct overlay *overlay, float x, float y,
                  const uint8_t rgba[4], const char *format, ...)
{
    char text[TEXT_BYTES];
    struct quad quad = {.x = x,
                        .y = y,
                        .width = BITMAP_FONT_COLUMNS * overlay->scale,
                        .height = BITMAP_FONT_ROWS * overlay->scale,
                        .top = rgba,
                        .bottom = rgba};
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (const char *c = text; *c; c++) {
        uint32_t code = (uint8_t)*c;
        uint32_t left;
        uint32_t upper;

        if (code - FIRST_GLYPH >= GLYPH_COUNT)
            code = '?';
        find_cell(code - FIRST_GLYPH, &left, &upper);
        quad.atlas[0] = (float)left;
        quad.atlas[1] = (float)upper;
        quad.atlas[2] = (float)(left + BITMAP_FONT_COLUMNS);
        quad.atlas[3] = (float)(upper + BITMAP_FONT_ROWS);
        if (code != ' ')
            add_quad(overlay, &quad);
        quad.x += BITMAP_FONT_ADVANCE * overlay->scale;
    }
}
