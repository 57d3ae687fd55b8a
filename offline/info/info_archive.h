/* info_archive.h - the facts about an archive that `spindle info` prints.
 *
 * info_archive.c collects them from the archive and from an import as by
 * compile (compile/clip/clip.h), and prints them as text; info_archive_json.c
 * prints them as JSON.
 */
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
    const struct clip_mesh *compiled; /* the mesh as a compile would store it;
                                       * NULL: a compile drops it */
};

struct archive_facts {
    const char *path;
    struct abc_archive *archive;
    struct arena arena;
    uint32_t type_count[INFO_TYPE_COUNT];    /* objects of each type */
    const char *first_path[INFO_TYPE_COUNT]; /* of the first of each type */
    uint32_t instance_count;
    uint32_t mesh_count;
    uint32_t mesh_capacity;
    struct mesh_facts *meshes;
    struct clip *clip;     /* NULL: compile refuses the archive */
    struct diag clip_diag; /* the refusal, if clip is NULL */
    struct diag damage;    /* damage in parts that compile does not read, or
                            * would read only after the refusal */
    uint32_t frame_count;  /* of a compile; 0: unknown */
    const double *frame_seconds; /* time of each frame */
};

/* Print one JSON object on stdout. Returns false after a refusal. */
bool info_archive_json(const struct archive_facts *facts, struct diag *diag);

/* Return whether caches leave out objects of this type. */
bool info_is_dropped(enum abc_type type);
const char *info_scope_name(enum abc_scope scope);
const char *info_sampling_name(enum abc_sampling_type type);

#endif
