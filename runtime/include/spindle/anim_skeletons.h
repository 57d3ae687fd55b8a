/* anim_skeletons.h - skeletons: the joints to which clips refer.
 *
 * A skeleton file (`.sas`) has the names, parents and rest pose of joints. A
 * clip refers to its skeleton by a hash of names and parents
 * (spn_anim_info.skeleton). A game opens the skeletons of its characters, and
 * keeps them open as long as it samples poses of them (anim_sample.h).
 *
 * Joints are numbered from 0; a parent has a smaller number than its children.
 * A game that has joints of its own, e.g. those of a mesh, finds them once by
 * name: spn_anim_skeleton_map_names, or spn_anim_skeleton_map_hashes with
 * hashes that it has computed before.
 *
 * Memory. A skeleton is in the heap, in one contiguous piece: 100 joints take
 * about 10 KiB. It counts as memory of clips in use (anim.h, Memory).
 *
 * Threads. Opening and closing belong to the caller's thread (spindle.h). All
 * functions with a const runtime can be called by any thread between two
 * updates. Errors. anim.h lists those that are checked first; SPN_ERR_HANDLE if
 * there is no such skeleton.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_ANIM_SKELETONS_H
#define SPINDLE_ANIM_SKELETONS_H

#include <spindle/anim_pose.h>
#include <spindle/anim_refs.h>
#include <spindle/features.h>
#include <spindle/read.h>
#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t spn_anim_skeleton; /* handle; 0: none */

/* In a map: the skeleton has no such joint. */
#define SPN_ANIM_NO_JOINT 0xffffu

typedef struct spn_anim_skeleton_info {
    const char *path;        /* as it was opened */
    uint64_t hash;           /* of the names and parents of its joints */
    uint32_t rest_pose_hash; /* of its rest pose */
    uint32_t joint_count;    /* 1..4096 */
    uint32_t memory_bytes;   /* in the heap */
    const uint16_t *parents; /* joint_count elements; SPN_ANIM_NO_PARENT */
    /* The rest pose: local transforms. To be read only. */
    spn_anim_pose rest;
    /* All pointers are valid until the skeleton is closed. */
} spn_anim_skeleton_info;

#if SPN_WITH_ANIM

/* Begin to open a skeleton file, and return at once. It is one read; a worker
 * validates it.
 *
 * path  UTF-8, 1 to SPN_PATH_BYTES_MAX - 1 bytes, copied; looked up in paks
 *       first
 *
 * SPN_ERR_TABLE_FULL if spn_config.anim_skeleton_count skeletons are open;
 * otherwise the errors of spn_read_start. */
SPN_NODISCARD spn_status spn_anim_skeleton_open(spn_runtime *rt,
                                                const char *path,
                                                spn_anim_skeleton *out);

/* Close a skeleton, also one that is being opened or could not be. Its memory
 * is free at once, or when no read and no worker uses it any more. */
spn_status spn_anim_skeleton_close(spn_runtime *rt, spn_anim_skeleton skeleton);

/* Get the result of opening.
 *
 *   SPN_OK       it is open
 *   SPN_PENDING  it is being read, or waits for memory
 *   an error     of the last attempt to read it, or what is wrong with the
 *                bytes. It is reported (SPN_ANIM_FAILED), and the skeleton is
 *                read again, as clips are (anim.h, Errors), until it is closed
 *
 * fault  written only if an error is returned; NULL: not wanted */
spn_status spn_anim_skeleton_get_status(const spn_runtime *rt,
                                        spn_anim_skeleton skeleton,
                                        spn_fault *fault);

/* The functions below return SPN_PENDING until the skeleton is open, or the
 * error for which it could not be opened. */

spn_status spn_anim_skeleton_get_info(const spn_runtime *rt,
                                      spn_anim_skeleton skeleton,
                                      spn_anim_skeleton_info *out);

/* Get the name of a joint: UTF-8, valid until the skeleton is closed.
 * SPN_ERR_ARG if it has no such joint. */
spn_status spn_anim_skeleton_get_name(const spn_runtime *rt,
                                      spn_anim_skeleton skeleton,
                                      uint32_t joint, const char **out);

/* Find a joint by its name. SPN_ERR_NOT_FOUND. */
spn_status spn_anim_skeleton_find_joint(const spn_runtime *rt,
                                        spn_anim_skeleton skeleton,
                                        const char *name, uint32_t *out);

/* Check that clip and skeleton belong together.
 *
 *   SPN_OK             they do
 *   SPN_ERR_SKELETON   the clip was made for joints with other names or parents
 *   SPN_ERR_REST_POSE  the joints are the same, but not the rest pose
 *
 * A clip does not store parts of joints that rest, most often the lengths of
 * bones: they are taken from the skeleton. With another rest pose its poses are
 * not those that were made. A game that changes the proportions of a character
 * on purpose, with a skeleton of the same joints, accepts SPN_ERR_REST_POSE:
 * parts that rest then have its proportions, the others those of the clip. */
spn_status spn_anim_skeleton_check_clip(const spn_runtime *rt,
                                        spn_anim_skeleton skeleton,
                                        spn_anim anim);

/* The hash of a joint's name: XXH64, with seed 0, of its bytes without the NUL;
 * at most 4096 of them. Thread: any. */
uint64_t spn_anim_hash_name(const char *name);

/* Find the joints of a game in a skeleton. O(count * joints) comparisons of
 * numbers; for a character once, when it is made.
 *
 * hashes   spn_anim_hash_name of each joint of the game, in its own order
 * count    of them
 * joints   output, `count` elements: the joint of the skeleton with that name,
 *          or SPN_ANIM_NO_JOINT; the first one if two names have one hash
 * missing  output: how many are SPN_ANIM_NO_JOINT; NULL: not wanted */
spn_status spn_anim_skeleton_map_hashes(const spn_runtime *rt,
                                        spn_anim_skeleton skeleton,
                                        const uint64_t *hashes, uint32_t count,
                                        uint16_t *joints, uint32_t *missing);

/* The same with names. Their bytes are compared. */
spn_status spn_anim_skeleton_map_names(const spn_runtime *rt,
                                       spn_anim_skeleton skeleton,
                                       const char *const *names, uint32_t count,
                                       uint16_t *joints, uint32_t *missing);

#endif

#ifdef __cplusplus
}
#endif
#endif
