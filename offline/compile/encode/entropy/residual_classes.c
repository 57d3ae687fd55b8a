/* residual_classes.c - counts the bits of a run by each class, and takes the
 * cheapest.
 *
 * The costs of several tables are added at once. They are 16-bit numbers, the
 * lanes of a 64-bit word: one lane for each table.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/entropy/residual_classes.h"

#include "base/assert.h"
#include "compile/encode/entropy/residual_symbols.h"

#include <stdbool.h>
#include <string.h>

#define LOW_BITS_COUNT (RESIDUAL_LOW_BITS_MAX + 1u)
#define COST_NEVER UINT32_MAX

/* The lane of a symbol is the length of its code. If the table has no code for
 * the symbol, the highest bit of the lane is set, and the other bits are the
 * length of the escape. The sum of a run fits in a lane. */
#define LANE_BITS 16u
#define LANES_MAX 4u
#define LANE_ONES UINT64_C(0x0001000100010001)
#define LANE_ESCAPES (LANE_ONES << (LANE_BITS - 1))
SPN_STATIC_ASSERT(RESIDUAL_RUN *(RESIDUAL_CODE_BITS + 8 + 3 * 32) <
                      1u << LANE_BITS,
                  run_cost_fits_lane);

/* Store the cost of a symbol by a table in the lane of the table. */
static void add_lane(uint64_t words[2], uint32_t table, const uint8_t *length,
                     uint32_t symbol, uint32_t escape)
{
    const bool is_escaped = symbol == escape || length[symbol] == 0;
    const uint64_t lane =
        is_escaped ? length[escape] | 1u << (LANE_BITS - 1) : length[symbol];

    words[(table - 1) / LANES_MAX] |= lane
                                      << (table - 1) % LANES_MAX * LANE_BITS;
}

/* Return the sum of the costs by a table. */
static uint32_t lane_of(const uint64_t words[2], uint32_t table)
{
    return words[(table - 1) / LANES_MAX] >>
               (table - 1) % LANES_MAX * LANE_BITS &
           0xffff;
}

void residual_costs_make(struct residual_encoder *coder)
{
    memset(coder->triple_bits, 0, sizeof coder->triple_bits);
    memset(coder->quad_bits, 0, sizeof coder->quad_bits);
    for (uint32_t t = 1; t <= TRIPLE_TABLES; t++)
        for (uint32_t s = 0; s < TRIPLE_SYMBOLS; s++)
            add_lane(coder->triple_bits[s], t, coder->triple_length[t], s,
                     TRIPLE_ESCAPE);
    for (uint32_t t = 1; t <= QUAD_TABLES; t++)
        for (uint32_t s = 0; s < QUAD_SYMBOLS; s++)
            add_lane(coder->quad_bits[s], t, coder->quad_length[t], s,
                     QUAD_ESCAPE);
}

/* -- symbols -- */

/* The residuals of a run, component by component. Compilers vectorize loops
 * over this layout. */
struct run_numbers {
    int16_t number[3][RESIDUAL_RUN];
};

static void take_numbers(const int16_t *residuals, struct run_numbers *out)
{
    for (uint32_t v = 0; v < RESIDUAL_RUN; v++)
        for (uint32_t i = 0; i < 3; i++)
            out->number[i][v] = residuals[4 * v + i];
}

/* The symbols of a run, for a number of low bits. */
struct run_symbols {
    uint16_t symbol[RESIDUAL_RUN];
    /* Bits of the escape of each symbol, if the table escapes it. */
    uint16_t escape_bits[RESIDUAL_RUN];
};

/* Bits of one number of an escape. */
static inline uint16_t number_bits(int16_t q)
{
    return (uint16_t)(q + 127) < 255 ? 8 : 32;
}

