/* cache_tiles.c - parse and validate parts, tiles and blobs.
 *
 * Parts cover the vertices of every mesh exactly, tiles cover all parts, and
 * blobs cover the bytes between the tables and the frames. The blocks of a
 * frame follow from the tiles.
 */
/* SPDX-License-Identifier: MIT */
#include "cache/cache_tiles.h"

#include "base/endian.h"
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
    wire_refuse(p->fault, (what), at + offsetof(struct WIRE, field), (value))

#define WIRE wire_part
static spn_status parse_part(struct cache_parser *p, uint32_t i)
{
    uint32_t at = cache_parser_offset(p, i, sizeof(struct wire_part));
    const struct wire_part *wire = (const void *)(p->bytes + at);
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

spn_status spn__cache_parse_parts(struct cache_parser *p)
{
    const struct cache_tables *t = p->tables;

    for (uint32_t i = 0; i < p->header->part_count; i++) {
        spn_status status = parse_part(p, i);

        if (status != SPN_OK)
            return status;
    }
    for (uint32_t m = 0; m < p->header->mesh_count; m++) {
        const struct cache_mesh *mesh = &t->meshes[m];
        const struct cache_part *last;

        if (mesh->part_count == 0)
            return wire_refuse(p->fault, "mesh without parts", p->table_offset,
                               m);
        last = &t->parts[mesh->first_part + mesh->part_count - 1];
        if (last->first_vertex + last->vertex_count != mesh->vertex_count)
            return wire_refuse(p->fault, "vertices without a part",
                               p->table_offset, m);
    }
    p->table_offset =
        cache_parser_offset(p, p->header->part_count, sizeof(struct wire_part));
    return SPN_OK;
}

#define WIRE wire_tile
static spn_status parse_prediction(struct cache_parser *p, uint32_t at,
                                   const struct wire_tile *wire,
                                   struct cache_tile *tile)
{
    const bool is_classic = p->header->version == CACHE_VERSION_CLASSIC;
    const uint32_t prediction = wire->prediction[0];
    const uint32_t slots = spn_load_u16le(wire->one_ring_slots);

    if (prediction >
        (is_classic ? WIRE_PREDICTION_ENTRIES : WIRE_PREDICTION_LIFTED))
        return REFUSE("tile flag", prediction, prediction);
    tile->predictor_blob =
        prediction == WIRE_PREDICTION_ENTRIES ? 0 : CACHE_NONE;
    tile->layer_count = 0;
    tile->one_ring_slots = slots & ~WIRE_ONE_RINGS_BY_UVS;
    tile->one_rings_by_uvs = (slots & WIRE_ONE_RINGS_BY_UVS) != 0;
    tile->one_rings_blob = CACHE_NONE;
    tile->hierarchy_blob = CACHE_NONE;
    tile->channel_weights = wire->channel_weights[0];
    if (prediction == WIRE_PREDICTION_LIFTED && !SPN_WITH_LIFTED_MESHES)
        return wire_refuse_for(p->fault, SPN_ERR_NOT_BUILT, "lifted mesh", at,
                               prediction, WIRE_PREDICTION_ENTRIES);
    if (prediction == WIRE_PREDICTION_LIFTED) {
        tile->layer_count = spn_load_u16le(wire->layer_count);
        if (tile->layer_count == 0)
            return REFUSE("layers of a tile", layer_count, 0);
    } else if (!wire_is_zero(wire->layer_count, sizeof wire->layer_count)) {
        return REFUSE("reserved bytes", layer_count, 0);
    }
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
               ONE_RING_SLOTS_MAX * one_ring_block_count(tile->vertex_count);
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

static spn_status parse_tile(struct cache_parser *p, uint32_t i,
                             uint32_t *next_part)
{
    uint32_t at = cache_parser_offset(p, i, sizeof(struct wire_tile));
    const struct wire_tile *wire = (const void *)(p->bytes + at);
    struct cache_tile *tile = &p->tables->tiles[i];
    spn_status status;

    tile->first_part = *next_part;
    tile->part_count = spn_load_u16le(wire->part_count);
    if (tile->part_count == 0 ||
        tile->part_count > p->header->part_count - *next_part)
        return REFUSE("tile part count", part_count, tile->part_count);
    status = parse_prediction(p, at, wire, tile);
    if (status != SPN_OK)
        return status;
    tile->reflection_blob = CACHE_NONE;
    tile->vertex_count = 0;
    for (uint32_t k = 0; k < tile->part_count; k++) {
        struct cache_part *part = &p->tables->parts[*next_part + k];
        const struct cache_mesh *mesh = &p->tables->meshes[part->mesh];

        if (k == 0) {
            tile->static_mask = mesh->static_mask;
            tile->animated_mask = mesh->animated_mask;
        }
        if (tile->static_mask != mesh->static_mask ||
            tile->animated_mask != mesh->animated_mask)
            return REFUSE("tile of different channels", part_count, part->mesh);
        if (part->vertex_count > CACHE_TILE_VERTICES_MAX - tile->vertex_count)
            return REFUSE("tile vertex count", part_count, tile->vertex_count);
        if (mesh->reflection == CACHE_REFLECTION_MIXED)
            tile->reflection_blob = 0;
        part->tile = i;
        part->tile_vertex = tile->vertex_count;
        tile->vertex_count += part->vertex_count;
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
    *next_part += tile->part_count;
    return SPN_OK;
}
#undef WIRE

spn_status spn__cache_parse_tiles(struct cache_parser *p)
{
    const struct cache_header *h = p->header;
    uint32_t next_part = 0;
    uint64_t block_count;

    for (uint32_t i = 0; i < h->tile_count; i++) {
        spn_status status = parse_tile(p, i, &next_part);

        if (status != SPN_OK)
            return status;
    }
    if (next_part != h->part_count)
        return wire_refuse(p->fault, "parts without a tile", p->table_offset,
                           next_part);
    block_count = spn__cache_layout_blocks(
        h->animated_node_count, h->animated_affine_count, p->tables->tiles,
        h->tile_count, p->tables->blocks, h->block_count);
    if (block_count != h->block_count)
        return wire_refuse_wide(p->fault, "block count", p->table_offset,
                                block_count);
    p->table_offset =
        cache_parser_offset(p, h->tile_count, sizeof(struct wire_tile));
    return SPN_OK;
}

#define WIRE wire_blob
/* The coding of a static channel's blob. */
static spn_status validate_coding(struct cache_parser *p,
                                  const struct cache_blob *blob, uint32_t at,
                                  uint32_t stored)
{
    const struct cache_tile *tile = &p->tables->tiles[blob->tile];
    const uint32_t byte = wire_coding_byte(blob->coding, blob->order);
    const bool is_lifted = blob->coding == CODING_LIFTED;

    if (blob->coding >= CODING_COUNT || blob->coding == CODING_TEMPORAL)
        return REFUSE("blob coding", coding, byte);
    if (blob->order >= (is_lifted ? ORDER_PLANES : ORDER_COUNT))
        return REFUSE("order of residuals", coding, byte);
    if (blob->coding == CODING_SPATIAL && tile->predictor_blob == CACHE_NONE)
        return REFUSE("blob coding without a predictor", coding, blob->coding);
    if (is_lifted && !cache_tile_is_lifted(tile))
        return REFUSE("blob coding without layers", coding, blob->coding);
    if (is_lifted &&
        !wire_is_payload(blob->stored_bytes, blob->is_raw, blob->raw_bytes))
        return REFUSE("blob size", stored, stored);
    return SPN_OK;
}

static spn_status parse_blob(struct cache_parser *p, uint32_t i,
                             uint64_t *offset)
{
    uint32_t at = cache_parser_offset(p, i, sizeof(struct wire_blob));
    const struct wire_blob *wire = (const void *)(p->bytes + at);
    struct cache_blob *blob = &p->tables->blobs[i];
    uint32_t stored = spn_load_u32le(wire->stored);
    bool is_channel = blob->kind == CACHE_BLOB_CHANNEL;
    spn_status status;

    blob->is_raw = (stored & WIRE_RAW_BIT) != 0;
    blob->stored_bytes = stored & ~WIRE_RAW_BIT;
    blob->checksum = spn_load_u32le(wire->checksum);
    blob->coding = wire_coding(wire->coding);
    blob->order = wire_order(wire->coding);
    blob->offset = *offset;
    if (blob->is_raw
            ? blob->stored_bytes != blob->raw_bytes
            : blob->stored_bytes == 0 || blob->stored_bytes >= blob->raw_bytes)
        return REFUSE("blob size", stored, stored);
    if (is_channel)
        status = validate_coding(p, blob, at, stored);
    else if (!SPN_WITH_LIFTED_MESHES && blob->coding == CODING_LIFTED)
        status = wire_refuse_for(p->fault, SPN_ERR_NOT_BUILT, "coded indices",
                                 at, wire->coding[0], CODING_PLAIN);
    else if (cache_blob_is_index(blob) && blob->coding == CODING_LIFTED)
        status = blob->is_raw || p->header->version == CACHE_VERSION_CLASSIC
                     ? REFUSE("coding of indices", coding, wire->coding[0])
                     : SPN_OK;
    else if (blob->coding != CODING_PLAIN)
        status = REFUSE("blob coding", coding, wire->coding[0]);
    else
        status = SPN_OK;
    if (status != SPN_OK)
        return status;
    if (!is_channel && blob->order != ORDER_INTERLEAVED)
        return REFUSE("order of residuals", coding, wire->coding[0]);
    if (!wire_is_zero(wire->reserved, sizeof wire->reserved))
        return REFUSE("reserved bytes", reserved, 0);
    if (blob->stored_bytes > p->header->blobs_bytes - *offset)
        return REFUSE("blob size", stored, stored);
    *offset += blob->stored_bytes;
    return SPN_OK;
}
#undef WIRE

spn_status spn__cache_parse_blobs(struct cache_parser *p)
{
    const struct cache_header *h = p->header;
    uint64_t offset = 0;
    uint64_t count = spn__cache_layout_blobs(
        h->index16_count, h->index32_count, p->tables->tiles, h->tile_count,
        p->tables->tables_blob, p->tables->blobs, h->blob_count);

    if (count != h->blob_count)
        return wire_refuse_wide(p->fault, "blob count", p->table_offset, count);
    for (uint32_t i = 0; i < h->blob_count; i++) {
        spn_status status = parse_blob(p, i, &offset);

        if (status != SPN_OK)
            return status;
    }
    if (offset != h->blobs_bytes)
        return wire_refuse_wide(p->fault, "size of the blobs", p->table_offset,
                                offset);
    return SPN_OK;
}
