/* cache_reader_lift.c - shapes and tables of lifted tiles, and decoding them.
 *
 * Both are the runtime's own functions, the scalar ones. A shape is judged as
 * soon as its last blob is there, which is before anything is decoded with it.
 */
/* SPDX-License-Identifier: MIT */
#include "cache_reader_private.h"

#include <string.h>

static bool refuse(const struct cache_reader *r, uint64_t offset,
                   const struct spn_fault *fault)
{
    struct spn_fault content = *fault;

    /* A place within what was unpacked is none in the file: say the blob's. */
    content.offset = 0;
    return cache_reader_refuse(r, offset, FAULT_NO_FRAME, &content);
}

bool cache_reader_load_lift(struct cache_reader *r,
                            const struct cache_blob *blob, const uint8_t *raw,
                            uint64_t offset)
{
    const size_t number = (size_t)(blob - r->tables.blobs);
    struct spn_fault fault = {0};
    const struct cache_tile *tile;
    uint32_t last;

    r->lift_data[number] =
        cache_blob_has_array(blob)
            ? arena_alloc(&r->arena, spn__cache_blob_memory(&r->tables, blob),
                          1)
            : r->lift_data[number - blob->run];
    if (spn__cache_lift_join(&r->tables, blob, raw, r->lift_data[number],
                             &fault) != SPN_OK)
        return refuse(r, offset, &fault);
    if (blob->kind == CACHE_BLOB_TABLES)
        return true;
    tile = &r->tables.tiles[blob->tile];
    last = tile->weights_blob;
    if (tile->ring_slots > 0)
        last = tile->ring_weights_blob +
               (tile->ring_slots - 1) / CACHE_RING_SLOTS_PER_BLOB;
    if (number != last || spn__cache_lift_judge(&r->tables, blob->tile,
                                                r->lift_data, &fault) == SPN_OK)
        return true;
    offset = r->header.blobs_offset + r->tables.blobs[tile->layers_blob].offset;
    return refuse(r, offset, &fault);
}

spn_status cache_reader_decode_lifted(
    struct cache_reader *r, uint32_t tile, enum channel channel,
    uint32_t payload_bytes, const void *const *from, uint32_t from_count,
    const void *positions, void *values, struct spn_fault *fault)
{
    const struct lift_shape shape =
        spn__cache_lift_shape(&r->tables, tile, r->lift_data);
    struct lift_stream s =
        spn__cache_lift_stream(&r->tables, channel, &shape, r->lift_data);
    struct ring_shape rings;

    if (channel == CHANNEL_QTANGENT && r->tables.tiles[tile].ring_slots > 0) {
        rings = spn__cache_lift_rings(&r->tables, tile, r->lift_data);
        s.rings = &rings;
        s.positions = positions;
    }
    s.from_count = from_count;
    for (uint32_t j = 0; j < from_count; j++)
        s.from[j] = from[j];
    return spn__lift_decode(&r->lift, &s, values, payload_bytes,
                            r->lift_workspace, values, fault);
}
