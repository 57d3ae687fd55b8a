/* info_archive.h - the facts about an archive, gathered once, told twice. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_INFO_INFO_ARCHIVE_H
#define OFFLINE_INFO_INFO_ARCHIVE_H

#include "abc/schema.h"
#include "compile/clip/clip.h"

#define INFO_TYPE_COUNT (ABC_TYPE_OTHER + 1)

struct mesh_facts {
    struct abc_mesh mesh;
    uint32_t point_count; /* of sample 0 */
    uint32_t face_count;
    uint32_t corner_count;
    uint64_t triangle_count;
    const struct clip_mesh *compiled; /* NULL: no cache would hold it */
};

struct archive_facts {
    const char *path;
    struct abc_archive *archive;
    struct arena arena;
    uint32_t type_count[INFO_TYPE_COUNT];
    const char *first_path[INFO_TYPE_COUNT];
    uint32_t instance_count;
    uint32_t mesh_count;
    uint32_t mesh_capacity;
    struct mesh_facts *meshes;
    struct clip *clip;     /* NULL: it does not compile */
    struct diag clip_diag; /* then: why */
    struct diag damage;    /* where a compile does not look, or not before it
                            * refuses the scene */
    uint32_t frame_count;  /* 0: there is no telling */
    const double *frame_seconds;
};

/* One JSON object on stdout. */
bool info_archive_json(const struct archive_facts *facts, struct diag *diag);

/* Is this type of object left out of caches? */
bool info_is_dropped(enum abc_type type);
const char *info_scope_name(enum abc_scope scope);
const char *info_sampling_name(enum abc_sampling_type type);

#endif
