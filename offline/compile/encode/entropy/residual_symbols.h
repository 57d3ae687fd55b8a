/* residual_symbols.h - the symbols of residuals in the residual coder.
 *
 * codec/lift/residual_coder.h defines runs, quotients q, triples, quads and
 * their symbols. The residuals of a run are RESIDUAL_RUN vertices with four
 * numbers each; the first three count. The functions keep no state.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENTROPY_RESIDUAL_SYMBOLS_H
#define OFFLINE_COMPILE_ENCODE_ENTROPY_RESIDUAL_SYMBOLS_H

#include "codec/lift/residual_coder.h"

/* q of a residual: residual / 2^low_bits, rounded; a half is rounded up. */
static inline int16_t residual_quotient(int16_t residual, uint32_t low_bits)
{
    const uint32_t half = low_bits > 0 ? low_bits - 1 : 0;

    return (int16_t)((residual >> low_bits) +
                     (low_bits > 0 ? residual >> half & 1 : 0));
}

/* An escaped triple takes 16 bits if each q is in -16..15. Otherwise it takes a
 * byte and three numbers. */
static inline bool residual_is_long(int16_t q)
{
    return (uint16_t)(q + 16) >= 32;
}

/* The symbol of a triple. No branches, because residuals are not predictable.
 */
static inline uint16_t residual_triple_symbol(int16_t q0, int16_t q1,
                                              int16_t q2)
{
    const uint16_t a = (uint16_t)(q0 + TRIPLE_Q_MAX);
    const uint16_t b = (uint16_t)(q1 + TRIPLE_Q_MAX);
    const uint16_t c = (uint16_t)(q2 + TRIPLE_Q_MAX);
    const bool is_escape = (a > 2 * TRIPLE_Q_MAX) | (b > 2 * TRIPLE_Q_MAX) |
                           (c > 2 * TRIPLE_Q_MAX);

    return is_escape ? TRIPLE_ESCAPE : (uint16_t)(81u * a + 9u * b + c);
}

/* The symbol of the fourth residuals of four vertices. */
static inline uint16_t residual_quad_symbol(const int16_t f[4])
{
    uint32_t symbol = 0;

    for (int i = 0; i < 4; i++) {
        if (f[i] < -QUAD_Q_MAX || f[i] > QUAD_Q_MAX)
            return QUAD_ESCAPE;
        symbol = symbol * 5 + (uint32_t)(f[i] + QUAD_Q_MAX);
    }
    return (uint16_t)symbol;
}

/* The symbols of the triples of a run whose residuals have `low_bits` low
 * bits. */
static inline void residual_symbols(const int16_t *residuals, uint32_t low_bits,
                                    uint16_t symbols[RESIDUAL_RUN])
{
    for (uint32_t v = 0; v < RESIDUAL_RUN; v++)
        symbols[v] = residual_triple_symbol(
            residual_quotient(residuals[4 * v], low_bits),
            residual_quotient(residuals[4 * v + 1], low_bits),
            residual_quotient(residuals[4 * v + 2], low_bits));
}

#endif
