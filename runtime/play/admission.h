/* admission.h - how busy the streams may keep a drive.
 *
 * A stream whose reads bring C bytes each, one in T, with transfer and way of
 * t, keeps a drive busy for t / T of its time. Where those of all streams come
 * near the whole of it, no order of reads can save them: each one's buffer runs
 * dry in turn. So on a drive that is known streams are admitted as long as
 * their shares stay below a limit (the knob drive_permille_max), first come
 * first served; one that comes later is refused or degraded, as its node says,
 * and gets its turn when there is room. One that was admitted stays so until it
 * stops, or has read all of a clip that does not loop. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_ADMISSION_H
#define SPN_PLAY_ADMISSION_H

#include "play/stream.h"

#include <stdint.h>

/* Judge those that are not admitted, if anything has changed for them. */
void spn__admission_update(struct manager *m);
/* A stream wants to read, and has no share yet. */
void spn__admission_ask(struct stream *s);
/* All of it is read: what it was given is free, until it asks again. */
void spn__admission_finish(struct stream *s);
/* A stream stops: its share is free. */
void spn__admission_release(struct stream *s);
/* Of all streams on the medium that are admitted, thousandths. */
uint32_t spn__admission_permille(const struct manager *m, spn_medium medium);

#endif
