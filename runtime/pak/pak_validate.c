/* pak_validate.c - accepts or refuses the header and the index of a pak.
 *
 * The header limits every count to what fits the index, and the index to what
 * fits the file. Then each table is walked once, in an order in which each
 * number can be compared with the only correct one. So the walk needs no
 * memory, and an accepted index has one meaning.
 */
/* SPDX-License-Identifier: MIT */
#include "pak/pak_validate.h"

#include "base/checksum.h"
#include "base/endian.h"
#include "pak/name_table.h"
#include "pak/pak_wire.h"

#include <spindle/codec.h>
#include <stddef.h>

#define AT(field) offsetof(struct pak_wire_header, field)

SPN_STATIC_ASSERT(PAK_INDEX_BYTES_MAX / sizeof(struct pak_wire_block) *
                          PAK_BLOCK_BYTES <
                      PAK_CONTENT_BYTES_MAX,
                  a_block_has_an_end);

/* -- the header -- */

/* Products of 32-bit counts and small sizes: the sum stays below 2^39. */
static uint64_t tables_bytes(const struct pak_header *h)
{
    return (uint64_t)h->entry_count * sizeof(struct pak_wire_entry) +
           (uint64_t)h->content_count * sizeof(struct pak_wire_content) +
           (uint64_t)h->copy_count * sizeof(struct pak_wire_copy) +
           (uint64_t)h->copy_count * sizeof(struct pak_wire_offset_order) +
           (uint64_t)h->block_count * sizeof(struct pak_wire_block) +
           h->name_bytes;
}

uint32_t spn__pak_index_bytes(const struct pak_header *header)
{
    uint64_t bytes = tables_bytes(header);

    return bytes > PAK_INDEX_BYTES_MAX ? 0 : (uint32_t)bytes;
}

/* Signature and version are checked before the checksum: a file of another
 * version is not damaged. */
static spn_status validate_identity(const uint8_t *bytes,
                                    struct spn_fault *fault)
{
    const struct pak_wire_header *wire = (const void *)bytes;
    uint32_t version = spn_load_u32le(wire->version);
    spn_status status =
        spn__wire_validate_signature(bytes, PAK_SIGNATURE, fault);

    if (status != SPN_OK)
        return status;
    if (version != PAK_VERSION)
        return wire_refuse_for(fault, SPN_ERR_VERSION, "version", AT(version),
                               version, PAK_VERSION);
    status = spn__wire_validate_checksum(bytes, PAK_HEADER_BYTES, fault);
    if (status == SPN_OK &&
        !wire_is_zero(wire->reserved, sizeof wire->reserved))
        return wire_refuse(fault, "reserved bytes", AT(reserved), 0);
    return status;
}

/* The index follows the header, the copies follow the index. The size of the
 * copies is checked with the index. */
static spn_status validate_sizes(const struct pak_header *h,
                                 uint64_t file_bytes, struct spn_fault *fault)
{
    uint64_t data_offset =
        pak_sector_ceil(PAK_HEADER_BYTES + (uint64_t)h->index_bytes);

    if (h->file_bytes != file_bytes)
        return wire_refuse_unlike(fault, "file size", AT(file_bytes),
                                  file_bytes, h->file_bytes);
    if (h->index_bytes > PAK_INDEX_BYTES_MAX)
        return wire_refuse(fault, "size of the index", AT(index_bytes),
                           h->index_bytes);
    if (tables_bytes(h) != h->index_bytes)
        return wire_refuse_unlike(fault, "size of the index", AT(index_bytes),
                                  h->index_bytes, tables_bytes(h));
    if (h->data_offset != data_offset)
        return wire_refuse_unlike(fault, "offset of the data", AT(data_offset),
                                  h->data_offset, data_offset);
    if (h->data_offset > file_bytes)
        return wire_refuse_wide(fault, "offset of the data", AT(data_offset),
                                h->data_offset);
    return SPN_OK;
}

spn_status spn__pak_validate_header(const uint8_t *bytes, uint64_t file_bytes,
                                    struct pak_header *header,
                                    struct spn_fault *fault)
{
    const struct pak_wire_header *wire = (const void *)bytes;
    struct pak_header h;
    spn_status status;

    if (file_bytes < PAK_HEADER_BYTES)
        return wire_refuse_wide(fault, "file size", 0, file_bytes);
    status = validate_identity(bytes, fault);
    if (status != SPN_OK)
        return status;
    h.entry_count = spn_load_u32le(wire->entry_count);
    h.content_count = spn_load_u32le(wire->content_count);
    h.copy_count = spn_load_u32le(wire->copy_count);
    h.block_count = spn_load_u32le(wire->block_count);
    h.name_bytes = spn_load_u32le(wire->name_bytes);
    h.index_bytes = spn_load_u32le(wire->index_bytes);
    h.index_checksum = spn_load_u32le(wire->index_checksum);
    h.file_bytes = spn_load_u64le(wire->file_bytes);
    h.data_offset = spn_load_u64le(wire->data_offset);
    status = validate_sizes(&h, file_bytes, fault);
    if (status == SPN_OK)
        *header = h;
    return status;
}

