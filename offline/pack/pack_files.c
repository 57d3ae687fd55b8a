/* pack_files.c - list the inputs of a pak, and read them. */
/* SPDX-License-Identifier: MIT */
#include "pack/pack_files.h"

#include "pack/pak_names.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool pack_files_warn(const struct pack_files *files, const char *file,
                     const char *place, const char *format, ...)
{
    char text[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (files->is_strict)
        return diag_refuse(files->diag, file, DIAG_NO_OFFSET, place, "%s",
                           text);
    diag_warn(files->diag, file, place, "%s", text);
    return true;
}

/* -- list -- */

static void add(struct pack_files *f, const char *name,
                const struct pack_file *model)
{
    struct pack_file *file;

    f->files = arena_grow(f->arena, f->files, f->count, &f->capacity,
                          sizeof *f->files);
    file = &f->files[f->count++];
    *file = *model;
    file->path = arena_string(f->arena, model->path, strlen(model->path));
    file->name = arena_format(f->arena, "%s%s", f->prefix, name);
    file->content = PAK_NONE;
}

struct gathering {
    struct pack_files *files;
    const char *output;
    bool exists; /* the output exists already */
    uint64_t output_bytes;
};

static bool is_wanted(const struct pack_files *f, const char *name)
{
    return !f->wants || f->wants(name);
}

/* An output in an input folder is not packed, so that every run gives the same
 * pak. An output that exists and is no pak is not overwritten. */
static bool add_found(void *user, const struct host_found *found)
{
    const struct gathering *g = user;
    struct pack_file model = {.path = found->path, .bytes = found->bytes};

    if (!is_wanted(g->files, found->name))
        return true;
    if (found->kind != HOST_FILE)
        return pack_files_warn(g->files, found->path, NULL,
                               "is left out: no ordinary file");
    if (g->exists && found->bytes == g->output_bytes &&
        host_output_is_same(g->output, found->path))
        return pak_reader_is_pak(found->path, g->files->diag) ||
               (!diag_has_failed(g->files->diag) &&
                host_output_differs(g->output, found->path, g->files->diag));
    add(g->files, found->name, &model);
    return true;
}

/* Open a pak; it is closed by pack_files_free. */
static bool add_pak(struct pack_files *f, const char *path)
{
    struct pak_reader *reader = ARENA_NEW(f->arena, struct pak_reader, 1);
    struct pack_file model = {.path = path, .pak = reader};

    if (!pak_reader_open(reader, path, f->diag))
        return false;
    f->paks =
        arena_grow(f->arena, f->paks, f->pak_count, &f->pak_capacity,
                   /* NOLINTNEXTLINE(bugprone-sizeof-expression): pointers. */
                   sizeof *f->paks);
    f->paks[f->pak_count++] = reader;
    for (uint32_t i = 0; i < reader->index.header.entry_count; i++) {
        struct pak_entry entry = spn__pak_entry(&reader->index, i);

        if (!is_wanted(f, entry.name))
            continue;
        model.pak_content = entry.content;
        model.bytes = spn__pak_content(&reader->index, entry.content).bytes;
        add(f, entry.name, &model);
    }
    return true;
}

static bool add_input(struct gathering *g, const char *path)
{
    struct pack_files *f = g->files;
    struct pack_file model = {.path = path};
    const char *slash = strrchr(path, '/');
    enum host_kind kind;

    if (!host_stat(path, &kind, &model.bytes, f->diag))
        return false;
    if (kind == HOST_FOLDER)
        return host_folder_walk(path, add_found, g, f->diag);
    if (kind != HOST_FILE)
        return diag_io(f->diag, path, 0, "is not an ordinary file");
    if (!host_output_differs(g->output, path, f->diag))
        return false;
    if (pak_reader_is_pak(path, f->diag))
        return add_pak(f, path);
    if (diag_has_failed(f->diag))
        return false;
    add(f, slash ? slash + 1 : path, &model);
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct pack_file *)a)->name,
                  ((const struct pack_file *)b)->name);
}

static int by_name_and_path(const void *a, const void *b)
{
    const struct pack_file *x = a;
    const struct pack_file *y = b;
    int order = by_name(a, b);

    return order != 0 ? order : strcmp(x->path, y->path);
}

struct flawed_names {
    const struct pack_files *files;
    bool *is_flawed;
    uint32_t count;
    uint32_t first;
    char why[256]; /* flaw of the first such name */
};

static void add_flaw(void *user, uint32_t name, const char *why)
{
    struct flawed_names *flawed = user;
    const struct pack_file *file = &flawed->files->files[name];

    if (flawed->is_flawed[name])
        return;
    flawed->is_flawed[name] = true;
    if (flawed->count++ == 0) {
        flawed->first = name;
        snprintf(flawed->why, sizeof flawed->why, "%s", why);
    }
    diag_warn(flawed->files->diag, file->path, file->name, "%s%s",
              flawed->files->skips_flawed ? "is left out: " : "", why);
}

