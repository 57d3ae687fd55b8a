/* sim_inputs.c - open the inputs, and find their positions on the disc. */
/* SPDX-License-Identifier: MIT */
#include "simulate/sim_inputs.h"

#include "base/carve.h"
#include "disc/drive_disc.h"
#include "drives/disc_layout.h"
#include "drives/drive_file.h"
#include "emulator/emulator_places.h"
#include "host/host.h"

#include <string.h>

/* -- positions of paks -- */

/* Align positions as the emulator does, so that the same file gives the same
 * positions. */
static bool place_by(struct sim_inputs *in, struct sim_layout *layout,
                     const char *file, const struct disc_layout *lines,
                     struct diag *diag)
{
    const spn_emulator_drive drive = {.profile = &in->drive};
    const spn_emulator_config config = {.drives = &drive,
                                        .drive_count = 1,
                                        .places = lines->places,
                                        .place_count = lines->count};
    struct emulator_places places;

    disc_layout_places(&places, &config, SIM_PAKS_MAX, in->arena);
    for (uint32_t i = 0; i < layout->count; i++) {
        const struct pak_reader *pak = layout->paks[i].reader;
        struct emulator_place place;

        if (spn__places_find(&places, pak->path, pak->index.header.file_bytes,
                             &place) != SPN_OK)
            return diag_refuse(diag, pak->path, DIAG_NO_OFFSET, NULL,
                               "does not fit on the disc of %s",
                               in->drive.name);
        if (place.drive == SPN_EMULATOR_NO_DRIVE)
            return diag_refuse(diag, pak->path, DIAG_NO_OFFSET, NULL,
                               "does not lie on the disc, says %s", file);
        layout->paks[i].at = place.offset;
    }
    return true;
}

static bool place_paks(struct sim_inputs *in, const char *file,
                       struct diag *diag)
{
    struct disc_layout lines = {.count = 0};
    bool is_good =
        !file || disc_layout_read(file, &in->drive, in->arena, &lines, diag);

    for (uint32_t i = 0; i < in->layout_count && is_good; i++)
        is_good = place_by(in, &in->layouts[i], file, &lines, diag);
    return is_good;
}

/* -- opening -- */

static bool is_apart(const struct sim_options *o, const char *input,
                     struct diag *diag)
{
    return !input ||
           ((!o->output || host_output_differs(o->output, input, diag)) &&
            (!o->write_trace ||
             host_output_differs(o->write_trace, input, diag)));
}

static bool are_apart(const struct sim_options *o, struct diag *diag)
{
    bool is_good = is_apart(o, o->drive, diag) &&
                   is_apart(o, o->disc_layout, diag) &&
                   is_apart(o, o->clips, diag);

    for (uint32_t i = 0; i < o->traces.count && is_good; i++)
        is_good = is_apart(o, o->traces.items[i], diag);
    for (uint32_t i = 0; i < o->layouts.count && is_good; i++)
        is_good = is_apart(o, o->layouts.items[i], diag);
    for (uint32_t i = 0; i < o->compared_count && is_good; i++)
        is_good = is_apart(o, o->compared[i], diag);
    return is_good;
}

static bool read_traces(struct sim_inputs *in, const struct sim_options *o,
                        struct diag *diag)
{
    uint32_t count = o->traces.count;

    in->trace_paths = o->traces.items;
    in->traces = ARENA_NEW(in->arena, struct read_trace, count);
    for (uint32_t i = 0; i < count; i++) {
        if (!read_trace_load(in->trace_paths[i], in->arena, &in->traces[i],
                             diag))
            return false;
        if (in->traces[i].read_count == 0)
            return diag_refuse(diag, in->trace_paths[i], DIAG_NO_OFFSET, NULL,
                               "no reads");
        in->trace_count++;
    }
    return true;
}

static bool open_pak(struct sim_inputs *in, const char *path, struct diag *diag)
{
    if (!pak_reader_open(&in->paks[in->pak_count], path, diag))
        return false;
    in->pak_count++;
    return true;
}

static void add_pak(struct sim_layout *layout, const struct pak_reader *reader,
                    struct arena *arena)
{
    layout->paks[layout->count++].reader = reader;
    layout->name =
        layout->name ? arena_format(arena, "%s, %s", layout->name, reader->path)
                     : arena_format(arena, "%s", reader->path);
}

