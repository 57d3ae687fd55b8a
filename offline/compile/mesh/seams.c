/* seams.c - intersects the tangent groups of all frames.
 *
 * A frame in which all triangles have the windings of the frame before has the
 * same groups, and is skipped.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/mesh/seams.h"

#include "compile/mesh/numbering.h"

#include <string.h>

enum known_winding { UNKNOWN, PLAIN, MIRRORED };

struct finder {
    const struct source *source;
    const struct tangent_topology *topology;
    uint32_t corner_count; /* of the triangles */
    struct seams *seams;
    uint8_t *windings;       /* of the triangles, in the last frame */
    uint8_t *known_windings; /* of the triangle corners, where first known */
    uint8_t *is_reversed;    /* of the face corners */
};

static void find_windings(const struct finder *finder, const float *values,
                          uint8_t *windings)
{
    const uint32_t *corners = finder->source->triangles.corners;
    const uint32_t *index = finder->source->uvs.index;

    for (uint32_t t = 0; t < finder->topology->triangle_count; t++) {
        const float *uv[3];

        for (uint32_t i = 0; i < 3; i++) {
            uint32_t corner = corners[3 * (size_t)t + i];

            uv[i] = values + 2 * (size_t)(index ? index[corner] : corner);
        }
        windings[t] = (uint8_t)uv_winding_of(uv[0], uv[1], uv[2]);
    }
}

/* -- common groups -- */

/* Intersect the common groups with the groups of one more frame. */
static void intersect(const struct finder *finder, const uint32_t *groups,
                      struct arena *scratch)
{
    uint32_t *common = finder->seams->groups.group_of;
    struct numbering numbering;

    numbering_begin(&numbering, finder->corner_count, scratch);
    for (uint32_t c = 0; c < finder->corner_count; c++)
        if (common[c] != TANGENTS_NONE || groups[c] != TANGENTS_NONE)
            common[c] = numbering_of(&numbering, common[c], groups[c]);
    finder->seams->groups.count = numbering.count;
}

static void take_groups(struct seams *seams,
                        const struct tangent_groups *groups,
                        uint32_t corner_count)
{
    seams->groups.count = groups->count;
    memcpy(seams->groups.group_of, groups->group_of,
           corner_count * sizeof(uint32_t));
}

static void note_windings(const struct finder *finder,
                          const struct tangent_groups *groups, uint32_t frame)
{
    struct seams *seams = finder->seams;

    for (uint32_t c = 0; c < finder->corner_count; c++) {
        uint32_t corner = finder->source->triangles.corners[c];
        uint8_t side;

        if (groups->group_of[c] == TANGENTS_NONE)
            continue;
        side = groups->is_mirrored[groups->group_of[c]] ? MIRRORED : PLAIN;
        if (finder->known_windings[c] == UNKNOWN)
            finder->known_windings[c] = side;
        if (finder->known_windings[c] == side || finder->is_reversed[corner])
            continue;
        finder->is_reversed[corner] = 1;
        if (seams->reversed_count++ == 0)
            seams->reversed_frame = frame;
    }
}

/* -- frames -- */

static void take_frame(struct finder *finder, uint32_t frame,
                       const float *values, struct arena *scratch)
{
    uint32_t count = finder->topology->triangle_count;
    uint8_t *windings = ARENA_NEW(scratch, uint8_t, count);
    struct tangent_groups groups;

    find_windings(finder, values, windings);
    if (frame > 0 && memcmp(windings, finder->windings, count) == 0)
        return;
    memcpy(finder->windings, windings, count);
    tangents_group(finder->topology, windings, scratch, &groups);
    if (frame == 0) {
        take_groups(finder->seams, &groups, finder->corner_count);
    } else {
        finder->seams->is_changing = true;
        intersect(finder, groups.group_of, scratch);
    }
    note_windings(finder, &groups, frame);
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

bool seams_find(const struct source *source,
                const struct tangent_topology *topology, const double *times,
                uint32_t frame_count, struct arena *arena, struct seams *seams)
{
    uint32_t corner_count = 3 * topology->triangle_count;
    struct finder finder = {.source = source,
                            .topology = topology,
                            .corner_count = corner_count,
                            .seams = seams};

    *seams = (struct seams){0};
    seams->groups.group_of = ARENA_NEW(arena, uint32_t, corner_count);
    seams->groups.is_mirrored = ARENA_NEW(arena, uint8_t, corner_count);
    finder.windings = ARENA_NEW(arena, uint8_t, topology->triangle_count);
    finder.known_windings = ARENA_NEW(arena, uint8_t, corner_count);
    finder.is_reversed = ARENA_NEW(arena, uint8_t, source->corner_count);
    if (!take_frames(&finder, times, source->uvs.is_animated ? frame_count : 1))
        return false;
    for (uint32_t c = 0; c < corner_count; c++)
        if (seams->groups.group_of[c] != TANGENTS_NONE)
            seams->groups.is_mirrored[seams->groups.group_of[c]] =
                finder.known_windings[c] == MIRRORED;
    return true;
}
