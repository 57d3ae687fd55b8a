/* test_overload.c
 *
 * Goal: when more is requested than the drive can read in time, fewer reads are
 * late under the deadline scheduler than under C-LOOK, and all reads together
 * take no longer; also when thousands of reads wait.
 * Method: generated recordings of a loader that requests a scene's files at
 * once, then further files: small and some large ones, with sizes and classes
 * as in a game, laid out by name, size, class and use, at one, two and four
 * times the rate, on three drives; and thousands of small reads at once.
 * Virtual time.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/open_loop.h"

#include <stdlib.h>

#define FILES 2400u
#define READS 700u
#define KIB 1024u
#define MIB 1048576u
#define SECOND_US 1000000u
#define POINTS 2.0

struct made_file {
    uint32_t number; /* also its name */
    uint32_t bytes;
    enum deadline_class class;
    uint64_t position;
    uint32_t use; /* in order of use; unused files come last */
};

static struct made_file files[FILES];
static struct open_read reads[6000];

/* -- a game -- */

static uint32_t draw_bytes(struct test_random *random,
                           enum deadline_class class)
{
    uint32_t kind = test_random_below(random, 20);

    if (class == DEADLINE_SOUND)
        return 4 * KIB + test_random_below(random, 60 * KIB);
    if (kind < 10)
        return 300 + test_random_below(random, 8 * KIB);
    if (kind < 19)
        return 10 * KIB + test_random_below(random, 150 * KIB);
    return 200 * KIB + test_random_below(random, 1200 * KIB);
}

static void make_files(struct test_random *random)
{
    for (uint32_t i = 0; i < FILES; i++) {
        uint32_t kind = test_random_below(random, 8);

        files[i].number = i;
        files[i].class = kind == 0   ? DEADLINE_SOUND
                         : kind == 1 ? DEADLINE_STREAM
                                     : DEADLINE_BULK;
        files[i].bytes = draw_bytes(random, files[i].class);
        files[i].use = FILES + i;
    }
}

static int by_number(const void *a, const void *b)
{
    const struct made_file *left = a;
    const struct made_file *right = b;

    return left->number < right->number ? -1 : left->number > right->number;
}

static int by_bytes(const void *a, const void *b)
{
    const struct made_file *left = a;
    const struct made_file *right = b;

    if (left->bytes != right->bytes)
        return left->bytes < right->bytes ? -1 : 1;
    return by_number(a, b);
}

static int by_class(const void *a, const void *b)
{
    const struct made_file *left = a;
    const struct made_file *right = b;

    if (left->class != right->class)
        return left->class < right->class ? -1 : 1;
    return by_number(a, b);
}

static int by_use(const void *a, const void *b)
{
    const struct made_file *left = a;
    const struct made_file *right = b;

    return left->use < right->use ? -1 : left->use > right->use;
}

/* Choose the used files and their order. */
static void choose_used(struct test_random *random)
{
    for (uint32_t i = 0; i < READS;) {
        uint32_t n = test_random_below(random, FILES);

        if (files[n].use >= FILES)
            files[n].use = i++;
    }
}

static void lay_out(int (*order)(const void *, const void *))
{
    uint64_t at = 0;

    qsort(files, FILES, sizeof files[0], order);
    for (uint32_t i = 0; i < FILES; i++) {
        files[i].position = at;
        at += (files[i].bytes + 2047) / 2048 * 2048;
    }
}

/* Bursts of a scene, each followed by a second of single reads. */
static void make_reads(uint32_t rate)
{
    static uint64_t at_us[READS];
    uint64_t now_us = 0;

    for (uint32_t i = 0; i < READS; i++) {
        at_us[i] = now_us / rate;
        now_us += i % 200 < 150 ? 300 : i % 200 < 199 ? 40000 : 4 * SECOND_US;
    }
    for (uint32_t i = 0; i < FILES; i++)
        if (files[i].use < READS)
            reads[files[i].use] =
                (struct open_read){.at_us = at_us[files[i].use],
                                   .position = files[i].position,
                                   .bytes = files[i].bytes,
                                   .class = files[i].class};
}

static double late_percent(const spn_drive_profile *drive,
                           enum reference_order order)
{
    return 100.0 * open_loop_run(drive, order, reads, READS).late / READS;
}

static void overload_has_fewer_late_reads_than_c_look(void)
{
    static const char *const drives[] = {"x360_dvd12x", "wii_dvd6x",
                                         "ps2_dvd4x"};
    static const struct {
        const char *name;
        int (*order)(const void *, const void *);
    } layouts[] = {{"name", by_number},
                   {"size", by_bytes},
                   {"class", by_class},
                   {"use", by_use}};
    struct test_random random = {11};
    double sum = 0;
    double sum_c_look = 0;

    make_files(&random);
    choose_used(&random);
    for (uint32_t d = 0; d < 3; d++)
        for (uint32_t l = 0; l < 4; l++)
            for (uint32_t rate = 1; rate <= 4; rate *= 2) {
                const spn_drive_profile *drive =
                    spn_drive_profile_find(drives[d]);
                double late;
                double c_look;

                lay_out(layouts[l].order);
                make_reads(rate);
                late = late_percent(drive, REFERENCE_DEADLINE);
                c_look = late_percent(drive, REFERENCE_C_LOOK);
                test_context("%s, by %s, rate %u: %.1f %%, c-look %.1f %%",
                             drives[d], layouts[l].name, rate, late, c_look);
                CHECK(late <= c_look + POINTS);
                sum += late;
                sum_c_look += c_look;
            }
    test_context("mean %.1f %%, c-look %.1f %%", sum / 36, sum_c_look / 36);
    CHECK(sum <= sum_c_look * 0.7);
}

/* 4,000 reads at once and 2,000 in the next four seconds, all over a folder. */
static void overload_of_thousands_takes_no_longer_than_c_look(void)
{
    const spn_drive_profile *drive = spn_drive_profile_find("x360_dvd12x");
    struct test_random random = {3};
    struct open_result deadline;
    struct open_result c_look;

    for (uint32_t i = 0; i < 6000; i++)
        reads[i] = (struct open_read){
            .at_us = i < 4000 ? 0 : (i - 4000) * UINT64_C(2000),
            .position = test_random_below(&random, 100 * MIB),
            .bytes = 1 + test_random_below(&random, 4 * KIB),
            .class = DEADLINE_BULK};
    deadline = open_loop_run(drive, REFERENCE_DEADLINE, reads, 6000);
    c_look = open_loop_run(drive, REFERENCE_C_LOOK, reads, 6000);
    test_context("%.1f s, %u late; c-look %.1f s, %u late",
                 (double)deadline.end_us / 1e6, deadline.late,
                 (double)c_look.end_us / 1e6, c_look.late);
    CHECK((double)deadline.end_us <= (double)c_look.end_us * 1.05);
    CHECK(deadline.late <= c_look.late);
}

TEST_MAIN(TEST(overload_has_fewer_late_reads_than_c_look),
          TEST(overload_of_thousands_takes_no_longer_than_c_look))
