/* tiny_tables.c - write the layout, blobs and tables of a tiny cache. */
/* SPDX-License-Identifier: MIT */
#include "support/tiny_tables.h"

#include "base/block_codec.h"
#include "base/checksum.h"
#include "base/endian.h"
#include "cache/cache_layout.h"
#include "cache/cache_wire.h"
#include "cache/cache_wire_tables.h"
#include "codec/classic/predict.h"
#include "codec/lift/root.h"
#include "harness.h"
#include "support/tiny_truth.h"

#include <stdlib.h>

static uint32_t animated_mask(const struct builder *b, uint32_t mesh)
{
    uint32_t mask =
        CHANNEL_BIT(CHANNEL_POSITION) | CHANNEL_BIT(CHANNEL_QTANGENT);

    if (mesh == b->o.mesh_count)
        return 0;
    return mask | (b->o.has_uvs ? CHANNEL_BIT(CHANNEL_UV) : 0) |
           (b->o.has_attributes ? CHANNEL_BIT(CHANNEL_VELOCITY) : 0);
}

static uint32_t static_mask(const struct builder *b, uint32_t mesh)
{
    uint32_t mask = (b->o.has_colors ? CHANNEL_BIT(CHANNEL_COLOR) : 0) |
                    (b->o.has_attributes ? CHANNEL_BIT(CHANNEL_SECOND_UV) : 0);

    if (mesh == b->o.mesh_count)
        mask |= CHANNEL_BIT(CHANNEL_POSITION) | CHANNEL_BIT(CHANNEL_QTANGENT);
    return mask;
}

uint32_t tiny_affine_count(const struct builder *b)
{
    return b->mesh_total > 1;
}

bool tiny_is_affine(const struct builder *b, uint32_t mesh)
{
    return mesh + tiny_affine_count(b) >= b->mesh_total;
}

/* Each part is one tile. */
void tiny_lay_out(struct builder *b)
{
    uint32_t per_mesh =
        (b->o.vertices + CACHE_TILE_VERTICES_MAX - 1) / CACHE_TILE_VERTICES_MAX;
    uint32_t tables_blob[CHANNEL_COUNT];
    uint64_t count;

    b->part_count = per_mesh * b->mesh_total;
    b->tiles = calloc(b->part_count, sizeof *b->tiles);
    b->parts = calloc(b->part_count, sizeof *b->parts);
    for (uint32_t i = 0; i < b->part_count; i++) {
        uint32_t mesh = i / per_mesh;
        uint32_t first = i % per_mesh * CACHE_TILE_VERTICES_MAX;
        uint32_t left = b->o.vertices - first;

        b->parts[i].mesh = mesh;
        b->parts[i].first_vertex = first;
        b->parts[i].vertex_count =
            left < CACHE_TILE_VERTICES_MAX ? left : CACHE_TILE_VERTICES_MAX;
        b->tiles[i].vertex_count = b->parts[i].vertex_count;
        b->tiles[i].static_mask = (uint8_t)static_mask(b, mesh);
        b->tiles[i].animated_mask = (uint8_t)animated_mask(b, mesh);
        b->tiles[i].predictor_blob = 0;
        b->tiles[i].reflection_blob = CACHE_NONE;
    }
    b->index_count = b->o.vertices / 3 * 3;
    count = spn__cache_layout_blocks(b->mesh_total, tiny_affine_count(b),
                                     b->tiles, b->part_count, NULL, 0);
    b->block_count = (uint32_t)count;
    b->blocks = calloc(b->block_count, sizeof *b->blocks);
    (void)spn__cache_layout_blocks(b->mesh_total, tiny_affine_count(b),
                                   b->tiles, b->part_count, b->blocks,
                                   b->block_count);
    count = spn__cache_layout_blobs(b->index_count * b->mesh_total, 0, b->tiles,
                                    b->part_count, tables_blob, NULL, 0);
    b->blob_count = (uint32_t)count;
    b->blobs = calloc(b->blob_count, sizeof *b->blobs);
    (void)spn__cache_layout_blobs(b->index_count * b->mesh_total, 0, b->tiles,
                                  b->part_count, tables_blob, b->blobs,
                                  b->blob_count);
}

static void make_entries(uint32_t count, struct predict_entry *out)
{
    for (uint32_t i = 0; i < count; i++)
        if (i < 3 || i % 4 == 0)
            out[i] = (struct predict_entry){PREDICT_NO_TRIANGLE, 0, 0};
        else
            out[i] = (struct predict_entry){1, 2, 3};
}

