/* raster.h - triangles to pixels, in plain C, the same on every machine.
 *
 * A picture with a depth buffer. Positions are rounded to 1/16 pixel, and
 * edges are whole numbers with the top-left rule: neighbours that share an
 * edge leave no gap and draw no pixel twice.
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
    uint8_t *rgb; /* rows from the top */
    float *depth; /* 1 / distance; 0: nothing there */
};

/* Both sides 1..RASTER_SIDE_MAX. */
void raster_init(struct raster *raster, uint32_t width, uint32_t height,
                 struct arena *arena);
/* A vertical gradient, and nothing in front of it. */
void raster_clear(struct raster *raster, const uint8_t top[3],
                  const uint8_t bottom[3]);

struct raster_vertex {
    float x;       /* pixels from the left */
    float y;       /* pixels from the top */
    float inverse; /* 1 / distance, > 0: nearer is larger */
    float rgb[3];  /* 0..255 */
};
/* Either winding. Triangles that are not finite, or reach further than three
 * times RASTER_SIDE_MAX from the picture's corner, are not drawn. */
void raster_triangle(struct raster *raster, const struct raster_vertex *a,
                     const struct raster_vertex *b,
                     const struct raster_vertex *c);

/* Digits, the letters of "frame", and blanks; others are drawn as blanks.
 * `scale` pixels to a dot of the 5 x 7 font; (x, y) is the upper left corner.
 */
void raster_text(struct raster *raster, int32_t x, int32_t y, uint32_t scale,
                 const uint8_t rgb[3], const char *text);

/* Halve `source`, which has twice the sides, into `target` at (x, y). */
void raster_shrink(struct raster *target, uint32_t x, uint32_t y,
                   const struct raster *source);

#endif