/* -- the index -- */

struct validation {
    const struct pak_index *index;
    struct wire_region region; /* the index */
};

/* A field of 32 bits must have this value. */
static spn_status expect(const struct validation *v, const char *what,
                         const uint8_t field[4], uint32_t expected)
{
    uint32_t value = spn_load_u32le(field);

    return value == expected ? SPN_OK
                             : spn__wire_region_refuse_unlike(
                                   &v->region, what, field, value, expected);
}

/* A count of the header must be the one that the tables have. */
static spn_status expect_count(const struct validation *v, const char *what,
                               uint32_t offset, uint32_t value,
                               uint32_t expected)
{
    return value == expected ? SPN_OK
                             : wire_refuse_unlike(v->region.fault, what, offset,
                                                  value, expected);
}

/* Names are in the order of the entries. A content is one that an earlier entry
 * refers to, or the next number. */
static spn_status validate_entries(const struct validation *v)
{
    const struct pak_header *h = &v->index->header;
    const struct name_table names = pak_wire_names(v->index);
    struct name_walk walk = {0};
    uint32_t contents = 0;
    spn_status status;

    for (uint32_t i = 0; i < h->entry_count; i++) {
        const struct pak_wire_entry *wire = pak_wire_entry_at(v->index, i);
        uint32_t content = spn_load_u32le(wire->content);

        status = spn__name_validate(&names, i, &walk, &v->region);
        if (status != SPN_OK)
            return status;
        if (content > contents || content >= h->content_count)
            return spn__wire_region_refuse(&v->region, "content of an entry",
                                           wire->content, content);
        contents += content == contents;
    }
    status = expect_count(v, "contents that are named", AT(content_count),
                          h->content_count, contents);
    return status != SPN_OK
               ? status
               : expect_count(v, "size of the names", AT(name_bytes),
                              h->name_bytes, walk.at);
}

/* No name is both a file and a folder: "a" beside "a/b". */
static spn_status validate_folders(const struct validation *v)
{
    for (uint32_t i = 0; i < v->index->header.entry_count; i++) {
        const struct pak_wire_entry *wire = pak_wire_entry_at(v->index, i);
        const char *name = v->index->names + spn_load_u32le(wire->named.name);

        for (uint32_t at = 0; name[at] != 0; at++)
            if (name[at] == '/' &&
                spn__pak_find(v->index, name, at) != PAK_NONE)
                return spn__wire_region_refuse(
                    &v->region, "name below a file", wire->named.name,
                    spn_load_u32le(wire->named.name));
    }
    return SPN_OK;
}

/* The ends increase by at most the decoded size of the block, and the last one
 * is the stored size of the content. */
static spn_status validate_blocks(const struct validation *v,
                                  const struct pak_content *content)
{
    uint64_t before = 0;

    for (uint32_t i = 0; i < content->block_count; i++) {
        const struct pak_wire_block *wire =
            pak_wire_block_at(v->index, content->first_block + i);
        uint64_t left = content->bytes - (uint64_t)i * PAK_BLOCK_BYTES;
        uint64_t raw = left < PAK_BLOCK_BYTES ? left : PAK_BLOCK_BYTES;
        uint64_t end = pak_wire_block_end(wire);

        if (end <= before || end - before > raw ||
            (content->codec == SPN_CODEC_STORE && end - before != raw))
            return spn__wire_region_refuse(&v->region, "end of a block",
                                           wire->end, end);
        before = end;
    }
    if (before != content->stored_bytes)
        return spn__wire_region_refuse_unlike(
            &v->region, "end of the last block",
            pak_wire_block_at(v->index,
                              content->first_block + content->block_count - 1)
                ->end,
            before, content->stored_bytes);
    return SPN_OK;
}

static spn_status validate_copies(const struct validation *v, uint32_t number,
                                  const struct pak_content *content)
{
    uint64_t before = 0;

    for (uint32_t i = 0; i < content->copy_count; i++) {
        const struct pak_wire_copy *wire =
            pak_wire_copy_at(v->index, content->first_copy + i);
        uint64_t offset = spn_load_u64le(wire->offset);
        spn_status status =
            expect(v, "content of a copy", wire->content, number);

        if (status != SPN_OK)
            return status;
        if (offset <= before)
            return spn__wire_region_refuse(&v->region, "order of the copies",
                                           wire->offset, offset);
        before = offset;
    }
    return SPN_OK;
}

