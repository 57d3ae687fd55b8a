/* device_timeout.h - devices that do not answer, and discs that are not there.
 *
 * The state of a medium is computed from the time that the device has had its
 * command, and from the disc's state that the platform reports. The caller's
 * thread computes it for statistics, also while the io thread is inside a long
 * read; the io thread computes it in each step, for the listener. After
 * spn_medium_config.timeout_us all reads that wait for the device end. The
 * command itself is cancelled, and belongs to the device until it comes back.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_DEVICE_TIMEOUT_H
#define SPN_READ_DEVICE_TIMEOUT_H

#include <spindle/medium.h>
#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

struct io;

/* State of a medium.
 *
 * unanswered_us  time that the device has had its command; 0: it has none
 *
 * Any thread. */
spn_medium_state spn__io_medium_state(const struct io *io, spn_medium medium,
                                      uint64_t unanswered_us);

/* Return whether the device of a medium has timed out, so that the reads that
 * wait for it have to end. io thread, in each step.
 *
 * due_us  reduced to the time at which the result may change
 * worked  set to true if the command was cancelled now */
bool spn__device_timeout(struct io *io, spn_medium medium, uint64_t now_us,
                         uint64_t *due_us, bool *worked);

#endif
