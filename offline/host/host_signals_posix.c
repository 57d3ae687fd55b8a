/* host_signals_posix.c - signal handlers on POSIX systems.
 *
 * A handler may interrupt any code: it reads lock-free atomics, and calls
 * functions that POSIX allows in handlers. The table of temporaries has a fixed
 * size; temporaries beyond it are not removed.
 */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "host/host_guards.h"
#include "host/host_signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static _Atomic(const char *) temporaries[8];

#define TEMPORARY_COUNT (sizeof temporaries / sizeof temporaries[0])

/* -- temporaries -- */

void host_signals_watch(const char *path)
{
    for (size_t i = 0; i < TEMPORARY_COUNT; i++) {
        const char *none = NULL;

        if (atomic_compare_exchange_strong(&temporaries[i], &none, path))
            return;
    }
}

void host_signals_forget(const char *path)
{
    for (size_t i = 0; path && i < TEMPORARY_COUNT; i++) {
        const char *mine = path;

        atomic_compare_exchange_strong(&temporaries[i], &mine, NULL);
    }
}

/* -- handlers -- */

static void remove_temporaries(void)
{
    for (size_t i = 0; i < TEMPORARY_COUNT; i++) {
        const char *path = atomic_load(&temporaries[i]);

        if (path)
            unlink(path);
    }
}

static void clean_and_leave(int number)
{
    remove_temporaries();
    _exit(128 + number);
}

static void say(const char *text)
{
    size_t bytes = strlen(text);

    while (bytes > 0) {
        ssize_t count = write(STDERR_FILENO, text, bytes);

        if (count <= 0)
            return;
        text += count;
        bytes -= (size_t)count;
    }
}

static void say_hex(uint64_t value)
{
    char digits[17];
    size_t at = sizeof digits - 1;

    digits[at] = 0;
    do {
        digits[--at] = "0123456789abcdef"[value & 15];
        value >>= 4;
    } while (value != 0);
    say(digits + at);
}

static void name_lost_bytes(int number, siginfo_t *info, void *context)
{
    uint64_t offset;
    const char *path = host_guards_find(info->si_addr, &offset);

    (void)context;
    remove_temporaries();
    if (!path) {
        /* An error of the program: the default handler ends it after the
         * return. */
        signal(number, SIG_DFL);
        return;
    }
    say("spindle: ");
    say(path);
    say(": offset 0x");
    say_hex(offset);
    say(": cannot read: the file became shorter, or its medium failed\n");
    _exit(EXIT_IO_FAILED);
}

static void handle(int number, const struct sigaction *action)
{
    struct sigaction before;

    /* Signals that the parent ignores (nohup) remain ignored. */
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(number, action, NULL);
}

void host_clean_on_signals(void)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction end = {.sa_handler = clean_and_leave};
    struct sigaction lost = {.sa_sigaction = name_lost_bytes,
                             .sa_flags = SA_SIGINFO};

    sigfillset(&end.sa_mask);
    sigfillset(&lost.sa_mask);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        handle(ends[i], &end);
    handle(SIGBUS, &lost);
    /* Ignored, a write beyond the limit returns an error. */
    signal(SIGXFSZ, SIG_IGN);
}
