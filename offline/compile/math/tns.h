/* tns.h - splits matrices into translation, rotation and scale, and
 * interpolates them.
 *
 * Matrices have sixteen doubles, as the archive reader gives them: row vectors,
 * p' = p * M, with the translation in [12..14], and M = S * R * T. The runtime
 * (cache/transform.h) uses column vectors, for which the same transform is
 * T * R * S; the quaternion is the same.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MATH_TNS_H
#define OFFLINE_COMPILE_MATH_TNS_H

#include "cache/transform.h"

#include <stdbool.h>

struct tns {
    double rotation[4]; /* x y z w, unit length, w >= 0 */
    double translation[3];
    double scale[3]; /* x is negative if the matrix mirrors */
};

/* Axes are orthogonal if the cosine between their images is at most this, which
 * is the rounding of single precision: a thousandth of a millimetre on a metre.
 * A matrix with a larger cosine has shear, and is not a product of translation,
 * rotation and scale. */
#define TNS_SHEAR_MAX 1e-6

void matrix_identity(double m[16]);
/* out = a * b; a is applied first. `out` may be a or b. */
void matrix_multiply(const double a[16], const double b[16], double out[16]);
/* Larger numbers are refused, so that products and squares stay finite. */
#define MATRIX_NUMBER_MAX 1e100
/* Are all numbers finite and at most MATRIX_NUMBER_MAX in magnitude? */
bool matrix_is_finite(const double m[16]);

/* Compute the cofactor matrix C of the upper 3 x 3, row by row. It transforms
 * normals except for their length: n' = n * C (n' = C * n if m is for column
 * vectors). Returns the determinant of the upper 3 x 3; if it is negative, n'
 * points in the opposite direction. */
double matrix_cofactors(const double m[16], double cofactors[9]);

/* Return how unevenly a matrix stretches: a number f with k + 1/k <= f - 1,
 * where k is the ratio of its largest to its smallest singular value. f is 3 if
 * the matrix keeps angles, and larger otherwise; 0 if its determinant is 0.
 * Also fills `cofactors`, see matrix_cofactors. */
double matrix_stretch(const double m[16], double cofactors[9]);

/* Split a finite matrix. Returns its shear: the largest cosine between the
 * images of two axes. An axis of scale 0 gets a direction orthogonal to the
 * others. */
double tns_split(const double m[16], struct tns *out);
/* Compute the matrix. */
void tns_matrix(const struct tns *tns, double m[16]);

/* Interpolate: translation and scale linearly, the rotation by slerp along the
 * shorter arc. alpha = 0 gives a, alpha = 1 gives b. */
void tns_blend(const struct tns *a, const struct tns *b, double alpha,
               struct tns *out);

/* The same for matrices. If one of them has shear, each of the sixteen numbers
 * is interpolated linearly. */
void matrix_blend(const double a[16], const double b[16], double alpha,
                  double out[16]);

/* Are the magnitudes of the three scales equal, up to 1e-9 of the first? Then
 * the transform keeps angles. */
bool tns_is_similarity(const struct tns *tns);

/* Convert to the single-precision form of the cache (cache/transform.h).
 * is_affine: as a matrix for column vectors, not split. */
void transform_pack(const double m[16], bool is_affine, struct transform *out);

#endif
