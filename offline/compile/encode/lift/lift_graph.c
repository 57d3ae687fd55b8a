/* lift_graph.c - builds the levels of a part by independent sets, and their
 * layers by graph colouring.
 *
 * The welded vertices are numbered 0..n-1 along the Morton curve of their
 * positions. A loop over these numbers therefore visits neighbours in space
 * soon after each other, and the result depends on the part alone. Levels are
 * found from fine to coarse; write_coarse_to_fine() reverses their order at the
 * end.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/lift/lift_graph.h"

#include "compile/mesh/adjacency.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define COARSEST_VERTICES 48u
#define NONE UINT32_MAX
/* Most neighbours that a vertex below the finest level keeps. */
#define NEIGHBOURS_MAX 64u
#define FEW_NEIGHBOURS 4u
#define FEW_NEIGHBOURS_MAX 12u
/* With merges_layers, a layer of fewer vertices joins another layer. Starting a
 * layer takes the decoder about as long as decoding ten vertices. */
#define LAYER_WORTH 32u

struct level {
    struct adjacency graph;
    uint32_t *vertex; /* of each node: its number along the curve */
};

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

/* Return the welded vertices in the order of the curve. */
static uint32_t *order_on_curve(const struct lift_part *part,
                                struct arena *arena, uint32_t *count)
{
    struct place *places = ARENA_NEW(arena, struct place, part->vertex_count);
    uint32_t *walked = ARENA_NEW(arena, uint32_t, part->vertex_count);
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
        walked[i] = places[i].vertex;
    *count = n;
    return walked;
}

/* -- a level's graph -- */

static struct adjacency finest_graph(const struct lift_part *part,
                                     const uint32_t *number, uint32_t count,
                                     struct arena *arena)
{
    struct adjacency_edges edges = {0};

    edges.pair = arena_alloc(arena, part->index_count, sizeof *edges.pair);
    for (uint32_t i = 0; i < part->index_count; i++) {
        const uint32_t j = i % 3 == 2 ? i - 2 : i + 1;
        const uint32_t a = number[part->weld[part->indices[i]]];
        const uint32_t b = number[part->weld[part->indices[j]]];

        edges.pair[edges.count][0] = a;
        edges.pair[edges.count++][1] = b;
    }
    return adjacency_make(&edges, count, arena);
}

/* -- a level -- */

struct choice {
    bool *is_kept;   /* is the node in the next level? */
    uint32_t *color; /* of the other nodes; NONE: kept */
    uint32_t color_count;
    uint32_t kept_count;
};

/* Choose the nodes to keep: an independent set, chosen greedily in
 * breadth-first order from each seed. This order packs the set densely. */
static void choose_set(const struct adjacency *g, struct arena *scratch,
                       struct choice *choice)
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
                          struct choice *choice)
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
                        struct choice *choice)
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

static void choose(const struct adjacency *g, bool is_last, bool merges_layers,
                   struct arena *arena, struct choice *choice)
{
    *choice = (struct choice){0};
    choice->is_kept = ARENA_NEW(arena, bool, g->count);
    choice->color = ARENA_NEW(arena, uint32_t, g->count);
    if (!is_last)
        choose_set(g, arena, choice);
    /* If almost no nodes are adjacent, a coarser level does not help. */
    if (choice->kept_count > g->count - g->count / 10) {
        memset(choice->is_kept, 0, g->count * sizeof *choice->is_kept);
        choice->kept_count = 0;
    }
    choose_colors(g, arena, choice);
    if (merges_layers && choice->kept_count > 0)
        join_colors(g, arena, choice);
}

/* -- the next level -- */

struct search {
    const struct adjacency *g;
    const struct choice *choice;
    uint32_t *mark; /* of each node: the last vertex that found it */
    uint32_t found[NEIGHBOURS_MAX];
    uint32_t found_count;
};

static void find(struct search *s, uint32_t from, uint32_t node, uint32_t limit)
{
    if (!s->choice->is_kept[node] || s->mark[node] == from ||
        s->found_count >= limit)
        return;
    s->mark[node] = from;
    s->found[s->found_count++] = node;
}

/* Find the kept nodes two steps from `v`, or three steps if those are few. */
static void find_around(struct search *s, uint32_t v)
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

