/* play_faults.c - find the file, or the entry of a pak, that a fault names. */
/* SPDX-License-Identifier: MIT */
#include "player/play_faults.h"

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

static bool place(const struct fault_spec *spec, const struct play_paks *paks,
                  const char *const *names, uint64_t disc_bytes,
                  spn_emulator_fault *out, struct diag *diag)
{
    const char *name;

    if (!spec->name) {
        *out = spec->fault;
        return fault_spec_validate(spec, disc_bytes, diag);
    }
    name =
        fault_spec_choose(spec, names, paks->count + paks->source_count, diag);
    if (!name)
        return false;
    for (uint32_t i = 0; i < paks->count; i++)
        if (names[i] == name)
            return place_in_file(spec, name, name, out, diag);
    for (uint32_t i = 0; i < paks->source_count; i++)
        if (names[paks->count + i] == name)
            return place_in_source(spec, &paks->sources[i], paks, out, diag);
    return false;
}

bool play_faults_place(const struct play_options *options,
                       const struct play_paks *paks,
                       const spn_drive_profile *profile, struct arena *arena,
                       spn_emulator_fault *out, struct diag *diag)
{
    const char **names =
        ARENA_NEW(arena, const char *, paks->count + paks->source_count);
    bool is_good = true;

    for (uint32_t i = 0; i < paks->count; i++)
        names[i] = paks->paths[i];
    for (uint32_t i = 0; i < paks->source_count; i++)
        names[paks->count + i] = paks->sources[i].operand;
    for (uint32_t i = 0; is_good && i < options->fault_count; i++)
        is_good = place(&options->faults[i], paks, names,
                        spn__drive_disc_bytes(profile), &out[i], diag);
    return is_good;
}
