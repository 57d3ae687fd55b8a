/* host_posix.h - what the files of the host module on POSIX systems share. Only
 * for host*_posix.c.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_HOST_HOST_POSIX_H
#define OFFLINE_HOST_HOST_POSIX_H

#include "host/host.h"

#include <sys/stat.h>

/* A folder, an ordinary file with its bytes, or neither. */
enum host_kind host_posix_kind(const struct stat *info, uint64_t *bytes);

/* The place of an output whose path ends with its name in an open directory,
 * which the place owns from here on, also after a failure. Links are not
 * followed: ELOOP for one, and for what is no ordinary file. errno, or 0. */
int host_posix_place_in(struct host_output *output, int directory);

#endif