static bool open_paks(struct sim_inputs *in, const struct sim_options *o,
                      struct diag *diag)
{
    uint32_t common = o->layouts.count;

    for (uint32_t i = 0; i < common; i++)
        if (!open_pak(in, o->layouts.items[i], diag))
            return false;
    for (uint32_t i = 0; i < o->compared_count; i++)
        if (!open_pak(in, o->compared[i], diag))
            return false;
    in->layout_count = o->compared_count ? o->compared_count : common > 0;
    for (uint32_t k = 0; k < in->layout_count; k++) {
        for (uint32_t i = 0; i < common; i++)
            add_pak(&in->layouts[k], &in->paks[i], in->arena);
        if (o->compared_count > 0)
            add_pak(&in->layouts[k], &in->paks[common + k], in->arena);
    }
    return true;
}

static bool read_clips(struct sim_inputs *in, const char *path,
                       struct diag *diag)
{
    if (!path)
        return true;
    if (!clip_script_read(path, in->arena, &in->script, diag))
        return false;
    in->has_script = true;
    for (uint32_t i = 0; i < in->layout_count; i++)
        if (!clip_files_find(&in->layouts[i].clips, &in->script,
                             in->layouts[i].paks, in->layouts[i].count, diag))
            return false;
    return true;
}

bool sim_inputs_open(struct sim_inputs *in, const struct sim_options *o,
                     struct diag *diag)
{
    return are_apart(o, diag) &&
           drive_file_choose(o->drive, &in->drive, diag) &&
           read_traces(in, o, diag) && open_paks(in, o, diag) &&
           place_paks(in, o->disc_layout, diag) &&
           read_clips(in, o->clips, diag);
}

void sim_inputs_close(struct sim_inputs *in)
{
    while (in->pak_count > 0)
        pak_reader_close(&in->paks[--in->pak_count]);
}

/* -- faults -- */

/* List the entries of all paks, or of the pak whose path precedes the colon. */
struct candidates {
    const char **names;
    const struct load_pak **paks;
    uint32_t count;
};

static void add_names(struct candidates *c, const struct load_pak *pak)
{
    const struct pak_index *index = &pak->reader->index;

    for (uint32_t i = 0; i < index->header.entry_count; i++) {
        c->names[c->count] = spn__pak_entry(index, i).name;
        c->paks[c->count++] = pak;
    }
}

static void find_candidates(const struct sim_inputs *in,
                            const struct sim_layout *layout,
                            struct fault_spec *spec, struct candidates *c)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < layout->count; i++)
        count += layout->paks[i].reader->index.header.entry_count;
    *c = (struct candidates){
        .names = ARENA_NEW(in->arena, const char *, count),
        .paks = ARENA_NEW(in->arena, const struct load_pak *, count)};
    for (uint32_t i = 0; i < layout->count; i++) {
        const char *path = layout->paks[i].reader->path;
        size_t bytes = strlen(path);

        if (strncmp(spec->name, path, bytes) != 0 || spec->name[bytes] != ':')
            continue;
        spec->name += bytes + 1;
        add_names(c, &layout->paks[i]);
        return;
    }
    /* If several paks have the entry, the last one is read. */
    for (uint32_t i = layout->count; i > 0; i--)
        add_names(c, &layout->paks[i - 1]);
}

static bool place_in_pak(const struct sim_inputs *in,
                         const struct sim_layout *layout,
                         struct fault_spec spec, spn_emulator_fault *out,
                         struct diag *diag)
{
    struct candidates c;
    const char *name;
    uint32_t i = 0;

    find_candidates(in, layout, &spec, &c);
    name = fault_spec_choose(&spec, c.names, c.count, diag);
    if (!name)
        return false;
    while (c.names[i] != name)
        i++;
    if (!fault_spec_in_pak(&spec, name, c.paks[i]->reader, out, diag))
        return false;
    out->offset += c.paks[i]->at;
    return true;
}

bool sim_inputs_place_faults(const struct sim_inputs *in,
                             const struct sim_layout *layout,
                             const struct fault_spec *specs, uint32_t count,
                             spn_emulator_fault *out, struct diag *diag)
{
    for (uint32_t i = 0; i < count; i++) {
        out[i] = specs[i].fault;
        if (specs[i].name
                ? !place_in_pak(in, layout, specs[i], &out[i], diag)
                : !fault_spec_validate(&specs[i],
                                       spn__drive_disc_bytes(&in->drive), diag))
            return false;
    }
    return true;
}
