/* anim_symbols.h - the entropy code of prediction errors: fixed tables.
 *
 * A prediction error r is coded with a class, which says how large it is
 * expected to be (anim_activity.h). Class k expects a mean magnitude between
 * 2^(k/4 - 4) and 2^((k + 1)/4 - 4), roughly. The class gives a number of low
 * bits h and one of 20 shapes:
 *
 *   k < 16    h = 0                  shape k
 *   k >= 16   h = (k - 16) / 4       shape 16 + k % 4      (rounded down)
 *
 * With half = 2^(h-1), or 0 if h is 0, r + half is divided into the quotient q
 * (rounded down) and h low bits, which are stored raw. The zigzag of q (0, -1,
 * 1, -2, ... become 0, 1, 2, 3, ...) is a symbol if the shape counts it; if
 * not, the symbol is ANIM_ESCAPE, and the zigzag is stored raw: its length as a
 * number of 5 bits, then so many bits.
 *
 * Symbols are coded by asymmetric numeral systems (J. Duda, Asymmetric numeral
 * systems, 2013; F. Giesen, Interleaved entropy coders, 2014: rANS). A shape
 * has the counts of its symbols; their sum is 512. A decoder state is 32
 * bits, from 2^16 on, and is refilled by 16-bit words:
 *
 *   slot   = state % 512
 *   symbol = the one with first[symbol] <= slot < first[symbol] + count[symbol]
 *   state  = count[symbol] * (state / 512) + slot - first[symbol]
 *   if state < 2^16: state = state * 2^16 + next word
 *
 * The counts follow from a model: an error is the sum of a number whose
 * probability falls geometrically with its magnitude, and of the noise of
 * rounding values to integers. For shape s and the quotient n or -n,
 *
 *   M    = (9 + 2 (s % 4)) 2^(s / 4)    the exponent rounded down
 *   p(0) = 2^16,  p(n) = p(n - 1) t     with t = M / (M + 192)
 *   w(n) = p(n - 1) + 6 p(n) + p(n + 1) with p(-1) = p(1)
 *
 * where M is the expected mean magnitude in units of 1/128, products are
 * rounded down, and t is a multiple of 2^-16. In shape 0 values rest and have
 * no noise: w(n) = 6 p(n). ANIM_ESCAPE has the count ANIM_ESCAPE_COUNT. The
 * others share what remains of the 512 in proportion to their weights,
 * rounded to the nearest integer; the symbol of 0 has the rest.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_ANIM_SYMBOLS_H
#define SPN_ANIM_ANIM_SYMBOLS_H

#include <stdint.h>

#define ANIM_CLASSES 96u
#define ANIM_SHAPES 20u
#define ANIM_SYMBOLS 32u
#define ANIM_ESCAPE (ANIM_SYMBOLS - 1)
#define ANIM_ESCAPE_COUNT 4u
#define ANIM_SLOT_BITS 9u
#define ANIM_SLOTS (1u << ANIM_SLOT_BITS)
#define ANIM_STATE_MIN (1u << 16) /* of a state; where an encoder begins */
#define ANIM_ESCAPE_LENGTH_BITS 5u

/* The counts of a shape below ANIM_SHAPES; a symbol that the shape does not
 * count has 0. */
void spn__anim_symbol_counts(uint32_t shape, uint16_t counts[ANIM_SYMBOLS]);

/* The counts in the form that the decoder needs: 40 KiB, the same for all
 * clips. Filled once by spn__anim_symbols_init, then only read, by any thread;
 * the caller owns it. A slot has all that decoding its symbol takes, so that
 * one access to memory is enough: from the low bits on
 *
 *   count[symbol]          16 bits
 *   q of the symbol        6 bits, signed; ANIM_SLOT_ESCAPE for ANIM_ESCAPE
 *   slot - first[symbol]   9 bits
 */
struct anim_symbols {
    uint32_t slots[ANIM_SHAPES][ANIM_SLOTS];
};
void spn__anim_symbols_init(struct anim_symbols *symbols);

/* The inverse of the zigzag of ANIM_ESCAPE, which no symbol has. */
#define ANIM_SLOT_ESCAPE (-(int32_t)(ANIM_SYMBOLS / 2))

static inline uint32_t anim_slot(uint32_t count, int32_t q, uint32_t place)
{
    return count | ((uint32_t)q & 63u) << 16 | place << 22;
}
static inline uint32_t anim_slot_count(uint32_t slot)
{
    return slot & 0xffffu;
}
static inline int32_t anim_slot_quotient(uint32_t slot)
{
    return (int32_t)((slot >> 16 & 63u) ^ 32u) - 32;
}
static inline uint32_t anim_slot_place(uint32_t slot)
{
    return slot >> 22;
}

/* The shape and the number of low bits of a class. */
static inline uint32_t anim_class_shape(uint32_t class_)
{
    return class_ < 16 ? class_ : 16 + class_ % 4;
}
static inline uint32_t anim_class_low_bits(uint32_t class_)
{
    return class_ < 16 ? 0 : (class_ - 16) / 4;
}

static inline uint32_t anim_zigzag(int32_t q)
{
    return q < 0 ? ~((uint32_t)q << 1) : (uint32_t)q << 1;
}
static inline int32_t anim_zigzag_inverse(uint32_t zigzag)
{
    return (int32_t)(zigzag >> 1 ^ (0u - (zigzag & 1u)));
}

#endif
