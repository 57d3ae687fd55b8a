/* pack_contents.c - find files with equal bytes by size, hash and comparison.
 *
 * Files of equal size are hashed, files of equal hash compared. So a file is
 * read at most twice, and an equal hash alone proves nothing. Small files are
 * kept in memory (pack_file_load).
 */
/* SPDX-License-Identifier: MIT */
#include "pack/pack_contents.h"

#include "base/hash64.h"

#include <stdlib.h>
#include <string.h>

#define STEP_BYTES ((size_t)4 * PAK_BLOCK_BYTES)

/* Buffers of a thread. */
struct bench {
    struct pak_decoder decoder;
    uint8_t bytes[2][STEP_BYTES];
};

static struct bench *make_benches(const struct pack_files *files,
                                  struct workers *workers)
{
    struct bench *benches =
        calloc(workers_count(workers), sizeof(struct bench));

    if (!benches)
        diag_io(files->diag, "memory", 0, "none left");
    return benches;
}

static void free_benches(struct bench *benches, struct workers *workers)
{
    for (uint32_t i = 0; benches && i < workers_count(workers); i++)
        pak_decoder_free(&benches[i].decoder);
    free(benches);
}

static size_t step_bytes(uint64_t bytes, uint64_t offset)
{
    return bytes - offset < STEP_BYTES ? (size_t)(bytes - offset) : STEP_BYTES;
}

/* The hash of a file, computed step by step; each step hashes its bytes with
 * the hash of the step before as seed. */
static bool hash_file(const struct pack_file *file, struct bench *bench,
                      uint64_t *hash, struct diag *diag)
{
    *hash = 0;
    for (uint64_t at = 0; at < file->bytes; at += STEP_BYTES) {
        size_t bytes = step_bytes(file->bytes, at);

        if (!pack_file_read(file, &bench->decoder, at, bench->bytes[0], bytes,
                            diag))
            return false;
        *hash = spn__hash64(bench->bytes[0], bytes, *hash);
    }
    return true;
}

/* Do two files of equal size have equal bytes? */
static bool are_same(const struct pack_file *a, const struct pack_file *b,
                     struct bench *bench, bool *is_same, struct diag *diag)
{
    *is_same = true;
    for (uint64_t at = 0; at < a->bytes && *is_same; at += STEP_BYTES) {
        size_t bytes = step_bytes(a->bytes, at);

        if (!pack_file_read(a, &bench->decoder, at, bench->bytes[0], bytes,
                            diag) ||
            !pack_file_read(b, &bench->decoder, at, bench->bytes[1], bytes,
                            diag))
            return false;
        *is_same = memcmp(bench->bytes[0], bench->bytes[1], bytes) == 0;
    }
    return true;
}

/* -- equal files among the inputs -- */

struct candidate {
    uint64_t bytes;
    uint64_t hash;
    uint32_t file;
};

struct finding {
    struct pack_files *files;
    struct bench *benches;
    struct candidate *candidates;
    uint32_t count;
    uint32_t *leader; /* of each file: the first file with equal bytes */
    uint32_t *starts; /* first file of each run of equal size and hash */
};

static int by_size(const void *a, const void *b)
{
    const struct candidate *x = a;
    const struct candidate *y = b;

    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    return (x->file > y->file) - (x->file < y->file);
}

static int by_hash(const void *a, const void *b)
{
    const struct candidate *x = a;
    const struct candidate *y = b;

    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return (x->file > y->file) - (x->file < y->file);
}

static void hash_task(void *user, uint32_t index, uint32_t worker)
{
    const struct finding *f = user;
    struct candidate *c = &f->candidates[index];

    if (!diag_has_failed(f->files->diag) &&
        pack_file_load(&f->files->files[c->file], f->files->diag))
        hash_file(&f->files->files[c->file], &f->benches[worker], &c->hash,
                  f->files->diag);
}

/* Compare each file of a run with the leaders before it. */
static void compare_task(void *user, uint32_t index, uint32_t worker)
{
    const struct finding *f = user;
    const struct pack_file *files = f->files->files;

    for (uint32_t i = f->starts[index] + 1; i < f->starts[index + 1]; i++) {
        uint32_t file = f->candidates[i].file;

        for (uint32_t k = f->starts[index]; k < i; k++) {
            uint32_t other = f->candidates[k].file;
            bool is_same;

            if (f->leader[other] != other)
                continue;
            if (diag_has_failed(f->files->diag) ||
                !are_same(&files[other], &files[file], &f->benches[worker],
                          &is_same, f->files->diag))
                return;
            if (is_same) {
                f->leader[file] = other;
                break;
            }
        }
    }
}

static bool are_of_one_size(const struct candidate *a,
                            const struct candidate *b)
{
    return a->bytes == b->bytes;
}

static bool are_of_one_hash(const struct candidate *a,
                            const struct candidate *b)
{
    return a->bytes == b->bytes && a->hash == b->hash;
}

