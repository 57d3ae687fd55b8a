/* emulator.c - the table of the emulator: opens files on their drives, charges
 * reads to the drives, and passes everything else on.
 *
 * Times and faults are computed by emulated_drive.c, positions by
 * emulator_places.c; emulator_reads.c has the reads in flight.
 */
/* SPDX-License-Identifier: MIT */
#include <spindle/emulator.h>

#include "base/carve.h"
#include "base/mem.h"
#include "disc/drive_disc.h"
#include "emulator/emulator_state.h"

#define FILE_COUNT_DEFAULT 1024u
#define MEMORY_ALIGN 64u

/* -- files: io thread -- */

/* Index of a free entry; file_count: there is none. */
static uint32_t find_free(const spn_emulator *e)
{
    uint32_t i = 0;

    while (i < e->file_count && e->files[i].is_open)
        i++;
    return i;
}

/* Set entry `index` for a file, with its position. */
static spn_status place_file(spn_emulator *e, const char *path,
                             const spn_platform_file_info *info, uint32_t index)
{
    struct emulator_place place = {SPN_EMULATOR_NO_DRIVE, 0};
    spn_status status = SPN_OK;

    if ((uint32_t)info->medium >= SPN_MEDIUM_COUNT)
        return SPN_ERR_PLATFORM;
    if (index == e->file_count)
        return SPN_ERR_TABLE_FULL;
    if (info->medium != SPN_MEDIUM_MEMORY)
        status = spn__places_find(&e->places, path, info->bytes, &place);
    if (status == SPN_OK)
        e->files[index] =
            (struct emulated_file){info->file,   info->medium, info->bytes,
                                   place.offset, place.drive,  true};
    return status;
}

static void log_refusal(const spn_emulator *e, spn_status status)
{
    if (!e->inner.log)
        return;
    e->inner.log(e->inner.user, SPN_LOG_ERROR,
                 status == SPN_ERR_RANGE
                     ? "a file does not fit on the emulated disc"
                 : status == SPN_ERR_TABLE_FULL
                     ? "more files than the emulator's file_count"
                     : "a file lies on a medium that is none");
}

static spn_status on_file_open(void *user, const char *path,
                               spn_platform_file_info *info)
{
    spn_emulator *e = user;
    uint32_t index = find_free(e);
    const struct emulated_file *file = &e->files[index];
    spn_platform_file_info found = {0};
    spn_status status = e->inner.file_open(e->inner.user, path, &found);

    if (status != SPN_OK)
        return status;
    status = place_file(e, path, &found, index);
    if (status != SPN_OK) {
        log_refusal(e, status);
        e->inner.file_close(e->inner.user, found.file);
        return SPN_ERR_IO;
    }
    found.file = index;
    if (file->drive != SPN_EMULATOR_NO_DRIVE) {
        found.disc_offset = file->offset;
        found.medium = e->media[file->drive];
        spn__emulated_drive_place(&e->drives[file->drive], path, file->offset,
                                  file->bytes);
    }
    *info = found;
    return SPN_OK;
}

static void on_file_close(void *user, spn_platform_file file)
{
    spn_emulator *e = user;

    if (file >= e->file_count || !e->files[file].is_open)
        return;
    e->inner.file_close(e->inner.user, e->files[file].inner);
    e->files[file].is_open = false;
}

/* -- reads: io thread -- */

/* Number of bytes of [offset, offset + bytes) that are in the file. */
static uint64_t bytes_inside(const struct emulated_file *file, uint64_t offset,
                             uint64_t bytes)
{
    uint64_t left = offset < file->bytes ? file->bytes - offset : 0;

    return bytes < left ? bytes : left;
}

