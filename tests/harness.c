/* harness.c - runs claims, counts their results, prints values that differ.
 *
 * Claims run one at a time. A failed check leaves its claim by longjmp, so a
 * failed claim leaks its memory. The process ends soon after.
 */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "harness.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define HAS_HAD_ONE_THREAD __libc_single_threaded
#else
#define HAS_HAD_ONE_THREAD 1
#endif

enum outcome { PASSED = 0, FAILED = 1, SKIPPED = 2 };

static jmp_buf leave_claim;
static bool is_in_claim;
static char context[512];
static char temp_folder[256];

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void test_fail(const char *file, int line, const char *format, ...)
{
    va_list arguments;

    printf("  %s:%d: ", base_name(file), line);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    if (context[0])
        printf("  in: %s\n", context);
    if (!is_in_claim) {
        fflush(stdout);
        abort();
    }
    longjmp(leave_claim, FAILED);
}

void test_skip(const char *reason)
{
    printf("  skipped: %s\n", reason);
    longjmp(leave_claim, SKIPPED);
}

void test_context(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(context, sizeof context, format, arguments);
    va_end(arguments);
}

static bool is_wanted(const char *name, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return true;
    return argc < 2;
}

/* Whether TEST_LEAVE_OUT contains " NAME.c:CLAIM ". Runs on slow machines skip
 * expensive claims by it. */
static bool is_left_out(const char *file, const char *claim)
{
    const char *list = getenv("TEST_LEAVE_OUT");
    char word[256];

    snprintf(word, sizeof word, " %s:%s ", file, claim);
    return list && strstr(list, word);
}

/* A separate function, so that longjmp cannot clobber a variable of the
 * loop. */
static enum outcome run_case(const struct test_case *test, const char *file)
{
    switch (setjmp(leave_claim)) {
    case PASSED:
        if (is_left_out(file, test->name))
            test_skip("left out");
        test->run();
        return PASSED;
    case SKIPPED:
        printf("  skipped: %s\n", test->name);
        return SKIPPED;
    default:
        printf("  FAILED: %s\n", test->name);
        return FAILED;
    }
}

int test_run(int argc, char **argv, const char *file,
             const struct test_case *cases, size_t case_count)
{
    const bool is_listing = getenv("TEST_LIST") != NULL;
    unsigned counts[3] = {0, 0, 0};

    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t i = 0; i < case_count; i++) {
        if (!is_wanted(cases[i].name, argc, argv))
            continue;
        if (is_listing) {
            printf("%s:%s\n", base_name(file), cases[i].name);
            continue;
        }
        context[0] = 0;
        is_in_claim = true;
        counts[run_case(&cases[i], base_name(file))]++;
        is_in_claim = false;
    }
    if (is_listing)
        return 0;
    /* tests/run.sh trusts a test that declares "One thread.", so verify it
     * here. */
    if (getenv("TEST_ONE_THREAD") && !HAS_HAD_ONE_THREAD) {
        printf("  FAILED: declares \"One thread.\" but created another\n");
        counts[FAILED]++;
    }
    printf("%s: %u passed, %u failed, %u skipped\n", base_name(file),
           counts[PASSED], counts[FAILED], counts[SKIPPED]);
    if (counts[FAILED])
        return 1;
    return counts[SKIPPED] && !counts[PASSED] ? 77 : 0;
}

void test_eq_i(const char *file, int line, const char *a_text,
               const char *b_text, long long a, long long b)
{
    if (a != b)
        test_fail(file, line, "%s is %lld, %s is %lld", a_text, a, b_text, b);
}

void test_eq_u(const char *file, int line, const char *a_text,
               const char *b_text, unsigned long long a, unsigned long long b)
{
    if (a != b)
        test_fail(file, line, "%s is %llu (0x%llx), %s is %llu (0x%llx)",
                  a_text, a, a, b_text, b, b);
}

void test_eq_str(const char *file, int line, const char *a_text,
                 const char *b_text, const char *a, const char *b)
{
    if (strcmp(a, b) != 0)
        test_fail(file, line, "%s is \"%s\", %s is \"%s\"", a_text, a, b_text,
                  b);
}

void test_eq_mem(const char *file, int line, const char *a_text,
                 const char *b_text, const void *a, const void *b, size_t bytes)
{
    const uint8_t *left = a;
    const uint8_t *right = b;

    for (size_t i = 0; i < bytes; i++)
        if (left[i] != right[i])
            test_fail(file, line, "%s and %s differ at byte %zu: %02x, %02x",
                      a_text, b_text, i, left[i], right[i]);
}

void test_near(const char *file, int line, const char *a_text,
               const char *b_text, double a, double b, double tolerance)
{
    double difference = a > b ? a - b : b - a;

    if (!(difference <= tolerance))
        test_fail(file, line, "%s is %.17g, %s is %.17g, more than %g apart",
                  a_text, a, b_text, b, tolerance);
}

uint64_t test_random_u64(struct test_random *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint32_t test_random_below(struct test_random *random, uint32_t limit)
{
    return (uint32_t)(((test_random_u64(random) >> 32) * limit) >> 32);
}

const char *test_assets(void)
{
    const char *folder = getenv("SPINDLE_ASSETS");
    struct stat info;

    if (!folder)
        folder = "../shared/assets";
    return stat(folder, &info) == 0 ? folder : NULL;
}

const char *test_data(void)
{
    const char *folder = getenv("SPINDLE_TEST_DATA");
    return folder ? folder : "tests/data";
}

static int remove_one(const char *path, const struct stat *info, int kind,
                      struct FTW *place)
{
    (void)info;
    (void)kind;
    (void)place;
    return remove(path);
}

static void remove_temp(void)
{
    nftw(temp_folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *test_temp(void)
{
    const char *parent = getenv("TMPDIR");

    if (!temp_folder[0]) {
        snprintf(temp_folder, sizeof temp_folder, "%s/spindle-test-XXXXXX",
                 parent ? parent : "/tmp");
        if (!mkdtemp(temp_folder)) {
            perror("mkdtemp");
            exit(1);
        }
        atexit(remove_temp);
    }
    return temp_folder;
}
