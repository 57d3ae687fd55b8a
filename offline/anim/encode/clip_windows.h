/* clip_windows.h - opens a clip file in memory, and decodes all its segments.
 *
 * The runtime's decoder is used, so that a tool sees what a game sees.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_ENCODE_CLIP_WINDOWS_H
#define OFFLINE_ANIM_ENCODE_CLIP_WINDOWS_H

#include "anim/anim_clip.h"
#include "anim/pose/anim_reference.h"
#include "common/arena.h"

#include <spindle/status.h>

struct clip_windows {
    const struct anim_window *windows; /* [segment]; at least one */
    uint32_t segment_count;            /* 0: one window, which is empty */
    uint32_t segment_frames;           /* of each but the last */
    uint32_t segment_bytes_max;        /* of the file */
};

/* Open a clip whose header has been read from `file`. The arena owns its
 * tracks, of *memory bytes. On an error of the file, return it and fill
 * `fault`. */
SPN_NODISCARD spn_status
clip_windows_open(const struct anim_clip_header *header, const uint8_t *file,
                  struct arena *arena, struct anim_clip *clip, size_t *memory,
                  spn_fault *fault);

/* Decode the segments of an opened clip, whose file is at `file`. The arena
 * owns the windows. On an error of the file, return it, fill `fault` with its
 * offset in the file, and set `segment_count` to the segment. */
SPN_NODISCARD spn_status clip_windows_decode(const struct anim_clip *clip,
                                             const uint8_t *file,
                                             struct arena *arena,
                                             struct clip_windows *windows,
                                             spn_fault *fault);

/* The frame of a clip in its window. */
struct anim_frame clip_windows_frame(const struct clip_windows *windows,
                                     uint32_t frame);

#endif
