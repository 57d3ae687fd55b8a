/* cache_tiles.c - parse and validate parts, tiles and blobs.
 *
 * Parts cover the vertices of every mesh exactly, tiles cover all parts, and
 * blobs cover the bytes between the tables and the frames. The blocks of a
 * frame follow from the tiles.
 */
/* SPDX-License-Identifier: MIT */
#include "cache/cache_tiles.h"

#include "base/endian.h"
#include "cache/cache_box.h"
#include "cache/cache_layout.h"
#include "cache/cache_lift.h"
#include "cache/cache_wire.h"
#include "cache/cache_wire_tables.h"
#include "codec/classic/planes.h"
#include "codec/classic/predict.h"
#include "codec/lift/lift.h"

#include <spindle/features.h>
#include <stddef.h>

#define REFUSE(what, field, value)                                             \
    wire_refuse(p->fault, (what), p->at + offsetof(struct WIRE, field), (value))

#define WIRE wire_part
spn_status spn__cache_parse_part(struct cache_parser *p, uint32_t i)
{
    const struct wire_part *wire = (const void *)(p->bytes + p->at);
    struct cache_part *part = &p->tables->parts[i];
    struct cache_mesh *mesh;

    part->mesh = spn_load_u32le(wire->mesh);
    part->vertex_count = spn_load_u32le(wire->vertex_count);
    part->first_vertex = 0;
    if (part->mesh >= p->header->mesh_count)
        return REFUSE("part mesh", mesh, part->mesh);
    mesh = &p->tables->meshes[part->mesh];
    if (mesh->part_count == 0)
        mesh->first_part = i;
    else if (mesh->first_part + mesh->part_count != i)
        return REFUSE("parts of a mesh apart", mesh, part->mesh);
    if (mesh->part_count > 0)
        part->first_vertex = p->tables->parts[i - 1].first_vertex +
                             p->tables->parts[i - 1].vertex_count;
    if (part->vertex_count == 0 ||
        part->vertex_count > CACHE_TILE_VERTICES_MAX ||
        part->vertex_count > mesh->vertex_count - part->first_vertex)
        return REFUSE("part vertex count", vertex_count, part->vertex_count);
    mesh->part_count++;
    return SPN_OK;
}
#undef WIRE

/* Give each part the place of its box. */
static spn_status place_boxes(struct cache_parser *p)
{
    uint64_t bits = 0;

    for (uint32_t i = 0; i < p->header->part_count; i++) {
        struct cache_part *part = &p->tables->parts[i];

        part->box_bit = (uint32_t)bits;
        bits += spn__cache_box_bits(&p->tables->meshes[part->mesh]);
    }
    /* The size in the header is bounded, so the places fit 32 bits. */
    return (bits + 7) / 8 == p->header->box_bytes
               ? SPN_OK
               : wire_refuse_unlike(p->fault, "size of the boxes", p->at,
                                    p->header->box_bytes, (bits + 7) / 8);
}

spn_status spn__cache_finish_parts(struct cache_parser *p)
{
    for (uint32_t m = 0; m < p->header->mesh_count; m++) {
        const struct cache_mesh *mesh = &p->tables->meshes[m];
        const struct cache_part *last;

        if (mesh->part_count == 0)
            return wire_refuse(p->fault, "mesh without parts", p->at, m);
        last = &p->tables->parts[mesh->first_part + mesh->part_count - 1];
        if (last->first_vertex + last->vertex_count != mesh->vertex_count)
            return wire_refuse(p->fault, "vertices without a part", p->at, m);
    }
    return place_boxes(p);
}

#define WIRE wire_tile
static spn_status parse_prediction(struct cache_parser *p,
                                   const struct wire_tile *wire,
                                   struct cache_tile *tile)
{
    const uint32_t prediction = wire->prediction[0];
    const bool is_lifted = prediction == WIRE_PREDICTION_LIFTED;
    const uint32_t slots = spn_load_u16le(wire->one_ring_slots);

