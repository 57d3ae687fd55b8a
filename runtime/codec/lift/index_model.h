/* index_model.h - triangles bit by bit, for both directions (number_model.h);
 * codec/lift/index_wire.h says what is coded. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_INDEX_MODEL_H
#define SPN_CODEC_LIFT_INDEX_MODEL_H

#include "codec/lift/index_wire.h"
#include "codec/lift/number_model.h"

/* To the front; `at`: where it was, or the last place. */
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
    struct wire_vertex *m = &w->vertex[w->last_edge][w->last_way];
    uint32_t at = index_find(w->vertices, vertex);

    if (code_bit(c, &m->is_new, vertex == w->next)) {
        w->last_way = 0;
        vertex = w->next++;
        at = INDEX_WIRE_RECENT - 1;
    } else if (code_bit(c, &m->is_recent, at < INDEX_WIRE_RECENT)) {
        w->last_way = 1;
        at = code_tree(c, m->recent, INDEX_WIRE_RECENT_BITS, at) -
             INDEX_WIRE_RECENT;
        vertex = w->vertices[at];
    } else {
        vertex = w->told + (uint32_t)code_number(c, &w->distance[w->last_way],
                                                 (int32_t)(vertex - w->told));
        w->last_way = 2;
        w->told = vertex;
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

/* The edge that the triangle's side `turn` is from the other side. */
static uint32_t index_find_edge(const struct wire_indices *w,
                                const uint32_t corner[3], uint32_t *turn)
{
    for (uint32_t at = 0; at < INDEX_WIRE_RECENT; at++)
        for (uint32_t t = 0; t < 3; t++)
            if (w->edges[at][1] == corner[t] &&
                w->edges[at][0] == corner[(t + 1) % 3]) {
                *turn = t;
                return at;
            }
    return INDEX_WIRE_NO_EDGE;
}

static bool code_triangle(struct coder *c, struct wire_indices *w,
                          uint32_t corner[3])
{
    const uint32_t last = w->last_edge;
    uint32_t turn = 0;
    uint32_t at = index_find_edge(w, corner, &turn);

    if (code_bit(c, &w->has_edge[last], at != INDEX_WIRE_NO_EDGE)) {
        at = code_tree(c, w->edge[last], INDEX_WIRE_RECENT_BITS, at) -
             INDEX_WIRE_RECENT;
        turn = (code_tree(c, w->turn[w->last_turn], 2, turn) - 4) % 3;
        w->last_edge = at;
        w->last_turn = turn;
        corner[turn] = w->edges[at][1];
        corner[(turn + 1) % 3] = w->edges[at][0];
        corner[(turn + 2) % 3] = code_vertex(c, w, corner[(turn + 2) % 3]);
    } else {
        w->last_edge = INDEX_WIRE_NO_EDGE;
        for (uint32_t k = 0; k < 3; k++)
            corner[k] = code_vertex(c, w, corner[k]);
        index_add_edge(w, corner[0], corner[1]);
    }
    index_add_edge(w, corner[(turn + 1) % 3], corner[(turn + 2) % 3]);
    index_add_edge(w, corner[(turn + 2) % 3], corner[turn]);
    return corner[0] < w->limit && corner[1] < w->limit && corner[2] < w->limit;
}

static void code_indices_head(struct coder *c, struct wire_indices *w)
{
    w->next = code_even_32(c, w->next);
    w->told = w->next;
}

#endif