/* Check one content. `blocks` and `copies` belong to the contents before it. */
static spn_status validate_content(const struct validation *v, uint32_t number,
                                   uint32_t blocks, uint32_t copies)
{
    const struct pak_header *h = &v->index->header;
    const struct pak_wire_content *wire = pak_wire_content_at(v->index, number);
    struct pak_content c = spn__pak_content(v->index, number);
    spn_status status;

    if (!wire_is_zero(wire->reserved, sizeof wire->reserved))
        return spn__wire_region_refuse(&v->region, "reserved bytes",
                                       wire->reserved, 0);
    if (c.bytes > PAK_CONTENT_BYTES_MAX ||
        pak_block_count(c.bytes) > h->block_count - blocks)
        return spn__wire_region_refuse(&v->region, "size of a content",
                                       wire->bytes, c.bytes);
    if (c.stored_bytes > c.bytes || (c.stored_bytes == 0) != (c.bytes == 0))
        return spn__wire_region_refuse(&v->region, "stored size of a content",
                                       wire->stored_bytes, c.stored_bytes);
    /* A content is stored raw if compression does not make it smaller. */
    if ((c.stored_bytes == c.bytes) != (c.codec == SPN_CODEC_STORE))
        return spn__wire_region_refuse(&v->region, "codec of a content",
                                       wire->codec, c.codec);
    status = expect(v, "first block of a content", wire->first_block, blocks);
    if (status == SPN_OK)
        status = expect(v, "first copy of a content", wire->first_copy, copies);
    if (status != SPN_OK)
        return status;
    if (c.copy_count > h->copy_count - copies ||
        (c.copy_count == 0) != (c.bytes == 0))
        return spn__wire_region_refuse(&v->region, "copies of a content",
                                       wire->copy_count, c.copy_count);
    return SPN_OK;
}

static spn_status validate_contents(const struct validation *v)
{
    const struct pak_header *h = &v->index->header;
    uint32_t blocks = 0;
    uint32_t copies = 0;
    spn_status status;

    for (uint32_t i = 0; i < h->content_count; i++) {
        struct pak_content c;

        status = validate_content(v, i, blocks, copies);
        if (status != SPN_OK)
            return status;
        c = spn__pak_content(v->index, i);
        status = validate_blocks(v, &c);
        if (status == SPN_OK)
            status = validate_copies(v, i, &c);
        if (status != SPN_OK)
            return status;
        blocks += c.block_count;
        copies += c.copy_count;
    }
    status = expect_count(v, "blocks of all contents", AT(block_count),
                          h->block_count, blocks);
    return status != SPN_OK
               ? status
               : expect_count(v, "copies of all contents", AT(copy_count),
                              h->copy_count, copies);
}

/* In the offset order each copy begins in the first sector after the previous
 * copy. So offsets increase, and each copy occurs once. */
static spn_status validate_offset_order(const struct validation *v)
{
    const struct pak_header *h = &v->index->header;
    uint64_t at = h->data_offset;

    for (uint32_t i = 0; i < h->copy_count; i++) {
        const uint8_t *wire = v->index->offset_order +
                              (size_t)i * sizeof(struct pak_wire_offset_order);
        uint32_t copy = spn_load_u32le(wire);
        uint32_t content;
        uint64_t offset;
        uint64_t stored_bytes;

        if (copy >= h->copy_count)
            return spn__wire_region_refuse(
                &v->region, "copy in the offset order", wire, copy);
        offset = spn__pak_copy_offset(v->index, copy, &content);
        if (offset != at)
            return spn__wire_region_refuse_unlike(
                &v->region, "offset of a copy",
                pak_wire_copy_at(v->index, copy)->offset, offset, at);
        stored_bytes = spn__pak_content(v->index, content).stored_bytes;
        at = pak_sector_ceil(at + stored_bytes);
        /* Checked in the loop, because the sum can overflow. */
        if (at > h->file_bytes)
            return wire_refuse_unlike(v->region.fault, "file size",
                                      AT(file_bytes), h->file_bytes, at);
    }
    if (at != h->file_bytes)
        return wire_refuse_unlike(v->region.fault, "end of the last copy",
                                  AT(file_bytes), h->file_bytes, at);
    return SPN_OK;
}

/* The tables follow each other without gaps. */
static void lay_out(const struct pak_header *h, const uint8_t *bytes,
                    struct pak_index *index)
{
    const uint8_t *at = bytes;

    index->header = *h;
    index->entries = at;
    at += h->entry_count * sizeof(struct pak_wire_entry);
    index->contents = at;
    at += h->content_count * sizeof(struct pak_wire_content);
    index->copies = at;
    at += h->copy_count * sizeof(struct pak_wire_copy);
    index->offset_order = at;
    at += h->copy_count * sizeof(struct pak_wire_offset_order);
    index->blocks = at;
    at += h->block_count * sizeof(struct pak_wire_block);
    index->names = (const char *)at;
}

spn_status spn__pak_validate_index(const struct pak_header *header,
                                   const uint8_t *bytes,
                                   struct pak_index *index,
                                   struct spn_fault *fault)
{
    uint32_t found = spn__checksum(bytes, header->index_bytes, WIRE_SEED);
    struct pak_index laid_out;
    const struct validation v = {&laid_out, {bytes, PAK_HEADER_BYTES, fault}};
    spn_status status;

    if (found != header->index_checksum)
        return wire_refuse_for(fault, SPN_ERR_CHECKSUM, "checksum of the index",
                               PAK_HEADER_BYTES, found, header->index_checksum);
    lay_out(header, bytes, &laid_out);
    status = validate_entries(&v);
    if (status == SPN_OK)
        status = validate_folders(&v);
    if (status == SPN_OK)
        status = validate_contents(&v);
    if (status == SPN_OK)
        status = validate_offset_order(&v);
    if (status == SPN_OK)
        *index = laid_out;
    return status;
}
