/* index_verify.c - see index_verify.h.
 *
 * Clips are checked by threads, silently. The first bad one is checked again,
 * so that the refusal does not depend on the threads.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/index_verify.h"

#include "anim/clip_index_wire.h"
#include "anim/tool/clip_file_input.h"
#include "anim/tool/index_file.h"
#include "base/checksum.h"
#include "common/workers.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

/* -- what an index says of a clip -- */

#define FIELD(member, text)                                                    \
    {                                                                          \
        text, offsetof(struct clip_facts, member),                             \
            sizeof(((struct clip_facts *)0)->member)                           \
    }
static const struct {
    const char *name;
    size_t at;
    size_t bytes;
} fields[] = {
    FIELD(bytes, "bytes"),
    FIELD(first_bytes, "bytes of the first part"),
    FIELD(first_checksum, "checksum of the first part"),
    FIELD(rest_checksum, "checksum of the rest"),
    FIELD(flags, "flags"),
    FIELD(frame_count, "frames"),
    FIELD(skeleton, "hash of the skeleton"),
    FIELD(rest_pose_hash, "hash of the rest pose"),
    FIELD(joint_count, "joints"),
    FIELD(rate_numerator, "numerator of the rate"),
    FIELD(rate_denominator, "denominator of the rate"),
};

static uint64_t value_of(const struct clip_facts *facts, size_t field)
{
    const uint8_t *at = (const uint8_t *)facts + fields[field].at;
    uint64_t wide;
    uint32_t narrow;

    if (fields[field].bytes == sizeof wide) {
        memcpy(&wide, at, sizeof wide);
        return wide;
    }
    memcpy(&narrow, at, sizeof narrow);
    return narrow;
}

/* Refuse if `index` says something else than is true of the clip. `place` is
 * the name of the clip, `what` says where the truth comes from. */
static bool compare(const char *path, const struct clip_facts *index,
                    const struct clip_facts *truth, const char *what,
                    struct diag *diag)
{
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (value_of(index, i) != value_of(truth, i))
            return diag_refuse(diag, path, DIAG_NO_OFFSET, index->name,
                               "%s: found 0x%" PRIx64 ", but %s has 0x%" PRIx64,
                               fields[i].name, value_of(index, i), what,
                               value_of(truth, i));
    return true;
}

/* Decode the bytes of a clip, and compare them with the index. Refusals name
 * the clip, and their offset is that in the file.
 *
 * is_packed  it is in a database */
static bool check_clip(const char *path, const struct clip_facts *facts,
                       const uint8_t *bytes, bool is_packed, struct diag *diag)
{
    struct clip_input input;
    struct clip_file file;
    struct clip_facts truth;
    struct arena arena;
    struct diag own;
    bool is_good;

    arena_init(&arena);
    diag_init(&own);
    own.is_silent = true;
    is_good =
        is_packed
            ? clip_file_read_packed(&file, path, facts, bytes, &arena, &own)
            : clip_file_read(&file, path, bytes, facts->bytes, &arena, &own);
    if (is_good) {
        clip_file_input(&file, facts->name, &arena, &input);
        truth = clip_input_facts(&input);
        is_good = compare(path, facts, &truth, "the clip", diag);
    } else {
        const uint64_t at = own.refusal.offset;

        diag_refuse(diag, path, at == DIAG_NO_OFFSET ? at : facts->offset + at,
                    facts->name, "%s", own.refusal.what);
    }
    diag_finish(&own);
    arena_free(&arena);
    return is_good;
}

/* Check a clip with a file of its own. */
static bool check_own_file(const char *root, const struct clip_facts *facts,
                           struct diag *diag)
{
    struct arena arena;
    struct host_map map;
    const char *path;
    bool is_good;

    arena_init(&arena);
    path = arena_format(&arena, "%s%s", root, facts->name);
    is_good = host_map_open(&map, path, diag);
    if (is_good) {
        is_good =
            (map.bytes == facts->bytes ||
             diag_refuse(diag, path, 0, NULL,
                         "file size: found %" PRIu64 ", but the image has %u",
                         map.bytes, facts->bytes)) &&
            check_clip(path, facts, map.data, false, diag);
        host_map_close(&map);
    }
    arena_free(&arena);
    return is_good;
}

