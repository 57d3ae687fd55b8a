/* test_transform.c
 *
 * Goal: transforms are exact where the contract says so, and otherwise close to
 *   the mathematical result.
 * Method: the square root compared with the machine's for every mantissa; the
 *   rest compared with independent formulas in double.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "cache/transform.h"

#include <math.h>
#include <string.h>

static uint32_t bits_of(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

static void check_root(uint32_t bits)
{
    float x = float_of(bits);

    /* CHECK_EQ alone would be slow: this runs many million times. */
    if (bits_of(spn__sqrt(x)) != bits_of(sqrtf(x))) {
        test_context("sqrt(%a)", (double)x);
        CHECK_EQ_U(bits_of(spn__sqrt(x)), bits_of(sqrtf(x)));
    }
}

/* Results repeat with every second exponent. */
static void root_is_correctly_rounded_for_every_mantissa(void)
{
    for (uint32_t bits = 127u << 23; bits < 129u << 23; bits++)
        check_root(bits);
}

static void root_is_correctly_rounded_for_every_exponent(void)
{
    struct test_random random = {11};

    for (uint32_t exponent = 0; exponent < 255; exponent++) {
        for (uint32_t k = 0; k < 2000; k++)
            check_root(exponent << 23 | test_random_below(&random, 1u << 23));
        for (uint32_t k = 0; k < 64; k++) {
            check_root(exponent << 23 | k);
            check_root(exponent << 23 | (0x7fffffu - k));
        }
    }
    for (uint32_t bits = 0; bits < 100000; bits++)
        check_root(bits);
}

static void root_of_a_negative_number_is_zero(void)
{
    CHECK_EQ_U(bits_of(spn__sqrt(-1.0f)), 0);
    CHECK_EQ_U(bits_of(spn__sqrt(-INFINITY)), 0);
    CHECK_EQ_U(bits_of(spn__sqrt(NAN)), 0);
    CHECK_EQ_U(bits_of(spn__sqrt(0.0f)), 0);
    CHECK_EQ_U(bits_of(spn__sqrt(-0.0f)), 0x80000000u);
    CHECK(spn__sqrt(INFINITY) == INFINITY);
}

/* -- slerp -- */

static double uniform(struct test_random *random)
{
    return (double)(test_random_u64(random) >> 11) / 9007199254740992.0 * 2 - 1;
}

static void random_unit(struct test_random *random, double q[4])
{
    double squared;

    do {
        squared = 0;
        for (int i = 0; i < 4; i++) {
            q[i] = uniform(random);
            squared += q[i] * q[i];
        }
    } while (squared < 0.01 || squared > 1);
    for (int i = 0; i < 4; i++)
        q[i] /= sqrt(squared);
}

static void set_rotation(struct quat_tns *t, const double q[4])
{
    memset(t, 0, sizeof *t);
    for (int i = 0; i < 4; i++)
        t->rotation[i] = (float)q[i];
    t->scale[0] = t->scale[1] = t->scale[2] = 1;
}

/* Slerp of the given floats, normalised; angle by atan2, which is accurate for
 * small and large angles. */
static void reference_slerp(const float a[4], const float b[4], double alpha,
                            double out[4])
{
    double na = 0;
    double nb = 0;
    double dot = 0;
    double minus = 0;
    double plus = 0;
    double angle;

    for (int i = 0; i < 4; i++) {
        na += (double)a[i] * (double)a[i];
        nb += (double)b[i] * (double)b[i];
        dot += (double)a[i] * (double)b[i];
    }
    na = sqrt(na);
    nb = sqrt(nb) * (dot < 0 ? -1 : 1);
    for (int i = 0; i < 4; i++) {
        double p = (double)a[i] / na;
        double q = (double)b[i] / nb;

        minus += (p - q) * (p - q);
        plus += (p + q) * (p + q);
    }
    angle = 2 * atan2(sqrt(minus), sqrt(plus));
    for (int i = 0; i < 4; i++) {
        double p = (double)a[i] / na;
        double q = (double)b[i] / nb;

        out[i] = angle < 1e-12
                     ? p
                     : (sin((1 - alpha) * angle) * p + sin(alpha * angle) * q) /
                           sin(angle);
    }
}

static void slerp(const struct quat_tns *a, const struct quat_tns *b,
                  float alpha, struct quat_tns *out)
{
    struct transform both[2] = {{.tns = *a}, {.tns = *b}};

    /* out may be an input */
    spn__transform_between(&both[0], &both[1], alpha, &both[1]);
    *out = both[1].tns;
}

static double slerp_error(const double p[4], const double q[4], float alpha)
{
    struct quat_tns a;
    struct quat_tns b;
    struct quat_tns out;
    double expected[4];
    double worst = 0;

    set_rotation(&a, p);
    set_rotation(&b, q);
    slerp(&a, &b, alpha, &out);
    reference_slerp(a.rotation, b.rotation, (double)alpha, expected);
    for (int i = 0; i < 4; i++) {
        double error = fabs((double)out.rotation[i] - expected[i]);

        CHECK(error == error);
        worst = error > worst ? error : worst;
    }
    return worst;
}

