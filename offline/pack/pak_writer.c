/* pak_writer.c - compresses, writes, and indexes what was written.
 *
 * The pipeline's items are chunks: a few blocks of one place, or several places
 * in a row of one block each. A place that repeats a content has one item
 * without tasks, which copies what lies already in the output. What is in
 * memory at a time is the pipeline's window and the index.
 */
/* SPDX-License-Identifier: MIT */
#include "pack/pak_writer.h"

#include "base/checksum.h"
#include "base/endian.h"
#include "base/hash64.h"
#include "common/fault_text.h"
#include "common/pipeline.h"
#include "compress/compress.h"
#include "pak/pak_wire.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK_BLOCKS 4u
#define CHUNK_BYTES ((size_t)CHUNK_BLOCKS * PAK_BLOCK_BYTES)
#define CHUNK_PLACES 64u
/* What is compressed by itself: a cache of geometry. */
#define PACKED_SIGNATURE "SPNCACHE"
#define PACKED_SIGNATURE_BYTES 8u

/* One item of the pipeline. */
struct chunk {
    uint32_t place;
    uint32_t place_count; /* from there on; above 1: of one block each */
    uint32_t first_block; /* of the content; the item of a copy: PAK_NONE */
};

/* A content as it lies in the output. */
struct stored_content {
    uint64_t offset; /* of its first place */
    uint64_t stored_bytes;
    uint32_t first_block; /* among the blocks of all, in order of contents */
    uint32_t codec;
    uint32_t copy_count;
    uint32_t first_copy; /* among the copies by number of content */
    uint32_t number;     /* in the index; PAK_NONE: not yet */
    const struct compressor *compressor;
};

struct block {
    uint64_t end;
    uint32_t checksum;
};

/* What a chunk passes on. */
struct slot {
    uint8_t raw[CHUNK_BYTES];
    uint8_t stored[CHUNK_BYTES];
    uint32_t stored_bytes[CHUNK_PLACES]; /* of each block */
    uint32_t checksum[CHUNK_PLACES];
};
SPN_STATIC_ASSERT(CHUNK_PLACES >= CHUNK_BLOCKS, blocks_of_a_chunk);

/* How far the blocks of a slot have been walked. */
struct slot_at {
    uint32_t raw;
    uint32_t stored;
    uint32_t block;
};

struct tools {
    struct pak_decoder decoder;
    void *workspace[PAK_DECODER_CODECS]; /* of those that contents have */
};

struct writer {
    const struct pak_writing *is;
    struct arena *arena;
    struct pak_header header;
    struct stored_content *contents;
    struct block *blocks;
    uint64_t *offsets; /* of each place */
    struct chunk *chunks;
    uint32_t chunk_count;
    struct slot *slots;
    uint32_t slot_count;
    struct tools *tools; /* one a thread */
    uint8_t *index;
};

static const struct pack_file *file_of(const struct writer *w, uint32_t content)
{
    return &w->is->files->files[w->is->contents->files[content]];
}

/* What a rule says of the first of its files by name; else that of all. */
static uint32_t codec_of(const struct writer *w, uint32_t content)
{
    const struct pack_rule *rule = pack_rule_find(
        w->is->rules, w->is->rule_count, file_of(w, content)->name);

    return rule ? rule->codec : w->is->codec;
}

/* -- counting -- */

static void count_contents(struct writer *w)
{
    const struct pak_writing *is = w->is;
    uint64_t blocks = 0;

    w->contents =
        ARENA_NEW(w->arena, struct stored_content, is->contents->count);
    for (uint32_t i = 0; i < is->contents->count; i++) {
        w->contents[i].first_block = (uint32_t)blocks;
        w->contents[i].number = PAK_NONE;
        w->contents[i].compressor = compressor_find(codec_of(w, i));
        blocks += pak_block_count(file_of(w, i)->bytes);
    }
    /* Too many are found out by the size of the index. */
    w->header.block_count = blocks > UINT32_MAX ? UINT32_MAX : (uint32_t)blocks;
}

