/* Goal: every shape gives each error a code; the counts of shapes are those of
 * the model, and the same on every machine.
 *
 * Method: sums, symmetry and order of all counts; the table of slots against
 * the counts; the weights of the model computed again in double precision.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "anim/anim_symbols.h"

#include <math.h>
#include <stdlib.h>

#define MAGNITUDES (ANIM_ESCAPE / 2)

static void counts_fill_all_slots(void)
{
    for (uint32_t s = 0; s < ANIM_SHAPES; s++) {
        uint16_t counts[ANIM_SYMBOLS];
        uint32_t sum = 0;

        spn__anim_symbol_counts(s, counts);
        for (uint32_t i = 0; i < ANIM_SYMBOLS; i++)
            sum += counts[i];
        CHECK_EQ_U(sum, ANIM_SLOTS);
        CHECK(counts[0] > 0);
        CHECK_EQ_U(counts[ANIM_ESCAPE], ANIM_ESCAPE_COUNT);
    }
}

static void errors_of_both_signs_are_alike(void)
{
    for (uint32_t s = 0; s < ANIM_SHAPES; s++) {
        uint16_t counts[ANIM_SYMBOLS];

        spn__anim_symbol_counts(s, counts);
        for (uint32_t n = 1; n <= MAGNITUDES; n++) {
            CHECK_EQ_U(counts[2 * n - 1], counts[2 * n]);
            CHECK(counts[2 * n] <= counts[2 * n - 2]);
        }
    }
}

/* p(n) of anim_symbols.h. */
static double power_of(double ratio, int n)
{
    return pow(ratio, abs(n));
}

static void counts_are_those_of_the_model(void)
{
    for (uint32_t s = 0; s < ANIM_SHAPES; s++) {
        const double mean = (9 + 2 * (s % 4)) * exp2(s / 4);
        const double t = mean / (mean + 192);
        double weights[MAGNITUDES + 1];
        double sum = 0;
        uint16_t counts[ANIM_SYMBOLS];

        spn__anim_symbol_counts(s, counts);
        for (int n = 0; n <= (int)MAGNITUDES; n++) {
            weights[n] = 6 * power_of(t, n);
            if (s > 0)
                weights[n] += power_of(t, n - 1) + power_of(t, n + 1);
            sum += n == 0 ? weights[n] : 2 * weights[n];
        }
        for (uint32_t n = 1; n <= MAGNITUDES; n++)
            CHECK(fabs(weights[n] / sum * (ANIM_SLOTS - ANIM_ESCAPE_COUNT) -
                       counts[2 * n]) <= 0.51);
    }
}

static void slots_hold_the_symbols_in_their_order(void)
{
    struct anim_symbols *symbols = malloc(sizeof *symbols);

    CHECK(symbols != NULL);
    spn__anim_symbols_init(symbols);
    for (uint32_t s = 0; s < ANIM_SHAPES; s++) {
        uint16_t counts[ANIM_SYMBOLS];
        uint32_t at = 0;

        spn__anim_symbol_counts(s, counts);
        for (uint32_t i = 0; i < ANIM_SYMBOLS; i++)
            for (uint32_t k = 0; k < counts[i]; k++) {
                const uint32_t slot = symbols->slots[s][at++];

                CHECK_EQ_U(anim_slot_count(slot), counts[i]);
                CHECK_EQ_U(anim_slot_place(slot), k);
                CHECK_EQ(anim_slot_quotient(slot),
                         i == ANIM_ESCAPE ? ANIM_SLOT_ESCAPE
                                          : anim_zigzag_inverse(i));
            }
    }
    free(symbols);
}

TEST_MAIN(TEST(counts_fill_all_slots), TEST(errors_of_both_signs_are_alike),
          TEST(counts_are_those_of_the_model),
          TEST(slots_hold_the_symbols_in_their_order))
