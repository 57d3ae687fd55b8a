/* shape_equal.h - are two meshes of an archive equal?
 *
 * Two shapes are equal if everything that a cache stores of them is read from
 * equal samples: faces, points, parameters and face sets, at equal times if
 * they change. Paths, transforms and visibility may differ. shape_build makes
 * the same vertices of equal shapes.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_SHAPE_EQUAL_H
#define OFFLINE_COMPILE_MESH_SHAPE_EQUAL_H

#include "compile/mesh/shape.h"

#include <stdbool.h>
#include <stdint.h>

/* Hash what equal shapes have in common: faces, face sets, and the first sample
 * of the points. The face sets are read. Returns false after a refusal. */
bool shape_hash(const struct shape *shape, uint64_t *hash);

/* Compare two shapes of one archive, whose face sets are read. Returns false
 * after a refusal. */
bool shape_equal(const struct shape *a, const struct shape *b, bool *is_equal);

#endif
