/* sim_drive.c - submit, poll and cancel, with random faults. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_drive.h"

#include "sim/sim.h"
#include "sim/sim_damage.h"

#include <string.h>

#define US_PER_SECOND 1000000u
#define MS 1000u
/* Longer than any run. */
#define HANG_US (UINT64_C(3600) * US_PER_SECOND)
/* Bytes around the head that the drive has in its buffer. */
#define BUFFER_BYTES 65536u
/* Files lie side by side, each in a range of this size. */
#define PLACE_BYTES (UINT64_C(16) << 30)
#define SMALL_PLACE_BYTES (UINT64_C(12) << 20)

static uint64_t place_of(uint32_t file)
{
    /* The largest file lies after all others but those of animation. */
    if (file == MADE_RAW - 1)
        return MADE_ANIM * SMALL_PLACE_BYTES;
    return file * SMALL_PLACE_BYTES + (file >= MADE_ANIM ? PLACE_BYTES : 0);
}

/* -- files -- */

static bool is_out(const struct sim *sim)
{
    return sim->clock.time_us < sim->drive.closed_from_us ||
           (sim->clock.time_us < sim->drive.right_from_us &&
            !sim->drive.is_blind);
}

/* A read or opening failed, or had other bytes, because of the tray or the
 * disc. */
static void note_outage_effect(struct sim *sim)
{
    struct sim_drive *drive = &sim->drive;
    bool is_open = sim->clock.time_us < drive->closed_from_us;
    bool *is_felt = is_open ? &drive->is_tray_felt : &drive->is_disc_felt;

    if (!*is_felt)
        swarm_hit(&sim->swarm, is_open ? SWARM_TRAY_OPEN : SWARM_DISC_SWAPPED);
    *is_felt = true;
}

static spn_status open_file(void *user, const char *path,
                            spn_platform_file_info *info)
{
    struct sim *sim = user;
    struct sim_drive *drive = &sim->drive;
    uint32_t file = 0;

    while (file < MADE_FILES && strcmp(sim->disc->files[file].path, path) != 0)
        file++;
    if (file == MADE_FILES || sim_anim_pak_has(sim, file))
        return SPN_ERR_NOT_FOUND;
    if (drive->medium[file] != SPN_MEDIUM_MEMORY) {
        if (is_out(sim)) {
            note_outage_effect(sim);
            return SPN_ERR_IO;
        }
        if (swarm_occurs(&sim->swarm, SWARM_OPEN_ERROR)) {
            sim_note(sim, "open fails", file, 0, 0);
            return swarm_below(&sim->swarm, 2) ? SPN_ERR_IO : SPN_ERR_NOT_FOUND;
        }
    }
    drive->open_count[file]++;
    drive->opens++;
    info->file = file;
    info->bytes = sim->disc->files[file].bytes;
    info->disc_offset = drive->has_places ? place_of(file) : UINT64_MAX;
    info->align_bytes = drive->align_bytes;
    info->medium = drive->medium[file];
    if (info->medium == SPN_MEDIUM_MEMORY)
        info->memory = sim->disc->files[file].data;
    return SPN_OK;
}

static void close_file(void *user, spn_platform_file file)
{
    struct sim *sim = user;
    struct sim_drive *drive = &sim->drive;

    SIM_MUST(sim, SIM_CONTRACT, file < MADE_FILES);
    SIM_MUST(sim, SIM_CONTRACT, drive->open_count[file] > 0);
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        SIM_MUST(sim, SIM_CONTRACT,
                 !drive->devices[i].is_reading ||
                     drive->devices[i].file != file ||
                     drive->open_count[file] > 1);
    drive->open_count[file]--;
    drive->closes++;
}

/* -- faults of a read -- */

static void check_read(struct sim *sim, spn_platform_file file, uint64_t offset,
                       const spn_extent *extents, uint32_t extent_count,
                       uint32_t tag)
{
    const struct sim_drive *drive = &sim->drive;
    uint64_t mask = drive->align_bytes - 1;

    SIM_MUST(sim, SIM_CONTRACT, file < MADE_FILES);
    SIM_MUST(sim, SIM_CONTRACT, drive->open_count[file] > 0);
    SIM_MUST(sim, SIM_CONTRACT, drive->medium[file] != SPN_MEDIUM_MEMORY);
    SIM_MUST(sim, SIM_CONTRACT,
             !drive->devices[drive->medium[file]].is_reading);
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        SIM_MUST(sim, SIM_CONTRACT,
                 !drive->devices[i].is_reading || drive->devices[i].tag != tag);
    SIM_MUST(sim, SIM_CONTRACT,
             extent_count > 0 && extent_count <= SPN_PLATFORM_EXTENTS_MAX);
    SIM_MUST(sim, SIM_CONTRACT, (offset & mask) == 0);
    SIM_MUST(sim, SIM_CONTRACT, offset < sim->disc->files[file].bytes);
    for (uint32_t i = 0; i < extent_count; i++) {
        SIM_MUST(sim, SIM_CONTRACT, extents[i].bytes > 0);
        SIM_MUST(sim, SIM_CONTRACT, (extents[i].bytes & mask) == 0);
        SIM_MUST(sim, SIM_CONTRACT, ((uintptr_t)extents[i].data & mask) == 0);
    }
}

