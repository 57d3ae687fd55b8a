/* node_view.h - what follows from distance and visibility of nodes.
 *
 * The engine sets the view of a node (spn_node_set_view). The rules that follow
 * from it are in spindle/geom_view.h: whether a node streams, how important it
 * is, how many frames it leaves out, and what is drawn for it.
 *
 * A node whose view keeps it from streaming *sleeps*: its cursor has ended, and
 * spn__node_wake lets it begin again. A node is *away* while it is hidden or
 * beyond the stream distance.
 *
 * Views lie in an array of their own, one for each slot of a node. The view of
 * a node that was destroyed ends with the node's handle. Owner: the caller's
 * thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_SCENE_NODE_VIEW_H
#define SPN_SCENE_NODE_VIEW_H

#include "base/carve.h"
#include "play/node/node.h"
#include "play/node/node_show.h"

#include <spindle/features.h>
#include <spindle/geom_view.h>
#include <spindle/memory.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct view {
    spn_node node;     /* whose view it is; 0: nobody's */
    spn_view set;      /* by the user */
    bool is_far;       /* beyond stream_distance */
    bool has_stand_in; /* beyond stand_in_distance */
    bool is_away;
    uint64_t away_since_us; /* while is_away: when it began */
};

struct views {
    struct manager *manager;
    struct view *all; /* one for each slot of a node */
};

#if SPN_WITH_VIEWS

/* Take the struct and its array from `carve`. With a carve that counts, only
 * count bytes and return NULL. */
struct views *spn__views_init(struct manager *m, struct carve *carve);

/* Once an update, before the nodes choose what they show: start nodes, send
 * them to sleep and wake them. */
void spn__views_update(struct views *views, uint64_t now_us);

/* The implementation of spn_node_set_view.
 *
 * set  valid (spn__view_is_good); NULL: none any more */
void spn__view_set(struct views *views, struct node *n, const spn_view *set);
bool spn__view_is_good(const spn_view *set);
/* The user has set the importance of a node: find that of its cursor. */
void spn__view_rank(const struct views *views, struct node *n);
/* The implementation of spn_node_get_drawing. */
spn_drawing spn__view_drawing(const struct views *views, const struct node *n);

#else

static inline struct views *spn__views_init(struct manager *m,
                                            struct carve *carve)
{
    (void)m;
    (void)carve;
    return NULL;
}

static inline void spn__views_update(struct views *views, uint64_t now_us)
{
    (void)views;
    (void)now_us;
}

static inline void spn__view_rank(const struct views *views, struct node *n)
{
    (void)views;
    n->cursor.importance = n->importance;
}

static inline spn_drawing spn__view_drawing(const struct views *views,
                                            const struct node *n)
{
    (void)views;
    return (spn_drawing){
        .what = manager_is_on(n->manager) &&
                        spn__node_frame(n, &n->shown, n->shown.floor)
                    ? SPN_DRAW_CACHE
                    : SPN_DRAW_NOTHING};
}

#endif

#endif
