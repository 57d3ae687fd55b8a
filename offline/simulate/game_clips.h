/* game_clips.h - play a script of animation clips in a simulated game.
 *
 * The runtime reads the clips from the paks of the disc. The game acts at its
 * pictures: what a script says of a time happens at the next one, before the
 * update. After everything that can be done at this moment, each clip that
 * plays is counted: was it there?
 *
 * Output: the clips of a sim_record. Times are microseconds since the game's
 * beginning. One thread.
 *
 * Order of calls: create, open, opened until it is not SPN_PENDING, begin; then
 * advance and show at each moment; finish.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_GAME_CLIPS_H
#define OFFLINE_SIMULATE_GAME_CLIPS_H

#include "simulate/clip_files.h"
#include "simulate/sim_record.h"

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

struct game_clips;

/* `overload` is that of nodes that play caches. All pointers must outlive the
 * result. It is of the arena of the record. */
struct game_clips *game_clips_create(const struct clip_files *files,
                                     spn_overload overload,
                                     struct sim_record *out, struct diag *diag);
/* The files of `clips`. */
const struct clip_files *game_clips_files(const struct game_clips *clips);

/* Set the variables, and begin to open image, clips and skeletons. Returns
 * false after a refusal. */
bool game_clips_open(struct game_clips *clips, spn_runtime *rt);
/* SPN_PENDING until all are open; an error after a refusal. */
spn_status game_clips_opened(struct game_clips *clips);
/* Find the names of the script in the image. Returns false after a refusal. */
bool game_clips_begin(struct game_clips *clips);

/* The time of the next picture; UINT64_MAX: the script has ended. */
uint64_t game_clips_due_us(const struct game_clips *clips);
/* If a picture is due: begin and end what the script says, and set the times of
 * what plays. Returns false after a refusal. */
bool game_clips_advance(struct game_clips *clips, uint64_t now_us);
/* If a picture is due: count it. */
void game_clips_show(struct game_clips *clips, uint64_t now_us);
/* Store the statistics, before the runtime shuts down. Refuses damaged clips.
 */
void game_clips_finish(struct game_clips *clips);

#endif
