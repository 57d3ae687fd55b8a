/* predictor.c - evaluates prediction candidates around each vertex and keeps
 * the cheapest.
 *
 * All arithmetic is integer, vertices are visited in order, and the first of
 * equal candidates wins. The result therefore depends on the mesh and the
 * samples alone. The cost is a function of the residuals, whatever coding they
 * get later.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/classic/predictor.h"

#include <stdbool.h>
#include <string.h>

#define NEIGHBOURS_MAX 24u /* decoded ones that are looked at */
#define NOBODY UINT32_MAX

struct search {
    const struct predictor_part *part;
    /* neighbours[start[v] .. start[v + 1]) are the neighbours of v, ascending,
     * as numbers within the part. A neighbour occurs twice if two triangles
     * share the edge. */
    uint32_t *start;
    uint32_t *neighbours;
    uint32_t *twin; /* latest earlier vertex at the same place; NOBODY */
    /* State of the search for one vertex. */
    uint32_t vertex;
    uint64_t best_cost;
    struct predict_entry best;
};

/* Return about the bits of a residual, in 1/16 bit: 2 log2(1 + |r|). */
static uint32_t cost_of(int32_t residual)
{
    uint32_t magnitude = (uint32_t)(residual < 0 ? -residual : residual) + 1u;
    uint32_t log = 31u - (uint32_t)__builtin_clz(magnitude);
    uint32_t fraction = (magnitude << 4 >> log) & 15u;

    return (log << 4) + fraction;
}

static uint32_t cost_u16(const uint16_t *x, uint32_t n, uint32_t i, uint32_t u,
                         uint32_t v, uint32_t w)
{
    uint32_t cost = 0;

    for (uint32_t k = 0; k < n; k++)
        cost += cost_of((int16_t)(uint16_t)(x[i * n + k] - x[u * n + k] -
                                            x[v * n + k] + x[w * n + k]));
    return cost;
}

static uint32_t cost_i16(const int16_t *x, uint32_t i, uint32_t u, uint32_t v)
{
    uint32_t cost = 0;

    for (uint32_t k = 0; k < 4; k++)
        cost += cost_of(
            (int16_t)(x[i * 4 + k] - (x[u * 4 + k] + x[v * 4 + k]) / 2));
    return cost;
}

static uint32_t cost_u8(const uint8_t *x, uint32_t i, uint32_t u, uint32_t v)
{
    uint32_t cost = 0;

    for (uint32_t k = 0; k < 4; k++)
        cost += cost_of((int8_t)(uint8_t)(x[i * 4 + k] -
                                          (x[u * 4 + k] + x[v * 4 + k]) / 2));
    return cost;
}

static uint64_t cost_in(const void *const sample[CHANNEL_COUNT], uint32_t i,
                        uint32_t u, uint32_t v, uint32_t w)
{
    uint64_t cost = 0;

    for (uint32_t c = 0; c < CHANNEL_COUNT; c++) {
        if (!sample[c])
            continue;
        switch (channel_form((enum channel)c)) {
        case FORM_U16X3:
            cost += cost_u16(sample[c], 3, i, u, v, w);
            break;
        case FORM_U16X2:
            cost += cost_u16(sample[c], 2, i, u, v, w);
            break;
        case FORM_I16X4:
            cost += cost_i16(sample[c], i, u, v);
            break;
        case FORM_U8X4:
            cost += cost_u8(sample[c], i, u, v);
            break;
        }
    }
    return cost;
}

/* Keep the candidate if it is cheaper than the best so far. */
static void try_candidate(struct search *s, uint32_t u, uint32_t v, uint32_t w)
{
    const struct predictor_part *p = s->part;
    uint32_t base = p->first_vertex;
    uint32_t i = s->vertex;
    uint64_t cost = 0;

    if (i - u > PREDICT_DISTANCE_MAX || i - v > PREDICT_DISTANCE_MAX ||
        i - w > PREDICT_DISTANCE_MAX)
        return;
    for (uint32_t k = 0; k < p->sample_count && cost < s->best_cost; k++)
        cost += cost_in(p->sample[k], base + i, base + u, base + v, base + w);
    if (cost >= s->best_cost)
        return;
    s->best_cost = cost;
    s->best.u = (uint16_t)(i - u);
    s->best.v = (uint16_t)(i - v);
    s->best.w = (uint16_t)(i - w);
}

/* -- the part's mesh -- */

static bool in_part(const struct predictor_part *p, const uint32_t *triangle)
{
    for (int k = 0; k < 3; k++)
        if (triangle[k] < p->first_vertex ||
            triangle[k] - p->first_vertex >= p->vertex_count)
            return false;
    return true;
}