/* The first unreadable sector of the read, or the number of sectors. */
static uint32_t find_bad(const struct sim_drive *drive,
                         const struct sim_device *d)
{
    uint32_t i = 0;

    while (i < drive->bad_count &&
           (drive->bad[i].file != d->file ||
            drive->bad[i].first >= d->offset + d->bytes ||
            drive->bad[i].limit <= d->offset))
        i++;
    return i;
}

static void draw_errors(struct sim *sim, struct sim_device *d)
{
    struct sim_drive *drive = &sim->drive;
    uint64_t at = d->offset + swarm_below(&sim->swarm, (uint32_t)d->bytes_most);

    if (drive->bad_count < SIM_BAD_SECTORS &&
        swarm_draws(&sim->swarm, SWARM_HARD_ERROR))
        drive->bad[drive->bad_count++] =
            (struct sim_place){.file = d->file,
                               .first = at - at % SIM_SECTOR,
                               .limit = at - at % SIM_SECTOR + SIM_SECTOR};
    d->bad = find_bad(drive, d);
    if (d->bad < drive->bad_count)
        d->error = SWARM_HARD_ERROR;
    else if (swarm_draws(&sim->swarm, SWARM_HEALING_ERROR))
        d->error = SWARM_HEALING_ERROR;
    if (d->error != SWARM_KINDS)
        d->status = SPN_ERR_IO;
    d->is_short =
        d->bytes_most > 1 && swarm_draws(&sim->swarm, SWARM_SHORT_READ);
    if (d->is_short)
        d->bytes_most =
            1 + swarm_below(&sim->swarm, (uint32_t)d->bytes_most - 1);
}

static void draw_damage(struct sim *sim, struct sim_device *d)
{
    d->damage_at = swarm_below(&sim->swarm, (uint32_t)d->bytes_most);
    if (swarm_draws(&sim->swarm, SWARM_BIT_FLIP))
        d->damage = DAMAGE_FLIP;
    else if (swarm_draws(&sim->swarm, SWARM_STALE_SECTOR))
        d->damage = DAMAGE_STALE;
    else if (swarm_draws(&sim->swarm, SWARM_WRONG_PLACE))
        d->damage = DAMAGE_PLACE;
}

static void draw_disasters(struct sim *sim)
{
    struct sim_drive *drive = &sim->drive;
    uint64_t now_us = sim->clock.time_us;

    if (swarm_draws(&sim->swarm, SWARM_TRAY_OPEN)) {
        drive->is_tray_felt = false;
        drive->closed_from_us =
            now_us + swarm_between(&sim->swarm, 100 * MS, 8000 * MS);
        sim_note(sim, "tray opens", drive->closed_from_us, 0, 0);
    }
    if (swarm_draws(&sim->swarm, SWARM_DISC_SWAPPED)) {
        drive->is_disc_felt = false;
        drive->right_from_us =
            now_us + swarm_between(&sim->swarm, 100 * MS, 8000 * MS);
        sim_note(sim, "disc swapped", drive->right_from_us, 0, 0);
    }
}

static void draw_time(struct sim *sim, struct sim_device *d)
{
    const struct sim_drive *drive = &sim->drive;
    uint64_t place = place_of(d->file) + d->offset;

    d->due_us = sim->clock.time_us + drive->command_us +
                d->bytes * US_PER_SECOND / drive->bytes_per_second;
    if (place > d->head + BUFFER_BYTES || d->head > place + BUFFER_BYTES)
        d->due_us += drive->seek_us;
    if (swarm_draws(&sim->swarm, SWARM_STALL)) {
        d->is_stalled = true;
        d->due_us += swarm_between(&sim->swarm, 100 * MS, 10000 * MS);
        sim_note(sim, "stall", d->tag, d->due_us, 0);
    }
    d->head = place + d->bytes_most;
    d->is_hanging =
        drive->cancel != CANCEL_IGNORED && swarm_draws(&sim->swarm, SWARM_HANG);
    if (d->is_hanging) {
        d->due_us += HANG_US;
        sim_note(sim, "hang", d->tag, 0, 0);
    }
}

