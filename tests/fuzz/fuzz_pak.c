/* fuzz_pak.c - a pak in memory: header, index, every block of every copy.
 *
 * An accepted pak has the guarantees of pak_index.h. Every block is
 * decompressed by its codec, from and to memory of exactly its size. A search
 * for a name finds an entry with this name.
 */
/* SPDX-License-Identifier: MIT */
#include "fuzz/fuzz.h"

#include "base/checksum.h"
#include "base/endian.h"
#include "base/hash64.h"
#include "pak/pak_validate.h"
#include "pak/pak_wire.h"
#include "support/tiny_pak.h"

#include <stdlib.h>
#include <string.h>

/* Limit of decompressed bytes of an accepted pak, to bound one input's time. */
#define RAW_BYTES_MAX ((uint64_t)1 << 20)

static bool is_small(const uint8_t *data, size_t size)
{
    struct spn_fault fault = {0};
    struct pak_header header;
    struct pak_index index;
    uint64_t bytes = 0;

    if (spn__pak_validate_header(data, size, &header, &fault) != SPN_OK ||
        spn__pak_validate_index(&header, data + PAK_HEADER_BYTES, &index,
                                &fault) != SPN_OK)
        return true;
    for (uint32_t i = 0; i < header.content_count; i++) {
        const struct pak_content c = spn__pak_content(&index, i);

        if (c.bytes > RAW_BYTES_MAX)
            return false;
        bytes += c.bytes * c.copy_count;
    }
    return bytes <= RAW_BYTES_MAX;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct spn_fault fault = {0};
    uint8_t *copy = fuzz_copy(data, size);
    spn_status status;

    /* The header is validated from the bytes that there are. */
    if (size >= PAK_HEADER_BYTES && is_small(copy, size)) {
        status = tiny_pak_walk(copy, size, &fault);
        CHECK(status == SPN_OK || fault.what != NULL);
    } else if (size < PAK_HEADER_BYTES) {
        CHECK(tiny_pak_walk(copy, size, &fault) != SPN_OK);
    }
    free(copy);
    return 0;
}

/* -- mutation -- */

static void mend_hashes(uint8_t *data, const struct tiny_pak_tables *p)
{
    const struct pak_wire_header *h = (const void *)data;
    const uint32_t entry_count = spn_load_u32le(h->entry_count);

    for (uint32_t i = 0; i < entry_count; i++) {
        struct pak_wire_entry *e =
            (void *)(data + p->entries + i * sizeof(struct pak_wire_entry));
        const uint32_t name = spn_load_u32le(e->named.name);
        const uint8_t *text = data + p->names + name;
        const uint8_t *end;

        if (name >= p->end - p->names)
            continue;
        end = memchr(text, 0, p->end - p->names - name);
        if (end)
            spn_store_u64le(
                e->named.hash,
                spn__hash64((const char *)text, (size_t)(end - text), 0));
    }
}

/* Correct the checksums of the blocks of a content, by its first copy. */
static void mend_blocks(uint8_t *data, size_t size,
                        const struct tiny_pak_tables *p, uint32_t content)
{
    const struct pak_wire_content *c =
        (const void *)(data + p->contents +
                       content * sizeof(struct pak_wire_content));
    const size_t copy = p->copies + (size_t)spn_load_u32le(c->first_copy) *
                                        sizeof(struct pak_wire_copy);
    const uint64_t stored = spn_load_u64le(c->stored_bytes);
    size_t block = p->blocks + (size_t)spn_load_u32le(c->first_block) *
                                   sizeof(struct pak_wire_block);
    uint64_t offset;
    uint64_t start = 0;

    if (spn_load_u32le(c->copy_count) == 0 ||
        copy + sizeof(struct pak_wire_copy) > p->offset_order)
        return;
    offset = spn_load_u64le(data + copy);
    while (block + sizeof(struct pak_wire_block) <= p->names &&
           start < stored && offset < size && stored <= size - offset) {
        struct pak_wire_block *b = (void *)(data + block);
        const uint64_t end =
            spn_load_u32le(b->end) | (uint64_t)spn_load_u16le(b->end + 4) << 32;

        if (end <= start || end > stored)
            return;
        spn_store_u32le(b->checksum,
                        spn__checksum(data + offset + start,
                                      (size_t)(end - start), WIRE_SEED));
        start = end;
        block += sizeof(struct pak_wire_block);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t size_max,
                               unsigned seed)
{
    const uint32_t way = fuzz_pick(&seed, 8);
    const struct pak_wire_header *h = (const void *)data;
    struct tiny_pak_tables p;
    uint32_t content_count;

    if (!tiny_pak_find(data, size, &p) || way == 0)
        size = LLVMFuzzerMutate(data, size, size_max);
    else if (way == 1)
        fuzz_mutate_inside(data, 0, PAK_HEADER_BYTES - 4);
    else if (way < 6)
        fuzz_mutate_inside(data, p.entries, p.end);
    else
        fuzz_mutate_inside(data, p.end, size);
    if (!tiny_pak_find(data, size, &p) || fuzz_pick(&seed, 16) == 0)
        return size;
    content_count = spn_load_u32le(h->content_count);
    mend_hashes(data, &p);
    for (uint32_t i = 0; i < content_count; i++)
        mend_blocks(data, size, &p, i);
    tiny_pak_correct_checksums(data, size);
    return size;
}
