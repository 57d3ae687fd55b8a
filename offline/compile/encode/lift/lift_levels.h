/* lift_levels.h - the levels of a part, from fine to coarse.
 *
 * A level is a graph: its nodes are vertices, its edges join neighbours. The
 * finest level has all vertices of the part that are not welded to others, and
 * the edges of its triangles. Each level keeps some of its nodes for the next
 * coarser level. It gives the other nodes colours, so that no edge joins two
 * nodes of one colour. lift_graph.c calls these functions level by level, and
 * makes a layer from each colour.
 *
 * The nodes are numbered along a space-filling curve through the positions. So
 * a loop over the nodes visits neighbours in space soon after each other, and
 * the result depends on the part alone. All results lie in the arena of the
 * caller.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_LIFT_LEVELS_H
#define OFFLINE_COMPILE_ENCODE_LIFT_LIFT_LEVELS_H

#include "compile/encode/lift/lift_graph.h"
#include "compile/mesh/adjacency.h"

#include <stdbool.h>
#include <stdint.h>

struct lift_level {
    struct adjacency graph;
    uint32_t *vertex; /* of each node: its number along the curve */
};

/* What a level does with its nodes. */
struct lift_level_choice {
    bool *is_kept;   /* the node is in the next level */
    uint32_t *color; /* of each other node; UINT32_MAX: it is kept */
    uint32_t color_count;
    uint32_t kept_count;
};

/* The vertices of a part in the order of the curve, without those that are
 * welded to others. *count: how many. */
uint32_t *lift_curve_order(const struct lift_part *part, struct arena *arena,
                           uint32_t *count);

/* The finest level. number: of each vertex of the part, its number along the
 * curve; count: nodes. */
struct lift_level lift_finest_level(const struct lift_part *part,
                                    const uint32_t *number, uint32_t count,
                                    struct arena *arena);

/* Choose which nodes are kept, and the colours of the others. `is_last`: keep
 * none. */
struct lift_level_choice lift_level_choose(const struct adjacency *graph,
                                           bool is_last, bool merges_layers,
                                           struct arena *arena);

/* The next coarser level. It joins kept nodes that are two or three steps
 * apart. */
struct lift_level lift_next_level(const struct lift_level *level,
                                  const struct lift_level_choice *choice,
                                  struct arena *arena);

#endif
