/* raster.c - a triangle rasterizer with a depth buffer.
 *
 * Coverage is integer arithmetic. Colour and depth are computed in float, in a
 * fixed order. Cameras and light are in scene_view.c.
 */
/* SPDX-License-Identifier: MIT */
#include "render/raster.h"

#include "base/minmax.h"
#include "render/bitmap_font.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Positions have 4 fractional bits. Products of two differences stay below
 * 2^42. */
#define SUB_BITS 4
#define SUB_ONE (1 << SUB_BITS)

void raster_init(struct raster *raster, uint32_t width, uint32_t height,
                 struct arena *arena)
{
    size_t count = (size_t)width * height;

    raster->width = width;
    raster->height = height;
    raster->rgb = ARENA_NEW(arena, uint8_t, count * 3);
    raster->depth = ARENA_NEW(arena, float, count);
}

void raster_clear(struct raster *raster, const uint8_t top[3],
                  const uint8_t bottom[3])
{
    uint8_t *pixel = raster->rgb;

    for (uint32_t y = 0; y < raster->height; y++) {
        uint8_t row[3];

        for (int c = 0; c < 3; c++)
            row[c] = (uint8_t)(((raster->height - y) * top[c] + y * bottom[c]) /
                               raster->height);
        for (uint32_t x = 0; x < raster->width; x++, pixel += 3)
            memcpy(pixel, row, 3);
    }
    memset(raster->depth, 0,
           (size_t)raster->width * raster->height * sizeof *raster->depth);
}

/* -- triangles -- */

/* The edge function of one edge: >= 0 on the inner side. */
struct edge {
    int64_t at;     /* at the current pixel's centre, bias included */
    int64_t step_x; /* to the next pixel */
    int64_t step_y;
};

static bool to_sub(float pixels, int64_t *sub)
{
    float limit = 3.0f * RASTER_SIDE_MAX;

    if (!(pixels > -limit && pixels < limit))
        return false;
    *sub = (int64_t)floorf(pixels * SUB_ONE + 0.5f);
    return true;
}

/* The edge from p to q of a triangle that is clockwise on the screen. */
static struct edge edge_make(const int64_t p[2], const int64_t q[2],
                             int64_t start_x, int64_t start_y)
{
    int64_t dx = q[0] - p[0];
    int64_t dy = q[1] - p[1];
    bool is_top_or_left = dy < 0 || (dy == 0 && dx > 0);
    struct edge edge;

    edge.at = dx * (start_y - p[1]) - dy * (start_x - p[0]) - !is_top_or_left;
    edge.step_x = -dy * SUB_ONE;
    edge.step_y = dx * SUB_ONE;
    return edge;
}

static uint8_t to_byte(float value)
{
    return (uint8_t)(value <= 0 ? 0 : value >= 254.5f ? 255 : value + 0.5f);
}

struct corners {
    const struct raster_vertex *vertex[3];
    float inverse_area;
};

static void draw_pixel(struct raster *raster, const struct corners *corners,
                       uint32_t x, uint32_t y, const struct edge edge[3])
{
    size_t at = (size_t)y * raster->width + x;
    const struct raster_vertex *a = corners->vertex[0];
    const struct raster_vertex *b = corners->vertex[1];
    const struct raster_vertex *c = corners->vertex[2];
    float wa = (float)edge[1].at * corners->inverse_area;
    float wb = (float)edge[2].at * corners->inverse_area;
    float wc = 1.0f - wa - wb;
    float inverse = wa * a->inverse + wb * b->inverse + wc * c->inverse;

    if (inverse <= raster->depth[at])
        return;
    raster->depth[at] = inverse;
    for (int i = 0; i < 3; i++)
        raster->rgb[at * 3 + (size_t)i] =
            to_byte(wa * a->rgb[i] + wb * b->rgb[i] + wc * c->rgb[i]);
}

static void draw_box(struct raster *raster, const struct corners *corners,
                     struct edge edge[3], const int64_t box[4])
{
    for (int64_t y = box[1]; y <= box[3]; y++) {
        struct edge run[3] = {edge[0], edge[1], edge[2]};

        for (int64_t x = box[0]; x <= box[2]; x++) {
            if ((run[0].at | run[1].at | run[2].at) >= 0)
                draw_pixel(raster, corners, (uint32_t)x, (uint32_t)y, run);
            for (int i = 0; i < 3; i++)
                run[i].at += run[i].step_x;
        }
        for (int i = 0; i < 3; i++)
            edge[i].at += edge[i].step_y;
    }
}

