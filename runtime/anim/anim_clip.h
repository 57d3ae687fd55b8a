/* anim_clip.h - a clip file: its header and its head.
 *
 * A clip file is a header, a table of segments, a coded head and the segments
 * (FORMAT.md). The first three are the head bytes: with them a clip is opened,
 * and each segment is decoded (anim_segment.h) as soon as its bytes are there.
 * To open a clip:
 *
 *   spn__anim_clip_read_header   how many head bytes there are
 *   spn__anim_clip_measure       how much memory its tracks take
 *   spn__anim_clip_open          fill that memory
 *
 * Nothing in these files is trusted: everything is checked, and damaged bytes
 * are refused. Nothing is allocated; the caller gives all memory. Pure
 * functions; any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_ANIM_CLIP_H
#define SPN_ANIM_ANIM_CLIP_H

#include "anim/anim_head.h"
#include "anim/pose/anim_tracks.h"

#include <spindle/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ANIM_CLIP_HEADER_BYTES 56u

struct anim_clip_header {
    bool loop_closes; /* a loop has no time from the last frame to the first */
    bool has_cuts;    /* at least one frame is a cut */
    bool loops;       /* this and the next two: what the author says */
    bool is_additive; /* of the clip; decoding does not use it */
    bool has_root_motion;
    bool has_scale;             /* at least one scale does not rest */
    uint32_t joint_count;       /* 1..ANIM_JOINTS_MAX */
    uint32_t float_track_count; /* 0..ANIM_FLOAT_TRACKS_MAX */
    uint32_t frame_count;       /* 1..ANIM_FRAMES_MAX */
    uint32_t segment_frames;    /* 16, 8 or 4; the last one may have fewer */
    uint32_t rate_numerator;    /* frame f is at f * denominator / numerator */
    uint32_t rate_denominator;  /* seconds; both are 1..ANIM_RATE_MAX */
    uint64_t skeleton;          /* hash of names and parents: anim_skeleton.h */
    uint32_t rest_pose_hash;    /* of the skeleton; anim_skeleton.h */
    uint32_t head_bytes;        /* from the start of the file */
    uint32_t file_bytes;
    uint32_t head_checksum; /* of the head bytes after the header */
    uint32_t segment_count; /* 0: nothing is animated */
    /* The table of segments: where it begins in the file, and bytes for each
     * segment, ANIM_CHECKED_ENTRY or, in a database (packed_clip.h), 4 or 2. */
    uint32_t table_at;
    uint32_t entry_bytes;
};

/* Bytes for each segment in the table if each has a checksum. */
#define ANIM_CHECKED_ENTRY 8u

struct anim_clip {
    struct anim_clip_header header;
    struct anim_tracks tracks;
    const uint8_t *segments; /* the table, in the head bytes */
};

/* Where a segment lies in the file. */
struct anim_segment_place {
    uint32_t offset;
    uint32_t bytes;
    uint32_t checksum; /* of its bytes, if it has one */
};

/* Read and check the header.
 *
 * bytes   the file's first ANIM_CLIP_HEADER_BYTES bytes
 * header  filled on SPN_OK
 * fault   NULL: not wanted
 *
 * Returns SPN_ERR_FORMAT, SPN_ERR_VERSION or SPN_ERR_CHECKSUM. */
SPN_NODISCARD spn_status spn__anim_clip_read_header(
    const uint8_t *bytes, struct anim_clip_header *header, spn_fault *fault);

/* Check the head, and compute the memory that spn__anim_clip_open needs.
 *
 * header  read before from the same bytes
 * head    header->head_bytes bytes
 * models  workspace
 * memory  bytes, on SPN_OK
 *
 * Returns SPN_ERR_FORMAT or SPN_ERR_CHECKSUM. */
SPN_NODISCARD spn_status spn__anim_clip_measure(
    const struct anim_clip_header *header, const uint8_t *head,
    struct anim_head_models *models, size_t *memory, spn_fault *fault);

/* The same, and the memory of a window.
 *
 * window  bytes, on SPN_OK */
SPN_NODISCARD spn_status spn__anim_clip_measure_window(
    const struct anim_clip_header *header, const uint8_t *head,
    struct anim_head_models *models, size_t *memory, size_t *window,
    spn_fault *fault);

/* Open a clip that spn__anim_clip_measure has accepted.
 *
 * head    as before; used as long as the clip: the table of segments is there
 * memory  as many bytes as measured, aligned to 4; used as long as the clip
 * clip    filled
 */
void spn__anim_clip_open(const struct anim_clip_header *header,
                         const uint8_t *head, struct anim_head_models *models,
                         void *memory, struct anim_clip *clip);

/* Where segment 0..segment_count - 1 lies. */
struct anim_segment_place spn__anim_clip_segment(const struct anim_clip *clip,
                                                 uint32_t segment);

/* Bytes of the table of segments. */
static inline uint32_t anim_clip_table_bytes(
    const struct anim_clip_header *header)
{
    return header->segment_count * header->entry_bytes;
}

/* Whether the head and each segment have a checksum of their own. */
static inline bool anim_clip_has_checksums(
    const struct anim_clip_header *header)
{
    return header->entry_bytes == ANIM_CHECKED_ENTRY;
}

/* Number of frames of a segment. */
static inline uint32_t anim_clip_segment_frames(
    const struct anim_clip_header *header, uint32_t segment)
{
    const uint32_t most = header->segment_frames;
    const uint32_t left = header->frame_count - most * segment;

    return left < most ? left : most;
}

#endif
