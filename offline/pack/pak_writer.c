/* pak_writer.c - compress contents in parallel and write them in order.
 *
 * The items of the pipeline (common/pipeline.h) are chunks: a few blocks of one
 * copy, or consecutive copies of one block each. A task compresses a chunk into
 * a slot; the finish call writes the slot. An extra copy of a content is a
 * chunk without a task; its finish call repeats the bytes that the output has.
 * The slots bound the memory.
 */
/* SPDX-License-Identifier: MIT */
#include "pack/pak_writer.h"

#include "base/checksum.h"
#include "common/pipeline.h"
#include "compress/compress.h"
#include "pack/pak_index_writer.h"
#include "pak/pak_wire.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK_BLOCKS 4u
#define CHUNK_BYTES ((size_t)CHUNK_BLOCKS * PAK_BLOCK_BYTES)
#define CHUNK_COPIES 64u
/* Caches begin with it. They are compressed already. */
#define PACKED_SIGNATURE "SPNCACHE"
#define PACKED_SIGNATURE_BYTES 8u

/* An item of the pipeline. */
struct chunk {
    uint32_t copy;        /* index in the layout */
    uint32_t copy_count;  /* copies from there on; above 1: of one block each */
    uint32_t first_block; /* in the content; PAK_NONE: an extra copy */
};

/* The blocks of a chunk, one after the other. */
struct slot {
    uint8_t raw[CHUNK_BYTES];
    uint8_t stored[CHUNK_BYTES];
    uint32_t stored_bytes[CHUNK_COPIES]; /* of each block */
    uint32_t checksum[CHUNK_COPIES];     /* of each block, as stored */
};
SPN_STATIC_ASSERT(CHUNK_COPIES >= CHUNK_BLOCKS, blocks_of_a_chunk);

/* A position between two blocks of a slot. */
struct slot_cursor {
    uint32_t raw;    /* bytes in slot.raw */
    uint32_t stored; /* bytes in slot.stored */
    uint32_t block;  /* index */
};

/* Workspaces of a thread. */
struct tools {
    struct pak_decoder decoder;
    void *workspace[PAK_DECODER_CODECS]; /* by codec; NULL: not used */
};

struct writer {
    const struct pak_writing *job;
    struct arena *arena;
    struct pak_data data;
    const struct compressor **compressors; /* of each content */
    struct chunk *chunks;
    uint32_t chunk_count;
    struct slot *slots; /* chunk i has slot i % slot_count */
    uint32_t slot_count;
    struct tools *tools; /* one for each thread */
};

static const struct pack_file *file_of(const struct writer *w, uint32_t content)
{
    return &w->job->files->files[w->job->contents->files[content]];
}

/* The codec of a content: that of the rule for its first file, or the default.
 */
static uint32_t codec_of(const struct writer *w, uint32_t content)
{
    const struct pack_rule *rule = pack_rule_find(
        w->job->rules, w->job->rule_count, file_of(w, content)->name);

    return rule ? rule->codec : w->job->codec;
}

/* -- plan -- */

/* Number the blocks and choose the codecs. Returns the number of all blocks. */
static uint64_t plan_contents(struct writer *w)
{
    uint32_t count = w->job->contents->count;
    uint64_t blocks = 0;

    w->data.contents = ARENA_NEW(w->arena, struct stored_content, count);
    w->compressors = ARENA_NEW(w->arena, const struct compressor *, count);
    for (uint32_t i = 0; i < count; i++) {
        w->data.contents[i].first_block = (uint32_t)blocks;
        w->compressors[i] = compressor_find(codec_of(w, i));
        blocks += pak_block_count(file_of(w, i)->bytes);
    }
    return blocks;
}

/* Add the chunks of the first copy of a content. *row_bytes is the size of the
 * last chunk if copies may be added to it, else 0. */