static spn_status on_read_submit(void *user, spn_platform_file number,
                                 uint64_t offset, const spn_extent *extents,
                                 uint32_t extent_count, uint32_t tag)
{
    spn_emulator *e = user;
    struct emulated_range range = {0, SPN_MEDIUM_HARD_DISK, offset, extents,
                                   extent_count};
    const struct emulated_file *file;
    spn_status status = SPN_OK;
    uint64_t bytes = 0;
    uint64_t due_us = 0;
    uint32_t slot;

    if (number >= e->file_count || !e->files[number].is_open ||
        extent_count == 0 || extent_count > SPN_PLATFORM_EXTENTS_MAX)
        return SPN_ERR_ARG;
    file = &e->files[number];
    slot = file->drive;
    if (slot == SPN_EMULATOR_NO_DRIVE)
        slot = SPN_EMULATOR_DRIVES_MAX + (uint32_t)file->medium;
    if (spn__reads_is_busy(&e->reads, slot))
        return SPN_ERR_ARG;
    for (uint32_t i = 0; i < extent_count; i++)
        bytes += extents[i].bytes;
    range.file = file->inner;
    range.medium = file->medium;
    bytes = bytes_inside(file, offset, bytes);
    if (slot < SPN_EMULATOR_DRIVES_MAX)
        status = spn__emulated_drive_read(
            &e->drives[slot], file->offset + (bytes ? offset : 0), bytes,
            e->inner.now_us(e->inner.user), &due_us);
    spn__reads_submit(&e->reads, slot, &range, tag, due_us, status);
    return SPN_OK;
}

static spn_status on_read_poll(void *user, spn_platform_completion *out,
                               uint64_t *due_us)
{
    spn_emulator *e = user;
    spn_status status = spn__reads_poll(&e->reads, out, due_us);

    if (status == SPN_OK && e->reads.ended_slot < e->drive_count)
        spn__emulated_drive_note_late(&e->drives[e->reads.ended_slot],
                                      e->reads.late_us);
    return status;
}

static void on_read_cancel(void *user, uint32_t tag)
{
    spn_emulator *e = user;
    uint32_t slot = spn__reads_cancel(&e->reads, tag);

    if (slot < e->drive_count)
        spn__emulated_drive_withdraw(&e->drives[slot],
                                     e->inner.now_us(e->inner.user));
}

/* -- passed on: any thread -- */

static uint64_t on_now_us(void *user)
{
    const spn_emulator *e = user;

    return e->inner.now_us(e->inner.user);
}

static spn_status on_thread_start(void *user, const spn_thread_desc *desc,
                                  uint64_t *thread)
{
    const spn_emulator *e = user;

    return e->inner.thread_start(e->inner.user, desc, thread);
}

static void on_thread_join(void *user, uint64_t thread)
{
    const spn_emulator *e = user;

    e->inner.thread_join(e->inner.user, thread);
}

static uint64_t on_thread_current(void *user)
{
    const spn_emulator *e = user;

    return e->inner.thread_current(e->inner.user);
}

static spn_status on_event_create(void *user, spn_event_use use,
                                  uint64_t *event)
{
    const spn_emulator *e = user;

    return e->inner.event_create(e->inner.user, use, event);
}

static void on_event_destroy(void *user, uint64_t event)
{
    const spn_emulator *e = user;

    e->inner.event_destroy(e->inner.user, event);
}

static void on_event_signal(void *user, uint64_t event)
{
    const spn_emulator *e = user;

    e->inner.event_signal(e->inner.user, event);
}

static void on_event_wait(void *user, uint64_t event, uint64_t due_us)
{
    const spn_emulator *e = user;

    e->inner.event_wait(e->inner.user, event, due_us);
}

static void on_log(void *user, spn_log_level level, const char *text)
{
    const spn_emulator *e = user;

    e->inner.log(e->inner.user, level, text);
}

static void on_cache_flush(void *user, const void *data, size_t bytes)
{
    const spn_emulator *e = user;

    e->inner.cache_flush(e->inner.user, data, bytes);
}

static void on_cache_invalidate(void *user, void *data, size_t bytes)
{
    const spn_emulator *e = user;

    e->inner.cache_invalidate(e->inner.user, data, bytes);
}

/* -- set-up -- */

