/* encode_group.h - groups of frames on their way through the encoder's
 * pipeline.
 *
 * An index frame is decoded without other frames. Every `distance`-th frame is
 * one, and so is the last frame of the clip. The frames between two index
 * frames are B frames, which refer to other frames; with
 * compile_options.no_b_frames they are index frames, too. In a file with lifted
 * meshes the B frames form a pyramid: the middle frame refers to both index
 * frames, then the middle of each half to the ends of that half, and so on
 * (lift_pyramid.h). In other files each B frame refers to both index frames and
 * to the two frames before it.
 *
 * A group is encoded as one item: its anchor (frame 0, or the last frame of the
 * group before) and the frames after it up to the next index frame, which is
 * the anchor of the next group. A frame of a group is named by its slot, which
 * counts from the anchor. For a clip of 13 frames with a distance of 8:
 *
 *   frame      0 1 2 3 4 5 6 7 8 9 10 11 12
 *   index      x               x         x
 *   group 0    0 1 2 3 4 5 6 7 8                slots; first 0, count 8
 *   group 1                    0 1  2  3  4     slots; first 8, count 4
 *   item       0 0 0 0 0 0 0 0 1 1  1  1  2     encodes the frame
 *
 * An item encodes the frames of its group but the last, which the next item
 * encodes. So the last frame of the clip needs one more item: a group with
 * count 0.
 *
 * encode_group.c produces and encodes frames, encode_group_write.c writes them.
 * Results of a block are written by the worker that encodes it. All other
 * fields change while a stage hands an item on, which one thread at a time
 * does, in the order of items (common/pipeline.h).
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENCODE_GROUP_H
#define OFFLINE_COMPILE_ENCODE_ENCODE_GROUP_H

#include "compile/encode/encode_frame.h"

/* A group in flight. */
struct group {
    uint32_t number; /* of the group, from 0 */
    uint32_t first;  /* number of the anchor frame */
    uint32_t count;  /* frames after the anchor; 0: the anchor is the last frame
                      * of the clip */
    bool *is_needed; /* per tile: visible in some frame, the anchor included */
    /* For each frame from the anchor on, one for each block. */
    struct stream_result *results;
    struct arena *arenas; /* per worker thread: memory of the results */
};

/* A produced frame, before its values are copied to group_loop.values. */
struct produced {
    struct arena arena;
    struct clip_frame frame;
};

/* The state of encoder_frames. */
struct group_loop {
    struct encoder *e;
    uint32_t distance;    /* from one index frame to the next */
    uint32_t last;        /* number of the last frame of the clip */
    uint32_t group_count; /* groups with a count above 0 */
    /* Circular buffers: frame n is at n modulo the size of the buffer, likewise
     * group n. The size of `groups` is group_places(). */
    struct produced *produced;
    uint32_t produced_count;
    struct frame_values *values;
    uint32_t value_count;
    struct group *groups;
    uint32_t window; /* groups that are encoded at a time, at most */
};

static inline bool has_b_frames(const struct encoder *e)
{
    return !e->job->options->no_b_frames;
}

/* The values of frame `number`, which must be in flight. */
static inline struct frame_values *values_of(const struct group_loop *g,
                                             uint32_t number)
{
    return &g->values[number % g->value_count];
}

/* The size of the buffer of groups: those that are being encoded, the group
 * before them, whose last slot is the first anchor, and two whose frames are
 * being produced (limit_frames ensures this). */
static inline uint32_t group_places(const struct group_loop *g)
{
    return g->window + 3;
}

static inline struct group *group_at(const struct group_loop *g,
                                     uint32_t number)
{
    return &g->groups[number % group_places(g)];
}

/* The frames that are encoded with the group: without its last frame, which is
 * the anchor of the next group. */
static inline uint32_t frames_to_encode(const struct group *group)
{
    return group->count > 0 ? group->count : 1;
}

/* The frames that a frame refers to. */
struct group_references {
    uint32_t count;
    uint32_t slot[CACHE_REFERENCES_MAX]; /* of each reference */
    /* cache_frame.wait_mask: bit k is set if decoding waits for reference k.
     * group_references() sets it in files without a pyramid. In a pyramid it
     * leaves 0; group_write() removes the references that no payload of the
     * frame uses, and then sets the bits of all others. */
    uint8_t wait_mask;
};

/* The references that the frame in `slot` may use; none: an index frame. */
struct group_references group_references(const struct group_loop *g,
                                         const struct group *group,
                                         uint32_t slot);

/* Write the frames of a group that is encoded. False after a refusal. */
bool group_write(const struct group_loop *g, const struct group *group);

/* The fourth stage of the encoder: produce, encode and write all frames. Call
 * it after the static data is written. False after a refusal. */
bool encoder_frames(struct encoder *e);

#endif
