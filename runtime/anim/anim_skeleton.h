/* anim_skeleton.h - a skeleton file: names, parents and rest pose of joints.
 *
 * Clips refer to a skeleton by the hash of its names and parents. They also
 * have the hash of the rest pose from which they were made: parts that rest are
 * not stored in a clip, so with another rest pose its poses differ. To open
 * one:
 *
 *   spn__anim_skeleton_read_header   how large it is
 *   spn__anim_skeleton_open          fill memory of the caller
 *
 * Nothing in a file is trusted. Nothing is allocated. Pure functions; any
 * thread.
 *
 * The body is one stream of the adaptive range coder (base/range_coder.h). For
 * each joint, in this order:
 *
 *   parent        how far before the joint; 0: a root
 *   name          bytes in common with the start of the name before; then the
 *                 other bytes, and a byte 0
 *   rotation      1 bit: whether it is (0 0 0 1). If not, two bits: the
 *                 component with the largest magnitude, which is positive and
 *                 left out; then the other three as floats
 *   translation   three floats
 *   scale         1 bit: whether it is (1 1 1). If not, three floats
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_ANIM_SKELETON_H
#define SPN_ANIM_ANIM_SKELETON_H

#include "anim/anim_head.h"
#include "anim/pose/anim_reference.h"

#include <spindle/status.h>
#include <stddef.h>
#include <stdint.h>

#define ANIM_SKELETON_HEADER_BYTES 36u
#define ANIM_NO_PARENT 0xffffu

struct anim_skeleton_header {
    uint32_t joint_count; /* 1..ANIM_JOINTS_MAX */
    uint32_t name_bytes;  /* of all names, each with its NUL */
    uint32_t file_bytes;
    uint64_t hash; /* of names and parents */
    uint32_t body_checksum;
};

/* Filled by spn__anim_skeleton_open, then only read. */
struct anim_skeleton {
    uint32_t joint_count;
    uint64_t hash;
    uint32_t rest_pose_hash;
    const uint16_t *parent;         /* an earlier joint, or ANIM_NO_PARENT */
    const spn_anim_transform *rest; /* unit quaternions */
    const uint32_t *name;           /* offset in `names` */
    const char *names;              /* each ends with a NUL */
};

/* The hash of a rest pose is XXH32, with seed 0, of the bits that are coded.
 * Each joint has a byte (1: no rotation, 2: no scale, 4 * the component that is
 * left out), then the floats that are in the body, as little-endian numbers. */

/* The state of a coder of skeletons. */
struct anim_skeleton_models {
    struct number_model parent;
    struct number_model high[3]; /* sign and exponent: rotation, ... */
    struct anim_name_models names;
    struct chance largest[4];
    struct chance is_simple[2]; /* no rotation, no scale */
};

/* Read and check the header: ANIM_SKELETON_HEADER_BYTES bytes. Returns
 * SPN_ERR_FORMAT, SPN_ERR_VERSION or SPN_ERR_CHECKSUM. */
SPN_NODISCARD spn_status spn__anim_skeleton_read_header(
    const uint8_t *bytes, struct anim_skeleton_header *header,
    spn_fault *fault);

/* Bytes of memory of the opened skeleton. */
size_t spn__anim_skeleton_bytes(const struct anim_skeleton_header *header);

/* Check and open a skeleton.
 *
 * file      header->file_bytes bytes
 * models    workspace
 * memory    aligned to 4; used as long as the skeleton
 * skeleton  filled on SPN_OK
 *
 * Returns SPN_ERR_FORMAT or SPN_ERR_CHECKSUM. */
SPN_NODISCARD spn_status spn__anim_skeleton_open(
    const struct anim_skeleton_header *header, const uint8_t *file,
    struct anim_skeleton_models *models, void *memory,
    struct anim_skeleton *skeleton, spn_fault *fault);

/* The hash of names and parents: XXH64 of, for each joint, the bytes of its
 * name, a 0, and its parent as a little-endian number of 16 bits. */
uint64_t spn__anim_skeleton_hash(const struct anim_skeleton *skeleton);

#endif
