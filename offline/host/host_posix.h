/* host_posix.h - functions shared by host*_posix.c, and used by them only. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_HOST_HOST_POSIX_H
#define OFFLINE_HOST_HOST_POSIX_H

#include "host/host.h"

#include <sys/stat.h>

/* The kind of a file, and the size of an ordinary file (else 0). */
enum host_kind host_posix_kind(const struct stat *info, uint64_t *bytes);

/* Set the target of an output in an open directory; the last part of the
 * output's path is its name there. The target owns `directory` from here on,
 * after a failure too. Returns 0 or an errno value; ELOOP: the target exists
 * and is no ordinary file, such as a link. */
int host_posix_target_in(struct host_output *output, int directory);

#endif
