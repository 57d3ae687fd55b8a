/* anim_wire.h - clip and skeleton files byte by byte.
 *
 * The reader (anim_clip.h, anim_skeleton.h) and the writer, which is in
 * offline/anim/encode, use the same structs. Their fields are arrays of bytes,
 * so padding, byte order and alignment cannot differ between machines. Numbers
 * are little-endian. FORMAT.md describes the files in words.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_ANIM_WIRE_H
#define SPN_ANIM_ANIM_WIRE_H

#include "anim/anim_limits.h"
#include "base/assert.h"
#include "base/wire.h"

#include <stdint.h>

#define ANIM_CLIP_SIGNATURE "SPNDLACL"
#define ANIM_SKELETON_SIGNATURE "SPNDLSKE"
#define ANIM_VERSION 1u

/* Flags of a clip. */
#define ANIM_LOOP_CLOSES 1u /* a loop has no time from last to first */
#define ANIM_HAS_CUTS 2u    /* each segment begins with its cuts */
#define ANIM_HAS_SCALE 32u  /* a scale does not rest */
/* What the author says of the clip; the codec does not use it. */
#define ANIM_LOOPS 4u
#define ANIM_IS_ADDITIVE 8u
#define ANIM_HAS_ROOT_MOTION 16u
#define ANIM_FLAGS 63u /* all of them */

struct anim_wire_clip {
    uint8_t signature[8];
    uint8_t version[2];
    uint8_t flags[1];
    uint8_t segment_frames[1]; /* 16, 8 or 4 */
    uint8_t joint_count[2];
    uint8_t float_track_count[2];
    uint8_t frame_count[4];
    uint8_t rate_numerator[4];
    uint8_t rate_denominator[4];
    uint8_t skeleton[8];       /* hash of names and parents */
    uint8_t rest_pose_hash[4]; /* of the skeleton: anim_skeleton.h */
    uint8_t head_bytes[4];
    uint8_t file_bytes[4];
    uint8_t head_checksum[4]; /* of the head's bytes after this header */
    uint8_t checksum[4];      /* of all bytes before it */
};
SPN_STATIC_ASSERT(sizeof(struct anim_wire_clip) == 56, anim_wire_clip_size);

struct anim_wire_segment {
    uint8_t end[4]; /* offset in the file where the segment ends */
    uint8_t checksum[4];
};
SPN_STATIC_ASSERT(sizeof(struct anim_wire_segment) == 8,
                  anim_wire_segment_size);

/* The header of a clip in a database: packed_clip.h. */
struct anim_wire_packed {
    uint8_t head_bytes[4];
    uint8_t float_track_count[2];
    uint8_t flags[1];          /* ANIM_HAS_CUTS or 0 */
    uint8_t segment_frames[1]; /* as in a clip file */
    uint8_t checksum[4];
};
SPN_STATIC_ASSERT(sizeof(struct anim_wire_packed) == 12, anim_wire_packed_size);

struct anim_wire_skeleton {
    uint8_t signature[8];
    uint8_t version[2];
    uint8_t joint_count[2];
    uint8_t name_bytes[4]; /* of all names, each with its NUL */
    uint8_t file_bytes[4];
    uint8_t hash[8];          /* of names and parents */
    uint8_t body_checksum[4]; /* of the bytes after this header */
    uint8_t checksum[4];      /* of all bytes before it */
};
SPN_STATIC_ASSERT(sizeof(struct anim_wire_skeleton) == 36,
                  anim_wire_skeleton_size);

/* Seed of the hashes of skeletons. */
#define ANIM_HASH_SEED 0u

#endif
