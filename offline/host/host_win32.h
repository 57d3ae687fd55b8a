/* host_win32.h - what the files of the host module on Windows share. Only for
 * host*_win32.c.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_HOST_HOST_WIN32_H
#define OFFLINE_HOST_HOST_WIN32_H

#include "host/host.h"
#include "platform/win32/win32_path.h"

#include <windows.h>

/* The errno that says the same. */
int host_win32_errno(DWORD error);

/* Fill `path` for a call, or tell why it cannot be: errno, or 0. */
int host_win32_path(struct win32_path *path, const char *utf8);

/* Open whatever lies at a path, folders too, to read it or (`access` 0) to ask
 * about it. INVALID_HANDLE_VALUE: *error is errno. */
HANDLE host_win32_open(const char *path, DWORD access, int *error);

/* A folder, an ordinary file with its bytes, or neither. */
enum host_kind host_win32_kind(HANDLE file, uint64_t *bytes);

#endif