/* Find the symbols of the triples. */
static void find_symbols(const struct run_numbers *numbers, uint32_t low_bits,
                         struct run_symbols *out)
{
    for (uint32_t v = 0; v < RESIDUAL_RUN; v++) {
        const int16_t x = residual_quotient(numbers->number[0][v], low_bits);
        const int16_t y = residual_quotient(numbers->number[1][v], low_bits);
        const int16_t z = residual_quotient(numbers->number[2][v], low_bits);
        const bool is_long =
            residual_is_long(x) || residual_is_long(y) || residual_is_long(z);

        out->symbol[v] = residual_triple_symbol(x, y, z);
        out->escape_bits[v] =
            (uint16_t)(is_long ? 8 + number_bits(x) + number_bits(y) +
                                     number_bits(z)
                               : 16);
    }
}

/* Add the costs of `count` symbols by four tables: those of bits[...][word].
 * The sum has a lane for each table. */
static uint64_t sum_bits(const uint64_t (*bits)[2], uint32_t word,
                         const struct run_symbols *symbols, uint32_t count)
{
    uint64_t sum = 0;

    for (uint32_t v = 0; v < count; v++) {
        const uint64_t lanes = bits[symbols->symbol[v]][word];

        sum += (lanes & ~LANE_ESCAPES) +
               (lanes >> (LANE_BITS - 1) & LANE_ONES) * symbols->escape_bits[v];
    }
    return sum;
}

/* Find the symbols of the quads. Return false if all residuals are 0. */
static bool find_quads(const int16_t *fourth, struct run_symbols *out)
{
    bool any = false;

    for (uint32_t v = 0; v < RESIDUAL_RUN; v += 4) {
        uint16_t bits = 0;

        for (uint32_t i = 0; i < 4; i++) {
            bits += number_bits(fourth[v + i]);
            any = any || fourth[v + i] != 0;
        }
        out->symbol[v / 4] = (uint16_t)residual_quad_symbol(fourth + v);
        out->escape_bits[v / 4] = bits;
    }
    return any;
}

/* The costs of a run in bits. The index is the number of low bits, k. */
struct run_costs {
    uint32_t bits[LOW_BITS_COUNT];            /* by the cheapest table */
    uint8_t table[LOW_BITS_COUNT];            /* the cheapest table */
    uint32_t last_table_bits[LOW_BITS_COUNT]; /* by table 8, for class 15 */
};

/* Count one table for one number of low bits. */
static void count_table(const struct residual_encoder *coder, uint32_t low_bits,
                        uint32_t table, const uint64_t sums[2],
                        struct run_costs *costs)
{
    const uint32_t bits = 3 * RESIDUAL_RUN * low_bits + lane_of(sums, table);

    if (coder->triple_length[table][TRIPLE_ESCAPE] == 0)
        return;
    if (bits < costs->bits[low_bits]) {
        costs->bits[low_bits] = bits;
        costs->table[low_bits] = (uint8_t)table;
    }
    if (table == TRIPLE_TABLES)
        costs->last_table_bits[low_bits] = bits;
}

/* *width: bits of the largest magnitude. With more low bits than that, runs
 * only become larger. Return false if all residuals are 0. */
static bool find_width(const struct run_numbers *numbers, uint32_t *width)
{
    uint16_t largest = 0;
    uint16_t any = 0;

    for (uint32_t v = 0; v < RESIDUAL_RUN; v++)
        for (uint32_t i = 0; i < 3; i++) {
            const int16_t x = numbers->number[i][v];

            any |= (uint16_t)x;
            largest |= (uint16_t)(x ^ x >> 15);
        }
    for (*width = 0; largest >> *width;)
        ++*width;
    return any != 0;
}

