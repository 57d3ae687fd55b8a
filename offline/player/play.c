/* play.c - the loop of playback: show pictures, fill vertices, count late
 * frames.
 *
 * The playback time of picture k is k / rate, no matter when the machine draws
 * it. So the requested frames do not depend on the clock.
 */
/* SPDX-License-Identifier: MIT */
#include "player/player.h"

#include "common/system.h"
#include "host/host.h"
#include "player/play_damage.h"

#include <stdio.h>

/* The attributes that an engine typically requests. */
static const spn_vertex_layout layout = {
    .stride = 40,
    .position = {0, SPN_FORMAT_F32X3},
    .normal = {12, SPN_FORMAT_SNORM16X4},
    .tangent = {20, SPN_FORMAT_SNORM16X4},
    .uv = {28, SPN_FORMAT_F32X2},
    .color = {36, SPN_FORMAT_UNORM8X4},
};

/* Allocate a buffer for the largest mesh, and one for the transforms of the
 * largest scene. */
static void make_buffers(struct player *player)
{
    for (uint32_t i = 0; i < player->options->file_count; i++) {
        const struct playing_file *file = &player->files[i];

        frame_hash_init(&player->files[i].hash, file->info.frame_count,
                        player->arena);
        if (file->info.scene_node_count > player->node_count_max)
            player->node_count_max = file->info.scene_node_count;
        for (uint32_t m = 0; m < file->info.mesh_count; m++) {
            spn_mesh_info mesh;

            if (spn_cache_get_mesh(player->rt, file->cache, m, &mesh) ==
                    SPN_OK &&
                (size_t)mesh.vertex_count * layout.stride >
                    player->vertices_bytes)
                player->vertices_bytes =
                    (size_t)mesh.vertex_count * layout.stride;
        }
    }
    if (player->node_count_max > player->vertices_bytes)
        player->vertices_bytes = player->node_count_max;
    player->vertices = arena_alloc(player->arena, player->vertices_bytes, 1);
    player->matrices =
        arena_alloc(player->arena, player->node_count_max, 12 * sizeof(float));
}

/* -- playback -- */

/* Fill all meshes of one stream. Stores whether it was late. */
static bool show_stream(struct player *player,
                        const struct playing_stream *stream)
{
    const spn_cache_info *info = &stream->file->info;
    double start = system_seconds();
    bool is_late = false;

    if (spn_node_get_transforms(player->rt, stream->node, player->matrices,
                                NULL, info->scene_node_count) != SPN_OK)
        return true;
    player->report->fill_s += system_seconds() - start;
    for (uint32_t m = 0; m < info->mesh_count; m++) {
        spn_fill_result result;
        spn_mesh_info mesh;
        spn_status status;

        if (spn_cache_get_mesh(player->rt, stream->file->cache, m, &mesh))
            return true;
        start = system_seconds();
        status =
            spn_node_fill(player->rt, stream->node, m, &layout,
                          player->vertices, player->vertices_bytes, &result);
        player->report->fill_s += system_seconds() - start;
        if (status != SPN_OK || result.is_late)
            is_late = true;
        if (status == SPN_OK && result.is_visible)
            player->report->vertices_filled += mesh.vertex_count;
    }
    return is_late;
}

static void show_picture(struct player *player, double playback_s)
{
    struct play_report *report = player->report;
    int64_t playback_us = (int64_t)(playback_s * 1e6 + 0.5);

    for (uint32_t i = 0; i < player->stream_count; i++)
        if (spn_node_set_playback_time(player->rt, player->streams[i].node,
                                       player->streams[i].start_us +
                                           playback_us) != SPN_OK)
            report->stalls++;
    play_clips_set_time(&player->clips, playback_us, player_now_us(player));
    player_update(player);
    play_clips_show(&player->clips, player_now_us(player));
    for (uint32_t i = 0; i < player->stream_count; i++) {
        struct playing_stream *stream = &player->streams[i];
        bool is_late = show_stream(player, stream);
        spn_node_state state;

        report->pictures++;
        report->stalls += is_late && !stream->is_late;
        stream->is_late = is_late;
        if (spn_node_get_state(player->rt, stream->node, &state) != SPN_OK)
            continue;
        if ((double)state.buffered_us * 1e-6 < report->buffered_min_s)
            report->buffered_min_s = (double)state.buffered_us * 1e-6;
        /* Nothing new was decoded while the same frame is shown. */
        if (state.shown_frame == stream->hashed_frame)
            continue;
        stream->hashed_frame = state.shown_frame;
        frame_hash_add(&stream->file->hash, player->rt, stream->file,
                       stream->node, player->options->is_virtual,
                       player->vertices, player->vertices_bytes);
    }
}

