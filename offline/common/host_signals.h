/* host_signals.h - what signals may find and must clean up. Only for host*.c.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_OFFLINE_HOST_SIGNALS_H
#define SPN_OFFLINE_HOST_SIGNALS_H

#include "common/host.h"

/* A temporary file that a signal removes. `path` stays where it is until it is
 * forgotten; NULL is legal there. Any thread. */
void host_signals_watch(const char *path);
void host_signals_forget(const char *path);

/* A mapped file: a look at bytes that the file has no more names it. Any
 * thread. */
void host_signals_guard(const struct host_map *map, const char *path);
void host_signals_unguard(const struct host_map *map);

#endif
