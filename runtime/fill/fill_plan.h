/* fill_plan.h - where a layout's attributes stand in a batch's columns. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_FILL_FILL_PLAN_H
#define SPN_FILL_FILL_PLAN_H

#include <spindle/geom.h>
#include <stdint.h>

enum attribute {
    ATTRIBUTE_POSITION,
    ATTRIBUTE_PREVIOUS,
    ATTRIBUTE_NORMAL,
    ATTRIBUTE_TANGENT,
    ATTRIBUTE_QTANGENT,
    ATTRIBUTE_UV,
    ATTRIBUTE_COLOR,
    ATTRIBUTE_VELOCITY,
    ATTRIBUTE_SECOND_UV,
    ATTRIBUTE_COUNT
};

#define FILL_COLUMNS_MAX 28u /* all attributes at their widest */
#define FILL_STORE_COLUMNS_MAX 4u

struct fill_placed {
    spn_format format;
    uint32_t offset;
    uint32_t column;
    uint32_t column_count; /* 0: not wanted, or not in words (positions and
                            * velocities of six bytes) */
};

/* Columns that touch each other in the vertex. */
struct fill_store {
    uint32_t offset;
    uint32_t column;
    uint32_t column_count;
};

struct fill_plan {
    struct fill_placed attribute[ATTRIBUTE_COUNT];
    struct fill_store store[FILL_COLUMNS_MAX];
    uint32_t store_count;
    uint32_t batch; /* vertices; the pitch of the columns */
};

/* The layout was checked. */
void spn__fill_plan(struct fill_plan *plan, const spn_vertex_layout *layout);

#endif
