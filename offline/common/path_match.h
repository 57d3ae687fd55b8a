/* path_match.h - match paths of a trace with names in a pak.
 *
 * A game may open data/sea.sgc while the pak has the name sea.sgc, or the other
 * way round. Parts of a path are separated by `/`, `\` or `:`. A path matches
 * the name that equals it; else the longest name that equals its last parts;
 * else the only name whose last parts equal it.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMMON_PATH_MATCH_H
#define OFFLINE_COMMON_PATH_MATCH_H

#include "common/arena.h"
#include "common/diag.h"

#include <stdbool.h>
#include <stdint.h>

#define PATH_MATCH_NONE UINT32_MAX

struct path_match_name;
struct path_match {
    struct path_match_name *names; /* sorted by their last parts */
    uint32_t count;
};

/* Return whether `end` equals the last parts of `name`, but not all of it. */
bool path_is_end(const char *end, const char *name);

/* Return whether `name` is the path or below it. "/a" covers "/a/b" but not
 * "/ab"; "/" covers all names that begin with it; a slash at the end is
 * ignored. */
bool path_covers(const char *path, const char *name);

/* The names are distinct and must outlive `match`. */
void path_match_init(struct path_match *match, struct arena *arena,
                     const char *const *names, uint32_t count);
/* Store in *index the index of the name that matches, or PATH_MATCH_NONE.
 * Returns false when the match is ambiguous: `either` has two such names. */
bool path_match_find(const struct path_match *match, const char *path,
                     uint32_t *index, const char *either[2]);
/* Refuse an ambiguous path; `file` contains it. Always returns false. */
bool path_match_refuse(struct diag *diag, const char *file, const char *path,
                       const char *const either[2]);

#endif
