/* cache_walk.c - decode a whole cache, each step in memory of exact size. */
/* SPDX-License-Identifier: MIT */
#include "support/cache_walk.h"

#include "base/checksum.h"
#include "base/cpu.h"
#include "base/wire.h"
#include "cache/blob_decoder.h"
#include "cache/frame_decoder.h"
#include "cache/mesh_hash.h"
#include "common/codecs.h"
#include "harness.h"
#include "support/cache_promises.h"

#include <stdlib.h>
#include <string.h>

struct cache_walk {
    const uint8_t *bytes; /* the file's bytes; owned when opened by
                           * cache_walk_open */
    size_t size;
    struct cache_header header;
    struct cache_frame *frames;
    struct cache_group *groups;
    void *memory;
    struct cache_tables tables;
    struct predict_ops predict;
    struct lift_ops lift;
    uint8_t **blob_data;
    struct cache_decoder decoder;
    struct decode_scratch scratch;
    uint32_t *sum; /* checksum of decoded values and results */
    struct spn_fault *fault;
};

/* A heap copy of exact size, so that a sanitizer sees an access after its
 * end. */
static void *copy_of(const void *bytes, size_t size)
{
    void *copy = malloc(size > 0 ? size : 1);

    if (!copy)
        abort();
    if (size > 0)
        memcpy(copy, bytes, size);
    return copy;
}

static void *aligned(size_t bytes)
{
    void *memory = aligned_alloc(64, (bytes + 64) / 64 * 64);

    if (!memory)
        abort();
    memset(memory, 0, bytes);
    return memory;
}

static void add_result(const struct cache_walk *w, const void *values,
                       size_t bytes, spn_status status)
{
    if (status == SPN_OK)
        *w->sum = spn__checksum(values, bytes, *w->sum);
    *w->sum = *w->sum * 31u + (uint32_t)status;
}

/* -- header and tables -- */

static struct cache_frame *frame_at(void *user, uint32_t number)
{
    struct cache_walk *w = user;

    CHECK(number < w->header.frame_count);
    return &w->frames[number];
}

static struct cache_group *group_at(void *user, uint32_t group)
{
    struct cache_walk *w = user;

    CHECK(group < w->header.group_count);
    return &w->groups[group];
}

static spn_status walk_frames(struct cache_walk *w)
{
    size_t bytes = (size_t)spn__cache_frame_table_bytes(&w->header);
    uint8_t *table;
    struct frame_table_reader reader = {
        .header = &w->header, .at = frame_at, .group_at = group_at, .user = w};
    spn_status status = SPN_OK;

    CHECK(w->header.frame_table_offset <= w->size &&
          bytes <= w->size - w->header.frame_table_offset);
    if (spn__checksum(w->bytes + w->header.frame_table_offset, bytes,
                      WIRE_SEED) != w->header.frame_table_checksum)
        return SPN_ERR_CHECKSUM;
    table = copy_of(w->bytes + w->header.frame_table_offset, bytes);
    w->frames = calloc(w->header.frame_count, sizeof *w->frames);
    w->groups = calloc(w->header.group_count, sizeof *w->groups);
    for (uint32_t i = 0; i < w->header.frame_count && status == SPN_OK; i++) {
        status = spn__frame_table_read(
            &reader, table + (size_t)i * CACHE_FRAME_ENTRY_BYTES, w->fault);
        CHECK(spn__frame_table_check(&reader));
    }
    if (status == SPN_OK)
        status = spn__frame_table_finish(&reader, w->fault);
    free(table);
    if (status == SPN_OK)
        promises_check_frames(&w->header, w->size, w->frames, w->groups);
    return status;
}

