/* seams.c - the groups of each frame divide the parts of those before.
 *
 * Frames whose triangles lie on the sides that they had before add nothing and
 * are left at that: a texture that only slides costs a look.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/mesh/seams.h"

#include "compile/mesh/numbering.h"

#include <string.h>

enum known_side { UNKNOWN, PLAIN, MIRRORED };

struct finder {
    const struct source *source;
    const struct tangent_net *net;
    uint32_t corner_count; /* of the triangles */
    struct seams *seams;
    uint8_t *sides;       /* of the triangles, in the last frame */
    uint8_t *known_sides; /* of the triangle corners, where first known */
    uint8_t *is_reversed; /* of the face corners */
};

static void find_sides(const struct finder *finder, const float *values,
                       uint8_t *sides)
{
    const uint32_t *corners = finder->source->triangles.corners;
    const uint32_t *index = finder->source->uvs.index;

    for (uint32_t t = 0; t < finder->net->triangle_count; t++) {
        const float *uv[3];

        for (uint32_t i = 0; i < 3; i++) {
            uint32_t corner = corners[3 * (size_t)t + i];

            uv[i] = values + 2 * (size_t)(index ? index[corner] : corner);
        }
        sides[t] = (uint8_t)tangents_side(uv[0], uv[1], uv[2]);
    }
}

/* -- parts -- */

/* Divide each part by the groups of one more frame. */
static void divide(const struct finder *finder, const uint32_t *groups,
                   struct arena *scratch)
{
    uint32_t *parts = finder->seams->parts.group_of;
    struct numbering numbering;

    numbering_begin(&numbering, finder->corner_count, scratch);
    for (uint32_t c = 0; c < finder->corner_count; c++)
        if (parts[c] != TANGENTS_NONE || groups[c] != TANGENTS_NONE)
            parts[c] = numbering_of(&numbering, parts[c], groups[c]);
    finder->seams->parts.count = numbering.count;
}

static void take_groups(struct seams *seams,
                        const struct tangent_groups *groups,
                        uint32_t corner_count)
{
    seams->parts.count = groups->count;
    memcpy(seams->parts.group_of, groups->group_of,
           corner_count * sizeof(uint32_t));
}

static void note_sides(const struct finder *finder,
                       const struct tangent_groups *groups, uint32_t frame)
{
    struct seams *seams = finder->seams;

    for (uint32_t c = 0; c < finder->corner_count; c++) {
        uint32_t corner = finder->source->triangles.corners[c];
        uint8_t side;

        if (groups->group_of[c] == TANGENTS_NONE)
            continue;
        side = groups->is_mirrored[groups->group_of[c]] ? MIRRORED : PLAIN;
        if (finder->known_sides[c] == UNKNOWN)
            finder->known_sides[c] = side;
        if (finder->known_sides[c] == side || finder->is_reversed[corner])
            continue;
        finder->is_reversed[corner] = 1;
        if (seams->turned_count++ == 0)
            seams->turned_frame = frame;
    }
}

/* -- frames -- */

static void take_frame(struct finder *finder, uint32_t frame,
                       const float *values, struct arena *scratch)
{
    uint32_t count = finder->net->triangle_count;
    uint8_t *sides = ARENA_NEW(scratch, uint8_t, count);
    struct tangent_groups groups;

    find_sides(finder, values, sides);
    if (frame > 0 && memcmp(sides, finder->sides, count) == 0)
        return;
    memcpy(finder->sides, sides, count);
    tangents_group(finder->net, sides, scratch, &groups);
    if (frame == 0) {
        take_groups(finder->seams, &groups, finder->corner_count);
    } else {
        finder->seams->is_changing = true;
        divide(finder, groups.group_of, scratch);
    }
    note_sides(finder, &groups, frame);
}

static bool take_frames(struct finder *finder, const double *times,
                        uint32_t frame_count)
{
    const struct source_param *uvs = &finder->source->uvs;
    struct arena scratch;
    bool is_good = true;

    arena_init(&scratch);
    for (uint32_t i = 0; i < frame_count && is_good; i++) {
        const float *values;

        arena_reset(&scratch);
        is_good =
            source_values(finder->source, uvs, times[i], &scratch, &values);
        if (is_good)
            take_frame(finder, i, values, &scratch);
    }
    arena_free(&scratch);
    return is_good;
}

bool seams_find(const struct source *source, const struct tangent_net *net,
                const double *times, uint32_t frame_count, struct arena *arena,
                struct seams *seams)
{
    uint32_t corner_count = 3 * net->triangle_count;
    struct finder finder = {.source = source,
                            .net = net,
                            .corner_count = corner_count,
                            .seams = seams};

    *seams = (struct seams){0};
    seams->parts.group_of = ARENA_NEW(arena, uint32_t, corner_count);
    seams->parts.is_mirrored = ARENA_NEW(arena, uint8_t, corner_count);
    finder.sides = ARENA_NEW(arena, uint8_t, net->triangle_count);
    finder.known_sides = ARENA_NEW(arena, uint8_t, corner_count);
    finder.is_reversed = ARENA_NEW(arena, uint8_t, source->corner_count);
    if (!take_frames(&finder, times, source->uvs.is_animated ? frame_count : 1))
        return false;
    for (uint32_t c = 0; c < corner_count; c++)
        if (seams->parts.group_of[c] != TANGENTS_NONE)
            seams->parts.is_mirrored[seams->parts.group_of[c]] =
                finder.known_sides[c] == MIRRORED;
    return true;
}
