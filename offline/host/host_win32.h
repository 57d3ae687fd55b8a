/* host_win32.h - functions that host*_win32.c share, and only they use.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_HOST_HOST_WIN32_H
#define OFFLINE_HOST_HOST_WIN32_H

#include "host/host.h"
#include "platform/win32/win32_path.h"

#include <windows.h>

/* Convert an error code of Windows to an errno value. */
int host_win32_errno(DWORD error);

/* Convert a UTF-8 path for a call of Windows. Returns 0 or an errno value. */
int host_win32_path(struct win32_path *path, const char *utf8);

/* Open what is at a path, folders too, to read it; with `access` 0, to query
 * its attributes. On failure returns INVALID_HANDLE_VALUE and sets *error to an
 * errno value. */
HANDLE host_win32_open(const char *path, DWORD access, int *error);

/* The kind of an open file, and the size of an ordinary file (else 0). */
enum host_kind host_win32_kind(HANDLE file, uint64_t *bytes);

#endif
