/* clip_decoder.c - a whole compiled cache in memory, decoded frame by frame.
 *
 * The steps are the runtime's, without its heap, jobs and streams: what is
 * left is the time that decoding takes on one thread.
 */
/* SPDX-License-Identifier: MIT */
#include "support/clip_decoder.h"

#include "base/checksum.h"
#include "cache/cache_wire.h"
#include "common/codecs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void stop(const char *what)
{
    fprintf(stderr, "clip: %s\n", what);
    exit(1);
}

static void expect(spn_status status, const struct spn_fault *fault)
{
    if (status == SPN_OK)
        return;
    stop(fault != NULL && fault->what != NULL ? fault->what
                                              : "the cache was refused");
}

static void *get(size_t bytes)
{
    void *memory = calloc(1, bytes + 1);

    if (memory == NULL)
        stop("no memory");
    return memory;
}

static uint8_t *align(uint8_t *memory)
{
    return memory + (64 - (uintptr_t)memory % 64) % 64;
}

static uint64_t read_file(const char *path, uint8_t **out)
{
    FILE *file = fopen(path, "rb");
    long bytes;

    if (file == NULL || fseek(file, 0, SEEK_END) != 0)
        stop("cannot read the cache");
    bytes = ftell(file);
    if (bytes < (long)CACHE_HEADER_BYTES)
        stop("the cache is too short");
    rewind(file);
    *out = get((size_t)bytes);
    if (fread(*out, 1, (size_t)bytes, file) != (size_t)bytes)
        stop("cannot read the cache");
    fclose(file);
    return (uint64_t)bytes;
}

static struct cache_frame *frame_at(void *user, uint32_t number)
{
    struct clip_decoder *cache = user;

    return cache->frames + number;
}

static struct cache_group *group_at(void *user, uint32_t group)
{
    struct clip_decoder *cache = user;

    return cache->groups + group;
}

static void read_frame_table(struct clip_decoder *cache)
{
    const struct cache_header *header = &cache->header;
    struct cache_frame_reader reader = {
        .header = header, .at = frame_at, .group_at = group_at, .user = cache};
    struct spn_fault fault = {0};
    const uint8_t *entries = cache->file + header->frame_table_offset;

    cache->frames = get(header->frame_count * sizeof *cache->frames);
    cache->groups = get(header->group_count * sizeof *cache->groups);
    for (uint32_t i = 0; i < header->frame_count; i++)
        expect(
            spn__cache_file_frame_entry(
                &reader, entries + (size_t)i * CACHE_FRAME_ENTRY_BYTES, &fault),
            &fault);
    expect(spn__cache_file_frames_finish(&reader, &fault), &fault);

    cache->decode_order = get(header->frame_count * sizeof(uint32_t));
    for (uint32_t i = 0; i < header->frame_count; i++) {
        const struct cache_frame *frame = cache->frames + i;
        const struct cache_group *group = cache->groups + frame->group;

        cache->decode_order[group->first_frame + frame->decode_rank] = i;
    }
}

static void *unpack_own(struct clip_decoder *cache,
                        const struct cache_blob *blob)
{
    const bool is_own = cache_blob_is_own(blob);
    const uint32_t bytes = is_own ? blob->stored_bytes : blob->raw_bytes;
    void *raw = get(bytes);

    expect(spn__cache_file_unpack(
               cache->codec,
               cache->file + cache->header.blobs_offset + blob->offset,
               blob->stored_bytes, blob->checksum, blob->is_raw || is_own,
               is_own || blob->kind == CACHE_BLOB_REFLECTION ? 1
               : blob->kind == CACHE_BLOB_INDEX32            ? 4
               : blob->kind == CACHE_BLOB_INDEX16 ||
                       blob->kind == CACHE_BLOB_PREDICTOR
                   ? 2
                   : 1,
               raw, bytes, cache->workspace),
           NULL);
    return raw;
}

static void unpack_blob(struct clip_decoder *cache, uint32_t i,
                        union cache_lift_work *work)
{
    const struct cache_blob *blob = cache->tables.blobs + i;
    const struct cache_block_entry entry = cache_blob_entry(blob);
    struct spn_fault fault = {0};
    struct predict_ops ops;
    uint8_t *raw;

