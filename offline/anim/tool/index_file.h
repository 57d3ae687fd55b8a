/* index_file.h - open header images and databases of the tool's file system.
 *
 * The runtime's code validates header and index. The data of a database is not
 * read by the open.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_TOOL_INDEX_FILE_H
#define OFFLINE_ANIM_TOOL_INDEX_FILE_H

#include "anim/clip_index.h"
#include "common/diag.h"
#include "host/host.h"

#include <stdbool.h>

struct index_file {
    const char *path;
    struct host_map map;
    struct clip_index index; /* a view of the map */
};

/* Open a database, or an image. `path` must outlive the file. Returns false
 * after a refusal. */
bool index_file_open(struct index_file *file, const char *path,
                     enum clip_index_type type, struct diag *diag);
void index_file_close(struct index_file *file);

#endif