void raster_triangle(struct raster *raster, const struct raster_vertex *a,
                     const struct raster_vertex *b,
                     const struct raster_vertex *c)
{
    struct corners corners = {{a, b, c}, 0};
    struct edge edge[3];
    int64_t p[3][2];
    int64_t box[4];
    int64_t area;

    for (int i = 0; i < 3; i++)
        if (!to_sub(corners.vertex[i]->x, &p[i][0]) ||
            !to_sub(corners.vertex[i]->y, &p[i][1]) ||
            !isfinite(corners.vertex[i]->inverse))
            return;
    area = (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) -
           (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]);
    if (area == 0)
        return;
    if (area < 0) {
        int64_t swap[2] = {p[1][0], p[1][1]};

        memcpy(p[1], p[2], sizeof swap);
        memcpy(p[2], swap, sizeof swap);
        corners.vertex[1] = c;
        corners.vertex[2] = b;
        area = -area;
    }
    for (int i = 0; i < 2; i++) {
        int64_t side = i == 0 ? raster->width : raster->height;
        int64_t low = min_i64(p[0][i], min_i64(p[1][i], p[2][i]));
        int64_t high = max_i64(p[0][i], max_i64(p[1][i], p[2][i]));

        box[i] = low < 0 ? 0 : low / SUB_ONE;
        box[i + 2] = high < 0 ? -1 : min_i64(high / SUB_ONE, side - 1);
    }
    corners.inverse_area = 1.0f / (float)area;
    for (int i = 0; i < 3; i++)
        edge[i] =
            edge_make(p[i], p[(i + 1) % 3], box[0] * SUB_ONE + SUB_ONE / 2,
                      box[1] * SUB_ONE + SUB_ONE / 2);
    draw_box(raster, &corners, edge, box);
}

/* -- text -- */

static void draw_dot(struct raster *raster, int64_t x, int64_t y,
                     uint32_t scale, const uint8_t rgb[3])
{
    for (int64_t v = y; v < y + scale; v++)
        for (int64_t u = x; u < x + scale; u++)
            if (u >= 0 && v >= 0 && u < raster->width && v < raster->height)
                memcpy(raster->rgb +
                           ((size_t)v * raster->width + (size_t)u) * 3,
                       rgb, 3);
}

static void draw_glyph(struct raster *raster, int64_t x, int64_t y,
                       uint32_t scale, const uint8_t rgb[3],
                       const uint8_t rows[BITMAP_FONT_ROWS])
{
    for (int row = 0; row < BITMAP_FONT_ROWS; row++)
        for (int column = 0; column < BITMAP_FONT_COLUMNS; column++)
            if (rows[row] >> (BITMAP_FONT_COLUMNS - 1 - column) & 1)
                draw_dot(raster, x + column * (int64_t)scale,
                         y + row * (int64_t)scale, scale, rgb);
}

void raster_text(struct raster *raster, int32_t x, int32_t y, uint32_t scale,
                 const uint8_t rgb[3], const char *text)
{
    int64_t left = x;

    for (; *text; text++, left += BITMAP_FONT_ADVANCE * (int64_t)scale)
        draw_glyph(raster, left, y, scale, rgb, bitmap_font_rows(*text));
}

/* -- contact sheet -- */

void raster_shrink(struct raster *target, uint32_t x, uint32_t y,
                   const struct raster *source)
{
    size_t pitch = (size_t)source->width * 3;

    for (uint32_t v = 0; v < source->height / 2; v++)
        for (uint32_t u = 0; u < source->width / 2; u++) {
            const uint8_t *from = source->rgb + v * 2 * pitch + u * 6;
            uint8_t *to;

            if (x + u >= target->width || y + v >= target->height)
                continue;
            to = target->rgb + ((size_t)(y + v) * target->width + x + u) * 3;
            for (size_t c = 0; c < 3; c++)
                to[c] = (uint8_t)((from[c] + from[c + 3] + from[pitch + c] +
                                   from[pitch + c + 3] + 2) /
                                  4);
        }
}
