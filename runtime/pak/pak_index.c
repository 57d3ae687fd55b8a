/* pak_index.c - the header and the index of a pak, validated and read.
 *
 * The header bounds every count by what the index holds, and the index by the
 * file. Behind that each table is walked once, in an order in which every
 * number can be compared with the one that it must be: the walk needs no
 * memory, and what it accepts has one meaning.
 */
/* SPDX-License-Identifier: MIT */
#include "pak/pak_index.h"

#include "base/checksum.h"
#include "base/endian.h"
#include "base/hash64.h"
#include "base/mem.h"
#include "pak/pak_wire.h"

#include <spindle/codec.h>
#include <stddef.h>

#define AT(field) offsetof(struct pak_wire_header, field)
#define NAME_SEED 0u

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
           (uint64_t)h->copy_count * sizeof(struct pak_wire_place) +
           (uint64_t)h->block_count * sizeof(struct pak_wire_block) +
           h->name_bytes;
}

uint32_t spn__pak_index_bytes(const struct pak_header *header)
{
    uint64_t bytes = tables_bytes(header);

    return bytes > PAK_INDEX_BYTES_MAX ? 0 : (uint32_t)bytes;
}

/* Signature and version speak before the checksum: a file that another
 * version wrote is whole. */
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

/* The index behind the header, the places behind the index. What the places
 * take is found when the index is walked. */