static void slerp_is_within_a_millionth(void)
{
    struct test_random random = {3};
    double worst = 0;

    for (int round = 0; round < 200000; round++) {
        double p[4];
        double q[4];
        float alpha = (float)(uniform(&random) * 0.5 + 0.5);
        double error;

        random_unit(&random, p);
        random_unit(&random, q);
        /* Angles from any size down to almost 0 and almost 180 degrees. */
        if (round % 3 != 0) {
            double distance = pow(10, -(double)test_random_below(&random, 9));
            double squared = 0;

            for (int i = 0; i < 4; i++) {
                q[i] = p[i] + distance * q[i];
                squared += q[i] * q[i];
            }
            for (int i = 0; i < 4; i++)
                q[i] /= (round % 3 == 1 ? 1 : -1) * sqrt(squared);
        }
        error = slerp_error(p, q, alpha);
        worst = error > worst ? error : worst;
    }
    test_context("worst error %g", worst);
    CHECK(worst < 2e-7); /* 1.35e-7 was seen; the contract is 1e-6 */
}

static void slerp_rotates_by_90_and_180_degrees(void)
{
    const double identity[4] = {0, 0, 0, 1};
    const double half_turn_x[4] = {1, 0, 0, 0};
    const double opposite[4] = {0, 0, 0, -1};
    const double quarter_z[4] = {0, 0, 0.70710678118654752440,
                                 0.70710678118654752440};

    for (int k = 0; k <= 64; k++) {
        CHECK(slerp_error(identity, half_turn_x, (float)k / 64) < 1e-6);
        CHECK(slerp_error(half_turn_x, identity, (float)k / 64) < 1e-6);
        CHECK(slerp_error(identity, quarter_z, (float)k / 64) < 1e-6);
        if (k < 64) /* at 1 the result is b, with b's sign */
            CHECK(slerp_error(identity, opposite, (float)k / 64) < 1e-6);
    }
}

static void slerp_ends_are_the_inputs_bit_for_bit(void)
{
    struct test_random random = {5};

    for (int round = 0; round < 1000; round++) {
        struct quat_tns a;
        struct quat_tns b;
        struct quat_tns out;
        double q[4];

        random_unit(&random, q);
        set_rotation(&a, q);
        random_unit(&random, q);
        set_rotation(&b, q);
        a.translation[0] = 1e30f;
        b.scale[1] = -3.1f;
        slerp(&a, &b, 0, &out);
        CHECK_MEM(&out, &a, sizeof out);
        slerp(&a, &b, 1, &out);
        CHECK_MEM(&out, &b, sizeof out);
        slerp(&a, &b, NAN, &out);
        CHECK_MEM(&out, &a, sizeof out);
        slerp(&a, &b, 7, &out);
        CHECK_MEM(&out, &b, sizeof out);
        slerp(&a, &b, 0.25f, &out);
        CHECK(out.scale[1] == 1 + (-3.1f - 1) * 0.25f);
    }
}

static void slerp_of_unnormalised_quaternions_gives_no_nan(void)
{
    const float values[] = {0, 1, -1, 1e-30f, -3e18f, 1e-3f};
    struct test_random random = {8};

    for (int round = 0; round < 20000; round++) {
        struct quat_tns a = {{0}, {0}, {0}};
        struct quat_tns b = {{0}, {0}, {0}};
        struct quat_tns out;

        for (int i = 0; i < 4; i++) {
            a.rotation[i] = values[test_random_below(&random, 6)];
            b.rotation[i] = values[test_random_below(&random, 6)];
        }
        slerp(&a, &b, (float)(uniform(&random) * 0.5 + 0.5), &out);
        for (int i = 0; i < 4; i++)
            CHECK(out.rotation[i] == out.rotation[i]);
    }
}

static void translation_and_scale_are_linear(void)
{
    struct quat_tns a = {{0, 0, 0, 1}, {1, 2, 3}, {1, -1, 2}};
    struct quat_tns b = {{0, 0, 0, 1}, {3, 2, -5}, {2, -3, 2}};
    struct quat_tns out;

    slerp(&a, &b, 0.5f, &out);
    CHECK(out.translation[0] == 2 && out.translation[1] == 2 &&
          out.translation[2] == -1);
    CHECK(out.scale[0] == 1.5f && out.scale[1] == -2 && out.scale[2] == 2);
}

static void matrices_are_interpolated_elementwise(void)
{
    struct transform a = {.is_affine = true};
    struct transform b = {.is_affine = true};
    struct transform out;
    float matrix[12];

    for (int i = 0; i < 12; i++) {
        a.affine[i] = (float)i;
        b.affine[i] = (float)(i * i);
    }
    spn__transform_between(&a, &b, 0.25f, &out);
    CHECK(out.is_affine);
    for (int i = 0; i < 12; i++)
        CHECK_NEAR(out.affine[i], i + 0.25 * (i * i - i), 1e-5);
    spn__transform_between(&a, &b, 0, &out);
    CHECK_MEM(out.affine, a.affine, sizeof a.affine);
    spn__transform_between(&a, &b, 1, &out);
    CHECK_MEM(out.affine, b.affine, sizeof b.affine);
    spn__transform_resolve(&b, matrix);
    CHECK_MEM(matrix, b.affine, sizeof matrix);
    spn__transform_between(&a, &b, 0.5f, &a); /* out may be an input */
    CHECK_NEAR(a.affine[4], 10, 1e-6);
}

