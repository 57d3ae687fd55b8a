/* unpack.c - writes the files of a pak, one after the other.
 *
 * Names were judged at the door: none leads out of the folder.
 */
/* SPDX-License-Identifier: MIT */
#include "pack/unpack.h"

#include "common/arena.h"
#include "pack/pak_reader.h"

#include <string.h>

#define STEP_BYTES ((size_t)16 * PAK_BLOCK_BYTES)

struct unpacking {
    const struct unpack_options *options;
    struct diag *diag;
    struct unpack_report *report;
    struct arena arena;
    struct pak_reader reader;
    struct pak_decoder decoder;
    uint8_t *step;
};

/* Is `name` the wanted one, or below it? */
static bool is_within(const char *name, const char *wanted)
{
    size_t length = strlen(wanted);

    while (length > 0 && wanted[length - 1] == '/')
        length--;
    return strncmp(name, wanted, length) == 0 &&
           (name[length] == 0 || name[length] == '/');
}

static bool is_wanted(const struct unpacking *u, const char *name)
{
    for (uint32_t i = 0; i < u->options->name_count; i++)
        if (is_within(name, u->options->names[i]))
            return true;
    return u->options->name_count == 0;
}

static bool judge_names(const struct unpacking *u)
{
    const struct pak_index *index = &u->reader.index;

    for (uint32_t k = 0; k < u->options->name_count; k++) {
        bool is_there = false;

        for (uint32_t i = 0; i < index->header.entry_count && !is_there; i++)
            is_there =
                is_within(spn__pak_entry(index, i).name, u->options->names[k]);
        if (!is_there)
            return diag_refuse(u->diag, u->reader.path, DIAG_NO_OFFSET,
                               u->options->names[k], "is not in the pak");
    }
    return true;
}

static bool write_content(struct unpacking *u, uint32_t content,
                          struct host_output *output)
{
    uint64_t bytes = spn__pak_content(&u->reader.index, content).bytes;

    for (uint64_t at = 0; at < bytes; at += STEP_BYTES) {
        size_t step =
            bytes - at < STEP_BYTES ? (size_t)(bytes - at) : STEP_BYTES;

        if (!pak_reader_read(&u->reader, &u->decoder, content, at, u->step,
                             step, u->diag) ||
            !host_output_append(output, u->step, step))
            return false;
    }
    u->report->bytes += bytes;
    return true;
}

static bool write_file(struct unpacking *u, const struct pak_entry *entry)
{
    struct arena passing;
    struct host_output *output;
    const char *path;
    bool is_good = false;

    arena_init(&passing);
    path = arena_format(&passing, "%s/%s", u->options->folder, entry->name);
    if (!host_make_folders(path, u->diag) ||
        !host_output_differs(path, u->reader.path, u->diag))
        goto end;
    output = host_output_open(path, u->diag);
    if (!output)
        goto end;
    is_good = write_content(u, entry->content, output);
    if (is_good)
        is_good = host_output_commit(output);
    else
        host_output_abandon(output);
    u->report->file_count += is_good;
end:
    arena_free(&passing);
    return is_good;
}

bool unpack_run(const struct unpack_options *options, struct diag *diag,
                struct unpack_report *report)
{
    struct unpacking u = {.options = options, .diag = diag, .report = report};
    bool is_good;

    *report = (struct unpack_report){0};
    if (!pak_reader_open(&u.reader, options->pak, diag))
        return false;
    arena_init(&u.arena);
    u.step = arena_alloc(&u.arena, STEP_BYTES, 1);
    is_good = judge_names(&u);
    for (uint32_t i = 0; is_good && i < u.reader.index.header.entry_count;
         i++) {
        struct pak_entry entry = spn__pak_entry(&u.reader.index, i);

        if (is_wanted(&u, entry.name))
            is_good = write_file(&u, &entry);
    }
    arena_free(&u.arena);
    pak_decoder_free(&u.decoder);
    pak_reader_close(&u.reader);
    return is_good;
}
