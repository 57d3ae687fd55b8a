/* clip_lists.h - databases that a text file lists.
 *
 *   # comment
 *   weapons.sad
 *   hero/reload.sac
 *   hero/shoot*.sac
 *
 * A line that ends with .sad begins a database. Each line after it has a clip
 * of it: its name, which is matched as paths of a trace are
 * (common/path_match.h), or a pattern, in which * stands for any bytes and ?
 * for one. Lines before the first database belong to one that is named after
 * the list. Clips lie in the order of the lines, those of a pattern in that of
 * their names. The first line that names a clip counts. Empty lines, and spaces
 * and tabs around a line, are ignored.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_TOOL_CLIP_LISTS_H
#define OFFLINE_ANIM_TOOL_CLIP_LISTS_H

#include "anim/tool/clip_groups.h"

#include <stddef.h>

/* Put the clips of a list into groups. The clips are in the order of their
 * names.
 *
 * path    of the list
 * prefix  of the database that is named after the list
 *
 * False after a refusal: a line that matches no clip, or two. */
bool clip_groups_by_list(struct clip_groups *groups, const char *path,
                         const char *prefix);
/* The same for the bytes of a list, which a zero byte follows. */
bool clip_groups_by_lines(struct clip_groups *groups, const char *path,
                          const char *prefix, const char *text, size_t bytes);

#endif
