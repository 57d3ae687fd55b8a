/* geom_node.h - nodes: players of geometry caches, and what they play.
 *
 * A node plays one cache. The engine sets its playback time before each
 * spn_update; the node reads and decodes the frames around it, and prepares
 * what comes next. Range, rate, second position, mesh mask and importance say
 * more about what will be needed. geom_state.h reports how playback goes;
 * geom_fill.h, geom_buffers.h and geom_scene.h give what the node shows. geom.h
 * explains the terms, the order of the calls and what all functions have in
 * common.
 *
 *   times       microseconds from the first frame of the clip. Playback times
 *               may have any value; the functions say how times beyond the ends
 *               are clamped or repeated
 *   rates       thousandths of normal speed, negative for backward
 *   meshes      one bit each, by the number of the mesh in its cache
 *   importance  any number; more important nodes have larger ones
 *
 * Ownership. Descriptions and masks are copied. The runtime owns the node, what
 * it reads and what it decodes; nodes of the same cache share frames. A cache
 * that is closed lives at least until its last node is destroyed.
 *
 * Threads. All functions change nodes, so they belong to the caller's thread.
 *
 * Errors. geom.h lists those that are checked first. No function here needs the
 * cache's tables: all can be called while the cache is still opening, or after
 * that has failed. Errors of reading and decoding are no results of these
 * functions; they are in spn_node_state (geom_state.h).
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_GEOM_NODE_H
#define SPINDLE_GEOM_NODE_H

#include <spindle/features.h>
#include <spindle/geom_cache.h>
#include <spindle/read.h>
#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t spn_node; /* handle; 0: none */

/* Most words of spn_node_set_mesh_mask: only the first 1024 meshes of a cache
 * can be left out. */
#define SPN_MASK_WORDS_MAX 32u

/* What happens to a node whose stream would need more of a drive's time than is
 * left; see spn_admission. It matters only for drives with a profile
 * (spn_config.media). */
typedef enum spn_overload {
    SPN_OVERLOAD_DEGRADE = 0, /* it reads when no other read needs the drive */
    SPN_OVERLOAD_REFUSE = 1,  /* it reads nothing, and takes no memory */
    SPN_OVERLOAD_IGNORE = 2   /* it is admitted, even if others become late */
} spn_overload;

typedef struct spn_node_desc {
    uint32_t is_looping;   /* 0: no. A clip of one frame never loops */
    spn_priority priority; /* of its reads; 0: SPN_PRIORITY_ABOVE_NORMAL */
    spn_overload overload; /* 0: SPN_OVERLOAD_DEGRADE */
} spn_node_desc;

#if SPN_WITH_GEOMETRY

/* Create a node that plays a cache. The cache may still be opening, or may have
 * failed; spn_node_get_state reports it.
 *
 * desc  copied; NULL: all fields 0
 *
 * Returns SPN_ERR_ARG if `priority` is SPN_PRIORITY_PREEMPTED or not a value of
 * spn_priority, or if `overload` is not a value of spn_overload;
 * SPN_ERR_TABLE_FULL if spn_config.node_count nodes exist or are still being
 * freed. */
SPN_NODISCARD spn_status spn_node_create(spn_runtime *rt, spn_cache cache,
                                         const spn_node_desc *desc,
                                         spn_node *out);

/* Destroy a node. The handle is invalid at once. The slot of the node is free
 * when its reads and jobs have ended. */
spn_status spn_node_destroy(spn_runtime *rt, spn_node node);

/* Start to read and decode from `time_us` on, before playback gets there. Once
 * spn_node_state.is_ready is 1, playback can start at that time without a wait.
 *
 * time_us  as in spn_node_set_playback_time */
spn_status spn_node_start_streaming(spn_runtime *rt, spn_node node,
                                    int64_t time_us);
/* Stop streaming, and free all frames of the node that no other node of its
 * cache needs. When no node of a cache streams, none of its frames is kept.
 * Nothing can be filled until streaming starts again. Allowed at any time. */
spn_status spn_node_stop_streaming(spn_runtime *rt, spn_node node);