static bool count_all(struct writer *w)
{
    const struct pak_writing *is = w->is;
    struct pak_header *h = &w->header;
    uint64_t name_bytes = 0;

    count_contents(w);
    for (uint32_t i = 0; i < is->files->count; i++)
        name_bytes += strlen(is->files->files[i].name) + 1;
    h->entry_count = is->files->count;
    h->content_count = is->contents->count;
    h->copy_count = is->layout->count;
    h->name_bytes = name_bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)name_bytes;
    h->index_bytes = spn__pak_index_bytes(h);
    if (h->index_bytes == 0 && h->entry_count > 0)
        return diag_refuse(is->diag, is->path, DIAG_NO_OFFSET, NULL,
                           "too many files or bytes for one pak: its index "
                           "would be larger than %u MiB",
                           PAK_INDEX_BYTES_MAX >> 20);
    h->data_offset =
        pak_sector_end(PAK_HEADER_BYTES + (uint64_t)h->index_bytes);
    return true;
}

/* Chunks of a content that has no place yet. `row_bytes`: of the chunk before
 * if the place may become part of it, else 0. */
static void cut_content(struct writer *w, uint32_t place, uint64_t bytes,
                        uint64_t *row_bytes)
{
    uint64_t blocks = pak_block_count(bytes);
    struct chunk *last = w->chunk_count ? &w->chunks[w->chunk_count - 1] : NULL;

    if (blocks == 1 && last && *row_bytes > 0 &&
        last->place_count < CHUNK_PLACES && bytes <= CHUNK_BYTES - *row_bytes) {
        last->place_count++;
        *row_bytes += bytes;
        return;
    }
    for (uint64_t k = 0; k < blocks; k += CHUNK_BLOCKS)
        w->chunks[w->chunk_count++] = (struct chunk){place, 1, (uint32_t)k};
    *row_bytes = blocks == 1 ? bytes : 0;
}

static void cut_chunks(struct writer *w)
{
    const struct pack_layout *layout = w->is->layout;
    uint64_t most = layout->count + w->header.block_count / CHUNK_BLOCKS +
                    (uint64_t)w->header.content_count;
    uint8_t *is_placed = ARENA_NEW(w->arena, uint8_t, w->header.content_count);
    uint64_t row_bytes = 0;

    w->offsets = ARENA_NEW(w->arena, uint64_t, layout->count);
    w->blocks = ARENA_NEW(w->arena, struct block, w->header.block_count);
    w->chunks = ARENA_NEW(w->arena, struct chunk, most);
    for (uint32_t i = 0; i < layout->count; i++) {
        uint32_t content = layout->contents[i];

        w->contents[content].copy_count++;
        if (is_placed[content]) {
            w->chunks[w->chunk_count++] = (struct chunk){i, 1, PAK_NONE};
            row_bytes = 0;
        } else {
            cut_content(w, i, file_of(w, content)->bytes, &row_bytes);
        }
        is_placed[content] = 1;
    }
}

/* -- compressing: any thread -- */

/* What a chunk has of one of its contents. */
static uint32_t chunk_bytes(const struct writer *w, const struct chunk *chunk,
                            uint32_t content)
{
    uint64_t bytes = file_of(w, content)->bytes -
                     (uint64_t)chunk->first_block * PAK_BLOCK_BYTES;

    return bytes < CHUNK_BYTES ? (uint32_t)bytes : (uint32_t)CHUNK_BYTES;
}

static uint32_t block_bytes(uint32_t chunk_bytes_left)
{
    return chunk_bytes_left < PAK_BLOCK_BYTES ? chunk_bytes_left
                                              : PAK_BLOCK_BYTES;
}

static uint32_t task_count_of(void *user, uint32_t item)
{
    return ((const struct writer *)user)->chunks[item].first_block != PAK_NONE;
}

static void compress_blocks(const struct compressor *compressor,
                            struct slot *slot, struct slot_at *at,
                            uint32_t bytes, void *workspace)
{
    uint32_t limit = at->raw + bytes;

    while (at->raw < limit) {
        uint32_t raw = block_bytes(limit - at->raw);
        uint8_t *to = slot->stored + at->stored;
        uint32_t stored =
            compressor->compress(slot->raw + at->raw, raw, to, workspace);

        if (stored == 0) {
            memcpy(to, slot->raw + at->raw, raw);
            stored = raw;
        }
        slot->stored_bytes[at->block] = stored;
        slot->checksum[at->block] = spn__checksum(to, stored, WIRE_SEED);
        at->raw += raw;
        at->stored += stored;
        at->block++;
    }
}