static spn_status walk_tables(struct cache_walk *w)
{
    size_t memory_bytes = spn__cache_tables_memory(&w->header);
    uint8_t *bytes;
    spn_status status;

    CHECK(w->header.tables_offset <= w->size &&
          w->header.tables_bytes <= w->size - w->header.tables_offset);
    bytes = copy_of(w->bytes + w->header.tables_offset, w->header.tables_bytes);
    w->memory = aligned_alloc(64, (memory_bytes + 63) / 64 * 64 + 64);
    if (!w->memory)
        abort();
    status = spn__cache_tables_read(&w->header, bytes, w->memory, memory_bytes,
                                    &w->tables, w->fault);
    free(bytes);
    if (status == SPN_OK)
        promises_check_tables(&w->header, &w->tables);
    return status;
}

/* -- static data -- */

static spn_status walk_blob(const struct cache_walk *w, uint32_t i)
{
    const struct cache_blob *b = &w->tables.blobs[i];
    const uint64_t offset = w->header.blobs_offset + b->offset;
    struct blob_job job = {.cache = &w->decoder, .blob = i};
    void *stored;
    spn_status status;

    CHECK(offset <= w->size && b->stored_bytes <= w->size - offset);
    stored = copy_of(w->bytes + offset, b->stored_bytes);
    w->blob_data[i] = malloc(spn__cache_blob_memory(&w->tables, b));
    job.stored = stored;
    status = spn__blob_decode(&job, &w->scratch, w->fault);
    free(stored);
    if (status == SPN_OK)
        promises_check_blob(&w->decoder, i);
    if (b->kind == CACHE_BLOB_CHANNEL)
        add_result(w, w->blob_data[i], b->raw_bytes, status);
    return status;
}

static spn_status walk_blobs(struct cache_walk *w)
{
    const spn_codec *codec = w->decoder.codec;

    w->blob_data =
        calloc(w->header.blob_count + (size_t)1, sizeof *w->blob_data);
    w->decoder = (struct cache_decoder){.header = &w->header,
                                        .tables = &w->tables,
                                        .blob_data = w->blob_data,
                                        .codec = codec,
                                        .predict = &w->predict,
                                        .lift = &w->lift};
    w->scratch.memory = aligned(DECODE_SCRATCH_BYTES);
    w->scratch.codec_workspace = aligned(codec->workspace_bytes);
    for (uint32_t pass = 0; pass < BLOB_PASS_COUNT; pass++)
        for (uint32_t i = 0; i < w->header.blob_count; i++)
            if (spn__blob_pass(&w->tables.blobs[i]) == pass) {
                const spn_status status = walk_blob(w, i);

                if (status != SPN_OK)
                    return status;
            }
    return SPN_OK;
}

/* -- frames -- */

/* Noise for reference frames: every bit pattern is a legal value. */
static uint8_t *make_values(size_t bytes, uint32_t seed)
{
    static uint8_t noise[CACHE_TILE_VERTICES_MAX * 8 + 256];
    static bool is_made;
    uint32_t state = 1;

    for (size_t i = 0; !is_made && i < sizeof noise; i++) {
        state = state * 1664525u + 1013904223u;
        noise[i] = (uint8_t)(state >> 24);
    }
    is_made = true;
    CHECK(bytes <= sizeof noise - 256);
    return copy_of(noise + 40 * (size_t)(seed % 6), bytes);
}

static spn_status walk_block(const struct cache_walk *w,
                             const struct frame_walk *walk, uint8_t **target)
{
    const struct cache_frame *f = walk->decoder->frame;
    const struct cache_block *b = &w->tables.blocks[walk->block];
    const struct cache_block_entry *e = &walk->entry;
    spn_status status;
    void *stored;

    CHECK(e->offset <= f->bytes && e->stored_bytes <= f->bytes - e->offset);
    CHECK(e->coding < CODING_COUNT && e->order < ORDER_COUNT);
    CHECK(e->coding != CODING_TEMPORAL || f->reference_count >= 2);
    CHECK(e->coding != CODING_LIFTED || b->is_lifted);
    CHECK(e->coding != CODING_SPATIAL || b->has_predictor);
    CHECK(e->order == ORDER_INTERLEAVED || b->kind == CACHE_BLOCK_CHANNEL);
    stored = copy_of(w->bytes + f->offset + e->offset, e->stored_bytes);
    *target = malloc(b->raw_bytes);
    status = spn__frame_unpack(walk, stored, *target, &w->scratch, w->fault);
    free(stored);
    if (status != SPN_OK)
        add_result(w, NULL, 0, status);
    return status;
}