    if (blob->kind == CACHE_BLOB_CHANNEL) {
        spn__predict_ops_init(&ops, 0);
        cache->blobs[i] = get(blob->raw_bytes);
        expect(spn__cache_file_unpack_channel(
                   &ops, cache->codec, &entry,
                   cache->file + cache->header.blobs_offset + blob->offset,
                   (enum channel)blob->channel,
                   cache->tables.tiles[blob->tile].vertex_count,
                   cache->blobs[i], cache->workspace, cache->scratch),
               NULL);
        return;
    }
    raw = unpack_own(cache, blob);
    if (!cache_blob_is_lift(blob)) {
        cache->blobs[i] = raw;
        return;
    }
    cache->blobs[i] = get(spn__cache_blob_memory(&cache->tables, blob));
    if (blob->kind != CACHE_BLOB_RINGS)
        expect(spn__cache_lift_join(&cache->tables, blob, raw,
                                    cache_blob_is_own(blob) ? blob->stored_bytes
                                                            : blob->raw_bytes,
                                    cache->blobs[i], work, &fault),
               &fault);
    free(raw);
}

static struct one_ring_indices indices_of(const struct clip_decoder *cache,
                                          uint32_t mesh)
{
    const uint32_t kind = cache->tables.meshes[mesh].index_bytes == 2
                              ? CACHE_BLOB_INDEX16
                              : CACHE_BLOB_INDEX32;
    uint32_t first = 0;

    while (cache->tables.blobs[first].kind != kind)
        first++;
    return spn__cache_lift_indices(&cache->tables, mesh, cache->blobs + first);
}

static void join_rings(struct clip_decoder *cache)
{
    const struct cache_tables *t = &cache->tables;
    struct wire_one_rings *work = get(sizeof *work);
    struct spn_fault fault = {0};

    for (uint32_t i = 0; i < cache->header.blob_count; i++) {
        const struct cache_blob *blob = t->blobs + i;

        if (blob->kind == CACHE_BLOB_RINGS) {
            const struct one_ring_indices indices = indices_of(
                cache, t->parts[t->tiles[blob->tile].first_part].mesh);
            uint8_t *raw = unpack_own(cache, blob);

            expect(spn__cache_lift_join_rings(
                       t, blob->tile, raw, blob->stored_bytes, NULL, &indices,
                       cache->blobs, work, &fault),
                   &fault);
            free(raw);
        }
    }
    free(work);
}

static void unpack_blobs(struct clip_decoder *cache)
{
    union cache_lift_work *work = get(sizeof *work);

    cache->blobs = get(cache->header.blob_count * sizeof *cache->blobs);
    for (uint32_t i = 0; i < cache->header.blob_count; i++)
        unpack_blob(cache, i, work);
    join_rings(cache);
    free(work);
}

/* The payload lies at `values`. */
static spn_status decode_lifted(const struct clip_decoder *cache, uint32_t tile,
                                enum channel channel, uint32_t payload_bytes,
                                const struct lift_stream *from, void *values,
                                struct spn_fault *fault)
{
    const struct lift_hierarchy shape =
        spn__cache_lift_shape(&cache->tables, tile, cache->blobs);
    struct lift_stream s =
        spn__cache_lift_stream(&cache->tables, channel, &shape, cache->blobs);
    struct one_rings rings;

    if (channel == CHANNEL_QTANGENT &&
        cache->tables.tiles[tile].ring_slots > 0) {
        rings = spn__cache_lift_rings(&cache->tables, tile, cache->blobs);
        s.rings = &rings;
        s.positions = from->positions;
        s.uvs = from->uvs;
    }
    s.from_count = from->from_count;
    memcpy(s.from, from->from, sizeof s.from);
    return spn__lift_decode(&cache->lift, &s, values, payload_bytes,
                            cache->lift_workspace, values, fault);
}

