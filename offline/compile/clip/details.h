/* details.h - what a compile measured, mesh by mesh and second by second. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_CLIP_DETAILS_H
#define OFFLINE_COMPILE_CLIP_DETAILS_H

#include "common/arena.h"
#include "common/phases.h"
#include "compile/clip/measure.h"

#include <stdbool.h>
#include <stdint.h>

struct channel_details {
    bool is_there;
    bool is_animated;
    /* Of the blocks of all frames, or of what is stored once. Small meshes
     * share blocks: each has as much of one as of its vertices. */
    double bytes;
    /* Streams of animated channels, and of those the ones predicted from
     * other frames; a stream is one block of one frame */
    uint64_t stream_count;
    uint64_t temporal_count;
    struct measure error;
};

struct mesh_details {
    const char *path;
    uint32_t vertex_count;
    uint32_t triangle_count;
    double bytes; /* of all channels that are animated */
    struct channel_details channel[CHANNEL_COUNT];
};

struct frame_details {
    double seconds; /* from the first frame */
    uint32_t bytes; /* directory and blocks */
};

/* Filled by compile_run when the options name it. */
struct compile_details {
    struct arena arena;
    uint32_t mesh_count;
    struct mesh_details *meshes;
    uint32_t frame_count;
    struct frame_details *frames;
    uint32_t b_frame_count;
    uint64_t node_bytes;      /* blocks of transforms, all frames */
    uint64_t directory_bytes; /* of all frames */
    struct phases phases;
};

void details_init(struct compile_details *details);
void details_free(struct compile_details *details);

/* Bits of one vertex in one frame; of a channel that never changes in all. */
double details_bits(const struct compile_details *details,
                    const struct mesh_details *mesh,
                    const struct channel_details *channel);

/* -- data rate -- */

#define DETAILS_BUCKETS_MAX 3600u

/* Bytes that the frames of each stretch of time have. A stretch is a second,
 * or as many as it takes to have no more than DETAILS_BUCKETS_MAX of them. The
 * last may be cut short. */
struct details_rate {
    double bucket_seconds;
    uint32_t bucket_count;
    double *bytes; /* of each bucket */
    /* bytes per second of whole buckets, or of the only one */
    double least;
    double mean; /* of the whole clip */
    double most;
};
/* False where there is no time between frames. */
bool details_rate(const struct compile_details *details, struct arena *arena,
                  struct details_rate *rate);

#endif
