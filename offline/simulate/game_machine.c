/* game_machine.c - start the drive, the runtime and the paks of a simulated
 * game. */
/* SPDX-License-Identifier: MIT */
#include "simulate/game_machine.h"

#include "common/codecs.h"
#include "disc/drive_disc.h"
#include "drives/drive_stats.h"
#include "host/host.h"

#include <stdio.h>
#include <string.h>

#define HEAP_BYTES 65536u
/* Heap beyond the indices of the paks: each is rounded up to pages at both
 * ends. */
#define HEAP_SPARE_BYTES (UINT32_C(1) << 20)
#define BUDGET_BYTES (UINT32_C(1) << 31)
/* Start of the game on the disc's clock. By then all paks are mounted; nothing
 * waits until this time. */
#define BEGIN_US UINT64_C(1000000000)

/* -- the drive -- */

/* Copy the faults, with times on the disc's clock. Faults of files begin with
 * the game too. */
static void copy_faults(struct game_machine *m,
                        const struct game_machine_config *config)
{
    m->faults = ARENA_NEW(&m->arena, spn_emulator_fault, config->fault_count);
    for (uint32_t i = 0; i < config->fault_count; i++) {
        m->faults[i] = config->faults[i];
        m->faults[i].begin_us += m->begin_us;
    }
}

/* Describe the files of the disc and their positions: the paks, or one
 * generated file. */
static void place_files(struct game_machine *m,
                        const struct game_machine_config *config)
{
    m->file_count = config->pak_count > 0 ? config->pak_count : 1;
    m->files = ARENA_NEW(&m->arena, struct sim_disc_file, m->file_count);
    m->places = ARENA_NEW(&m->arena, spn_emulator_place, m->file_count);
    m->files[0].bytes = spn__drive_disc_bytes(config->drive);
    for (uint32_t i = 0; i < m->file_count; i++)
        snprintf(m->files[i].path, SIM_DISC_PATH_BYTES, "file%u", (unsigned)i);
    for (uint32_t i = 0; i < config->pak_count; i++) {
        m->files[i].data = config->paks[i].reader->map.data;
        m->files[i].bytes = config->paks[i].reader->map.bytes;
        m->places[i].offset = config->paks[i].at;
    }
    for (uint32_t i = 0; i < m->file_count; i++)
        m->places[i].pattern = m->files[i].path;
}

static bool start_drive(struct game_machine *m,
                        const struct game_machine_config *config)
{
    const spn_emulator_drive drive = {.profile = config->drive};
    spn_emulator_config emulator = {
        .drives = &drive, .drive_count = 1, .fault_count = config->fault_count};
    spn_platform real;
    size_t bytes;

    place_files(m, config);
    sim_disc_init(&m->disc, m->files, m->file_count, &real);
    copy_faults(m, config);
    emulator.places = m->places;
    emulator.place_count = m->file_count;
    emulator.platform = &real;
    emulator.faults = m->faults;
    bytes = spn_emulator_bytes(&emulator);
    if (bytes == 0)
        return false;
    return spn_emulator_init(&emulator, arena_alloc(&m->arena, bytes, 1), bytes,
                             &m->emulator, &m->table) == SPN_OK;
}

/* -- the runtime -- */

static bool start_runtime(struct game_machine *m,
                          const struct game_machine_config *c)
{
    spn_config config = {.platform = &m->table,
                         .heap_bytes =
                             c->heap_mib > 0 ? c->heap_mib << 20 : HEAP_BYTES,
                         .read_count = GAME_MACHINE_READS,
                         .read_budget_bytes = BUDGET_BYTES,
                         .piece_bytes = c->piece_bytes,
                         .worker_count = SPN_NO_WORKERS,
                         .codecs = codecs_extra,
                         .codec_count = CODECS_EXTRA_COUNT,
                         .listener = c->listener};
    size_t bytes;

    config.pak_count = c->pak_count;
    if (c->clips)
        clip_files_configure(game_clips_files(c->clips), &config);
    for (uint32_t i = 0; i < c->pak_count; i++)
        config.heap_bytes +=
            c->paks[i].reader->index.header.index_bytes + HEAP_SPARE_BYTES;
    config.media[SPN_MEDIUM_OPTICAL] = (spn_medium_config){
        .drive = c->believed ? c->believed : c->drive, .order = c->order};
    bytes = spn_memory_needed(&config);
    if (bytes == 0)
        return false;
    /* One update does everything that can be done at this moment. */
    return spn_init(&config, arena_alloc(&m->arena, bytes, 1), bytes, &m->rt) ==
               SPN_OK &&
           spn_tuning_set(m->rt, "update_steps_max", "65536") == SPN_OK &&
           (!c->is_fifo ||
            (spn_tuning_set(m->rt, "time_group_ms", "10") == SPN_OK &&
             spn_tuning_set(m->rt, "reads_pending_ms", "0") == SPN_OK &&
             spn_tuning_set(m->rt, "anim_reads_max", "1") == SPN_OK));
}

