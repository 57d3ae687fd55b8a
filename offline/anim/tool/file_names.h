/* file_names.h - names of files for clips. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_TOOL_FILE_NAMES_H
#define OFFLINE_ANIM_TOOL_FILE_NAMES_H

#include "common/arena.h"

#include <stdbool.h>

/* The name of a path's file without its folder and its end. */
char *file_stem(struct arena *arena, const char *path);

/* Turn a clip's name into the name of a file that every system allows and that
 * has no folder: other bytes become '_'. Without `end`. At most 200 bytes. */
char *file_safe_name(struct arena *arena, const char *name);

/* Does the name end with `end`, and have more than that? */
bool file_name_has_end(const char *name, const char *end);

/* Compare names as strcmp, but without regard to the case of ASCII letters:
 * some systems take such names for the same file. */
int file_name_compare(const char *a, const char *b);

#endif
