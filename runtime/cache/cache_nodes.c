/* cache_nodes.c - validate and read the rows of node blocks. */
/* SPDX-License-Identifier: MIT */
#include "cache/cache_nodes.h"

#include "base/endian.h"
#include "base/mem.h"
#include "base/wire.h"
#include "cache/cache_wire.h"
#include "cache/cache_wire_tables.h"

/* -- one transform -- */

static bool load_affine(const struct wire_affine *wire, float affine[12])
{
    bool is_finite = true;

    for (int i = 0; i < 12; i++) {
        affine[i] = spn_load_f32le(wire->numbers[i]);
        is_finite = is_finite && wire_is_finite_f32(affine[i]);
    }
    return is_finite;
}

static bool load_quat_tns(const struct wire_quat_tns *wire,
                          struct quat_tns *transform)
{
    float square = 0;
    bool is_finite = true;

    for (int i = 0; i < 4; i++) {
        transform->rotation[i] = spn_load_f32le(wire->rotation[i]);
        square += transform->rotation[i] * transform->rotation[i];
    }
    for (int i = 0; i < 3; i++) {
        transform->translation[i] = spn_load_f32le(wire->translation[i]);
        transform->scale[i] = spn_load_f32le(wire->scale[i]);
        is_finite = is_finite &&
                    wire_is_finite_f32(transform->translation[i]) &&
                    wire_is_finite_f32(transform->scale[i]);
    }
    /* NaN fails both comparisons. */
    return is_finite && square > 0.99f && square < 1.01f;
}

bool spn__cache_transform_read(const uint8_t *wire, bool is_affine,
                               struct transform *transform)
{
    memset(transform, 0, sizeof *transform);
    transform->is_affine = is_affine;
    return is_affine ? load_affine((const void *)wire, transform->affine)
                     : load_quat_tns((const void *)wire, &transform->tns);
}

/* -- rows -- */

/* Bytes of one transform. */
static uint32_t row_bytes(const struct cache_block *block)
{
    return block->is_affine ? sizeof(struct wire_affine)
                            : sizeof(struct wire_quat_tns);
}

spn_status spn__cache_nodes_validate(const struct cache_block *block,
                                     const uint8_t *raw,
                                     struct spn_fault *fault)
{
    uint32_t bytes = row_bytes(block);
    const uint8_t *visible = raw + block->count * bytes;

    for (uint32_t i = 0; i < block->count; i++) {
        struct transform transform;

        if (!spn__cache_transform_read(raw + i * bytes, block->is_affine,
                                       &transform))
            return wire_refuse(fault, "node transform", i * bytes,
                               block->first + i);
        if (visible[i] > 1)
            return wire_refuse(fault, "node visibility",
                               block->count * bytes + i, visible[i]);
    }
    return SPN_OK;
}

void spn__cache_nodes_read(const struct cache_block *block, const uint8_t *raw,
                           uint32_t row, struct transform *transform,
                           bool *is_visible)
{
    uint32_t bytes = row_bytes(block);

    (void)spn__cache_transform_read(raw + row * bytes, block->is_affine,
                                    transform);
    *is_visible = raw[block->count * bytes + row] != 0;
}

uint32_t spn__cache_nodes_block(const struct cache_header *header, uint32_t row)
{
    uint32_t first_affine =
        header->animated_node_count - header->animated_affine_count;

    if (row < first_affine)
        return row / CACHE_NODES_PER_BLOCK;
    return (first_affine + CACHE_NODES_PER_BLOCK - 1) / CACHE_NODES_PER_BLOCK +
           (row - first_affine) / CACHE_NODES_PER_BLOCK;
}
