/* win32_path.h - paths as Windows wants them.
 *
 * Not public: for this folder, and for the tool's files.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_WIN32_PATH_H
#define SPINDLE_WIN32_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* UTF-16 units, with the NUL. Windows has paths of up to 32,767. */
#define WIN32_PATH_UNITS 4096u

struct win32_path {
    wchar_t text[WIN32_PATH_UNITS];
    wchar_t scratch[WIN32_PATH_UNITS];
};

/* The absolute UTF-16 path of a UTF-8 path, fit for every call that takes a
 * file's name; `/` separates, too. False when it is not UTF-8, empty, or too
 * long. */
bool spn__win32_path_set(struct win32_path *path, const char *utf8);

#endif
