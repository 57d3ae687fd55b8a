/* play_drive.c - options become an emulator around the run's platform. */
/* SPDX-License-Identifier: MIT */
#include "play/play_drive.h"

#include "common/host.h"
#include "drives/drive_file.h"
#include "drives/drive_stats.h"
#include "play/play_faults.h"

#include <spindle/spindle.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY_ALIGN 64u

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

static bool take_faults(struct play_drive *drive, const struct play_options *o,
                        const struct play_paks *paks, struct diag *diag)
{
    if (o->fault_count == 0)
        return true;
    drive->faults = calloc(o->fault_count, sizeof *drive->faults);
    if (!drive->faults)
        return diag_io(diag, "memory", 0, "none left for the faults");
    return play_faults_place(o, paks, &drive->profile, drive->faults, diag);
}

bool play_drive_start(struct play_drive *drive, const struct play_options *o,
                      const struct play_paks *paks, spn_platform *platform,
                      struct diag *diag)
{
    const spn_emulator_drive one = {.profile = &drive->profile};
    spn_emulator_config config = {.platform = platform,
                                  .drives = &one,
                                  .drive_count = 1,
                                  .file_count = o->file_count + 128};
    spn_platform table;
    size_t bytes;

    if (!o->drive && !o->is_virtual)
        return true;
    if (!choose_profile(drive, o, diag) ||
        (o->disc_layout && !disc_layout_read(o->disc_layout, &drive->profile,
                                             &drive->layout, diag)) ||
        !take_faults(drive, o, paks, diag))
        return false;
    config.faults = drive->faults;
    config.fault_count = o->fault_count;
    config.places = drive->layout.places;
    config.place_count = drive->layout.count;
    bytes = spn_emulator_bytes(&config);
    bytes = (bytes + MEMORY_ALIGN - 1) / MEMORY_ALIGN * MEMORY_ALIGN;
    drive->memory = host_aligned_alloc(MEMORY_ALIGN, bytes);
    if (!drive->memory || spn_emulator_init(&config, drive->memory, bytes,
                                            &drive->emulator, &table) != SPN_OK)
        return diag_io(diag, "memory", 0, "none left for the drive");
    *platform = table;
    return true;
}

void play_drive_finish(struct play_drive *drive)
{
    disc_layout_finish(&drive->layout);
    host_aligned_free(drive->memory);
    free(drive->faults);
    drive->faults = NULL;
    drive->memory = NULL;
    drive->emulator = NULL;
}

void play_drive_begin(struct play_drive *drive)
{
    /* SPN_ERR_ARG without an emulator. */
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
