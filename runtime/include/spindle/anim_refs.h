/* anim_refs.h - references to clips, and clips that play.
 *
 * The bytes of a clip are in memory for as long as it is wanted, and for a
 * grace after that; anim.h explains these terms. A clip of a database that is
 * in memory needs no memory of its own.
 *
 * Threads. The caller's thread (spindle.h), unless a comment says otherwise.
 * Errors. anim.h lists those that are checked first.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_ANIM_REFS_H
#define SPINDLE_ANIM_REFS_H

#include <spindle/features.h>
#include <spindle/read.h>
#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Number of a clip; 0: none. It has 32 bits, and never changes. */
typedef uint32_t spn_anim;

/* Handle of a play: a use of a clip, with a time of its own; 0: none. */
typedef uint32_t spn_anim_play;

/* Most references of a clip. A count that reaches this number stays there, and
 * the clip in memory. */
#define SPN_ANIM_REFS_MAX 0x3fffffffu

typedef struct spn_anim_play_state {
    spn_anim anim;
    uint32_t is_ready;  /* 1: the first part is in memory */
    uint32_t is_loaded; /* 1: all bytes are in memory */
    uint32_t updates;   /* since the start */
    uint32_t glitches;  /* of these, updates at whose end the first part was not
                         * in memory */
    uint32_t held_updates; /* of these, updates at whose end its time could not
                            * be sampled (anim_sample.h): the last pose holds */
    spn_status pose;       /* SPN_OK: its time can be sampled; otherwise the
                            * status that sampling returns (anim_sample.h) */
    int64_t time_us;       /* of the last spn_anim_play_set_time; at first 0 */
    uint32_t float_count;  /* float tracks; 0 until `pose` was SPN_OK once */
    /* If `pose` is an error: what is damaged or too large, and where in the
     * file of the clip or of its database; otherwise `what` is NULL. `file` is
     * valid as long as the runtime exists. */
    spn_fault fault;
} spn_anim_play_state;

#if SPN_WITH_ANIM

/* Add a reference to a clip. The first one makes the clip wanted: the next
 * spn_update starts to read it. Thread: any. */
spn_status spn_anim_add_ref(spn_runtime *rt, spn_anim anim);

/* Remove a reference. If it was the last one, the clip becomes idle in the next
 * spn_update, unless something else wants it. SPN_ERR_STATE if it has no
 * reference. Thread: any. */
spn_status spn_anim_release(spn_runtime *rt, spn_anim anim);

/* The number of references now, also those of plays and timelines. 0 if there
 * is no such clip. Thread: any. */
uint32_t spn_anim_get_ref_count(const spn_runtime *rt, spn_anim anim);

/* Lock a clip, or end that: a locked clip is wanted.
 *
 * is_locked  1 or 0 */
spn_status spn_anim_lock(spn_runtime *rt, spn_anim anim, uint32_t is_locked);

/* Get what of a clip is in memory.
 *
 *   SPN_OK       all bytes
 *   SPN_PENDING  it is being read, or waits for memory, for a record of
 *                spn_config.anim_loaded_count, read_count or file_count, or for
 *                its turn
 *   SPN_EMPTY    nothing, and it is not wanted
 *   an error     of the last attempt to read it, or the first part of it that
 *                failed. It will be read again
 *
 * fault  written only if an error is returned; NULL: not wanted */
spn_status spn_anim_get_status(const spn_runtime *rt, spn_anim anim,
                               spn_fault *fault);

/* 1 if all bytes of a clip are in memory and have been verified; otherwise, and
 * after an error, 0. With a loose header there is no checksum of all bytes: 1
 * if they are in memory. Those of a head or segment are verified when it is
 * decoded. */
int spn_anim_is_loaded(const spn_runtime *rt, spn_anim anim);

/* Free the bytes of an idle clip now, without a grace. Reads under way are
 * aborted. SPN_ERR_STATE if it is wanted. No effect if nothing of its own is in
 * memory. */
spn_status spn_anim_unload(spn_runtime *rt, spn_anim anim);

/* Read a clip now, and return when all of it is in memory: the calling thread
 * stands still meanwhile. For tools and loading screens; everything else should
 * add a reference in time. The clip has the grace of an idle clip afterwards,
 * unless it is wanted.
 *
 * timeout_us  longest time to wait for the drive, in microseconds
 *
 * Returns SPN_OK; SPN_ERR_TIMEOUT; SPN_NO_MEMORY_NOW, SPN_FULL if it cannot be
 * started now; SPN_ERR_STATE in a callback of spn_update or
 * spn_shutdown, or see spn_read_wait; or the error of the read.
 *
 * After SPN_ERR_TIMEOUT the read under way goes on, and what is there has the
 * grace. Another call within it goes on from there, also after updates: a
 * loading screen can wait for 10 ms in each of its frames. Without another call
 * nothing more is begun, and nothing stays for longer, because nobody wants the
 * clip; a caller that gives up waiting, but not the clip, adds a reference. */
spn_status spn_anim_load_synchronously(spn_runtime *rt, spn_anim anim,
                                       uint64_t timeout_us);

/* Begin to play a clip, at time 0: it is wanted now, and until
 * spn_anim_play_stop. Once its first part is in memory, an update opens it and
 * decodes what the time of the play takes; then it can be sampled
 * (anim_sample.h). SPN_ERR_TABLE_FULL if there are spn_config.anim_play_count
 * plays. */
SPN_NODISCARD spn_status spn_anim_play_start(spn_runtime *rt, spn_anim anim,
                                             spn_anim_play *out);
/* End a play. Its handle is not valid any more, and no thread may sample it. */
spn_status spn_anim_play_stop(spn_runtime *rt, spn_anim_play play);
spn_status spn_anim_play_get_state(const spn_runtime *rt, spn_anim_play play,
                                   spn_anim_play_state *out);

#endif

#ifdef __cplusplus
}
#endif
#endif
