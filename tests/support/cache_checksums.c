/* cache_checksums.c - find and correct the checksums of a cache. */
/* SPDX-License-Identifier: MIT */
#include "support/cache_checksums.h"

#include "base/checksum.h"
#include "base/endian.h"
#include "cache/cache_wire.h"
#include "cache/cache_wire_tables.h"
#include "harness.h"

#include <stdlib.h>

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
                         (size_t)p->block_count * CACHE_DIRECTORY_ENTRY_BYTES +
                         spn_load_u32le(h->box_bytes);
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

/* Called for each checksum: `at` is its offset; it covers `bytes` from
 * `offset`. */
typedef void visit_checksum(void *user, size_t at, size_t offset, size_t bytes);

/* Visit the checksums of a frame whose directory starts at `start`. */
static void visit_frame(const uint8_t *data, size_t start, size_t bytes,
                        uint32_t block_count, size_t directory_bytes,
                        visit_checksum *visit, void *user)
{
    const size_t number_at =
        start + offsetof(struct wire_directory_head, number);
    size_t at = directory_bytes;

    for (uint32_t i = 0; i < block_count; i++) {
        const size_t entry_at = start + CACHE_DIRECTORY_HEAD_BYTES +
                                i * CACHE_DIRECTORY_ENTRY_BYTES;
        const struct wire_directory_entry *e = (const void *)(data + entry_at);
        const size_t stored = spn_load_u32le(e->stored) & ~WIRE_RAW_BIT;

        if (stored > bytes - at)
            break;
        if (stored > 0)
            visit(user,
                  entry_at + offsetof(struct wire_directory_entry, checksum),
                  start + at, stored);
        at += stored;
    }
    visit(user, start, number_at, directory_bytes - (number_at - start));
}

static void visit_blobs(const uint8_t *data, const struct cache_parts *p,
                        visit_checksum *visit, void *user)
{
    const size_t table_at = p->blobs - p->blob_count * sizeof(struct wire_blob);
    const struct wire_blob *blobs = (const void *)(data + table_at);
    size_t at = p->blobs;

    for (uint32_t i = 0; i < p->blob_count; i++) {
        const size_t stored = spn_load_u32le(blobs[i].stored) & ~WIRE_RAW_BIT;

        if (stored > p->frames - at)
            return;
        visit(user,
              table_at + i * sizeof(struct wire_blob) +
                  offsetof(struct wire_blob, checksum),
              at, stored);
        at += stored;
    }
}

/* Visit all checksums but those of frames. */
static void visit_static(const uint8_t *data, const struct cache_parts *p,
                         visit_checksum *visit, void *user)
{
    visit_blobs(data, p, visit, user);
    visit(user, offsetof(struct wire_header, frame_table_checksum),
          p->frame_table, p->tables - p->frame_table);
    visit(user, offsetof(struct wire_header, tables_checksum), p->tables,
          p->blobs - p->tables);
}

/* -- checksums of a file of unknown state -- */

static void correct(void *user, size_t at, size_t offset, size_t bytes)
{
    uint8_t *data = user;

    spn_store_u32le(data + at, spn__checksum(data + offset, bytes, WIRE_SEED));
}

void cache_checksums_correct_frame(uint8_t *frame, size_t bytes,
                                   uint32_t block_count, size_t directory_bytes)
{
    visit_frame(frame, 0, bytes, block_count, directory_bytes, correct, frame);
}

void cache_checksums_correct(uint8_t *data, size_t size)
{
    struct cache_parts p;
    size_t start;

    if (cache_parts_find(data, size, &p)) {
        for (uint32_t i = 0; i < p.frame_count; i++) {
            const size_t bytes = cache_parts_frame(data, size, &p, i, &start);

            if (bytes > 0)
                visit_frame(data, start, bytes, p.block_count,
                            p.directory_bytes, correct, data);
        }
        visit_static(data, &p, correct, data);
    }
    if (size >= CACHE_HEADER_BYTES)
        correct(data, offsetof(struct wire_header, checksum), 0,
                offsetof(struct wire_header, checksum));
}

/* -- checksums of a good cache -- */

static void add(void *user, size_t at, size_t offset, size_t bytes)
{
    struct cache_checksums *c = user;

    c->list[c->count++] = (struct cache_checksum){at, offset, bytes};
}

void cache_checksums_find(struct cache_checksums *c, const uint8_t *bytes,
                          size_t size)
{
    uint32_t *stored;
    size_t start;

    *c = (struct cache_checksums){.count = 0};
    CHECK(cache_parts_find(bytes, size, &c->parts));
    c->list = calloc((size_t)c->parts.frame_count * (c->parts.block_count + 1) +
                         c->parts.blob_count + 3,
                     sizeof *c->list);
    c->directories = calloc(c->parts.frame_count, sizeof *c->directories);
    stored = calloc(c->parts.frame_count, sizeof *stored);
    for (uint32_t i = 0; i < c->parts.frame_count; i++) {
        const struct wire_frame *f =
            (const void *)(bytes + c->parts.frame_table +
                           i * sizeof(struct wire_frame));

        CHECK(spn_load_u32le(f->number) < c->parts.frame_count);
        stored[spn_load_u32le(f->number)] = i;
    }
    for (uint32_t i = 0; i < c->parts.frame_count; i++) {
        const size_t frame_bytes =
            cache_parts_frame(bytes, size, &c->parts, stored[i], &start);

        CHECK(frame_bytes > 0);
        visit_frame(bytes, start, frame_bytes, c->parts.block_count,
                    c->parts.directory_bytes, add, c);
        c->directories[i] = start;
    }
    free(stored);
    visit_static(bytes, &c->parts, add, c);
    add(c, offsetof(struct wire_header, checksum), 0,
        offsetof(struct wire_header, checksum));
}

void cache_checksums_free(struct cache_checksums *c)
{
    free(c->list);
    free(c->directories);
}

void cache_checksums_apply(const struct cache_checksums *c, uint8_t *bytes)
{
    for (size_t i = 0; i < c->count; i++)
        correct(bytes, c->list[i].at, c->list[i].offset, c->list[i].bytes);
}
