/* posix_threads.c - threads and auto-reset events from fixed tables.
 *
 * An event is a flag with a mutex and a condition variable on the monotonic
 * clock, so that changes of the wall clock do not move time-outs. A handle is
 * an index of a table + 1; 0 is no thread or event. The caller's thread starts
 * and joins threads, and creates and destroys events. Any thread signals and
 * waits.
 */
/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* pthread_setname_np on Linux */
#define _DEFAULT_SOURCE
#define _DARWIN_C_SOURCE
#include "posix_state.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* Bytes that are added to the stack size that the runtime requests, for the
 * system's part of a stack: thread-local storage, signal frames, frames of
 * sanitizers. Unused pages cost only address space. */
#define STACK_BYTES_EXTRA (256u * 1024u)
#define STACK_ALIGN (64u * 1024u)

/* The longest wait. Longer ones return spuriously after this time, because
 * absolute times far in the future overflow time_t on some systems. */
#define WAIT_US_MAX (3600u * UINT64_C(1000000))

/* Steps of nice between two priorities. A new thread inherits the nice value of
 * the starting thread. */
#define NICE_STEP 5

/* Set the priority of the calling thread. On Linux each thread has its own nice
 * value, and 0 means the calling thread. On other systems the value is that of
 * the process, and nothing is done. Lower values need a privilege; without it
 * the priority is not changed. */
static void set_priority(spn_thread_priority priority)
{
#if defined(__linux__)
    int nice;

    if (priority == SPN_THREAD_NORMAL)
        return;
    nice = getpriority(PRIO_PROCESS, 0);
    (void)setpriority(PRIO_PROCESS, 0,
                      priority == SPN_THREAD_HIGH ? nice - NICE_STEP
                                                  : nice + NICE_STEP);
#else
    (void)priority;
#endif
}

static void *thread_main(void *argument)
{
    struct posix_thread *thread = argument;

    set_priority(thread->priority);
    thread->run(thread->argument);
    return NULL;
}

static void set_name(pthread_t thread, const char *name)
{
#if defined(__linux__)
    char cut[16]; /* the limit of the kernel, with the NUL */
    size_t len = strlen(name);

    if (len > sizeof cut - 1)
        len = sizeof cut - 1;
    memcpy(cut, name, len);
    cut[len] = 0;
    pthread_setname_np(thread, cut);
#else
    (void)thread; /* the calls of other systems are not supported */
    (void)name;
#endif
}

/* Start a thread that receives no signals, because signal handlers of the
 * application must not run on its small stack. */
