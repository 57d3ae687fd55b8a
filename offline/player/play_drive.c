/* play_drive.c - set up the drive emulator from the options. */
/* SPDX-License-Identifier: MIT */
#include "player/play_drive.h"

#include "drives/drive_file.h"
#include "drives/drive_stats.h"
#include "emulator/emulator_places.h"
#include "host/host.h"
#include "player/play_faults.h"

#include <spindle/spindle.h>
#include <string.h>

void play_drive_constant(spn_drive_profile *out, double mb_per_s,
                         double seek_ms)
{
    uint32_t rate = (uint32_t)(mb_per_s * 1e6 + 0.5);

    *out = (spn_drive_profile){
        .name = "constant",
        .about = "one rate, one length of seek",
        .motion = SPN_DRIVE_CLV,
        .distance = SPN_DRIVE_BY_BYTES,
        .layers = 1,
        .layer_bytes = (uint64_t)1 << 46,
        .radius_in_um = 24000,
        .radius_out_um = 58000,
        .pitch_nm = 740,
        .rate_in = rate,
        .rate_out = rate,
        .seek = {.unit = 1,
                 .far_piece = {.base_us = (uint32_t)(seek_ms * 1e3 + 0.5)}},
        .ecc_bytes = 1,
        .interface_rate = UINT32_MAX,
        .slow_percent = 100,
    };
}

static bool choose_profile(struct play_drive *drive,
                           const struct play_options *o, struct diag *diag)
{
    if (o->drive)
        return drive_file_choose(o->drive, &drive->profile, diag);
    play_drive_constant(&drive->profile, o->disc_rate, o->seek_ms);
    return true;
}

/* Index of the first place whose pattern matches; `count`: none. */
static uint32_t find_place(const spn_emulator_place *places, uint32_t count,
                           const char *path)
{
    uint32_t i = 0;

    while (i < count && !spn__places_match(places[i].pattern, path))
        i++;
    return i;
}

/* Refuse a file that the emulator could not place, before playback. */
static bool refuse_room(const struct emulator_places *places, const char *path,
                        uint64_t bytes, const char *drive, struct diag *diag)
{
    uint32_t i = find_place(places->places, places->place_count, path);

    return diag_refuse(diag, path, DIAG_NO_OFFSET, NULL,
                       "%llu bytes from byte %llu on do not fit on the disc of "
                       "%s, which has %llu",
                       (unsigned long long)bytes,
                       (unsigned long long)places->ends[i], drive,
                       (unsigned long long)places->disc_bytes[0]);
}

/* The runtime opens the file of a path under a name. */
static bool validate_room(struct emulator_places *places, const char *name,
                          const char *path, const char *drive,
                          struct diag *diag)
{
    struct emulator_place place;
    enum host_kind kind;
    uint64_t bytes;

    if (!host_stat(path, &kind, &bytes, diag))
        return false;
    return spn__places_find(places, name, bytes, &place) != SPN_ERR_RANGE ||
           refuse_room(places, name, bytes, drive, diag);
}

/* Check that every file fits on the disc at its place, in the order of opening:
 * paks, then operands. With paks an operand may be the name of an entry. */
static bool has_room(const spn_emulator_config *config,
                     const struct play_paks *paks, struct arena *arena,
                     struct diag *diag)
{
    const char *drive = config->drives[0].profile->name;
    struct emulator_places places;
    bool is_good = true;

    disc_layout_places(&places, config, paks->count + paks->source_count + 1,
                       arena);
    for (uint32_t i = 0; is_good && i < paks->count; i++)
        is_good =
            validate_room(&places, paks->paths[i], paks->paths[i], drive, diag);
    for (uint32_t i = 0; is_good && paks->count == 0 && i < paks->source_count;
         i++)
        is_good = validate_room(&places, paks->sources[i].name,
                                paks->sources[i].path, drive, diag);
    return is_good;
}

/* Warn of layout lines that match no file. */
static void warn_of_unused(const char *file, const struct disc_layout *layout,
                           const struct play_paks *paks, struct arena *arena,
                           struct diag *diag)
{
    bool *is_used = ARENA_NEW(arena, bool, layout->count);
    const char *example = NULL;
    uint32_t unused = 0;

    /* The files that an image names are not known. */
    for (uint32_t i = 0; i < paks->source_count; i++)
        if (paks->sources[i].kind == OPERAND_IMAGE)
            return;
    for (uint32_t i = 0; i < paks->count + paks->source_count; i++) {
        uint32_t k =
            find_place(layout->places, layout->count,
                       i < paks->count ? paks->paths[i]
                                       : paks->sources[i - paks->count].name);

        if (k < layout->count)
            is_used[k] = true;
    }
    for (uint32_t i = 0; i < layout->count; i++)
        if (!is_used[i] && unused++ == 0)
            example = layout->places[i].pattern;
    if (unused > 0)
        diag_warn(diag, file, example,
                  "no file has its place from it (%u of %u lines are for "
                  "nothing)",
                  (unsigned)unused, (unsigned)layout->count);
}

bool play_drive_start(struct play_drive *drive, const struct play_options *o,
                      const struct play_paks *paks, uint32_t clip_files,
                      struct arena *arena, spn_platform *platform,
                      struct diag *diag)
{
    const spn_emulator_drive one = {.profile = &drive->profile};
    spn_emulator_config config = {.platform = platform,
                                  .drives = &one,
                                  .drive_count = 1,
                                  .file_count =
                                      o->file_count + clip_files + 128};
    spn_platform table;
    size_t bytes;

    if (!o->drive && !o->is_virtual)
        return true;
    if (!choose_profile(drive, o, diag) ||
        (o->disc_layout && !disc_layout_read(o->disc_layout, &drive->profile,
                                             arena, &drive->layout, diag)))
        return false;
    drive->faults = ARENA_NEW(arena, spn_emulator_fault, o->fault_count);
    if (!play_faults_place(o, paks, &drive->profile, arena, drive->faults,
                           diag))
        return false;
    config.faults = drive->faults;
    config.fault_count = o->fault_count;
    config.places = drive->layout.places;
    config.place_count = drive->layout.count;
    if (!has_room(&config, paks, arena, diag))
        return false;
    if (o->disc_layout)
        warn_of_unused(o->disc_layout, &drive->layout, paks, arena, diag);
    bytes = spn_emulator_bytes(&config);
    if (spn_emulator_init(&config, arena_alloc(arena, bytes, 1), bytes,
                          &drive->emulator, &table) != SPN_OK)
        return diag_io(diag, "memory", 0, "none left for the drive");
    drive->origin_us = platform->now_us(platform->user);
    *platform = table;
    return true;
}

void play_drive_begin(struct play_drive *drive)
{
    /* the result is SPN_ERR_ARG without an emulator */
    (void)spn_emulator_get_stats(drive->emulator, 0, &drive->before);
}

void play_drive_collect(const struct play_drive *drive,
                        struct play_report *report)
{
    spn_emulator_stats *s = &report->drive;

    report->has_drive = spn_emulator_get_stats(drive->emulator, 0, s) == SPN_OK;
    if (!report->has_drive)
        return;
    memcpy(report->drive_name, drive->profile.name, sizeof report->drive_name);
    drive_stats_subtract(s, &drive->before);
}

uint64_t play_drive_due_us(const struct play_drive *drive)
{
    return spn_emulator_due_us(drive->emulator);
}
