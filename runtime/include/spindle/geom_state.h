/* geom_state.h - the state of a node: what it shows, what it lacks, and why.
 *
 * spn_node_get_state copies the state of one node to a struct of the caller. It
 * says whether the frames around the playback time are decoded, how far ahead
 * frames are read and decoded, which frames were late or left out, whether the
 * drive has time for the stream (spn_admission), and what failed. geom.h
 * explains the terms and what all functions have in common.
 *
 *   times   fields that end in _us: microseconds. playback_us and streaming_us
 *           count from the first frame, the others are lengths of time
 *   shares  fields that end in _permille: thousandths
 *   counts  since the node was created, unless a comment says otherwise
 *
 * Ownership. The struct belongs to the caller. The name of the file in `fault`
 * belongs to the runtime and is valid while the node exists.
 *
 * Threads. Any thread may call spn_node_get_state between two updates.
 *
 * Errors. Only SPN_ERR_ARG and SPN_ERR_HANDLE. Errors of the cache, its file
 * and its frames are in spn_node_state.status.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_GEOM_STATE_H
#define SPINDLE_GEOM_STATE_H

#include <spindle/features.h>
#include <spindle/geom_node.h>
#include <spindle/read.h>
#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a stream may use its drive. If the streams of a drive need all of its
 * time, every one of them is late. So each stream has a *share*: the part of
 * the drive's time that its reads take at normal playback speed. It is computed
 * from the drive's profile, the place of the file on the disc, and the measured
 * times of earlier reads.
 *
 * Streams are admitted in the order in which they start, as long as the sum of
 * the shares does not exceed the tuning variable drive_permille_max (900 of
 * 1000). A stream keeps its share until it stops, or until it has read all of a
 * clip that does not loop. A stream that does not fit is degraded or refused
 * (spn_node_desc.overload) until enough of the other shares are free again.
 *
 * Three things are not considered:
 *
 * - reads that do not belong to streams; lower drive_permille_max to leave time
 *   for them;
 * - nodes that play one cache in step, so that one read serves several of them;
 *   each node is counted in full;
 * - playback that is faster than normal; it takes more than the share. */
typedef enum spn_admission {
    SPN_ADMITTED = 0, /* also if the drive has no profile */
    SPN_DEGRADED = 1, /* its reads have SPN_PRIORITY_IDLE */
    SPN_REFUSED = 2   /* it does not read */
} spn_admission;

/* Why a node leaves out frames.
 *
 * If the workers cannot decode all frames that the nodes need, or a node finds
 * no memory for the frames that it is to show, nodes leave out frames instead
 * of being late: first single frames, then all frames of a *level*. Level 1
 * leaves out the frames to which no other frame refers, level 2 also those to
 * which only these refer, and so on; the last level is the index frames alone.
 * In a file with lifted meshes each level leaves out half of the frames, evenly
 * spread over time; with the classic codecs it leaves out the last frame of
 * each group. Fills interpolate over the wider gap. Frames that are decoded all
 * the same, because another node needs them, are shown.
 *
 * The least important node loses first (spn_node_set_importance); of equally
 * important ones the farthest (spn_view); of these the one that has lost least;
 * of these the one that was created in the highest slot. Nodes that play the
 * same frames at nearly the same time lose them together. When no frame has
 * been in danger of being late for the decode-ahead time (tuning variable
 * decode_ahead_ms), frames come back. The decisions depend only on the times at
 * which spn_update is called and on the frames that are decoded by then. */
typedef enum spn_shortage {
    SPN_SHORTAGE_NONE = 0,   /* it leaves out no frames */
    SPN_SHORTAGE_DECODE = 1, /* the workers cannot decode them in time */
    SPN_SHORTAGE_DRIVE = 2,  /* the drive cannot read them in time */
    SPN_SHORTAGE_MEMORY = 3  /* the heap has no room for them */
} spn_shortage;

