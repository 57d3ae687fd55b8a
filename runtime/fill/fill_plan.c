/* fill_plan.c - columns and stores of a vertex layout. */
/* SPDX-License-Identifier: MIT */
#include "fill/fill_plan.h"

#include "base/assert.h"
#include "fill/fill_ops.h"

#include <stddef.h>

SPN_STATIC_ASSERT(FILL_COLUMNS_MAX * 16 <= FILL_WORDS, fill_widest_layout);
SPN_STATIC_ASSERT(FILL_BATCH % FILL_LANES == 0, fill_batch_lanes);
SPN_STATIC_ASSERT(FILL_BATCH * 8 <= FILL_WORDS, fill_batch_words);

static uint32_t columns_of(spn_format format, uint32_t quantized_columns)
{
    switch (format) {
    case SPN_FORMAT_NONE:
        return 0;
    case SPN_FORMAT_F32X2:
    case SPN_FORMAT_F16X4:
    case SPN_FORMAT_SNORM16X4:
        return 2;
    case SPN_FORMAT_F32X3:
        return 3;
    case SPN_FORMAT_F32X4:
        return 4;
    case SPN_FORMAT_F16X2:
    case SPN_FORMAT_SNORM8X4:
    case SPN_FORMAT_SNORM10X3_2:
    case SPN_FORMAT_UNORM16X2:
    case SPN_FORMAT_UNORM8X4:
    case SPN_FORMAT_UNORM8X4_BGRA:
        return 1;
    case SPN_FORMAT_QUANTIZED:
        return quantized_columns;
    }
    return 0;
}

static void place(struct fill_placed *out, const spn_attribute *attribute,
                  uint32_t quantized_columns)
{
    out->format = attribute->format;
    out->offset = attribute->offset;
    out->column = 0;
    out->column_count = columns_of(attribute->format, quantized_columns);
}

/* Append the columns of an attribute, after those before it in the vertex. */
static void extend_stores(struct fill_plan *plan,
                          const struct fill_placed *placed)
{
    uint32_t offset = placed->offset;

    for (uint32_t k = 0; k < placed->column_count; k++, offset += 4) {
        struct fill_store *store =
            plan->store_count > 0 ? plan->store + plan->store_count - 1 : NULL;

        if (store == NULL || store->column_count == FILL_STORE_COLUMNS_MAX ||
            store->offset + 4 * store->column_count != offset) {
            store = plan->store + plan->store_count++;
            store->offset = offset;
            store->column = placed->column + k;
            store->column_count = 0;
        }
        store->column_count++;
    }
}

void spn__fill_plan(struct fill_plan *plan, const spn_vertex_layout *layout)
{
    uint8_t order[ATTRIBUTE_COUNT];
    uint32_t columns = 0;

    place(plan->attribute + ATTRIBUTE_POSITION, &layout->position, 0);
    place(plan->attribute + ATTRIBUTE_PREVIOUS, &layout->previous_position, 0);
    place(plan->attribute + ATTRIBUTE_NORMAL, &layout->normal, 0);
    place(plan->attribute + ATTRIBUTE_TANGENT, &layout->tangent, 0);
    place(plan->attribute + ATTRIBUTE_QTANGENT, &layout->qtangent, 2);
    place(plan->attribute + ATTRIBUTE_UV, &layout->uv, 1);
    place(plan->attribute + ATTRIBUTE_COLOR, &layout->color, 1);
    place(plan->attribute + ATTRIBUTE_VELOCITY, &layout->velocity, 0);
    place(plan->attribute + ATTRIBUTE_SECOND_UV, &layout->second_uv, 1);

    for (uint32_t i = 0; i < ATTRIBUTE_COUNT; i++) {
        uint32_t at = i;

        /* cppcheck-suppress uninitvar ; those before i are in order */
        for (; at > 0 && plan->attribute[order[at - 1]].offset >
                             plan->attribute[i].offset;
             at--)
            order[at] = order[at - 1];
        order[at] = (uint8_t)i;
    }
    plan->store_count = 0;
    for (uint32_t i = 0; i < ATTRIBUTE_COUNT; i++) {
        struct fill_placed *placed = plan->attribute + order[i];

        placed->column = columns;
        columns += placed->column_count;
        extend_stores(plan, placed);
    }
    SPN_ASSERT(columns <= FILL_COLUMNS_MAX);
    plan->batch = columns <= 8 ? FILL_BATCH : columns <= 12 ? 32 : 16;
    SPN_ASSERT(columns * plan->batch <= FILL_WORDS);
}

/* Offset in the vertex at which a column is stored; UINT32_MAX: no store has
 * the column. */
static uint32_t stored_offset(const struct fill_plan *plan, uint32_t column)
{
    for (uint32_t i = 0; i < plan->store_count; i++) {
        const struct fill_store *store = plan->store + i;

        if (column - store->column < store->column_count)
            return store->offset + 4 * (column - store->column);
    }
    return UINT32_MAX;
}

bool spn__fill_plan_check(const struct fill_plan *plan)
{
    uint32_t columns = 0;
    uint32_t placed_columns = 0;

    if (plan->store_count > FILL_COLUMNS_MAX)
        return false;
    for (uint32_t i = 0; i < plan->store_count; i++) {
        const struct fill_store *store = plan->store + i;

        if (store->column != columns || store->column_count == 0 ||
            store->column_count > FILL_STORE_COLUMNS_MAX)
            return false;
        columns += store->column_count;
    }
    for (uint32_t i = 0; i < ATTRIBUTE_COUNT; i++) {
        const struct fill_placed *placed = plan->attribute + i;

        for (uint32_t k = 0; k < placed->column_count; k++)
            if (stored_offset(plan, placed->column + k) !=
                placed->offset + 4 * k)
                return false;
        placed_columns += placed->column_count;
    }
    return columns == placed_columns && plan->batch > 0 &&
           plan->batch % FILL_LANES == 0 && columns * plan->batch <= FILL_WORDS;
}