/* -- many clips -- */

/* The clips of a database, or those of an image with files of their own. */
struct run {
    const struct index_file *file;
    const char *root; /* of the image; NULL: a database */
    bool *is_good;    /* of each clip */
};

static bool check(const struct run *run, uint32_t clip, struct diag *diag)
{
    const struct clip_facts facts =
        spn__clip_index_clip(&run->file->index, clip);

    if (facts.file != CLIP_INDEX_NONE)
        return true;
    return run->root
               ? check_own_file(run->root, &facts, diag)
               : check_clip(run->file->path, &facts,
                            run->file->map.data + facts.offset, true, diag);
}

static void run_job(void *user, uint32_t clip, uint32_t worker)
{
    const struct run *run = user;
    struct diag silent;

    (void)worker;
    diag_init(&silent);
    silent.is_silent = true;
    run->is_good[clip] = check(run, clip, &silent);
    diag_finish(&silent);
}

static bool check_clips(const struct index_file *file, const char *root,
                        uint32_t jobs, struct diag *diag)
{
    const uint32_t count = file->index.header.clip_count;
    struct workers *workers = workers_create(jobs);
    struct run run = {.file = file, .root = root};
    struct arena arena;
    bool is_good = true;

    arena_init(&arena);
    run.is_good = ARENA_NEW(&arena, bool, count);
    workers_run(workers, count, run_job, &run);
    workers_destroy(workers);
    for (uint32_t i = 0; is_good && i < count; i++)
        is_good = run.is_good[i] || check(&run, i, diag);
    arena_free(&arena);
    return is_good;
}

/* -- files -- */

static bool check_padding(const struct index_file *file, struct diag *diag)
{
    const struct clip_index_header *h = &file->index.header;

    for (uint64_t at = CLIP_INDEX_HEADER_BYTES + h->index_bytes;
         at < h->data_offset; at++)
        if (file->map.data[at] != 0)
            return diag_refuse(diag, file->path, at, NULL,
                               "padding: found %u, expected 0",
                               file->map.data[at]);
    return true;
}

/* The clips come first: the refusal of one says more than that of all data. */
static bool check_database(const struct index_file *file, uint32_t jobs,
                           struct diag *diag,
                           struct index_verify_report *report)
{
    const struct clip_index_header *h = &file->index.header;
    uint32_t found;

    if (!check_padding(file, diag) || !check_clips(file, NULL, jobs, diag))
        return false;
    found = spn__checksum(file->map.data + h->data_offset,
                          (size_t)(h->file_bytes - h->data_offset), WIRE_SEED);
    if (found != h->data_checksum)
        return diag_refuse(diag, file->path, h->data_offset, NULL,
                           "checksum of the data: found 0x%08x, expected "
                           "0x%08x",
                           found, h->data_checksum);
    report->database_count++;
    report->bytes += h->file_bytes;
    return true;
}

bool database_verify(const char *path, uint32_t jobs, struct diag *diag,
                     struct index_verify_report *report)
{
    struct index_file file;
    bool is_good;

    *report = (struct index_verify_report){0};
    if (!index_file_open(&file, path, CLIP_INDEX_DATABASE, diag))
        return false;
    report->clip_count = file.index.header.clip_count;
    is_good = check_database(&file, jobs, diag, report);
    index_file_close(&file);
    return is_good;
}