/* Keep the candidates that equal a neighbour in the sorted order. */
static void keep_runs(struct finding *f,
                      bool (*are_alike)(const struct candidate *a,
                                        const struct candidate *b))
{
    const struct candidate *c = f->candidates;
    uint32_t kept = 0;
    bool was_alike = false;

    for (uint32_t i = 0; i < f->count; i++) {
        bool is_alike = i + 1 < f->count && are_alike(&c[i], &c[i + 1]);

        if (was_alike || is_alike)
            f->candidates[kept++] = c[i];
        was_alike = is_alike;
    }
    f->count = kept;
}

static uint32_t find_runs(const struct finding *f)
{
    uint32_t runs = 0;

    for (uint32_t i = 0; i < f->count; i++)
        if (i == 0 ||
            !are_of_one_hash(&f->candidates[i - 1], &f->candidates[i]))
            f->starts[runs++] = i;
    f->starts[runs] = f->count;
    return runs;
}

static bool find_leaders(struct finding *f, struct workers *workers)
{
    for (uint32_t i = 0; i < f->files->count; i++) {
        f->leader[i] = i;
        f->candidates[i] =
            (struct candidate){.bytes = f->files->files[i].bytes, .file = i};
    }
    f->count = f->files->count;
    qsort(f->candidates, f->count, sizeof *f->candidates, by_size);
    keep_runs(f, are_of_one_size);
    workers_run(workers, f->count, hash_task, f);
    if (diag_has_failed(f->files->diag))
        return false;
    qsort(f->candidates, f->count, sizeof *f->candidates, by_hash);
    keep_runs(f, are_of_one_hash);
    workers_run(workers, find_runs(f), compare_task, f);
    return !diag_has_failed(f->files->diag);
}

/* A leader precedes the files that equal it. */
static void number_contents(const struct finding *f, struct pack_contents *out)
{
    struct pack_file *files = f->files->files;

    out->count = 0;
    out->files = ARENA_NEW(f->files->arena, uint32_t, f->files->count);
    for (uint32_t i = 0; i < f->files->count; i++) {
        if (f->leader[i] != i) {
            files[i].content = files[f->leader[i]].content;
            continue;
        }
        files[i].content = out->count;
        out->files[out->count++] = i;
    }
}

bool pack_contents_find(struct pack_files *files, struct workers *workers,
                        struct pack_contents *out)
{
    struct finding f = {.files = files};
    struct arena arena;
    bool is_good = false;

    arena_init(&arena);
    f.benches = make_benches(files, workers);
    f.candidates = ARENA_NEW(&arena, struct candidate, files->count);
    f.leader = ARENA_NEW(&arena, uint32_t, files->count);
    f.starts = ARENA_NEW(&arena, uint32_t, (size_t)files->count + 1);
    if (f.benches)
        is_good = find_leaders(&f, workers);
    if (is_good)
        number_contents(&f, out);
    free_benches(f.benches, workers);
    arena_free(&arena);
    return is_good;
}

/* -- files that another pak has -- */

struct leaving {
    struct pack_files *files;
    struct bench *benches;
    struct pak_reader reader;
    uint8_t *found; /* of each file; 0: the pak has no such file, 1: equal
                     * bytes, 2: other bytes */
};

static void look_task(void *user, uint32_t index, uint32_t worker)
{
    const struct leaving *l = user;
    struct pack_file *file = &l->files->files[index];
    struct pack_file other = {.pak = &l->reader};
    uint32_t entry = spn__pak_find(&l->reader.index, file->name,
                                   (uint32_t)strlen(file->name));
    bool is_same = false;

    if (entry == PAK_NONE || diag_has_failed(l->files->diag))
        return;
    other.pak_content = spn__pak_entry(&l->reader.index, entry).content;
    other.bytes = spn__pak_content(&l->reader.index, other.pak_content).bytes;
    if (other.bytes == file->bytes &&
        (!pack_file_load(file, l->files->diag) ||
         !are_same(file, &other, &l->benches[worker], &is_same,
                   l->files->diag)))
        return;
    l->found[index] = is_same ? 1 : 2;
}

static bool found(void *user, uint32_t file)
{
    return ((const struct leaving *)user)->found[file] == 1;
}

static bool leave_out(struct leaving *l, const char *pak, uint32_t *count,
                      uint64_t *bytes)
{
    for (uint32_t i = 0; i < l->files->count; i++) {
        const struct pack_file *file = &l->files->files[i];

        if (l->found[i] == 1) {
            *count += 1;
            *bytes += file->bytes;
        } else if (l->found[i] == 2 &&
                   !pack_files_warn(l->files, pak, file->name,
                                    "has other bytes than %s, which stays",
                                    file->path)) {
            return false;
        }
    }
    pack_files_leave_out(l->files, found, l);
    return true;
}

bool pack_contents_without(struct pack_files *files, struct workers *workers,
                           const char *pak, uint32_t *count, uint64_t *bytes)
{
    struct leaving l = {.files = files};
    bool is_good = false;

    if (!pak_reader_open(&l.reader, pak, files->diag))
        return false;
    l.found = calloc((size_t)files->count + 1, 1);
    l.benches = make_benches(files, workers);
    if (l.found && l.benches) {
        workers_run(workers, files->count, look_task, &l);
        is_good =
            !diag_has_failed(files->diag) && leave_out(&l, pak, count, bytes);
    }
    free_benches(l.benches, workers);
    free(l.found);
    pak_reader_close(&l.reader);
    return is_good;
}
