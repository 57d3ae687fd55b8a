/* scene_eval.c - evaluates transforms and visibility at a time.
 *
 * Between two samples, scale and translation of a transform are interpolated
 * linearly, and its rotation by slerp along the shorter arc. If a matrix has
 * shear, its numbers are interpolated linearly instead.
 */
/* SPDX-License-Identifier: MIT */
#include "verify/scene_eval.h"

#include "verify/vector.h"

#include <math.h>
#include <string.h>

/* Axes with a larger cosine between them are sheared; a smaller one may be the
 * rounding of single precision. */
#define SKEW_COSINE 1e-6

bool eval_chain_open(struct eval_chain *chain,
                     const struct abc_archive *archive,
                     const struct abc_object *object, struct arena *arena)
{
    uint32_t count = 0;

    for (const struct abc_object *o = object; o->parent; o = o->parent)
        count++;
    chain->count = count;
    chain->links = ARENA_NEW(arena, struct eval_link, count);
    for (uint32_t i = 0; i < count; i++, object = object->parent) {
        struct eval_link *link = &chain->links[i];

        link->object = object;
        link->is_xform = abc_object_type(object) == ABC_TYPE_XFORM;
        if (link->is_xform &&
            !abc_xform_open(archive, object, arena, &link->xform))
            return false;
    }
    return true;
}

void eval_multiply(const double a[16], const double b[16], double out[16])
{
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++) {
            double sum = 0;

            for (int k = 0; k < 4; k++)
                sum += a[r * 4 + k] * b[k * 4 + c];
            out[r * 4 + c] = sum;
        }
}

double eval_stretch(const double matrix[16], double cofactors[9])
{
    double squares[2] = {0, 0};
    double determinant = 0;

    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            const double *one = matrix + 4 * ((r + 1) % 3);
            const double *two = matrix + 4 * ((r + 2) % 3);

            cofactors[3 * r + c] = one[(c + 1) % 3] * two[(c + 2) % 3] -
                                   one[(c + 2) % 3] * two[(c + 1) % 3];
            squares[0] += matrix[4 * r + c] * matrix[4 * r + c];
            squares[1] += cofactors[3 * r + c] * cofactors[3 * r + c];
        }
    for (int c = 0; c < 3; c++)
        determinant += matrix[c] * cofactors[c];
    return fabs(determinant) > 0
               ? sqrt(squares[0] * squares[1]) / fabs(determinant)
               : 0;
}

/* -- between two samples -- */

/* Row i of the matrix is scale[i] times row i of the rotation. */
struct parts {
    double scale[3];
    double quaternion[4]; /* x y z w */
};

/* Replace rows with a scale of 0 by any that make a rotation. */
static void complete_rows(double r[3][3], const double scale[3])
{
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        int k = (i + 2) % 3;

        if (scale[i] > 0)
            continue;
        if (scale[j] > 0 && scale[k] > 0) {
            vector_cross(r[j], r[k], r[i]);
        } else {
            memset(r[i], 0, sizeof r[i]);
            r[i][i] = 1;
        }
    }
}

/* r[i] is the image of axis i. */
static void rows_to_quaternion(double r[3][3], double q[4])
{
    double trace = r[0][0] + r[1][1] + r[2][2];
    int i = 0;
    int j;
    int k;
    double s;

    if (trace > 0) {
        s = sqrt(trace + 1) * 2;
        q[3] = s / 4;
        for (int a = 0; a < 3; a++)
            q[a] =
                (r[(a + 1) % 3][(a + 2) % 3] - r[(a + 2) % 3][(a + 1) % 3]) / s;
        return;
    }
    if (r[1][1] > r[0][0])
        i = 1;
    if (r[2][2] > r[i][i])
        i = 2;
    j = (i + 1) % 3;
    k = (i + 2) % 3;
    s = sqrt(fmax(r[i][i] - r[j][j] - r[k][k] + 1, 0)) * 2;
    q[i] = s / 4;
    q[3] = (r[j][k] - r[k][j]) / s;
    q[j] = (r[j][i] + r[i][j]) / s;
    q[k] = (r[k][i] + r[i][k]) / s;
}

static void decompose(const double m[16], struct parts *parts)
{
    double r[3][3] = {{0}};
    double normal[3];
    double sign;

    for (int i = 0; i < 3; i++) {
        parts->scale[i] = vector_length(m + i * 4);
        for (int c = 0; c < 3 && parts->scale[i] > 0; c++)
            r[i][c] = m[i * 4 + c] / parts->scale[i];
    }
    complete_rows(r, parts->scale);
    vector_cross(r[0], r[1], normal);
    sign = normal[0] * r[2][0] + normal[1] * r[2][1] + normal[2] * r[2][2];
    /* A mirroring matrix gets a negative x scale. */
    for (int c = 0; c < 3 && sign < 0; c++)
        r[0][c] = -r[0][c];
    if (sign < 0)
        parts->scale[0] = -parts->scale[0];
    rows_to_quaternion(r, parts->quaternion);
}

static void compose(const struct parts *parts, double m[16])
{
    const double *q = parts->quaternion;
    double x = q[0];
    double y = q[1];
    double z = q[2];
    double w = q[3];
    double r[3][3] = {
        {1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)},
        {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)},
        {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)}};

    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++)
            m[i * 4 + c] = parts->scale[i] * r[i][c];
}

