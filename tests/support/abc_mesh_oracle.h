/* abc_mesh_oracle.h - compare one mesh with its oracle. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_ABC_MESH_ORACLE_H
#define TESTS_SUPPORT_ABC_MESH_ORACLE_H

#include "support/abc_json.h"

#include "abc/schema.h"

/* Compare everything but world matrices and properties common to all
 * objects. */
void compare_mesh(const struct abc_archive *archive,
                  const struct abc_object *object, const cJSON *expected);

/* Read a sample; fails the claim when it cannot be read. */
struct abc_sample oracle_sample(const struct abc_archive *archive,
                                const struct abc_property *property,
                                uint32_t index, struct arena *arena);

/* Whether the mesh is constant as the Alembic library classifies it, from the
 * headers. */
bool is_mesh_constant_as_recorded(const struct abc_mesh *mesh);

/* How much was compared so far. */
struct mesh_compared {
    size_t bounds;
    size_t params;
    size_t face_sets;
};
extern struct mesh_compared mesh_compared;

#endif