static bool compress_chunk(void *user, uint32_t item, uint32_t task,
                           uint32_t worker)
{
    const struct writer *w = user;
    const struct chunk *chunk = &w->chunks[item];
    struct slot *slot = &w->slots[item % w->slot_count];
    struct tools *tools = &w->tools[worker];
    struct slot_at at = {0, 0, 0};

    (void)task;
    for (uint32_t i = 0; i < chunk->place_count; i++) {
        uint32_t content = w->is->layout->contents[chunk->place + i];
        uint32_t bytes = chunk_bytes(w, chunk, content);
        const struct compressor *compressor = w->contents[content].compressor;

        if (!pack_file_read(file_of(w, content), &tools->decoder,
                            (uint64_t)chunk->first_block * PAK_BLOCK_BYTES,
                            slot->raw + at.raw, bytes, w->is->diag))
            return false;
        compress_blocks(compressor, slot, &at, bytes,
                        tools->workspace[compressor->id]);
    }
    return true;
}

/* -- writing: one at a time, in order -- */

static bool fill_sector(const struct writer *w)
{
    static const uint8_t zeroes[PAK_SECTOR_BYTES];
    uint64_t end = host_output_bytes(w->is->output);

    return host_output_append(w->is->output, zeroes,
                              (size_t)(pak_sector_end(end) - end));
}

/* The blocks of the slot that come next are of the content, from `first` on. */
static bool append_blocks(struct writer *w, struct stored_content *c,
                          uint32_t first, const struct slot *slot,
                          struct slot_at *at, uint32_t bytes)
{
    uint32_t count = (uint32_t)pak_block_count(bytes);
    struct block *block = &w->blocks[c->first_block + first];
    const uint8_t *from = slot->stored + at->stored;
    uint32_t stored = 0;

    for (uint32_t i = 0; i < count; i++, at->block++) {
        stored += slot->stored_bytes[at->block];
        block[i].end = c->stored_bytes + stored;
        block[i].checksum = slot->checksum[at->block];
    }
    at->stored += stored;
    c->stored_bytes += stored;
    return host_output_append(w->is->output, from, stored);
}

/* Compression saved too little: write the content again, as it is. That takes
 * more room, so nothing of the first time remains. Of the slot only what is raw
 * is overwritten. */
static bool store_anew(struct writer *w, uint32_t content, struct slot *slot,
                       struct tools *tools)
{
    struct stored_content *c = &w->contents[content];
    const struct pack_file *file = file_of(w, content);
    uint32_t block = c->first_block;

    c->stored_bytes = 0;
    for (uint64_t at = 0; at < file->bytes; at += CHUNK_BYTES) {
        uint32_t bytes = file->bytes - at < CHUNK_BYTES
                             ? (uint32_t)(file->bytes - at)
                             : (uint32_t)CHUNK_BYTES;

        if (!pack_file_read(file, &tools->decoder, at, slot->raw, bytes,
                            w->is->diag) ||
            !host_output_write_at(w->is->output, c->offset + at, slot->raw,
                                  bytes))
            return false;
        for (uint32_t k = 0; k < bytes; k += PAK_BLOCK_BYTES) {
            uint32_t raw = block_bytes(bytes - k);

            c->stored_bytes += raw;
            w->blocks[block].end = c->stored_bytes;
            w->blocks[block].checksum =
                spn__checksum(slot->raw + k, raw, WIRE_SEED);
            block++;
        }
    }
    return true;
}

/* Blocks were raw one by one already: then there is nothing to do. */
static bool end_content(struct writer *w, uint32_t content, struct slot *slot,
                        struct tools *tools)
{
    struct stored_content *c = &w->contents[content];
    uint64_t bytes = file_of(w, content)->bytes;
    uint64_t saved = bytes - c->stored_bytes;

    c->codec = c->compressor->id;
    if (saved < bytes / PAK_SAVES_LEAST || saved == 0) {
        c->codec = SPN_CODEC_STORE;
        if (saved > 0 && !store_anew(w, content, slot, tools))
            return false;
    }
    return fill_sector(w);
}

static bool copy_content(struct writer *w, uint32_t content, struct slot *slot)
{
    const struct stored_content *c = &w->contents[content];

    for (uint64_t at = 0; at < c->stored_bytes; at += sizeof slot->raw) {
        uint64_t left = c->stored_bytes - at;
        size_t bytes =
            left < sizeof slot->raw ? (size_t)left : sizeof slot->raw;

        if (!host_output_read_at(w->is->output, c->offset + at, slot->raw,
                                 bytes) ||
            !host_output_append(w->is->output, slot->raw, bytes))
            return false;
    }
    return fill_sector(w);
}