static void add_chunks(struct writer *w, uint32_t copy, uint64_t bytes,
                       uint64_t *row_bytes)
{
    uint64_t blocks = pak_block_count(bytes);
    struct chunk *last = w->chunk_count ? &w->chunks[w->chunk_count - 1] : NULL;

    if (blocks == 1 && last && *row_bytes > 0 &&
        last->copy_count < CHUNK_COPIES && bytes <= CHUNK_BYTES - *row_bytes) {
        last->copy_count++;
        *row_bytes += bytes;
        return;
    }
    for (uint64_t k = 0; k < blocks; k += CHUNK_BLOCKS)
        w->chunks[w->chunk_count++] = (struct chunk){copy, 1, (uint32_t)k};
    *row_bytes = blocks == 1 ? bytes : 0;
}

static void plan_chunks(struct writer *w)
{
    const struct pack_layout *layout = w->job->layout;
    uint64_t most = layout->count + w->data.header.block_count / CHUNK_BLOCKS +
                    (uint64_t)w->data.header.content_count;
    uint8_t *has_copy =
        ARENA_NEW(w->arena, uint8_t, w->data.header.content_count);
    uint64_t row_bytes = 0;

    w->data.offsets = ARENA_NEW(w->arena, uint64_t, layout->count);
    w->data.blocks =
        ARENA_NEW(w->arena, struct stored_block, w->data.header.block_count);
    w->chunks = ARENA_NEW(w->arena, struct chunk, most);
    for (uint32_t i = 0; i < layout->count; i++) {
        uint32_t content = layout->contents[i];

        w->data.contents[content].copy_count++;
        if (has_copy[content]) {
            w->chunks[w->chunk_count++] = (struct chunk){i, 1, PAK_NONE};
            row_bytes = 0;
        } else {
            add_chunks(w, i, file_of(w, content)->bytes, &row_bytes);
        }
        has_copy[content] = 1;
    }
}

/* -- compressing: any thread -- */

/* The bytes of a content in a chunk. */
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
                            struct slot *slot, struct slot_cursor *at,
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
    struct slot_cursor at = {0, 0, 0};

    (void)task;
    for (uint32_t i = 0; i < chunk->copy_count; i++) {
        uint32_t content = w->job->layout->contents[chunk->copy + i];
        uint32_t bytes = chunk_bytes(w, chunk, content);
        const struct compressor *compressor = w->compressors[content];

        if (!pack_file_read(file_of(w, content), &tools->decoder,
                            (uint64_t)chunk->first_block * PAK_BLOCK_BYTES,
                            slot->raw + at.raw, bytes, w->job->diag))
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
    uint64_t end = host_output_bytes(w->job->output);

    return host_output_append(w->job->output, zeroes,
                              (size_t)(pak_sector_ceil(end) - end));
}

/* Write the next `bytes` (uncompressed) of the slot: blocks of content c, from
 * its block `first` on. */
static bool append_blocks(struct writer *w, struct stored_content *c,
                          uint32_t first, const struct slot *slot,
                          struct slot_cursor *at, uint32_t bytes)
{
    uint32_t count = (uint32_t)pak_block_count(bytes);
    struct stored_block *block = &w->data.blocks[c->first_block + first];
    const uint8_t *from = slot->stored + at->stored;
    uint32_t stored = 0;

    for (uint32_t i = 0; i < count; i++, at->block++) {
        stored += slot->stored_bytes[at->block];
        block[i].end = c->stored_bytes + stored;
        block[i].checksum = slot->checksum[at->block];
    }
    at->stored += stored;
    c->stored_bytes += stored;
    return host_output_append(w->job->output, from, stored);
}

/* Compression saved too little: write the content again, uncompressed. It is
 * longer than before, so it covers all compressed bytes. Of the slot only `raw`
 * is overwritten. */
static bool store_raw(struct writer *w, uint32_t content, struct slot *slot,
                      struct tools *tools)
{
    struct stored_content *c = &w->data.contents[content];
    const struct pack_file *file = file_of(w, content);
    uint32_t block = c->first_block;

