/* bench.h - time, instruction sets and the line of a benchmark. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_BENCH_H
#define TESTS_SUPPORT_BENCH_H

#include <stddef.h>
#include <stdint.h>

/* Microseconds of a clock. Only differences have a meaning. */
double bench_now_us(void);

/* Microseconds of processor time of this program, so waiting does not count. */
double bench_cpu_us(void);

/* The least time of one call in microseconds, because interruptions only add
 * time. Makes at least `rounds` calls, for at least about a quarter second. */
double bench_best_us(void (*run)(void *user), void *user, int rounds);

/* Print the header and a line: name,bytes,us,memcpys,MB/s. `bytes` is the size
 * of the raw quantized frame; `memcpys` is the time in units of a memcpy of
 * these bytes. */
void bench_head(void);
void bench_line(const char *name, const char *set, size_t bytes, double us,
                double memcpy_us);

/* List the instruction sets of this processor, 0 (scalar) first. Returns their
 * number. */
struct bench_set {
    uint32_t cpu; /* bits for the init function of kernel tables */
    const char *name;
};
#define BENCH_SETS_MAX 4
int bench_sets(struct bench_set out[BENCH_SETS_MAX]);

#endif
