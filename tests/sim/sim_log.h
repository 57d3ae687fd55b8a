/* sim_log.h - a hash of all events, and the last events as text. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_LOG_H
#define TESTS_SIM_LOG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define SIM_LOG_EVENTS 50u

struct sim_log_event {
    uint64_t time_us;
    uint64_t step;
    const char *what; /* static string */
    uint64_t a;
    uint64_t b;
    int64_t c;
};

struct sim_log {
    struct sim_log_event events[SIM_LOG_EVENTS];
    uint64_t count;
    uint64_t hash;
    uint64_t step; /* step of the scheduler, set by its loop */
    FILE *echo;    /* target of each event; NULL: none */
};

void sim_log_init(struct sim_log *log, FILE *echo);
/* `what` is a static string. */
void sim_log_add(struct sim_log *log, uint64_t time_us, const char *what,
                 uint64_t a, uint64_t b, int64_t c);
/* Add to the hash only. */
void sim_log_mix(struct sim_log *log, uint64_t value);
void sim_log_print(const struct sim_log *log, FILE *to);

#endif
