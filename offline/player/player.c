/* player.c - set up and end a run, and its clock. */
/* SPDX-License-Identifier: MIT */
#include "player/player.h"

#include "common/system.h"

void player_init(struct player *player, const struct play_options *options,
                 struct arena *arena, struct diag *diag,
                 struct play_report *report)
{
    *report = (struct play_report){
        .faults = ARENA_NEW(arena, struct play_fault, options->file_count)};
    *player = (struct player){
        .options = options, .report = report, .arena = arena, .diag = diag};
    player->stream_count =
        options->stream_count ? options->stream_count : options->file_count;
    play_paks_init(&player->paks, arena, options->pak, options->files,
                   options->file_count + options->clip_file_count);
    player->files = ARENA_NEW(arena, struct playing_file, options->file_count);
    player->streams =
        ARENA_NEW(arena, struct playing_stream, player->stream_count);
}

void player_finish(struct player *player)
{
    if (player->rt)
        spn_shutdown(player->rt);
    run_record_close(&player->record);
    play_platform_finish(&player->virtual_platform);
    system_aligned_free(player->memory);
}

/* -- time -- */

double player_now(const struct player *player)
{
    return player->options->is_virtual
               ? (double)player->virtual_platform.disc.clock_us * 1e-6
               : system_seconds();
}

uint64_t player_now_us(const struct player *player)
{
    return player->platform.now_us(player->platform.user);
}

/* On the virtual clock, run the jobs that have ended. */
static void run_worker(struct player *player)
{
    if (player->options->decode_us > 0)
        play_worker_run(&player->worker,
                        player->virtual_platform.disc.clock_us);
}

void player_update(struct player *player)
{
    double start = system_seconds();

    run_worker(player);
    spn_update(player->rt);
    run_worker(player);
    (void)play_clips_wait(&player->clips, player_now_us(player));
    player->update_s += system_seconds() - start;
}

/* Advance up to `seconds` on the clock of the run. */
void player_wait_until(struct player *player, double seconds)
{
    uint64_t target_us = (uint64_t)(seconds * 1e6 + 0.5);

    if (!player->options->is_virtual) {
        system_wait_until(seconds);
        return;
    }
    while (play_drive_due_us(&player->drive) <= target_us) {
        uint64_t due_us = play_drive_due_us(&player->drive);

        if (due_us > player->virtual_platform.disc.clock_us)
            player->virtual_platform.disc.clock_us = due_us;
        player_update(player);
        if (play_drive_due_us(&player->drive) == due_us)
            break;
    }
    if (target_us > player->virtual_platform.disc.clock_us)
        player->virtual_platform.disc.clock_us = target_us;
}