/* -- paks -- */

/* Update the runtime, and advance to the end of the drive's access. Returns
 * false at the game's beginning. */
static bool step(struct game_machine *m)
{
    uint64_t due_us;

    spn_update(m->rt);
    due_us = spn_emulator_due_us(m->emulator);
    /* The drive is idle: the next update continues. */
    if (due_us == UINT64_MAX)
        due_us = m->disc.clock_us + 1;
    if (due_us >= m->begin_us)
        return false;
    if (due_us > m->disc.clock_us)
        m->disc.clock_us = due_us;
    return true;
}

static bool mount(struct game_machine *m, const char *path)
{
    spn_pak pak;
    spn_status status;

    if (spn_pak_mount(m->rt, path, &pak) != SPN_OK)
        return false;
    while ((status = spn_pak_get_status(m->rt, pak, NULL)) == SPN_PENDING)
        if (!step(m))
            return false;
    return status == SPN_OK;
}

static bool open_clips(struct game_machine *m, struct game_clips *clips)
{
    spn_status status;

    if (!clips)
        return true;
    if (!game_clips_open(clips, m->rt))
        return false;
    while ((status = game_clips_opened(clips)) == SPN_PENDING)
        if (!step(m))
            return false;
    return status == SPN_OK && game_clips_begin(clips);
}

static bool mount_all(struct game_machine *m, struct game_clips *clips)
{
    for (uint32_t i = 0; i < m->file_count; i++)
        if (!mount(m, m->files[i].path))
            return false;
    if (!open_clips(m, clips))
        return false;
    m->mount_us = m->disc.clock_us;
    m->disc.clock_us = m->begin_us;
    spn_io_reset_stats(m->rt);
    (void)spn_emulator_get_stats(m->emulator, 0, &m->before);
    return true;
}

/* -- the run -- */

bool game_machine_start(struct game_machine *m,
                        const struct game_machine_config *config)
{
    memset(m, 0, sizeof *m);
    m->begin_us = config->pak_count > 0 ? BEGIN_US : 0;
    if (!start_drive(m, config) || !start_runtime(m, config))
        return false;
    if (config->pak_count > 0)
        return mount_all(m, config->clips);
    return spn_file_open(m->rt, m->files[0].path, &m->file) == SPN_OK;
}

void game_machine_finish(struct game_machine *m)
{
    spn_shutdown(m->rt);
    game_machine_abandon(m);
}

void game_machine_abandon(struct game_machine *m)
{
    m->rt = NULL;
    arena_free(&m->arena);
}

uint64_t game_machine_now_us(const struct game_machine *m)
{
    return m->disc.clock_us - m->begin_us;
}

uint64_t game_machine_since_us(const struct game_machine *m, uint64_t clock_us)
{
    return clock_us > m->begin_us ? clock_us - m->begin_us : 0;
}

uint64_t game_machine_clock_us(const struct game_machine *m, uint64_t now_us)
{
    return m->begin_us + now_us;
}

void game_machine_advance(struct game_machine *m, uint64_t now_us)
{
    m->disc.clock_us = m->begin_us + now_us;
}

uint64_t game_machine_due_us(const struct game_machine *m)
{
    uint64_t due_us = spn_emulator_due_us(m->emulator);

    return due_us == UINT64_MAX ? due_us : due_us - m->begin_us;
}

void game_machine_get_drive(const struct game_machine *m,
                            spn_emulator_stats *out)
{
    if (spn_emulator_get_stats(m->emulator, 0, out) == SPN_OK)
        drive_stats_subtract(out, &m->before);
}
