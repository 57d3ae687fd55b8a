/* clip_game.h - a game that plays 100 of 10,000 clips at a time.
 *
 *   cast    There are 100 scenes. Each has 96 clips of its own, and 24 of 400
 *           clips that scenes share. Where the clips of a scene lie among all
 *           clips is random, and the same in all runs
 *   visit   A run goes through all scenes in a random order, then in another
 *           one, until it has made its visits. In each visit 100 clips of the
 *           scene's 120 play, chosen at random, but none of the visit before:
 *           all 100 change. A visit takes 30 s
 *   cues    A timeline has the clips of all visits; it knows each 2 s before
 *           it plays (the default of anim_ahead_ms)
 *   pauses  Each second one of the 100, chosen at random, stops, and plays
 *           again a second later, half of the grace (anim_grace_ms): its bytes
 *           must still be there
 *
 * Two runs with different seeds share only the cast. A run can be recorded as
 * a game does it (spindle/record.h): a scene begins when the timeline begins to
 * look at its clips.
 *
 * The runtime has a heap of 64 MiB and no threads: updates run its jobs. Files
 * lie on an emulated drive, and time is virtual, with 60 updates a second. No
 * update can wait for the drive, because only the game moves the clock.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_CLIP_GAME_H
#define TESTS_CLIP_GAME_H

#include "support/clip_disc.h"

#include <stdbool.h>
#include <stdint.h>

#define CLIP_GAME_CLIPS 10000u
#define CLIP_GAME_PLAYS 100u

struct clip_game {
    const char *const *names; /* CLIP_GAME_CLIPS of them */
    const char *skeleton;     /* path on the disc */
    uint64_t seed;
    uint32_t visits;
    bool has_poses;    /* sample each play in each frame */
    const char *trace; /* file to record to; NULL: none */
};

struct clip_game_result {
    uint64_t frames;    /* sum over all plays */
    uint64_t with_clip; /* of these, with the clip's first part in memory */
    uint64_t with_pose; /* of these, with the pose of the play's time */
    uint32_t hits;      /* cues whose clip was there */
    uint32_t misses;
    uint32_t again;   /* clips that were read again although they were wanted
                     * within their grace */
    uint32_t resumed; /* clips that were wanted within their grace */
    double update_us; /* longest update on this machine, of CPU time */
};

/* Play on a disc with an open image. Ends the program if the runtime refuses
 * anything. */
void clip_game_run(struct clip_disc *disc, const struct clip_game *game,
                   struct clip_game_result *result);

#endif
