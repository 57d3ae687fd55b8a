/* materials.h - face sets to materials.
 *
 * A material's id is the first number in its face set's name ("mat_03_skin":
 * 3; zeros before it change nothing). Names without a number, or with one above
 * MATERIAL_ID_MAX, get the smallest ids from 1 that no name in the archive has
 * as its number, in the order in which the names first appear: so the same
 * name is the same id on every mesh. Names with the same number share an id.
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
    uint32_t capacity;
    const char **names;
    uint32_t *ids;
    uint32_t *slots; /* hash table: name + 1 */
    uint32_t slot_mask;
    struct arena *arena;
};

/* First number in a name. False: there is none, or it is too large. */
bool material_number(const char *name, uint32_t *number);

void material_names_begin(struct material_names *names, struct arena *arena);
/* Note a name (known ones again are legal); kept, not copied. */
void material_names_add(struct material_names *names, const char *name);
/* After the last: give every name its id. False: all ids from 1 to
 * MATERIAL_ID_MAX are taken; `*homeless` is then the first name without one. */
bool material_names_finish(struct material_names *names, const char **homeless);
uint32_t material_names_id(const struct material_names *names,
                           const char *name);

/* One face set of a mesh. */
struct material_set {
    const char *name;
    uint32_t id;
    const int32_t *faces;
    uint32_t face_count;
};

struct material_faces {
    uint32_t *set_of;       /* per face; MATERIAL_NONE */
    uint32_t twice_count;   /* faces in two sets: the first set has them */
    uint32_t twice_face;    /* the first of those, */
    uint32_t twice_set;     /* and the set that has not got it */
    uint32_t outside_count; /* entries that are no face of the mesh: ignored */
    int32_t outside_face;   /* the first of those, */
    uint32_t outside_set;   /* and the set that it is in */
};
void materials_assign(const struct material_set *sets, uint32_t set_count,
                      uint32_t face_count, struct arena *arena,
                      struct material_faces *out);

/* The order of the triangles by material (ascending id; the faces in no set
 * first; sets with equal ids in their own order), stable within each. */
struct material_range {
    uint32_t set; /* MATERIAL_NONE: the faces in no set */
    uint32_t first_triangle;
    uint32_t triangle_count;
};
struct material_order {
    uint32_t *triangles;  /* old number of each */
    uint32_t range_count; /* without empty ones */
    struct material_range *ranges;
};
void materials_order(const struct material_set *sets, uint32_t set_count,
                     const uint32_t *set_of_face,
                     const uint32_t *face_of_triangle, uint32_t triangle_count,
                     struct arena *arena, struct arena *scratch,
                     struct material_order *out);

#endif
