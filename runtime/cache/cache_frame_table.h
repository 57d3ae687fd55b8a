/* cache_frame_table.h - the frame table of a cache file, entry by entry.
 *
 * The table has one entry for each frame, in stored order: number, place, time,
 * and which frames it refers to. A *group* is a sequence of frames that is read
 * and decoded as a whole. The last stored frame of a group is the *anchor* of
 * the next one: frames of that group may refer to it, if it is an index frame.
 *
 * The reader of the table takes one entry at a time, so a table of any length
 * can be read in pieces. It writes frames and groups to the caller's arrays.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CACHE_CACHE_FRAME_TABLE_H
#define SPN_CACHE_CACHE_FRAME_TABLE_H

#include "cache/cache_header.h"

#include <spindle/status.h>
#include <stdbool.h>
#include <stdint.h>

#define CACHE_FRAME_ENTRY_BYTES 80u

enum cache_frame_type {
    CACHE_FRAME_INDEX = 0, /* refers to no frame */
    CACHE_FRAME_B = 1      /* refers to two, three or four frames */
};

#define CACHE_REFERENCES_MIN 2u
#define CACHE_REFERENCES_MAX 4u

/* The height of index frames, above that of all others. */
#define CACHE_HEIGHT_INDEX 15u

/* One frame; arrays are indexed by its number, which is display order. 64
 * bytes. */
struct cache_frame {
    uint64_t offset; /* of its directory, from the start of the file */
    int64_t time_us; /* since frame 0; rises with the number */
    uint32_t bytes;  /* stored: directory and blocks */
    uint32_t group;
    uint8_t type; /* enum cache_frame_type */
    uint8_t reference_count;
    uint8_t wait_mask;   /* bit k: decoding waits for reference k. The other
                          * references are decoded by then, because frames in
                          * the mask wait for them. */
    uint8_t decode_rank; /* place in an order in which the frames of the group
                          * can be decoded */
    int16_t reference[CACHE_REFERENCES_MAX]; /* number minus own number */
    uint16_t stored; /* place within the group, in stored order */
    uint8_t height;  /* how many frames depend on it, see play/level.h; */
    uint8_t ordinal; /* the reader leaves these two 0 */
    /* Bounds of the visible meshes, in world space. If no mesh is visible,
     * box_max is below box_min on all axes. */
    float box_min[3];
    float box_max[3];
};

struct cache_group {
    uint64_t offset;       /* of its first stored frame */
    uint32_t bytes;        /* of all its frames, which follow each other */
    uint32_t first_frame;  /* its lowest frame number */
    uint32_t frame_count;  /* its frames have consecutive numbers */
    uint32_t anchor_frame; /* number of its anchor; CACHE_NONE: no frame of the
                            * group refers to the anchor */
};

struct frame_table_reader {
    /* Set by the caller. `at` and `group_at` give the memory of one frame, by
     * number, and of one group. */
    const struct cache_header *header;
    struct cache_frame *(*at)(void *user, uint32_t number);
    struct cache_group *(*group_at)(void *user, uint32_t group);
    void *user;
    /* Zeroed by the caller, then the reader's own. */
    uint32_t stored;            /* entries read so far */
    uint64_t next_offset;       /* where the next frame must start */
    uint32_t group;             /* the open group */
    uint64_t group_offset;      /* where it starts */
    uint32_t group_first_frame; /* its lowest number */
    uint32_t group_frames;      /* entries of it so far */
    uint32_t group_last;        /* the greatest number among them */
    uint32_t last_stored;       /* number of the last entry */
    uint32_t anchor;            /* last stored frame of the group before */
    int64_t last_us;            /* time of the last frame of the group before */
    uint32_t largest_frame_bytes;
    uint32_t largest_group_bytes;
    uint32_t seen[CACHE_GROUP_FRAMES_MAX / 32]; /* bit i: number
                                                 * group_first_frame + i */
};

/* Read and validate the next entry. When it begins a group, the group before is
 * validated: its numbers are complete, times rise, each reference is of the
 * group or its anchor, and some order of decoding satisfies all waits.
 * The caller has checked the checksum of the table. */
SPN_NODISCARD spn_status spn__frame_table_read(
    struct frame_table_reader *reader,
    const uint8_t entry[CACHE_FRAME_ENTRY_BYTES], struct spn_fault *fault);

/* After the last entry: validate the last group, and what the header says of
 * all frames together. */
SPN_NODISCARD spn_status spn__frame_table_finish(
    struct frame_table_reader *reader, struct spn_fault *fault);

/* True if the reader's own fields agree with each other. */
bool spn__frame_table_check(const struct frame_table_reader *reader);

/* Time of an entry's frame in the archive, seconds; number of that frame. */
double spn__frame_table_entry_seconds(
    const uint8_t entry[CACHE_FRAME_ENTRY_BYTES]);
uint32_t spn__frame_table_entry_number(
    const uint8_t entry[CACHE_FRAME_ENTRY_BYTES]);

#endif
