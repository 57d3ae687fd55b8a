/* admission.h - which streams may read from a drive.
 *
 * A stream starts a read every T microseconds; one such read takes the drive t
 * microseconds, positioning included. The stream keeps the drive busy for t / T
 * of its time: this is its *share*. If the sum of the shares of all streams
 * comes near 1, some buffer runs empty in any order of reads. So on a drive
 * whose speed is known, streams are admitted only while the sum of shares is
 * below a limit (tuning variable drive_permille_max). Earlier requests are
 * decided first. A stream that does not fit is refused or degraded, as its
 * node's description says, and is decided again when a share becomes free. An
 * admitted stream stays admitted until it returns its share (drive_share.h).
 *
 * A share is computed once, when the request is decided, and that value is
 * subtracted when it is returned: the sum cannot drift. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_ADMISSION_H
#define SPN_PLAY_ADMISSION_H

#include "play/manager.h"

#include <stdbool.h>

/* Decide all open requests, and again those that were not admitted, if a
 * request, a returned share or a changed limit makes it necessary. */
void spn__admission_update(struct manager *m);

/* A pak was loaded into memory or removed from it, so that the caches in it are
 * on another medium now. Their streams return their share of the old medium and
 * are decided anew, in the order of their requests. Reads under way end on the
 * old medium. A callback of spn__io_follow_paks.
 *
 * manager  a struct manager */
void spn__admission_update_media(void *manager);

/* True if manager.drive_permille has the sums of all granted shares.
 * O(nodes). */
bool spn__admission_check(const struct manager *m);

#endif
