/* scene_eval.h - where an archive's objects are at any time, and whether they
 * are seen: the archive's own tree, evaluated in doubles.
 *
 * A second opinion: nothing here is shared with the compiler.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_SCENE_EVAL_H
#define OFFLINE_VERIFY_SCENE_EVAL_H

#include "abc/schema.h"

/* An object and all above it, from itself upwards, the top left out. */
struct eval_link {
    const struct abc_object *object;
    bool is_xform;
    struct abc_xform xform;
};
struct eval_chain {
    uint32_t count;
    struct eval_link *links;
};
bool eval_chain_open(struct eval_chain *chain,
                     const struct abc_archive *archive,
                     const struct abc_object *object, struct arena *arena);

/* World matrix for row vectors: p' = p * M, translation in [12..14]. */
bool eval_world(const struct eval_chain *chain,
                const struct abc_archive *archive, double time,
                struct arena *arena, double matrix[16]);

/* The nearest object upwards that does not defer decides; all deferred:
 * visible. */
bool eval_visible(const struct abc_archive *archive,
                  const struct abc_object *object, double time, bool *visible);

/* The cofactors of the upper 3 x 3 take normals along: n' = n * C, up to its
 * length and the sign of the determinant. Returns how unevenly the matrix
 * stretches: |M| |C| / |det| by Frobenius' norm, 3 where it keeps angles, more
 * elsewhere; 0: it is flat. */
double eval_stretch(const double matrix[16], double cofactors[9]);

/* out = a * b; out may be neither. */
void eval_multiply(const double a[16], const double b[16], double out[16]);

/* The object with this path; NULL: there is none. */
const struct abc_object *eval_find(const struct abc_archive *archive,
                                   const char *path);

#endif
