/* host_signals.h - what signals must clean up. Only for host*_posix.c.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_HOST_HOST_SIGNALS_H
#define OFFLINE_HOST_HOST_SIGNALS_H

#include "host/host.h"

/* A temporary file that a signal removes. `path` stays where it is until it is
 * forgotten; NULL is legal there. Any thread. */
void host_signals_watch(const char *path);
void host_signals_forget(const char *path);

#endif