static void next_level(const struct level *level, const struct choice *choice,
                       struct arena *arena, struct level *out)
{
    const struct adjacency *g = &level->graph;
    struct search search = {.g = g, .choice = choice};
    uint32_t *number = ARENA_NEW(arena, uint32_t, g->count);
    struct adjacency_edges edges = {0};
    uint32_t n = 0;

    search.mark = ARENA_NEW(arena, uint32_t, g->count);
    out->vertex = ARENA_NEW(arena, uint32_t, choice->kept_count);
    for (uint32_t v = 0; v < g->count; v++) {
        search.mark[v] = NONE;
        if (!choice->is_kept[v])
            continue;
        number[v] = n;
        out->vertex[n++] = level->vertex[v];
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
    out->graph = adjacency_make(&edges, n, arena);
}

/* -- layers and candidates -- */

struct making {
    const struct lift_part *part;
    /* the part's vertex of each number along the curve */
    const uint32_t *walked;
    uint32_t count; /* of `walked` */
    /* From fine to coarse: the layers, and their vertices layer by layer. */
    uint32_t layer_count;
    uint32_t level_count;
    struct lift_layer *layers;
    uint32_t *order;
    uint32_t placed;
    /* Indexed along the curve, as are the vertices in them. */
    struct lift_candidates *candidates;
    uint32_t *mark;
};

static uint64_t distance(const struct making *m, uint32_t a, uint32_t b)
{
    const uint16_t *p = m->part->positions + 3 * (size_t)m->walked[a];
    const uint16_t *q = m->part->positions + 3 * (size_t)m->walked[b];
    uint64_t sum = 0;

    for (int i = 0; i < 3; i++) {
        const int64_t d = (int64_t)p[i] - q[i];

        sum += (uint64_t)(d * d);
    }
    return sum;
}

/* Add a candidate to the vertex's list, which holds the nearest ones, sorted by
 * distance. Of equal distances the earlier one stays first. */
static void add_candidate(const struct making *m, uint32_t vertex,
                          uint32_t candidate, uint64_t *distances)
{
    struct lift_candidates *c = &m->candidates[vertex];
    const uint64_t d = distance(m, vertex, candidate);
    uint32_t at = c->count;

    if (at == LIFT_CANDIDATES_MAX) {
        /* NOLINTNEXTLINE(clang-analyzer-*): c->count entries are set. */
        if (d >= distances[at - 1])
            return;
        at--;
    } else {
        c->count++;
    }
    for (; at > 0 && distances[at - 1] > d; at--) {
        distances[at] = distances[at - 1];
        c->vertex[at] = c->vertex[at - 1];
    }
    distances[at] = d;
    c->vertex[at] = (uint16_t)candidate;
}

static bool is_before(const struct choice *choice, uint32_t node,
                      uint32_t color)
{
    return choice->is_kept[node] || choice->color[node] < color;
}

static void find_candidates(struct making *m, const struct level *level,
                            const struct choice *choice, uint32_t v)
{
    const struct adjacency *g = &level->graph;
    const uint32_t color = choice->color[v];
    uint64_t distances[LIFT_CANDIDATES_MAX];
    const uint32_t vertex = level->vertex[v];

    m->mark[vertex] = vertex;
    for (uint32_t i = g->first[v]; i < g->first[v + 1]; i++) {
        const uint32_t w = g->next[i];

        m->mark[level->vertex[w]] = vertex;
        if (is_before(choice, w, color))
            add_candidate(m, vertex, level->vertex[w], distances);
    }
    for (uint32_t i = g->first[v]; i < g->first[v + 1]; i++) {
        const uint32_t w = g->next[i];

        for (uint32_t k = g->first[w]; k < g->first[w + 1]; k++) {
            const uint32_t far = g->next[k];

            if (m->mark[level->vertex[far]] == vertex)
                continue;
            m->mark[level->vertex[far]] = vertex;
            if (is_before(choice, far, color))
                add_candidate(m, vertex, level->vertex[far], distances);
        }
    }
}

static void add_layers(struct making *m, const struct level *level,
                       const struct choice *choice)
{
    for (uint32_t color = choice->color_count; color-- > 0;) {
        struct lift_layer *layer = &m->layers[m->layer_count++];

        layer->first = m->placed;
        layer->level = m->level_count;
        for (uint32_t v = 0; v < level->graph.count; v++) {
            if (choice->color[v] != color)
                continue;
            m->order[m->placed++] = level->vertex[v];
            find_candidates(m, level, choice, v);
        }
    }
    m->level_count++;
}

/* -- from fine-to-coarse to coarse-to-fine -- */

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a;
    const uint32_t y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

/* Write layers and their vertices from coarse to fine, then the vertices that
 * are welded to others. */
static void write_coarse_to_fine(const struct making *m, const uint32_t *number,
                                 struct arena *arena, struct lift_graph *out)
{
    const struct lift_part *part = m->part;
    uint32_t *place = ARENA_NEW(arena, uint32_t, m->count);
    uint32_t n = 0;

