/* cache_reader_static.c - the blobs of a cache: predictors, reflections,
 * channels that never change, indices.
 *
 * Parts of tiles become meshes again. What could lead out of an array is
 * judged by the door before it is used.
 */
/* SPDX-License-Identifier: MIT */
#include "cachefile/cache_reader_private.h"

#include <string.h>

/* The most that a codec makes of one byte: LZ4 has lengths of 255 a byte,
 * deflate runs of 258 by two bits, and zstd makes a whole block of a few. */
static const uint32_t ratio_max[] = {
    [BLOCK_CODEC_STORE] = 1,
    [BLOCK_CODEC_LZ4] = 256,
    [BLOCK_CODEC_DEFLATE] = 1032,
    [BLOCK_CODEC_ZSTD] = BLOCK_RAW_BYTES_MAX,
};

/* A payload has at least two bytes for 256 vertices of up to eight bytes. */
#define PAYLOAD_RATIO_MAX 1024u

void *cache_reader_unpack(struct cache_reader *r, uint64_t offset,
                          uint32_t stored_bytes, uint32_t checksum, bool is_raw,
                          uint32_t component_bytes, uint32_t raw_bytes,
                          struct arena *arena, uint32_t frame)
{
    struct spn_fault fault;
    spn_status status = SPN_ERR_CODEC;
    void *values = NULL;

    if (raw_bytes / ratio_max[r->codec->id] <= stored_bytes) {
        values = arena_alloc(arena, raw_bytes, 1);
        status = spn__cache_file_unpack(
            r->codec, r->map.data + offset, stored_bytes, checksum, is_raw,
            component_bytes, values, raw_bytes, r->codec_workspace);
    }
    if (status == SPN_OK)
        return values;
    spn__cache_file_unpack_fault(status, r->map.data + offset, stored_bytes,
                                 checksum, 0, &fault);
    cache_reader_refuse(r, offset, frame, &fault);
    return NULL;
}

void *cache_reader_unpack_channel(struct cache_reader *r, uint64_t offset,
                                  const struct cache_block_entry *entry,
                                  enum channel channel, uint32_t count,
                                  struct arena *arena, uint32_t frame)
{
    uint32_t raw_bytes = count * channel_vertex_bytes(channel);
    uint32_t ratio = entry->coding == CODING_LIFTED ? PAYLOAD_RATIO_MAX
                                                    : ratio_max[r->codec->id];
    struct spn_fault fault;
    spn_status status = SPN_ERR_CODEC;
    void *residuals = NULL;

    if (raw_bytes / ratio <= entry->stored_bytes) {
        residuals = arena_alloc(arena, raw_bytes, 1);
        status = spn__cache_file_unpack_channel(
            &r->predict, r->codec, entry, r->map.data + offset, channel, count,
            residuals, r->codec_workspace, r->channel_scratch);
    }
    if (status == SPN_OK)
        return residuals;
    spn__cache_file_unpack_fault(status, r->map.data + offset,
                                 entry->stored_bytes, entry->checksum, 0,
                                 &fault);
    cache_reader_refuse(r, offset, frame, &fault);
    return NULL;
}

void cache_reader_scatter(const struct cache_reader *r, uint32_t tile,
                          enum channel channel, const uint8_t *values,
                          uint8_t *(*target)(void *user, uint32_t mesh),
                          void *user)
{
    const struct cache_tile *t = &r->tables.tiles[tile];
    size_t vertex_bytes = channel_vertex_bytes(channel);

    const uint16_t *order =
        spn__cache_lift_order(&r->tables, tile, r->lift_data);

    for (uint32_t k = 0; k < t->part_count; k++) {
        const struct cache_part *part = &r->tables.parts[t->first_part + k];
        uint8_t *out = target(user, part->mesh);

        if (out && order)
            for (uint32_t i = 0; i < part->vertex_count; i++)
                memcpy(out + (part->first_vertex + order[i]) * vertex_bytes,
                       values + i * vertex_bytes, vertex_bytes);
        else if (out)
            memcpy(out + part->first_vertex * vertex_bytes,
                   values + part->tile_vertex * vertex_bytes,
                   part->vertex_count * vertex_bytes);
    }
}

