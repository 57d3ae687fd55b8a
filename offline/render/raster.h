/* raster.h - draws triangles into a picture with a depth buffer.
 *
 * scene_view.h projects surfaces and draws them with this module; png.h writes
 * the picture. Results are the same on every machine. Positions are rounded to
 * 1/16 pixel. Coverage is decided in integer arithmetic with the top-left rule,
 * so that triangles that share an edge leave no gap and draw no pixel twice.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_RENDER_RASTER_H
#define OFFLINE_RENDER_RASTER_H

#include "common/arena.h"

#include <stdint.h>

#define RASTER_SIDE_MAX 16384u

struct raster {
    uint32_t width;
    uint32_t height;
    uint8_t *rgb; /* 3 bytes a pixel, rows from the top */
    float *depth; /* per pixel: 1 / distance; 0: background */
};

/* Allocate a picture from the arena. Width and height: 1 .. RASTER_SIDE_MAX. */
void raster_init(struct raster *raster, uint32_t width, uint32_t height,
                 struct arena *arena);
/* Fill the picture with a vertical gradient, and clear the depth buffer. */
void raster_clear(struct raster *raster, const uint8_t top[3],
                  const uint8_t bottom[3]);

struct raster_vertex {
    float x;       /* pixels from the left */
    float y;       /* pixels from the top */
    float inverse; /* 1 / distance, > 0 */
    float rgb[3];  /* 0..255 */
};
/* Draw a triangle of either winding. A triangle is skipped if a coordinate is
 * not finite, or further than 3 * RASTER_SIDE_MAX from the upper left corner.
 */
void raster_triangle(struct raster *raster, const struct raster_vertex *a,
                     const struct raster_vertex *b,
                     const struct raster_vertex *c);

/* Draw a text with its upper left corner at (x, y), in the font of
 * bitmap_font.h. A dot of the font is `scale` pixels wide. */
void raster_text(struct raster *raster, int32_t x, int32_t y, uint32_t scale,
                 const uint8_t rgb[3], const char *text);

/* Draw `source` at half its size into `target`, with its upper left corner at
 * (x, y). */
void raster_shrink(struct raster *target, uint32_t x, uint32_t y,
                   const struct raster *source);

#endif
