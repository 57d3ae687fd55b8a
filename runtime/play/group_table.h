/* group_table.h - which groups of a cache have their compressed bytes in
 * memory.
 *
 * A *group* is a run of frames that is stored together. Its last stored frame
 * can be the *anchor* of the next group: the index frame to which frames of
 * that group refer. Seen from its own group it is the *border*. The border
 * belongs to two groups, and playback needs it at both ends, so the table keeps
 * two reads for each group: the one that has its border, and the one that has
 * the other frames, its *body*. A seek reads the anchor and the group with one
 * read; backward playback reads a group without the border that it has already.
 *
 *     file:  | body of group 3 | border of 3 | body of group 4 | border of 4 |
 *                                = anchor of 4                   = anchor of 5
 *
 * A group whose border nobody refers to has no border: all of it is body.
 *
 * The slots lie in heap chunks of the cache, beside its group table. Owner: the
 * caller's thread.
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

/* Parts of a group that must be read, so that frames of it can be decoded. */
#define GROUP_ANCHOR 1u /* the border of the group before */
#define GROUP_BODY 2u
#define GROUP_BORDER 4u

/* Which parts are missing: frames of it are EMPTY, and no read has them.
 *
 * first, limit  numbers of the frames that are wanted: first <= n < limit; the
 *               frames of the group that lie outside do not count
 *
 * Returns 0 if no wanted frame is EMPTY, or all bytes are there or on their
 * way. A group of one frame, which is its border, lacks border and body.
 * *is_wanted: whether a wanted frame is EMPTY. */
uint32_t spn__group_table_missing(const struct cache *c, uint32_t group,
                                  uint32_t first, uint32_t limit,
                                  bool *is_wanted);
/* The reads of all parts of a group: its body, border and anchor. Each read
 * occurs once; the other entries are NULL. */
void spn__group_table_reads(const struct cache *c, uint32_t group,
                            struct group_read *out[3]);

/* Enter a read that was started, for the bytes [offset, offset + bytes) of the
 * file, in all slots whose part it covers and that have no read.
 * Sets first_group and last_group of the read. */
void spn__group_table_enter(struct group_read *r, uint32_t first_group,
                            uint32_t last_group);
/* Remove a read from all slots. */
void spn__group_table_leave(const struct group_read *r);

/* True if slots and reads agree. */
bool spn__group_table_check(const struct cache *c);

#endif
