/* device_timeout.h - devices that do not answer, and discs that are not there.
 *
 * The state of a medium follows from how long its piece has been at the device
 * and from what the platform says about the disc. The caller's thread computes
 * it when it is asked, even while the io thread is stuck inside a read; the io
 * thread computes it at each step, to notify the listener. After
 * spn_medium_config.timeout_us all reads that wait for the device end. What is
 * at the device belongs to it until it comes back: the device is asked to end
 * it early.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_DEVICE_TIMEOUT_H
#define SPN_READ_DEVICE_TIMEOUT_H

#include <spindle/medium.h>
#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

struct io;

/* The state of a medium whose device has not answered for `unanswered_us`; 0:
 * nothing is at it. Any thread. */
spn_medium_state spn__io_medium_state(const struct io *io, spn_medium medium,
                                      uint64_t unanswered_us);

/* Has the device of a medium not answered in time? Then the reads that wait for
 * it shall end. *due_us becomes earlier where the answer may change; *worked:
 * the device was asked to end early. io thread, each step. */
bool spn__device_timeout(struct io *io, spn_medium medium, uint64_t now_us,
                         uint64_t *due_us, bool *worked);

#endif
