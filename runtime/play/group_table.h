/* group_table.h - which groups of a cache have their compressed bytes in
 * memory.
 *
 * A *group* is a sequence of frames that is stored together. Its last stored
 * frame can be the *anchor* of the next group: the index frame to which frames
 * of that group refer. Seen from its own group it is the *border*. The border
 * belongs to two groups, and playback needs it at both ends, so the table keeps
 * two reads for each group: the one that has its border, and the one that has
 * the other frames, its *body*. A seek reads the anchor and the group with one
 * read; backward playback reads a group without the border that it has already.
 *
 *     file:  | body of group 3 | border of 3 | body of group 4 | border of 4 |
 *                                = anchor of 4                   = anchor of 5
 *
 * A group whose last frame is not an anchor has no border: all of it is body.
 *
 * The table has a struct group_slot (cache.h) for each group. Its fields
 * body_read and border_read name the two reads (group_read.h); 0: no read.
 * Several groups can name the same read. The slots lie in chunks of the cache
 * (cache.h), in the heap. Owner: the caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_GROUP_TABLE_H
#define SPN_PLAY_GROUP_TABLE_H

#include "play/cache.h"
#include "play/group_read.h"

#include <stdbool.h>
#include <stdint.h>

/* Number of the border frame; CACHE_NONE: the group has none. */
uint32_t spn__group_border(const struct cache *c, uint32_t group);

/* The read that has a frame's compressed bytes, or will have; NULL: none. */
struct group_read *spn__group_table_read(const struct cache *c,
                                         uint32_t number);
/* True if the frame's compressed bytes are in memory. */
bool spn__group_table_has(const struct cache *c, uint32_t number);
/* True if those of all frames of a group are. */
bool spn__group_table_has_all(const struct cache *c, uint32_t group);

/* Parts of a group that must be read, so that frames of it can be decoded. */
#define GROUP_ANCHOR 1u /* the border of the group before */
#define GROUP_BODY 2u
#define GROUP_BORDER 4u

/* Which parts of a group are missing: they are needed to decode a wanted frame
 * that lacks its bytes, and no read has them. A frame lacks its bytes if it is
 * EMPTY (frame_slot.h), or RUNNING and launched early (launch.h): then they are
 * on their way, and the read that brings them is still needed. Returns GROUP_*
 * bits; 0: all needed bytes are in memory or on their way.
 *
 * cut           how many frames are left out (level.h); 0: none. They do not
 *               count as wanted
 * first, limit  numbers of the frames that are wanted: first <= n < limit; the
 *               frames of the group that lie outside do not count
 *
 * is_wanted     set to whether a wanted frame lacks its bytes
 *
 * If the only frame of a group is its border, the body is empty. If this border
 * is missing, the result is GROUP_BODY | GROUP_BORDER, although no byte of the
 * body is missing: spn__cursor_range (cursor_range.h) reads several groups with
 * one read only if GROUP_BODY is missing of the first one. */
uint32_t spn__group_table_missing(const struct cache *c, uint32_t group,
                                  uint32_t cut, uint32_t first, uint32_t limit,
                                  bool *is_wanted);
/* The reads of all parts of a group: its body, its border, and its anchor if
 * that lacks its bytes. Each read occurs once; the other entries are NULL. */
void spn__group_table_reads(const struct cache *c, uint32_t group,
                            struct group_read *out[3]);

/* Enter a read that was started: it becomes the read of each body and each
 * border that has no read and lies within its bytes, which are those of the
 * file from group_read.offset on, group_read.bytes of them.
 *
 * first_group  first and last group of which it has bytes; they are copied to
 * last_group   the read
 */
void spn__group_table_enter(struct group_read *r, uint32_t first_group,
                            uint32_t last_group);
/* Remove a read from the slots of its groups. */
void spn__group_table_leave(const struct group_read *r);

/* True if each slot names reads of this cache that have bytes of its group. */
bool spn__group_table_check(const struct cache *c);

#endif