static int create_quiet(struct posix_thread *thread, pthread_attr_t *attributes)
{
    sigset_t all;
    sigset_t before;
    int error;

    sigfillset(&all);
    error = pthread_sigmask(SIG_SETMASK, &all, &before);
    if (error != 0)
        return error;
    error = pthread_create(&thread->thread, attributes, thread_main, thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

static spn_status thread_start(void *user, const spn_thread_desc *desc,
                               uint64_t *thread)
{
    struct spn_platform_posix *posix = user;
    pthread_attr_t attributes;
    size_t stack = (size_t)desc->stack_bytes + STACK_BYTES_EXTRA;
    uint32_t i = 0;
    int error;

    while (i < POSIX_THREADS_MAX && posix->threads[i].is_used)
        i++;
    if (i == POSIX_THREADS_MAX)
        return SPN_ERR_TABLE_FULL;
    stack = (stack + STACK_ALIGN - 1) & ~(size_t)(STACK_ALIGN - 1);
    posix->threads[i].run = desc->run;
    posix->threads[i].argument = desc->argument;
    posix->threads[i].priority = desc->priority;
    if (pthread_attr_init(&attributes) != 0)
        return SPN_ERR_PLATFORM;
    error = pthread_attr_setstacksize(&attributes, stack);
    if (error == 0)
        error = create_quiet(&posix->threads[i], &attributes);
    pthread_attr_destroy(&attributes);
    if (error != 0)
        return SPN_ERR_PLATFORM;
    set_name(posix->threads[i].thread, desc->name);
    posix->threads[i].is_used = true;
    *thread = i + 1;
    return SPN_OK;
}

static void thread_join(void *user, uint64_t thread)
{
    struct spn_platform_posix *posix = user;
    struct posix_thread *slot = &posix->threads[thread - 1];

    pthread_join(slot->thread, NULL);
    slot->is_used = false;
}

static int init_condition(pthread_cond_t *condition)
{
#if defined(__APPLE__)
    return pthread_cond_init(condition, NULL); /* macOS waits are relative */
#else
    pthread_condattr_t attributes;
    int error = pthread_condattr_init(&attributes);

    if (error != 0)
        return error;
    error = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    if (error == 0)
        error = pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
    return error;
#endif
}

static spn_status event_create(void *user, spn_event_use use, uint64_t *event)
{
    struct spn_platform_posix *posix = user;
    struct posix_event *slot;
    uint32_t i = 0;

    while (i < POSIX_EVENTS_MAX && posix->events[i].is_used)
        i++;
    if (i == POSIX_EVENTS_MAX)
        return SPN_ERR_TABLE_FULL;
    slot = &posix->events[i];
    if (pthread_mutex_init(&slot->mutex, NULL) != 0)
        return SPN_ERR_PLATFORM;
    if (init_condition(&slot->changed) != 0) {
        pthread_mutex_destroy(&slot->mutex);
        return SPN_ERR_PLATFORM;
    }
    slot->is_signalled = false;
    slot->is_used = true;
    *event = i + 1;
    if (use == SPN_EVENT_FOR_IO)
        posix->io_event = *event;
    return SPN_OK;
}

static void event_destroy(void *user, uint64_t event)
{
    struct spn_platform_posix *posix = user;
    struct posix_event *slot = &posix->events[event - 1];

    pthread_cond_destroy(&slot->changed);
    pthread_mutex_destroy(&slot->mutex);
    slot->is_used = false;
    if (posix->io_event == event)
        posix->io_event = 0;
}

static void event_signal(void *user, uint64_t event)
{
    struct spn_platform_posix *posix = user;
    struct posix_event *slot = &posix->events[event - 1];

    pthread_mutex_lock(&slot->mutex);
    slot->is_signalled = true;
    pthread_cond_signal(&slot->changed);
    pthread_mutex_unlock(&slot->mutex);
}

/* Wait once under the mutex. Returns 0 if the wait ended before its time-out.
 */
static int wait_for_us(struct posix_event *event, uint64_t now_us,
                       uint64_t wait_us)
{
    struct timespec until;

#if defined(__APPLE__)
    (void)now_us;
    until.tv_sec = (time_t)(wait_us / 1000000u);
    until.tv_nsec = (long)(wait_us % 1000000u) * 1000;
    return pthread_cond_timedwait_relative_np(&event->changed, &event->mutex,
                                              &until);
#else
    uint64_t until_us = now_us + wait_us;

    until.tv_sec = (time_t)(until_us / 1000000u);
    until.tv_nsec = (long)(until_us % 1000000u) * 1000;
    return pthread_cond_timedwait(&event->changed, &event->mutex, &until);
#endif
}

static void event_wait(void *user, uint64_t event, uint64_t due_us)
{
    struct spn_platform_posix *posix = user;
    struct posix_event *slot = &posix->events[event - 1];

    pthread_mutex_lock(&slot->mutex);
    while (!slot->is_signalled) {
        uint64_t now_us;
        uint64_t wait_us;

        if (due_us == UINT64_MAX) {
            pthread_cond_wait(&slot->changed, &slot->mutex);
            continue;
        }
        now_us = spn__posix_now_us(user);
        if (now_us >= due_us)
            break;
        wait_us = due_us - now_us < WAIT_US_MAX ? due_us - now_us : WAIT_US_MAX;
        if (wait_for_us(slot, now_us, wait_us) != 0)
            break;
    }
    slot->is_signalled = false;
    pthread_mutex_unlock(&slot->mutex);
}

/* The number of the calling thread. pthread_t is an integer or a pointer, and
 * is not 0 for a running thread. */
static uint64_t thread_current(void *user)
{
    (void)user;
    return (uint64_t)(uintptr_t)pthread_self();
}

void spn__posix_threads_fill(spn_platform *table)
{
    table->thread_current = thread_current;
    table->thread_start = thread_start;
    table->thread_join = thread_join;
    table->event_create = event_create;
    table->event_destroy = event_destroy;
    table->event_signal = event_signal;
    table->event_wait = event_wait;
}
