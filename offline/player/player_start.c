/* player_start.c - set up the runtime, open files, start streams.
 *
 * Memory is one block, allocated before spn_init. On the virtual clock the
 * runtime has no threads, and spn_update is called whenever a read ends.
 */
/* SPDX-License-Identifier: MIT */
#include "player/player.h"

#include "common/fault_text.h"
#include "common/system.h"
#include "host/host.h"
#include "player/player_config.h"

#include <string.h>

/* Longest time without progress (bytes read, memory freed) before all streams
 * are ready: the first while a read is at the device, the second otherwise. */
#define SILENT_SECONDS 60
#define STILL_SECONDS 3
#define STEP_US 1000u

/* -- the runtime -- */

static bool start_runtime(struct player *player)
{
    const struct play_options *o = player->options;
    spn_config config;
    spn_status status;
    size_t bytes;

    if (!play_clips_init(&player->clips, &player->paks, o->characters,
                         player->arena, player->diag))
        return false;
    if (o->is_virtual) {
        play_platform_init(&player->virtual_platform,
                           o->file_count + player->paks.count +
                               play_clips_files(&player->clips),
                           player->arena, player->diag, &player->platform);
    } else {
        bytes = host_platform_bytes();
        status = host_platform_init(arena_alloc(player->arena, bytes, 1), bytes,
                                    &player->platform);
        if (status != SPN_OK)
            return fault_refuse_status(player->diag, "platform", status, NULL);
    }
    renamed_files_wrap(&player->renamed, &player->paks, &player->platform);
    if (!play_drive_start(&player->drive, o, &player->paks,
                          play_clips_files(&player->clips), player->arena,
                          &player->platform, player->diag) ||
        !player_config_make(player, &config))
        return false;
    bytes = spn_memory_needed(&config);
    if (bytes == 0)
        return fault_refuse_status(player->diag, "config", SPN_ERR_ARG, NULL);
    player->report->memory_bytes = bytes;
    player->report->has_memory =
        o->has_memory &&
        spn_memory_get_report(&config, &player->report->memory) == SPN_OK;
    player->memory = system_aligned_alloc(SPN_MEMORY_ALIGN, bytes);
    if (!player->memory)
        return diag_io(player->diag, "--heap", 0, "no %zu bytes to be had",
                       bytes);
    status = spn_init(&config, player->memory, bytes, &player->rt);
    if (status != SPN_OK) {
        player->rt = NULL;
        return fault_refuse_status(player->diag, "runtime", status, NULL);
    }
    player->worker.rt = player->rt;
    return player_config_tune(player);
}

static void wait_a_little(struct player *player)
{
    player_wait_until(player, player_now(player) + STEP_US * 1e-6);
    player_update(player);
}

/* -- waiting -- */

struct wait_limit {
    double start_s;
    double moved_s; /* time of the last progress */
    uint64_t bytes_read;
    uint64_t live_bytes;
    bool is_reading;
};

static void wait_limit_begin(struct wait_limit *p, const struct player *player)
{
    *p = (struct wait_limit){.start_s = player_now(player),
                             .moved_s = player_now(player)};
}

static bool wait_limit_is_reached(struct wait_limit *p,
                                  const struct player *player)
{
    double now_s = player_now(player);
    spn_heap_stats heap;
    spn_io_stats io;

    spn_heap_get_stats(player->rt, &heap);
    spn_io_get_stats(player->rt, &io);
    if (io.bytes_read != p->bytes_read || heap.live_bytes != p->live_bytes) {
        p->moved_s = now_s;
        p->bytes_read = io.bytes_read;
        p->live_bytes = heap.live_bytes;
    }
    p->is_reading = io.pending > 0;
    return now_s - p->moved_s >
           (p->is_reading ? SILENT_SECONDS : STILL_SECONDS);
}

static bool refuse_silence(const struct player *player, const char *path)
{
    return diag_io(player->diag, path, 0, "the drive brought nothing for %d s",
                   SILENT_SECONDS);
}

/* -- paks -- */

