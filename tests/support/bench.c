/* bench.c - time, instruction sets and the line of a benchmark. */
/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "support/bench.h"

#include "base/cpu.h"

#include <stdio.h>
#include <time.h>

double bench_now_us(void)
{
    struct timespec now;

    if (timespec_get(&now, TIME_UTC) == 0)
        return 0;
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

double bench_cpu_us(void)
{
    struct timespec now;

    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) != 0)
        return 0;
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

double bench_best_us(void (*run)(void *user), void *user, int rounds)
{
    const double end = bench_now_us() + 250e3;
    double best = 1e30;

    while (rounds-- > 0 || bench_now_us() < end) {
        const double start = bench_now_us();
        double us;

        run(user);
        us = bench_now_us() - start;
        best = us > 0 && us < best ? us : best;
    }
    return best;
}

void bench_head(void)
{
    printf("name,bytes,us,memcpys,MB/s\n");
}

void bench_line(const char *name, const char *set, size_t bytes, double us,
                double memcpy_us)
{
    printf("%s%s%s,%zu,%.1f,%.2f,%.0f\n", name, set[0] ? "/" : "", set, bytes,
           us, us / memcpy_us, (double)bytes / us);
    fflush(stdout);
}

int bench_sets(struct bench_set out[BENCH_SETS_MAX])
{
    static const struct bench_set all[BENCH_SETS_MAX] = {
        {0, "scalar"},
        {SPN_CPU_SSE41, "sse41"},
        {SPN_CPU_AVX2, "avx2"},
        {SPN_CPU_NEON, "neon"}};
    const uint32_t cpu = spn__cpu_detect();
    int count = 0;

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if ((all[i].cpu & ~cpu) == 0)
            out[count++] = all[i];
    return count;
}
