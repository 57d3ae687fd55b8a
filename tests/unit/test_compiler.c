/* test_compiler.c
 *
 * Goal: base/compiler.h and base/atomic.h replace words of C11 with the same
 *   results on every family of compilers.
 * Method: each bit alone, and with all bits above and below it. The old and
 *   new value of each atomic operation at the ends of its range. On Windows the
 *   program is also built with the family of Microsoft's compilers
 *   (tests/win32/win32.mk).
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "base/atomic.h"
#include "base/compiler.h"

static void bits_have_places(void)
{
    for (uint32_t i = 0; i < 32; i++) {
        CHECK_EQ(compiler_lowest_bit(1u << i), i);
        CHECK_EQ(compiler_highest_bit(1u << i), i);
        CHECK_EQ(compiler_lowest_bit(UINT32_MAX << i), i);
        CHECK_EQ(compiler_highest_bit(UINT32_MAX >> i), 31 - i);
    }
    for (uint32_t i = 0; i < 64; i++) {
        CHECK_EQ(compiler_lowest_bit64(UINT64_C(1) << i), i);
        CHECK_EQ(compiler_lowest_bit64(UINT64_MAX << i), i);
    }
}

static void atomics_return_the_old_value(void)
{
    struct atomic_u32 a = {0};

    atomic_store_relaxed(&a, UINT32_MAX);
    CHECK_EQ(atomic_load_relaxed(&a), UINT32_MAX);
    CHECK_EQ(atomic_add_acq_rel(&a, 3), UINT32_MAX);
    CHECK_EQ(atomic_add_relaxed(&a, UINT32_MAX), 2);
    CHECK_EQ(atomic_or_acq_rel(&a, 0x80000006u), 1);
    CHECK_EQ(atomic_and_acq_rel(&a, 0x80000003u), 0x80000007u);
    CHECK_EQ(atomic_exchange_acq_rel(&a, 5), 0x80000003u);
    atomic_store_release(&a, atomic_load_acquire(&a) + 1);
    CHECK_EQ(atomic_load_acquire(&a), 6);
}

static void exchange_needs_the_expected_value(void)
{
    struct atomic_u32 a = {0};
    uint32_t expected = 7;

    atomic_store_relaxed(&a, UINT32_MAX);
    CHECK(!atomic_compare_exchange_acq_rel(&a, &expected, 1));
    CHECK_EQ(expected, UINT32_MAX);
    CHECK_EQ(atomic_load_relaxed(&a), UINT32_MAX);
    CHECK(atomic_compare_exchange_acq_rel(&a, &expected, 1));
    CHECK_EQ(expected, UINT32_MAX);
    CHECK_EQ(atomic_load_relaxed(&a), 1);
}

TEST_MAIN(TEST(bits_have_places), TEST(atomics_return_the_old_value),
          TEST(exchange_needs_the_expected_value))
