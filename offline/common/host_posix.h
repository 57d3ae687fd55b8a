/* host_posix.h - what the files of the host module on POSIX systems share. Only
 * for host*_posix.c.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMMON_HOST_POSIX_H
#define OFFLINE_COMMON_HOST_POSIX_H

#include "common/host.h"

#include <sys/stat.h>

/* A folder, an ordinary file with its bytes, or neither. */
enum host_kind host_posix_kind(const struct stat *info, uint64_t *bytes);

#endif