/* Is it the database with which the image was made? */
static bool agrees(const struct index_file *image, uint32_t number,
                   const struct index_file *database, struct diag *diag)
{
    const struct clip_data_file wanted =
        spn__clip_index_file(&image->index, number);
    const struct clip_index_header *h = &database->index.header;

    return (h->file_bytes == wanted.file_bytes ||
            diag_refuse(diag, database->path, DIAG_NO_OFFSET, NULL,
                        "file size: found %" PRIu64
                        ", but the image has %" PRIu64,
                        h->file_bytes, wanted.file_bytes)) &&
           (h->data_offset == wanted.data_offset ||
            diag_refuse(diag, database->path, DIAG_NO_OFFSET, NULL,
                        "offset of the data: found %" PRIu64
                        ", but the image has %" PRIu64,
                        h->data_offset, wanted.data_offset)) &&
           (h->data_checksum == wanted.data_checksum ||
            diag_refuse(diag, database->path, DIAG_NO_OFFSET, NULL,
                        "checksum of the data: found 0x%08x, but the image "
                        "has 0x%08x",
                        h->data_checksum, wanted.data_checksum));
}

/* Does the image have all clips of the database, and no others of it, at the
 * same places? */
static bool agree_clips(const struct index_file *image, uint32_t number,
                        const struct index_file *database, struct diag *diag)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < image->index.header.clip_count; i++) {
        const struct clip_facts facts = spn__clip_index_clip(&image->index, i);
        struct clip_facts found;
        uint32_t clip;

        if (facts.file != number)
            continue;
        clip = spn__clip_index_find(&database->index, facts.name,
                                    (uint32_t)strlen(facts.name));
        if (clip == CLIP_INDEX_NONE)
            return diag_refuse(diag, image->path, DIAG_NO_OFFSET, facts.name,
                               "is not in %s", database->path);
        found = spn__clip_index_clip(&database->index, clip);
        if (facts.offset != found.offset)
            return diag_refuse(diag, image->path, DIAG_NO_OFFSET, facts.name,
                               "offset: found %" PRIu64 ", but %s has %" PRIu64,
                               facts.offset, database->path, found.offset);
        if (!compare(image->path, &facts, &found, database->path, diag))
            return false;
        count++;
    }
    return count == database->index.header.clip_count ||
           diag_refuse(diag, image->path, DIAG_NO_OFFSET, NULL,
                       "%u clips of %s, which has %u", count, database->path,
                       database->index.header.clip_count);
}

static bool check_file(const struct index_file *image, const char *root,
                       uint32_t number, uint32_t jobs, struct diag *diag,
                       struct index_verify_report *report)
{
    struct index_file database;
    struct arena arena;
    bool is_good;

    arena_init(&arena);
    is_good = index_file_open(
        &database,
        arena_format(&arena, "%s%s", root,
                     spn__clip_index_file(&image->index, number).path),
        CLIP_INDEX_DATABASE, diag);
    if (is_good) {
        is_good = agrees(image, number, &database, diag) &&
                  agree_clips(image, number, &database, diag) &&
                  check_database(&database, jobs, diag, report);
        index_file_close(&database);
    }
    arena_free(&arena);
    return is_good;
}

/* The folder to which paths are relative, with its slash. */
static const char *root_of(const char *path, const char *root,
                           struct arena *arena)
{
    size_t length = strlen(path);

    if (root)
        return arena_format(arena, "%s/", root);
    while (length > 0 && path[length - 1] != '/' && path[length - 1] != '\\')
        length--;
    return arena_string(arena, path, length);
}

bool image_verify(const char *path, const char *root, uint32_t jobs,
                  struct diag *diag, struct index_verify_report *report)
{
    struct index_file image;
    struct arena arena;
    bool is_good = true;

    *report = (struct index_verify_report){0};
    if (!index_file_open(&image, path, CLIP_INDEX_IMAGE, diag))
        return false;
    arena_init(&arena);
    root = root_of(path, root, &arena);
    for (uint32_t i = 0; is_good && i < image.index.header.file_count; i++)
        is_good = check_file(&image, root, i, jobs, diag, report);
    is_good = is_good && check_clips(&image, root, jobs, diag);
    report->clip_count = image.index.header.clip_count;
    report->bytes += image.index.header.file_bytes;
    for (uint32_t i = 0; i < report->clip_count; i++) {
        const struct clip_facts facts = spn__clip_index_clip(&image.index, i);

        report->bytes += facts.file == CLIP_INDEX_NONE ? facts.bytes : 0;
    }
    arena_free(&arena);
    index_file_close(&image);
    return is_good;
}
