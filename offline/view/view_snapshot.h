/* view_snapshot.h - the overlay's part about the runtime: a snapshot
 * (spindle/debug.h) as bars and texts.
 *
 *   heap    from the first page to the last, by use; the owner of what is
 *           under the mouse
 *   drive   the disc from its first byte to its last, with the head
 *   nodes   the clip from its first frame to its last: what is read, decoded,
 *           wanted and shown
 *   clips   what of the clips that play is in memory (view_clip_rows.h)
 *   reads   those under way, with the tuning variable debug_reads
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VIEW_VIEW_SNAPSHOT_H
#define OFFLINE_VIEW_VIEW_SNAPSHOT_H

#include "view/overlay_pen.h"
#include "view/view_overlay.h"

/* Write all parts; facts->debug is not NULL. */
void view_snapshot_write(struct overlay_pen *pen,
                         const struct view_facts *facts,
                         const struct view_controls *controls);

/* Say whose the memory at a share of the heap, 0..1, is; "": outside of the
 * heap. */
void view_snapshot_owner(const struct view_facts *facts, double share,
                         char *text, size_t capacity);

#endif
