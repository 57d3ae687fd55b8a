/* library_posix.c - shared libraries on POSIX systems. */
/* SPDX-License-Identifier: MIT */
#include "common/library.h"

#include <dlfcn.h>
#include <string.h>

void *library_open(const char *name)
{
    return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

bool library_find(void *library, const char *name, void *function)
{
    void *address = dlsym(library, name);

    memcpy(function, &address, sizeof address);
    return address != NULL;
}