static bool is_drive_good(const spn_emulator_config *config, uint32_t index)
{
    const spn_drive_profile *profile = config->drives[index].profile;
    const char *what;

    return profile && spn_drive_profile_check(profile, &what) == SPN_OK;
}

static bool is_on_disc(const spn_emulator_config *config, uint32_t drive,
                       uint64_t offset)
{
    return drive < config->drive_count &&
           offset < spn__drive_disc_bytes(config->drives[drive].profile);
}

static bool is_place_good(const spn_emulator_config *config, uint32_t index)
{
    const spn_emulator_place *place = &config->places[index];

    if (!place->pattern || place->pattern[0] == '\0')
        return false;
    return place->drive == SPN_EMULATOR_NO_DRIVE ||
           is_on_disc(config, place->drive, place->offset);
}

static bool is_fault_good(const spn_emulator_config *config, uint32_t index)
{
    const spn_emulator_fault *fault = &config->faults[index];

    return fault->kind >= SPN_EMULATOR_BAD_SECTORS &&
           fault->kind <= SPN_EMULATOR_DISC_SWAPPED &&
           !(fault->file && fault->file[0] == '\0') &&
           is_on_disc(config, fault->drive, fault->offset);
}

static bool is_platform_good(const spn_platform *p)
{
    return p && p->file_open && p->file_close && p->read_submit &&
           p->read_poll && p->now_us;
}

static bool is_config_good(const spn_emulator_config *config)
{
    bool is_good;

    if (!config || !is_platform_good(config->platform) || !config->drives ||
        config->drive_count < 1 ||
        config->drive_count > SPN_EMULATOR_DRIVES_MAX ||
        (config->place_count > 0 && !config->places) ||
        (config->fault_count > 0 && !config->faults))
        return false;
    is_good = true;
    for (uint32_t i = 0; is_good && i < config->drive_count; i++)
        is_good = is_drive_good(config, i);
    for (uint32_t i = 0; is_good && i < config->place_count; i++)
        is_good = is_place_good(config, i);
    for (uint32_t i = 0; is_good && i < config->fault_count; i++)
        is_good = is_fault_good(config, i);
    return is_good;
}

/* Carve all memory. NULL if the carve only counts, or if the block is too
 * small.
 */
static spn_emulator *carve_emulator(struct carve *carve,
                                    const spn_emulator_config *config)
{
    spn_emulator *e = SPN_CARVE(carve, spn_emulator, 1);
    struct emulator_places places = {0};
    uint32_t file_count =
        config->file_count ? config->file_count : FILE_COUNT_DEFAULT;
    struct emulated_file *files =
        SPN_CARVE(carve, struct emulated_file, file_count);
    struct emulated_fault_state *states =
        SPN_CARVE(carve, struct emulated_fault_state, config->fault_count);

    spn__places_init(&places, carve, config, file_count);
    if (!e || carve->is_over)
        return NULL;
    e->inner = *config->platform;
    e->drive_count = config->drive_count;
    e->file_count = file_count;
    e->files = files;
    e->places = places;
    spn__reads_init(&e->reads, &e->inner);
    for (uint32_t i = 0; i < config->drive_count; i++) {
        spn__emulated_drive_init(&e->drives[i], config, i, states,
                                 e->inner.now_us(e->inner.user));
        e->media[i] = config->drives[i].is_hard_disk ? SPN_MEDIUM_HARD_DISK
                                                     : SPN_MEDIUM_OPTICAL;
    }
    return e;
}

/* The worst state among the drives of the medium. */
static spn_disc on_medium_disc(void *user, spn_medium medium)
{
    const spn_emulator *e = user;
    uint64_t now_us = e->inner.now_us(e->inner.user);
    spn_disc worst = SPN_DISC_IN;

    if (e->inner.medium_disc)
        worst = e->inner.medium_disc(e->inner.user, medium);
    for (uint32_t i = 0; i < e->drive_count && worst == SPN_DISC_IN; i++)
        if (e->media[i] == medium)
            worst =
                (spn_disc)spn__emulated_drive_disc_state(&e->drives[i], now_us);
    return worst;
}

