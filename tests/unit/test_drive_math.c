/* test_drive_math.c
 *
 * Goal: products, quotients and roots are exact for every size of their
 *   operands.
 * Method: comparison with the compiler's 128-bit integers where available,
 *   with the definition of a root, and at every limit.
 */
/* SPDX-License-Identifier: MIT */
#include "disc/drive_math.h"
#include "harness.h"

/* Small and large numbers, and numbers with few bits set, which produce
 * carries. */
static uint64_t draw(struct test_random *random)
{
    uint64_t value = (uint64_t)test_random_below(random, UINT32_MAX) << 32 |
                     test_random_below(random, UINT32_MAX);

    switch (test_random_below(random, 4)) {
    case 0:
        return value >> test_random_below(random, 64);
    case 1:
        return UINT64_MAX - test_random_below(random, 3);
    case 2:
        return (uint64_t)1 << test_random_below(random, 64);
    default:
        return value;
    }
}

static void math_divides_products_exactly(void)
{
    CHECK_EQ_U(spn__mul_div(0, UINT64_MAX, 1), 0);
    CHECK_EQ_U(spn__mul_div(UINT64_MAX, UINT64_MAX, UINT64_MAX), UINT64_MAX);
    CHECK_EQ_U(spn__mul_div(UINT64_MAX, UINT64_MAX, UINT64_MAX - 1),
               UINT64_MAX);
    CHECK_EQ_U(spn__mul_div(UINT64_MAX, 2, 1), UINT64_MAX);
    CHECK_EQ_U(spn__mul_div(7, 1, 2), 3);
    CHECK_EQ_U(spn__mul_div_near(7, 1, 2), 4);
    CHECK_EQ_U(spn__mul_div_near(UINT64_MAX, 1, 1), UINT64_MAX);
    CHECK_EQ_U(spn__mul_div_near(UINT64_MAX, UINT64_MAX, 3), UINT64_MAX);
}

static void math_agrees_with_the_compiler(void)
{
#if defined(__SIZEOF_INT128__)
    struct test_random random = {5};

    for (uint32_t i = 0; i < 20000; i++) {
        uint64_t a = draw(&random);
        uint64_t b = draw(&random);
        uint64_t c = draw(&random);
        __extension__ unsigned __int128 wide = a;

        c += c == 0;
        wide *= b;
        test_context("seed 5, round %u", i);
        CHECK_EQ_U(spn__mul_div(a, b, c),
                   wide / c > UINT64_MAX ? UINT64_MAX : (uint64_t)(wide / c));
        wide += c / 2;
        CHECK_EQ_U(spn__mul_div_near(a, b, c),
                   wide / c > UINT64_MAX ? UINT64_MAX : (uint64_t)(wide / c));
    }
#else
    test_skip("the compiler has no 128-bit integers");
#endif
}

static void math_roots_are_the_largest_that_fit(void)
{
    struct test_random random = {6};

    CHECK_EQ(spn__root(0), 0);
    CHECK_EQ(spn__root(1), 1);
    CHECK_EQ(spn__root(3), 1);
    CHECK_EQ(spn__root(4), 2);
    CHECK_EQ_U(spn__root(UINT64_MAX), UINT32_MAX);
    for (uint32_t i = 0; i < 20000; i++) {
        uint64_t value = draw(&random);
        uint64_t root = spn__root(value);

        CHECK(root * root <= value);
        CHECK(root == UINT32_MAX || (root + 1) * (root + 1) > value);
    }
}

TEST_MAIN(TEST(math_divides_products_exactly),
          TEST(math_agrees_with_the_compiler),
          TEST(math_roots_are_the_largest_that_fit))
