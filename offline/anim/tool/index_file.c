/* index_file.c - see index_file.h. */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/index_file.h"

#include "anim/clip_index_validate.h"
#include "common/fault_text.h"

#include <string.h>

static bool validate(struct index_file *file, enum clip_index_type type,
                     struct diag *diag)
{
    struct clip_index_header header;
    struct spn_fault fault = {0};

    if (file->map.bytes < CLIP_INDEX_HEADER_BYTES)
        return diag_refuse(diag, file->path, 0, NULL,
                           "file size: found %u, expected at least %u",
                           (unsigned)file->map.bytes, CLIP_INDEX_HEADER_BYTES);
    if (spn__clip_index_validate_header(file->map.data, type, file->map.bytes,
                                        &header, &fault) == SPN_OK &&
        spn__clip_index_validate(&header,
                                 file->map.data + CLIP_INDEX_HEADER_BYTES,
                                 &file->index, &fault) == SPN_OK)
        return true;
    return fault_refuse(diag, file->path, FAULT_NO_FRAME, &fault);
}

bool index_file_open(struct index_file *file, const char *path,
                     enum clip_index_type type, struct diag *diag)
{
    memset(file, 0, sizeof *file);
    file->path = path;
    if (!host_map_open(&file->map, path, diag))
        return false;
    if (validate(file, type, diag))
        return true;
    host_map_close(&file->map);
    return false;
}

void index_file_close(struct index_file *file)
{
    host_map_close(&file->map);
}
