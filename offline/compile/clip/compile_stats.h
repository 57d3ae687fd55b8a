/* compile_stats.h - measurements of a compile, for each mesh, channel and
 * frame.
 *
 * compile_run fills them when compile_options.stats is set; the reports of the
 * command line print them.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_CLIP_COMPILE_STATS_H
#define OFFLINE_COMPILE_CLIP_COMPILE_STATS_H

#include "common/arena.h"
#include "common/phases.h"
#include "compile/clip/measure.h"

#include <stdbool.h>
#include <stdint.h>

struct channel_stats {
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

struct mesh_stats {
    const char *path;
    uint32_t vertex_count;
    uint32_t triangle_count;
    double bytes; /* of all channels that are animated */
    struct channel_stats channel[CHANNEL_COUNT];
};

struct frame_stats {
    double seconds; /* from the first frame */
    uint32_t bytes; /* directory and blocks */
};

/* Filled by compile_run when the options name it. */
struct compile_stats {
    struct arena arena;
    uint32_t mesh_count;
    struct mesh_stats *meshes;
    uint32_t frame_count;
    struct frame_stats *frames;
    uint32_t b_frame_count;
    uint64_t node_bytes;      /* blocks of transforms, all frames */
    uint64_t directory_bytes; /* of all frames */
    struct phases phases;
};

void compile_stats_init(struct compile_stats *stats);
void compile_stats_free(struct compile_stats *stats);

/* Bits of one vertex in one frame; of a channel that never changes in all. */
double compile_stats_bits(const struct compile_stats *stats,
                          const struct mesh_stats *mesh,
                          const struct channel_stats *channel);

/* -- data rate -- */

#define COMPILE_STATS_BUCKETS_MAX 3600u

/* Bytes that the frames of each stretch of time have. A stretch is a second,
 * or as many as it takes to have no more than COMPILE_STATS_BUCKETS_MAX of
 * them. The last may be cut short. */
struct compile_stats_rate {
    double bucket_seconds;
    uint32_t bucket_count;
    double *bytes; /* of each bucket */
    /* bytes per second of whole buckets, or of the only one */
    double least;
    double mean; /* of the whole clip */
    double most;
};
/* False where there is no time between frames. */
bool compile_stats_rate(const struct compile_stats *stats, struct arena *arena,
                        struct compile_stats_rate *rate);

#endif
