/* cache_reader.c - open a cache file and validate its header and tables.
 *
 * Memory is allocated only for counts that have been checked against the size
 * of the file, and for blocks whose stored bytes can hold what they promise: a
 * block codec unpacks a byte to a bounded number of bytes. Frames are not read
 * here.
 */
/* SPDX-License-Identifier: MIT */
#include "cachefile/cache_reader.h"

#include "base/checksum.h"
#include "base/wire.h"
#include "cachefile/cache_reader_state.h"
#include "cachefile/frame_slots.h"
#include "cachefile/static_meshes.h"
#include "common/codecs.h"

#include <stdlib.h>

bool cache_reader_refuse(const struct cache_reader *reader, uint64_t base,
                         uint32_t frame, const struct spn_fault *fault)
{
    struct spn_fault placed = *fault;

    placed.offset += base;
    return fault_refuse(reader->diag, reader->path, frame, &placed);
}

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

void *cache_reader_alloc(struct cache_reader *r, struct arena *arena,
                         const struct cache_block_entry *entry, size_t bytes,
                         uint64_t offset, uint32_t frame)
{
    const uint32_t ratio = entry->coding == CODING_LIFTED
                               ? PAYLOAD_RATIO_MAX
                               : ratio_max[r->decoder.codec->id];
    struct spn_fault fault;

    if (bytes / ratio <= entry->stored_bytes)
        return arena_alloc(arena, bytes, 1);
    (void)spn__cache_fault(SPN_ERR_CODEC, CACHE_FAULT_COMPRESSED,
                           entry->stored_bytes, &fault);
    cache_reader_refuse(r, offset, frame, &fault);
    return NULL;
}

/* -- the head -- */

static bool validate_header(struct cache_reader *r)
{
    struct spn_fault fault = {0};
    spn_status status;

    status =
        spn__cache_header_read(r->map.data, r->map.bytes, &r->header, &fault);
    if (status != SPN_OK)
        return cache_reader_refuse(r, 0, FAULT_NO_FRAME, &fault);
    if (codecs_find(r->header.codec))
        return true;
    (void)spn__cache_header_refuse_codec(&r->header, &fault);
    return cache_reader_refuse(r, 0, FAULT_NO_FRAME, &fault);
}

static struct cache_frame *frame_at(void *user, uint32_t number)
{
    return &((struct cache_reader *)user)->frames[number];
}

static struct cache_group *group_at(void *user, uint32_t group)
{
    return &((struct cache_reader *)user)->groups[group];
}

static bool validate_frames(struct cache_reader *r)
{
    const struct cache_header *h = &r->header;
    const uint8_t *table = r->map.data + h->frame_table_offset;
    uint32_t found = spn__checksum(
        table, (size_t)spn__cache_frame_table_bytes(h), WIRE_SEED);
    struct spn_fault fault = {0};
    struct frame_table_reader reader = {
        .header = h, .at = frame_at, .group_at = group_at, .user = r};
    spn_status status = SPN_OK;

    if (found != h->frame_table_checksum) {
        (void)wire_refuse_for(&fault, SPN_ERR_CHECKSUM,
                              "checksum of the frame table", 0, found,
                              h->frame_table_checksum);
        return cache_reader_refuse(r, h->frame_table_offset, FAULT_NO_FRAME,
                                   &fault);
    }
    r->frames = ARENA_NEW(&r->arena, struct cache_frame, h->frame_count);
    r->groups = ARENA_NEW(&r->arena, struct cache_group, h->group_count);
    r->seconds = ARENA_NEW(&r->arena, double, h->frame_count);
    for (uint32_t i = 0; i < h->frame_count && status == SPN_OK; i++) {
        const uint8_t *entry = table + (size_t)i * CACHE_FRAME_ENTRY_BYTES;

        status = spn__frame_table_read(&reader, entry, &fault);
        if (status == SPN_OK)
            r->seconds[spn__frame_table_entry_number(entry)] =
                spn__frame_table_entry_seconds(entry);
    }
    if (status == SPN_OK)
        status = spn__frame_table_finish(&reader, &fault);
    return status == SPN_OK || cache_reader_refuse(r, h->frame_table_offset,
                                                   FAULT_NO_FRAME, &fault);
}

