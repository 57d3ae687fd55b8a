/* cache_nodes.c - validate and read the rows of node blocks. */
/* SPDX-License-Identifier: MIT */
#include "cache/cache_nodes.h"

#include "base/assert.h"
#include "base/endian.h"
#include "base/mem.h"
#include "base/wire.h"
#include "cache/cache_wire.h"
#include "cache/cache_wire_tables.h"

/* -- one transform -- */

/* Both kinds are stored as single floats in the order of their structs. */
SPN_STATIC_ASSERT(sizeof(struct quat_tns) == sizeof(struct wire_quat_tns),
                  quat_tns_has_no_gaps);

bool spn__cache_transform_read(const uint8_t *wire, bool is_affine,
                               struct transform *transform)
{
    const uint32_t count = is_affine ? 12 : sizeof(struct quat_tns) / 4;
    const float *rotation = transform->tns.rotation;
    float square = 0;

    memset(transform, 0, sizeof *transform);
    transform->is_affine = is_affine;
    for (uint32_t i = 0; i < count; i++) {
        transform->affine[i] = spn_load_f32le(wire + 4 * i);
        if (!wire_is_finite_f32(transform->affine[i]))
            return false;
    }
    for (uint32_t i = 0; i < 4; i++)
        square += rotation[i] * rotation[i];
    return is_affine || (square > 0.99f && square < 1.01f);
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
