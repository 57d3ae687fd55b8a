/* host_system.h - what each system does for the host modules that all share.
 * Only for host*.c.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMMON_HOST_SYSTEM_H
#define OFFLINE_COMMON_HOST_SYSTEM_H

#include "common/host.h"

/* Call `take` for each name in a folder but "." and "..", in any order. False
 * when it cannot be read. */
bool host_system_list(const char *folder,
                      void (*take)(void *user, const char *name), void *user,
                      struct diag *diag);

/* The kind and bytes of what lies at `path`; a link counts as what it points
 * to, but HOST_OTHER for folders. */
bool host_system_judge(const char *path, struct host_found *found,
                       struct diag *diag);

/* Make a folder: errno, or 0 also when it is there. */
int host_system_make_folder(const char *path);

/* Does this byte part the names of a path? */
bool host_system_is_separator(char byte);

/* ---- mapped files that may lose their bytes: any thread ------------------ */

/* `path` is kept until the map is let go. With more than the table holds, the
 * rest is not named. */
void host_guards_add(const struct host_map *map, const char *path);
void host_guards_remove(const struct host_map *map);

/* The file that `address` was mapped from, and where in it; NULL: none. May
 * interrupt anything. */
const char *host_guards_find(const void *address, uint64_t *offset);

#endif
