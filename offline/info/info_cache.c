/* info_cache.c - spindle info of a cache: not yet. */
/* SPDX-License-Identifier: MIT */
#include "info/info.h"

bool info_cache(const char *path, const struct info_options *options,
                struct diag *diag)
{
    (void)options;
    return diag_refuse(diag, path, DIAG_NO_OFFSET, NULL,
                       "this build cannot describe caches");
}