/* A planted bug in which the runtime seems to submit an invalid read. */
static void plant_before(const struct sim *sim, uint64_t *offset)
{
    if (sim->options.canary == CANARY_UNALIGNED && sim->drive.align_bytes > 1)
        *offset += sim->drive.align_bytes / 2;
}

static spn_status submit(void *user, spn_platform_file file, uint64_t offset,
                         const spn_extent *extents, uint32_t extent_count,
                         uint32_t tag)
{
    struct sim *sim = user;
    struct sim_drive *drive = &sim->drive;
    struct sim_device *d;
    uint64_t left;

    plant_before(sim, &offset);
    check_read(sim, file, offset, extents, extent_count, tag);
    sim_anim_check_submit(sim, (uint32_t)file);
    d = &drive->devices[drive->medium[file]];
    *d = (struct sim_device){.tag = tag,
                             .file = (uint32_t)file,
                             .offset = offset,
                             .extent_count = extent_count,
                             .error = SWARM_KINDS,
                             .head = d->head};
    memcpy(d->extents, extents, extent_count * sizeof *extents);
    for (uint32_t i = 0; i < extent_count; i++)
        d->bytes += extents[i].bytes;
    left = sim->disc->files[file].bytes - offset;
    d->bytes_most = d->bytes < left ? d->bytes : left;
    sim_note(sim, "submit", file, offset, (int64_t)d->bytes);
    draw_disasters(sim);
    if (swarm_occurs(&sim->swarm, SWARM_REFUSED))
        return SPN_ERR_IO;
    draw_errors(sim, d);
    draw_damage(sim, d);
    draw_time(sim, d);
    d->is_reading = true;
    if (sim->options.canary == CANARY_SECOND)
        check_read(sim, file, offset, extents, extent_count, tag + 1);
    return SPN_OK;
}

/* -- completion -- */

static struct sim_device *first_due(struct sim_drive *drive)
{
    struct sim_device *first = NULL;

    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++) {
        struct sim_device *d = &drive->devices[i];

        if (d->is_reading && (!first || d->due_us < first->due_us))
            first = d;
    }
    return first;
}

uint64_t sim_drive_due(const struct sim *sim)
{
    uint64_t due_us = UINT64_MAX;

    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        if (sim->drive.devices[i].is_reading &&
            sim->drive.devices[i].due_us < due_us)
            due_us = sim->drive.devices[i].due_us;
    return due_us;
}

/* Count the drawn faults that had an effect. */
static void count_effects(struct sim *sim, struct sim_device *d)
{
    struct sim_drive *drive = &sim->drive;

    if (d->is_stalled && !d->is_cut)
        swarm_hit(&sim->swarm, SWARM_STALL);
    if (d->status == SPN_OK && d->is_short && !d->is_cut)
        swarm_hit(&sim->swarm, SWARM_SHORT_READ);
    if (d->error == SWARM_HEALING_ERROR)
        swarm_hit(&sim->swarm, SWARM_HEALING_ERROR);
    if (d->error != SWARM_HARD_ERROR)
        return;
    if (!drive->bad[d->bad].is_felt)
        swarm_hit(&sim->swarm, SWARM_HARD_ERROR);
    drive->bad[d->bad].is_felt = true;
}

static void end_read(struct sim *sim, struct sim_device *d)
{
    if (is_out(sim)) {
        note_outage_effect(sim);
        d->status = SPN_ERR_IO;
        d->error = SWARM_KINDS;
    } else if (sim->clock.time_us < sim->drive.right_from_us) {
        if (d->status == SPN_OK && d->bytes_most > 0)
            note_outage_effect(sim);
        d->damage = DAMAGE_DISC;
    }
    count_effects(sim, d);
    sim_damage_deliver(sim, d);
    d->is_reading = false;
}

static spn_status poll(void *user, spn_platform_completion *out,
                       uint64_t *due_us)
{
    struct sim *sim = user;
    struct sim_device *d = first_due(&sim->drive);

    *due_us = UINT64_MAX;
    if (!d)
        return SPN_PENDING;
    /* Without threads time passes with each poll. */
    (void)sim_clock_now(sim);
    if (sim->clock.time_us < d->due_us) {
        if (!sim->drive.is_interrupting)
            *due_us = sim_clock_then(sim, d->due_us);
        return SPN_PENDING;
    }
    end_read(sim, d);
    *out = (spn_platform_completion){d->tag, d->status,
                                     d->status == SPN_OK ? d->bytes_most : 0};
    sim_note(sim, "piece", d->file, out->bytes, d->status);
    return SPN_OK;
}