    for (uint32_t l = m->layer_count; l-- > 0;) {
        const uint32_t limit =
            l + 1 < m->layer_count ? m->layers[l + 1].first : m->placed;
        struct lift_layer *layer = &out->layers[out->layer_count++];

        layer->first = n;
        layer->level = m->level_count - 1 - m->layers[l].level;
        for (uint32_t i = m->layers[l].first; i < limit; i++)
            m->order[i] = m->walked[m->order[i]];
        qsort(m->order + m->layers[l].first, limit - m->layers[l].first,
              sizeof *m->order, compare_numbers);
        for (uint32_t i = m->layers[l].first; i < limit; i++)
            m->order[i] = number[m->order[i]];
        for (uint32_t i = m->layers[l].first; i < limit; i++) {
            place[m->order[i]] = n;
            out->order[n++] = m->walked[m->order[i]];
        }
    }
    for (uint32_t i = 0; i < m->count; i++) {
        struct lift_candidates *c = &out->candidates[place[i]];

        *c = m->candidates[i];
        for (uint32_t k = 0; k < c->count; k++)
            c->vertex[k] = (uint16_t)place[c->vertex[k]];
    }
    out->level_count = m->level_count;
    out->weld_first = n;
    if (n < part->vertex_count) {
        out->layers[out->layer_count].first = n;
        out->layers[out->layer_count++].level = out->level_count++;
    }
    for (uint32_t v = 0; v < part->vertex_count; v++) {
        if (part->weld[v] == v)
            continue;
        out->candidates[n].count = 1;
        out->candidates[n].vertex[0] = (uint16_t)place[number[part->weld[v]]];
        out->order[n++] = v;
    }
    out->layers[out->layer_count].first = n;
    out->vertex_count = n;
}

void lift_graph_make(const struct lift_part *part, struct arena *arena,
                     struct lift_graph *out)
{
    struct making m = {.part = part};
    struct arena scratch;
    struct level level;
    struct choice choice;
    uint32_t *number;

    arena_init(&scratch);
    m.walked = order_on_curve(part, &scratch, &m.count);
    number = ARENA_NEW(&scratch, uint32_t, part->vertex_count);
    for (uint32_t i = 0; i < m.count; i++)
        number[m.walked[i]] = i;
    m.layers = ARENA_NEW(&scratch, struct lift_layer, m.count);
    m.order = ARENA_NEW(&scratch, uint32_t, m.count);
    m.candidates = ARENA_NEW(&scratch, struct lift_candidates, m.count);
    m.mark = ARENA_NEW(&scratch, uint32_t, m.count);
    memset(m.mark, 0xff, m.count * sizeof *m.mark);
    level.graph = finest_graph(part, number, m.count, &scratch);
    level.vertex = ARENA_NEW(&scratch, uint32_t, m.count);
    for (uint32_t i = 0; i < m.count; i++)
        level.vertex[i] = i;
    do {
        const bool is_last = level.graph.count <= COARSEST_VERTICES ||
                             m.level_count + 2 >= LIFT_LEVELS_MAX;

        choose(&level.graph, is_last, part->merges_layers, &scratch, &choice);
        add_layers(&m, &level, &choice);
        if (choice.kept_count > 0) {
            struct level next;

            next_level(&level, &choice, &scratch, &next);
            level = next;
        }
    } while (choice.kept_count > 0);

    *out = (struct lift_graph){0};
    out->layers = ARENA_NEW(arena, struct lift_layer, m.layer_count + 2);
    out->order = ARENA_NEW(arena, uint32_t, part->vertex_count);
    out->candidates =
        ARENA_NEW(arena, struct lift_candidates, part->vertex_count);
    write_coarse_to_fine(&m, number, &scratch, out);
    arena_free(&scratch);
}