/* Set the time to show. Starts streaming if it was stopped. If the frame at the
 * new time is in memory or about to be read, playback goes on. Otherwise it is
 * a seek: the group of the frame is read, with the index frame before it. The
 * update after the end of that read shows the frame, if it is decoded by then.
 * Meanwhile the decoded frame that is nearest in time is shown.
 *
 * Scrubbing. If the time jumps on before its last target was shown for as long
 * as it took to show it, only the index frame nearest to the new target is read
 * and decoded. The target itself follows when the time has not jumped for as
 * long as the target before it was wanted, at most a quarter of a second.
 *
 * Times may go forward and backward. After two steps back in a row the stream
 * reads and decodes backward, after two steps forward it turns round again; it
 * reads and decodes further ahead when times advance faster than the clock, up
 * to 8 times as fast. A step of more than half a second changes neither. After
 * spn_node_set_rate direction and rate are known, and are not inferred.
 *
 * time_us  microseconds from the first frame. Without looping it is clamped to
 *          0..duration_us. With looping it is clamped to -2^60..2^60: -1 is the
 *          last microsecond of a loop, and passing the end of a loop is not a
 *          seek. See spn_node_set_range for times in and beyond a range */
spn_status spn_node_set_playback_time(spn_runtime *rt, spn_node node,
                                      int64_t time_us);

/* Say which meshes a node needs, so that the others are not decoded. A cache
 * decodes what some node that streams wants. Parts of small meshes that are
 * decoded together (a tile, listener.h) are decoded if one of them is wanted.
 *
 * A mesh that becomes wanted is decoded from the next frames on that do not
 * refer to frames without it; those within the next 0.1 s are not decoded
 * again unless playback stands still. Until then the mesh is late:
 * spn_node_state.is_ready is 0, its frames count as not decoded, and fills of
 * this mesh return SPN_PENDING, while other meshes go on. When it comes depends
 * on the other nodes of the cache, too, which may still show or need the frames
 * without it; but at the latest with the next index frame that is decoded. If
 * two nodes stand still at the same place, what one of them shows is not
 * decoded again for the other: its mesh is late until one of the two moves.
 *
 * Meshes that are not wanted can be filled only while the cache decodes them
 * for another node; otherwise fills return SPN_PENDING. Meshes that never
 * change can always be filled.
 *
 * words  one bit for each mesh: bit m % 32 of words[m / 32], 1: wanted. Copied
 * count  number of words; meshes behind them are wanted. 0: all meshes are
 *        wanted, as at first; `words` may be NULL then
 *
 * Returns SPN_ERR_ARG if count > SPN_MASK_WORDS_MAX. */
spn_status spn_node_set_mesh_mask(spn_runtime *rt, spn_node node,
                                  const uint32_t *words, uint32_t count);

/* Set how important a node is, when not all nodes can decode all of their
 * frames (spn_shortage). Allowed at any time, with effect from the next
 * spn_update on.
 *
 * importance  any number; nodes with smaller ones lose frames first. Until it
 *             is set: 5 with SPN_PRIORITY_URGENT, 3 with
 *             SPN_PRIORITY_ABOVE_NORMAL (the default), 2, 1 and 0 with the
 *             priorities below. A view may override it (geom_view.h) */
spn_status spn_node_set_importance(spn_runtime *rt, spn_node node,
                                   uint32_t importance);

#endif

/* The highest rate of spn_node_set_rate, in either direction, in thousandths of
 * normal speed. */
#define SPN_RATE_MAX 8000
/* Stands for no time. Only spn_node_set_streaming_time and
 * spn_node_state.streaming_us use it. */
#define SPN_NO_TIME INT64_MIN

#if SPN_WITH_GEOMETRY

