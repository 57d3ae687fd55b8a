/* info.h - prints the contents of an archive, a cache or a pak.
 *
 * cmd_info.c determines the kind of a file and calls the function for it. The
 * functions print text or JSON on stdout.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_INFO_INFO_H
#define OFFLINE_INFO_INFO_H

#include "common/diag.h"

#include <stdbool.h>
#include <stdint.h>

struct info_options {
    bool is_tree; /* print the objects of an archive as a tree */
    bool is_json; /* print one JSON object */
};

/* Print the contents of a file. Return false after a refusal, which is in
 * `diag`. */
bool info_archive(const char *path, const struct info_options *options,
                  struct diag *diag);
bool info_cache(const char *path, const struct info_options *options,
                struct diag *diag);
bool info_pak(const char *path, const struct info_options *options,
              struct diag *diag);

/* Return whether the file begins with the signature of a cache. Also returns
 * false after a refusal; then diag holds it. */
bool info_is_cache(const char *path, struct diag *diag);

/* The name of a channel (codec/channel.h) in reports. */
const char *info_channel_name(uint32_t channel);

#endif
