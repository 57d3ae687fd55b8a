/* lift_levels.c - levels by independent sets and graph colouring.
 *
 * The curve is the Morton order: the bits of the three coordinates interleaved.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/lift/lift_levels.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
/* Most neighbours that a vertex below the finest level keeps. */
#define NEIGHBOURS_MAX 64u
#define FEW_NEIGHBOURS 4u
#define FEW_NEIGHBOURS_MAX 12u
/* With merges_layers, a layer of fewer vertices joins another layer. Starting a
 * layer takes the decoder about as long as decoding ten vertices. */
#define LAYER_WORTH 32u

/* -- the curve -- */

struct place {
    uint64_t key;
    uint32_t vertex;
};

static uint64_t spread_bits(uint64_t x)
{
    x = (x | x << 32) & 0x1f00000000ffffu;
    x = (x | x << 16) & 0x1f0000ff0000ffu;
    x = (x | x << 8) & 0x100f00f00f00f00fu;
    x = (x | x << 4) & 0x10c30c30c30c30c3u;
    return (x | x << 2) & 0x1249249249249249u;
}

static int compare_places(const void *a, const void *b)
{
    const struct place *p = a;
    const struct place *q = b;

    if (p->key != q->key)
        return p->key < q->key ? -1 : 1;
    return p->vertex < q->vertex ? -1 : p->vertex > q->vertex;
}

uint32_t *lift_curve_order(const struct lift_part *part, struct arena *arena,
                           uint32_t *count)
{
    struct place *places = ARENA_NEW(arena, struct place, part->vertex_count);
    uint32_t *on_curve = ARENA_NEW(arena, uint32_t, part->vertex_count);
    uint32_t n = 0;

    for (uint32_t v = 0; v < part->vertex_count; v++) {
        const uint16_t *p = part->positions + 3 * (size_t)v;

        if (part->weld[v] != v)
            continue;
        places[n].key =
            spread_bits(p[0]) | spread_bits(p[1]) << 1 | spread_bits(p[2]) << 2;
        places[n++].vertex = v;
    }
    qsort(places, n, sizeof *places, compare_places);
    for (uint32_t i = 0; i < n; i++)
        on_curve[i] = places[i].vertex;
    *count = n;
    return on_curve;
}

/* -- levels -- */

struct lift_level lift_finest_level(const struct lift_part *part,
                                    const uint32_t *number, uint32_t count,
                                    struct arena *arena)
{
    struct adjacency_edges edges = {0};
    struct lift_level level;

    edges.pair = arena_alloc(arena, part->index_count, sizeof *edges.pair);
    for (uint32_t i = 0; i < part->index_count; i++) {
        const uint32_t j = i % 3 == 2 ? i - 2 : i + 1;
        const uint32_t a = number[part->weld[part->indices[i]]];
        const uint32_t b = number[part->weld[part->indices[j]]];

        edges.pair[edges.count][0] = a;
        edges.pair[edges.count++][1] = b;
    }
    level.graph = adjacency_make(&edges, count, arena);
    level.vertex = ARENA_NEW(arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        level.vertex[i] = i;
    return level;
}

/* -- kept nodes and colours -- */

/* Choose the nodes to keep: an independent set, chosen greedily in
 * breadth-first order from each seed. This order packs the set densely. */
static void choose_set(const struct adjacency *g, struct arena *scratch,
                       struct lift_level_choice *choice)
{
    uint32_t *queue = ARENA_NEW(scratch, uint32_t, g->count);
    bool *is_seen = ARENA_NEW(scratch, bool, g->count);
    bool *is_barred = ARENA_NEW(scratch, bool, g->count);
    uint32_t head = 0;
    uint32_t tail = 0;

    for (uint32_t seed = 0; seed < g->count; seed++) {
        if (is_seen[seed])
            continue;
        is_seen[seed] = true;
        queue[tail++] = seed;
        while (head < tail) {
            const uint32_t v = queue[head++];

            choice->is_kept[v] = !is_barred[v];
            choice->kept_count += !is_barred[v];
            for (uint32_t i = g->first[v]; i < g->first[v + 1]; i++) {
                const uint32_t w = g->next[i];

                is_barred[w] = is_barred[w] || choice->is_kept[v];
                if (is_seen[w])
                    continue;
                is_seen[w] = true;
                queue[tail++] = w;
            }
        }
    }
}

static void choose_colors(const struct adjacency *g, struct arena *scratch,
                          struct lift_level_choice *choice)
{
    /* used_by[c] == v: a neighbour of v has colour c */
    uint32_t *used_by = ARENA_NEW(scratch, uint32_t, (size_t)g->count + 1);

