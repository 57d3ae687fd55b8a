/* check_times.h - compares the times of frames with the times of samples.
 *
 * A step of a comparison (check.h), after check_pair. The cache must have a
 * frame at the time of each sample of an animated property, and the archive
 * such a sample at the time of each frame.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_CHECK_TIMES_H
#define OFFLINE_VERIFY_CHECK_TIMES_H

#include <stdbool.h>

struct check;

/* Add to missing_frames, surplus_frames and time of the report. */
bool check_times(struct check *check);

#endif
