/* overlay_pen.c - a line has the height of the font's lines. */
/* SPDX-License-Identifier: MIT */
#include "view/overlay_pen.h"

#include "render/bitmap_font.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

const uint8_t overlay_ink[4] = {235, 240, 245, 255};
const uint8_t overlay_dim[4] = {165, 175, 185, 255};
const uint8_t overlay_alarm[4] = {255, 110, 90, 255};
const uint8_t overlay_trough[4] = {60, 66, 75, 255};

float overlay_pen_height(const struct overlay_pen *pen)
{
    return BITMAP_FONT_LINE * pen->overlay->scale;
}

bool overlay_pen_has_room(const struct overlay_pen *pen, uint32_t lines)
{
    return pen->y + (float)lines * overlay_pen_height(pen) <= pen->bottom;
}

void overlay_pen_next(struct overlay_pen *pen)
{
    if (overlay_pen_has_room(pen, 1))
        pen->y += overlay_pen_height(pen);
}

void overlay_pen_line(struct overlay_pen *pen, const uint8_t rgba[4],
                      const char *format, ...)
{
    /* A window can be narrower than its margins. */
    size_t columns = (size_t)(fmaxf(pen->width, 0) /
                              (BITMAP_FONT_ADVANCE * pen->overlay->scale));
    char text[256];
    va_list arguments;

    if (!overlay_pen_has_room(pen, 1))
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (columns < sizeof text)
        text[columns] = '\0';
    overlay_text(pen->overlay, pen->x, pen->y, rgba, "%s", text);
    overlay_pen_next(pen);
}

void overlay_pen_bar(struct overlay_pen *pen, float x, float width,
                     float height, double first, double length,
                     const uint8_t rgba[4])
{
    float pixels = overlay_pen_height(pen) * height;
    double last = first + (length < 1 ? length : 1);

    if (!(length > 0) || !overlay_pen_has_room(pen, 1))
        return;
    overlay_box(pen->overlay, x + width * (float)first, pen->y,
                width * (float)((last < 1 ? last : 1) - first), pixels, rgba);
    if (last > 1)
        overlay_box(pen->overlay, x, pen->y, width * (float)(last - 1), pixels,
                    rgba);
}
