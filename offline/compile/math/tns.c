/* tns.c - splits by lengths and cross products, interpolates by slerp.
 *
 * Row i of a matrix is the image of axis i, so that the lengths of the rows are
 * the scales. A mirroring matrix (negative determinant) always gets a negative
 * x scale, whichever axis the archive mirrors: this keeps the result continuous
 * over time. The only library function is the square root.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/math/tns.h"

#include "compile/math/arith.h"

void matrix_identity(double m[16])
{
    for (int i = 0; i < 16; i++)
        m[i] = i % 5 == 0 ? 1 : 0;
}

void matrix_multiply(const double a[16], const double b[16], double out[16])
{
    double product[16];

    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++) {
            double sum = 0;
            for (int k = 0; k < 4; k++)
                sum += a[r * 4 + k] * b[k * 4 + c];
            product[r * 4 + c] = sum;
        }
    for (int i = 0; i < 16; i++)
        out[i] = product[i];
}

bool matrix_is_finite(const double m[16])
{
    for (int i = 0; i < 16; i++)
        if (!(fabs(m[i]) < MATRIX_NUMBER_MAX))
            return false;
    return true;
}

static double cosine(struct vec3 a, struct vec3 b)
{
    return fabs(vec3_dot(a, b));
}

/* Choose directions for axes of scale 0. */
static void complete(struct vec3 axis[3], const bool has[3])
{
    int count = has[0] + has[1] + has[2];

    if (count == 0) {
        axis[0] = vec3_make(1, 0, 0);
        axis[1] = vec3_make(0, 1, 0);
        axis[2] = vec3_make(0, 0, 1);
        return;
    }
    for (int i = 0; i < 3; i++) {
        int next = (i + 1) % 3;
        int last = (i + 2) % 3;

        if (count == 1 && has[i]) {
            axis[next] = vec3_orthogonal(axis[i]);
            axis[last] = vec3_cross(axis[i], axis[next]);
        }
        if (count == 2 && !has[i]) {
            axis[i] = vec3_cross(axis[next], axis[last]);
            vec3_normalize(&axis[i]);
        }
    }
}

double tns_split(const double m[16], struct tns *out)
{
    struct vec3 axis[3];
    bool has[3];
    double shear = 0;

    for (int i = 0; i < 3; i++) {
        axis[i] = vec3_make(m[i * 4], m[i * 4 + 1], m[i * 4 + 2]);
        out->scale[i] = vec3_length(axis[i]);
        has[i] = vec3_normalize(&axis[i]);
        out->translation[i] = m[12 + i];
    }
    for (int i = 0; i < 3; i++) {
        int next = (i + 1) % 3;
        if (has[i] && has[next] && cosine(axis[i], axis[next]) > shear)
            shear = cosine(axis[i], axis[next]);
    }
    complete(axis, has);
    if (vec3_dot(vec3_cross(axis[0], axis[1]), axis[2]) < 0) {
        axis[0] = vec3_scale(axis[0], -1);
        out->scale[0] = -out->scale[0];
    }
    /* Remove the shear that is left by rounding. */
    axis[1] = vec3_reject(axis[1], axis[0]);
    if (!vec3_normalize(&axis[1]))
        axis[1] = vec3_orthogonal(axis[0]);
    axis[2] = vec3_cross(axis[0], axis[1]);
    arith_quaternion(axis[0], axis[1], axis[2], out->rotation);
    if (out->rotation[3] < 0)
        for (int i = 0; i < 4; i++)
            out->rotation[i] = -out->rotation[i];
    return shear;
}

void tns_matrix(const struct tns *tns, double m[16])
{
    double x = tns->rotation[0];
    double y = tns->rotation[1];
    double z = tns->rotation[2];
    double w = tns->rotation[3];
    double r[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y + z * w),
        2 * (x * z - y * w),     2 * (x * y - z * w),
        1 - 2 * (x * x + z * z), 2 * (y * z + x * w),
        2 * (x * z + y * w),     2 * (y * z - x * w),
        1 - 2 * (x * x + y * y),
    };

    matrix_identity(m);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            m[i * 4 + k] = tns->scale[i] * r[i * 3 + k];
        m[12 + i] = tns->translation[i];
    }
}

