/* library.h - load a shared library of the system while the tool runs.
 *
 * The viewer finds SDL2 in this way, so that the other verbs start without it.
 * library_posix.c or library_win32.c implements it. Any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMMON_LIBRARY_H
#define OFFLINE_COMMON_LIBRARY_H

#include <stdbool.h>

/* Load a library by its file name, from where the system looks for libraries.
 * It stays loaded until the process ends. Returns NULL when there is none. */
void *library_open(const char *name);

/* Find a function of a library, and store its address in `function`, which
 * points to a pointer to a function. Returns false when there is none. */
bool library_find(void *library, const char *name, void *function);

#endif
