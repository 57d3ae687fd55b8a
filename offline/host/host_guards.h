/* host_guards.h - find the mapped file that contains an address.
 *
 * A signal handler uses it when an access to a map fails, to name the file in
 * its message. The table has a fixed size; files beyond it are not named. Any
 * thread; host_guards_find may be called in a signal handler.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_HOST_HOST_GUARDS_H
#define OFFLINE_HOST_HOST_GUARDS_H

#include "host/host.h"

/* Add a map; `path` must stay valid until host_guards_remove. */
void host_guards_add(const struct host_map *map, const char *path);
void host_guards_remove(const struct host_map *map);

/* Find the path of the file and the offset in it that `address` belongs to.
 * Returns NULL when no map of the table contains it. */
const char *host_guards_find(const void *address, uint64_t *offset);

#endif
