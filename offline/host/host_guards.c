/* host_guards.c - which file an address was mapped from.
 *
 * Asked by whoever catches a look at bytes that are gone, which may interrupt
 * anything: so it is a table of lock-free atomics.
 */
/* SPDX-License-Identifier: MIT */
#include "host/host_system.h"

#include <stdatomic.h>

/* `data` is set last and cleared first. */
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