void tiny_predict_spatial(enum channel channel, uint32_t count, void *values)
{
    uint32_t n = channel_components(channel);
    uint16_t *x = values;

    for (uint32_t i = count; i-- > 1;)
        for (uint32_t k = 0; k < n; k++) {
            uint16_t *at = x + i * n + k;
            int32_t u = (int16_t)at[-(int32_t)n];

            if (i < 3 || i % 4 == 0)
                *at = (uint16_t)(*at - u);
            else if (channel == CHANNEL_QTANGENT)
                *at = (uint16_t)(*at - (u + (int16_t)at[-2 * (int32_t)n]) / 2);
            else
                *at = (uint16_t)(*at - u - at[-2 * (int32_t)n] +
                                 at[-3 * (int32_t)n]);
        }
}

void tiny_add_blobs(struct builder *b)
{
    static uint8_t raw[BLOCK_RAW_BYTES_MAX];
    static uint8_t packed[BLOCK_RAW_BYTES_MAX];

    for (uint32_t i = 0; i < b->blob_count; i++) {
        struct cache_blob *blob = &b->blobs[i];
        /* The part of the tile. */
        const struct cache_part *part =
            &b->parts[blob->tile < b->part_count ? blob->tile : 0];
        uint32_t stored;

        blob->coding = CODING_PLAIN;
        if (blob->kind == CACHE_BLOB_PREDICTOR) {
            make_entries(part->vertex_count, (void *)raw);
        } else if (blob->kind == CACHE_BLOB_CHANNEL) {
            tiny_values(&b->o, 0, part->mesh, (enum channel)blob->channel,
                        part->first_vertex, part->vertex_count, raw);
            if (blob->channel == CHANNEL_POSITION) {
                tiny_predict_spatial(CHANNEL_POSITION, part->vertex_count, raw);
                blob->coding = CODING_SPATIAL;
            }
        } else {
            for (uint32_t k = 0; k < blob->raw_bytes / 2; k++) {
                uint32_t at = blob->tile * CACHE_INDICES_PER_BLOB_16 + k;

                spn_store_u16le(raw + k * 2, (uint16_t)(at % b->index_count));
            }
        }
        if (blob->kind == CACHE_BLOB_PREDICTOR ||
            (blob->kind == CACHE_BLOB_CHANNEL &&
             blob->channel != CHANNEL_COLOR))
            spn_swap_u16le(raw, blob->raw_bytes / 2);
        stored = tiny_pack(&b->o, raw, blob->raw_bytes, packed);
        blob->is_raw = (stored & WIRE_RAW_BIT) != 0;
        blob->stored_bytes = stored & ~WIRE_RAW_BIT;
        blob->checksum = spn__checksum(packed, blob->stored_bytes, WIRE_SEED);
        tiny_grow(&b->blob_bytes, packed, blob->stored_bytes);
    }
}

static uint32_t add_name(struct builder *b, const char *name)
{
    uint32_t at = (uint32_t)b->names.size;

    tiny_grow(&b->names, name, strlen(name) + 1);
    return at;
}

static void store_affine(const float translation[3], struct wire_affine *wire)
{
    for (int k = 0; k < 12; k++)
        spn_store_f32le(wire->numbers[k], k % 4 == 3   ? translation[k / 4]
                                          : k % 5 == 0 ? 1
                                                       : 0);
}

static void store_transform(const float rotation[4], const float translation[3],
                            struct wire_quat_tns *wire)
{
    for (int k = 0; k < 4; k++)
        spn_store_f32le(wire->rotation[k], rotation[k]);
    for (int k = 0; k < 3; k++) {
        spn_store_f32le(wire->translation[k], translation[k]);
        spn_store_f32le(wire->scale[k], 1);
    }
}

void tiny_store_row(const struct builder *b, uint32_t frame, uint32_t mesh,
                    void *wire)
{
    static const float turn[4] = {0, 0, 0, 1};
    float translation[3];

    tiny_translation(&b->o, frame, mesh, translation);
    if (tiny_is_affine(b, mesh))
        store_affine(translation, wire);
    else
        store_transform(turn, translation, wire);
}

uint32_t tiny_attribute_count(const struct builder *b)
{
    uint32_t count = 0;

    for (uint32_t m = 0; m < b->mesh_total; m++)
        for (uint32_t c = CHANNEL_COUNT_BASIC; c < CHANNEL_COUNT; c++)
            count += ((static_mask(b, m) | animated_mask(b, m)) >> c) & 1;
    return count;
}