/* Static channels may be predicted in space, by blobs that came before. */
static void predict_blobs(struct clip_decoder *cache)
{
    struct predict_ops ops;
    struct spn_fault fault = {0};

    spn__predict_ops_init(&ops, 0);
    for (uint32_t i = 0; i < cache->header.blob_count; i++) {
        const struct cache_blob *blob = cache->tables.blobs + i;
        struct predict_stream s = {.channel = (enum channel)blob->channel,
                                   .coding = (enum coding)blob->coding};
        const struct cache_tile *tile;

        if (blob->kind == CACHE_BLOB_PREDICTOR)
            expect(spn__cache_file_predictor(&cache->tables, blob->tile,
                                             cache->blobs[i], &fault),
                   &fault);
        if (blob->kind != CACHE_BLOB_CHANNEL)
            continue;
        tile = cache->tables.tiles + blob->tile;
        s.count = tile->vertex_count;
        if (s.coding == CODING_LIFTED) {
            const struct lift_stream alone = {.from_count = 0};

            expect(decode_lifted(cache, blob->tile, s.channel,
                                 blob->stored_bytes, &alone, cache->blobs[i],
                                 &fault),
                   &fault);
            continue;
        }
        if (tile->predictor_blob != CACHE_NONE)
            s.entries = (const void *)cache->blobs[tile->predictor_blob];
        expect(spn__predict_decode(&ops, &s, cache->blobs[i]), NULL);
    }
}

static void place_blocks(struct clip_decoder *cache)
{
    const struct cache_header *header = &cache->header;
    uint32_t largest = 0;
    uint64_t bytes = 0;

    cache->block_offset = get(header->block_count * sizeof(uint32_t));
    for (uint32_t i = 0; i < header->block_count; i++) {
        const struct cache_block *block = cache->tables.blocks + i;

        cache->block_offset[i] = (uint32_t)bytes;
        bytes += (block->raw_bytes + 63u) & ~63u;
        cache->frame_bytes += block->raw_bytes;
        if (block->raw_bytes > largest)
            largest = block->raw_bytes;
        if (block->kind == CACHE_BLOCK_CHANNEL)
            cache->has_animated_vertices = true;
    }
    if (bytes * header->frame_count > (uint64_t)1 << 31)
        stop("the clip is too long to be decoded as a whole");
    cache->data_bytes = (uint32_t)bytes;
    cache->apart = get(largest + RESIDUAL_PADDING);
    cache->data = get(header->frame_count * sizeof *cache->data);
    cache->data_memory = get((size_t)bytes * header->frame_count + 64);
    for (uint32_t i = 0; i < header->frame_count; i++)
        cache->data[i] = align(cache->data_memory) + (size_t)bytes * i;
    for (uint32_t i = 0; i < header->mesh_count; i++)
        cache->vertex_count += cache->tables.meshes[i].vertex_count;
}

void clip_decoder_open(struct clip_decoder *cache, const char *path)
{
    struct spn_fault fault = {0};
    uint64_t bytes;
    size_t tables_bytes;

    memset(cache, 0, sizeof *cache);
    bytes = read_file(path, &cache->file);
    expect(spn__cache_file_header(cache->file, bytes, &cache->header, &fault),
           &fault);
    cache->codec = codecs_find(cache->header.codec);
    if (cache->codec == NULL)
        stop("the block codec is unknown");
    cache->workspace_memory = get(cache->codec->workspace_bytes + 64);
    cache->workspace = align(cache->workspace_memory);
    cache->scratch_memory = get(CACHE_CHANNEL_SCRATCH_BYTES + 64);
    cache->scratch = align(cache->scratch_memory);
    spn__lift_ops_init(&cache->lift, 0);
    cache->lift_memory =
        get(spn__lift_workspace_bytes(CACHE_TILE_VERTICES_MAX) + 64);
    cache->lift_workspace = align(cache->lift_memory);
    read_frame_table(cache);
    tables_bytes = spn__cache_file_tables_memory(&cache->header);
    cache->tables_memory = get(tables_bytes + 64);
    expect(spn__cache_file_tables(&cache->header,
                                  cache->file + cache->header.tables_offset,
                                  align(cache->tables_memory), tables_bytes,
                                  &cache->tables, &fault),
           &fault);
    unpack_blobs(cache);
    predict_blobs(cache);
    place_blocks(cache);
}

