/* info.h - spindle info: one file for each kind of input. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_INFO_INFO_H
#define OFFLINE_INFO_INFO_H

#include "common/diag.h"

#include <stdbool.h>
#include <stdint.h>

struct info_options {
    bool is_tree;
    bool is_json;
};

/* All print on stdout and report refusals through diag. */
bool info_archive(const char *path, const struct info_options *options,
                  struct diag *diag);
bool info_cache(const char *path, const struct info_options *options,
                struct diag *diag);
bool info_pak(const char *path, const struct info_options *options,
              struct diag *diag);

/* Does the file begin with the signature of a cache? False also after a
 * refusal: look at diag. */
bool info_is_cache(const char *path, struct diag *diag);

const char *info_channel_name(uint32_t channel);

#endif
