/* drive_share.h - the parts of a drive's time that cursors hold.
 *
 * A cursor's share is the part of the time that its reads keep the drive busy,
 * in thousandths. It requests one when it begins, is granted one by
 * admission.c, and returns it when it stops or has read all of a clip that does
 * not loop. The sums of granted shares are in manager.drive_permille. Caller's
 * thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_DRIVE_SHARE_H
#define SPN_PLAY_DRIVE_SHARE_H

#include "play/cursor.h"

#include <stdbool.h>
#include <stdint.h>

/* Ask for a share. No effect on a stream whose request was decided. */
void spn__drive_share_request(struct cursor *s);
/* Everything has been read: return the share, if it is not 0. */
void spn__drive_share_finish(struct cursor *s);
/* Return the share. The stream is undecided then, until it requests again. */
void spn__drive_share_release(struct cursor *s);
/* Sum of the shares granted on a medium, in thousandths. */
uint32_t spn__drive_share_permille(const struct manager *m, spn_medium medium);

#endif
