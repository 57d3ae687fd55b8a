/* library_win32.c - shared libraries on Windows. */
/* SPDX-License-Identifier: MIT */
#include "common/library.h"

#include <string.h>
#include <windows.h>

void *library_open(const char *name)
{
    return LoadLibraryA(name);
}

bool library_find(void *library, const char *name, void *function)
{
    FARPROC address = GetProcAddress(library, name);

    memcpy(function, &address, sizeof address);
    return address != NULL;
}