    for (uint32_t v = 0; v <= g->count; v++)
        used_by[v] = NONE;
    for (uint32_t v = 0; v < g->count; v++)
        choice->color[v] = NONE;
    for (uint32_t v = 0; v < g->count; v++) {
        uint32_t color = 0;

        if (choice->is_kept[v])
            continue;
        for (uint32_t i = g->first[v]; i < g->first[v + 1]; i++)
            if (choice->color[g->next[i]] != NONE)
                used_by[choice->color[g->next[i]]] = v;
        while (used_by[color] == v)
            color++;
        choice->color[v] = color;
        if (color >= choice->color_count)
            choice->color_count = color + 1;
    }
}

/* Merge the last colours, which have few nodes, to one layer. Vertices of one
 * layer cannot refer to each other. The coarsest level is not merged. */
static void join_colors(const struct adjacency *g, struct arena *scratch,
                        struct lift_level_choice *choice)
{
    uint32_t *count = ARENA_NEW(scratch, uint32_t, choice->color_count);
    uint32_t last = choice->color_count - 1;

    for (uint32_t v = 0; v < g->count; v++)
        if (choice->color[v] != NONE)
            count[choice->color[v]]++;
    for (; last > 0 && count[last] < LAYER_WORTH; last--)
        count[last - 1] += count[last];
    for (uint32_t v = 0; v < g->count; v++)
        if (choice->color[v] != NONE && choice->color[v] > last)
            choice->color[v] = last;
    choice->color_count = last + 1;
}

struct lift_level_choice lift_level_choose(const struct adjacency *g,
                                           bool is_last, bool merges_layers,
                                           struct arena *arena)
{
    struct lift_level_choice choice = {
        .is_kept = ARENA_NEW(arena, bool, g->count),
        .color = ARENA_NEW(arena, uint32_t, g->count)};

    if (!is_last)
        choose_set(g, arena, &choice);
    /* If almost no nodes are adjacent, a coarser level does not help. */
    if (choice.kept_count > g->count - g->count / 10) {
        memset(choice.is_kept, 0, g->count * sizeof *choice.is_kept);
        choice.kept_count = 0;
    }
    choose_colors(g, arena, &choice);
    if (merges_layers && choice.kept_count > 0)
        join_colors(g, arena, &choice);
    return choice;
}

/* -- the next level -- */

struct node_search {
    const struct adjacency *g;
    const struct lift_level_choice *choice;
    uint32_t *mark; /* of each node: the last node whose search found it */
    uint32_t found[NEIGHBOURS_MAX];
    uint32_t found_count;
};

/* Add `node` to the result of the search from `from`, unless it is there or
 * there are `limit` nodes. */
static void find(struct node_search *s, uint32_t from, uint32_t node,
                 uint32_t limit)
{
    if (!s->choice->is_kept[node] || s->mark[node] == from ||
        s->found_count >= limit)
        return;
    s->mark[node] = from;
    s->found[s->found_count++] = node;
}

/* Find the kept nodes two steps from `v`, or three steps if those are few. */
static void find_around(struct node_search *s, uint32_t v)
{
    const struct adjacency *g = s->g;

    s->found_count = 0;
    s->mark[v] = v;
    for (uint32_t i = g->first[v]; i < g->first[v + 1]; i++) {
        const uint32_t w = g->next[i];

        for (uint32_t k = g->first[w]; k < g->first[w + 1]; k++)
            find(s, v, g->next[k], NEIGHBOURS_MAX);
    }
    if (s->found_count >= FEW_NEIGHBOURS)
        return;
    for (uint32_t i = g->first[v]; i < g->first[v + 1]; i++)
        for (uint32_t k = g->first[g->next[i]]; k < g->first[g->next[i] + 1];
             k++) {
            const uint32_t w = g->next[k];

            for (uint32_t m = g->first[w]; m < g->first[w + 1]; m++)
                find(s, v, g->next[m], FEW_NEIGHBOURS_MAX);
        }
}

struct lift_level lift_next_level(const struct lift_level *level,
                                  const struct lift_level_choice *choice,
                                  struct arena *arena)
{
    const struct adjacency *g = &level->graph;
    struct node_search search = {.g = g, .choice = choice};
    uint32_t *number = ARENA_NEW(arena, uint32_t, g->count);
    struct adjacency_edges edges = {0};
    struct lift_level out;
    uint32_t n = 0;

    search.mark = ARENA_NEW(arena, uint32_t, g->count);
    out.vertex = ARENA_NEW(arena, uint32_t, choice->kept_count);
    for (uint32_t v = 0; v < g->count; v++) {
        search.mark[v] = NONE;
        if (!choice->is_kept[v])
            continue;
        number[v] = n;
        out.vertex[n++] = level->vertex[v];
    }
    edges.pair =
        arena_alloc(arena, (size_t)n * NEIGHBOURS_MAX, sizeof *edges.pair);
    for (uint32_t v = 0; v < g->count; v++) {
        if (!choice->is_kept[v])
            continue;
        find_around(&search, v);
        for (uint32_t i = 0; i < search.found_count; i++) {
            edges.pair[edges.count][0] = number[v];
            edges.pair[edges.count++][1] = number[search.found[i]];
        }
    }
    out.graph = adjacency_make(&edges, n, arena);
    return out;
}
