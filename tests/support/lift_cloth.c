/* lift_cloth.c - parabolic waves that move across a grid. */
/* SPDX-License-Identifier: MIT */
#include "support/lift_cloth.h"

#include "codec/lift/lift_formulas.h"

/* A substitute for a sine: period 1024, values -256 to 256. */
static int32_t wave(int32_t x)
{
    const int32_t half = x & 511;
    const int32_t y = half * (512 - half) / 256;

    return x & 512 ? -y : y;
}

struct spot {
    int32_t x; /* column and row of the grid */
    int32_t y;
    int32_t f; /* frame number */
};

static int32_t height(struct spot s)
{
    return 6 * wave(9 * s.x + 17 * s.f) + 3 * wave(14 * s.y - 23 * s.f) +
           wave(31 * s.x + 27 * s.y + 40 * s.f) / 2;
}

static void put_position(struct spot s, uint16_t *p)
{
    p[0] = (uint16_t)(2000 + 60 * s.x + wave(5 * s.y + 11 * s.f) / 4);
    p[1] = (uint16_t)(2000 + 60 * s.y + wave(7 * s.x - 13 * s.f) / 4);
    p[2] = (uint16_t)(30000 + height(s));
}

/* A unit quaternion with roughly the slopes of the wave. */
static void put_qtangent(struct spot s, int16_t *q)
{
    const struct spot right = {s.x + 1, s.y, s.f};
    const struct spot below = {s.x, s.y + 1, s.f};
    int16_t x[4] = {(int16_t)((height(right) - height(s)) * 2),
                    (int16_t)((height(below) - height(s)) * 2),
                    (int16_t)(wave(8 * s.x + 9 * s.f) / 2), 0};
    int32_t side;

    q[0] = x[0];
    q[1] = x[1];
    q[2] = x[2];
    q[3] = (int16_t)lift_remaining_root(x, 3, &side);
}

static void put_vertex(struct lift_rig *rig, uint32_t frame, uint32_t vertex,
                       struct spot s)
{
    uint16_t *uv = (uint16_t *)rig->frames[CHANNEL_UV][frame] + 2 * vertex;
    uint8_t *color = (uint8_t *)rig->frames[CHANNEL_COLOR][frame] + 4 * vertex;

    uint16_t *second =
        (uint16_t *)rig->frames[CHANNEL_SECOND_UV][frame] + 2 * vertex;
    uint16_t *velocity =
        (uint16_t *)rig->frames[CHANNEL_VELOCITY][frame] + 3 * vertex;

    put_position(s,
                 (uint16_t *)rig->frames[CHANNEL_POSITION][frame] + 3 * vertex);
    put_qtangent(s,
                 (int16_t *)rig->frames[CHANNEL_QTANGENT][frame] + 4 * vertex);
    uv[0] = (uint16_t)(900 * s.x + 37 * s.f);
    uv[1] = (uint16_t)(60000 + 900 * s.y);
    color[0] = (uint8_t)(128 + wave(20 * s.x + 9 * s.f) / 2);
    color[1] = (uint8_t)(4 * s.y);
    color[2] = (uint8_t)(250 + s.f);
    color[3] = 255;
    second[0] = (uint16_t)(700 * s.y - 11 * s.f);
    second[1] = (uint16_t)(700 * s.x);
    velocity[0] = (uint16_t)(30000 + wave(30 * s.x + 8 * s.f));
    velocity[1] = (uint16_t)(30000 + wave(20 * s.y + 9 * s.f));
    velocity[2] = (uint16_t)(30000 + 5 * s.x - 3 * s.f);
}

/* The vertex at a column of the left half (with the seam) or of the right
 * half. */
static uint32_t vertex_at(uint32_t side, uint32_t x, uint32_t y, bool is_right)
{
    return y * (side + 1) + x + (is_right ? 1 : 0);
}

static uint32_t *make_indices(struct arena *arena, uint32_t side)
{
    uint32_t *indices =
        ARENA_NEW(arena, uint32_t, 6 * (size_t)(side - 1) * (side - 1));
    uint32_t n = 0;

    for (uint32_t y = 0; y + 1 < side; y++)
        for (uint32_t x = 0; x + 1 < side; x++) {
            const bool is_right = x >= side / 2;
            const uint32_t a = vertex_at(side, x, y, is_right);
            const uint32_t c = vertex_at(side, x, y + 1, is_right);

            indices[n++] = a;
            indices[n++] = a + 1;
            indices[n++] = c;
            indices[n++] = a + 1;
            indices[n++] = c + 1;
            indices[n++] = c;
        }
    return indices;
}

void lift_cloth_make(struct lift_rig *rig, struct arena *arena, uint32_t side,
                     uint32_t frame_count)
{
    *rig = (struct lift_rig){.arena = arena,
                             .frame_count = frame_count,
                             .vertex_count = side * (side + 1),
                             .index_count = 6 * (side - 1) * (side - 1),
                             .distance = 8};
    rig->indices = make_indices(arena, side);
    for (int c = 0; c < CHANNEL_COUNT; c++) {
        rig->frames[c] = ARENA_NEW(arena, void *, frame_count);
        for (uint32_t f = 0; f < frame_count; f++)
            rig->frames[c][f] =
                arena_alloc(arena, rig->vertex_count,
                            channel_vertex_bytes((enum channel)c));
    }
    for (uint32_t f = 0; f < frame_count; f++)
        for (uint32_t y = 0; y < side; y++)
            for (uint32_t x = 0; x < side; x++) {
                const struct spot s = {(int32_t)x, (int32_t)y, (int32_t)f};

                if (x <= side / 2)
                    put_vertex(rig, f, vertex_at(side, x, y, false), s);
                if (x >= side / 2)
                    put_vertex(rig, f, vertex_at(side, x, y, true), s);
            }
}