static void sort(uint32_t *values, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint32_t value = values[i];
        uint32_t at = i;

        for (; at > 0 && values[at - 1] > value; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
}

static void link_neighbours(struct search *s, struct arena *scratch)
{
    const struct predictor_part *p = s->part;
    uint32_t *place = ARENA_NEW(scratch, uint32_t, p->vertex_count + 1);

    s->start = ARENA_NEW(scratch, uint32_t, p->vertex_count + 1);
    for (uint32_t i = 0; i + 2 < p->index_count; i += 3)
        for (int k = 0; k < 3 && in_part(p, p->indices + i); k++)
            s->start[p->indices[i + (uint32_t)k] - p->first_vertex + 1] += 2;
    for (uint32_t v = 0; v < p->vertex_count; v++)
        s->start[v + 1] += s->start[v];
    memcpy(place, s->start, (p->vertex_count + 1) * sizeof *place);
    s->neighbours = ARENA_NEW(scratch, uint32_t, s->start[p->vertex_count]);
    for (uint32_t i = 0; i + 2 < p->index_count; i += 3) {
        const uint32_t *t = p->indices + i;

        for (int k = 0; k < 3 && in_part(p, t); k++) {
            uint32_t v = t[k] - p->first_vertex;

            s->neighbours[place[v]++] = t[(k + 1) % 3] - p->first_vertex;
            s->neighbours[place[v]++] = t[(k + 2) % 3] - p->first_vertex;
        }
    }
}

/* List the neighbours of v below `limit`, each once, ascending. If there are
 * too many, list the last ones. */
static uint32_t earlier(const struct search *s, uint32_t v, uint32_t limit,
                        uint32_t list[NEIGHBOURS_MAX])
{
    uint32_t count = 0;

    for (uint32_t k = s->start[v]; k < s->start[v + 1]; k++) {
        uint32_t n = s->neighbours[k];
        bool is_new = n < limit && n != v;

        for (uint32_t j = 0; j < count && is_new; j++)
            is_new = list[j] != n;
        if (is_new && count < NEIGHBOURS_MAX)
            list[count++] = n;
    }
    sort(list, count);
    return count;
}

static bool contains(const uint32_t *list, uint32_t count, uint32_t value)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == value)
            return true;
    return false;
}

/* -- vertices at the same place -- */

static uint64_t place_of(const struct predictor_part *p, uint32_t vertex)
{
    uint64_t hash = 0;

    for (uint32_t k = 0; k < p->sample_count; k++) {
        const uint16_t *x = p->sample[k][CHANNEL_POSITION];

        for (uint32_t c = 0; x && c < 3; c++) {
            hash ^= x[(p->first_vertex + vertex) * 3 + c];
            hash *= 0x9ddfea08eb382d69u;
            hash ^= hash >> 29;
        }
    }
    return hash;
}

/* Find the twin of each vertex by a hash. After a collision of hashes the twin
 * is wrong, and only a bad candidate. */
static void find_twins(struct search *s, struct arena *scratch)
{
    const struct predictor_part *p = s->part;
    uint32_t size = 1;
    uint64_t *hashes;
    uint32_t *slots;

    while (size < p->vertex_count * 2)
        size *= 2;
    slots = ARENA_NEW(scratch, uint32_t, size);
    hashes = ARENA_NEW(scratch, uint64_t, p->vertex_count);
    s->twin = ARENA_NEW(scratch, uint32_t, p->vertex_count);
    memset(slots, 0xff, size * sizeof *slots);
    for (uint32_t v = 0; v < p->vertex_count; v++) {
        uint32_t slot;

        hashes[v] = place_of(p, v);
        slot = (uint32_t)hashes[v] & (size - 1);
        while (slots[slot] != NOBODY && hashes[slots[slot]] != hashes[v])
            slot = (slot + 1) & (size - 1);
        s->twin[v] = slots[slot];
        slots[slot] = v;
    }
}

/* -- one vertex -- */

/* Try the candidates that start at neighbour u: u alone, the lines through u, u
 * with each later neighbour v, and the parallelograms of u, v and a vertex that
 * is a neighbour of both. */
static void search_from(struct search *s, const uint32_t *around,
                        uint32_t around_count, uint32_t index)
{
    uint32_t u = around[index];
    uint32_t beyond[NEIGHBOURS_MAX];
    uint32_t beyond_count = earlier(s, u, s->vertex, beyond);

    try_candidate(s, u, u, u);
    for (uint32_t j = 0; j < beyond_count; j++)
        try_candidate(s, u, u, beyond[j]);
    for (uint32_t k = index + 1; k < around_count; k++) {
        uint32_t v = around[k];
        uint32_t other[NEIGHBOURS_MAX];
        uint32_t other_count = earlier(s, v, s->vertex, other);

        try_candidate(s, u, v, u);
        try_candidate(s, u, v, v);
        for (uint32_t j = 0; j < beyond_count; j++)
            if (contains(other, other_count, beyond[j]))
                try_candidate(s, u, v, beyond[j]);
    }
}

static void search_vertex(struct search *s)
{
    uint32_t around[NEIGHBOURS_MAX];
    uint32_t around_count = earlier(s, s->vertex, s->vertex, around);
    uint32_t i = s->vertex;

    s->best_cost = UINT64_MAX;
    if (i > 0)
        try_candidate(s, i - 1, i - 1, i - 1);
    s->best.u = s->best.v = s->best.w = PREDICT_NO_TRIANGLE;
    if (s->twin[i] != NOBODY)
        try_candidate(s, s->twin[i], s->twin[i], s->twin[i]);
    for (uint32_t k = 0; k < around_count; k++)
        search_from(s, around, around_count, k);
}

void predictor_search(const struct predictor_part *part, struct arena *scratch,
                      struct predict_entry *entries)
{
    struct search s = {.part = part};

    link_neighbours(&s, scratch);
    find_twins(&s, scratch);
    for (uint32_t i = 0; i < part->vertex_count; i++) {
        s.vertex = i;
        search_vertex(&s);
        entries[i] = s.best;
    }
}