/* What the chunk has of the content of `place`. */
static bool write_part(struct writer *w, const struct chunk *chunk,
                       uint32_t place, struct slot *slot, struct slot_at *at,
                       struct tools *tools)
{
    uint32_t content = w->is->layout->contents[place];
    struct stored_content *c = &w->contents[content];
    uint32_t bytes = chunk_bytes(w, chunk, content);

    if (chunk->first_block == 0) {
        w->offsets[place] = host_output_bytes(w->is->output);
        c->offset = w->offsets[place];
    }
    if (!append_blocks(w, c, chunk->first_block, slot, at, bytes))
        return false;
    if ((uint64_t)chunk->first_block * PAK_BLOCK_BYTES + bytes <
        file_of(w, content)->bytes)
        return true;
    return end_content(w, content, slot, tools);
}

static bool write_chunk(void *user, uint32_t item, uint32_t worker)
{
    struct writer *w = user;
    const struct chunk *chunk = &w->chunks[item];
    struct slot *slot = &w->slots[item % w->slot_count];
    struct slot_at at = {0, 0, 0};

    if (w->is->progress)
        w->is->progress(w->is->progress_user,
                        (double)item / (double)w->chunk_count);
    if (chunk->first_block == PAK_NONE) {
        w->offsets[chunk->place] = host_output_bytes(w->is->output);
        return copy_content(w, w->is->layout->contents[chunk->place], slot);
    }
    for (uint32_t i = 0; i < chunk->place_count; i++)
        if (!write_part(w, chunk, chunk->place + i, slot, &at,
                        &w->tools[worker]))
            return false;
    return true;
}

/* What is not stored may be in the end. */
static bool is_used(const struct writer *w, uint32_t codec)
{
    bool is_used = codec == SPN_CODEC_STORE;

    for (uint32_t i = 0; i < w->header.content_count && !is_used; i++)
        is_used = w->contents[i].compressor->id == codec;
    return is_used;
}

static bool make_tools(struct writer *w)
{
    uint32_t threads = workers_count(w->is->workers);

    w->slot_count = threads * 2 + 2;
    w->slots = malloc(w->slot_count * sizeof *w->slots);
    w->tools = calloc(threads, sizeof *w->tools);
    if (!w->slots || !w->tools)
        return diag_io(w->is->diag, "memory", 0, "none left");
    for (uint32_t id = 0; id < PAK_DECODER_CODECS; id++)
        for (uint32_t i = 0; i < threads && is_used(w, id); i++) {
            const struct compressor *compressor = compressor_find(id);

            w->tools[i].workspace[id] =
                compressor->start(compressor->level_max > 0 ? w->is->level : 0);
            if (!w->tools[i].workspace[id])
                return diag_io(w->is->diag, "memory", 0, "none left");
        }
    return true;
}

static void free_tools(struct writer *w)
{
    for (uint32_t i = 0; w->tools && i < workers_count(w->is->workers); i++) {
        pak_decoder_free(&w->tools[i].decoder);
        for (uint32_t id = 0; id < PAK_DECODER_CODECS; id++)
            if (w->tools[i].workspace[id])
                compressor_find(id)->stop(w->tools[i].workspace[id]);
    }
    free(w->tools);
    free(w->slots);
}

/* Does a content say that it is compressed by itself? It is stored, unless a
 * rule names it. */
static void look_task(void *user, uint32_t content, uint32_t worker)
{
    struct writer *w = user;
    struct pack_file *file =
        &w->is->files->files[w->is->contents->files[content]];
    uint8_t *raw = w->slots[worker].raw;
    struct stored_content *c = &w->contents[content];

    if (c->compressor->id == SPN_CODEC_STORE ||
        pack_rule_find(w->is->rules, w->is->rule_count, file->name))
        return;
    if (file->bytes >= PACKED_SIGNATURE_BYTES &&
        !diag_has_failed(w->is->diag) && pack_file_hold(file, w->is->diag) &&
        pack_file_read(file, &w->tools[worker].decoder, 0, raw,
                       file->bytes < PAK_BLOCK_BYTES ? (size_t)file->bytes
                                                     : PAK_BLOCK_BYTES,
                       w->is->diag) &&
        memcmp(raw, PACKED_SIGNATURE, PACKED_SIGNATURE_BYTES) == 0)
        c->compressor = compressor_find(SPN_CODEC_STORE);
}

static bool find_packed(struct writer *w)
{
    workers_run(w->is->workers, w->header.content_count, look_task, w);
    return !diag_has_failed(w->is->diag);
}

