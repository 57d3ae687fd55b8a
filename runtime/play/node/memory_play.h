/* memory_play.h - which caches play from memory.
 *
 * A cache that plays from memory reads and decodes each frame once; from then
 * on nodes only fill vertices. This is wanted for a cache that was compiled
 * with --play-from-memory, and for one whose frames, decoded, are within the
 * tuning variable memory_play_kib. At each update this module chooses those of
 * them for which there is memory. All others stream.
 *
 * Terms
 *
 *   lasting  a decoded frame of a cache that plays from memory (kept.h)
 *   clip     pages of all frames of such a cache, decoded
 *   ahead    pages of the compressed bytes that playing cursors want ahead
 *            (buffer_ahead_min_ms, and one read of request_kib), beyond what
 *            they were promised for reads
 *
 * The rules
 *
 * - Frames lie where all decoded frames lie: in the heap, in the slots of their
 *   cache. Cursors decode them when playback comes to them, as always.
 * - They take memory that is promised to nobody (promise.h). Caches play from
 *   memory only as long as
 *
 *       static + reserved + promised + margin
 *           + sum over them of (clip - what its own cursors were promised for
 *             frames)  <=  pages of the heap
 *
 *   and likewise promised and that sum are within stream_memory_kib. The
 *   margin, 1/33 of the heap, is for fragmentation. A cache that is not marked,
 *   or that nobody plays, must also leave room for `ahead`. Promises and static
 *   data never wait for lasting frames: if they grow, a cache streams from the
 *   same update on, and its frames are like any other kept memory.
 * - An allocation beyond a promise frees no lasting frame. An allocation within
 *   a promise, or of static data, may free them, after all other memory that is
 *   not held. While the rule above is true this happens only when jobs and
 *   reads beyond promises have not ended yet, or by fragmentation.
 * - If there is not memory for all, this is the order: caches that are played
 *   before others, marked ones before small ones, and those that play from
 *   memory already before those that do not. So two caches of which only one
 *   fits do not take turns.
 * - Frames stay when the last node stops, also for a cache that nobody plays.
 *   They are freed when the cache closes, is unloaded (geom_view.h), or is not
 *   chosen any more.
 * - A frame that is damaged is not tried again in a new loop, as it is in a
 *   stream, but only by a cursor that begins, jumps or turns (cursor_lost.h).
 * - The governor needs no rule: a cursor that lacks nothing needs no decoding.
 * - spn_cache_heap_needed counts the clip of a marked cache, so that it always
 *   plays from memory in a heap of that size. Small caches use what is left.
 *
 * Changes of memory_play_kib and of stream_memory_kib have their effect at the
 * next update. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_NODE_MEMORY_PLAY_H
#define SPN_PLAY_NODE_MEMORY_PLAY_H

#include "play/manager.h"

#include <stdbool.h>

/* Choose the caches. All promises of this update have been chosen. */
void spn__memory_play_update(struct manager *m);

/* True if exactly the frames of the chosen caches are lasting. O(frames). */
bool spn__memory_play_check(const struct manager *m);

#endif
