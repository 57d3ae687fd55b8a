/* lift_graph.c - makes the layers of a part and the candidates of its vertices.
 *
 * lift_levels.h gives the levels from fine to coarse, and numbers the vertices
 * along a curve. The layers and candidates are collected in this order;
 * write_coarse_to_fine() reverses it at the end.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/lift/lift_graph.h"

#include "common/compare.h"
#include "compile/encode/lift/lift_levels.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define COARSEST_VERTICES 48u

/* -- layers and candidates -- */

struct graph_builder {
    const struct lift_part *part;
    /* the part's vertex of each number along the curve */
    const uint32_t *on_curve;
    uint32_t count; /* of `on_curve` */
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

static uint64_t distance(const struct graph_builder *m, uint32_t a, uint32_t b)
{
    const uint16_t *p = m->part->positions + 3 * (size_t)m->on_curve[a];
    const uint16_t *q = m->part->positions + 3 * (size_t)m->on_curve[b];
    uint64_t sum = 0;

    for (int i = 0; i < 3; i++) {
        const int64_t d = (int64_t)p[i] - q[i];

        sum += (uint64_t)(d * d);
    }
    return sum;
}

/* Add a candidate to the vertex's list, which holds the nearest ones, sorted by
 * distance. Of equal distances the earlier one stays first. */
static void add_candidate(const struct graph_builder *m, uint32_t vertex,
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

static bool is_before(const struct lift_level_choice *choice, uint32_t node,
                      uint32_t color)
{
    return choice->is_kept[node] || choice->color[node] < color;
}

static void find_candidates(struct graph_builder *m,
                            const struct lift_level *level,
                            const struct lift_level_choice *choice, uint32_t v)
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

static void add_layers(struct graph_builder *m, const struct lift_level *level,
                       const struct lift_level_choice *choice)
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

/* Write layers and their vertices from coarse to fine, then the vertices that
 * are welded to others. */
static void write_coarse_to_fine(const struct graph_builder *m,
                                 const uint32_t *number, struct arena *arena,
                                 struct lift_graph *out)
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
            m->order[i] = m->on_curve[m->order[i]];
        qsort(m->order + m->layers[l].first, limit - m->layers[l].first,
              sizeof *m->order, compare_u32_items);
        for (uint32_t i = m->layers[l].first; i < limit; i++)
            m->order[i] = number[m->order[i]];
        for (uint32_t i = m->layers[l].first; i < limit; i++) {
            place[m->order[i]] = n;
            out->order[n++] = m->on_curve[m->order[i]];
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
    struct graph_builder m = {.part = part};
    struct arena scratch;
    struct lift_level level;
    struct lift_level_choice choice;
    uint32_t *number;

    arena_init(&scratch);
    m.on_curve = lift_curve_order(part, &scratch, &m.count);
    number = ARENA_NEW(&scratch, uint32_t, part->vertex_count);
    for (uint32_t i = 0; i < m.count; i++)
        number[m.on_curve[i]] = i;
    m.layers = ARENA_NEW(&scratch, struct lift_layer, m.count);
    m.order = ARENA_NEW(&scratch, uint32_t, m.count);
    m.candidates = ARENA_NEW(&scratch, struct lift_candidates, m.count);
    m.mark = ARENA_NEW(&scratch, uint32_t, m.count);
    memset(m.mark, 0xff, m.count * sizeof *m.mark);
    level = lift_finest_level(part, number, m.count, &scratch);
    do {
        const bool is_last = level.graph.count <= COARSEST_VERTICES ||
                             m.level_count + 2 >= LIFT_LEVELS_MAX;

        choice = lift_level_choose(&level.graph, is_last, part->merges_layers,
                                   &scratch);
        add_layers(&m, &level, &choice);
        if (choice.kept_count > 0)
            level = lift_next_level(&level, &choice, &scratch);
    } while (choice.kept_count > 0);

    *out = (struct lift_graph){0};
    out->layers = ARENA_NEW(arena, struct lift_layer, m.layer_count + 2);
    out->order = ARENA_NEW(arena, uint32_t, part->vertex_count);
    out->candidates =
        ARENA_NEW(arena, struct lift_candidates, part->vertex_count);
    write_coarse_to_fine(&m, number, &scratch, out);
    arena_free(&scratch);
}