    *tile = (struct cache_tile){
        .predictor_blob =
            prediction == WIRE_PREDICTION_ENTRIES ? 0 : CACHE_NONE,
        .reflection_blob = CACHE_NONE,
        .layer_count = spn_load_u16le(wire->layer_count),
        .channel_weights = wire->channel_weights[0],
        .hierarchy_blob = CACHE_NONE,
        .one_ring_slots = slots & ~WIRE_ONE_RINGS_BY_UVS,
        .one_rings_by_uvs = (slots & WIRE_ONE_RINGS_BY_UVS) != 0,
        .one_rings_blob = CACHE_NONE,
    };
    if (prediction > WIRE_PREDICTION_LIFTED)
        return REFUSE("tile flag", prediction, prediction);
    if (is_lifted && !SPN_WITH_LIFTED_MESHES)
        return wire_refuse_for(p->fault, SPN_ERR_NOT_BUILT, "lifted mesh",
                               p->at, prediction, WIRE_PREDICTION_ENTRIES);
    if (is_lifted && tile->layer_count == 0)
        return REFUSE("layers of a tile", layer_count, 0);
    if (!is_lifted && tile->layer_count != 0)
        return REFUSE("reserved bytes", layer_count, 0);
    return SPN_OK;
}

static bool may_have_weights(const struct cache_tile *tile)
{
    return cache_tile_is_lifted(tile) &&
           (tile->animated_mask & CHANNEL_BIT(CHANNEL_QTANGENT)) &&
           tile->channel_weights <=
               (LIFT_CHANNEL_WEIGHTS_SPACE | LIFT_CHANNEL_WEIGHTS_TIME);
}

static bool may_have_one_rings(const struct cache_tile *tile)
{
    const uint32_t needed =
        CHANNEL_BIT(CHANNEL_POSITION) | CHANNEL_BIT(CHANNEL_QTANGENT);

    return cache_tile_is_lifted(tile) &&
           (tile->animated_mask & needed) == needed &&
           tile->one_ring_slots <=
               ONE_RING_SLOTS_MAX * one_ring_batch_count(tile->vertex_count);
}

/* False for a lifted tile of several parts, and for a tile that differs in kind
 * from the tile before it of the same mesh. */
static bool validate_lifted(const struct cache_tables *t,
                            const struct cache_tile *tile)
{
    const struct cache_part *part = &t->parts[tile->first_part];
    const bool is_lifted = cache_tile_is_lifted(tile);

    if (part->first_vertex > 0 &&
        cache_tile_is_lifted(&t->tiles[t->parts[tile->first_part - 1].tile]) !=
            is_lifted)
        return false;
    return !is_lifted || tile->part_count == 1;
}

spn_status spn__cache_parse_tile(struct cache_parser *p, uint32_t i)
{
    const struct wire_tile *wire = (const void *)(p->bytes + p->at);
    const uint32_t part_count = spn_load_u16le(wire->part_count);
    struct cache_tile *tile = &p->tables->tiles[i];
    struct cache_part *parts = &p->tables->parts[p->parts];
    spn_status status;

    if (part_count == 0 || part_count > p->header->part_count - p->parts)
        return REFUSE("tile part count", part_count, part_count);
    status = parse_prediction(p, wire, tile);
    if (status != SPN_OK)
        return status;
    tile->first_part = p->parts;
    tile->part_count = part_count;
    tile->static_mask = p->tables->meshes[parts->mesh].static_mask;
    tile->animated_mask = p->tables->meshes[parts->mesh].animated_mask;
    for (uint32_t k = 0; k < part_count; k++) {
        const struct cache_mesh *mesh = &p->tables->meshes[parts[k].mesh];

        if (tile->static_mask != mesh->static_mask ||
            tile->animated_mask != mesh->animated_mask)
            return REFUSE("tile of different channels", part_count,
                          parts[k].mesh);
        if (parts[k].vertex_count >
            CACHE_TILE_VERTICES_MAX - tile->vertex_count)
            return REFUSE("tile vertex count", part_count, tile->vertex_count);
        if (mesh->reflection == CACHE_REFLECTION_MIXED)
            tile->reflection_blob = 0;
        parts[k].tile = i;
        parts[k].tile_vertex = tile->vertex_count;
        tile->vertex_count += parts[k].vertex_count;
    }
    if (tile->layer_count > tile->vertex_count)
        return REFUSE("layers of a tile", layer_count, tile->layer_count);
    if (tile->one_ring_slots > 0 && !may_have_one_rings(tile))
        return REFUSE("rings of a tile", one_ring_slots, tile->one_ring_slots);
    if (tile->one_rings_by_uvs &&
        (tile->one_ring_slots == 0 ||
         !(tile->animated_mask & CHANNEL_BIT(CHANNEL_UV))))
        return REFUSE("rings by UVs", one_ring_slots, tile->one_ring_slots);
    if (tile->channel_weights > 0 && !may_have_weights(tile))
        return REFUSE("weights of a tile", channel_weights,
                      tile->channel_weights);
    if (!validate_lifted(p->tables, tile))
        return REFUSE("lifted tile", prediction, wire->prediction[0]);
    p->parts += part_count;
    return SPN_OK;
}
#undef WIRE