/* The time of the slowest drive of the medium. */
static uint64_t on_medium_jump_us(void *user, spn_medium medium, uint64_t bytes)
{
    const spn_emulator *e = user;
    uint64_t slowest_us = 0;

    if (e->inner.medium_jump_us)
        slowest_us = e->inner.medium_jump_us(e->inner.user, medium, bytes);
    for (uint32_t i = 0; i < e->drive_count; i++) {
        uint64_t us = spn__drive_jump_us(&e->drives[i].profile, bytes);

        if (e->media[i] == medium && us > slowest_us)
            slowest_us = us;
    }
    return slowest_us;
}

static void fill_table(spn_emulator *e, spn_platform *table)
{
    const spn_platform *inner = &e->inner;

    memset(table, 0, sizeof *table);
    table->user = e;
    table->file_open = on_file_open;
    table->file_close = on_file_close;
    table->read_submit = on_read_submit;
    table->read_poll = on_read_poll;
    table->read_cancel = on_read_cancel;
    table->now_us = on_now_us;
    table->thread_start = inner->thread_start ? on_thread_start : NULL;
    table->thread_join = inner->thread_join ? on_thread_join : NULL;
    table->event_create = inner->event_create ? on_event_create : NULL;
    table->event_destroy = inner->event_destroy ? on_event_destroy : NULL;
    table->event_signal = inner->event_signal ? on_event_signal : NULL;
    table->event_wait = inner->event_wait ? on_event_wait : NULL;
    table->medium_disc = on_medium_disc;
    table->medium_jump_us = on_medium_jump_us;
    table->thread_current = inner->thread_current ? on_thread_current : NULL;
    table->log = inner->log ? on_log : NULL;
    table->cache_flush = inner->cache_flush ? on_cache_flush : NULL;
    table->cache_invalidate =
        inner->cache_invalidate ? on_cache_invalidate : NULL;
}

size_t spn_emulator_bytes(const spn_emulator_config *config)
{
    struct carve carve = {.limit = SIZE_MAX};

    if (!is_config_good(config))
        return 0;
    (void)carve_emulator(&carve, config);
    return carve.is_over ? 0 : carve.used;
}

spn_status spn_emulator_init(const spn_emulator_config *config, void *memory,
                             size_t bytes, spn_emulator **emulator,
                             spn_platform *table)
{
    struct carve carve = {.base = memory, .limit = bytes};
    spn_emulator *e;

    if (!is_config_good(config) || !memory || !emulator || !table ||
        (uintptr_t)memory % MEMORY_ALIGN != 0)
        return SPN_ERR_ARG;
    e = carve_emulator(&carve, config);
    if (!e)
        return SPN_ERR_MEMORY;
    fill_table(e, table);
    *emulator = e;
    return SPN_OK;
}

uint64_t spn_emulator_due_us(spn_emulator *emulator)
{
    if (!emulator)
        return UINT64_MAX;
    spn__reads_take(&emulator->reads);
    return spn__reads_due_us(&emulator->reads);
}

/* -- any thread -- */

spn_status spn_emulator_get_stats(const spn_emulator *emulator, uint32_t drive,
                                  spn_emulator_stats *out)
{
    if (!emulator || !out || drive >= emulator->drive_count)
        return SPN_ERR_ARG;
    spn__emulated_drive_get_stats(&emulator->drives[drive], out);
    return SPN_OK;
}

spn_status spn_emulator_get_disc(const spn_emulator *emulator, uint32_t drive,
                                 spn_emulator_disc *out)
{
    if (!emulator || !out || drive >= emulator->drive_count)
        return SPN_ERR_ARG;
    *out = spn__emulated_drive_disc_state(
        &emulator->drives[drive], emulator->inner.now_us(emulator->inner.user));
    return SPN_OK;
}
