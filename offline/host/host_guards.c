/* host_guards.c - a table of mapped files, in lock-free atomics.
 *
 * A signal handler may interrupt any function here, so nothing is locked.
 */
/* SPDX-License-Identifier: MIT */
#include "host/host_guards.h"

#include <stdatomic.h>

/* An entry is in use while `data` is set; it is set last and cleared first. */
static struct guard {
    _Atomic(const uint8_t *) data;
    _Atomic(const char *) path;
    _Atomic uint64_t bytes;
    atomic_flag is_taken;
} guards[16];

#define GUARD_COUNT (sizeof guards / sizeof guards[0])

void host_guards_add(const struct host_map *map, const char *path)
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

void host_guards_remove(const struct host_map *map)
{
    for (size_t i = 0; map->data && i < GUARD_COUNT; i++) {
        if (atomic_load(&guards[i].data) != map->data)
            continue;
        atomic_store(&guards[i].data, NULL);
        atomic_flag_clear(&guards[i].is_taken);
        return;
    }
}

const char *host_guards_find(const void *address, uint64_t *offset)
{
    for (size_t i = 0; i < GUARD_COUNT; i++) {
        const uint8_t *data = atomic_load(&guards[i].data);

        *offset = (uintptr_t)address - (uintptr_t)data;
        if (data && *offset < atomic_load(&guards[i].bytes))
            return atomic_load(&guards[i].path);
    }
    return NULL;
}