    c->stored_bytes = 0;
    for (uint64_t at = 0; at < file->bytes; at += CHUNK_BYTES) {
        uint32_t bytes = file->bytes - at < CHUNK_BYTES
                             ? (uint32_t)(file->bytes - at)
                             : (uint32_t)CHUNK_BYTES;

        if (!pack_file_read(file, &tools->decoder, at, slot->raw, bytes,
                            w->job->diag) ||
            !host_output_write_at(w->job->output, c->offset + at, slot->raw,
                                  bytes))
            return false;
        for (uint32_t k = 0; k < bytes; k += PAK_BLOCK_BYTES) {
            uint32_t raw = block_bytes(bytes - k);

            c->stored_bytes += raw;
            w->data.blocks[block].end = c->stored_bytes;
            w->data.blocks[block].checksum =
                spn__checksum(slot->raw + k, raw, WIRE_SEED);
            block++;
        }
    }
    return true;
}

/* All blocks are written: choose the codec. If all blocks are raw already,
 * nothing is written again. */
static bool end_content(struct writer *w, uint32_t content, struct slot *slot,
                        struct tools *tools)
{
    struct stored_content *c = &w->data.contents[content];
    uint64_t bytes = file_of(w, content)->bytes;
    uint64_t saved = bytes - c->stored_bytes;

    c->codec = w->compressors[content]->id;
    if (saved < bytes / PAK_SAVES_LEAST || saved == 0) {
        c->codec = SPN_CODEC_STORE;
        if (saved > 0 && !store_raw(w, content, slot, tools))
            return false;
    }
    return fill_sector(w);
}

static bool repeat_content(struct writer *w, uint32_t content,
                           struct slot *slot)
{
    const struct stored_content *c = &w->data.contents[content];

    for (uint64_t at = 0; at < c->stored_bytes; at += sizeof slot->raw) {
        uint64_t left = c->stored_bytes - at;
        size_t bytes =
            left < sizeof slot->raw ? (size_t)left : sizeof slot->raw;

        if (!host_output_read_at(w->job->output, c->offset + at, slot->raw,
                                 bytes) ||
            !host_output_append(w->job->output, slot->raw, bytes))
            return false;
    }
    return fill_sector(w);
}

/* Write the blocks of a copy that are in the chunk. */
static bool write_copy(struct writer *w, const struct chunk *chunk,
                       uint32_t copy, struct slot *slot, struct slot_cursor *at,
                       struct tools *tools)
{
    uint32_t content = w->job->layout->contents[copy];
    struct stored_content *c = &w->data.contents[content];
    uint32_t bytes = chunk_bytes(w, chunk, content);

