/* compile_stats.h - statistics of a compile, for each mesh, channel and frame.
 *
 * compile_run fills them if compile_options.stats is set: the main thread, at
 * the end of the run; phases.h is updated meanwhile. cli/compile_summary.h
 * prints them.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_CLIP_COMPILE_STATS_H
#define OFFLINE_COMPILE_CLIP_COMPILE_STATS_H

#include "common/arena.h"
#include "common/phases.h"
#include "compile/clip/error_stats.h"

#include <stdbool.h>
#include <stdint.h>

struct channel_stats {
    bool is_present;
    bool is_animated;
    /* Bytes in the file: of the blocks of all frames, or of the static data. If
     * meshes share a block, each has a share in proportion to its vertices. */
    double bytes;
    /* Blocks of an animated channel in all frames, and those of them that are
     * predicted from other frames. */
    uint64_t stream_count;
    uint64_t temporal_count;
    struct error_stats error;
};

struct mesh_stats {
    const char *path;
    uint32_t vertex_count;
    uint32_t triangle_count;
    double bytes; /* of its animated channels */
    struct channel_stats channel[CHANNEL_COUNT];
};

struct frame_stats {
    double seconds; /* since the first frame */
    uint32_t bytes; /* of its directory and blocks */
};

struct compile_stats {
    struct arena arena;
    uint32_t mesh_count;
    struct mesh_stats *meshes;
    uint32_t frame_count;
    struct frame_stats *frames;
    uint32_t b_frame_count;
    uint64_t node_bytes;      /* of the blocks of transforms, all frames */
    uint64_t directory_bytes; /* of all frames */
    struct phases phases;
};

void compile_stats_init(struct compile_stats *stats);
void compile_stats_free(struct compile_stats *stats);

/* Bits per vertex: of an animated channel in one frame, of a static channel in
 * the whole clip. */
double compile_stats_bits(const struct compile_stats *stats,
                          const struct mesh_stats *mesh,
                          const struct channel_stats *channel);

/* -- data rate -- */

#define COMPILE_STATS_BUCKETS_MAX 3600u

/* The bytes of frames over time, in buckets. A bucket is one second, or more in
 * a clip of more than COMPILE_STATS_BUCKETS_MAX seconds; the last bucket may be
 * shorter. */
struct compile_stats_rate {
    double bucket_seconds;
    uint32_t bucket_count;
    double *bytes; /* of each bucket */
    /* bytes per second: the least and the most of the full buckets, or of the
     * only bucket; the mean of the whole clip */
    double least;
    double mean;
    double most;
};
/* Returns false, with zeros in *rate, if the clip has no duration. */
bool compile_stats_rate(const struct compile_stats *stats, struct arena *arena,
                        struct compile_stats_rate *rate);

#endif
