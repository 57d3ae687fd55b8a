/* mend_cache.c - caches whose bytes are wrong and whose checksums are right. */
/* SPDX-License-Identifier: MIT */
#include "fuzz/mend_cache.h"

#include "base/checksum.h"
#include "base/endian.h"
#include "cache/cache_wire.h"

static void mend(uint8_t *sum, const uint8_t *data, size_t bytes)
{
    spn_store_u32le(sum, spn__checksum(data, bytes, WIRE_SEED));
}

static size_t place(const uint8_t wire[8])
{
    const uint64_t offset = spn_load_u64le(wire);

    return offset > SIZE_MAX / 2 ? SIZE_MAX / 2 : (size_t)offset;
}

bool cache_parts_find(const uint8_t *data, size_t size, struct cache_parts *p)
{
    const struct wire_header *h = (const void *)data;

    if (size < CACHE_HEADER_BYTES)
        return false;
    p->frame_table = place(h->frame_table_offset);
    p->tables = place(h->tables_offset);
    p->blobs = place(h->blobs_offset);
    p->frames = place(h->frames_offset);
    p->frame_count = spn_load_u32le(h->frame_count);
    p->blob_count = spn_load_u32le(h->blob_count);
    p->block_count = spn_load_u32le(h->block_count);
    p->directory_bytes = CACHE_DIRECTORY_HEAD_BYTES +
                         (size_t)p->block_count * CACHE_DIRECTORY_ENTRY_BYTES;
    return p->frame_table >= CACHE_HEADER_BYTES &&
           p->frame_table <= p->tables && p->tables <= p->blobs &&
           p->blobs <= p->frames && p->frames <= size &&
           p->frame_count <=
               (p->tables - p->frame_table) / sizeof(struct wire_frame) &&
           p->blob_count <= (p->blobs - p->tables) / sizeof(struct wire_blob);
}

size_t cache_parts_frame(const uint8_t *data, size_t size,
                         const struct cache_parts *p, uint32_t stored,
                         size_t *start)
{
    const struct wire_frame *f =
        (const void *)(data + p->frame_table +
                       stored * sizeof(struct wire_frame));
    const size_t bytes = spn_load_u32le(f->bytes);

    *start = place(f->offset);
    if (*start > size || bytes > size - *start || bytes < p->directory_bytes)
        return 0;
    return bytes;
}

void mend_frame(uint8_t *frame, size_t bytes, uint32_t block_count)
{
    const size_t directory_bytes =
        CACHE_DIRECTORY_HEAD_BYTES +
        (size_t)block_count * CACHE_DIRECTORY_ENTRY_BYTES;
    struct wire_directory_head *head = (void *)frame;
    size_t at = directory_bytes;

    for (uint32_t i = 0; i < block_count; i++) {
        struct wire_directory_entry *e =
            (void *)(frame + CACHE_DIRECTORY_HEAD_BYTES +
                     i * CACHE_DIRECTORY_ENTRY_BYTES);
        const size_t stored = spn_load_u32le(e->stored) & ~WIRE_RAW_BIT;

        if (stored > bytes - at)
            break;
        if (stored > 0)
            mend(e->checksum, frame + at, stored);
        at += stored;
    }
    mend(head->checksum, head->number, directory_bytes - sizeof head->checksum);
}

static void mend_blobs(uint8_t *data, const struct cache_parts *p)
{
    struct wire_blob *blobs =
        (void *)(data + p->blobs - p->blob_count * sizeof(struct wire_blob));
    size_t at = p->blobs;

    for (uint32_t i = 0; i < p->blob_count; i++) {
        const size_t stored = spn_load_u32le(blobs[i].stored) & ~WIRE_RAW_BIT;

        if (stored > p->frames - at)
            return;
        mend(blobs[i].checksum, data + at, stored);
        at += stored;
    }
}

void mend_cache(uint8_t *data, size_t size)
{
    struct wire_header *h = (void *)data;
    struct cache_parts p;
    size_t start;

    if (cache_parts_find(data, size, &p)) {
        for (uint32_t i = 0; i < p.frame_count; i++) {
            const size_t bytes = cache_parts_frame(data, size, &p, i, &start);

            if (bytes > 0)
                mend_frame(data + start, bytes, p.block_count);
        }
        mend_blobs(data, &p);
        mend(h->frame_table_checksum, data + p.frame_table,
             p.tables - p.frame_table);
        mend(h->tables_checksum, data + p.tables, p.blobs - p.tables);
    }
    if (size >= CACHE_HEADER_BYTES)
        mend(h->checksum, data, offsetof(struct wire_header, checksum));
}
