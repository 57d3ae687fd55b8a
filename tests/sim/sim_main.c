/* sim_main.c - make sim: many seeds on all cores, or one seed with its trace.
 *
 *   SEEDS=n   number of seeds, from FIRST (1) on; planted bugs run first
 *   SEED=x    only this seed; every event is printed
 *   STEPS=n   steps of each seed with faults
 *   JOBS=n    processes; default: all cores
 *   HASHES=n  print the hashes of n seeds from FIRST on, and nothing else
 *   COMMIT=x  name of the sources, printed for whoever repeats a failed seed
 *
 * Each process runs every JOBS-th seed and reports sums in shared memory. When
 * a process dies, the sums name the seed that it was running.
 */
/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#include "harness.h"
#include "sim/sim.h"
#include "sim/sim_canaries.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SEEDS 10000u
#define STEPS 3000u
#define CANARY_STEPS 1200u
#define JOBS_MAX 64u
#define SEED_SECONDS 60
/* Least number of occurrences of each fault in a run of SEEDS. */
#define HITS_MIN 1000u
#define US_PER_HOUR 3600e6

/* Results of one process, in shared memory. */
struct sums {
    uint64_t seed; /* the running seed */
    uint64_t done;
    uint64_t failed;
    uint64_t virtual_us;
    uint64_t reads;
    uint64_t frames;
    uint64_t hits[SWARM_KINDS];
    bool is_over;
};

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);

    return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

static void print_failure(const struct sim_options *options,
                          const struct sim_result *result)
{
    const char *commit = getenv("COMMIT");

    sim_log_print(&result->log, stdout);
    printf("FAILED: seed %" PRIu64 ", step %" PRIu64 " of %" PRIu64
           " under faults: %s: %s\n"
           "again: make sim SEED=%" PRIu64 " STEPS=%" PRIu64 ", commit %s\n",
           options->seed, result->step, options->steps,
           sim_check_name(result->failed), result->why, options->seed,
           options->steps, commit && *commit ? commit : "not known");
    fflush(stdout);
}

/* -- one seed -- */

static void sim_replays_one_seed(void)
{
    static struct sim_result result;
    struct sim_options options = {.seed = setting("SEED", 1),
                                  .steps = setting("STEPS", STEPS),
                                  .trace = stdout};

    sim_run_once(&options, &result);
    if (result.failed == SIM_FINE) {
        options.trace = NULL;
        sim_run(&options, &result);
    }
    printf("seed %" PRIu64 ": %" PRIu64 " steps, %.1f virtual seconds, %" PRIu64
           " reads, hash %016" PRIx64 "\n",
           options.seed, result.step, (double)result.virtual_us * 1e-6,
           result.reads, result.hash);
    for (uint32_t i = 0; i < SWARM_KINDS; i++)
        if (result.hits[i] > 0)
            printf("  %-16s %u\n", swarm_name((enum swarm_kind)i),
                   result.hits[i]);
    if (result.failed != SIM_FINE)
        print_failure(&options, &result);
    CHECK_EQ(result.failed, SIM_FINE);
}

/* -- many -- */

static void add_result(struct sums *sums, const struct sim_result *result)
{
    sums->done++;
    sums->virtual_us += result->virtual_us;
    sums->reads += result->reads;
    sums->frames += result->frames;
    for (uint32_t k = 0; k < SWARM_KINDS; k++)
        sums->hits[k] += result->hits[k];
}

static void work(struct sums *sums, uint64_t first, uint64_t count,
                 uint32_t step)
{
    static struct sim_result result;
    /* Processor time. A seed that takes longer hangs, and its process is
     * killed. */
    const struct itimerval time_limit = {.it_value.tv_sec = SEED_SECONDS};

    for (uint64_t i = 0; i < count; i += step) {
        const struct sim_options options = {.seed = first + i,
                                            .steps = setting("STEPS", STEPS)};

        sums->seed = options.seed;
        setitimer(ITIMER_PROF, &time_limit, NULL);
        sim_run(&options, &result);
        add_result(sums, &result);
        if (result.failed != SIM_FINE) {
            sums->failed++;
            print_failure(&options, &result);
        }
    }
    sums->is_over = true;
}

/* Add up the sums of all processes in the first. Returns the number of seeds
 * that failed or died. */
