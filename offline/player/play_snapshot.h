/* play_snapshot.h - a snapshot of the runtime during a run, for its report.
 *
 * Input: the runtime, between two updates. Output: the snapshot
 * (spindle/debug.h) with all texts copied, so that it can be printed after the
 * shutdown, as lines or as JSON; and what each character plays. All memory is
 * of the arena.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_PLAY_SNAPSHOT_H
#define OFFLINE_PLAYER_PLAY_SNAPSHOT_H

#include "common/arena.h"
#include "common/report.h"
#include "player/character_state.h"

#include <spindle/debug.h>
#include <stdbool.h>

struct play_snapshot {
    bool is_taken;
    double seconds; /* of playback */
    spn_debug debug;
    const char *text; /* as spn_debug_text prints it, and a line for each
                       * character */
    struct character_state *clips; /* of each character */
    uint32_t clip_count;
};

/* Take it. `seconds` is the time of playback. */
void play_snapshot_take(struct play_snapshot *snapshot, const spn_runtime *rt,
                        const struct play_clips *clips, double seconds,
                        struct arena *arena);

/* Add it to a JSON report, as the object "snapshot". An extent of the heap is
 * an array: first page, pages, kind (".scdb", as in the text), cache (index in
 * "caches", -1: none), first and last frame or group, age (-1: none), 1 if it
 * is in use. */
void play_snapshot_json(const struct play_snapshot *snapshot, cJSON *json);

#endif