static bool write_places(struct writer *w)
{
    const struct pipeline_stage stage = {.item_count = w->chunk_count,
                                         .window = w->slot_count,
                                         .task_count = task_count_of,
                                         .run_task = compress_chunk,
                                         .finish = write_chunk};

    return pipeline_run(w->is->workers, &stage, 1, w);
}

/* -- the index -- */

struct named {
    uint64_t hash;
    const struct pack_file *file;
};

static int by_hash(const void *a, const void *b)
{
    const struct named *x = a;
    const struct named *y = b;

    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return strcmp(x->file->name, y->file->name);
}

/* Entries by hash; contents numbered as the entries come to them. Returns the
 * contents by number. */
static uint32_t *put_entries(struct writer *w, struct named *named,
                             uint8_t **at)
{
    const struct pack_files *files = w->is->files;
    uint32_t *numbered = ARENA_NEW(w->arena, uint32_t, w->header.content_count);
    uint32_t next = 0;
    uint32_t name = 0;

    for (uint32_t i = 0; i < files->count; i++) {
        const struct pack_file *file = &files->files[i];

        named[i] = (struct named){
            spn__hash64(file->name, strlen(file->name), 0), file};
    }
    if (files->count > 0)
        qsort(named, files->count, sizeof *named, by_hash);
    for (uint32_t i = 0; i < files->count; i++) {
        struct pak_wire_entry *wire = (void *)*at;
        uint32_t content = named[i].file->content;

        if (w->contents[content].number == PAK_NONE) {
            numbered[next] = content;
            w->contents[content].number = next++;
        }
        spn_store_u64le(wire->hash, named[i].hash);
        spn_store_u32le(wire->name, name);
        spn_store_u32le(wire->content, w->contents[content].number);
        name += (uint32_t)strlen(named[i].file->name) + 1;
        *at += sizeof *wire;
    }
    return numbered;
}

static void put_contents(struct writer *w, const uint32_t *numbered,
                         uint8_t **at)
{
    uint32_t blocks = 0;
    uint32_t copies = 0;

    for (uint32_t i = 0; i < w->header.content_count; i++) {
        struct stored_content *c = &w->contents[numbered[i]];
        struct pak_wire_content *wire = (void *)*at;
        uint64_t bytes = file_of(w, numbered[i])->bytes;

        c->first_copy = copies;
        spn_store_u64le(wire->bytes, bytes);
        spn_store_u64le(wire->stored_bytes, c->stored_bytes);
        spn_store_u32le(wire->first_block, blocks);
        spn_store_u32le(wire->first_copy, copies);
        spn_store_u32le(wire->copy_count, c->copy_count);
        wire->codec[0] = (uint8_t)c->codec;
        blocks += (uint32_t)pak_block_count(bytes);
        copies += c->copy_count;
        *at += sizeof *wire;
    }
}

/* Copies by content and offset, then the same by offset alone: the places in
 * their order, each the next copy of its content. */
static void put_copies(struct writer *w, uint8_t **at)
{
    struct pak_wire_copy *copies = (void *)*at;
    struct pak_wire_place *places = (void *)(copies + w->header.copy_count);
    uint32_t *next = ARENA_NEW(w->arena, uint32_t, w->header.content_count);

    for (uint32_t i = 0; i < w->header.copy_count; i++) {
        uint32_t content = w->is->layout->contents[i];
        const struct stored_content *c = &w->contents[content];
        uint32_t copy = c->first_copy + next[content]++;

        spn_store_u64le(copies[copy].offset, w->offsets[i]);
        spn_store_u32le(copies[copy].content, c->number);
        spn_store_u32le(places[i].copy, copy);
    }
    *at = (uint8_t *)(places + w->header.copy_count);
}

static void put_blocks(const struct writer *w, const uint32_t *numbered,
                       uint8_t **at)
{
    for (uint32_t i = 0; i < w->header.content_count; i++) {
        const struct stored_content *c = &w->contents[numbered[i]];
        uint64_t count = pak_block_count(file_of(w, numbered[i])->bytes);

        for (uint64_t k = 0; k < count; k++) {
            const struct block *block = &w->blocks[c->first_block + k];
            struct pak_wire_block *wire = (void *)*at;

            spn_store_u32le(wire->end, (uint32_t)block->end);
            spn_store_u16le(wire->end + 4, (uint16_t)(block->end >> 32));
            spn_store_u32le(wire->checksum, block->checksum);
            *at += sizeof *wire;
        }
    }
}