void clip_decoder_close(struct clip_decoder *cache)
{
    for (uint32_t i = 0; i < cache->header.blob_count; i++)
        free(cache->blobs[i]);
    free(cache->data);
    free(cache->data_memory);
    free(cache->blobs);
    free(cache->apart);
    free(cache->block_offset);
    free(cache->tables_memory);
    free(cache->workspace_memory);
    free(cache->scratch_memory);
    free(cache->lift_memory);
    free(cache->decode_order);
    free(cache->groups);
    free(cache->frames);
    free(cache->file);
}

static const void *reference(const struct clip_decoder *cache, uint32_t number,
                             uint32_t which, uint32_t offset)
{
    const struct cache_frame *frame = cache->frames + number;

    return cache->data[(int64_t)number + frame->reference[which]] + offset;
}

/* Decoded values of a frame. */
static const void *values_at(const struct clip_decoder *cache, uint32_t number,
                             const struct cache_tile *tile,
                             enum channel channel)
{
    return cache->data[number] + cache->block_offset[tile->block[channel]];
}

static void decode_channel(struct clip_decoder *cache,
                           const struct predict_ops *ops, uint32_t number,
                           uint32_t index,
                           const struct cache_block_entry *entry,
                           const uint8_t *stored)
{
    const struct cache_block *block = cache->tables.blocks + index;
    const struct cache_tile *tile = cache->tables.tiles + block->tile;
    const uint32_t offset = cache->block_offset[index];
    uint8_t *values = cache->data[number] + offset;
    struct predict_stream s = {.channel = (enum channel)block->channel,
                               .coding = (enum coding)entry->coding,
                               .a = entry->a,
                               .b = entry->b,
                               .c = entry->c,
                               .count = block->count};
    struct lift_stream from = {.from_count = 0};
    struct spn_fault fault = {0};

    expect(spn__cache_file_unpack_channel(ops, cache->codec, entry, stored,
                                          s.channel, block->count, values,
                                          cache->workspace, cache->scratch),
           NULL);
    for (uint32_t r = 0; r < cache->frames[number].reference_count; r++)
        from.from[r] = reference(cache, number, r, offset);
    if (entry->coding == CODING_LIFTED) {
        if (tile->ring_slots > 0)
            from.positions = values_at(cache, number, tile, CHANNEL_POSITION);
        if (tile->rings_by_uvs)
            from.uvs = values_at(cache, number, tile, CHANNEL_UV);
        from.from_count =
            spn__cache_file_lifted_frames(values, entry->stored_bytes);
        expect(decode_lifted(cache, block->tile, s.channel, entry->stored_bytes,
                             &from, values, &fault),
               &fault);
        return;
    }
    if (tile->predictor_blob != CACHE_NONE)
        s.entries = (const void *)cache->blobs[tile->predictor_blob];
    if (entry->coding == CODING_TEMPORAL)
        spn__cache_file_classic(&s, from.from,
                                cache->frames[number].reference_count);
    expect(spn__predict_decode(ops, &s, values), NULL);
}

struct seeing {
    void (*see)(void *user, const struct clip_residuals *residuals);
    void *user;
};

