/* tiny_cache.c - small caches made byte by byte. */
/* SPDX-License-Identifier: MIT */
#include "support/tiny_cache.h"

#include "base/checksum.h"
#include "base/endian.h"
#include "geom/cache_wire.h"
#include "geom/predict.h"
#include "geom/root.h"
#include "harness.h"

#include <lz4hc.h>
#include <stdlib.h>

/* ---- the truth --------------------------------------------------------------
 */

static uint32_t mix(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    uint32_t x = a * 0x9e3779b1u ^ b * 0x85ebca77u ^ c * 0xc2b2ae3du ^ d;

    x ^= x >> 15;
    x *= 0x2c1b3c6du;
    x ^= x >> 12;
    return x;
}

static uint32_t value_of(const struct tiny_options *o, uint32_t frame,
                         uint32_t mesh, enum channel channel, uint32_t v,
                         uint32_t k)
{
    uint32_t noise = mix(v * 8 + k, frame, mesh * 8 + channel, o->seed);

    if (o->is_noisy && channel != CHANNEL_QTANGENT)
        return noise;
    switch (channel) {
    case CHANNEL_POSITION:
        return v * 13 + frame * (17 + k) + mesh * 999 + k * 5000 + (noise & 3);
    case CHANNEL_QTANGENT:
        return k == 3 ? 400 : (v + frame * 3 + k * 20) % 200 + (noise & 1);
    case CHANNEL_UV:
        return v * 7 + frame * 11 + k;
    default:
        return v + k * 50 + mesh;
    }
}

void tiny_values(const struct tiny_options *o, uint32_t frame, uint32_t mesh,
                 enum channel channel, uint32_t first, uint32_t count,
                 void *out)
{
    uint32_t components = channel_components(channel);
    uint16_t *out16 = out;
    uint8_t *out8 = out;

    if (mesh == o->mesh_count)
        frame = 0;
    for (uint32_t v = 0; v < count; v++)
        for (uint32_t k = 0; k < components; k++) {
            uint32_t value = value_of(o, frame, mesh, channel, first + v, k);

            if (channel == CHANNEL_COLOR)
                *out8++ = (uint8_t)value;
            else
                *out16++ = (uint16_t)value;
        }
}

/* Group 0 is frame 0 alone; then each ends with its index frame. */
uint32_t tiny_group_of(const struct tiny_options *o, uint32_t frame)
{
    return frame == 0 ? 0 : (frame - 1) / o->distance + 1;
}

bool tiny_is_hidden(const struct tiny_options *o, uint32_t frame, uint32_t mesh)
{
    uint32_t group = tiny_group_of(o, frame);

    return mesh == 0 && group >= o->hidden_first && group < o->hidden_limit;
}

void tiny_translation(const struct tiny_options *o, uint32_t frame,
                      uint32_t mesh, float out[3])
{
    (void)o;
    out[0] = (float)frame * 0.25f;
    out[1] = (float)mesh;
    out[2] = 0;
}

/* ---- growing bytes
 * ------------------------------------------------------------ */

struct grow {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
};

static void *grow(struct grow *g, const void *data, size_t bytes)
{
    while (g->size + bytes > g->capacity) {
        g->capacity = g->capacity ? g->capacity * 2 : 65536;
        g->bytes = realloc(g->bytes, g->capacity);
        if (!g->bytes)
            abort();
    }
    if (data)
        memcpy(g->bytes + g->size, data, bytes);
    else
        memset(g->bytes + g->size, 0, bytes);
    g->size += bytes;
    return g->bytes + g->size - bytes;
}

/* Compress a block; returns the stored size with the raw bit. */
static uint32_t pack(const struct tiny_options *o, const void *raw,
                     uint32_t raw_bytes, uint8_t *out)
{
    int packed = 0;

    if (!o->is_stored)
        packed = LZ4_compress_HC(raw, (char *)out, (int)raw_bytes,
                                 (int)raw_bytes - 1, 9);
    if (packed > 0)
        return (uint32_t)packed;
    memcpy(out, raw, raw_bytes);
    return raw_bytes | WIRE_RAW_BIT;
}

/* ---- tables
 * --------------------------------------------------------------------- */