static bool is_left_out(void *user, uint32_t file)
{
    const struct flawed_names *flawed = user;

    return flawed->is_flawed[file];
}

static bool validate_names(struct pack_files *f)
{
    const char **names =
        /* NOLINTNEXTLINE(bugprone-sizeof-expression): pointers. */
        arena_alloc(f->arena, f->count + (size_t)1, sizeof *names);
    struct flawed_names flawed = {
        .files = f,
        .is_flawed = arena_alloc(f->arena, f->count + (size_t)1, 1),
    };

    memset(flawed.is_flawed, 0, f->count);
    for (uint32_t i = 0; i < f->count; i++)
        names[i] = f->files[i].name;
    if (pak_names_check(names, f->count, add_flaw, &flawed))
        return true;
    if (f->skips_flawed) {
        pack_files_leave_out(f, is_left_out, &flawed);
        return true;
    }
    diag_refuse(f->diag, f->files[flawed.first].path, DIAG_NO_OFFSET,
                f->files[flawed.first].name, "%s", flawed.why);
    if (f->can_skip)
        diag_hint(f->diag,
                  "%u of %u names are odd; --skip-odd leaves these files out",
                  flawed.count, f->count);
    return false;
}

static bool check_names(const struct pack_files *f)
{
    for (uint32_t i = 1; i < f->count; i++)
        if (by_name(&f->files[i - 1], &f->files[i]) == 0)
            return diag_refuse(f->diag, f->files[i].path, DIAG_NO_OFFSET,
                               f->files[i].name, "is also the name of %s",
                               f->files[i - 1].path);
    return true;
}

/* Largest file that is kept in memory. */
#define HELD_FILE_BYTES_MAX ((uint64_t)4 * PAK_BLOCK_BYTES)

static bool has_room(const struct pack_file *file, uint64_t used_bytes)
{
    return !file->pak && file->bytes <= HELD_FILE_BYTES_MAX &&
           file->bytes <= PACK_LOADED_BYTES_MAX - used_bytes;
}

/* If there is no memory, files are read again. */
static void make_room(struct pack_files *f)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < f->count; i++)
        if (has_room(&f->files[i], bytes))
            bytes += f->files[i].bytes;
    f->memory = malloc((size_t)bytes + 1);
    bytes = 0;
    for (uint32_t i = 0; f->memory && i < f->count; i++) {
        if (!has_room(&f->files[i], bytes))
            continue;
        f->files[i].memory = f->memory + bytes;
        bytes += f->files[i].bytes;
    }
}

bool pack_files_list(struct pack_files *files, const char *const *inputs,
                     uint32_t count, const char *output)
{
    struct gathering g = {.files = files, .output = output};
    struct diag silent;
    enum host_kind kind;

    diag_init(&silent);
    silent.is_silent = true;
    g.exists = !host_output_is_stdout(output) &&
               host_stat(output, &kind, &g.output_bytes, &silent);
    diag_finish(&silent);
    for (uint32_t i = 0; i < count; i++)
        if (!add_input(&g, inputs[i]))
            return false;
    if (files->count > 0)
        qsort(files->files, files->count, sizeof *files->files,
              by_name_and_path);
    if (!check_names(files) || !validate_names(files))
        return false;
    make_room(files);
    return true;
}

void pack_files_free(struct pack_files *files)
{
    for (uint32_t i = 0; i < files->pak_count; i++)
        pak_reader_close(files->paks[i]);
    free(files->memory);
}

/* -- use -- */

void pack_files_leave_out(struct pack_files *files,
                          bool (*leaves)(void *user, uint32_t file), void *user)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < files->count; i++)
        if (!leaves(user, i))
            files->files[kept++] = files->files[i];
    files->count = kept;
}

bool pack_file_load(struct pack_file *file, struct diag *diag)
{
    if (file->memory && !file->is_loaded)
        file->is_loaded = host_read_at(file->path, file->bytes, 0, file->memory,
                                       (size_t)file->bytes, diag);
    return file->is_loaded || !file->memory;
}

bool pack_file_read(const struct pack_file *file, struct pak_decoder *decoder,
                    uint64_t offset, uint8_t *target, size_t bytes,
                    struct diag *diag)
{
    if (file->is_loaded) {
        memcpy(target, file->memory + offset, bytes);
        return true;
    }
    if (file->pak)
        return pak_reader_read(file->pak, decoder, file->pak_content, offset,
                               target, bytes, diag);
    return host_read_at(file->path, file->bytes, offset, target, bytes, diag);
}
