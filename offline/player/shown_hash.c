/* shown_hash.c - fill a vertex buffer with decoded values, and hash it.
 *
 * The runtime fills numbers in the machine's byte order; each is stored lowest
 * byte first before it is hashed.
 */
/* SPDX-License-Identifier: MIT */
#include "player/shown_hash.h"

#include "base/assert.h"
#include "base/checksum.h"
#include "base/endian.h"
#include "base/mem.h"

#include <stdbool.h>

/* A vertex begins with 16-bit numbers, and may end with bytes. */
struct hashed {
    uint32_t shorts;
    spn_vertex_layout layout;
};

/* Numbers of 16 bits: 3 of the position, 4 of the QTangent, 2 of the UV; then 4
 * bytes of the colour. */
static const struct hashed basic = {
    9,
    {.stride = SHOWN_HASH_STRIDE,
     .position = {0, SPN_FORMAT_QUANTIZED},
     .qtangent = {6, SPN_FORMAT_QUANTIZED},
     .uv = {14, SPN_FORMAT_QUANTIZED},
     .color = {18, SPN_FORMAT_QUANTIZED}},
};

/* Second UVs and velocities are hashed only for meshes that have them, so that
 * hashes of older files remain. */
#define MORE_STRIDE 10u
static const struct hashed more = {
    5,
    {.stride = MORE_STRIDE,
     .second_uv = {0, SPN_FORMAT_QUANTIZED},
     .velocity = {4, SPN_FORMAT_QUANTIZED}},
};
SPN_STATIC_ASSERT(MORE_STRIDE <= SHOWN_HASH_STRIDE, shown_hash_more);

struct sum {
    struct checksum half[2];
};

static void begin(struct sum *sum)
{
    spn__checksum_begin(&sum->half[0], 0);
    spn__checksum_begin(&sum->half[1], 1);
}

static void add(struct sum *sum, const void *data, size_t bytes)
{
    spn__checksum_add(&sum->half[0], data, bytes);
    spn__checksum_add(&sum->half[1], data, bytes);
}

static void add_number(struct sum *sum, uint32_t number)
{
    uint8_t bytes[4];

    spn_store_u32le(bytes, number);
    add(sum, bytes, sizeof bytes);
}

static uint64_t end(const struct sum *sum)
{
    return (uint64_t)spn__checksum_end(&sum->half[0]) << 32 |
           spn__checksum_end(&sum->half[1]);
}

static void store_shorts(const struct hashed *hashed, uint8_t *vertices,
                         uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < hashed->shorts; k++) {
            uint8_t *at = vertices + (size_t)i * hashed->layout.stride + 2 * k;
            uint16_t value;

            memcpy(&value, at, sizeof value);
            spn_store_u16le(at, value);
        }
}

/* Returns false when the node shows another frame, or none. */
static bool add_mesh(struct sum *sum, spn_runtime *rt, spn_node node,
                     uint32_t mesh, uint32_t vertex_count, uint32_t frame,
                     const struct hashed *hashed, void *buffer,
                     size_t buffer_bytes)
{
    spn_fill_result result;

    if (spn_node_fill(rt, node, mesh, &hashed->layout, buffer, buffer_bytes,
                      &result) != SPN_OK ||
        result.floor_frame != frame)
        return false;
    if (!result.is_visible)
        return true;
    add_number(sum, mesh);
    store_shorts(hashed, buffer, vertex_count);
    add(sum, buffer, (size_t)vertex_count * hashed->layout.stride);
    return true;
}

uint64_t shown_hash(spn_runtime *rt, spn_cache cache,
                    const spn_cache_info *info, spn_node node, uint32_t frame,
                    void *buffer, size_t buffer_bytes)
{
    struct sum sum;
    uint64_t value;

    begin(&sum);
    add_number(&sum, frame);
    if (info->scene_node_count > buffer_bytes ||
        spn_node_get_transforms(rt, node, NULL, buffer,
                                info->scene_node_count) != SPN_OK)
        return 0;
    add(&sum, buffer, info->scene_node_count);
    for (uint32_t m = 0; m < info->mesh_count; m++) {
        spn_mesh_info mesh;

        if (spn_cache_get_mesh(rt, cache, m, &mesh) != SPN_OK ||
            !add_mesh(&sum, rt, node, m, mesh.vertex_count, frame, &basic,
                      buffer, buffer_bytes))
            return 0;
        if ((mesh.has_second_uvs || mesh.has_velocities) &&
            !add_mesh(&sum, rt, node, m, mesh.vertex_count, frame, &more,
                      buffer, buffer_bytes))
            return 0;
    }
    value = end(&sum);
    return value ? value : 1;
}
