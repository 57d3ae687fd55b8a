/* verify_pak.c - decodes all blocks of a pak, one stored copy of a file at a
 * time.
 */
/* SPDX-License-Identifier: MIT */
#include "verify/verify_pak.h"

#include "common/arena.h"
#include "common/system.h"
#include "common/workers.h"
#include "pack/pak_names.h"
#include "pack/pak_reader.h"

#include <stdlib.h>

struct verifying {
    struct diag *diag;
    const char *folder;
    struct pak_reader reader;
    struct pak_decoder *decoders; /* one for each thread */
    uint8_t *raw;                 /* two blocks for each thread */
};

static uint8_t *raw_of(const struct verifying *v, uint32_t worker)
{
    return v->raw + (size_t)worker * 2 * PAK_BLOCK_BYTES;
}

/* Bytes that belong to no file must be 0. */
static bool check_rest(const struct verifying *v, uint64_t from, uint64_t limit)
{
    for (uint64_t at = from; at < limit; at++)
        if (v->reader.map.data[at] != 0)
            return diag_refuse(v->diag, v->reader.path, at, NULL,
                               "byte of no file: found %u, expected 0",
                               v->reader.map.data[at]);
    return true;
}

static void check_copy_task(void *user, uint32_t rank, uint32_t worker)
{
    const struct verifying *v = user;
    const struct pak_index *index = &v->reader.index;
    uint32_t content;
    uint64_t offset = spn__pak_copy_offset(
        index, spn__pak_copy_by_offset(index, rank), &content);
    struct pak_content c = spn__pak_content(index, content);

    for (uint32_t i = 0; i < c.block_count; i++) {
        uint64_t at = offset + spn__pak_block(index, &c, i).offset;

        if (diag_has_failed(v->diag) ||
            !pak_reader_block(&v->reader, &v->decoders[worker], &c, offset, i,
                              raw_of(v, worker), v->diag))
            return;
        if (at % HOST_MAP_PIECE_BYTES < PAK_BLOCK_BYTES && at > offset)
            host_map_forget(&v->reader.map, at - PAK_BLOCK_BYTES,
                            PAK_BLOCK_BYTES);
    }
    check_rest(v, offset + c.stored_bytes,
               pak_sector_ceil(offset + c.stored_bytes));
    host_map_forget(&v->reader.map, offset, c.stored_bytes);
}

static bool compare_bytes(const struct verifying *v, const char *path,
                          const struct pak_content *c, uint32_t worker)
{
    const struct pak_index *index = &v->reader.index;
    uint8_t *raw = raw_of(v, worker);
    uint8_t *other = raw + PAK_BLOCK_BYTES;
    uint64_t copy = c->copy_count > 0
                        ? spn__pak_copy_offset(index, c->first_copy, NULL)
                        : 0;

    for (uint32_t i = 0; i < c->block_count; i++) {
        uint32_t bytes = spn__pak_block(index, c, i).bytes;

        if (!pak_reader_block(&v->reader, &v->decoders[worker], c, copy, i, raw,
                              v->diag) ||
            !host_read_at(path, c->bytes, (uint64_t)i * PAK_BLOCK_BYTES, other,
                          bytes, v->diag))
            return false;
        for (uint32_t k = 0; k < bytes; k++)
            if (raw[k] != other[k])
                return diag_refuse(
                    v->diag, path, (uint64_t)i * PAK_BLOCK_BYTES + k, NULL,
                    "found %u, the pak has %u", other[k], raw[k]);
    }
    return true;
}

static void compare_task(void *user, uint32_t entry, uint32_t worker)
{
    const struct verifying *v = user;
    struct pak_entry e = spn__pak_entry(&v->reader.index, entry);
    struct pak_content c = spn__pak_content(&v->reader.index, e.content);
    struct arena arena;
    enum host_kind kind;
    const char *path;
    uint64_t bytes;

    if (diag_has_failed(v->diag))
        return;
    arena_init(&arena);
    path = arena_format(&arena, "%s/%s", v->folder, e.name);
    if (host_stat(path, &kind, &bytes, v->diag)) {
        if (kind != HOST_FILE || bytes != c.bytes)
            diag_refuse(v->diag, path, DIAG_NO_OFFSET, NULL,
                        "has %llu bytes, %llu in the pak",
                        (unsigned long long)bytes, (unsigned long long)c.bytes);
        else
            compare_bytes(v, path, &c, worker);
    }
    arena_free(&arena);
}

static void sum_up(const struct verifying *v, struct verify_pak_report *r)
{
    const struct pak_index *index = &v->reader.index;

    *r = (struct verify_pak_report){
        .file_count = index->header.entry_count,
        .copy_count = index->header.copy_count,
        .compared = v->folder ? index->header.entry_count : 0,
    };
    for (uint32_t i = 0; i < index->header.content_count; i++) {
        struct pak_content c = spn__pak_content(index, i);

        r->bytes += c.bytes;
        r->block_count += c.block_count * c.copy_count;
    }
}

struct naming {
    const struct verifying *v;
    const char *const *names;
};

static void refuse_name(void *user, uint32_t name, const char *why)
{
    const struct naming *n = user;

    diag_refuse(n->v->diag, n->v->reader.path, DIAG_NO_OFFSET, n->names[name],
                "%s", why);
}

static bool check_names(const struct verifying *v)
{
    const struct pak_index *index = &v->reader.index;
    uint32_t count = index->header.entry_count;
    struct naming n = {.v = v};
    struct arena arena;
    const char **names;
    bool is_good;

    arena_init(&arena);
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): pointers. */
    names = arena_alloc(&arena, count + (size_t)1, sizeof *names);
    for (uint32_t i = 0; i < count; i++)
        names[i] = spn__pak_entry(index, i).name;
    n.names = names;
    is_good = pak_names_check(names, count, refuse_name, &n);
    arena_free(&arena);
    return is_good;
}

static void verify_all(struct verifying *v, struct workers *workers)
{
    const struct pak_header *h = &v->reader.index.header;

    if (!check_names(v) ||
        !check_rest(v, PAK_HEADER_BYTES + (uint64_t)h->index_bytes,
                    h->data_offset))
        return;
    workers_run(workers, h->copy_count, check_copy_task, v);
    if (v->folder && !diag_has_failed(v->diag))
        workers_run(workers, h->entry_count, compare_task, v);
}

bool verify_pak_run(const char *path, const char *folder, struct diag *diag,
                    struct verify_pak_report *report)
{
    struct verifying v = {.diag = diag, .folder = folder};
    struct workers *workers;
    uint32_t threads;

    if (!pak_reader_open(&v.reader, path, diag))
        return false;
    workers = workers_create(system_cpu_count());
    threads = workers_count(workers);
    v.decoders = calloc(threads, sizeof *v.decoders);
    v.raw = malloc((size_t)threads * 2 * PAK_BLOCK_BYTES);
    if (v.decoders && v.raw)
        verify_all(&v, workers);
    else
        diag_io(diag, "memory", 0, "none left");
    sum_up(&v, report);
    for (uint32_t i = 0; v.decoders && i < threads; i++)
        pak_decoder_free(&v.decoders[i]);
    free(v.decoders);
    free(v.raw);
    workers_destroy(workers);
    pak_reader_close(&v.reader);
    return !diag_has_failed(diag);
}
