/* draw_instances.h - groups of items that are drawn together: see
 * spindle/geom_draw.h. The functions keep no state. Any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_SCENE_DRAW_INSTANCES_H
#define SPN_SCENE_DRAW_INSTANCES_H

#include <spindle/geom_draw.h>
#include <stdint.h>

/* The arrays of the caller, and how much of them is used. */
struct draw_groups {
    spn_draw_group *groups;
    uint32_t group_count;
    uint32_t group_capacity;
    float *matrices; /* 12 floats each; only written */
    uint32_t matrix_count;
    uint32_t matrix_capacity;
};

/* The implementation of spn_draw_instances.
 *
 * least  items of the smallest group; 0: there are no groups
 * out    group_count and matrix_count are 0 */
void spn__draw_instances(spn_draw_item *items, uint32_t item_count,
                         uint32_t least, struct draw_groups *out);

#endif
