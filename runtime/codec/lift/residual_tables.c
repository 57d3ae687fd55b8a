/* residual_tables.c - makes decoding tables from code lengths.
 *
 * Only this file turns lengths into codes. Incomplete codes are refused, so
 * each look-up of 11 bits finds a code.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/residual_tables.h"

#include "base/mem.h"
#include "base/wire.h"

static uint16_t reverse(uint32_t code, uint32_t bits)
{
    uint32_t reversed = 0;

    for (uint32_t i = 0; i < bits; i++)
        reversed |= (code >> i & 1u) << (bits - 1 - i);
    return (uint16_t)reversed;
}

static uint32_t length_of(const uint8_t *lengths, uint32_t symbol)
{
    return (uint32_t)lengths[symbol / 2] >> (symbol % 2 * 4) & 15u;
}

bool spn__residual_codes(const uint8_t *lengths, uint32_t symbol_count,
                         uint16_t *codes)
{
    uint32_t count[16] = {0};
    uint32_t next[RESIDUAL_CODE_BITS + 1] = {0};
    uint32_t used = 0;

    for (uint32_t s = 0; s < symbol_count; s++)
        count[length_of(lengths, s)]++;
    for (uint32_t bits = 1; bits <= RESIDUAL_CODE_BITS; bits++)
        used += count[bits] * (RESIDUAL_TABLE_ENTRIES >> bits);
    for (uint32_t bits = RESIDUAL_CODE_BITS + 1; bits < 16; bits++)
        used += count[bits] * (RESIDUAL_TABLE_ENTRIES + 1);
    if (used != RESIDUAL_TABLE_ENTRIES)
        return false;
    for (uint32_t bits = 2; bits <= RESIDUAL_CODE_BITS; bits++)
        next[bits] = (next[bits - 1] + count[bits - 1]) << 1;
    for (uint32_t s = 0; s < symbol_count; s++) {
        uint32_t bits = length_of(lengths, s);

        if (bits > 0)
            codes[s] = reverse(next[bits]++, bits);
    }
    return true;
}

/* The numbers of all symbols: the digits of the symbol to the base 2 q_max + 1,
 * less q_max, in the high bits, the last digit highest. The symbol after these
 * is the escape. */
static void find_values(uint32_t *values, uint32_t escape, uint32_t q_max,
                        uint32_t bits)
{
    for (uint32_t s = 0; s < escape; s++) {
        uint32_t value = 0;
        uint32_t at = 32;

        for (uint32_t rest = s, left = escape; left > 1;
             rest /= 2 * q_max + 1, left /= 2 * q_max + 1) {
            at -= bits;
            value |= ((rest % (2 * q_max + 1) - q_max) & ((1u << bits) - 1))
                     << at;
        }
        values[s] = value;
    }
    values[escape] = RESIDUAL_VALUE_IS_ESCAPE;
}

static bool expand(const uint8_t *lengths, uint32_t symbol_count,
                   uint16_t *table, bool *is_absent)
{
    uint16_t codes[TRIPLE_SYMBOLS];

    *is_absent = true;
    for (uint32_t i = 0; i < symbol_count / 2; i++)
        *is_absent = *is_absent && lengths[i] == 0;
    if (*is_absent) {
        memset(table, 0, RESIDUAL_TABLE_ENTRIES * sizeof *table);
        return true;
    }
    if (!spn__residual_codes(lengths, symbol_count, codes))
        return false;
    for (uint32_t s = 0; s < symbol_count; s++) {
        uint32_t bits = length_of(lengths, s);

        if (bits == 0)
            continue;
        for (uint32_t i = codes[s]; i < RESIDUAL_TABLE_ENTRIES; i += 1u << bits)
            table[i] = (uint16_t)(s << RESIDUAL_ENTRY_SYMBOL | bits);
    }
    return true;
}

/* Table 0 and the expanded tables at `wire`. Returns the tables that are there
 * as a mask, or 0 if one of them is invalid. */
static uint32_t expand_all(const uint8_t *wire, uint32_t table_count,
                           uint32_t symbol_count,
                           uint16_t tables[][RESIDUAL_TABLE_ENTRIES])
{
    uint32_t mask = 1;

    /* The symbol of all zeros is the middle one. */
    for (uint32_t i = 0; i < RESIDUAL_TABLE_ENTRIES; i++)
        tables[0][i] =
            (uint16_t)((symbol_count - 1) / 2 << RESIDUAL_ENTRY_SYMBOL);
    for (uint32_t t = 1; t <= table_count; t++, wire += symbol_count / 2) {
        bool is_absent;

        if (!expand(wire, symbol_count, tables[t], &is_absent))
            return 0;
        mask |= (uint32_t)!is_absent << t;
    }
    return mask;
}

spn_status spn__residual_tables_expand(const uint8_t *wire, size_t bytes,
                                       struct residual_tables *out,
                                       struct spn_fault *fault)
{
    const uint8_t *quads = wire + TRIPLE_TABLES * TRIPLE_LENGTH_BYTES;
    uint32_t last_three; /* tables 6, 7 and 8 */

    if (bytes != RESIDUAL_TABLES_BYTES)
        return wire_refuse(fault, "code lengths of a table", 0,
                           (uint32_t)bytes);
    find_values(out->triple_value, TRIPLE_ESCAPE, TRIPLE_Q_MAX, 8);
    find_values(out->quad_value, QUAD_ESCAPE, QUAD_Q_MAX, 4);
    out->has_triple =
        expand_all(wire, TRIPLE_TABLES, TRIPLE_SYMBOLS, out->triple);
    out->has_quad = expand_all(quads, QUAD_TABLES, QUAD_SYMBOLS, out->quad);
    if (out->has_triple == 0 || out->has_quad == 0)
        return wire_refuse(fault, "code lengths of a table", 0, 0);
    /* Classes 6..14 use tables 6, 7, 8, 6, 7 ...; class 15 uses table 8. */
    last_three = out->has_triple >> 6;
    out->has_triple |=
        last_three << 9 | last_three << 12 | last_three >> 2 << 15;
    return SPN_OK;
}