/* Say from which time on frames are wanted besides those of playback: a cut
 * that will come, or a start in the future. The node reads and decodes half a
 * second (tuning variable decode_ahead_ms) from there on, in the direction of
 * playback, and keeps it. When the playback time is then set there, its picture
 * can be filled at once (by a node that did not stream yet: after the next
 * spn_update), and the frames behind it are not late. spn_node_state says what
 * is there already.
 *
 * The second position ends when the playback time comes there, or up to half a
 * second behind it; when streaming is stopped; when the node is destroyed; or
 * with SPN_NO_TIME. Another time moves it.
 *
 * It needs what one more node needs: a slot of spn_config.node_count, and its
 * memory (spn_cache_heap_needed); nothing is taken from playback for it. It
 * reads only while its device has no other reads, and never needs a share of a
 * drive (spn_admission): set it early enough.
 *
 * time_us  as in spn_node_set_playback_time, also with respect to a range;
 *          SPN_NO_TIME: end the second position
 *
 * Returns SPN_ERR_TABLE_FULL as spn_node_create does. */
spn_status spn_node_set_streaming_time(spn_runtime *rt, spn_node node,
                                       int64_t time_us);

/* Say how fast the times advance that will be set, and in which direction.
 * Without this call both follow from the times that are set, which takes two
 * steps after a turn. The call changes no time: the engine goes on to set the
 * playback time. Reading and decoding turn round at once. Times may be set
 * against the direction; they are shown as soon as they are decoded. Allowed at
 * any time, also before the cache is open.
 *
 * rate_permille  thousandths of normal speed, -SPN_RATE_MAX..SPN_RATE_MAX,
 *                otherwise SPN_ERR_ARG. Below 0 times decrease. Rates slower
 *                than normal prepare as much as normal speed does. 0: infer
 *                rate and direction again; a pause needs no call */
spn_status spn_node_set_rate(spn_runtime *rt, spn_node node,
                             int32_t rate_permille);

#endif

/* What follows at the ends of a range. */
typedef enum spn_range_mode {
    SPN_ONCE = 0,     /* nothing: times are clamped to the range */
    SPN_LOOP = 1,     /* the other end */
    SPN_PING_PONG = 2 /* the way back */
} spn_range_mode;

#if SPN_WITH_GEOMETRY

/* Play only a part of the clip, and say what follows at its ends. The node
 * decodes nothing outside of the range except the frames to which frames of the
 * range refer, and reads nothing outside of their groups. What follows at an
 * end is read and decoded before playback gets there, so that no picture is
 * late there. A range whose frames fit the heap beside everything else is read
 * and decoded once.
 *
 * The range replaces spn_node_desc.is_looping. Without a call, a node has the
 * range 0..INT64_MAX with SPN_LOOP or SPN_ONCE. The time that was
 * set last is shown again at its place in the new range; what is shown stays
 * visible until that is decoded.
 *
 * A playback time t with first_us <= t < last_us is a time of the clip, in all
 * modes. Let L = last_us - first_us. Beyond the range:
 *
 *   SPN_ONCE       t is clamped to the range
 *   SPN_LOOP       the range repeats every L: t shows first_us +
 *                        (t - first_us) mod L, where `mod` is never negative.
 *                        So last_us shows what first_us shows
 *   SPN_PING_PONG  the range is played to its end and back again, and
 *                        that repeats every 2 L: last_us + d shows last_us - d,
 *                        for d up to L
 *
 * So the engine can let times run on without end in either direction. It can as
 * well keep them within the range, and jump back or turn round itself at the
 * ends: both read and decode the same. Times beyond the range are never an
 * error. All of them are clamped to -2^60..2^60.
 *
 * The picture between two frames is interpolated as elsewhere. A loop goes from
 * the picture at last_us to the one at first_us without interpolation; for a
 * loop without a jump choose two times with equal pictures. Only the range
 * 0..loop_us (spn_cache_info) is different: there the last frame is
 * interpolated with the first one.
 *
 * Allowed at any time, also before the cache is open.
 *
 * first_us, last_us
 *        times in the clip; SPN_ERR_ARG unless 0 <= first_us <= last_us. What
 *        exceeds duration_us is clamped to it, except in the range 0..loop_us.
 *        If both are equal, that time is shown
 * mode   SPN_ERR_ARG if it is not a value of spn_range_mode */
spn_status spn_node_set_range(spn_runtime *rt, spn_node node, int64_t first_us,
                              int64_t last_us, spn_range_mode mode);

#endif

#ifdef __cplusplus
}
#endif
#endif
