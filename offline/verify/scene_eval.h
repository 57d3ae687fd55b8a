/* scene_eval.h - world matrices and visibility of an archive's objects at any
 * time, in doubles.
 *
 * The compiler has code of its own for this; nothing is shared with it, so that
 * an error in one of them is found. Functions return false after a refusal,
 * which the archive's diag has.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_SCENE_EVAL_H
#define OFFLINE_VERIFY_SCENE_EVAL_H

#include "abc/schema.h"

/* An object and its ancestors, from itself upwards, without the top object. */
struct eval_link {
    const struct abc_object *object;
    bool is_xform;
    struct abc_xform xform;
};
struct eval_chain {
    uint32_t count;
    struct eval_link *links;
};
/* Open the transforms of an object and its ancestors. Memory comes from
 * `arena`. */
bool eval_chain_open(struct eval_chain *chain,
                     const struct abc_archive *archive,
                     const struct abc_object *object, struct arena *arena);

/* The world matrix at a time in seconds, for row vectors: p' = p * M,
 * translation in [12..14]. `arena` is scratch memory. */
bool eval_world(const struct eval_chain *chain,
                const struct abc_archive *archive, double time,
                struct arena *arena, double matrix[16]);

/* Whether an object is visible at a time. The nearest ancestor-or-self with a
 * visibility other than "deferred" decides; without one, it is visible. */
bool eval_visible(const struct abc_archive *archive,
                  const struct abc_object *object, double time, bool *visible);

/* Fill the cofactors C of the upper 3 x 3 of M. They transform normals, n' =
 * n * C, up to length and the sign of the determinant. Returns how unevenly M
 * stretches: |M| |C| / |det M| with Frobenius norms. It is 3 if M keeps angles,
 * and larger otherwise; 0 if det M is 0. */
double eval_stretch(const double matrix[16], double cofactors[9]);

/* out = a * b; out must differ from both. */
void eval_multiply(const double a[16], const double b[16], double out[16]);

/* The object with a path; NULL: there is none. */
const struct abc_object *eval_find(const struct abc_archive *archive,
                                   const char *path);

#endif
