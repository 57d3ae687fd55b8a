/* path_match.h - which of many names a path means that was written elsewhere.
 *
 * A game is played as data/sea.sgc, and packed from the folder on as sea.sgc.
 * So a path means the name that it is; else the longest that it ends with, or
 * the only one that ends with it, in whole parts: behind a `/`, `\` or `:`.
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
    struct path_match_name *names; /* by their last parts */
    uint32_t count;
};

/* Is `end` what `name` ends with, and not all of it? */
bool path_is_end(const char *end, const char *name);

/* The names, which must outlive this, are distinct. */
void path_match_init(struct path_match *match, struct arena *arena,
                     const char *const *names, uint32_t count);
/* *index: of the name that the path means, or PATH_MATCH_NONE. False: of these
 * two it may mean either. */
bool path_match_find(const struct path_match *match, const char *path,
                     uint32_t *index, const char *either[2]);
/* The refusal of that, by the file that has the path. Returns false. */
bool path_match_refuse(struct diag *diag, const char *file, const char *path,
                       const char *const either[2]);

#endif
