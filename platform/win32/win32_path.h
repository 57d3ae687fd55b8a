/* win32_path.h - convert UTF-8 paths to UTF-16 paths of Windows.
 *
 * Not public. Used by the files of this folder and by the tool.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_WIN32_PATH_H
#define SPINDLE_WIN32_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* Most UTF-16 units of a path, with the NUL. The limit of Windows is 32,767. */
#define WIN32_PATH_UNITS 4096u

struct win32_path {
    wchar_t text[WIN32_PATH_UNITS];
    wchar_t scratch[WIN32_PATH_UNITS];
};

/* Set path->text to the UTF-16 path for a UTF-8 path, in a form that all file
 * functions of Windows accept. `/` is a separator, too. Returns false if the
 * path is not UTF-8, empty, or too long. */
bool spn__win32_path_set(struct win32_path *path, const char *utf8);

#endif
