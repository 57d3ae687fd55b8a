/* harness.h - the test harness: runs a list of claims, one function each.
 *
 *   static void queue_keeps_order(void) { CHECK_EQ(a, b); ... }
 *   TEST_MAIN(TEST(queue_keeps_order), TEST(queue_refuses_when_full))
 *
 * A failed check prints both values and ends its claim; the next claim then
 * runs. Outside of claims (in a fuzz target) a failed check aborts the program.
 *
 * The last line of every program is "PROGRAM: N passed, M failed, K skipped".
 * Exit codes: 0 passed, 1 at least one claim failed, 77 all claims skipped.
 * Command-line arguments name the claims to run; without arguments all run.
 *
 * Environment variables:
 *
 *   TEST_LEAVE_OUT   claims to skip, as " test_word_queue.c:queue_keeps_order "
 *   TEST_LIST        print the claims in this form and run none
 *   TEST_ONE_THREAD  fail when the program has created a second thread, where
 *                    the C library reports this
 *
 * The harness needs only fprintf and setjmp from the machine.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_HARNESS_H
#define TESTS_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 1 when the program is built with the thread or the address sanitizer. */
#if defined(__SANITIZE_THREAD__)
#define TEST_HAS_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TEST_HAS_TSAN 1
#endif
#endif
#ifndef TEST_HAS_TSAN
#define TEST_HAS_TSAN 0
#endif
#if defined(__SANITIZE_ADDRESS__)
#define TEST_HAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TEST_HAS_ASAN 1
#endif
#endif
#ifndef TEST_HAS_ASAN
#define TEST_HAS_ASAN 0
#endif
#define TEST_IS_SANITIZED (TEST_HAS_ASAN || TEST_HAS_TSAN)

struct test_case {
    const char *name;
    void (*run)(void);
};

#define TEST(claim)                                                            \
    {                                                                          \
#claim, claim                                                          \
    }
#define TEST_MAIN(...)                                                         \
    int main(int argc, char **argv)                                            \
    {                                                                          \
        static const struct test_case cases[] = {__VA_ARGS__};                 \
        return test_run(argc, argv, __FILE__, cases,                           \
                        sizeof cases / sizeof cases[0]);                       \
    }

int test_run(int argc, char **argv, const char *file,
             const struct test_case *cases, size_t case_count);

/* End the running claim as failed. Never returns. */
_Noreturn void test_fail(const char *file, int line, const char *format, ...);
/* End the running claim as skipped and print the reason. Never returns. */
_Noreturn void test_skip(const char *reason);
/* Set a text that is printed if the running claim fails later, for example
 * "file x, frame 3". Arguments as for printf. Each call replaces the text of
 * the one before. The start of a claim clears it. */
void test_context(const char *format, ...);

void test_eq_i(const char *file, int line, const char *a_text,
               const char *b_text, long long a, long long b);
void test_eq_u(const char *file, int line, const char *a_text,
               const char *b_text, unsigned long long a, unsigned long long b);
void test_eq_str(const char *file, int line, const char *a_text,
                 const char *b_text, const char *a, const char *b);
void test_eq_mem(const char *file, int line, const char *a_text,
                 const char *b_text, const void *a, const void *b,
                 size_t bytes);
void test_near(const char *file, int line, const char *a_text,
               const char *b_text, double a, double b, double tolerance);

#define CHECK(x)                                                               \
    do {                                                                       \
        if (!(x))                                                              \
            test_fail(__FILE__, __LINE__, "not true: %s", #x);                 \
    } while (0)
#define CHECK_EQ(a, b)                                                         \
    test_eq_i(__FILE__, __LINE__, #a, #b, (long long)(a), (long long)(b))
#define CHECK_EQ_U(a, b)                                                       \
    test_eq_u(__FILE__, __LINE__, #a, #b, (unsigned long long)(a),             \
              (unsigned long long)(b))
#define CHECK_STR(a, b) test_eq_str(__FILE__, __LINE__, #a, #b, (a), (b))
#define CHECK_MEM(a, b, bytes)                                                 \
    test_eq_mem(__FILE__, __LINE__, #a, #b, (a), (b), (size_t)(bytes))
#define CHECK_NEAR(a, b, tolerance)                                            \
    test_near(__FILE__, __LINE__, #a, #b, (a), (b), (tolerance))

/* The pseudo-random generator of all tests: splitmix64. Seed it with a constant
 * and print the seed through test_context. */
struct test_random {
    uint64_t state;
};
uint64_t test_random_u64(struct test_random *random);
/* Uniform in [0, limit); limit > 0. */
uint32_t test_random_below(struct test_random *random, uint32_t limit);

/* The folder of large assets: the environment's SPINDLE_ASSETS, else
 * ../shared/assets. NULL when it does not exist; skip the claim then. */
const char *test_assets(void);
/* The folder of committed test data: the environment's SPINDLE_TEST_DATA, else
 * tests/data. */
const char *test_data(void);
/* A folder for temporary files of this process; removed at exit. */
const char *test_temp(void);

#endif