/* Velocities range from -4 to 4, UVs from 0 to 2. */
static void add_attributes(struct builder *b, uint32_t name)
{
    for (uint32_t m = 0; m < b->mesh_total; m++)
        for (uint32_t c = CHANNEL_COUNT_BASIC; c < CHANNEL_COUNT; c++) {
            struct wire_attribute *attribute;

            if (!((static_mask(b, m) | animated_mask(b, m)) & CHANNEL_BIT(c)))
                continue;
            attribute = tiny_grow(&b->out, NULL, sizeof *attribute);
            spn_store_u32le(attribute->name, name);
            for (uint32_t k = 0; k < channel_components((enum channel)c); k++) {
                attribute->bits[k] = 16;
                spn_store_f32le(attribute->min[k],
                                c == CHANNEL_VELOCITY ? -4 : 0);
                spn_store_f32le(attribute->size[k],
                                c == CHANNEL_VELOCITY ? 8 : 2);
            }
        }
}

void tiny_add_tables(struct builder *b)
{
    static const float turn[4] = {0, 0, 0, 1};
    static const float zero[3] = {0, 0, 0};
    uint32_t root = add_name(b, "root");
    uint32_t name = add_name(b, "root/mesh");
    uint32_t rest = add_name(b, "");
    struct wire_node *node;

    tiny_grow(&b->out, b->names.bytes, b->names.size);
    node = tiny_grow(&b->out, NULL, sizeof *node);
    spn_store_u32le(node->parent, CACHE_NONE);
    spn_store_u32le(node->mesh, CACHE_NONE);
    spn_store_u32le(node->name, root);
    node->is_visible[0] = 1;
    store_transform(turn, zero, (void *)node->initial);
    for (uint32_t m = 0; m < b->mesh_total; m++) {
        node = tiny_grow(&b->out, NULL, sizeof *node);
        spn_store_u32le(node->parent, 0);
        spn_store_u32le(node->mesh, m);
        spn_store_u32le(node->name, name);
        node->is_animated[0] = 1;
        node->is_visible[0] = 1;
        node->is_affine[0] = tiny_is_affine(b, m);
        tiny_store_row(b, 0, m, node->initial);
    }
    for (uint32_t m = 0; m < b->mesh_total; m++) {
        struct wire_mesh *mesh = tiny_grow(&b->out, NULL, sizeof *mesh);

        spn_store_u32le(mesh->name, name);
        spn_store_u32le(mesh->vertex_count, b->o.vertices);
        spn_store_u32le(mesh->index_count, b->index_count);
        spn_store_u32le(mesh->material_count, 1);
        mesh->index_bytes[0] = 2;
        mesh->static_mask[0] = (uint8_t)static_mask(b, m);
        mesh->animated_mask[0] = (uint8_t)animated_mask(b, m);
        for (int k = 0; k < 3; k++) {
            mesh->position_bits[k] = 16;
            spn_store_f32le(mesh->position_min[k], -1);
            spn_store_f32le(mesh->position_size[k], 2);
        }
        for (int k = 0; k < 2; k++)
            spn_store_f32le(mesh->uv_size[k], 1);
    }
    add_attributes(b, root);
    for (uint32_t m = 0; m < b->mesh_total; m++) {
        struct wire_material *material =
            tiny_grow(&b->out, NULL, sizeof *material);

        spn_store_u32le(material->name, rest);
        spn_store_u32le(material->index_count, b->index_count);
    }
    for (uint32_t i = 0; i < b->part_count; i++) {
        struct wire_part *part = tiny_grow(&b->out, NULL, sizeof *part);

        spn_store_u32le(part->mesh, b->parts[i].mesh);
        spn_store_u32le(part->vertex_count, b->parts[i].vertex_count);
    }
    for (uint32_t i = 0; i < b->part_count; i++) {
        struct wire_tile *tile = tiny_grow(&b->out, NULL, sizeof *tile);

        spn_store_u16le(tile->part_count, 1);
        tile->prediction[0] = WIRE_PREDICTION_ENTRIES;
    }
    for (uint32_t i = 0; i < b->blob_count; i++) {
        struct wire_blob *blob = tiny_grow(&b->out, NULL, sizeof *blob);

        spn_store_u32le(blob->stored,
                        b->blobs[i].stored_bytes |
                            (b->blobs[i].is_raw ? WIRE_RAW_BIT : 0));
        spn_store_u32le(blob->checksum, b->blobs[i].checksum);
        blob->coding[0] = b->blobs[i].coding;
    }
}