static void cancel(void *user, uint32_t tag)
{
    struct sim *sim = user;

    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++) {
        struct sim_device *d = &sim->drive.devices[i];

        if (!d->is_reading || d->tag != tag)
            continue;
        sim_note(sim, "cancel", tag, 0, 0);
        if (sim->drive.cancel == CANCEL_IGNORED)
            return;
        if (d->is_hanging)
            swarm_hit(&sim->swarm, SWARM_HANG);
        if (d->file >= MADE_ANIM)
            swarm_hit(&sim->swarm, SWARM_CLIP_CANCEL);
        d->is_cut = true;
        d->is_hanging = false;
        d->due_us = sim->clock.time_us;
        if (sim->drive.cancel == CANCEL_SOON)
            d->due_us += swarm_below(&sim->swarm, 30 * MS);
        if (swarm_below(&sim->swarm, 2))
            d->status = SPN_ERR_IO;
        else
            d->bytes_most = swarm_below(&sim->swarm, (uint32_t)d->bytes_most);
        return;
    }
    sim_fail(sim, SIM_CONTRACT, "no read has tag %u", (unsigned)tag);
}

static void invalidate(void *user, void *data, size_t bytes)
{
    SIM_MUST((struct sim *)user, SIM_CONTRACT, data && bytes > 0);
}

bool sim_drive_interrupt(struct sim *sim)
{
    const struct sim_device *d = first_due(&sim->drive);

    if (!sim->drive.is_interrupting || !d || sim->clock.time_us < d->due_us)
        return false;
    return sim_threads_signal_io(sim);
}

void sim_drive_end_reads(struct sim *sim)
{
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++) {
        sim->drive.devices[i].is_cut = true;
        sim->drive.devices[i].due_us = sim->clock.time_us;
    }
}

void sim_drive_end_faults(struct sim *sim)
{
    sim->drive.bad_count = 0;
    sim->drive.closed_from_us = 0;
    sim->drive.right_from_us = 0;
}

/* -- drawing -- */

static void draw_media(struct sim *sim)
{
    for (uint32_t i = 0; i < MADE_SHARED; i++)
        sim->drive.medium[i] = swarm_below(&sim->swarm, 3)
                                   ? SPN_MEDIUM_OPTICAL
                                   : SPN_MEDIUM_HARD_DISK;
    for (uint32_t i = MADE_SHARED; i < MADE_FILES; i++)
        sim->drive.medium[i] = (sim->options.seed + i) % 3 == 0
                                   ? SPN_MEDIUM_HARD_DISK
                                   : SPN_MEDIUM_OPTICAL;
    sim->drive.medium[MADE_MEMORY] = SPN_MEDIUM_MEMORY;
    /* A cache and a pak that are in memory. */
    if (swarm_below(&sim->swarm, 8) == 0)
        sim->drive.medium[MADE_CLIP] = SPN_MEDIUM_MEMORY;
    if (swarm_below(&sim->swarm, 8) == 0)
        sim->drive.medium[MADE_PAK] = SPN_MEDIUM_MEMORY;
}

void sim_drive_init(struct sim *sim)
{
    static const uint32_t aligns[] = {1, 1, 512, 2048, 4096};
    struct sim_drive *drive = &sim->drive;

    drive->table = (spn_platform){.user = sim,
                                  .file_open = open_file,
                                  .file_close = close_file,
                                  .read_submit = submit,
                                  .read_poll = poll,
                                  .read_cancel = cancel,
                                  .cache_invalidate = invalidate,
                                  .now_us = sim_clock_now};
    drive->align_bytes = aligns[swarm_below(&sim->swarm, 5)];
    drive->bytes_per_second = swarm_between(&sim->swarm, 12, 60) * 1000000ull;
    drive->seek_us = swarm_below(&sim->swarm, 40) * MS;
    drive->command_us = swarm_below(&sim->swarm, 1000);
    drive->cancel = (enum sim_cancel)swarm_below(&sim->swarm, 3);
    drive->is_interrupting =
        swarm_below(&sim->swarm, 2) && sim->machine != SIM_COOPERATIVE;
    drive->is_blind = swarm_below(&sim->swarm, 2);
    drive->has_places = swarm_below(&sim->swarm, 4) != 0;
    draw_media(sim);
}