struct builder {
    struct tiny_cache *tiny;
    struct tiny_options o;
    struct grow out;
    uint32_t mesh_total; /* with the static one */
    uint32_t part_count;
    struct cache_tile *tiles;
    struct cache_part *parts;
    struct cache_block *blocks;
    uint32_t block_count;
    struct cache_blob *blobs;
    uint32_t blob_count;
    uint32_t index_count; /* of each mesh */
    struct grow names;
    struct grow blob_bytes;
};

static uint32_t animated_mask(const struct builder *b, uint32_t mesh)
{
    uint32_t mask =
        CHANNEL_BIT(CHANNEL_POSITION) | CHANNEL_BIT(CHANNEL_QTANGENT);

    if (mesh == b->o.mesh_count)
        return 0;
    return mask | (b->o.has_uvs ? CHANNEL_BIT(CHANNEL_UV) : 0);
}

static uint32_t static_mask(const struct builder *b, uint32_t mesh)
{
    uint32_t mask = b->o.has_colors ? CHANNEL_BIT(CHANNEL_COLOR) : 0;

    if (mesh == b->o.mesh_count)
        mask |= CHANNEL_BIT(CHANNEL_POSITION) | CHANNEL_BIT(CHANNEL_QTANGENT);
    return mask;
}

/* Of several meshes, the node of the last is a matrix. */
static uint32_t affine_count(const struct builder *b)
{
    return b->mesh_total > 1;
}

static bool is_affine(const struct builder *b, uint32_t mesh)
{
    return mesh + affine_count(b) >= b->mesh_total;
}

/* One tile a part. */
static void lay_out(struct builder *b)
{
    uint32_t per_mesh =
        (b->o.vertices + CACHE_TILE_VERTICES_MAX - 1) / CACHE_TILE_VERTICES_MAX;
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
    count = spn__cache_layout_blocks(b->mesh_total, affine_count(b), b->tiles,
                                     b->part_count, NULL, 0);
    b->block_count = (uint32_t)count;
    b->blocks = calloc(count, sizeof *b->blocks);
    (void)spn__cache_layout_blocks(b->mesh_total, affine_count(b), b->tiles,
                                   b->part_count, b->blocks, b->block_count);
    count = spn__cache_layout_blobs(b->index_count * b->mesh_total, 0, b->tiles,
                                    b->part_count, NULL, 0);
    b->blob_count = (uint32_t)count;
    b->blobs = calloc(count, sizeof *b->blobs);
    (void)spn__cache_layout_blobs(b->index_count * b->mesh_total, 0, b->tiles,
                                  b->part_count, b->blobs, b->blob_count);
}

static void make_entries(uint32_t count, struct predict_entry *out)
{
    for (uint32_t i = 0; i < count; i++)
        if (i < 3 || i % 4 == 0)
            out[i] = (struct predict_entry){PREDICT_NO_TRIANGLE, 0, 0};
        else
            out[i] = (struct predict_entry){1, 2, 3};
}

/* Residuals of the spatial prediction, from the last vertex to the first. */
static void predict_spatial(enum channel channel, uint32_t count, void *values)
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

static void add_blobs(struct builder *b)
{
    static uint8_t raw[BLOCK_RAW_BYTES_MAX];
    static uint8_t packed[BLOCK_RAW_BYTES_MAX];

    for (uint32_t i = 0; i < b->blob_count; i++) {
        struct cache_blob *blob = &b->blobs[i];
        const struct cache_part *part =
            blob->tile < b->part_count ? &b->parts[blob->tile] : NULL;
        uint32_t stored;

        blob->coding = CODING_PLAIN;
        if (blob->kind == CACHE_BLOB_PREDICTOR) {
            make_entries(part->vertex_count, (void *)raw);
        } else if (blob->kind == CACHE_BLOB_CHANNEL) {
            tiny_values(&b->o, 0, part->mesh, (enum channel)blob->channel,
                        part->first_vertex, part->vertex_count, raw);
            if (blob->channel == CHANNEL_POSITION) {
                predict_spatial(CHANNEL_POSITION, part->vertex_count, raw);
                blob->coding = CODING_SPATIAL;
            }
        } else {
            for (uint32_t k = 0; k < blob->raw_bytes / 2; k++) {
                uint32_t at = blob->tile * CACHE_INDICES_PER_BLOB_16 + k;

                spn_store_u16le(raw + k * 2, (uint16_t)(at % b->index_count));
            }
        }
        stored = pack(&b->o, raw, blob->raw_bytes, packed);
        blob->is_raw = (stored & WIRE_RAW_BIT) != 0;
        blob->stored_bytes = stored & ~WIRE_RAW_BIT;
        blob->checksum = spn__checksum(packed, blob->stored_bytes, WIRE_SEED);
        grow(&b->blob_bytes, packed, blob->stored_bytes);
    }
}