static void see_channel(struct clip_decoder *cache,
                        const struct predict_ops *ops, uint32_t index,
                        const struct cache_block_entry *entry,
                        const uint8_t *stored, const struct seeing *seeing)
{
    const struct cache_block *block = cache->tables.blocks + index;
    const enum channel channel = (enum channel)block->channel;
    struct clip_residuals r = {.channel = channel,
                               .numbers = (const void *)cache->apart,
                               .stride = channel_components(channel),
                               .components = channel_components(channel),
                               .count = block->count};
    struct lift_hierarchy shape;
    struct lift_stream s;
    struct lift_prediction prediction;
    struct spn_fault fault = {0};
    size_t used;

    expect(spn__cache_file_unpack_channel(ops, cache->codec, entry, stored,
                                          channel, block->count, cache->apart,
                                          cache->workspace, cache->scratch),
           NULL);
    if (entry->coding == CODING_LIFTED) {
        int16_t *residuals = (void *)cache->lift_workspace;
        int16_t *fourth =
            residuals + 4 * LIFT_PADDED_VERTICES((size_t)block->count);

        shape =
            spn__cache_lift_shape(&cache->tables, block->tile, cache->blobs);
        s = spn__cache_lift_stream(&cache->tables, channel, &shape,
                                   cache->blobs);
        r.fourth = r.components == 4 ? fourth : NULL;
        r.numbers = residuals;
        r.components = r.components == 4 ? 3 : r.components;
        r.stride = 4;
        expect(spn__lift_head(cache->apart, entry->stored_bytes,
                              shape.level_count, &prediction, &used, &fault),
               &fault);
        expect(spn__residual_decode(
                   &cache->lift.triples, s.tables, cache->apart + used,
                   entry->stored_bytes - used, block->count, residuals,
                   r.fourth ? fourth : NULL, &fault),
               &fault);
    }
    if (seeing->see && channel != CHANNEL_COLOR)
        seeing->see(seeing->user, &r);
}

static void unpack_nodes(struct clip_decoder *cache, uint32_t index,
                         const struct cache_block_entry *entry,
                         const uint8_t *stored, uint8_t *rows)
{
    const struct cache_block *block = cache->tables.blocks + index;
    struct spn_fault fault = {0};

    expect(spn__cache_file_unpack(cache->codec, stored, entry->stored_bytes,
                                  entry->checksum, entry->is_raw, 1, rows,
                                  block->raw_bytes, cache->workspace),
           NULL);
    expect(spn__cache_file_nodes(block, rows, &fault), &fault);
}

/* What a fill needs beside the frame and the tile. */
struct clip_filling {
    const struct clip_decoder *cache;
    const struct fill_ops *ops;
    const spn_vertex_layout *layout;
    uint8_t *vertices;
};

/* Blocks of a tile stand side by side. */
static bool is_last_of_tile(const struct clip_decoder *cache, uint32_t block)
{
    return block + 1 == cache->header.block_count ||
           cache->tables.blocks[block + 1].kind != CACHE_BLOCK_CHANNEL ||
           cache->tables.blocks[block + 1].tile !=
               cache->tables.blocks[block].tile;
}

struct stored_block {
    struct cache_block_entry entry;
    const uint8_t *stored;
};

/* `seeing` NULL: decode, and tell `on_tile` (NULL: nobody) of each tile. */
static void each_block(
    struct clip_decoder *cache, const struct predict_ops *ops, uint32_t frame,
    const struct seeing *seeing,
    void (*on_tile)(void *user, uint32_t frame, uint32_t tile), void *user)
{
    const struct cache_frame *f = cache->frames + frame;
    const uint8_t *directory = cache->file + f->offset;
    uint32_t at = spn__cache_file_directory_bytes(&cache->header);
    struct stored_block waits = {.stored = NULL};
    struct spn_fault fault = {0};

    expect(spn__cache_file_directory(&cache->header, cache->tables.blocks, f,
                                     frame, directory, &fault),
           &fault);
    for (uint32_t i = 0; i < cache->header.block_count; i++) {
        struct cache_block_entry entry;
        const uint8_t *stored;

        spn__cache_file_block_entry(directory, i, at, &entry);
        stored = directory + entry.offset;
        at += entry.stored_bytes;
        if (entry.is_absent) {
            waits.stored = NULL;
            continue;
        }
        if (cache->tables.blocks[i].kind == CACHE_BLOCK_NODES)
            unpack_nodes(cache, i, &entry, stored,
                         seeing ? cache->apart
                                : cache->data[frame] + cache->block_offset[i]);
        else if (seeing)
            see_channel(cache, ops, i, &entry, stored, seeing);
        else if (cache_block_waits(&cache->tables, i))
            waits = (struct stored_block){entry, stored};
        else
            decode_channel(cache, ops, frame, i, &entry, stored);
        if (waits.stored && !cache_block_waits(&cache->tables, i)) {
            decode_channel(cache, ops, frame, i - 1, &waits.entry,
                           waits.stored);
            waits.stored = NULL;
        }
        if (on_tile && cache->tables.blocks[i].kind == CACHE_BLOCK_CHANNEL &&
            is_last_of_tile(cache, i))
            on_tile(user, frame, cache->tables.blocks[i].tile);
    }
}

