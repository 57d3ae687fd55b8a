/* anim.h - animation clips: which of them are in memory.
 *
 * The *header* of a clip is what a game wants to know at any time: duration,
 * frame rate, flags, joints. The headers of all clips are always in memory. The
 * *bytes* of a clip are its compressed motion. They are read when they are
 * needed, and freed when nobody needs them any more. This header has the
 * headers of clips, and includes a header for each other subject:
 *
 *   anim_refs.h      references to clips, and clips that play
 *   anim_database.h  many clips in one file
 *   anim_timeline.h  clips that will play at known times
 *   anim_event.h     events, statistics
 *   anim_pose.h      poses in memory of the game: their shape, model space
 *   anim_blend.h     weighted blends of poses, additive poses
 *   anim_motion.h    root motion
 *   anim_skeletons.h the joints to which clips refer
 *   anim_sample.h    poses of clips that play
 *
 * Terms
 *
 *   clip       one animation. It has a name, and a number (spn_anim) that is
 *              the same as long as the runtime exists
 *   database   a file with many clips of one skeleton (`.sad`). Its clips can
 *              be read one by one, or all of them at once
 *   image      a file with the headers of all clips (`.sai`), and where the
 *              bytes of each clip lie: in a database, or in a file of its own
 *   wanted     a clip is wanted while it has references (anim_refs.h), is
 *              locked, plays, or a timeline holds it. Its bytes are read as
 *              soon as it is wanted
 *   idle       in memory, but not wanted
 *   grace      for how long idle bytes stay in memory (tuning variable
 *              anim_grace_ms). A clip that is wanted again within its grace is
 *              not read again
 *   play       one use of a clip, with a time of its own (anim_sample.h). A
 *              clip can have many plays
 *   segment    16 frames of a clip, which are decoded together; 8 or 4 of a
 *              clip in which so many tracks move that 16 would take long
 *   head       what lies before the segments of a clip: which parts of which
 *              joints move, and how the segments store them. It is decoded
 *              first, and the clip is *open* then
 *   loose header  a header that is read from the file of its clip, without an
 *              image; for development (spn_config.anim_has_loose_headers)
 *   first part the bytes with which playback can begin: all of a clip of up to
 *              64 KiB, otherwise its first segments. It is a read of its own,
 *              before that of the rest
 *
 *   spn_config config = {.anim_count = 12000, ...};
 *   spn_anim_open_image(rt, "animations.sai");
 *   ... updates, until spn_anim_get_image_status returns SPN_OK ...
 *   spn_anim_find(rt, "hero/walk.sac", &walk);
 *   spn_anim_add_ref(rt, walk);            soon needed
 *   spn_anim_play_start(rt, walk, &play);  needed now
 *   ... sample poses of the play (anim_sample.h) ...
 *   spn_anim_play_stop(rt, play);
 *   spn_anim_release(rt, walk);
 *
 * Memory. Clips and geometry share the heap (memory.h) by these rules:
 *
 *   1. spn_config.anim_reserve_bytes of the heap belong to clips. Streams of
 *      geometry use what is free of it for frames that are freed at once when a
 *      clip needs the memory; nothing else uses it.
 *   2. Clips use more than that only if it is not promised to streams, and
 *      never more than the tuning variable anim_memory_kib.
 *   3. Idle clips beyond the reserve are freed as soon as a stream has less
 *      memory than it should have, or a cache, a pak or a block of the game is
 *      refused memory.
 *   4. If there is no room for a clip that is wanted, idle clips and databases
 *      are freed, those first that have been idle for longest, also within
 *      their grace. If that is not enough, the clip waits. Others do not wait
 *      for it if they leave room for it beside them.
 *   5. What is wanted is never freed and never moved.
 *
 * Errors. A read that fails, or cannot be started, is reported
 * (SPN_ANIM_FAILED), and repeated after the time anim_retry_ms, then twice as
 * long after each further failure, up to 32 times as long, as long as the clip
 * is wanted, or the skeleton not closed. The first part of a clip and the rest
 * are repeated each by itself. A database that was preloaded and is not in use
 * is given up after anim_remove_ms. If all records of reads or of open files
 * are in use, clips wait, without an error.
 *
 * Headers are not read again by themselves: without them there is nothing to
 * play, so the game says what happens then. It can tell the player to clean the
 * disc, and open the same image again, or another one.
 *
 * Threads. The caller's thread (spindle.h), unless a comment says otherwise.
 *
 * All functions with a status return, in this order: SPN_ERR_ARG if the runtime
 * or a needed pointer is NULL, or a flag or a priority is not one of its
 * values; SPN_ERR_STATE if spn_config.anim_count is 0; SPN_ERR_HANDLE
 * if there is no such clip, database, play or timeline.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_ANIM_H
#define SPINDLE_ANIM_H

#include <spindle/anim_blend.h>
#include <spindle/anim_database.h>
#include <spindle/anim_event.h>
#include <spindle/anim_motion.h>
#include <spindle/anim_pose.h>
#include <spindle/anim_refs.h>
#include <spindle/anim_sample.h>
#include <spindle/anim_skeletons.h>
#include <spindle/anim_timeline.h>
#include <spindle/features.h>
#include <spindle/read.h>
#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* spn_anim_info.flags */