static void slerp(const double a[4], const double b[4], double alpha,
                  double out[4])
{
    double cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    double sign = cosine < 0 ? -1 : 1;
    double angle = acos(fmin(fabs(cosine), 1));
    double wa = 1 - alpha;
    double wb = alpha;
    double length = 0;

    if (angle > 1e-9) {
        wa = sin((1 - alpha) * angle) / sin(angle);
        wb = sin(alpha * angle) / sin(angle);
    }
    for (int i = 0; i < 4; i++) {
        out[i] = wa * a[i] + sign * wb * b[i];
        length += out[i] * out[i];
    }
    for (int i = 0; i < 4; i++)
        out[i] /= sqrt(length);
}

static bool is_skewed(const double m[16])
{
    for (int i = 0; i < 3; i++) {
        const double *a = m + i * 4;
        const double *b = m + (i + 1) % 3 * 4;
        double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

        if (fabs(dot) > SKEW_COSINE * vector_length(a) * vector_length(b))
            return true;
    }
    return false;
}

static void interpolate(const double a[16], const double b[16], double alpha,
                        double out[16])
{
    struct parts pa;
    struct parts pb;
    struct parts mix;

    if (is_skewed(a) || is_skewed(b)) {
        for (int i = 0; i < 16; i++)
            out[i] = a[i] + alpha * (b[i] - a[i]);
        return;
    }

    decompose(a, &pa);
    decompose(b, &pb);
    slerp(pa.quaternion, pb.quaternion, alpha, mix.quaternion);
    for (int i = 0; i < 3; i++)
        mix.scale[i] = pa.scale[i] + alpha * (pb.scale[i] - pa.scale[i]);
    memset(out, 0, 16 * sizeof *out);
    compose(&mix, out);
    for (int i = 12; i < 15; i++)
        out[i] = a[i] + alpha * (b[i] - a[i]);
    out[15] = 1;
}

/* -- transforms -- */

static void identity(double m[16])
{
    memset(m, 0, 16 * sizeof *m);
    m[0] = m[5] = m[10] = m[15] = 1;
}

static bool local_at(const struct abc_archive *archive,
                     const struct abc_xform *xform, double time,
                     struct arena *arena, double matrix[16])
{
    struct abc_bracket bracket = {0, 0, 0};
    double floor[16];
    double ceil[16];

    if (xform->op_count == 0) {
        identity(matrix);
        return true;
    }
    if (xform->values && xform->value_count > 0)
        bracket =
            abc_bracket_at(&archive->samplings[xform->values->time_sampling],
                           xform->value_count, time);
    if (!abc_xform_local(archive, xform, bracket.floor, arena, floor))
        return false;
    if (bracket.alpha <= 0) {
        memcpy(matrix, floor, sizeof floor);
        return true;
    }
    if (!abc_xform_local(archive, xform, bracket.ceil, arena, ceil))
        return false;
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): of bytes. */
    if (memcmp(floor, ceil, sizeof floor) == 0)
        memcpy(matrix, floor, sizeof floor);
    else
        interpolate(floor, ceil, bracket.alpha, matrix);
    return true;
}

static bool inherits_at(const struct abc_archive *archive,
                        const struct abc_xform *xform, double time, bool *out)
{
    struct abc_bracket bracket;

    *out = true;
    if (!xform->inherits || xform->inherits->sample_count == 0)
        return true;
    bracket =
        abc_bracket_at(&archive->samplings[xform->inherits->time_sampling],
                       xform->inherits->sample_count, time);
    return abc_xform_inherits(archive, xform, bracket.floor, out);
}

bool eval_world(const struct eval_chain *chain,
                const struct abc_archive *archive, double time,
                struct arena *arena, double matrix[16])
{
    bool inherits = true;

    identity(matrix);
    for (uint32_t i = 0; i < chain->count && inherits; i++) {
        const struct eval_link *link = &chain->links[i];
        double local[16];
        double product[16];

        if (!link->is_xform)
            continue;
        if (!local_at(archive, &link->xform, time, arena, local) ||
            !inherits_at(archive, &link->xform, time, &inherits))
            return false;
        eval_multiply(matrix, local, product);
        memcpy(matrix, product, sizeof product);
    }
    return true;
}

/* -- visibility, paths -- */

bool eval_visible(const struct abc_archive *archive,
                  const struct abc_object *object, double time, bool *visible)
{
    *visible = true;
    for (; object; object = object->parent) {
        enum abc_visibility own;

        if (!abc_visibility_at(archive, object, time, &own))
            return false;
        if (own == ABC_DEFERRED)
            continue;
        *visible = own == ABC_VISIBLE;
        return true;
    }
    return true;
}

const struct abc_object *eval_find(const struct abc_archive *archive,
                                   const char *path)
{
    const struct abc_object *at = archive->top;

    while (*path == '/' && path[1]) {
        const struct abc_object *found = NULL;
        size_t length = strcspn(++path, "/");

        for (uint32_t i = 0; i < at->child_count && !found; i++)
            if (strlen(at->children[i]->name) == length &&
                memcmp(at->children[i]->name, path, length) == 0)
                found = at->children[i];
        if (!found)
            return NULL;
        at = found;
        path += length;
    }
    return at == archive->top ? NULL : at;
}