void clip_decoder_decode(struct clip_decoder *cache,
                         const struct predict_ops *ops, uint32_t frame)
{
    each_block(cache, ops, frame, NULL, NULL, NULL);
}

void clip_decoder_residuals(
    struct clip_decoder *cache, const struct predict_ops *ops, uint32_t frame,
    void (*see)(void *user, const struct clip_residuals *residuals), void *user)
{
    const struct seeing seeing = {see, user};

    each_block(cache, ops, frame, &seeing, NULL, NULL);
}

/* A channel of a part in a frame, or the static one; NULL: none. */
static const void *values_of(const struct clip_decoder *cache, uint32_t frame,
                             const struct cache_part *part,
                             enum channel channel)
{
    const struct cache_tile *tile = cache->tables.tiles + part->tile;
    const uint8_t *values = NULL;

    if (tile->block[channel] != CACHE_NONE)
        values = cache->data[frame] + cache->block_offset[tile->block[channel]];
    else if (tile->blob[channel] != CACHE_NONE)
        values = cache->blobs[tile->blob[channel]];
    return values == NULL
               ? NULL
               : values + part->tile_vertex * channel_vertex_bytes(channel);
}

/* `vertices`: of all meshes. What does not animate is left as it is. */
static void fill_part(const struct clip_decoder *cache,
                      const struct fill_ops *ops, const struct cache_part *part,
                      uint32_t floor, uint32_t ceil, float alpha,
                      const spn_vertex_layout *layout, uint8_t *vertices)
{
    const struct cache_mesh *mesh = cache->tables.meshes + part->mesh;
    const struct cache_tile *tile = cache->tables.tiles + part->tile;
    const uint64_t first = mesh->first_vertex + part->first_vertex;
    struct fill_source source = {.count = part->vertex_count,
                                 .order = spn__cache_lift_order(
                                     &cache->tables, part->tile, cache->blobs),
                                 .alpha = alpha,
                                 .reflection_first = part->tile_vertex};
    struct fill_constants constants;

    if (tile->animated_mask == 0)
        return;
    spn__fill_constants(mesh, &constants);
    if (tile->reflection_blob != CACHE_NONE)
        source.reflection = cache->blobs[tile->reflection_blob];
    for (uint32_t c = 0; c < CHANNEL_COUNT; c++) {
        source.floor[c] = values_of(cache, floor, part, (enum channel)c);
        source.ceil[c] = values_of(cache, ceil, part, (enum channel)c);
    }
    spn__fill_run(ops, &constants, &source, layout,
                  vertices + (size_t)first * layout->stride);
}

void clip_decoder_fill(const struct clip_decoder *cache,
                       const struct fill_ops *ops, uint32_t floor,
                       uint32_t ceil, float alpha,
                       const spn_vertex_layout *layout, uint8_t *vertices)
{
    for (uint32_t p = 0; p < cache->header.part_count; p++)
        fill_part(cache, ops, cache->tables.parts + p, floor, ceil, alpha,
                  layout, vertices);
}

static void fill_tile(void *user, uint32_t frame, uint32_t tile)
{
    const struct clip_filling *f = user;
    const struct cache_tile *info = f->cache->tables.tiles + tile;

    for (uint32_t p = 0; p < info->part_count; p++)
        fill_part(f->cache, f->ops,
                  f->cache->tables.parts + info->first_part + p, frame, frame,
                  0, f->layout, f->vertices);
}

void clip_decoder_decode_and_fill(struct clip_decoder *cache,
                                  const struct predict_ops *predict,
                                  uint32_t frame, const struct fill_ops *fill,
                                  const spn_vertex_layout *layout,
                                  uint8_t *vertices)
{
    struct clip_filling filling = {cache, fill, layout, vertices};

    each_block(cache, predict, frame, NULL, fill_tile, &filling);
}