/* Number of late frames so far. */
static uint32_t count_late(const struct player *player)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < player->stream_count; i++) {
        spn_node_state state;

        if (spn_node_get_state(player->rt, player->streams[i].node, &state) ==
            SPN_OK)
            count += state.frames_late;
    }
    return count;
}

/* The same, and store the number of each stream. */
static uint32_t note_late(struct player *player)
{
    for (uint32_t i = 0; i < player->stream_count; i++) {
        spn_node_state state;

        if (spn_node_get_state(player->rt, player->streams[i].node, &state) ==
            SPN_OK)
            player->streams[i].late_before = state.frames_late;
    }
    return count_late(player);
}

/* Refuse to record over an input: a cache, a pak, the drive's or the layout's
 * file. */
static bool record_is_no_input(const struct player *player)
{
    const struct play_options *o = player->options;
    const struct play_paks *paks = &player->paks;
    const char *const files[] = {o->drive, o->disc_layout};

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (files[i] && !host_output_differs(o->record, files[i], player->diag))
            return false;
    for (uint32_t i = 0; i < paks->count; i++)
        if (!host_output_differs(o->record, paks->paths[i], player->diag))
            return false;
    for (uint32_t i = 0; i < paks->source_count; i++)
        if (paks->sources[i].pak == UINT32_MAX &&
            !host_output_differs(o->record, paks->sources[i].path,
                                 player->diag))
            return false;
    return true;
}

/* Take the snapshot of the options when its time has come. */
static void take_snapshot(struct player *player, double playback_s, bool is_end)
{
    struct play_snapshot *snapshot = &player->report->snapshot;
    const double at_s = player->options->snapshot_s;

    if (at_s > 0 && !snapshot->is_taken && (is_end || playback_s >= at_s))
        play_snapshot_take(snapshot, player->rt, &player->clips, playback_s,
                           player->arena);
}

/* Returns false after a refusal. */
static bool show_all(struct player *player)
{
    const struct play_options *o = player->options;
    struct play_report *report = player->report;
    double start;

    report->seconds = o->seconds;
    for (uint32_t i = 0; o->seconds <= 0 && i < o->file_count; i++) {
        double loop_s = (double)player->files[i].info.loop_us * 1e-6;

        if (loop_s > report->seconds)
            report->seconds = loop_s;
    }
    if (o->seconds <= 0 && play_clips_seconds(&player->clips) > report->seconds)
        report->seconds = play_clips_seconds(&player->clips);
    /* A clip of one frame has no duration; play it for a second. */
    if (report->seconds <= 0)
        report->seconds = 1;
    if (!play_clips_begin(&player->clips, (int64_t)(report->seconds * 1e6)))
        return false;
    report->buffered_min_s = player->stream_count > 0 ? 1e9 : 0;
    /* Late frames before this moment do not count. */
    player->late_before = note_late(player);
    report->frames_late_at_1s = player->late_before;
    start = player_now(player);
    for (uint64_t k = 0; (double)k < report->seconds * o->rate; k++) {
        double due = start + (double)k / o->rate;

        if (player_now(player) > due + 1 / o->rate)
            report->overruns++;
        player_wait_until(player, due);
        show_picture(player, (double)k / o->rate);
        take_snapshot(player, (double)k / o->rate, false);
        if ((double)k < o->rate)
            report->frames_late_at_1s = count_late(player);
    }
    take_snapshot(player, report->seconds, true);
    return true;
}

/* -- the run -- */

static void collect_hash(struct player *player)
{
    struct play_report *report = player->report;

    for (uint32_t i = 0; i < player->options->file_count; i++) {
        const struct frame_hash *hash = &player->files[i].hash;

        report->frame_hash += frame_hash_sum(hash, i);
        report->frames_distinct += hash->distinct_count;
        report->frames_unequal += hash->unequal_count;
        if (hash->unequal_count > 0)
            diag_warn(player->diag, player->files[i].path, NULL,
                      "%u frames were not the same when shown again",
                      hash->unequal_count);
    }
}

