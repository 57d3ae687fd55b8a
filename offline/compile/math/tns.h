/* tns.h - matrices to rotation, translation and scale, and back.
 *
 * Matrices as the archive reader gives them: sixteen doubles, row vectors
 * (p' = p * M), translation in [12..14]; M = S * R * T. In terms of column
 * vectors that is T * R * S, what cache/transform.h says; the quaternion is
 * the same rotation there.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MATH_TNS_H
#define OFFLINE_COMPILE_MATH_TNS_H

#include "cache/transform.h"

#include <stdbool.h>

struct tns {
    double rotation[4]; /* x y z w, unit length, w >= 0 */
    double translation[3];
    double scale[3]; /* mirroring: x is negative */
};

/* Largest cosine between images of axes that still counts as square: noise
 * of single precision, a thousandth of a millimetre on a metre. What is more
 * is shear, which rotation, translation and scale cannot say. */
#define TNS_SHEAR_MAX 1e-6

void matrix_identity(double m[16]);
/* out = a * b: a first. out may be one of them. */
void matrix_multiply(const double a[16], const double b[16], double out[16]);
/* Products and squares of its numbers must be, too. */
#define MATRIX_NUMBER_MAX 1e100
bool matrix_is_finite(const double m[16]);

/* The cofactors of the upper 3 x 3, row by row. They transform normals up to
 * the normal's length: n' = n * C, or n' = C * n where the rows of m are those
 * of a matrix for column vectors. Returns the determinant of the upper 3 x 3;
 * where it is negative, n' points the opposite way. */
double matrix_cofactors(const double m[16], double cofactors[9]);

/* How much more a matrix stretches one direction than another. `cofactors`, row
 * by row, take normals along (n' = n * C, up to its length). The result f
 * bounds the ratio k of its longest to its shortest stretch by k + 1/k <= f -
 * 1, and is 3 where angles are kept; 0: the matrix is flat. */
double matrix_stretch(const double m[16], double cofactors[9]);

/* Split a finite matrix. Returns its shear: the largest cosine between the
 * images of two axes. Axes of scale 0 get a direction that completes the
 * others. */
double tns_split(const double m[16], struct tns *out);
void tns_matrix(const struct tns *tns, double m[16]);

/* Between a and b: translation and scale linear, rotation by slerp the
 * shorter way; alpha 0 gives a, 1 gives b. */
void tns_blend(const struct tns *a, const struct tns *b, double alpha,
               struct tns *out);

/* The same for matrices. Where one of them has shear, number by number. */
void matrix_blend(const double a[16], const double b[16], double alpha,
                  double out[16]);

/* Does scale keep angles (equal magnitudes, up to 1e-9)? */
bool tns_is_similarity(const struct tns *tns);

/* To single precision; an affine one column vectors' way round. */
void transform_pack(const double m[16], bool is_affine, struct transform *out);

#endif