static uint32_t add_name(struct builder *b, const char *name)
{
    uint32_t at = (uint32_t)b->names.size;

    grow(&b->names, name, strlen(name) + 1);
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

static void store_row(const struct builder *b, uint32_t frame, uint32_t mesh,
                      void *wire)
{
    static const float turn[4] = {0, 0, 0, 1};
    float translation[3];

    tiny_translation(&b->o, frame, mesh, translation);
    if (is_affine(b, mesh))
        store_affine(translation, wire);
    else
        store_transform(turn, translation, wire);
}

/* A node for each mesh, all animated, under a constant root. */
static void add_tables(struct builder *b)
{
    static const float turn[4] = {0, 0, 0, 1};
    static const float zero[3] = {0, 0, 0};
    uint32_t root = add_name(b, "root");
    uint32_t name = add_name(b, "root/mesh");
    uint32_t rest = add_name(b, "");
    struct wire_node *node;

    grow(&b->out, b->names.bytes, b->names.size);
    node = grow(&b->out, NULL, sizeof *node);
    spn_store_u32le(node->parent, CACHE_NONE);
    spn_store_u32le(node->mesh, CACHE_NONE);
    spn_store_u32le(node->name, root);
    node->is_visible[0] = 1;
    store_transform(turn, zero, (void *)node->initial);
    for (uint32_t m = 0; m < b->mesh_total; m++) {
        node = grow(&b->out, NULL, sizeof *node);
        spn_store_u32le(node->parent, 0);
        spn_store_u32le(node->mesh, m);
        spn_store_u32le(node->name, name);
        node->is_animated[0] = 1;
        node->is_visible[0] = 1;
        node->is_affine[0] = is_affine(b, m);
        store_row(b, 0, m, node->initial);
    }
    for (uint32_t m = 0; m < b->mesh_total; m++) {
        struct wire_mesh *mesh = grow(&b->out, NULL, sizeof *mesh);

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
    for (uint32_t m = 0; m < b->mesh_total; m++) {
        struct wire_material *material = grow(&b->out, NULL, sizeof *material);

        spn_store_u32le(material->name, rest);
        spn_store_u32le(material->index_count, b->index_count);
    }
    for (uint32_t i = 0; i < b->part_count; i++) {
        struct wire_part *part = grow(&b->out, NULL, sizeof *part);

        spn_store_u32le(part->mesh, b->parts[i].mesh);
        spn_store_u32le(part->vertex_count, b->parts[i].vertex_count);
    }
    for (uint32_t i = 0; i < b->part_count; i++) {
        struct wire_tile *tile = grow(&b->out, NULL, sizeof *tile);

        spn_store_u32le(tile->part_count, 1);
        tile->has_predictor[0] = 1;
    }
    for (uint32_t i = 0; i < b->blob_count; i++) {
        struct wire_blob *blob = grow(&b->out, NULL, sizeof *blob);

        spn_store_u32le(blob->stored,
                        b->blobs[i].stored_bytes |
                            (b->blobs[i].is_raw ? WIRE_RAW_BIT : 0));
        spn_store_u32le(blob->checksum, b->blobs[i].checksum);
        blob->coding[0] = b->blobs[i].coding;
    }
}

/* ---- frames
 * ---------------------------------------------------------------------- */

struct links {
    bool is_index;
    uint32_t target[4];
    uint8_t wait_mask;
};

static struct links links_of(const struct tiny_options *o, uint32_t frame)
{
    uint32_t group = tiny_group_of(o, frame);
    uint32_t lead = group == 0 ? 0 : (group - 1) * o->distance;
    uint32_t ceil = lead + o->distance;
    struct links l = {0};

    if (ceil > o->frame_count - 1)
        ceil = o->frame_count - 1;
    l.is_index = group == 0 || frame == ceil;
    if (l.is_index)
        return l;
    l.target[0] = lead;
    l.target[1] = ceil;
    l.target[2] = frame - 1;
    l.target[3] = frame - 1 > lead ? frame - 2 : lead;
    l.wait_mask = frame - 1 == lead ? 3 : 4;
    return l;
}

/* Truth minus what the temporal prediction says: with no residuals it gives
 * just that. */
static void predict_temporal(const struct builder *b, uint32_t frame,
                             const struct links *l,
                             const struct cache_part *part,
                             enum channel channel, uint8_t *values)
{
    static uint8_t reference[4][BLOCK_RAW_BYTES_MAX];
    static uint8_t predicted[BLOCK_RAW_BYTES_MAX];
    uint32_t bytes = part->vertex_count * channel_vertex_bytes(channel);
    struct predict_ops ops;
    struct predict_stream s = {.channel = channel,
                               .coding = CODING_TEMPORAL,
                               .a = 100,
                               .b = (uint8_t)(frame * 25),
                               .c = 90,
                               .count = part->vertex_count,
                               .floor_index = reference[0],
                               .ceil_index = reference[1],
                               .previous = reference[2],
                               .previous_two = reference[3]};

    for (int r = 0; r < 4; r++)
        tiny_values(&b->o, l->target[r], part->mesh, channel,
                    part->first_vertex, part->vertex_count, reference[r]);
    memset(predicted, 0, bytes);
    spn__predict_ops_init(&ops, 0);
    if (spn__predict_decode(&ops, &s, predicted) != SPN_OK)
        abort();
    for (uint32_t i = 0; i < bytes / 2; i++) {
        uint16_t value;
        uint16_t guess;

        memcpy(&value, values + i * 2, 2);
        memcpy(&guess, predicted + i * 2, 2);
        value = (uint16_t)(value - guess);
        memcpy(values + i * 2, &value, 2);
    }
    (void)frame;
}

/* A hidden frame has no values to refer to. */
static bool has_references(const struct builder *b, const struct links *l,
                           uint32_t mesh)
{
    for (int r = 0; r < 4; r++)
        if (l->is_index || tiny_is_hidden(&b->o, l->target[r], mesh))
            return false;
    return true;
}

static void add_channel(const struct builder *b, uint32_t frame,
                        const struct links *l, const struct cache_block *block,
                        uint8_t *raw, struct wire_directory_entry *entry)
{
    const struct cache_part *part = &b->parts[block->tile];
    enum channel channel = (enum channel)block->channel;

    tiny_values(&b->o, frame, part->mesh, channel, part->first_vertex,
                part->vertex_count, raw);
    if (has_references(b, l, part->mesh)) {
        predict_temporal(b, frame, l, part, channel, raw);
        entry->coding[0] = CODING_TEMPORAL;
        entry->a[0] = 100;
        entry->b[0] = (uint8_t)(frame * 25);
        entry->c[0] = 90;
    } else if (channel != CHANNEL_UV) {
        predict_spatial(channel, part->vertex_count, raw);
        entry->coding[0] = CODING_SPATIAL;
    }
    spn_swap_u16le(raw, block->raw_bytes / 2);
}

static void add_nodes(const struct builder *b, uint32_t frame,
                      const struct cache_block *block, uint8_t *raw)
{
    uint32_t bytes = block->is_affine ? 48 : 40;

    for (uint32_t i = 0; i < block->count; i++) {
        uint32_t mesh = block->first + i;

        store_row(b, frame, mesh, raw + i * bytes);
        raw[block->count * bytes + i] = !tiny_is_hidden(&b->o, frame, mesh);
    }
}

static void add_frame(struct builder *b, uint32_t frame)
{
    static uint8_t raw[BLOCK_RAW_BYTES_MAX];
    static uint8_t packed[BLOCK_RAW_BYTES_MAX];
    size_t start = b->out.size;
    uint32_t directory_bytes = CACHE_DIRECTORY_HEAD_BYTES +
                               b->block_count * CACHE_DIRECTORY_ENTRY_BYTES;
    struct links l = links_of(&b->o, frame);

    grow(&b->out, NULL, directory_bytes);
    spn_store_u32le(b->out.bytes + start + 4, frame);
    for (uint32_t i = 0; i < b->block_count; i++) {
        const struct cache_block *block = &b->blocks[i];
        struct wire_directory_entry entry = {0};
        uint32_t stored;

        if (block->kind == CACHE_BLOCK_CHANNEL &&
            tiny_is_hidden(&b->o, frame, b->parts[block->tile].mesh))
            continue;
        if (block->kind == CACHE_BLOCK_NODES)
            add_nodes(b, frame, block, raw);
        else
            add_channel(b, frame, &l, block, raw, &entry);
        stored = pack(&b->o, raw, block->raw_bytes, packed);
        spn_store_u32le(entry.stored, stored);
        spn_store_u32le(
            entry.checksum,
            spn__checksum(packed, stored & ~WIRE_RAW_BIT, WIRE_SEED));
        grow(&b->out, packed, stored & ~WIRE_RAW_BIT);
        memcpy(b->out.bytes + start + CACHE_DIRECTORY_HEAD_BYTES +
                   i * sizeof entry,
               &entry, sizeof entry);
    }
    spn_store_u32le(b->out.bytes + start,
                    spn__checksum(b->out.bytes + start + 4, directory_bytes - 4,
                                  WIRE_SEED));
    b->tiny->frame_offset[frame] = start;
    b->tiny->frame_bytes[frame] = (uint32_t)(b->out.size - start);
    b->tiny->frame_group[frame] = tiny_group_of(&b->o, frame);
}

static void add_frame_entry(struct builder *b, uint32_t stored, uint32_t frame)
{
    struct wire_frame *wire =
        (void *)(b->out.bytes + b->tiny->frame_table_offset +
                 stored * sizeof(struct wire_frame));
    struct links l = links_of(&b->o, frame);
    int64_t time_us = (int64_t)frame * b->o.frame_us;

    spn_store_u64le(wire->offset, b->tiny->frame_offset[frame]);
    spn_store_f64le(wire->seconds, (double)time_us * 1e-6);
    spn_store_u64le(wire->time_us, (uint64_t)time_us);
    spn_store_u32le(wire->bytes, b->tiny->frame_bytes[frame]);
    spn_store_u32le(wire->number, frame);
    spn_store_u32le(wire->group, b->tiny->frame_group[frame]);
    wire->type[0] = l.is_index ? CACHE_FRAME_INDEX : CACHE_FRAME_B;
    wire->reference_count[0] = l.is_index ? 0 : 4;
    wire->wait_mask[0] = l.wait_mask;
    for (int r = 0; r < 4 && !l.is_index; r++)
        spn_store_u16le(wire->reference[r], (uint16_t)(l.target[r] - frame));
    for (int k = 0; k < 3; k++) {
        spn_store_f32le(wire->box_min[k], (float)frame);
        spn_store_f32le(wire->box_max[k], (float)frame + 2);
    }
}

/* ---- the whole
 * --------------------------------------------------------------------- */

static void add_header(struct builder *b, uint32_t largest_frame,
                       uint32_t largest_group)
{
    struct tiny_cache *t = b->tiny;
    struct wire_header *w = (void *)b->out.bytes;
    uint64_t frame_table_bytes = b->o.frame_count * sizeof(struct wire_frame);

    memcpy(w->signature, CACHE_SIGNATURE, 8);
    spn_store_u32le(w->version, CACHE_VERSION);
    spn_store_u32le(w->codec,
                    b->o.is_stored ? BLOCK_CODEC_STORE : BLOCK_CODEC_LZ4);
    spn_store_u32le(w->frame_count, b->o.frame_count);
    spn_store_u32le(w->group_count, t->group_count);
    spn_store_u32le(w->index_distance, b->o.distance);
    spn_store_u32le(w->node_count, b->mesh_total + 1);
    spn_store_u32le(w->animated_node_count, b->mesh_total);
    spn_store_u32le(w->animated_affine_count, affine_count(b));
    spn_store_u32le(w->mesh_count, b->mesh_total);
    spn_store_u32le(w->material_count, b->mesh_total);
    spn_store_u32le(w->part_count, b->part_count);
    spn_store_u32le(w->tile_count, b->part_count);
    spn_store_u32le(w->block_count, b->block_count);
    spn_store_u32le(w->blob_count, b->blob_count);
    spn_store_u32le(w->name_bytes, (uint32_t)b->names.size);
    spn_store_u32le(w->index16_count, b->index_count * b->mesh_total);
    spn_store_u32le(w->largest_frame_bytes, largest_frame);
    spn_store_u32le(w->largest_group_bytes, largest_group);
    spn_store_u32le(w->tables_bytes,
                    (uint32_t)(t->blobs_offset - t->tables_offset));
    spn_store_u64le(w->file_bytes, b->out.size);
    spn_store_u64le(w->frame_table_offset, t->frame_table_offset);
    spn_store_u64le(w->tables_offset, t->tables_offset);
    spn_store_u64le(w->blobs_offset, t->blobs_offset);
    spn_store_u64le(w->blobs_bytes, t->frames_offset - t->blobs_offset);
    spn_store_u64le(w->frames_offset, t->frames_offset);
    spn_store_u64le(w->duration_us,
                    (uint64_t)(b->o.frame_count - 1) * b->o.frame_us);
    spn_store_f64le(w->unit_metres, 1);
    for (int k = 0; k < 3; k++)
        spn_store_f32le(w->box_max[k], (float)b->o.frame_count + 2);
    (void)frame_table_bytes;
}

void tiny_mend(struct tiny_cache *t)
{
    struct wire_header *w = (void *)t->bytes;

    spn_store_u32le(w->frame_table_checksum,
                    spn__checksum(t->bytes + t->frame_table_offset,
                                  t->tables_offset - t->frame_table_offset,
                                  WIRE_SEED));
    spn_store_u32le(w->tables_checksum,
                    spn__checksum(t->bytes + t->tables_offset,
                                  t->blobs_offset - t->tables_offset,
                                  WIRE_SEED));
    spn_store_u32le(
        w->checksum,
        spn__checksum(w, offsetof(struct wire_header, checksum), WIRE_SEED));
}

static struct tiny_options resolve(const struct tiny_options *options)
{
    struct tiny_options o = {0};

    if (options)
        o = *options;
    o.frame_count = o.frame_count ? o.frame_count : 31;
    o.distance = o.distance ? o.distance : 10;
    o.mesh_count = o.mesh_count ? o.mesh_count : 1;
    o.vertices = o.vertices ? o.vertices : 300;
    o.frame_us = o.frame_us ? o.frame_us : 33333;
    return o;
}

/* Frames in stored order: each group's B frames, then its index frame; that
 * is the order of their numbers. */
static void add_frames(struct builder *b, uint32_t *largest_frame,
                       uint32_t *largest_group)
{
    uint32_t group = 0;
    uint32_t group_bytes = 0;

    for (uint32_t f = 0; f < b->o.frame_count; f++) {
        uint32_t bytes;

        add_frame(b, f);
        bytes = b->tiny->frame_bytes[f];
        if (b->tiny->frame_group[f] != group) {
            group = b->tiny->frame_group[f];
            group_bytes = 0;
        }
        group_bytes += bytes;
        if (bytes > *largest_frame)
            *largest_frame = bytes;
        if (group_bytes > *largest_group)
            *largest_group = group_bytes;
    }
}

struct tiny_cache *tiny_build(const struct tiny_options *options)
{
    struct tiny_cache *t = calloc(1, sizeof *t);
    struct builder b = {.tiny = t, .o = resolve(options)};
    uint32_t largest_frame = 0;
    uint32_t largest_group = 0;

    t->options = b.o;
    b.mesh_total = b.o.mesh_count + b.o.has_static_mesh;
    t->frame_offset = calloc(b.o.frame_count, sizeof *t->frame_offset);
    t->frame_bytes = calloc(b.o.frame_count, sizeof *t->frame_bytes);
    t->frame_group = calloc(b.o.frame_count, sizeof *t->frame_group);
    lay_out(&b);
    add_blobs(&b);
    grow(&b.out, NULL, CACHE_HEADER_BYTES);
    t->frame_table_offset = b.out.size;
    grow(&b.out, NULL, b.o.frame_count * sizeof(struct wire_frame));
    t->tables_offset = b.out.size;
    add_tables(&b);
    t->blobs_offset = b.out.size;
    grow(&b.out, b.blob_bytes.bytes, b.blob_bytes.size);
    t->frames_offset = b.out.size;
    add_frames(&b, &largest_frame, &largest_group);
    for (uint32_t f = 0; f < b.o.frame_count; f++)
        add_frame_entry(&b, f, f);
    t->group_count = tiny_group_of(&b.o, b.o.frame_count - 1) + 1;
    t->tile_count = b.part_count;
    add_header(&b, largest_frame, largest_group);
    t->bytes = b.out.bytes;
    t->size = b.out.size;
    tiny_mend(t);
    free(b.names.bytes);
    free(b.blob_bytes.bytes);
    free(b.tiles);
    free(b.parts);
    free(b.blocks);
    free(b.blobs);
    return t;
}

void tiny_free(struct tiny_cache *t)
{
    free(t->bytes);
    free(t->frame_offset);
    free(t->frame_bytes);
    free(t->frame_group);
    free(t);
}
