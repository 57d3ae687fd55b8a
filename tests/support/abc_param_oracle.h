/* abc_param_oracle.h - compare the parameters of one mesh with its oracle. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_ABC_PARAM_ORACLE_H
#define TESTS_SUPPORT_ABC_PARAM_ORACLE_H

#include "support/abc_json.h"

#include "abc/schema.h"

/* Compare `params` and `arbGeomParams` of a mesh. */
void compare_params(const struct abc_archive *archive,
                    const struct abc_mesh *mesh,
                    const struct abc_property *geometry, const cJSON *expected);

#endif