    if (chunk->first_block == 0) {
        w->data.offsets[copy] = host_output_bytes(w->job->output);
        c->offset = w->data.offsets[copy];
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
    struct slot_cursor at = {0, 0, 0};

    if (w->job->progress)
        w->job->progress(w->job->progress_user,
                         (double)item / (double)w->chunk_count);
    if (chunk->first_block == PAK_NONE) {
        w->data.offsets[chunk->copy] = host_output_bytes(w->job->output);
        return repeat_content(w, w->job->layout->contents[chunk->copy], slot);
    }
    for (uint32_t i = 0; i < chunk->copy_count; i++)
        if (!write_copy(w, chunk, chunk->copy + i, slot, &at,
                        &w->tools[worker]))
            return false;
    return true;
}

/* Does a thread need a workspace for the codec? Store is always needed: a
 * content that is compressed already is stored. */
static bool is_used(const struct writer *w, uint32_t codec)
{
    bool is_used = codec == SPN_CODEC_STORE;

    for (uint32_t i = 0; i < w->data.header.content_count && !is_used; i++)
        is_used = w->compressors[i]->id == codec;
    return is_used;
}

static bool make_tools(struct writer *w)
{
    uint32_t threads = workers_count(w->job->workers);

    w->slot_count = threads * 2 + 2;
    w->slots = malloc(w->slot_count * sizeof *w->slots);
    w->tools = calloc(threads, sizeof *w->tools);
    if (!w->slots || !w->tools)
        return diag_io(w->job->diag, "memory", 0, "none left");
    for (uint32_t id = 0; id < PAK_DECODER_CODECS; id++)
        for (uint32_t i = 0; i < threads && is_used(w, id); i++) {
            const struct compressor *compressor = compressor_find(id);

            w->tools[i].workspace[id] = compressor->start(
                compressor->level_max > 0 ? w->job->level : 0);
            if (!w->tools[i].workspace[id])
                return diag_io(w->job->diag, "memory", 0, "none left");
        }
    return true;
}

static void free_tools(struct writer *w)
{
    for (uint32_t i = 0; w->tools && i < workers_count(w->job->workers); i++) {
        pak_decoder_free(&w->tools[i].decoder);
        for (uint32_t id = 0; id < PAK_DECODER_CODECS; id++)
            if (w->tools[i].workspace[id])
                compressor_find(id)->stop(w->tools[i].workspace[id]);
    }
    free(w->tools);
    free(w->slots);
}

/* Store a content that is compressed already, unless a rule applies to it. */
static void detect_compressed(void *user, uint32_t content, uint32_t worker)
{
    struct writer *w = user;
    struct pack_file *file =
        &w->job->files->files[w->job->contents->files[content]];
    uint8_t *raw = w->slots[worker].raw;

    if (w->compressors[content]->id == SPN_CODEC_STORE ||
        pack_rule_find(w->job->rules, w->job->rule_count, file->name))
        return;
    if (file->bytes >= PACKED_SIGNATURE_BYTES &&
        !diag_has_failed(w->job->diag) && pack_file_load(file, w->job->diag) &&
        pack_file_read(file, &w->tools[worker].decoder, 0, raw,
                       file->bytes < PAK_BLOCK_BYTES ? (size_t)file->bytes
                                                     : PAK_BLOCK_BYTES,
                       w->job->diag) &&
        memcmp(raw, PACKED_SIGNATURE, PACKED_SIGNATURE_BYTES) == 0)
        w->compressors[content] = compressor_find(SPN_CODEC_STORE);
}

static bool detect_all_compressed(struct writer *w)
{
    workers_run(w->job->workers, w->data.header.content_count,
                detect_compressed, w);
    return !diag_has_failed(w->job->diag);
}

static bool write_copies(struct writer *w)
{
    const struct pipeline_stage stage = {.item_count = w->chunk_count,
                                         .window = w->slot_count,
                                         .task_count = task_count_of,
                                         .run_task = compress_chunk,
                                         .finish = write_chunk};

    return pipeline_run(w->job->workers, &stage, 1, w);
}

/* -- the pak -- */

/* Write zeroes where header and index will be. */
static bool append_zeroes(const struct writer *w)
{
    static const uint8_t zeroes[PAK_SECTOR_BYTES];

    for (uint64_t at = 0; at < w->data.header.data_offset; at += sizeof zeroes)
        if (!host_output_append(w->job->output, zeroes, sizeof zeroes))
            return false;
    return true;
}

/* Sum the bytes of all contents. */
static void sum_up(const struct writer *w, struct pak_written *out)
{
    for (uint32_t i = 0; i < w->data.header.content_count; i++) {
        const struct stored_content *c = &w->data.contents[i];

        out->bytes += file_of(w, i)->bytes;
        out->stored_bytes += c->stored_bytes;
        if (c->copy_count > 1)
            out->extra_bytes += c->stored_bytes * (c->copy_count - 1);
    }
}

bool pak_write(const struct pak_writing *writing, struct pak_written *out)
{
    struct writer w = {.job = writing};
    struct arena arena;
    bool is_good;

    memset(out, 0, sizeof *out);
    arena_init(&arena);
    w.arena = &arena;
    is_good = pak_index_plan(writing, plan_contents(&w), &w.data.header);
    if (is_good) {
        plan_chunks(&w);
        is_good = make_tools(&w) && detect_all_compressed(&w) &&
                  append_zeroes(&w) && write_copies(&w) &&
                  pak_index_write(writing, &w.data, out);
        free_tools(&w);
    }
    if (is_good)
        sum_up(&w, out);
    arena_free(&arena);
    return is_good;
}