/* A place within what was unpacked is none in the file: say the blob's. */
static bool refuse_content(const struct cache_reader *r, uint64_t offset,
                           const struct spn_fault *fault)
{
    struct spn_fault content = *fault;

    content.offset = 0;
    return cache_reader_refuse(r, offset, FAULT_NO_FRAME, &content);
}

struct static_target {
    struct cache_reader *reader;
    enum channel channel;
};

/* Made when the first of its blobs is there. */
static uint8_t *static_target(void *user, uint32_t mesh)
{
    const struct static_target *t = user;
    struct cache_reader *r = t->reader;
    uint8_t **channel = &r->meshes[mesh].channel[t->channel];

    if (!*channel)
        *channel = arena_alloc(&r->arena, r->tables.meshes[mesh].vertex_count,
                               channel_vertex_bytes(t->channel));
    return *channel;
}

static bool load_channel(struct cache_reader *r, const struct cache_blob *blob,
                         struct arena *scratch, uint64_t offset)
{
    const struct cache_block_entry entry = cache_blob_entry(blob);
    struct static_target target = {r, (enum channel)blob->channel};
    struct predict_stream stream = {
        .channel = target.channel,
        .coding = (enum coding)blob->coding,
        .count = r->tables.tiles[blob->tile].vertex_count,
        .entries = r->entries[blob->tile],
    };
    void *values =
        cache_reader_unpack_channel(r, offset, &entry, target.channel,
                                    stream.count, scratch, FAULT_NO_FRAME);
    spn_status status = SPN_ERR_FORMAT;
    struct spn_fault fault = {.what = CACHE_FAULT_CODING};

    if (!values)
        return false;
    if (stream.coding == CODING_LIFTED)
        status = cache_reader_decode_lifted(r, blob->tile, target.channel,
                                            blob->stored_bytes, NULL, 0, NULL,
                                            NULL, values, &fault);
    else if (stream.coding != CODING_SPATIAL || stream.entries)
        status = spn__predict_decode(&r->predict, &stream, values);
    if (status != SPN_OK) {
        spn__cache_file_coding_fault(status, fault.what, blob->coding, 0,
                                     &fault);
        return cache_reader_refuse(r, offset, FAULT_NO_FRAME, &fault);
    }
    cache_reader_scatter(r, blob->tile, target.channel, values, static_target,
                         &target);
    return true;
}

static void load_reflection(struct cache_reader *r, uint32_t tile,
                            const uint8_t *bits)
{
    const struct cache_tile *t = &r->tables.tiles[tile];
    const uint16_t *order =
        spn__cache_lift_order(&r->tables, tile, r->lift_data);

    for (uint32_t k = 0; k < t->part_count; k++) {
        const struct cache_part *part = &r->tables.parts[t->first_part + k];
        const struct cache_mesh *mesh = &r->tables.meshes[part->mesh];
        uint8_t **out = &r->meshes[part->mesh].reflection;

        if (mesh->reflection != CACHE_REFLECTION_MIXED)
            continue;
        if (!*out)
            *out = ARENA_NEW(&r->arena, uint8_t, mesh->vertex_count / 8 + 1);
        for (uint32_t i = 0; i < part->vertex_count; i++) {
            uint32_t from = part->tile_vertex + i;
            uint32_t to = part->first_vertex + (order ? order[i] : i);

            if (bits[from / 8] >> (from % 8) & 1)
                (*out)[to / 8] |= (uint8_t)(1u << (to % 8));
        }
    }
}

