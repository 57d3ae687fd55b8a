/* animation_file.c - compare the first bytes. */
/* SPDX-License-Identifier: MIT */
#include "cli/animation_file.h"

#include "anim/anim_wire.h"
#include "anim/clip_index.h"
#include "host/host.h"

#include <string.h>

static const struct row {
    const char *signature;
    const char *what;
    bool is_source;
} rows[] = {
    {ANIM_CLIP_SIGNATURE, "an animation clip", false},
    {ANIM_SKELETON_SIGNATURE, "a skeleton", false},
    {CLIP_INDEX_DATABASE_SIGNATURE, "a database of animation clips", false},
    {CLIP_INDEX_IMAGE_SIGNATURE, "a header image of animation clips", false},
    {"glTF", "a glTF file", true},
    {"HIERARCHY", "a BVH file", true},
};

/* NULL: it is none of them, or cannot be read. */
static const struct row *find(const char *path)
{
    const struct row *row = NULL;
    struct host_map map;
    struct diag silent;

    diag_init(&silent);
    silent.is_silent = true;
    if (host_map_open(&map, path, &silent)) {
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            const size_t bytes = strlen(rows[i].signature);

            if (map.bytes >= bytes &&
                memcmp(map.data, rows[i].signature, bytes) == 0)
                row = &rows[i];
        }
        host_map_close(&map);
    }
    diag_finish(&silent);
    return row;
}

bool animation_file_refuse(const char *path, const char *action,
                           struct diag *diag)
{
    const struct row *row = find(path);

    if (!row)
        return true;
    /* Sources are compiled, and not verified or exported. */
    if (row->is_source != (strcmp(action, "compile") == 0))
        action = "info";
    return diag_refuse(diag, path, DIAG_NO_OFFSET, NULL,
                       "is %s: use \"spindle anim %s\"", row->what, action);
}