/* Count a run for all numbers of low bits. */
static void count_costs(const struct residual_encoder *coder,
                        const int16_t *residuals, struct run_costs *costs)
{
    struct run_numbers numbers;
    uint32_t width;

    for (uint32_t k = 0; k < LOW_BITS_COUNT; k++) {
        costs->bits[k] = COST_NEVER;
        costs->last_table_bits[k] = COST_NEVER;
    }
    take_numbers(residuals, &numbers);
    if (!find_width(&numbers, &width)) {
        costs->bits[0] = 0;
        costs->table[0] = 0;
        return;
    }
    for (uint32_t k = 0; k < LOW_BITS_COUNT && k <= width; k++) {
        struct run_symbols symbols;
        uint64_t sums[2] = {0};

        /* The least that k low bits can cost: 3 k + 1 bits for each vertex.
         * Stop if no low bits are cheaper than that. */
        if ((3 * k + 1) * RESIDUAL_RUN >= costs->bits[0])
            break;
        find_symbols(&numbers, k, &symbols);
        if (k == 0)
            sums[0] = sum_bits(coder->triple_bits, 0, &symbols, RESIDUAL_RUN);
        sums[1] = sum_bits(coder->triple_bits, 1, &symbols, RESIDUAL_RUN);
        for (uint32_t t = k == 0 ? 1 : 6; t < (k == 0 ? 6 : 9); t++)
            count_table(coder, k, t, sums, costs);
    }
}

/* Return the bits of the cheapest class with this base, and the class. */
static uint32_t cheapest(const struct run_costs *costs, uint32_t base,
                         uint8_t *class_)
{
    uint32_t best = costs->bits[0];

    *class_ = costs->table[0];
    for (uint32_t i = 1; i <= 3; i++)
        if (costs->bits[base + i] < best) {
            best = costs->bits[base + i];
            *class_ = (uint8_t)(6 + 3 * (i - 1) + costs->table[base + i] - 6);
        }
    if (costs->last_table_bits[base + 5] < best) {
        best = costs->last_table_bits[base + 5];
        *class_ = 15;
    }
    return best;
}

/* Choose the class of the quads of each run, and add their bits. */
static void choose_quads(const struct residual_encoder *coder,
                         const int16_t *fourth, uint32_t run_count,
                         uint8_t *quad_classes, uint64_t *bits)
{
    for (uint32_t b = 0; b < run_count; b++) {
        uint32_t best = COST_NEVER;
        struct run_symbols symbols;
        uint64_t sums[2];

        if (!find_quads(fourth + RESIDUAL_RUN * b, &symbols)) {
            quad_classes[b] = 0;
            continue;
        }
        for (uint32_t word = 0; word < 2; word++)
            sums[word] =
                sum_bits(coder->quad_bits, word, &symbols, RESIDUAL_RUN / 4);
        for (uint32_t c = 1; c <= QUAD_TABLES; c++) {
            const uint32_t cost = lane_of(sums, c);

            if (coder->quad_length[c][QUAD_ESCAPE] > 0 && cost < best) {
                best = cost;
                quad_classes[b] = (uint8_t)c;
            }
        }
        *bits += best;
    }
}

uint64_t residual_choose_classes(const struct residual_encoder *coder,
                                 const int16_t *residuals,
                                 const int16_t *fourth, uint32_t run_count,
                                 uint32_t *base, uint8_t *classes,
                                 uint8_t *quad_classes)
{
    uint64_t bits[RESIDUAL_BASE_MAX + 1] = {0};
    struct run_costs costs[RESIDUAL_RUNS_MAX];
    uint64_t total;
    uint8_t class_;

    *base = 0;
    for (uint32_t b = 0; b < run_count; b++) {
        count_costs(coder, residuals + 4 * RESIDUAL_RUN * (size_t)b, &costs[b]);
        for (uint32_t i = 0; i <= RESIDUAL_BASE_MAX; i++)
            bits[i] += cheapest(&costs[b], i, &class_);
    }
    for (uint32_t i = 1; i <= RESIDUAL_BASE_MAX; i++)
        if (bits[i] < bits[*base])
            *base = i;
    for (uint32_t b = 0; b < run_count; b++)
        (void)cheapest(&costs[b], *base, &classes[b]);
    total = bits[*base];
    if (fourth)
        choose_quads(coder, fourth, run_count, quad_classes, &total);
    return total;
}