static bool validate_tables(struct cache_reader *r)
{
    const struct cache_header *h = &r->header;
    size_t bytes = spn__cache_tables_memory(h);
    struct spn_fault fault = {0};
    spn_status status;

    status = spn__cache_tables_read(h, r->map.data + h->tables_offset,
                                    arena_alloc(&r->arena, bytes, 1), bytes,
                                    &r->tables, &fault);
    return status == SPN_OK ||
           cache_reader_refuse(r, h->tables_offset, FAULT_NO_FRAME, &fault);
}

/* -- open and close -- */

static void make_decoder(struct cache_reader *r, const spn_codec *codec)
{
    spn__predict_ops_init(&r->predict, 0);
    spn__lift_ops_init(&r->lift, 0);
    spn__fill_ops_init(&r->fill, 0);
    r->blob_data = ARENA_NEW(&r->arena, uint8_t *, r->header.blob_count);
    r->decoder = (struct cache_decoder){.header = &r->header,
                                        .tables = &r->tables,
                                        .blob_data = r->blob_data,
                                        .codec = codec,
                                        .predict = &r->predict,
                                        .lift = &r->lift};
    r->scratch.memory = arena_alloc(&r->arena, DECODE_SCRATCH_BYTES, 1);
    r->scratch.codec_workspace =
        arena_alloc(&r->arena, codec->workspace_bytes, 1);
}

static struct cache_reader *make_reader(const char *name, struct diag *diag)
{
    struct cache_reader *r = arena_require(calloc(1, sizeof *r));

    r->diag = diag;
    arena_init(&r->arena);
    arena_init(&r->view_arena);
    r->view.number = CACHE_NONE;
    r->path = arena_format(&r->arena, "%s", name);
    return r;
}

static bool load_static(struct cache_reader *r)
{
    make_decoder(r, codecs_find(r->header.codec));
    frame_slots_init(r);
    return static_meshes_load(r);
}

/* Returns NULL, with the reader closed, after a refusal. */
static struct cache_reader *open_reader(struct cache_reader *r, bool has_map)
{
    if (has_map && validate_header(r) && validate_frames(r) &&
        validate_tables(r) && load_static(r))
        return r;
    cache_reader_close(r);
    return NULL;
}

struct cache_reader *cache_reader_open(const char *path, struct diag *diag)
{
    struct cache_reader *r = make_reader(path, diag);

    return open_reader(r, host_map_open(&r->map, path, diag));
}

struct cache_reader *cache_reader_open_memory(const char *name,
                                              const void *data, size_t bytes,
                                              struct diag *diag)
{
    struct cache_reader *r = make_reader(name, diag);

    r->is_borrowed = true;
    r->map.data = data;
    r->map.bytes = bytes;
    return open_reader(r, true);
}

void cache_reader_close(struct cache_reader *r)
{
    if (!r)
        return;
    frame_slots_free(r);
    arena_free(&r->view_arena);
    arena_free(&r->arena);
    if (!r->is_borrowed)
        host_map_close(&r->map);
    free(r);
}

/* -- what is there -- */

const struct cache_header *cache_reader_header(const struct cache_reader *r)
{
    return &r->header;
}

const struct cache_tables *cache_reader_tables(const struct cache_reader *r)
{
    return &r->tables;
}

const struct cache_frame *cache_reader_frames(const struct cache_reader *r)
{
    return r->frames;
}

const struct cache_group *cache_reader_groups(const struct cache_reader *r)
{
    return r->groups;
}

const double *cache_reader_seconds(const struct cache_reader *r)
{
    return r->seconds;
}

const uint32_t *cache_reader_indices(const struct cache_reader *r,
                                     uint32_t mesh)
{
    return r->static_meshes[mesh].indices;
}
