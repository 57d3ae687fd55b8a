/* materials.h - derives material ids from the names of face sets, and sorts
 * the triangles of a mesh by material.
 *
 * The id of a face set is the first number in its name ("mat_03_skin": 3). A
 * name without a number, or with one above MATERIAL_ID_MAX, gets the smallest
 * id from 1 that is not yet used, in the order in which the names are added.
 * All names of an archive are collected before ids are assigned; therefore a
 * name has the same id on every mesh. Names with the same number share an id.
 * Faces in no set have id 0 and the name "".
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_MATERIALS_H
#define OFFLINE_COMPILE_MESH_MATERIALS_H

#include "common/arena.h"

#include <stdbool.h>
#include <stdint.h>

#define MATERIAL_ID_MAX 65535u
#define MATERIAL_NONE UINT32_MAX

/* All names of an archive and their ids. */
struct material_names {
    uint32_t count;
    uint32_t capacity;  /* of `names` */
    const char **names; /* in the order in which they were added */
    uint32_t *ids;      /* of each name; set by material_names_finish */
    uint32_t *slots;    /* hash table: index of a name + 1; 0: free */
    uint32_t slot_mask; /* slots - 1 */
    struct arena *arena;
};

/* Find the first number in a name. Returns false if there is none, or if it is
 * above MATERIAL_ID_MAX. */
bool material_number(const char *name, uint32_t *number);

void material_names_begin(struct material_names *names, struct arena *arena);
/* Add a name, unless it is known. The text must outlive `names`. */
void material_names_add(struct material_names *names, const char *name);
/* Assign an id to every name; no name may be added afterwards. Returns false if
 * all ids from 1 to MATERIAL_ID_MAX are used; *unnumbered is then the first
 * name without an id. */
bool material_names_finish(struct material_names *names,
                           const char **unnumbered);
/* Return the id of a name that was added. */
uint32_t material_names_id(const struct material_names *names,
                           const char *name);

/* One face set of a mesh. */
struct material_set {
    const char *name;
    uint32_t id;
    const int32_t *faces; /* face numbers as stored; not validated */
    uint32_t face_count;
};

/* The face set of each face, and defects of the sets for warnings. */
struct material_faces {
    uint32_t *set_of;       /* of each face: index of its set; MATERIAL_NONE */
    uint32_t twice_count;   /* faces in several sets: the first set counts */
    uint32_t twice_face;    /* the first such face */
    uint32_t twice_set;     /* the second set of that face */
    uint32_t outside_count; /* entries that are no faces of the mesh: ignored */
    int32_t outside_face;   /* the first such entry */
    uint32_t outside_set;   /* the set of that entry */
};

/* Find the set of each face. The arrays of `out` belong to `arena`. */
void materials_assign(const struct material_set *sets, uint32_t set_count,
                      uint32_t face_count, struct arena *arena,
                      struct material_faces *out);

/* Triangles of one face set that follow one another in the new order. */
struct material_range {
    uint32_t set; /* index of the set; MATERIAL_NONE: the faces in no set */
    uint32_t first_triangle; /* index in the new order */
    uint32_t triangle_count; /* at least 1 */
};

struct material_order {
    uint32_t *triangles; /* of each triangle in the new order: its old number */
    uint32_t range_count;
    struct material_range *ranges; /* in the new order */
};

/* Sort the triangles: first those of faces in no set, then by ascending id,
 * then by the index of the set, then by their old number. The arrays of `out`
 * belong to `arena`. */
void materials_order(const struct material_set *sets, uint32_t set_count,
                     const uint32_t *set_of_face,
                     const uint32_t *face_of_triangle, uint32_t triangle_count,
                     struct arena *arena, struct arena *scratch,
                     struct material_order *out);

#endif
