/* pak_index_writer.c - fill the tables of the index, then the header.
 *
 * Tables in the order of the file: entries, contents, copies, offset order,
 * blocks, names.
 */
/* SPDX-License-Identifier: MIT */
#include "pack/pak_index_writer.h"

#include "base/checksum.h"
#include "base/endian.h"
#include "common/fault_text.h"
#include "common/name_rows.h"
#include "pak/pak_validate.h"
#include "pak/pak_wire.h"

#include <string.h>

static uint32_t clamp_u32(uint64_t number)
{
    return number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

bool pak_index_plan(const struct pak_writing *writing, uint64_t block_count,
                    struct pak_header *header)
{
    const struct pack_files *files = writing->files;
    uint64_t name_bytes = 0;

    for (uint32_t i = 0; i < files->count; i++)
        name_bytes += strlen(files->files[i].name) + 1;
    header->entry_count = files->count;
    header->content_count = writing->contents->count;
    header->copy_count = writing->layout->count;
    /* A clamped count makes the index too large. */
    header->block_count = clamp_u32(block_count);
    header->name_bytes = clamp_u32(name_bytes);
    header->index_bytes = spn__pak_index_bytes(header);
    if (header->index_bytes == 0 && header->entry_count > 0)
        return diag_refuse(writing->diag, writing->path, DIAG_NO_OFFSET, NULL,
                           "too many files or bytes for one pak: its index "
                           "would be larger than %u MiB",
                           PAK_INDEX_BYTES_MAX >> 20);
    header->data_offset =
        pak_sector_ceil(PAK_HEADER_BYTES + (uint64_t)header->index_bytes);
    return true;
}

struct index_writer {
    const struct pak_writing *writing;
    const struct pak_data *data;
    struct pak_header header;
    struct name_row *entries; /* `number`: of a file */
    uint32_t *number;     /* of each content: its number in the index; PAK_NONE:
                           * none yet */
    uint32_t *numbered;   /* the contents by number */
    uint32_t *first_copy; /* of each content: index of its first copy */
    uint8_t *index;       /* the bytes of the index */
    uint8_t *at;          /* end of the bytes filled so far */
};

static uint64_t content_bytes(const struct index_writer *w, uint32_t content)
{
    const struct pak_writing *writing = w->writing;

    return writing->files->files[writing->contents->files[content]].bytes;
}

/* Entries are sorted by their names. Contents are numbered in the order in
 * which the entries refer to them first. */
static void put_entries(struct index_writer *w)
{
    const struct pack_files *files = w->writing->files;
    char *names =
        (char *)w->index + w->header.index_bytes - w->header.name_bytes;
    uint32_t next = 0;
    uint32_t name = 0;

    for (uint32_t i = 0; i < files->count; i++)
        w->entries[i] = name_row_make(files->files[i].name, i);
    name_rows_sort(w->entries, files->count);
    for (uint32_t i = 0; i < files->count; i++) {
        struct pak_wire_entry *wire = (void *)w->at;
        uint32_t content = files->files[w->entries[i].number].content;

        if (w->number[content] == PAK_NONE) {
            w->numbered[next] = content;
            w->number[content] = next++;
        }
        name = name_row_put(&w->entries[i], &wire->named, name, names);
        spn_store_u32le(wire->content, w->number[content]);
        w->at += sizeof *wire;
    }
}

static void put_contents(struct index_writer *w)
{
    uint32_t blocks = 0;
    uint32_t copies = 0;

    for (uint32_t i = 0; i < w->header.content_count; i++) {
        uint32_t content = w->numbered[i];
        const struct stored_content *c = &w->data->contents[content];
        struct pak_wire_content *wire = (void *)w->at;
        uint64_t bytes = content_bytes(w, content);

        w->first_copy[content] = copies;
        spn_store_u64le(wire->bytes, bytes);
        spn_store_u64le(wire->stored_bytes, c->stored_bytes);
        spn_store_u32le(wire->first_block, blocks);
        spn_store_u32le(wire->first_copy, copies);
        spn_store_u32le(wire->copy_count, c->copy_count);
        wire->codec[0] = (uint8_t)c->codec;
        blocks += (uint32_t)pak_block_count(bytes);
        copies += c->copy_count;
        w->at += sizeof *wire;
    }
}

/* Write the copies, sorted by content and offset, then the offset order,
 * which has the numbers of the copies sorted by offset. The layout is in the
 * order of offsets, so each of its elements is the next copy of its content. */
static void put_copies(struct index_writer *w, struct arena *arena)
{
    struct pak_wire_copy *copies = (void *)w->at;
    struct pak_wire_offset_order *order =
        (void *)(copies + w->header.copy_count);
    uint32_t *next = ARENA_NEW(arena, uint32_t, w->header.content_count);

    for (uint32_t i = 0; i < w->header.copy_count; i++) {
        uint32_t content = w->writing->layout->contents[i];
        uint32_t copy = w->first_copy[content] + next[content]++;

        spn_store_u64le(copies[copy].offset, w->data->offsets[i]);
        spn_store_u32le(copies[copy].content, w->number[content]);
        spn_store_u32le(order[i].copy, copy);
    }
    w->at = (uint8_t *)(order + w->header.copy_count);
}

static void put_blocks(struct index_writer *w)
{
    for (uint32_t i = 0; i < w->header.content_count; i++) {
        uint32_t content = w->numbered[i];
        const struct stored_block *block =
            &w->data->blocks[w->data->contents[content].first_block];
        uint64_t count = pak_block_count(content_bytes(w, content));

        for (uint64_t k = 0; k < count; k++, block++) {
            struct pak_wire_block *wire = (void *)w->at;

            spn_store_u32le(wire->end, (uint32_t)block->end);
            spn_store_u16le(wire->end + 4, (uint16_t)(block->end >> 32));
            spn_store_u32le(wire->checksum, block->checksum);
            w->at += sizeof *wire;
        }
    }
}

static void put_index(struct index_writer *w, struct arena *arena)
{
    uint32_t count = w->header.content_count;

    w->entries = ARENA_NEW(arena, struct name_row, w->header.entry_count);
    w->number = ARENA_NEW(arena, uint32_t, count);
    w->numbered = ARENA_NEW(arena, uint32_t, count);
    w->first_copy = ARENA_NEW(arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        w->number[i] = PAK_NONE;
    w->index = arena_alloc(w->writing->files->arena, w->header.index_bytes, 1);
    w->at = w->index;
    put_entries(w);
    put_contents(w);
    put_copies(w, arena);
    put_blocks(w);
    w->header.index_checksum =
        spn__checksum(w->index, w->header.index_bytes, WIRE_SEED);
    w->header.file_bytes = host_output_bytes(w->writing->output);
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

/* Refuse for an error of this tool, not of the input. */
static bool refuse_own(const struct pak_writing *writing,
                       const struct spn_fault *fault)
{
    fault_refuse(writing->diag, writing->path, FAULT_NO_FRAME, fault);
    writing->diag->code = EXIT_INTERNAL;
    return false;
}

bool pak_index_write(const struct pak_writing *writing,
                     const struct pak_data *data, struct pak_written *out)
{
    struct index_writer w = {
        .writing = writing, .data = data, .header = data->header};
    struct host_output *output = writing->output;
    struct pak_wire_header wire;
    struct spn_fault fault = {0};
    struct arena arena;

    arena_init(&arena);
    put_index(&w, &arena);
    arena_free(&arena);
    put_header(&w.header, &wire);
    if (spn__pak_validate_header((const uint8_t *)&wire, w.header.file_bytes,
                                 &out->header, &fault) != SPN_OK ||
        spn__pak_validate_index(&out->header, w.index, &out->index, &fault) !=
            SPN_OK)
        return refuse_own(writing, &fault);
    return host_output_write_at(output, sizeof wire, w.index,
                                w.header.index_bytes) &&
           host_output_write_at(output, sizeof wire.signature,
                                (const uint8_t *)&wire + sizeof wire.signature,
                                sizeof wire - sizeof wire.signature) &&
           host_output_write_at(output, 0, wire.signature,
                                sizeof wire.signature);
}
