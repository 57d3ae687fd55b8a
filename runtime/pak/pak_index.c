/* pak_index.c - entries, contents, copies and blocks of a validated index. */
/* SPDX-License-Identifier: MIT */
#include "pak/pak_index.h"

#include "base/endian.h"
#include "pak/pak_wire.h"

struct pak_entry spn__pak_entry(const struct pak_index *index, uint32_t entry)
{
    const struct pak_wire_entry *wire = pak_wire_entry_at(index, entry);

    return (struct pak_entry){index->names + spn_load_u32le(wire->named.name),
                              spn_load_u32le(wire->content)};
}

struct pak_content spn__pak_content(const struct pak_index *index,
                                    uint32_t content)
{
    const struct pak_wire_content *wire = pak_wire_content_at(index, content);
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
        pak_wire_block_at(index, content->first_block + block);
    uint64_t offset = block > 0 ? pak_wire_block_end(wire - 1) : 0;
    uint64_t left = content->bytes - (uint64_t)block * PAK_BLOCK_BYTES;

    return (struct pak_block){
        .offset = offset,
        .stored_bytes = (uint32_t)(pak_wire_block_end(wire) - offset),
        .bytes = left < PAK_BLOCK_BYTES ? (uint32_t)left : PAK_BLOCK_BYTES,
        .checksum = spn_load_u32le(wire->checksum),
    };
}

uint64_t spn__pak_copy_offset(const struct pak_index *index, uint32_t copy,
                              uint32_t *content)
{
    const struct pak_wire_copy *wire = pak_wire_copy_at(index, copy);

    if (content)
        *content = spn_load_u32le(wire->content);
    return spn_load_u64le(wire->offset);
}

uint32_t spn__pak_copy_by_offset(const struct pak_index *index, uint32_t rank)
{
    return spn_load_u32le(index->offset_order +
                          (size_t)rank * sizeof(struct pak_wire_offset_order));
}

uint32_t spn__pak_find(const struct pak_index *index, const char *name,
                       uint32_t name_bytes)
{
    const struct name_table names = pak_wire_names(index);

    return spn__name_find(&names, name, name_bytes);
}
