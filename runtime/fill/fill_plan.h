/* fill_plan.h - the columns of a batch that each attribute of a layout uses.
 *
 * A fill works on batches of up to FILL_BATCH vertices. The packed values of a
 * batch are in *columns*: one array of 32-bit words for each word of a vertex
 * (fill_ops.h). A plan assigns the columns of a layout, once for each call of
 * spn__fill. Each attribute has consecutive columns, in the order of offsets in
 * the vertex. If attributes are adjacent in the vertex, so are their columns,
 * and one store writes up to four columns. Example: a position F32X3 at offset
 * 0 and a normal SNORM16X4 at offset 12 have columns 0 to 2 and 3 to 4; the
 * stores are {offset 0, columns 0 to 3} and {offset 16, column 4}.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_FILL_FILL_PLAN_H
#define SPN_FILL_FILL_PLAN_H

#include <spindle/geom_layout.h>
#include <stdbool.h>
#include <stdint.h>

enum attribute {
    ATTRIBUTE_POSITION,
    ATTRIBUTE_PREVIOUS, /* position at the previous playback time */
    ATTRIBUTE_NORMAL,
    ATTRIBUTE_TANGENT,
    ATTRIBUTE_QTANGENT,
    ATTRIBUTE_UV,
    ATTRIBUTE_COLOR,
    ATTRIBUTE_VELOCITY,
    ATTRIBUTE_SECOND_UV,
    ATTRIBUTE_COUNT
};

#define FILL_COLUMNS_MAX 28u /* all attributes in their largest formats */
#define FILL_STORE_COLUMNS_MAX 4u

/* An attribute with its columns. */
struct fill_placed {
    spn_format format;
    uint32_t offset;       /* in the vertex, in bytes */
    uint32_t column;       /* the first of its columns */
    uint32_t column_count; /* 0: not wanted, or quantized positions or
                              velocities: these have 6 bytes, no whole words */
};

/* Columns that one store writes to adjacent words of the vertex. */
struct fill_store {
    uint32_t offset; /* in the vertex, in bytes */
    uint32_t column;
    uint32_t column_count; /* 1..FILL_STORE_COLUMNS_MAX */
};

struct fill_plan {
    struct fill_placed attribute[ATTRIBUTE_COUNT];
    struct fill_store store[FILL_COLUMNS_MAX];
    uint32_t store_count;
    uint32_t batch; /* vertices of a batch, which is the pitch of columns */
};

/* Make the plan of a layout that spn_layout_check has accepted. */
void spn__fill_plan(struct fill_plan *plan, const spn_vertex_layout *layout);

/* Whether the columns of a batch fit FILL_WORDS (fill_ops.h), the stores cover
 * each column once and in order, and each attribute is stored at its offset. */
bool spn__fill_plan_check(const struct fill_plan *plan);

#endif