static spn_status walk_tile(const struct cache_walk *w,
                            const struct frame_decoder *d, uint32_t number,
                            uint8_t *const *values)
{
    const struct cache_tile *tile = &w->tables.tiles[number];
    struct tile_job job = {.decoder = d, .tile = number};
    uint8_t *noise[CACHE_REFERENCES_MAX][CHANNEL_COUNT] = {{NULL}};
    spn_status status = SPN_OK;

    for (uint32_t c = 0; c < CHANNEL_COUNT; c++) {
        if (!(tile->animated_mask & CHANNEL_BIT(c)))
            continue;
        job.values[c] = values[tile->block[c]];
        if (!job.values[c])
            return SPN_OK;
    }
    for (uint32_t r = 0; r < d->frame->reference_count; r++)
        for (uint32_t c = 0; c < CHANNEL_COUNT; c++) {
            if (!job.values[c])
                continue;
            noise[r][c] = make_values((size_t)tile->vertex_count *
                                          channel_vertex_bytes((enum channel)c),
                                      r);
            job.references[r].values[c] = noise[r][c];
        }
    status = spn__tile_decode(&job, &w->scratch, w->fault);
    for (uint32_t c = 0; c < CHANNEL_COUNT; c++)
        if (job.values[c])
            add_result(w, job.values[c],
                       (size_t)tile->vertex_count *
                           channel_vertex_bytes((enum channel)c),
                       status);
    for (uint32_t r = 0; r < CACHE_REFERENCES_MAX; r++)
        for (uint32_t c = 0; c < CHANNEL_COUNT; c++)
            free(noise[r][c]);
    return status;
}

static spn_status walk_frame(const struct cache_walk *w, uint32_t number)
{
    const struct cache_frame *f = &w->frames[number];
    uint8_t **values =
        calloc(w->header.block_count + (size_t)1, sizeof *values);
    uint8_t *directory =
        copy_of(w->bytes + f->offset, spn__cache_directory_bytes(&w->header));
    const struct frame_decoder d = {.cache = &w->decoder,
                                    .frame = f,
                                    .number = number,
                                    .directory = directory};
    struct frame_walk walk = frame_walk_begin(&d);
    spn_status status = spn__frame_validate(&d, w->fault);

    while (status == SPN_OK && spn__frame_walk_next(&walk))
        if (!walk.entry.is_absent)
            status = walk_block(w, &walk, &values[walk.block]);
    for (uint32_t t = 0; t < w->header.tile_count && status == SPN_OK; t++)
        status = walk_tile(w, &d, t, values);
    for (uint32_t i = 0; i < w->header.block_count; i++)
        free(values[i]);
    free(values);
    free(directory);
    return status;
}

/* -- the whole file -- */

static spn_status walk_file(struct cache_walk *w)
{
    uint8_t head[CACHE_HEADER_BYTES];
    spn_status status;

    memset(head, 0, sizeof head);
    memcpy(head, w->bytes, w->size < sizeof head ? w->size : sizeof head);
    status = spn__cache_header_read(head, w->size, &w->header, w->fault);
    if (status != SPN_OK)
        return status;
    w->decoder.codec = codecs_find(w->header.codec);
    if (!w->decoder.codec)
        return SPN_ERR_NO_CODEC;
    status = walk_frames(w);
    if (status == SPN_OK)
        status = walk_tables(w);
    if (status == SPN_OK)
        status = walk_blobs(w);
    for (uint32_t i = 0; status == SPN_OK && i < w->header.frame_count; i++)
        status = walk_frame(w, i);
    /* Last, so that damaged static data does not keep frames from being
     * decoded. */
    for (uint32_t m = 0; status == SPN_OK && m < w->header.mesh_count; m++)
        status = spn__mesh_hash_validate(&w->decoder, m, w->scratch.memory,
                                         w->fault);
    return status;
}