spn_status spn__cache_finish_tiles(struct cache_parser *p)
{
    const struct cache_header *h = p->header;
    struct cache_tables *t = p->tables;
    uint64_t count;

    if (p->parts != h->part_count)
        return wire_refuse(p->fault, "parts without a tile", p->at, p->parts);
    count = spn__cache_layout_blocks(h->animated_node_count,
                                     h->animated_affine_count, t->tiles,
                                     h->tile_count, t->blocks, h->block_count);
    if (count != h->block_count)
        return wire_refuse_wide(p->fault, "block count", p->at, count);
    count = spn__cache_layout_blobs(h->index16_count, h->index32_count,
                                    t->tiles, h->tile_count, t->tables_blob,
                                    t->blobs, h->blob_count);
    if (count != h->blob_count)
        return wire_refuse_wide(p->fault, "blob count", p->at, count);
    return SPN_OK;
}

#define WIRE wire_blob
/* The coding of a blob. Channels may have the codings of an index frame;
 * indices, one of their own. */
static spn_status validate_coding(struct cache_parser *p,
                                  const struct cache_blob *blob,
                                  uint32_t stored)
{
    const bool is_channel = blob->kind == CACHE_BLOB_CHANNEL;
    const bool is_lifted = blob->coding == CODING_LIFTED;
    const uint32_t byte = wire_coding_byte(blob->coding, blob->order);
    const struct cache_tile *tile =
        is_channel ? &p->tables->tiles[blob->tile] : NULL;

    if (is_lifted && !is_channel && !SPN_WITH_LIFTED_MESHES)
        return wire_refuse_for(p->fault, SPN_ERR_NOT_BUILT, "coded indices",
                               p->at, byte, CODING_PLAIN);
    if (is_channel
            ? blob->coding >= CODING_COUNT || blob->coding == CODING_TEMPORAL
            : blob->coding != CODING_PLAIN &&
                  !(is_lifted && cache_blob_is_index(blob)))
        return REFUSE("blob coding", coding, byte);
    if (blob->order >= (is_channel && !is_lifted ? ORDER_COUNT : ORDER_PLANES))
        return REFUSE("order of residuals", coding, byte);
    if (is_channel && blob->coding == CODING_SPATIAL &&
        tile->predictor_blob == CACHE_NONE)
        return REFUSE("blob coding without a predictor", coding, byte);
    if (is_lifted && !is_channel && blob->is_raw)
        return REFUSE("coding of indices", coding, byte);
    if (is_lifted && is_channel && !cache_tile_is_lifted(tile))
        return REFUSE("blob coding without layers", coding, byte);
    if (is_lifted && is_channel &&
        !wire_is_payload(blob->stored_bytes, blob->is_raw, blob->raw_bytes))
        return REFUSE("blob size", stored, stored);
    return SPN_OK;
}

spn_status spn__cache_parse_blob(struct cache_parser *p, uint32_t i)
{
    const struct wire_blob *wire = (const void *)(p->bytes + p->at);
    struct cache_blob *blob = &p->tables->blobs[i];
    const uint32_t stored = spn_load_u32le(wire->stored);
    spn_status status;

    blob->is_raw = (stored & WIRE_RAW_BIT) != 0;
    blob->stored_bytes = stored & ~WIRE_RAW_BIT;
    blob->checksum = spn_load_u32le(wire->checksum);
    blob->coding = wire_coding(wire->coding);
    blob->order = wire_order(wire->coding);
    blob->offset = p->blob_bytes;
    if (blob->is_raw
            ? blob->stored_bytes != blob->raw_bytes
            : blob->stored_bytes == 0 || blob->stored_bytes >= blob->raw_bytes)
        return REFUSE("blob size", stored, stored);
    status = validate_coding(p, blob, stored);
    if (status != SPN_OK)
        return status;
    if (!wire_is_zero(wire->reserved, sizeof wire->reserved))
        return REFUSE("reserved bytes", reserved, 0);
    if (blob->stored_bytes > p->header->blobs_bytes - p->blob_bytes)
        return REFUSE("blob size", stored, stored);
    p->blob_bytes += blob->stored_bytes;
    return SPN_OK;
}
#undef WIRE

spn_status spn__cache_finish_blobs(struct cache_parser *p)
{
    return p->blob_bytes == p->header->blobs_bytes
               ? SPN_OK
               : wire_refuse_wide(p->fault, "size of the blobs", p->at,
                                  p->blob_bytes);
}