static void blend_rotation(const double a[4], const double b[4], double alpha,
                           double out[4])
{
    double sum = 0;
    double dot = 0;
    double sign;
    double angle;
    double part_a = 1 - alpha;
    double part_b = alpha;
    double length = 0;

    for (int i = 0; i < 4; i++)
        dot += a[i] * b[i];
    sign = dot < 0 ? -1 : 1;
    for (int i = 0; i < 4; i++) {
        double d = a[i] - sign * b[i];
        double s = a[i] + sign * b[i];
        sum += s * s;
        length += d * d;
    }
    /* The lengths of the difference and of the sum give the angle. Below 1e-8
     * radians, linear interpolation gives the same result. */
    angle = 2 * arith_angle(sqrt(length), sqrt(sum));
    if (angle > 1e-8) {
        part_a = arith_sin((1 - alpha) * angle) / arith_sin(angle);
        part_b = arith_sin(alpha * angle) / arith_sin(angle);
    }
    length = 0;
    for (int i = 0; i < 4; i++) {
        out[i] = part_a * a[i] + sign * part_b * b[i];
        length += out[i] * out[i];
    }
    length = out[3] < 0 ? -sqrt(length) : sqrt(length);
    for (int i = 0; i < 4; i++)
        out[i] /= length;
}

void tns_blend(const struct tns *a, const struct tns *b, double alpha,
               struct tns *out)
{
    struct tns result = alpha < 0.5 ? *a : *b;

    if (alpha > 0 && alpha < 1) {
        blend_rotation(a->rotation, b->rotation, alpha, result.rotation);
        for (int i = 0; i < 3; i++) {
            result.translation[i] =
                a->translation[i] +
                (b->translation[i] - a->translation[i]) * alpha;
            result.scale[i] = a->scale[i] + (b->scale[i] - a->scale[i]) * alpha;
        }
    }
    *out = result;
}

void matrix_blend(const double a[16], const double b[16], double alpha,
                  double out[16])
{
    struct tns tns_a;
    struct tns tns_b;

    if (tns_split(a, &tns_a) <= TNS_SHEAR_MAX &&
        tns_split(b, &tns_b) <= TNS_SHEAR_MAX) {
        tns_blend(&tns_a, &tns_b, alpha, &tns_a);
        tns_matrix(&tns_a, out);
        return;
    }
    for (int i = 0; i < 16; i++)
        out[i] = a[i] + (b[i] - a[i]) * alpha;
}

bool tns_is_similarity(const struct tns *tns)
{
    double x = fabs(tns->scale[0]);
    double y = fabs(tns->scale[1]);
    double z = fabs(tns->scale[2]);

    return fabs(x - y) <= 1e-9 * x && fabs(x - z) <= 1e-9 * x;
}

double matrix_cofactors(const double m[16], double cofactors[9])
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            const double *below = m + 4 * ((r + 1) % 3);
            const double *last = m + 4 * ((r + 2) % 3);
            int c1 = (c + 1) % 3;
            int c2 = (c + 2) % 3;

            cofactors[3 * r + c] = below[c1] * last[c2] - below[c2] * last[c1];
        }
    return m[0] * cofactors[0] + m[1] * cofactors[1] + m[2] * cofactors[2];
}

/* Let s_1, s_2 and s_3 be the singular values of the matrix. Then f^2 is
 * (sum of s_i^2) * (sum of 1 / s_i^2) = 3 + sum over all pairs i != j of
 * s_i^2 / s_j^2. With k = s_max / s_min this is at least (k + 1/k + 1)^2,
 * whatever the third singular value is. */
double matrix_stretch(const double m[16], double cofactors[9])
{
    double determinant = matrix_cofactors(m, cofactors);
    double square = 0;
    double square_of_cofactors = 0;

    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            square += m[4 * r + c] * m[4 * r + c];
            square_of_cofactors += cofactors[3 * r + c] * cofactors[3 * r + c];
        }
    if (!(fabs(determinant) > 0))
        return 0;
    return sqrt(square) * sqrt(square_of_cofactors) / fabs(determinant);
}

static void pack_tns(const double m[16], struct quat_tns *out)
{
    struct tns tns;

    tns_split(m, &tns);
    for (int i = 0; i < 4; i++)
        out->rotation[i] = (float)tns.rotation[i];
    for (int i = 0; i < 3; i++) {
        out->translation[i] = (float)tns.translation[i];
        out->scale[i] = (float)tns.scale[i];
    }
}

void transform_pack(const double m[16], bool is_affine, struct transform *out)
{
    out->is_affine = is_affine;
    if (!is_affine) {
        pack_tns(m, &out->tns);
        return;
    }
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++)
            out->affine[r * 4 + c] = (float)m[c * 4 + r];
}
