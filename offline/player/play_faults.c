/* play_faults.c - find the file, or the entry of a pak, that a fault names. */
/* SPDX-License-Identifier: MIT */
#include "player/play_faults.h"

#include "anim/tool/index_file.h"
#include "disc/drive_disc.h"
#include "host/host.h"
#include "pack/pak_reader.h"

#include <string.h>

/* The runtime opens the file under `name`. */
static bool place_in_file(const struct fault_spec *spec, const char *name,
                          const char *path, spn_emulator_fault *out,
                          struct diag *diag)
{
    enum host_kind kind;
    uint64_t bytes;

    if (!host_stat(path, &kind, &bytes, diag) ||
        !fault_spec_validate(spec, bytes, diag))
        return false;
    if (spec->copy > 0)
        return diag_refuse(diag, spec->text, DIAG_NO_OFFSET, NULL,
                           "copy is of a file in a pak");
    *out = spec->fault;
    out->file = name;
    return true;
}

/* Sets *is_found if the pak has the entry; then the result is about it. */
static bool place_in_pak(const struct fault_spec *spec, const char *name,
                         const char *path, bool is_sure,
                         spn_emulator_fault *out, struct diag *diag,
                         bool *is_found)
{
    struct pak_reader pak;
    bool is_good = true;

    if (!pak_reader_open(&pak, path, diag))
        return false;
    *is_found = is_sure || spn__pak_find(&pak.index, name,
                                         (uint32_t)strlen(name)) != PAK_NONE;
    if (*is_found)
        is_good = fault_spec_in_pak(spec, name, &pak, out, diag);
    out->file = path;
    pak_reader_close(&pak);
    return is_good;
}

static bool place_in_source(const struct fault_spec *spec,
                            const struct play_source *source,
                            const struct play_paks *paks,
                            spn_emulator_fault *out, struct diag *diag)
{
    bool is_found = false;

    if (source->pak < paks->count)
        return place_in_pak(spec, source->name, paks->paths[source->pak], true,
                            out, diag, &is_found);
    /* The runtime searches the pak mounted last first. */
    for (uint32_t i = paks->count; i > 0 && !is_found; i--)
        if (!place_in_pak(spec, source->name, paks->paths[i - 1], false, out,
                          diag, &is_found))
            return false;
    return is_found ||
           place_in_file(spec, source->name, source->path, out, diag);
}

/* The names that faults may have. */
struct names {
    struct arena *arena;
    const char **items; /* paks, then operands of sources */
    struct play_source *sources;
    uint32_t pak_count;
    uint32_t source_count;
    uint64_t capacity[2];
};

static void add_source(struct names *names, const struct play_source *source)
{
    const uint32_t count = names->pak_count + names->source_count;

    names->items = arena_grow(names->arena, names->items, count,
                              &names->capacity[0], sizeof(const char *));
    names->sources =
        arena_grow(names->arena, names->sources, names->source_count,
                   &names->capacity[1], sizeof *names->sources);
    names->items[count] = source->operand;
    names->sources[names->source_count++] = *source;
}

/* Add the databases of an image. One that cannot be opened is refused later. */
static void add_databases(struct names *names, const struct play_source *image)
{
    const char *folder = operand_folder(image->path, names->arena);
    struct index_file file;
    struct diag silent;

    diag_init(&silent);
    silent.is_silent = true;
    if (index_file_open(&file, image->path, CLIP_INDEX_IMAGE, &silent)) {
        for (uint32_t i = 0; i < file.index.header.file_count; i++) {
            struct play_source source = {.pak = UINT32_MAX};

            source.path =
                arena_format(names->arena, "%s%s", folder,
                             spn__clip_index_file(&file.index, i).path);
            source.operand = source.path;
            source.name = source.path + strlen(folder);
            add_source(names, &source);
        }
        index_file_close(&file);
    }
    diag_finish(&silent);
}

static void list_names(struct names *names, const struct play_paks *paks)
{
    for (uint32_t i = 0; i < paks->count; i++) {
        names->items = arena_grow(names->arena, names->items, names->pak_count,
                                  &names->capacity[0], sizeof(const char *));
        names->items[names->pak_count++] = paks->paths[i];
    }
    for (uint32_t i = 0; i < paks->source_count; i++)
        add_source(names, &paks->sources[i]);
    for (uint32_t i = 0; i < paks->source_count; i++)
        if (paks->sources[i].kind == OPERAND_IMAGE &&
            paks->sources[i].pak == UINT32_MAX) {
            add_databases(names, &paks->sources[i]);
            break;
        }
}

static bool place(const struct fault_spec *spec, const struct play_paks *paks,
                  const struct names *names, uint64_t disc_bytes,
                  spn_emulator_fault *out, struct diag *diag)
{
    const char *name;

    if (!spec->name) {
        *out = spec->fault;
        return fault_spec_validate(spec, disc_bytes, diag);
    }
    name = fault_spec_choose(spec, names->items,
                             names->pak_count + names->source_count, diag);
    if (!name)
        return false;
    for (uint32_t i = 0; i < names->pak_count; i++)
        if (names->items[i] == name)
            return place_in_file(spec, name, name, out, diag);
    for (uint32_t i = 0; i < names->source_count; i++)
        if (names->items[names->pak_count + i] == name)
            return place_in_source(spec, &names->sources[i], paks, out, diag);
    return false;
}

bool play_faults_place(const struct play_options *options,
                       const struct play_paks *paks,
                       const spn_drive_profile *profile, struct arena *arena,
                       spn_emulator_fault *out, struct diag *diag)
{
    struct names names = {.arena = arena};
    bool is_good = true;

    if (options->fault_count > 0)
        list_names(&names, paks);
    for (uint32_t i = 0; is_good && i < options->fault_count; i++)
        is_good = place(&options->faults[i], paks, &names,
                        spn__drive_disc_bytes(profile), &out[i], diag);
    return is_good;
}
