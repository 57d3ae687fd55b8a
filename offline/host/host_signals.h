/* host_signals.h - temporary files that a signal removes. Only for
 * host*_posix.c.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_HOST_HOST_SIGNALS_H
#define OFFLINE_HOST_HOST_SIGNALS_H

#include "host/host.h"

/* Add a temporary file to the list, and remove it from the list. `path` must
 * not change or move in between; host_signals_forget accepts NULL. Any thread.
 */
void host_signals_watch(const char *path);
void host_signals_forget(const char *path);

#endif
