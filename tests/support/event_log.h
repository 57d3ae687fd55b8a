/* event_log.h - a listener that records its events and checks their order.
 *
 * Any number of threads may call the listener at a time: each call takes the
 * next line. The events of one read come in order, so its lines are in order.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_EVENT_LOG_H
#define TESTS_EVENT_LOG_H

#include "base/atomic.h"

#include <spindle/listener.h>
#include <stdbool.h>
#include <stdint.h>

#define EVENT_LOG_MAX 65536u
/* Bytes kept of a path. */
#define EVENT_LOG_PATH_BYTES 16u

struct event_log {
    spn_listener listener; /* put it into the config */
    struct atomic_u32 count;
    spn_event events[EVENT_LOG_MAX];
    char paths[EVENT_LOG_MAX][EVENT_LOG_PATH_BYTES];
};

void event_log_init(struct event_log *log);
/* The first rule that the log breaks, with its line (the number of lines when
 * the rule concerns all together). NULL: every event is where
 * spindle/listener.h allows it, every read completed, and all lines were
 * kept. */
const char *event_log_fault(const struct event_log *log, uint32_t *line);
/* End the claim as failed when event_log_fault finds a broken rule. */
void event_log_check(const struct event_log *log);

uint32_t event_log_count(const struct event_log *log, spn_event_kind kind);
/* The n-th event of a kind, from 0. */
const spn_event *event_log_at(const struct event_log *log, spn_event_kind kind,
                              uint32_t n);
/* All events in order, one letter each: q queued, [ ] the device, p preempted,
 * x aborted, { } decompression, s a d and S A D a callback's begin and end,
 * . completed, ! an invalid wait, m a
 * medium's state. */
const char *event_log_letters(const struct event_log *log);
/* A hash of all fields of all events except pointers. */
uint64_t event_log_hash(const struct event_log *log);

#endif