static void put_index(struct writer *w)
{
    struct named *named =
        ARENA_NEW(w->arena, struct named, w->header.entry_count);
    const uint32_t *numbered;
    uint8_t *at;

    w->index = arena_alloc(w->is->files->arena, w->header.index_bytes, 1);
    at = w->index;
    numbered = put_entries(w, named, &at);
    put_contents(w, numbered, &at);
    put_copies(w, &at);
    put_blocks(w, numbered, &at);
    for (uint32_t i = 0; i < w->header.entry_count; i++) {
        size_t bytes = strlen(named[i].file->name) + 1;

        memcpy(at, named[i].file->name, bytes);
        at += bytes;
    }
    w->header.index_checksum =
        spn__checksum(w->index, w->header.index_bytes, WIRE_SEED);
    w->header.file_bytes = host_output_bytes(w->is->output);
}

static void put_header(const struct pak_header *h, struct pak_wire_header *wire)
{
    memset(wire, 0, sizeof *wire);
    memcpy(wire->signature, PAK_SIGNATURE, sizeof wire->signature);
    spn_store_u32le(wire->version, PAK_VERSION);
    spn_store_u32le(wire->entry_count, h->entry_count);
    spn_store_u32le(wire->content_count, h->content_count);
    spn_store_u32le(wire->copy_count, h->copy_count);
    spn_store_u32le(wire->block_count, h->block_count);
    spn_store_u32le(wire->name_bytes, h->name_bytes);
    spn_store_u32le(wire->index_bytes, h->index_bytes);
    spn_store_u32le(wire->index_checksum, h->index_checksum);
    spn_store_u64le(wire->file_bytes, h->file_bytes);
    spn_store_u64le(wire->data_offset, h->data_offset);
    spn_store_u32le(wire->checksum,
                    spn__checksum(wire,
                                  offsetof(struct pak_wire_header, checksum),
                                  WIRE_SEED));
}

/* The writer's own mistake. */
static bool refuse_own(const struct writer *w, const struct spn_fault *fault)
{
    fault_refuse(w->is->diag, w->is->path, FAULT_NO_FRAME, fault);
    w->is->diag->code = EXIT_INTERNAL;
    return false;
}

static bool sign(struct writer *w, struct pak_written *out)
{
    struct host_output *output = w->is->output;
    struct pak_wire_header wire;
    struct spn_fault fault = {0};
    struct pak_header header;

    put_index(w);
    put_header(&w->header, &wire);
    if (spn__pak_header((const uint8_t *)&wire, w->header.file_bytes, &header,
                        &fault) != SPN_OK ||
        spn__pak_index(&header, w->index, &out->index, &fault) != SPN_OK)
        return refuse_own(w, &fault);
    out->header = header;
    return host_output_write_at(output, sizeof wire, w->index,
                                w->header.index_bytes) &&
           host_output_write_at(output, sizeof wire.signature,
                                (const uint8_t *)&wire + sizeof wire.signature,
                                sizeof wire - sizeof wire.signature) &&
           host_output_write_at(output, 0, wire.signature,
                                sizeof wire.signature);
}

/* -- all of it -- */

/* Zeroes where header and index will be. */
static bool append_head(const struct writer *w)
{
    static const uint8_t zeroes[PAK_SECTOR_BYTES];

    for (uint64_t at = 0; at < w->header.data_offset; at += sizeof zeroes)
        if (!host_output_append(w->is->output, zeroes, sizeof zeroes))
            return false;
    return true;
}

static void sum_up(const struct writer *w, struct pak_written *out)
{
    for (uint32_t i = 0; i < w->header.content_count; i++) {
        const struct stored_content *c = &w->contents[i];

        out->bytes += file_of(w, i)->bytes;
        out->stored_bytes += c->stored_bytes;
        if (c->copy_count > 1)
            out->copy_bytes += c->stored_bytes * (c->copy_count - 1);
    }
}

bool pak_write(const struct pak_writing *writing, struct pak_written *out)
{
    struct writer w = {.is = writing};
    struct arena arena;
    bool is_good;

    memset(out, 0, sizeof *out);
    arena_init(&arena);
    w.arena = &arena;
    is_good = count_all(&w);
    if (is_good) {
        cut_chunks(&w);
        is_good = make_tools(&w) && find_packed(&w) && append_head(&w) &&
                  write_places(&w) && sign(&w, out);
        free_tools(&w);
    }
    if (is_good)
        sum_up(&w, out);
    arena_free(&arena);
    return is_good;
}
