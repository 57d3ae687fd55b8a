/* bench.h - time, instruction sets and the line of a benchmark. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_BENCH_H
#define TESTS_SUPPORT_BENCH_H

#include <stddef.h>
#include <stdint.h>

/* Microseconds of a clock; only differences mean anything. */
double bench_now_us(void);

/* The same of the processor time that this program has taken: what waits for
 * others does not count. */
double bench_cpu_us(void);

/* The least time of one call, in microseconds: the machine's interruptions
 * only ever add. Runs at least `rounds` calls and about a quarter second. */
double bench_best_us(void (*run)(void *user), void *user, int rounds);

/* name,bytes,us,memcpys,MB/s; bytes: of the raw quantized frame; memcpys: how
 * often memcpy could have copied these bytes meanwhile. */
void bench_head(void);
void bench_line(const char *name, const char *set, size_t bytes, double us,
                double memcpy_us);

/* The sets of this processor: 0 (scalar) first. Returns how many. */
struct bench_set {
    uint32_t cpu; /* bits for the tables' init */
    const char *name;
};
#define BENCH_SETS_MAX 4
int bench_sets(struct bench_set out[BENCH_SETS_MAX]);

#endif
