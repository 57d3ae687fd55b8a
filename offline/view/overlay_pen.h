/* overlay_pen.h - lines of text and bars, one below the other.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VIEW_OVERLAY_PEN_H
#define OFFLINE_VIEW_OVERLAY_PEN_H

#include "view/overlay.h"

#include <stdbool.h>

/* Pixels at the edges of the picture and of panels. */
#define OVERLAY_MARGIN 12.0f

/* Where the next line goes. */
struct overlay_pen {
    struct overlay *overlay;
    float x;
    float y;
    float width;  /* of a line */
    float bottom; /* lines and bars that would end below are left out */
};

extern const uint8_t overlay_ink[4];    /* texts */
extern const uint8_t overlay_dim[4];    /* less important texts */
extern const uint8_t overlay_alarm[4];  /* texts about what is wrong */
extern const uint8_t overlay_trough[4]; /* the empty part of bars */

float overlay_pen_height(const struct overlay_pen *pen); /* of a line */
bool overlay_pen_has_room(const struct overlay_pen *pen, uint32_t lines);

/* Write a line. */
__attribute__((format(printf, 3, 4))) void overlay_pen_line(
    struct overlay_pen *pen, const uint8_t rgba[4], const char *format, ...);

/* Draw a part of a bar that is `width` wide at `x`: from the share `first` on,
 * the share `length`, both 0..1. What goes beyond the end goes on at the
 * beginning. `height` is a share of the line's height. */
void overlay_pen_bar(struct overlay_pen *pen, float x, float width,
                     float height, double first, double length,
                     const uint8_t rgba[4]);

/* Go to the next line, if this one has room. */
void overlay_pen_next(struct overlay_pen *pen);

#endif
