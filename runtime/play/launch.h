/* launch.h - start to decode frames, and take over what has been decoded.
 *
 * A launch allocates the memory of all frames of a closure (closure.h) or of
 * none, sets all counters, and submits the first job of each frame, which
 * starts the other jobs of the frame (decode_job.h). If the table of jobs is
 * full, the rest is submitted at the next update. If a closure cannot be
 * launched yet, references in it may be launched alone (spn__launch). A
 * launched frame always runs to its end. While it runs, it pins the frames to
 * which it refers and the buffer of its compressed bytes: they are not freed.
 *
 * For which frames a frame waits. All frames to which a running frame F refers
 * (its references) are in memory, decoded or running. Each tile of F waits for
 * the same tile of some running references. Normally these are the references
 * in the wait_mask of F (cache_frame_table.h). The file leaves a reference out
 * of the mask if another reference in the mask is decoded later anyway.
 *
 *     Example: F refers to A and B, and A refers to B. The mask of F has only
 *     A. If all three are launched together, A waits for B, and F waits for A.
 *
 * The exception is a reference that was decoded before, freed, and launched
 * again. In the example A is decoded and stays in memory, B is freed, and then
 * B and F are launched. No running frame in the mask of F waits for B. So F
 * waits also for each running reference to which no running frame of its mask
 * refers.
 *
 * Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_LAUNCH_H
#define SPN_PLAY_LAUNCH_H

#include "base/carve.h"
#include "cache/cache_header.h"
#include "observe/decode_pace.h"
#include "play/account.h"

#include <stdint.h>

struct cache;
struct decoded_frame;
struct kept;
struct manager;

/* A closure has at most a group and its anchor. */
#define LAUNCH_FRAMES_MAX (CACHE_GROUP_FRAMES_MAX + 1u)

/* A launch has as inputs the frames to which its frames refer, all of the same
 * group or its anchor, and at most three read buffers: those with the body and
 * the border of the group, and with the anchor (group_table.h). */
#define LAUNCH_INPUTS_MAX (LAUNCH_FRAMES_MAX + 3u)

struct launch_queue {
    struct decoded_frame *running; /* all running frames, in launch order */
    struct decoded_frame **end;    /* link behind the last one */
    uint32_t running_count;
    uint32_t unsubmitted_count; /* of these: is_submitted is false */
    uint32_t early_count;       /* of these: launched early */
    struct decode_pace pace;    /* how fast they end */
    /* Of the closure that is being launched. */
    struct decoded_frame **frames; /* LAUNCH_FRAMES_MAX of them */
    struct kept **inputs;          /* LAUNCH_INPUTS_MAX of them */
};

enum launch_result {
    LAUNCH_STARTED,
    LAUNCH_FAILED,     /* a reference is lost: the frame is FAILED now */
    LAUNCH_LACKS_DATA, /* compressed bytes of a frame of the closure are not in
                          memory yet */
    LAUNCH_LACKS_MEMORY,
    LAUNCH_POSTPONED /* more than FRAME_SUBSCRIBERS_MAX frames would wait for
                        one reference: try again at the next update */
};

/* Take the queue from `carve`. NULL with a carve that only counts. */
struct launch_queue *spn__launch_init(struct carve *carve);
/* Launch the closure of a frame that is EMPTY, on the account of a cursor. What
 * is launched is held and charged.
 *
 * If the result is LAUNCH_LACKS_DATA or LAUNCH_POSTPONED, the frame itself was
 * not launched. Other frames of the closure may have been launched alone: those
 * whose bytes and references were all in memory, as far as there was memory.
 * When these frames are decoded, their compressed bytes are not needed for them
 * any more: freeing these may make room for bytes that are missing. */
enum launch_result spn__launch(struct cache *c, uint32_t number,
                               struct account *account);
/* Launch a closure of which compressed bytes are only on their way: the jobs
 * are submitted when they arrive (arrival.h). No effect if all are there. */
enum launch_result spn__launch_early(struct cache *c, uint32_t number,
                                     struct account *account);
/* Submit the jobs of what was launched, and those for which the table had no
 * room before. */
void spn__launch_submit(struct manager *m);
/* Take over the running frames of which all jobs have ended: they become READY,
 * FAILED, or EMPTY if they were cancelled; what they pinned is unpinned. */
void spn__launch_collect(struct manager *m);
/* Hold the running frames and what they use, and charge the cursors that
 * launched them, whatever was promised. */
void spn__launch_hold(struct manager *m);

/* True if the running frames and their pins agree. */
bool spn__launch_check(const struct manager *m);

#endif
