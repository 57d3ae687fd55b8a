/* platform_claims.h - claims about the platform table of every system with
 * threads; the test of each system runs them.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_PLATFORM_CLAIMS_H
#define TESTS_SUPPORT_PLATFORM_CLAIMS_H

#include "harness.h"

#define PLATFORM_READ_CLAIMS                                                   \
    TEST(platform_reads_scatter_over_all_extents),                             \
        TEST(platform_reads_end_at_the_end_of_the_file),                       \
        TEST(platform_read_failures_are_io_errors),                            \
        TEST(platform_submit_refuses_what_it_cannot_do)
void platform_reads_scatter_over_all_extents(void);
void platform_reads_end_at_the_end_of_the_file(void);
void platform_read_failures_are_io_errors(void);
void platform_submit_refuses_what_it_cannot_do(void);

#define PLATFORM_CLAIMS                                                        \
    TEST(platform_clock_never_runs_back),                                      \
        TEST(platform_event_keeps_one_signal),                                 \
        TEST(platform_event_wait_lasts_until_it_is_due),                       \
        TEST(platform_threads_hand_work_over_by_events),                       \
        TEST(platform_threads_are_reused_after_a_join),                        \
        TEST(platform_threads_that_run_are_told_apart),                        \
        TEST(platform_threads_have_their_priorities)
void platform_clock_never_runs_back(void);
void platform_event_keeps_one_signal(void);
void platform_event_wait_lasts_until_it_is_due(void);
void platform_threads_hand_work_over_by_events(void);
void platform_threads_are_reused_after_a_join(void);
void platform_threads_that_run_are_told_apart(void);
void platform_threads_have_their_priorities(void);

#endif
