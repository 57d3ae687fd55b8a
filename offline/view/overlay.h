/* overlay.h - texts and rectangles over a picture, as a list of triangles.
 *
 * view_overlay.h writes the list, window/overlay_draw.h draws it. Positions are
 * pixels from the upper left corner. One thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VIEW_OVERLAY_H
#define OFFLINE_VIEW_OVERLAY_H

#include "common/arena.h"

#include <stdint.h>

/* The atlas: a picture of one byte a pixel, with the glyphs of bitmap_font.h in
 * cells, OVERLAY_ATLAS_COLUMNS in a row, from the blank on. The cell after the
 * last glyph is full, for rectangles. */
#define OVERLAY_CELL_WIDTH 8u
#define OVERLAY_CELL_HEIGHT 10u
#define OVERLAY_ATLAS_COLUMNS 16u
#define OVERLAY_ATLAS_WIDTH (OVERLAY_CELL_WIDTH * OVERLAY_ATLAS_COLUMNS)
#define OVERLAY_ATLAS_HEIGHT (OVERLAY_CELL_HEIGHT * 6u)
void overlay_atlas(uint8_t pixels[OVERLAY_ATLAS_HEIGHT][OVERLAY_ATLAS_WIDTH]);

struct overlay_vertex {
    float position[2];
    float atlas[2]; /* pixels of the atlas */
    uint8_t rgba[4];
};

/* Three vertices for each triangle, in an array of the arena. */
struct overlay {
    struct arena *arena;
    struct overlay_vertex *vertices;
    uint64_t count;
    uint64_t capacity;
    float scale; /* pixels of a dot of the font */
};

void overlay_init(struct overlay *overlay, float scale, struct arena *arena);

void overlay_box(struct overlay *overlay, float x, float y, float width,
                 float height, const uint8_t rgba[4]);

/* A box with another colour at its lower edge. */
void overlay_gradient(struct overlay *overlay, float x, float y, float width,
                      float height, const uint8_t top[4],
                      const uint8_t bottom[4]);

/* Write one line with its upper left corner at (x, y). */
__attribute__((format(printf, 5, 6))) void overlay_text(struct overlay *overlay,
                                                        float x, float y,
                                                        const uint8_t rgba[4],
                                                        const char *format,
                                                        ...);

#endif
