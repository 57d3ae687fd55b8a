/* unpack.c - write the files of a pak, one after the other.
 *
 * Names were validated when the pak was opened: none leads out of the folder.
 * host_tree_output refuses links in the folder.
 */
/* SPDX-License-Identifier: MIT */
#include "pack/unpack.h"

#include "common/path_match.h"
#include "host/host.h"
#include "pack/pak_reader.h"

#include <string.h>

#define STEP_BYTES ((size_t)16 * PAK_BLOCK_BYTES)

struct unpacking {
    const struct unpack_options *options;
    struct diag *diag;
    struct unpack_report *report;
    struct arena *arena;
    struct host_tree *tree;
    struct pak_reader reader;
    struct pak_decoder decoder;
    uint8_t *step;
};

static bool is_wanted(const struct unpacking *u, const char *name)
{
    for (uint32_t i = 0; i < u->options->name_count; i++)
        if (path_covers(u->options->names[i], name))
            return true;
    return u->options->name_count == 0;
}

static bool check_names(const struct unpacking *u)
{
    const struct pak_index *index = &u->reader.index;

    for (uint32_t k = 0; k < u->options->name_count; k++) {
        bool is_found = false;

        for (uint32_t i = 0; i < index->header.entry_count && !is_found; i++)
            is_found = path_covers(u->options->names[k],
                                   spn__pak_entry(index, i).name);
        if (!is_found)
            return diag_refuse(u->diag, u->reader.path, DIAG_NO_OFFSET,
                               u->options->names[k], "is not in the pak");
    }
    return true;
}

static bool write_content(struct unpacking *u, uint32_t content,
                          struct host_output *output, struct diag *diag)
{
    uint64_t bytes = spn__pak_content(&u->reader.index, content).bytes;

    for (uint64_t at = 0; at < bytes; at += STEP_BYTES) {
        size_t step =
            bytes - at < STEP_BYTES ? (size_t)(bytes - at) : STEP_BYTES;

        if (!pak_reader_read(&u->reader, &u->decoder, content, at, u->step,
                             step, diag) ||
            !host_output_append(output, u->step, step))
            return false;
    }
    u->report->bytes += bytes;
    return true;
}

/* A damaged file is added to `lost`. An error of the machine or of the folder
 * ends the run. */
static bool note_lost(struct unpacking *u, const struct pak_entry *entry,
                      const struct diag *damage)
{
    struct unpack_report *report = u->report;

    if (damage->code == EXIT_IO_FAILED)
        return diag_repeat(u->diag, damage);
    diag_warn(u->diag, u->reader.path, entry->name, "is lost: %s",
              damage->text);
    report->lost[report->lost_count++] =
        arena_string(u->arena, entry->name, strlen(entry->name));
    return true;
}

static bool write_file(struct unpacking *u, const struct pak_entry *entry)
{
    struct host_output *output =
        host_tree_output(u->tree, entry->name, u->diag);
    uint32_t replaced_before = u->decoder.replaced_count;
    struct diag damage;
    bool is_good;

    if (!output)
        return false;
    diag_init(&damage);
    damage.is_silent = true;
    is_good = write_content(u, entry->content, output, &damage);
    if (!is_good)
        host_output_abandon(output);
    else if (u->decoder.replaced_count > replaced_before)
        diag_warn(u->diag, u->reader.path, entry->name,
                  "is damaged in the first of its copies, and whole by others");
    if (is_good)
        is_good = host_output_commit(output);
    else
        is_good = !diag_has_failed(u->diag) && note_lost(u, entry, &damage);
    diag_finish(&damage);
    return is_good;
}

/* Refuse to overwrite the pak that is read. */
static bool check_output(const struct unpacking *u, const char *name)
{
    struct arena passing;
    bool is_good;

    arena_init(&passing);
    is_good = host_output_differs(
        arena_format(&passing, "%s/%s", u->options->folder, name),
        u->reader.path, u->diag);
    arena_free(&passing);
    return is_good;
}

static bool write_files(struct unpacking *u)
{
    uint32_t count = u->reader.index.header.entry_count;
    struct unpack_report *report = u->report;

    report->lost = arena_alloc(u->arena, count + (size_t)1,
                               /* NOLINTNEXTLINE(bugprone-sizeof-expression) */
                               sizeof *report->lost);
    for (uint32_t i = 0; i < count; i++) {
        struct pak_entry entry = spn__pak_entry(&u->reader.index, i);
        uint32_t lost_before = report->lost_count;

        if (!is_wanted(u, entry.name))
            continue;
        if (!check_output(u, entry.name) || !write_file(u, &entry))
            return false;
        report->file_count += report->lost_count == lost_before;
    }
    return true;
}

bool unpack_run(const struct unpack_options *options, struct arena *arena,
                struct diag *diag, struct unpack_report *report)
{
    struct unpacking u = {
        .options = options, .arena = arena, .diag = diag, .report = report};
    bool is_good;

    *report = (struct unpack_report){0};
    if (!pak_reader_open(&u.reader, options->pak, diag))
        return false;
    u.step = arena_alloc(arena, STEP_BYTES, 1);
    is_good = check_names(&u);
    if (is_good)
        u.tree = host_tree_open(options->folder, diag);
    if (u.tree) {
        is_good = write_files(&u);
        /* Files that were committed before a refusal remain. */
        is_good = host_tree_sync(u.tree, diag) && is_good;
    }
    host_tree_close(u.tree);
    pak_decoder_free(&u.decoder);
    pak_reader_close(&u.reader);
    if (is_good && u.tree && report->lost_count > 0)
        diag_refuse(diag, options->pak, DIAG_NO_OFFSET, NULL,
                    "%u of %u files are lost, damaged", report->lost_count,
                    report->lost_count + report->file_count);
    return !diag_has_failed(diag);
}
