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

static uint32_t triple_value(uint32_t symbol)
{
    const uint32_t q0 = symbol / 81u - TRIPLE_Q_MAX;
    const uint32_t q1 = symbol / 9u % 9u - TRIPLE_Q_MAX;
    const uint32_t q2 = symbol % 9u - TRIPLE_Q_MAX;

    if (symbol == TRIPLE_ESCAPE)
        return RESIDUAL_VALUE_IS_ESCAPE;
    return (q0 & 255u) << 8 | (q1 & 255u) << 16 | (q2 & 255u) << 24;
}

static uint32_t quad_value(uint32_t symbol)
{
    uint32_t entry = 0;

    if (symbol == QUAD_ESCAPE)
        return RESIDUAL_VALUE_IS_ESCAPE;
    for (int i = 3; i >= 0; i--) {
        uint32_t f = symbol % 5u - QUAD_Q_MAX;

        entry |= (f & 15u) << (16 + 4 * i);
        symbol /= 5u;
    }
    return entry;
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

/* The classes that use a table, as a mask: 6..14 use tables 6, 7, 8, 6, 7 ...
 */
static uint32_t classes_of_table(uint32_t table)
{
    if (table < 6)
        return 1u << table;
    return (1u << table | 1u << (table + 3) | 1u << (table + 6)) |
           (table == 8 ? 1u << 15 : 0u);
}

spn_status spn__residual_tables_expand(const uint8_t *wire, size_t bytes,
                                       struct residual_tables *out,
                                       struct spn_fault *fault)
{
    size_t at = 0;
    bool is_absent;

    if (bytes != RESIDUAL_TABLES_BYTES)
        return wire_refuse(fault, "code lengths of a table", 0,
                           (uint32_t)bytes);
    out->has_triple = 1;
    out->has_quad = 1;
    for (uint32_t s = 0; s < TRIPLE_SYMBOLS; s++)
        out->triple_value[s] = triple_value(s);
    for (uint32_t s = 0; s < QUAD_SYMBOLS; s++)
        out->quad_value[s] = quad_value(s);
    /* The symbol of all zeros is the middle one. */
    for (uint32_t i = 0; i < RESIDUAL_TABLE_ENTRIES; i++) {
        out->triple[0][i] = TRIPLE_ESCAPE / 2 << RESIDUAL_ENTRY_SYMBOL;
        out->quad[0][i] = QUAD_ESCAPE / 2 << RESIDUAL_ENTRY_SYMBOL;
    }
    for (uint32_t t = 0; t < TRIPLE_TABLES; t++) {
        if (!expand(wire + at, TRIPLE_SYMBOLS, out->triple[t + 1], &is_absent))
            return wire_refuse_wide(fault, "code lengths of a table", at, t);
        if (!is_absent)
            out->has_triple |= classes_of_table(t + 1);
        at += TRIPLE_LENGTH_BYTES;
    }
    for (uint32_t t = 0; t < QUAD_TABLES; t++) {
        if (!expand(wire + at, QUAD_SYMBOLS, out->quad[t + 1], &is_absent))
            return wire_refuse_wide(fault, "code lengths of a table", at,
                                    TRIPLE_TABLES + t);
        if (!is_absent)
            out->has_quad |= 2u << t;
        at += QUAD_LENGTH_BYTES;
    }
    return SPN_OK;
}
