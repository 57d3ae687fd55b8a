/* index_model.h - the model of triangle indices.
 *
 * index_wire.c includes this file to read, index_wire_write.c in the compiler
 * to write; number_coder.h explains how. index_wire.h describes in words what
 * is coded.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_INDEX_MODEL_H
#define SPN_CODEC_LIFT_INDEX_MODEL_H

#include "codec/lift/index_wire.h"
#include "codec/lift/number_coder.h"

/* Move a vertex to the front of the list; `at` is its place, or the last one.
 */
static void index_recall(uint32_t *vertices, uint32_t at, uint32_t vertex)
{
    for (; at > 0; at--)
        vertices[at] = vertices[at - 1];
    vertices[0] = vertex;
}

static uint32_t index_find(const uint32_t *vertices, uint32_t vertex)
{
    uint32_t at = 0;

    while (at < INDEX_WIRE_RECENT && vertices[at] != vertex)
        at++;
    return at;
}

static uint32_t code_vertex(struct coder *c, struct wire_indices *w,
                            uint32_t vertex)
{
    struct number_model *m =
        &w->models.vertex[w->last_edge == INDEX_WIRE_NO_EDGE][w->last_kind];
    uint32_t at = vertex == w->next ? 0 : 1 + index_find(w->vertices, vertex);

    at = code_number(c, m, at);
    w->last_kind = at == 0 ? 0 : at <= INDEX_WIRE_RECENT ? 1 : 2;
    if (at == 0) {
        vertex = w->next++;
        at = INDEX_WIRE_RECENT - 1;
    } else if (at <= INDEX_WIRE_RECENT) {
        vertex = w->vertices[--at];
    } else {
        vertex = code_near(c, &w->models.distance, w->last_explicit, vertex);
        w->last_explicit = vertex;
        if (vertex - w->next < INDEX_WIRE_LEAP)
            w->next = vertex + 1;
        at = INDEX_WIRE_RECENT - 1;
    }
    index_recall(w->vertices, at, vertex);
    return vertex;
}

static void index_add_edge(struct wire_indices *w, uint32_t from, uint32_t to)
{
    for (uint32_t i = INDEX_WIRE_RECENT - 1; i > 0; i--) {
        w->edges[i][0] = w->edges[i - 1][0];
        w->edges[i][1] = w->edges[i - 1][1];
    }
    w->edges[0][0] = from;
    w->edges[0][1] = to;
}

/* The first edge of the list that is a side of the triangle in the opposite
 * direction; the side goes from corner *side to the next one. */
static uint32_t index_find_edge(const struct wire_indices *w,
                                const uint32_t corner[3], uint32_t *side)
{
    for (uint32_t at = 0; at < INDEX_WIRE_RECENT; at++)
        for (uint32_t t = 0; t < 3; t++)
            if (w->edges[at][1] == corner[t] &&
                w->edges[at][0] == corner[(t + 1) % 3]) {
                *side = t;
                return at;
            }
    return INDEX_WIRE_NO_EDGE;
}

static bool code_triangle(struct coder *c, struct wire_indices *w,
                          uint32_t corner[3])
{
    const uint32_t last = w->last_edge;
    uint32_t side = 0;
    const uint32_t at = code_number(c, &w->models.edge[last],
                                    index_find_edge(w, corner, &side));

    if (at < INDEX_WIRE_RECENT) {
        side = code_number(c, &w->models.side[w->last_side], side) % 3;
        w->last_edge = at;
        w->last_side = side;
        corner[side] = w->edges[at][1];
        corner[(side + 1) % 3] = w->edges[at][0];
        corner[(side + 2) % 3] = code_vertex(c, w, corner[(side + 2) % 3]);
    } else {
        w->last_edge = INDEX_WIRE_NO_EDGE;
        for (uint32_t k = 0; k < 3; k++)
            corner[k] = code_vertex(c, w, corner[k]);
        index_add_edge(w, corner[0], corner[1]);
    }
    index_add_edge(w, corner[(side + 1) % 3], corner[(side + 2) % 3]);
    index_add_edge(w, corner[(side + 2) % 3], corner[side]);
    return corner[0] < w->limit && corner[1] < w->limit && corner[2] < w->limit;
}

static void code_indices_head(struct coder *c, struct wire_indices *w)
{
    w->next = code_number(c, &w->models.first, w->next);
    w->last_explicit = w->next;
}

#endif
