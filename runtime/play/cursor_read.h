/* cursor_read.h - a cursor starts its reads.
 *
 * A read is due when less than buffer_ahead_min_ms (a tuning variable) of the
 * clip is in memory or on its way, ahead of the playback time. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_CURSOR_READ_H
#define SPN_PLAY_CURSOR_READ_H

#include "play/cursor.h"

#include <stdbool.h>

/* Start one read, if one is due and there is memory for it. True if started. */
bool spn__cursor_read(struct cursor *s);
/* Request a share of the drive if something is missing, and return it if all of
 * a clip that does not loop was read. */
void spn__cursor_update_share(struct cursor *s);

#endif
