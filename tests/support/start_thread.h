/* start_thread.h - start a thread of a platform's table for a test. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_START_THREAD_H
#define TESTS_SUPPORT_START_THREAD_H

#include <spindle/platform.h>

/* Run run(argument) as a worker thread. Its handle is stored in `thread`. */
static inline spn_status start_thread(const spn_platform *p, const char *name,
                                      spn_thread_fn run, void *argument,
                                      uint64_t *thread)
{
    const spn_thread_desc desc = {.name = name,
                                  .run = run,
                                  .argument = argument,
                                  .stack_bytes = 65536,
                                  .role = SPN_THREAD_WORKER,
                                  .priority = SPN_THREAD_NORMAL};

    return p->thread_start(p->user, &desc, thread);
}

#endif