static spn_medium_window reads_of_drive(const struct player *player,
                                        spn_order *order)
{
    spn_medium_stats stats = {0};

    (void)spn_io_get_medium_stats(player->rt, SPN_MEDIUM_OPTICAL, &stats);
    *order = stats.order;
    return stats.total;
}

static void count_admission(struct play_report *report,
                            const spn_node_state *state, uint32_t late)
{
    switch (state->admission) {
    case SPN_ADMITTED:
        report->admitted_count++;
        report->admitted_late += late;
        report->drive_permille += state->drive_permille;
        break;
    case SPN_DEGRADED:
        report->degraded_count++;
        break;
    case SPN_REFUSED:
        report->refused_count++;
        break;
    }
}

static void count_caches(struct player *player)
{
    struct play_report *report = player->report;
    spn_cache_info info;

    report->cache_count = player->options->file_count;
    for (uint32_t i = 0; i < report->cache_count; i++)
        if (spn_cache_get_info(player->rt, player->files[i].cache, &info) ==
            SPN_OK)
            report->from_memory_count += info.keeps_all_frames;
}

static void collect(struct player *player, double cpu_s, double thread_s)
{
    struct play_report *report = player->report;
    spn_heap_stats heap;
    spn_medium_window reads;
    spn_io_stats io;

    spn_heap_get_stats(player->rt, &heap);
    spn_io_get_stats(player->rt, &io);
    report->heap_bytes = heap.bytes;
    report->live_bytes_peak = heap.live_bytes_peak;
    report->used_bytes_peak = heap.used_bytes_peak;
    report->heap_waits = (uint64_t)heap.failed_no_memory +
                         heap.failed_fragmented + heap.failed_no_record;
    count_caches(player);
    report->bytes_read = io.bytes_read;
    play_drive_collect(&player->drive, report);
    reads = reads_of_drive(player, &report->order);
    report->reads_coalesced = reads.coalesced - player->reads_before.coalesced;
    report->gap_bytes = reads.gap_bytes - player->reads_before.gap_bytes;
    report->stream_count = player->stream_count;
    report->frames_late = count_late(player) - player->late_before;
    report->frames_late_at_1s -= player->late_before;
    for (uint32_t i = 0; i < player->stream_count; i++) {
        spn_node_state state;

        if (spn_node_get_state(player->rt, player->streams[i].node, &state))
            continue;
        count_admission(report, &state,
                        state.frames_late - player->streams[i].late_before);
        report->frames_shown += state.frames_shown;
        report->frames_left_out += state.frames_left_out;
        report->frames_dropped += state.frames_dropped;
    }
    play_damage_collect(player);
    play_clips_collect(&player->clips);
    /* Processor time of the workers: that of the process less that of this
     * thread. */
    report->decode_s = cpu_s - thread_s + player->update_s;
    collect_hash(player);
}

static bool play(struct player *player)
{
    double cpu_s;
    double thread_s;

    if (player->options->record && !record_is_no_input(player))
        return false;
    if (!run_record_open(&player->record, player->options->record,
                         player->options->scene, player->arena, player->diag) ||
        !player_start(player))
        return false;
    if (player->options->record &&
        !play_clips_differ(&player->clips, player->options->record))
        return false;
    make_buffers(player);
    player->update_s = 0;
    play_drive_begin(&player->drive);
    play_reads_begin(&player->report->reads, player_now_us(player));
    player->reads_before = reads_of_drive(player, &player->report->order);
    cpu_s = system_cpu_seconds();
    thread_s = system_thread_cpu_seconds();
    if (!show_all(player))
        return false;
    play_reads_end(&player->report->reads, player_now_us(player));
    collect(player, system_cpu_seconds() - cpu_s,
            system_thread_cpu_seconds() - thread_s);
    if (player->drive.emulator)
        fault_spec_warn_late(
            player->options->faults, player->options->fault_count,
            player_now_us(player) - player->drive.origin_us, player->diag);
    run_record_end(&player->record, player->rt);
    return run_record_write(&player->record, player->diag);
}

void play_report_free(struct play_report *report)
{
    tally_free(&report->reads.tally);
}

bool play_run(const struct play_options *options, struct arena *arena,
              struct diag *diag, struct play_report *report)
{
    struct player player;
    bool is_good;

    player_init(&player, options, arena, diag, report);
    is_good = play(&player);
    player_finish(&player);
    return is_good;
}
