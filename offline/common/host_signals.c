/* host_signals.c - how the tool ends when the system says so.
 *
 * Handlers may interrupt anything: they look at lock-free atomics alone, and
 * call what POSIX lets them call. With more files open than the tables hold,
 * the rest is not removed, or not named.
 */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "common/host_signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static _Atomic(const char *) temporaries[8];

#define TEMPORARY_COUNT (sizeof temporaries / sizeof temporaries[0])

/* `data` is set last and cleared first. */
static struct guard {
    _Atomic(const uint8_t *) data;
    _Atomic(const char *) path;
    _Atomic uint64_t bytes;
    atomic_flag is_taken;
} guards[16];

#define GUARD_COUNT (sizeof guards / sizeof guards[0])

/* ---- what there is ------------------------------------------------------- */

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

void host_signals_guard(const struct host_map *map, const char *path)
{
    for (size_t i = 0; i < GUARD_COUNT; i++) {
        struct guard *guard = &guards[i];

        if (atomic_flag_test_and_set(&guard->is_taken))
            continue;
        atomic_store(&guard->path, path);
        atomic_store(&guard->bytes, map->bytes);
        atomic_store(&guard->data, map->data);
        return;
    }
}

void host_signals_unguard(const struct host_map *map)
{
    for (size_t i = 0; map->data && i < GUARD_COUNT; i++) {
        if (atomic_load(&guards[i].data) != map->data)
            continue;
        atomic_store(&guards[i].data, NULL);
        atomic_flag_clear(&guards[i].is_taken);
        return;
    }
}

/* ---- the handlers -------------------------------------------------------- */

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

/* The file that `address` was mapped from; NULL: none. */
static const char *find_guarded(const void *address, uint64_t *offset)
{
    for (size_t i = 0; i < GUARD_COUNT; i++) {
        const uint8_t *data = atomic_load(&guards[i].data);

        *offset = (uintptr_t)address - (uintptr_t)data;
        if (data && *offset < atomic_load(&guards[i].bytes))
            return atomic_load(&guards[i].path);
    }
    return NULL;
}

static void name_lost_bytes(int number, siginfo_t *info, void *context)
{
    uint64_t offset;
    const char *path = find_guarded(info->si_addr, &offset);

    (void)context;
    remove_temporaries();
    if (!path) {
        /* A fault of the program: returning runs into it again. */
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

    /* What the parent ignores (nohup) stays ignored. */
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
    /* Then the write fails, and says so. */
    signal(SIGXFSZ, SIG_IGN);
}
