/* one_ring_walk.c - corners are sorted by vertex; then a walk goes from
 * triangle to triangle.
 *
 * The work is bounded for any triangles: at most RING_WALK_TRIANGLES triangles
 * of a vertex count. They are compared with each other once, and searched once
 * for each of ONE_RING_SLOTS_MAX slots. Further ones are left out, in the
 * runtime and in the compiler alike.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/one_ring_walk.h"

#include "base/assert.h"
#include "base/mem.h"

#define RING_WALK_TRIANGLES 64u
#define NONE UINT32_MAX
#define USED UINT8_MAX

SPN_STATIC_ASSERT(ONE_RING_WALK_CORNERS_MAX <= UINT16_MAX, corners_fit_16_bits);

/* Find the places of a triangle's corners. Return false if a corner is outside
 * the part. */
static bool take(const struct one_ring_part *part, const uint16_t *place,
                 uint32_t i, uint32_t corner[3])
{
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t v = one_ring_index(part->indices, i + k) - part->first;

        if (v >= part->vertex_count)
            return false;
        corner[k] = one_ring_welded(part, place[v]);
    }
    return true;
}

void spn__one_ring_corners_find(const struct one_ring_part *part,
                                struct one_ring_corners *out)
{
    const uint32_t first = 3 * part->range.first;
    uint32_t limit = first + 3 * part->range.count;
    uint32_t corner[3];
    uint32_t total = 0;

    for (uint32_t v = 0; v < part->vertex_count; v++)
        out->place[part->members ? part->members[v] : v] = (uint16_t)v;
    memset(out->first, 0, sizeof out->first);
    for (uint32_t i = first; i < limit; i += 3) {
        if (!take(part, out->place, i, corner))
            continue;
        if (total + 3 > ONE_RING_WALK_CORNERS_MAX) {
            limit = i;
            break;
        }
        total += 3;
        for (uint32_t k = 0; k < 3; k++)
            out->first[corner[k] + 1]++;
    }
    for (uint32_t v = 0; v < part->vertex_count; v++)
        out->first[v + 1] = (uint16_t)(out->first[v + 1] + out->first[v]);
    /* Filling moves each start to its end; they are moved back below. */
    for (uint32_t i = first; i < limit; i += 3) {
        if (!take(part, out->place, i, corner))
            continue;
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t at = out->first[corner[k]]++;

            out->from[at] = (uint16_t)corner[(k + 1) % 3];
            out->to[at] = (uint16_t)corner[(k + 2) % 3];
        }
    }
    for (uint32_t v = part->vertex_count; v > 0; v--)
        out->first[v] = out->first[v - 1];
    out->first[0] = 0;
}

static void add_slot(struct one_ring *ring, uint32_t vertex, bool is_gap)
{
    const uint32_t at = ring->count;

    ring->is_gap[at] = is_gap;
    ring->is_again[at] = false;
    for (uint32_t i = 0; i < at; i++)
        if (ring->vertex[i] == vertex)
            ring->is_again[at] = true;
    ring->vertex[at] = (uint16_t)vertex;
    ring->count++;
}

/* An unused triangle to start from, if possible without an unused triangle
 * before it around the vertex. */
static uint32_t find_start(const uint8_t *predecessors, uint32_t count)
{
    uint32_t any = NONE;

    for (uint32_t i = 0; i < count; i++) {
        if (predecessors[i] == 0)
            return i;
        if (predecessors[i] != USED && any == NONE)
            any = i;
    }
    return any;
}

/* Close the ring if it ends at its first vertex without a gap. */
static void close_ring(struct one_ring *ring)
{
    const uint32_t last = ring->count - 1;

    if (ring->count < 4 || ring->vertex[last] != ring->vertex[0])
        return;
    for (uint32_t k = 1; k <= last; k++)
        if (ring->is_gap[k])
            return;
    ring->is_gap[0] = false;
    ring->count = last;
}

void spn__one_ring_walk(const struct one_ring_corners *corners, uint32_t v,
                        struct one_ring *ring)
{
    const uint16_t *from = corners->from + corners->first[v];
    const uint16_t *to = corners->to + corners->first[v];
    uint32_t count = (uint32_t)corners->first[v + 1] - corners->first[v];
    uint8_t predecessors[RING_WALK_TRIANGLES]; /* unused ones that precede it,
                                                  or USED */
    uint32_t at;

    count = count > RING_WALK_TRIANGLES ? RING_WALK_TRIANGLES : count;
    for (uint32_t i = 0; i < count; i++) {
        predecessors[i] = 0;
        for (uint32_t k = 0; k < count; k++)
            predecessors[i] = (uint8_t)(predecessors[i] + (to[k] == from[i]));
    }
    ring->count = 0;
    while (ring->count < ONE_RING_SLOTS_MAX &&
           (at = find_start(predecessors, count)) != NONE) {
        add_slot(ring, from[at], true);
        while (at != NONE && ring->count < ONE_RING_SLOTS_MAX) {
            const uint32_t end = to[at];

            predecessors[at] = USED;
            add_slot(ring, end, false);
            at = NONE;
            for (uint32_t k = count; k-- > 0;)
                if (from[k] == end && predecessors[k] != USED) {
                    predecessors[k]--;
                    at = k;
                }
        }
    }
    close_ring(ring);
}