static bool wait_for_pak(struct player *player, uint32_t index)
{
    const char *path = player->paks.paths[index];
    spn_pak pak = player->paks.mounts[index];
    struct wait_limit limit;
    spn_fault fault = {0};
    spn_status status;

    wait_limit_begin(&limit, player);
    while (((status = spn_pak_get_status(player->rt, pak, &fault)) ==
                SPN_PENDING ||
            (status == SPN_OK && player->options->is_loaded &&
             (status = spn_pak_get_load_status(player->rt, pak)) ==
                 SPN_PENDING)) &&
           !wait_limit_is_reached(&limit, player))
        wait_a_little(player);
    if (status == SPN_PENDING && limit.is_reading)
        return refuse_silence(player, path);
    if (status == SPN_PENDING)
        status = SPN_ERR_MEMORY;
    if (status == SPN_ERR_MEMORY)
        return diag_refuse(player->diag, path, DIAG_NO_OFFSET, NULL,
                           "finds no room in a heap of %u MiB",
                           player->options->heap_mib);
    return status == SPN_OK ||
           fault_refuse_status(player->diag, path, status, &fault);
}

static bool mount_paks(struct player *player)
{
    struct play_paks *paks = &player->paks;

    for (uint32_t i = 0; i < paks->count; i++) {
        spn_status status =
            spn_pak_mount(player->rt, paks->paths[i], &paks->mounts[i]);

        if (status == SPN_OK && player->options->is_loaded)
            status =
                spn_pak_load(player->rt, paks->mounts[i], SPN_PRIORITY_NORMAL);
        if (status != SPN_OK)
            return fault_refuse_status(player->diag, paks->paths[i], status,
                                       NULL);
    }
    for (uint32_t i = 0; i < paks->count; i++)
        if (!wait_for_pak(player, i))
            return false;
    return play_paks_check(paks, player->rt, player->diag);
}

/* -- opening -- */

static bool open_files(struct player *player)
{
    const struct play_options *o = player->options;
    struct wait_limit limit;

    for (uint32_t i = 0; i < o->file_count; i++) {
        struct playing_file *file = &player->files[i];
        spn_status status;

        file->path = o->files[i];
        status = spn_cache_open(player->rt, player->paks.sources[i].name,
                                &file->cache);
        if (status != SPN_OK)
            return fault_refuse_status(player->diag, file->path, status, NULL);
    }
    for (uint32_t i = 0; i < o->file_count; i++) {
        struct playing_file *file = &player->files[i];
        spn_fault fault = {0};
        spn_status status;

        player_update(player);
        wait_limit_begin(&limit, player);
        while ((status = spn_cache_get_status(player->rt, file->cache,
                                              &fault)) == SPN_PENDING &&
               !wait_limit_is_reached(&limit, player))
            wait_a_little(player);
        if (status == SPN_PENDING && limit.is_reading)
            return refuse_silence(player, file->path);
        if (status == SPN_PENDING)
            return diag_refuse(player->diag, file->path, DIAG_NO_OFFSET, NULL,
                               "its static data finds no room in a heap of "
                               "%u MiB beside that of the files before it",
                               o->heap_mib);
        if (status == SPN_OK)
            status = spn_cache_get_info(player->rt, file->cache, &file->info);
        if (status != SPN_OK)
            return fault_refuse_status(player->diag, file->path, status,
                                       &fault);
        player->report->static_bytes += file->info.static_bytes;
    }
    return true;
}

static bool open_clips(struct player *player)
{
    struct wait_limit limit;
    spn_status status;

    if (!play_clips_open(&player->clips, player->rt, &player->report->clips))
        return false;
    wait_limit_begin(&limit, player);
    while ((status = play_clips_opened(&player->clips)) == SPN_PENDING) {
        if (wait_limit_is_reached(&limit, player))
            return limit.is_reading
                       ? refuse_silence(player, "clips")
                       : diag_refuse(player->diag, "clips", DIAG_NO_OFFSET,
                                     NULL, "find no room in a heap of %u MiB",
                                     player->options->heap_mib);
        wait_a_little(player);
    }
    return status == SPN_OK;
}

/* A clip that cannot be read is missed in playback. */
static bool wait_for_clips(struct player *player)
{
    struct wait_limit limit;

    wait_limit_begin(&limit, player);
    while (play_clips_wait(&player->clips, player_now_us(player))) {
        if (wait_limit_is_reached(&limit, player) && limit.is_reading)
            return refuse_silence(player, "clips");
        if (wait_limit_is_reached(&limit, player))
            break;
        wait_a_little(player);
    }
    return true;
}

static spn_overload overload_of(const struct play_options *o)
{
    if (!o->overload || strcmp(o->overload, "degrade") == 0)
        return SPN_OVERLOAD_DEGRADE;
    return strcmp(o->overload, "refuse") == 0 ? SPN_OVERLOAD_REFUSE
                                              : SPN_OVERLOAD_IGNORE;
}