/* Plays go on after its end, unless they say otherwise (spn_anim_loop). */
#define SPN_ANIM_LOOPS 1u
/* Its author says that it is to be added to other poses. It has whole poses all
 * the same, as they were made: the game subtracts a base first, the rest pose
 * or a frame of this or another clip (anim_sample.h). */
#define SPN_ANIM_IS_ADDITIVE 2u
/* The last frame is the first one of the next pass of a loop, apart from the
 * travel of the root: there is no time between them. */
#define SPN_ANIM_CLOSES 4u
/* It stores scales of joints. */
#define SPN_ANIM_HAS_SCALE 8u
/* It moves the object of the game (anim_motion.h). The runtime does not use
 * this. */
#define SPN_ANIM_HAS_ROOT_MOTION 16u

/* The header of a clip. */
typedef struct spn_anim_info {
    const char *name; /* valid as long as the runtime exists */
    /* Microseconds from the first to the last frame; if the clip loops and does
     * not close, to the first one again. */
    uint64_t duration_us;
    uint64_t skeleton;    /* hash of names and parents of its joints */
    uint64_t offset;      /* of its bytes in their file */
    uint32_t bytes;       /* its bytes */
    uint32_t first_bytes; /* its first part */
    uint32_t flags;       /* SPN_ANIM_... */
    uint32_t frame_count;
    uint32_t rate_numerator; /* frames a second: numerator / denominator */
    uint32_t rate_denominator;
    uint32_t joint_count;
    uint32_t rest_pose_hash;    /* of the skeleton it was made from */
    spn_anim_database database; /* 0: it has a file of its own, whose path is
                                 * the name */
} spn_anim_info;

#if SPN_WITH_ANIM

/* Begin to open the header image, and return at once. It is one read, into one
 * contiguous piece of the heap; a worker validates it. One image can be opened,
 * once; if it failed, again. Not with spn_config.anim_has_loose_headers.
 *
 * path  UTF-8, 1 to SPN_PATH_BYTES_MAX - 1 bytes, copied; looked up in paks
 *       first
 *
 * SPN_ERR_STATE if an image is open or being opened; otherwise an error of
 * spn_read_start, without effect. */
SPN_NODISCARD spn_status spn_anim_open_image(spn_runtime *rt, const char *path);

/* Development, with spn_config.anim_has_loose_headers: name a clip file, and
 * return at once. Its header is read alone; when that has succeeded,
 * spn_anim_find finds the path. There are no databases then, the first part of
 * a clip is all of it, and its bytes are verified only when they are decoded.
 * No effect for a clip that is known.
 *
 * path  as spn_anim_open_image, but a good name of a pak (pak.h)
 *
 * SPN_ERR_STATE without that field; SPN_ERR_TABLE_FULL if anim_count files were
 * named, or their paths have more than 128 bytes on average; those that failed
 * do not count. */
spn_status spn_anim_add_file(spn_runtime *rt, const char *path);

/* Get the result of opening the image. With spn_config.anim_has_loose_headers:
 * that of the files that were named since all earlier ones were read; the first
 * error, if there are several.
 *
 *   SPN_EMPTY      none was opened
 *   SPN_PENDING    it is being opened
 *   SPN_OK         it is open
 *   SPN_ERR_TABLE_FULL  it has more clips than spn_config.anim_count, or more
 *                  databases than spn_config.anim_database_count
 *   another error  of the read, or what is wrong with the bytes
 *
 * fault  written only if opening failed: what is wrong, and where; NULL: not
 *        wanted */
spn_status spn_anim_get_image_status(const spn_runtime *rt, spn_fault *fault);

/* The number of clips: they are 1 to this number. 0: there is no image. */
uint32_t spn_anim_get_count(const spn_runtime *rt);

/* Find a clip by its name. Names are compared byte by byte, never by a hash
 * alone. SPN_ERR_NOT_FOUND; SPN_PENDING while there is no image. Thread: any,
 * after spn_anim_get_image_status has returned SPN_OK; with
 * spn_config.anim_has_loose_headers the caller's. */
spn_status spn_anim_find(const spn_runtime *rt, const char *name,
                         spn_anim *out);

/* Get the header of a clip. Thread: as spn_anim_find. */
spn_status spn_anim_get_info(const spn_runtime *rt, spn_anim anim,
                             spn_anim_info *out);

#endif

#ifdef __cplusplus
}
#endif
#endif