static void rotations_are_interpolated_by_slerp(void)
{
    struct transform a = {.tns = {{0, 0, 0, 1}, {1, 2, 3}, {1, -1, 2}}};
    struct transform b = {.tns = {{0, 0, 1, 0}, {3, 2, -5}, {2, -3, 2}}};
    struct transform out;
    float matrix[12];
    float expected[12];

    spn__transform_between(&a, &b, 0.25f, &out);
    CHECK(!out.is_affine);
    CHECK(out.tns.translation[2] == 1 && out.tns.scale[1] == -1.5f);
    spn__transform_resolve(&out, matrix);
    spn__transform_matrix(&out.tns, expected);
    CHECK_MEM(matrix, expected, sizeof matrix);
}

/* -- matrices -- */

/* p' = t + q (s p) q*, by the definition of the quaternion product. */
static void reference_point(const struct quat_tns *t, const double p[3],
                            double out[3])
{
    double q[4];
    double v[3];
    double u[3];

    for (int i = 0; i < 4; i++)
        q[i] = (double)t->rotation[i];
    for (int i = 0; i < 3; i++)
        v[i] = p[i] * (double)t->scale[i];
    for (int i = 0; i < 3; i++)
        u[i] = q[(i + 1) % 3] * v[(i + 2) % 3] -
               q[(i + 2) % 3] * v[(i + 1) % 3] + q[3] * v[i];
    for (int i = 0; i < 3; i++)
        out[i] = v[i] +
                 2 * (q[(i + 1) % 3] * u[(i + 2) % 3] -
                      q[(i + 2) % 3] * u[(i + 1) % 3]) +
                 (double)t->translation[i];
}

static void apply(const float m[12], const double p[3], double out[3])
{
    for (int r = 0; r < 3; r++)
        out[r] = (double)m[r * 4] * p[0] + (double)m[r * 4 + 1] * p[1] +
                 (double)m[r * 4 + 2] * p[2] + (double)m[r * 4 + 3];
}

static void random_transform(struct test_random *random, struct quat_tns *t)
{
    double q[4];

    random_unit(random, q);
    set_rotation(t, q);
    for (int i = 0; i < 3; i++) {
        t->translation[i] = (float)(uniform(random) * 10);
        t->scale[i] = (float)(uniform(random) * 2); /* mirrors half the time */
    }
}

static void matrix_scales_rotates_then_translates(void)
{
    struct test_random random = {21};

    for (int round = 0; round < 5000; round++) {
        struct quat_tns t;
        const double p[3] = {uniform(&random), uniform(&random),
                             uniform(&random)};
        float m[12];
        double expected[3];
        double out[3];

        random_transform(&random, &t);
        spn__transform_matrix(&t, m);
        reference_point(&t, p, expected);
        apply(m, p, out);
        for (int i = 0; i < 3; i++)
            CHECK_NEAR(out[i], expected[i], 1e-5);
    }
}

static void multiply_applies_local_first_even_in_place(void)
{
    struct test_random random = {22};

    for (int round = 0; round < 2000; round++) {
        struct quat_tns t;
        const double p[3] = {uniform(&random), uniform(&random),
                             uniform(&random)};
        float parent[12];
        float local[12];
        float product[12];
        float in_place[12];
        double middle[3];
        double expected[3];
        double out[3];

        random_transform(&random, &t);
        spn__transform_matrix(&t, parent);
        random_transform(&random, &t);
        spn__transform_matrix(&t, local);
        spn__transform_multiply(parent, local, product);
        apply(local, p, middle);
        apply(parent, middle, expected);
        apply(product, p, out);
        for (int i = 0; i < 3; i++)
            CHECK_NEAR(out[i], expected[i], 1e-4);

        memcpy(in_place, parent, sizeof in_place);
        spn__transform_multiply(in_place, local, in_place);
        CHECK_MEM(in_place, product, sizeof product);
        memcpy(in_place, local, sizeof in_place);
        spn__transform_multiply(parent, in_place, in_place);
        CHECK_MEM(in_place, product, sizeof product);
    }
}

TEST_MAIN(TEST(root_is_correctly_rounded_for_every_mantissa),
          TEST(root_is_correctly_rounded_for_every_exponent),
          TEST(root_of_a_negative_number_is_zero),
          TEST(slerp_is_within_a_millionth),
          TEST(slerp_rotates_by_90_and_180_degrees),
          TEST(slerp_ends_are_the_inputs_bit_for_bit),
          TEST(slerp_of_unnormalised_quaternions_gives_no_nan),
          TEST(translation_and_scale_are_linear),
          TEST(matrices_are_interpolated_elementwise),
          TEST(rotations_are_interpolated_by_slerp),
          TEST(matrix_scales_rotates_then_translates),
          TEST(multiply_applies_local_first_even_in_place))