static uint64_t run_all(struct sums *sums, uint32_t jobs, uint64_t first,
                        uint64_t seeds)
{
    uint64_t failed = 0;

    fflush(stdout);
    for (uint32_t j = 0; j < jobs; j++)
        if (fork() == 0) {
            if (j < seeds)
                work(&sums[j], first + j, seeds - j, jobs);
            sums[j].is_over = true;
            _exit(0);
        }
    while (wait(NULL) > 0) {
    }
    for (uint32_t j = 0; j < jobs; j++) {
        failed += sums[j].failed;
        if (!sums[j].is_over) {
            printf("FAILED: seed %" PRIu64 " died or hung\n", sums[j].seed);
            failed++;
        }
        if (j == 0)
            continue;
        sums[0].done += sums[j].done;
        sums[0].virtual_us += sums[j].virtual_us;
        sums[0].reads += sums[j].reads;
        sums[0].frames += sums[j].frames;
        for (uint32_t k = 0; k < SWARM_KINDS; k++)
            sums[0].hits[k] += sums[j].hits[k];
    }
    return failed;
}

static void report(const struct sums *sums, uint64_t failed, double seconds)
{
    printf("%-16s %12s\n", "fault", "took effect");
    for (uint32_t k = 0; k < SWARM_KINDS; k++)
        printf("%-16s %12" PRIu64 "\n", swarm_name((enum swarm_kind)k),
               sums->hits[k]);
    printf("%" PRIu64 " seeds, each twice, %" PRIu64 " failed; %.1f virtual "
           "hours in %.0f s; %" PRIu64 " reads ended, %" PRIu64
           " pictures compared\n",
           sums->done, failed, (double)sums->virtual_us / US_PER_HOUR, seconds,
           sums->reads, sums->frames);
}

static void sim_keeps_every_guarantee(void)
{
    uint64_t seeds = setting("SEEDS", SEEDS);
    uint64_t first = setting("FIRST", 1);
    uint64_t cores = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t jobs = (uint32_t)setting("JOBS", cores < 1 ? 1 : cores);
    struct timespec begin;
    struct timespec end;
    struct sums *sums;
    uint64_t failed;

    if (jobs > JOBS_MAX)
        jobs = JOBS_MAX;
    (void)made_disc();
    sums = mmap(NULL, jobs * sizeof *sums, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(sums != MAP_FAILED);
    printf("seeds from %" PRIu64 " on: FIRST=%" PRIu64 "\n", first, first);
    fflush(stdout);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    failed = run_all(sums, jobs, first, seeds);
    clock_gettime(CLOCK_MONOTONIC, &end);
    report(sums, failed, (double)(end.tv_sec - begin.tv_sec));
    CHECK_EQ_U(failed, 0);
    for (uint32_t k = 0; seeds >= SEEDS && k < SWARM_KINDS; k++)
        if (sums->hits[k] < HITS_MIN)
            test_fail(__FILE__, __LINE__,
                      "%s took effect only %" PRIu64 " times",
                      swarm_name((enum swarm_kind)k), sums->hits[k]);
}

static void sim_finds_every_planted_bug(void)
{
    static struct sim_result result;

    for (enum sim_canary c = CANARY_NONE + 1; c < CANARIES; c++) {
        bool is_found = sim_canary_is_found(c, CANARY_STEPS, &result);

        printf("planted: %-14s found by: %s\n", sim_canary_name(c),
               sim_check_name(result.failed));
        CHECK(is_found);
    }
}

/* -- hashes -- */

/* One line for each seed: the same on every machine. */
static int print_hashes(uint64_t seeds)
{
    static struct sim_result result;
    const uint64_t first = setting("FIRST", 1);
    int failed = 0;

    for (uint64_t i = 0; i < seeds; i++) {
        const struct sim_options options = {.seed = first + i,
                                            .steps = setting("STEPS", STEPS)};

        sim_run_once(&options, &result);
        if (result.failed != SIM_FINE) {
            print_failure(&options, &result);
            failed = 1;
        }
        printf("seed %" PRIu64 ": %" PRIu64 " steps, %" PRIu64
               " reads, hash %016" PRIx64 "\n",
               options.seed, result.step, result.reads, result.hash);
    }
    return failed;
}

int main(int argc, char **argv)
{
    static const struct test_case one[] = {TEST(sim_replays_one_seed)};
    static const struct test_case many[] = {TEST(sim_finds_every_planted_bug),
                                            TEST(sim_keeps_every_guarantee)};

    if (setting("HASHES", 0) > 0)
        return print_hashes(setting("HASHES", 0));
    if (setting("SEED", 0) > 0)
        return test_run(argc, argv, __FILE__, one, 1);
    return test_run(argc, argv, __FILE__, many, 2);
}