/* A run of indices to the meshes that they belong to. */
static bool load_indices(struct cache_reader *r, const struct cache_blob *blob,
                         const void *values, uint64_t offset)
{
    bool is_wide = blob->kind == CACHE_BLOB_INDEX32;
    uint32_t width = is_wide ? 4 : 2;
    uint32_t first = blob->tile * (is_wide ? CACHE_INDICES_PER_BLOB_32
                                           : CACHE_INDICES_PER_BLOB_16);
    uint32_t count = blob->raw_bytes / width;
    struct spn_fault fault = {0};
    spn_status status = spn__cache_file_indices(&r->header, &r->tables, width,
                                                first, count, values, &fault);

    if (status != SPN_OK)
        return refuse_content(r, offset, &fault);
    for (uint32_t m = 0; m < r->header.mesh_count; m++) {
        const struct cache_mesh *mesh = &r->tables.meshes[m];
        uint32_t from = mesh->first_index;
        uint32_t limit = from + mesh->index_count;

        if (mesh->index_bytes != width || limit <= first ||
            from >= first + count)
            continue;
        if (!r->meshes[m].indices)
            r->meshes[m].indices =
                ARENA_NEW(&r->arena, uint32_t, mesh->index_count);
        if (from < first)
            from = first;
        if (limit > first + count)
            limit = first + count;
        for (uint32_t i = from; i < limit; i++)
            r->meshes[m].indices[i - mesh->first_index] =
                is_wide ? ((const uint32_t *)values)[i - first]
                        : ((const uint16_t *)values)[i - first];
    }
    return true;
}

static bool load_blob(struct cache_reader *r, const struct cache_blob *blob,
                      struct arena *scratch)
{
    uint64_t offset = r->header.blobs_offset + blob->offset;
    bool is_predictor = blob->kind == CACHE_BLOB_PREDICTOR;
    uint32_t component_bytes = 2;
    struct spn_fault fault = {0};
    spn_status status;
    void *values;

    if (blob->kind == CACHE_BLOB_CHANNEL)
        return load_channel(r, blob, scratch, offset);
    if (blob->kind == CACHE_BLOB_REFLECTION || cache_blob_is_lift(blob))
        component_bytes = 1;
    else if (blob->kind == CACHE_BLOB_INDEX32)
        component_bytes = 4;
    if (blob->kind == CACHE_BLOB_RINGS)
        return true;
    values = cache_reader_unpack(
        r, offset, blob->stored_bytes, blob->checksum,
        blob->is_raw || cache_blob_is_own(blob), component_bytes,
        cache_blob_is_own(blob) ? blob->stored_bytes : blob->raw_bytes,
        is_predictor ? &r->arena : scratch, FAULT_NO_FRAME);
    if (!values)
        return false;
    switch ((enum cache_blob_kind)blob->kind) {
    case CACHE_BLOB_CHANNEL:
        break;
    case CACHE_BLOB_PREDICTOR:
        status =
            spn__cache_file_predictor(&r->tables, blob->tile, values, &fault);
        if (status != SPN_OK)
            return refuse_content(r, offset, &fault);
        r->entries[blob->tile] = values;
        return true;
    case CACHE_BLOB_REFLECTION:
        load_reflection(r, blob->tile, values);
        return true;
    case CACHE_BLOB_INDEX16:
    case CACHE_BLOB_INDEX32:
        if (cache_blob_is_own(blob))
            values =
                cache_reader_read_indices(r, blob, values, offset, scratch);
        return values && load_indices(r, blob, values, offset);
    case CACHE_BLOB_TABLES:
    case CACHE_BLOB_SHAPE:
        return cache_reader_load_lift(r, blob, values, offset);
    case CACHE_BLOB_RINGS:
        break;
    }
    return true;
}

bool cache_reader_load_static(struct cache_reader *r)
{
    const struct cache_header *h = &r->header;
    struct arena scratch;
    bool is_good = true;

    r->meshes = ARENA_NEW(&r->arena, struct reader_mesh, h->mesh_count);
    r->entries = ARENA_NEW(&r->arena, struct predict_entry *, h->tile_count);
    r->lift_data = ARENA_NEW(&r->arena, uint8_t *, h->blob_count);
    arena_init(&scratch);
    for (uint32_t i = 0; i < h->blob_count && is_good; i++) {
        arena_reset(&scratch);
        is_good = load_blob(r, &r->tables.blobs[i], &scratch);
    }
    arena_free(&scratch);
    return is_good && cache_reader_join_lift(r);
}
