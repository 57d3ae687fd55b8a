/* abc_mesh_oracle.h - compare one mesh with its oracle. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_ABC_MESH_ORACLE_H
#define TESTS_SUPPORT_ABC_MESH_ORACLE_H

#include "support/abc_json.h"

#include "abc/schema.h"

/* Everything but world matrices and what is the same for all objects. */
void compare_mesh(const struct abc_archive *archive,
                  const struct abc_object *object, const cJSON *expected);

/* As the library classifies it, from what the headers record. */
bool is_mesh_constant_as_recorded(const struct abc_mesh *mesh);

#endif
