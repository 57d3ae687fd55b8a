/* host_signals.h - what signals must clean up. Only for host*_posix.c.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_OFFLINE_HOST_SIGNALS_H
#define SPN_OFFLINE_HOST_SIGNALS_H

#include "common/host.h"

/* A temporary file that a signal removes. `path` stays where it is until it is
 * forgotten; NULL is legal there. Any thread. */
void host_signals_watch(const char *path);
void host_signals_forget(const char *path);

#endif