static void walk_begin(struct cache_walk *w, const uint8_t *bytes, size_t size,
                       uint32_t cpu, uint32_t *sum, struct spn_fault *fault)
{
    *w = (struct cache_walk){
        .bytes = bytes, .size = size, .sum = sum, .fault = fault};
    *sum = 0;
    spn__predict_ops_init(&w->predict, cpu);
    spn__lift_ops_init(&w->lift, cpu);
}

static void walk_end(struct cache_walk *w)
{
    for (uint32_t i = 0; w->blob_data && i < w->header.blob_count; i++)
        free(w->blob_data[i]);
    free(w->blob_data);
    free(w->frames);
    free(w->groups);
    free(w->memory);
    free(w->scratch.memory);
    free(w->scratch.codec_workspace);
}

spn_status cache_walk_on(const uint8_t *bytes, size_t size, uint32_t cpu,
                         uint32_t *sum, struct spn_fault *fault)
{
    struct cache_walk w;
    spn_status status;

    walk_begin(&w, bytes, size, cpu, sum, fault);
    status = walk_file(&w);
    walk_end(&w);
    return status;
}

spn_status cache_walk_all(const uint8_t *bytes, size_t size,
                          struct spn_fault *fault)
{
    /* Detect once, because CPUID is slow under a hypervisor. */
    static uint32_t cpu;
    static bool is_detected;
    uint32_t sum;

    if (!is_detected)
        cpu = spn__cpu_detect();
    is_detected = true;
    return cache_walk_on(bytes, size, cpu, &sum, fault);
}

/* -- one frame -- */

struct cache_walk *cache_walk_open(const uint8_t *bytes, size_t size)
{
    struct cache_walk *w = malloc(sizeof *w);
    struct spn_fault fault = {0};
    uint32_t sum;

    if (!w)
        abort();
    walk_begin(w, copy_of(bytes, size), size, 0, &sum, &fault);
    CHECK_EQ(walk_file(w), SPN_OK);
    return w;
}

void cache_walk_close(struct cache_walk *w)
{
    walk_end(w);
    free((void *)(uintptr_t)w->bytes);
    free(w);
}

const struct cache_header *cache_walk_header(const struct cache_walk *w)
{
    return &w->header;
}

bool cache_walk_has_lifted(const struct cache_walk *w)
{
    for (uint32_t t = 0; t < w->header.tile_count; t++)
        if (cache_tile_is_lifted(&w->tables.tiles[t]))
            return true;
    return false;
}

bool cache_has_lifted(const uint8_t *bytes, size_t size)
{
    struct cache_walk *walk = cache_walk_open(bytes, size);
    const bool has_lifted = cache_walk_has_lifted(walk);

    cache_walk_close(walk);
    return has_lifted;
}

const uint8_t *cache_walk_good_frame(const struct cache_walk *w,
                                     uint32_t number, uint32_t *bytes)
{
    *bytes = w->frames[number].bytes;
    return w->bytes + w->frames[number].offset;
}

spn_status cache_walk_frame(struct cache_walk *w, uint32_t number,
                            const uint8_t *bytes, size_t size, uint32_t cpu,
                            uint32_t *sum, struct spn_fault *fault)
{
    const struct cache_walk good = *w;
    const struct cache_frame good_frame = w->frames[number];
    spn_status status;

    *sum = 0;
    w->sum = sum;
    w->fault = fault;
    w->bytes = bytes;
    w->size = size;
    w->frames[number].offset = 0;
    w->frames[number].bytes = (uint32_t)size;
    spn__predict_ops_init(&w->predict, cpu);
    spn__lift_ops_init(&w->lift, cpu);
    status = walk_frame(w, number);
    *w = good;
    w->frames[number] = good_frame;
    return status;
}
