/* event_log.h - a listener that writes down what it is told, and checks it.
 *
 * Any number of threads may tell at a time: each takes the next line. What is
 * told of one read is told in order, so its lines are, too.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_EVENT_LOG_H
#define TESTS_EVENT_LOG_H

#include "base/atomic.h"

#include <spindle/listener.h>
#include <stdbool.h>
#include <stdint.h>

#define EVENT_LOG_MAX 65536u
/* Of paths that are kept. */
#define EVENT_LOG_PATH_BYTES 16u

struct event_log {
    spn_listener listener; /* give this to the config */
    struct atomic_u32 count;
    spn_event events[EVENT_LOG_MAX];
    char paths[EVENT_LOG_MAX][EVENT_LOG_PATH_BYTES];
};

void event_log_init(struct event_log *log);
/* What is not true of the log, and of which line (the count of lines: of all
 * together); NULL: every event is where spindle/listener.h says that it may be,
 * every read that was told of is completed, and none was too many to keep. */
const char *event_log_fault(const struct event_log *log, uint32_t *line);
/* Ends the claim as failed where there is such a fault. */
void event_log_judge(const struct event_log *log);

uint32_t event_log_count(const struct event_log *log, spn_event_kind kind);
/* The n-th (0-based) event of a kind. */
const spn_event *event_log_at(const struct event_log *log, spn_event_kind kind,
                              uint32_t n);
/* All events in order, one letter each: q queued, [ ] the device, p preempted,
 * x aborted, { } decompression, s a d and S A D a callback's begin and end,
 * . completed, ! an invalid wait, m a
 * medium's state. */
const char *event_log_letters(const struct event_log *log);
/* Of all fields of all events but pointers. */
uint64_t event_log_hash(const struct event_log *log);

#endif
