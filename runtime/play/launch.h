/* launch.h - start to decode frames, and take over what has been decoded.
 *
 * A launch allocates the memory of all frames of a closure (closure.h) or of
 * none, sets all counters, and submits one job for each frame. If the table of
 * jobs is full, the rest is submitted at the next update. A launched frame
 * always runs to its end. While it runs, it pins the frames to which it refers
 * and the buffer of its compressed bytes: they are not freed.
 *
 * Which references a tile waits for. All frames to which a running frame refers
 * are in memory, decoded or running. The frame waits for each running one in
 * its wait_mask (cache_frame_table.h). References outside of the mask are
 * decoded by then, if the frames in the mask were launched after them: so it
 * also waits for a running reference to which no running frame of its mask
 * refers. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_LAUNCH_H
#define SPN_PLAY_LAUNCH_H

#include "base/carve.h"
#include "cache/cache_header.h"
#include "play/account.h"

#include <stdint.h>

struct cache;
struct decoded_frame;
struct kept;
struct manager;

/* A closure has at most a group and its anchor. */
#define LAUNCH_FRAMES_MAX (CACHE_GROUP_FRAMES_MAX + 1u)

/* What it uses: other frames of these, and the reads of the group's body, of
 * its border and of the anchor. */
#define LAUNCH_INPUTS_MAX (LAUNCH_FRAMES_MAX + 3u)

struct launch_queue {
    struct decoded_frame *running; /* all running frames, in launch order */
    struct decoded_frame **end;    /* link behind the last one */
    uint32_t running_count;
    uint32_t unsubmitted_count; /* of these: without a job yet */
    /* Of the closure that is being launched. */
    struct decoded_frame **frames; /* LAUNCH_FRAMES_MAX of them */
    struct kept **inputs;          /* LAUNCH_INPUTS_MAX of them */
};

enum launch_result {
    LAUNCH_STARTED,
    LAUNCH_FAILED,     /* a reference is lost: the frame is FAILED now */
    LAUNCH_LACKS_DATA, /* compressed bytes are missing; references whose own
                          bytes are there may have been started */
    LAUNCH_LACKS_MEMORY,
    LAUNCH_POSTPONED /* too many frames wait for one reference: try again */
};

/* Take the queue from `carve`. NULL with a carve that only counts. */
struct launch_queue *spn__launch_init(struct carve *carve);
/* Launch the closure of a frame that is EMPTY, on the account of a cursor. What
 * is launched is held and charged. */
enum launch_result spn__launch(struct cache *c, uint32_t number,
                               struct account *account);
/* Submit the jobs for which the table had no room before. */
void spn__launch_submit(struct manager *m);
/* Take over the frames whose jobs have all ended. */
void spn__launch_collect(struct manager *m);
/* Hold the running frames and what they use, and charge the cursors that
 * launched them, whatever was promised. */
void spn__launch_hold(struct manager *m);

/* True if the running frames and their pins agree. */
bool spn__launch_check(const struct manager *m);

#endif