static spn_status validate_sizes(const struct pak_header *h,
                                 uint64_t file_bytes, struct spn_fault *fault)
{
    uint64_t data_offset =
        pak_sector_end(PAK_HEADER_BYTES + (uint64_t)h->index_bytes);

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

spn_status spn__pak_header(const uint8_t *bytes, uint64_t file_bytes,
                           struct pak_header *header, struct spn_fault *fault)
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

/* -- reading a validated index -- */

static const struct pak_wire_entry *wire_entry(const struct pak_index *index,
                                               uint32_t entry)
{
    return (const struct pak_wire_entry *)(const void *)index->entries + entry;
}

static const struct pak_wire_content *wire_content(
    const struct pak_index *index, uint32_t content)
{
    return (const struct pak_wire_content *)(const void *)index->contents +
           content;
}

static const struct pak_wire_copy *wire_copy(const struct pak_index *index,
                                             uint32_t copy)
{
    return (const struct pak_wire_copy *)(const void *)index->copies + copy;
}

static const struct pak_wire_block *wire_block(const struct pak_index *index,
                                               uint32_t block)
{
    return (const struct pak_wire_block *)(const void *)index->blocks + block;
}

static uint64_t block_end(const struct pak_wire_block *wire)
{
    return spn_load_u32le(wire->end) | (uint64_t)spn_load_u16le(wire->end + 4)
                                           << 32;
}

struct pak_entry spn__pak_entry(const struct pak_index *index, uint32_t entry)
{
    const struct pak_wire_entry *wire = wire_entry(index, entry);

    return (struct pak_entry){index->names + spn_load_u32le(wire->name),
                              spn_load_u32le(wire->content)};
}

struct pak_content spn__pak_content(const struct pak_index *index,
                                    uint32_t content)
{
    const struct pak_wire_content *wire = wire_content(index, content);
    uint64_t bytes = spn_load_u64le(wire->bytes);

    return (struct pak_content){
        .bytes = bytes,
        .stored_bytes = spn_load_u64le(wire->stored_bytes),
        .first_block = spn_load_u32le(wire->first_block),
        .block_count = (uint32_t)pak_block_count(bytes),
        .first_copy = spn_load_u32le(wire->first_copy),
        .copy_count = spn_load_u32le(wire->copy_count),
        .codec = wire->codec[0],
    };
}

struct pak_block spn__pak_block(const struct pak_index *index,
                                const struct pak_content *content,
                                uint32_t block)
{
    const struct pak_wire_block *wire =
        wire_block(index, content->first_block + block);
    uint64_t offset = block > 0 ? block_end(wire - 1) : 0;
    uint64_t left = content->bytes - (uint64_t)block * PAK_BLOCK_BYTES;

    return (struct pak_block){
        .offset = offset,
        .stored_bytes = (uint32_t)(block_end(wire) - offset),
        .bytes = left < PAK_BLOCK_BYTES ? (uint32_t)left : PAK_BLOCK_BYTES,
        .checksum = spn_load_u32le(wire->checksum),
    };
}

uint64_t spn__pak_copy(const struct pak_index *index, uint32_t copy,
                       uint32_t *content)
{
    const struct pak_wire_copy *wire = wire_copy(index, copy);

    if (content)
        *content = spn_load_u32le(wire->content);
    return spn_load_u64le(wire->offset);
}

uint32_t spn__pak_place(const struct pak_index *index, uint32_t place)
{
    return spn_load_u32le(index->places +
                          (size_t)place * sizeof(struct pak_wire_place));
}

/* -- finding -- */

/* The first entry whose hash is not below `hash`. */
static uint32_t lower_bound(const struct pak_index *index, uint64_t hash)
{
    uint32_t first = 0;
    uint32_t limit = index->header.entry_count;

    while (first < limit) {
        uint32_t middle = first + (limit - first) / 2;

        if (spn_load_u64le(wire_entry(index, middle)->hash) < hash)
            first = middle + 1;
        else
            limit = middle;
    }
    return first;
}

uint32_t spn__pak_find(const struct pak_index *index, const char *name,
                       uint32_t name_bytes)
{
    uint64_t hash = spn__hash64(name, name_bytes, NAME_SEED);
    const struct pak_header *h = &index->header;

    /* Names of one hash stand side by side. */
    for (uint32_t i = lower_bound(index, hash); i < h->entry_count; i++) {
        const struct pak_wire_entry *wire = wire_entry(index, i);
        uint32_t at = spn_load_u32le(wire->name);

        if (spn_load_u64le(wire->hash) != hash)
            break;
        if (name_bytes < h->name_bytes - at &&
            memcmp(index->names + at, name, name_bytes) == 0 &&
            index->names[at + name_bytes] == 0)
            return i;
    }
    return PAK_NONE;
}

/* -- judging the index -- */

struct judging {
    const struct pak_index *index;
    const uint8_t *bytes; /* of the index */
    struct spn_fault *fault;
};

/* Where a field of the index lies in the file. */
static uint64_t place_of(const struct judging *j, const void *field)
{
    return PAK_HEADER_BYTES + (uint64_t)((const uint8_t *)field - j->bytes);
}

static spn_status refuse(const struct judging *j, const char *what,
                         const void *field, uint64_t value)
{
    return wire_refuse_wide(j->fault, what, place_of(j, field), value);
}

static spn_status refuse_unlike(const struct judging *j, const char *what,
                                const void *field, uint64_t value,
                                uint64_t expected)
{
    return wire_refuse_for(j->fault, SPN_ERR_FORMAT, what, place_of(j, field),
                           value, expected);
}

/* Length of the name at `at`, or PAK_NONE when no NUL ends it in time. */
static uint32_t name_length(const struct pak_index *index, uint32_t at)
{
    uint32_t left = index->header.name_bytes - at;

    for (uint32_t i = 0; i < left && i < PAK_NAME_BYTES_MAX; i++)
        if (index->names[at + i] == 0)
            return i;
    return PAK_NONE;
}

/* Do entries `entry` - 1 and `entry` stand in their order? */
static bool is_ordered(const struct pak_index *index, uint32_t entry,
                       uint32_t bytes_before, uint32_t bytes)
{
    const struct pak_wire_entry *wire = wire_entry(index, entry);
    uint64_t before = spn_load_u64le(wire[-1].hash);
    uint64_t hash = spn_load_u64le(wire->hash);
    const char *name = index->names + spn_load_u32le(wire->name);
    uint32_t shorter = bytes_before < bytes ? bytes_before : bytes;
    int order;

    if (before != hash)
        return before < hash;
    order = memcmp(name - bytes_before - 1, name, shorter);
    return order < 0 || (order == 0 && bytes_before < bytes);
}

static spn_status validate_name(const struct judging *j, uint32_t entry,
                                uint32_t at, uint32_t *length)
{
    const struct pak_wire_entry *wire = wire_entry(j->index, entry);
    const char *name = j->index->names + at;
    uint64_t hash;

    *length = name_length(j->index, at);
    if (spn_load_u32le(wire->name) != at)
        return refuse_unlike(j, "place of a name", wire->name,
                             spn_load_u32le(wire->name), at);
    if (*length == PAK_NONE)
        return refuse(j, "end of a name", name, at);
    if (!spn__pak_name_is_good(name, *length))
        return refuse(j, "name", name, *length);
    hash = spn__hash64(name, *length, NAME_SEED);
    if (spn_load_u64le(wire->hash) != hash)
        return refuse_unlike(j, "hash of a name", wire->hash,
                             spn_load_u64le(wire->hash), hash);
    return SPN_OK;
}

/* Names lie in the order of the entries; a content is either one that an
 * entry before has named, or the next. */
static spn_status validate_entries(const struct judging *j)
{
    const struct pak_header *h = &j->index->header;
    uint32_t contents = 0;
    uint32_t length_before = 0;
    uint32_t name = 0;

    for (uint32_t i = 0; i < h->entry_count; i++) {
        const struct pak_wire_entry *wire = wire_entry(j->index, i);
        uint32_t content = spn_load_u32le(wire->content);
        uint32_t length;
        spn_status status = validate_name(j, i, name, &length);

        if (status != SPN_OK)
            return status;
        if (i > 0 && !is_ordered(j->index, i, length_before, length))
            return refuse(j, "order of the names", wire->hash, i);
        if (content > contents || content >= h->content_count)
            return refuse(j, "content of an entry", wire->content, content);
        contents += content == contents;
        length_before = length;
        name += length + 1;
    }
    if (contents != h->content_count)
        return wire_refuse_unlike(j->fault, "contents that are named",
                                  AT(content_count), h->content_count,
                                  contents);
    if (name != h->name_bytes)
        return wire_refuse_unlike(j->fault, "size of the names", AT(name_bytes),
                                  h->name_bytes, name);
    return SPN_OK;
}

/* No name is a file and a folder of others: "a" beside "a/b". */
static spn_status validate_folders(const struct judging *j)
{
    for (uint32_t i = 0; i < j->index->header.entry_count; i++) {
        const struct pak_wire_entry *wire = wire_entry(j->index, i);
        const char *name = j->index->names + spn_load_u32le(wire->name);

        for (uint32_t at = 0; name[at] != 0; at++)
            if (name[at] == '/' &&
                spn__pak_find(j->index, name, at) != PAK_NONE)
                return refuse(j, "name below a file", wire->name,
                              spn_load_u32le(wire->name));
    }
    return SPN_OK;
}

/* Ends rise by no more than what the block is raw, and end with the content.
 */
static spn_status validate_blocks(const struct judging *j,
                                  const struct pak_content *content)
{
    uint64_t before = 0;

    for (uint32_t i = 0; i < content->block_count; i++) {
        const struct pak_wire_block *wire =
            wire_block(j->index, content->first_block + i);
        uint64_t left = content->bytes - (uint64_t)i * PAK_BLOCK_BYTES;
        uint64_t raw = left < PAK_BLOCK_BYTES ? left : PAK_BLOCK_BYTES;
        uint64_t end = block_end(wire);

        if (end <= before || end - before > raw ||
            (content->codec == SPN_CODEC_STORE && end - before != raw))
            return refuse(j, "end of a block", wire->end, end);
        before = end;
    }
    if (before != content->stored_bytes)
        return refuse_unlike(j, "end of the last block",
                             wire_block(j->index, content->first_block +
                                                      content->block_count - 1)
                                 ->end,
                             before, content->stored_bytes);
    return SPN_OK;
}

static spn_status validate_copies(const struct judging *j, uint32_t number,
                                  const struct pak_content *content)
{
    uint64_t before = 0;

    for (uint32_t i = 0; i < content->copy_count; i++) {
        const struct pak_wire_copy *wire =
            wire_copy(j->index, content->first_copy + i);
        uint64_t offset = spn_load_u64le(wire->offset);
        uint32_t owner = spn_load_u32le(wire->content);

        if (owner != number)
            return refuse_unlike(j, "content of a copy", wire->content, owner,
                                 number);
        if (offset <= before)
            return refuse(j, "order of the copies", wire->offset, offset);
        before = offset;
    }
    return SPN_OK;
}

/* The numbers of one content, of which so many blocks and copies came before.
 */
static spn_status validate_content(const struct judging *j, uint32_t number,
                                   uint32_t blocks, uint32_t copies)
{
    const struct pak_header *h = &j->index->header;
    const struct pak_wire_content *wire = wire_content(j->index, number);
    struct pak_content c = spn__pak_content(j->index, number);

    if (!wire_is_zero(wire->reserved, sizeof wire->reserved))
        return refuse(j, "reserved bytes", wire->reserved, 0);
    if (c.bytes > PAK_CONTENT_BYTES_MAX ||
        pak_block_count(c.bytes) > h->block_count - blocks)
        return refuse(j, "size of a content", wire->bytes, c.bytes);
    if (c.stored_bytes > c.bytes || (c.stored_bytes == 0) != (c.bytes == 0))
        return refuse(j, "stored size of a content", wire->stored_bytes,
                      c.stored_bytes);
    /* What no block makes smaller is stored. */
    if ((c.stored_bytes == c.bytes) != (c.codec == SPN_CODEC_STORE))
        return refuse(j, "codec of a content", wire->codec, c.codec);
    if (c.first_block != blocks)
        return refuse_unlike(j, "first block of a content", wire->first_block,
                             c.first_block, blocks);
    if (c.first_copy != copies)
        return refuse_unlike(j, "first copy of a content", wire->first_copy,
                             c.first_copy, copies);
    if (c.copy_count > h->copy_count - copies ||
        (c.copy_count == 0) != (c.bytes == 0))
        return refuse(j, "copies of a content", wire->copy_count, c.copy_count);
    return SPN_OK;
}

static spn_status validate_contents(const struct judging *j)
{
    const struct pak_header *h = &j->index->header;
    uint32_t blocks = 0;
    uint32_t copies = 0;

    for (uint32_t i = 0; i < h->content_count; i++) {
        spn_status status = validate_content(j, i, blocks, copies);
        struct pak_content c;

        if (status != SPN_OK)
            return status;
        c = spn__pak_content(j->index, i);
        status = validate_blocks(j, &c);
        if (status == SPN_OK)
            status = validate_copies(j, i, &c);
        if (status != SPN_OK)
            return status;
        blocks += c.block_count;
        copies += c.copy_count;
    }
    if (blocks != h->block_count)
        return wire_refuse_unlike(j->fault, "blocks of all contents",
                                  AT(block_count), h->block_count, blocks);
    if (copies != h->copy_count)
        return wire_refuse_unlike(j->fault, "copies of all contents",
                                  AT(copy_count), h->copy_count, copies);
    return SPN_OK;
}

/* One place begins where the one before ends. As offsets rise, no copy is
 * named twice, so each is named once. */
static spn_status validate_places(const struct judging *j)
{
    const struct pak_header *h = &j->index->header;
    uint64_t at = h->data_offset;

    for (uint32_t i = 0; i < h->copy_count; i++) {
        const uint8_t *wire =
            j->index->places + (size_t)i * sizeof(struct pak_wire_place);
        uint32_t copy = spn_load_u32le(wire);
        uint32_t content;
        uint64_t offset;
        uint64_t stored_bytes;

        if (copy >= h->copy_count)
            return refuse(j, "copy at a place", wire, copy);
        offset = spn__pak_copy(j->index, copy, &content);
        if (offset != at)
            return refuse_unlike(j, "offset of a copy",
                                 wire_copy(j->index, copy)->offset, offset, at);
        stored_bytes = spn__pak_content(j->index, content).stored_bytes;
        at = pak_sector_end(at + stored_bytes);
        /* Here and not only behind the last: the sum of all may wrap. */
        if (at > h->file_bytes)
            return wire_refuse_unlike(j->fault, "file size", AT(file_bytes),
                                      h->file_bytes, at);
    }
    if (at != h->file_bytes)
        return wire_refuse_unlike(j->fault, "end of the last place",
                                  AT(file_bytes), h->file_bytes, at);
    return SPN_OK;
}

/* Tables follow each other without gaps. */
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
    index->places = at;
    at += h->copy_count * sizeof(struct pak_wire_place);
    index->blocks = at;
    at += h->block_count * sizeof(struct pak_wire_block);
    index->names = (const char *)at;
}

spn_status spn__pak_index(const struct pak_header *header, const uint8_t *bytes,
                          struct pak_index *index, struct spn_fault *fault)
{
    uint32_t found = spn__checksum(bytes, header->index_bytes, WIRE_SEED);
    struct pak_index laid_out;
    struct judging j = {&laid_out, bytes, fault};
    spn_status status;

    if (found != header->index_checksum)
        return wire_refuse_for(fault, SPN_ERR_CHECKSUM, "checksum of the index",
                               PAK_HEADER_BYTES, found, header->index_checksum);
    lay_out(header, bytes, &laid_out);
    status = validate_entries(&j);
    if (status == SPN_OK)
        status = validate_folders(&j);
    if (status == SPN_OK)
        status = validate_contents(&j);
    if (status == SPN_OK)
        status = validate_places(&j);
    if (status == SPN_OK)
        *index = laid_out;
    return status;
}