static bool start_streams(struct player *player)
{
    uint32_t file_count = player->options->file_count;

    for (uint32_t i = 0; i < player->stream_count; i++) {
        struct playing_stream *stream = &player->streams[i];
        spn_node_desc desc = {.is_looping = 1,
                              .overload = overload_of(player->options)};
        uint32_t same = (player->stream_count + file_count - 1) / file_count;
        spn_status status;

        stream->file = &player->files[i % file_count];
        stream->hashed_frame = UINT32_MAX;
        /* Distribute the streams of a file over its duration. */
        stream->start_us =
            stream->file->info.loop_us / (int64_t)same * (i / file_count);
        status = spn_node_create(player->rt, stream->file->cache, &desc,
                                 &stream->node);
        /* The first picture's frame counts as the first due frame, late or in
         * time. */
        if (status == SPN_OK)
            status = spn_node_start_streaming(player->rt, stream->node,
                                              stream->start_us);
        if (status != SPN_OK)
            return fault_refuse_status(player->diag, stream->file->path, status,
                                       NULL);
    }
    return true;
}

/* Heap in which all streams certainly play, in whole MiB. */
static uint64_t heap_mib_needed(const struct player *player)
{
    uint32_t file_count = player->options->file_count;
    uint64_t total = 0;

    for (uint32_t i = 0; i < file_count; i++) {
        uint32_t count =
            (player->stream_count + file_count - 1 - i) / file_count;
        uint64_t bytes;

        if (spn_cache_heap_needed(player->rt, player->files[i].cache, count,
                                  &bytes) == SPN_OK)
            total += bytes;
    }
    /* A quarter of the heap is the reserve of clips (spindle.h). */
    if (player->clips.anim_count > 0)
        total += total / 3 + 1;
    return (total + (1u << 20) - 1) >> 20;
}

/* Does no stream wait for memory? Each stream reserves its minimum when it
 * starts, and keeps it until playback. */
static bool have_all_room(struct player *player)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < player->stream_count; i++) {
        spn_node_state state;

        count += spn_node_get_state(player->rt, player->streams[i].node,
                                    &state) == SPN_OK &&
                 state.status == SPN_NO_MEMORY_NOW;
    }
    if (count == 0)
        return true;
    return diag_refuse(
        player->diag, "--heap", DIAG_NO_OFFSET, NULL,
        "%u of %u streams find no room in %u MiB; %llu MiB are surely enough",
        count, player->stream_count, player->options->heap_mib,
        (unsigned long long)heap_mib_needed(player));
}

/* A damaged file is played without its damaged frames. */
static bool can_never_play(const spn_node_state *state)
{
    return state->status == SPN_ERR_MEMORY ||
           state->status == SPN_ERR_TABLE_FULL;
}

static bool wait_until_ready(struct player *player)
{
    struct wait_limit limit;

    player_update(player);
    if (!have_all_room(player))
        return false;
    wait_limit_begin(&limit, player);
    for (uint32_t i = 0; i < player->stream_count; i++) {
        const struct playing_stream *stream = &player->streams[i];
        spn_node_state state;

        while (spn_node_get_state(player->rt, stream->node, &state) == SPN_OK &&
               !state.is_ready && state.admission != SPN_REFUSED &&
               (state.status >= 0 || can_never_play(&state))) {
            if (can_never_play(&state))
                return fault_refuse_status(player->diag, stream->file->path,
                                           state.status, &state.fault);
            if (!wait_limit_is_reached(&limit, player)) {
                wait_a_little(player);
                continue;
            }
            /* Other streams use the memory now; it may become free later. */
            if (state.admission == SPN_DEGRADED)
                break;
            if (limit.is_reading)
                return refuse_silence(player, stream->file->path);
            return diag_refuse(player->diag, stream->file->path, DIAG_NO_OFFSET,
                               NULL,
                               "not ready to play after %.0f s; %llu MiB "
                               "of heap are surely enough",
                               player_now(player) - limit.start_s,
                               (unsigned long long)heap_mib_needed(player));
        }
    }
    return true;
}

/* -- the run -- */

bool player_start(struct player *player)
{
    double opened;

    if (!start_runtime(player))
        return false;
    opened = player_now(player);
    if (!mount_paks(player) ||
        !run_record_begin(&player->record, player->rt, player->diag) ||
        !open_files(player) || !open_clips(player) || !start_streams(player) ||
        !play_clips_start(&player->clips, player_now_us(player)) ||
        !wait_until_ready(player) || !wait_for_clips(player))
        return false;
    player->report->start_s = player_now(player) - opened;
    return true;
}
