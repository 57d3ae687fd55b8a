/* tiny_cache.c - write small caches byte by byte: the whole file. */
/* SPDX-License-Identifier: MIT */
#include "support/tiny_cache.h"

#include "base/block_codec.h"
#include "base/checksum.h"
#include "base/endian.h"
#include "cache/cache_wire.h"
#include "compile/write/content_hashes.h"
#include "compress/compress.h"
#include "harness.h"
#include "support/tiny_builder.h"
#include "support/tiny_frames.h"
#include "support/tiny_tables.h"
#include "support/tiny_truth.h"

#include <lz4.h>
#include <stdio.h>
#include <stdlib.h>

void *tiny_grow(struct grow *g, const void *data, size_t bytes)
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

uint32_t tiny_pack(const struct tiny_options *o, const void *raw,
                   uint32_t raw_bytes, uint8_t *out)
{
    uint32_t packed;

    /* A fast level is enough, because many tests make many caches. It does not
     * write the same bytes on every machine. */
    if (o->codec == BLOCK_CODEC_LZ4 && !o->is_same_everywhere) {
        packed = (uint32_t)LZ4_compress_default(
            raw, (char *)out, (int)raw_bytes, (int)raw_bytes - 1);
    } else {
        const struct compressor *compressor = compressor_find(o->codec);
        void *workspace = compressor->start(0);

        packed = compressor->compress(raw, raw_bytes, out, workspace);
        compressor->stop(workspace);
    }
    if (packed > 0)
        return packed;
    memcpy(out, raw, raw_bytes);
    return raw_bytes | WIRE_RAW_BIT;
}

static void add_header(struct builder *b, uint32_t largest_frame,
                       uint32_t largest_group)
{
    struct tiny_cache *t = b->tiny;
    struct wire_header *w = (void *)b->out.bytes;
    uint64_t frame_table_bytes = b->o.frame_count * sizeof(struct wire_frame);

    memcpy(w->signature, CACHE_SIGNATURE, 8);
    spn_store_u32le(w->version, CACHE_VERSION);
    spn_store_u32le(w->attribute_count, tiny_attribute_count(b));
    spn_store_u32le(w->box_bytes, tiny_box_bytes(b));
    spn_store_u32le(w->flags,
                    b->o.plays_from_memory ? WIRE_PLAYS_FROM_MEMORY : 0);
    spn_store_u32le(w->codec, b->o.codec);
    spn_store_u32le(w->frame_count, b->o.frame_count);
    spn_store_u32le(w->group_count, t->group_count);
    spn_store_u32le(w->index_distance, b->o.distance);
    spn_store_u32le(w->node_count, b->mesh_total + 1);
    spn_store_u32le(w->animated_node_count, b->mesh_total);
    spn_store_u32le(w->animated_affine_count, tiny_affine_count(b));
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

void tiny_correct_checksums(struct tiny_cache *t)
{
    struct wire_header *w = (void *)t->bytes;

    spn_store_u32le(
        w->frame_table_checksum,
        spn__checksum(t->bytes + t->frame_table_offset,
                      (size_t)(t->tables_offset - t->frame_table_offset),
                      WIRE_SEED));
    spn_store_u32le(w->tables_checksum,
                    spn__checksum(t->bytes + t->tables_offset,
                                  (size_t)(t->blobs_offset - t->tables_offset),
                                  WIRE_SEED));
    spn_store_u32le(
        w->checksum,
        spn__checksum(w, offsetof(struct wire_header, checksum), WIRE_SEED));
}

/* Store the content hash of the static mesh. */
static void add_hashes(struct tiny_cache *t)
{
    struct spn_fault fault = {0};
    struct cache_header header;
    struct cache_tables tables;
    size_t bytes;
    void *memory;

    CHECK_EQ(spn__cache_header_read(t->bytes, t->size, &header, &fault),
             SPN_OK);
    bytes = spn__cache_tables_memory(&header);
    memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    CHECK_EQ(spn__cache_tables_read(&header, t->bytes + t->tables_offset,
                                    memory, bytes, &tables, &fault),
             SPN_OK);
    CHECK(content_hashes_store(&header, &tables, t->bytes + t->blobs_offset,
                               t->bytes + t->tables_offset, &fault));
    free(memory);
    tiny_correct_checksums(t);
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
    o.codec = o.is_stored ? BLOCK_CODEC_STORE
              : o.codec   ? o.codec
                          : BLOCK_CODEC_LZ4;
    return o;
}

/* Frames in stored order, which is the order of their numbers: each group's B
 * frames, then its index frame. */
static void add_frames(struct builder *b, uint32_t *largest_frame,
                       uint32_t *largest_group)
{
    uint32_t group = 0;
    uint32_t group_bytes = 0;

    for (uint32_t f = 0; f < b->o.frame_count; f++) {
        uint32_t bytes;

        tiny_add_frame(b, f);
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
    tiny_lay_out(&b);
    tiny_add_blobs(&b);
    tiny_grow(&b.out, NULL, CACHE_HEADER_BYTES);
    t->frame_table_offset = b.out.size;
    tiny_grow(&b.out, NULL, b.o.frame_count * sizeof(struct wire_frame));
    t->tables_offset = b.out.size;
    tiny_add_tables(&b);
    t->blobs_offset = b.out.size;
    tiny_grow(&b.out, b.blob_bytes.bytes, b.blob_bytes.size);
    t->frames_offset = b.out.size;
    add_frames(&b, &largest_frame, &largest_group);
    for (uint32_t f = 0; f < b.o.frame_count; f++)
        tiny_add_frame_entry(&b, f, f);
    t->group_count = tiny_group_of(&b.o, b.o.frame_count - 1) + 1;
    t->tile_count = b.part_count;
    add_header(&b, largest_frame, largest_group);
    t->bytes = b.out.bytes;
    t->size = b.out.size;
    tiny_correct_checksums(t);
    if (b.o.has_static_mesh)
        add_hashes(t);
    free(b.names.bytes);
    free(b.blob_bytes.bytes);
    free(b.tiles);
    free(b.parts);
    free(b.blocks);
    free(b.blobs);
    return t;
}

static void *copy_of(const void *bytes, size_t size)
{
    void *copy = malloc(size);

    if (!copy)
        abort();
    return memcpy(copy, bytes, size);
}

struct tiny_cache *tiny_copy(const struct tiny_cache *tiny)
{
    struct tiny_cache *t = copy_of(tiny, sizeof *tiny);
    uint32_t frames = t->options.frame_count;

    t->bytes = copy_of(tiny->bytes, tiny->size);
    t->frame_offset =
        copy_of(tiny->frame_offset, frames * sizeof *t->frame_offset);
    t->frame_bytes =
        copy_of(tiny->frame_bytes, frames * sizeof *t->frame_bytes);
    t->frame_group =
        copy_of(tiny->frame_group, frames * sizeof *t->frame_group);
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

void tiny_write(const struct tiny_cache *t, const char *path)
{
    FILE *file = fopen(path, "wb");

    CHECK(file != NULL);
    CHECK_EQ_U(fwrite(t->bytes, 1, t->size, file), t->size);
    CHECK_EQ(fclose(file), 0);
}
