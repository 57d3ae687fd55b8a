/* sim_log.c - a ring of events, and a hash that is equal on all machines. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_log.h"

#include <inttypes.h>
#include <string.h>

void sim_log_init(struct sim_log *log, FILE *echo)
{
    memset(log, 0, sizeof *log);
    log->echo = echo;
}

void sim_log_mix(struct sim_log *log, uint64_t value)
{
    log->hash = (log->hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    log->hash ^= log->hash >> 29;
}

static void print_event(const struct sim_log_event *event, FILE *to)
{
    fprintf(to,
            "%8" PRIu64 " %12" PRIu64 " us  %-22s %" PRIu64 " %" PRIu64
            " %" PRId64 "\n",
            event->step, event->time_us, event->what, event->a, event->b,
            event->c);
}

void sim_log_add(struct sim_log *log, uint64_t time_us, const char *what,
                 uint64_t a, uint64_t b, int64_t c)
{
    struct sim_log_event *event = &log->events[log->count++ % SIM_LOG_EVENTS];

    *event = (struct sim_log_event){time_us, log->step, what, a, b, c};
    sim_log_mix(log, time_us);
    for (; *what; what++)
        sim_log_mix(log, (uint8_t)*what);
    sim_log_mix(log, a);
    sim_log_mix(log, b);
    sim_log_mix(log, (uint64_t)c);
    if (log->echo)
        print_event(event, log->echo);
}

void sim_log_print(const struct sim_log *log, FILE *to)
{
    uint64_t count = log->count < SIM_LOG_EVENTS ? log->count : SIM_LOG_EVENTS;

    for (uint64_t i = log->count - count; i < log->count; i++)
        print_event(&log->events[i % SIM_LOG_EVENTS], to);
}