typedef struct spn_node_state {
    /* The first of these that applies:
     *
     * - The cache is opening, or could not be opened: the result of
     *   spn_cache_get_status.
     * - SPN_NO_TIME_NOW: the stream is degraded or refused (spn_admission),
     *   until enough other streams stop.
     * - SPN_NO_MEMORY_NOW: all memory is promised to other streams. It waits
     *   until one of them stops, or stream_memory_kib is raised.
     * - SPN_ERR_MEMORY: the heap is too small to play the cache at all.
     * - SPN_ERR_TABLE_FULL: spn_config.stream_frame_count is less than the
     *   frames of two groups, so the cache cannot be played at all.
     * - The error of the last frame that could not be decoded since the node
     *   started streaming or did a seek:
     *     SPN_ERR_IO          the device failed
     *     SPN_ERR_SHORT_READ  the file ends before the frame does
     *     SPN_ERR_TIMEOUT     the device does not answer (medium.h)
     *     SPN_ERR_FORMAT, SPN_ERR_CHECKSUM, SPN_ERR_CODEC
     *                         the bytes are damaged
     *     SPN_ERR_FPU         the thread that decoded it did not round to
     *                         nearest
     * - SPN_OK.
     *
     * Lifted meshes need a floating-point unit that rounds to nearest, on every
     * thread that runs jobs, also on those of an engine's job system. The
     * unit may flush subnormal numbers to zero. */
    spn_status status;
    uint32_t is_streaming; /* 1 from spn_node_start_streaming, or the first
                            * playback time, to spn_node_stop_streaming; also
                            * while the cache is still opening */
    uint32_t is_ready;     /* the frames around the playback time are decoded,
                            * with all meshes of the node's mask */
    uint32_t shown_frame;  /* the floor frame that a fill would use now;
                            * UINT32_MAX: none */
    int64_t playback_us;   /* as set, clamped; beyond a range that repeats: as
                            * set */
    int64_t precached_us;  /* from the playback time to the end of the decoded
                            * frames */
    int64_t buffered_us;   /* from the playback time to the end of the frames
                            * that were read */
    /* The second position (spn_node_set_streaming_time): its time, SPN_NO_TIME
     * if there is none; whether its picture is there at once when the playback
     * time is set there; and the time from there to the end of the decoded
     * frames. */
    int64_t streaming_us;
    uint32_t is_streaming_ready;
    int64_t streaming_precached_us;
    uint32_t frames_shown; /* how often the wanted frame changed and was decoded
                            * in time */
    uint32_t frames_late;  /* how often it changed and was not decoded in time;
                            * the nearest decoded frame was shown instead */
    uint32_t
        frames_left_out; /* how often it changed to one that the node leaves
                               * out, and the frames around it were decoded in
                               * time */
    uint32_t level;     /* levels that it leaves out (spn_shortage); 0: none, or
                         * single frames only */
    uint32_t level_max; /* the last level, index frames alone */
    uint32_t left_out_permille; /* of the clip's frames, by level and single
                                 * ones, in thousandths */
    spn_shortage shortage;      /* why */
    uint32_t frames_dropped; /* frames that could not be decoded, because they
                              * or frames that they refer to are damaged or
                              * unreadable; a frame counts again in each loop
                              * and after each seek */
    uint32_t seeks;          /* how often a playback time was a seek (geom.h) */
    uint64_t bytes_read; /* of the cache file, by reads that this node started.
                          * Bytes that another node of the cache has read count
                          * there */
    spn_admission admission;
    uint32_t drive_permille; /* the stream's share of the drive's time, granted
                              * or requested, in thousandths; 0: not known */
    /* More about `status`, by its value. (fault.value and fault.expected are
     * fields of spn_fault, status.h.)
     *
     * - error of the cache: the fault of spn_cache_get_status
     * - SPN_NO_TIME_NOW: value is the sum of the shares of all admitted streams
     *   and of this one; expected is the limit of that sum, drive_permille_max;
     *   both in thousandths
     * - SPN_NO_MEMORY_NOW, SPN_ERR_MEMORY: value is the size of the heap in
     *   bytes, or of the part of it that streams may use (tuning variable
     *   stream_memory_kib); expected is the size that it should have
     * - SPN_ERR_TABLE_FULL: value is spn_config.stream_frame_count; expected is
     *   the smallest value with which the cache can be played
     * - error of a frame: what is wrong, and where in the file
     *
     * fault.file is valid while the node exists. */
    spn_fault fault;
    uint32_t fault_frame; /* with the error of a frame: its number */
} spn_node_state;

#if SPN_WITH_GEOMETRY

/* Get the state of a node. Never returns SPN_PENDING or the error of a cache:
 * they are in `out->status`. */
spn_status spn_node_get_state(const spn_runtime *rt, spn_node node,
                              spn_node_state *out);

#endif

#ifdef __cplusplus
}
#endif
#endif
