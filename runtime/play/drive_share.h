/* drive_share.h - the parts of a drive's time that streams hold.
 *
 * A stream's share is the part of the time that its reads keep the drive busy,
 * in thousandths. It requests one when it begins, is granted one by
 * admission.c, and returns it when it stops or has read all of a clip that does
 * not loop. The sums of granted shares are in manager.drive_permille. Caller's
 * thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_DRIVE_SHARE_H
#define SPN_PLAY_DRIVE_SHARE_H

#include "play/stream.h"

#include <stdbool.h>
#include <stdint.h>

/* Request a share. No effect if a request of the stream was decided and its
 * share was not released since then. */
void spn__drive_share_request(struct stream *s);
/* Return the share, if it is not 0, because all of the clip was read. */
void spn__drive_share_finish(struct stream *s);
/* Return the share. Admission ignores the stream until it requests a share
 * again. */
void spn__drive_share_release(struct stream *s);
/* True if manager.drive_permille has the sums of all granted shares.
 * O(nodes). */
bool spn__drive_share_check(const struct manager *m);
/* Sum of the shares granted on a medium, in thousandths. */
uint32_t spn__drive_share_permille(const struct manager *m, spn_medium medium);

#endif
