/* residual_encode.c - chooses the class of each block by cost, and writes the
 * payload.
 *
 * codec/lift/residual_coder.h defines the format. The codes come from the
 * runtime's function, so the decoder accepts each payload.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/entropy/residual_encode.h"

#include "base/assert.h"
#include "base/endian.h"
#include "common/arena.h"

#include <stdbool.h>
#include <string.h>

#define BLOCKS_MAX (RESIDUAL_VERTICES_MAX / RESIDUAL_BLOCK)
#define LOW_BITS_COUNT (RESIDUAL_LOW_BITS_MAX + 1u)

/* Costs are summed in 16-bit lanes, one for each table. The sum of a block fits
 * in a lane. The highest bit of a symbol's lane is set if the table escapes the
 * symbol; the other bits are then the length of the escape. */
#define LANE_BITS 16u
#define LANES_MAX 4u
#define LANE_ONES UINT64_C(0x0001000100010001)
#define LANE_ESCAPES (LANE_ONES << (LANE_BITS - 1))
SPN_STATIC_ASSERT(RESIDUAL_BLOCK *(RESIDUAL_CODE_BITS + 8 + 3 * 32) <
                      1u << LANE_BITS,
                  block_cost_fits_lane);

static void add_lane(uint64_t words[2], uint32_t table, const uint8_t *length,
                     uint32_t symbol, uint32_t escape)
{
    const bool is_escaped = symbol == escape || length[symbol] == 0;
    const uint64_t lane =
        is_escaped ? length[escape] | 1u << (LANE_BITS - 1) : length[symbol];

    words[(table - 1) / LANES_MAX] |= lane
                                      << (table - 1) % LANES_MAX * LANE_BITS;
}

static uint32_t lane_of(const uint64_t words[2], uint32_t table)
{
    return words[(table - 1) / LANES_MAX] >>
               (table - 1) % LANES_MAX * LANE_BITS &
           0xffff;
}

void residual_encoder_finish(struct residual_encoder *coder)
{
    uint8_t *wire = coder->wire;

    memset(wire, 0, sizeof coder->wire);
    memset(coder->triple_bits, 0, sizeof coder->triple_bits);
    memset(coder->quad_bits, 0, sizeof coder->quad_bits);
    for (uint32_t t = 1; t <= TRIPLE_TABLES; t++) {
        const uint8_t *length = coder->triple_length[t];

        for (uint32_t s = 0; s < TRIPLE_SYMBOLS; s++) {
            wire[s / 2] |= (uint8_t)(length[s] << (s % 2 * 4));
            add_lane(coder->triple_bits[s], t, length, s, TRIPLE_ESCAPE);
        }
        (void)spn__residual_codes(wire, TRIPLE_SYMBOLS, coder->triple_code[t]);
        wire += TRIPLE_LENGTH_BYTES;
    }
    for (uint32_t t = 1; t <= QUAD_TABLES; t++) {
        const uint8_t *length = coder->quad_length[t];

        for (uint32_t s = 0; s < QUAD_SYMBOLS; s++) {
            wire[s / 2] |= (uint8_t)(length[s] << (s % 2 * 4));
            add_lane(coder->quad_bits[s], t, length, s, QUAD_ESCAPE);
        }
        (void)spn__residual_codes(wire, QUAD_SYMBOLS, coder->quad_code[t]);
        wire += QUAD_LENGTH_BYTES;
    }
}

/* -- symbols -- */

uint32_t residual_quad_symbol(const int16_t f[4])
{
    uint32_t symbol = 0;

    for (int i = 0; i < 4; i++) {
        if (f[i] < -QUAD_Q_MAX || f[i] > QUAD_Q_MAX)
            return QUAD_ESCAPE;
        symbol = symbol * 5 + (uint32_t)(f[i] + QUAD_Q_MAX);
    }
    return symbol;
}

/* Numbers of a block, component by component, so that compilers vectorize the
 * loops. */
struct block_numbers {
    int16_t number[3][RESIDUAL_BLOCK];
};

static void take_numbers(const int16_t *residuals, struct block_numbers *out)
{
    for (uint32_t v = 0; v < RESIDUAL_BLOCK; v++)
        for (uint32_t i = 0; i < 3; i++)
            out->number[i][v] = residuals[4 * v + i];
}

/* Return q of a residual: residual / 2^low_bits, rounded. */
static inline int16_t quotient(int16_t residual, uint32_t low_bits)
{
    const uint32_t half = low_bits > 0 ? low_bits - 1 : 0;

    return (int16_t)((residual >> low_bits) +
                     (low_bits > 0 ? residual >> half & 1 : 0));
}

/* Return the symbol of a triple. It has no branches, because residuals are not
 * predictable. */
static inline uint16_t symbol_of(int16_t x, int16_t y, int16_t z)
{
    const uint16_t a = (uint16_t)(x + TRIPLE_Q_MAX);
    const uint16_t b = (uint16_t)(y + TRIPLE_Q_MAX);
    const uint16_t c = (uint16_t)(z + TRIPLE_Q_MAX);
    const bool is_escape = (a > 2 * TRIPLE_Q_MAX) | (b > 2 * TRIPLE_Q_MAX) |
                           (c > 2 * TRIPLE_Q_MAX);

    return is_escape ? TRIPLE_ESCAPE : (uint16_t)(81u * a + 9u * b + c);
}

void residual_symbols(const int16_t *residuals, uint32_t low_bits,
                      uint16_t symbols[RESIDUAL_BLOCK])
{
    struct block_numbers numbers;

    take_numbers(residuals, &numbers);
    for (uint32_t v = 0; v < RESIDUAL_BLOCK; v++)
        symbols[v] = symbol_of(quotient(numbers.number[0][v], low_bits),
                               quotient(numbers.number[1][v], low_bits),
                               quotient(numbers.number[2][v], low_bits));
}

#define COST_NEVER UINT32_MAX

/* -- costs -- */

/* Symbols of a block for a number of low bits. escape_bits: bits that follow
 * the escape if the symbol is escaped. */
struct block_symbols {
    uint16_t symbol[RESIDUAL_BLOCK];
    uint16_t escape_bits[RESIDUAL_BLOCK];
};

static inline uint16_t number_bits(int16_t q)
{
    return (uint16_t)(q + 127) < 255 ? 8 : 32;
}

static inline uint16_t is_far(int16_t q, int16_t limit)
{
    return (uint16_t)(q + limit) >= 2 * limit;
}

static void find_symbols(const struct block_numbers *numbers, uint32_t low_bits,
                         struct block_symbols *out)
{
    for (uint32_t v = 0; v < RESIDUAL_BLOCK; v++) {
        const int16_t x = quotient(numbers->number[0][v], low_bits);
        const int16_t y = quotient(numbers->number[1][v], low_bits);
        const int16_t z = quotient(numbers->number[2][v], low_bits);
        const bool is_long = is_far(x, 16) | is_far(y, 16) | is_far(z, 16);

        out->symbol[v] = symbol_of(x, y, z);
        out->escape_bits[v] =
            (uint16_t)(is_long ? 8 + number_bits(x) + number_bits(y) +
                                     number_bits(z)
                               : 16);
    }
}

/* Sum the costs of `count` symbols for four tables, one in each lane. */
static uint64_t sum_bits(const uint64_t (*bits)[2], uint32_t word,
                         const struct block_symbols *symbols, uint32_t count)
{
    uint64_t sum = 0;

    for (uint32_t v = 0; v < count; v++) {
        const uint64_t lanes = bits[symbols->symbol[v]][word];

        sum += (lanes & ~LANE_ESCAPES) +
               (lanes >> (LANE_BITS - 1) & LANE_ONES) * symbols->escape_bits[v];
    }
    return sum;
}

/* Find the symbols of the fourth numbers. Return false if all are zero. */
static bool find_quads(const int16_t *fourth, struct block_symbols *out)
{
    bool any = false;

    for (uint32_t v = 0; v < RESIDUAL_BLOCK; v += 4) {
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

/* Costs of a block for each number of low bits, and the cheapest table. */
struct block_costs {
    uint32_t bits[LOW_BITS_COUNT];
    uint8_t table[LOW_BITS_COUNT];
    uint32_t last_table_bits[LOW_BITS_COUNT]; /* class 15 has table 8 only */
};

static void count_table(const struct residual_encoder *coder, uint32_t low_bits,
                        uint32_t table, const uint64_t sums[2],
                        struct block_costs *costs)
{
    const uint32_t bits = 3 * RESIDUAL_BLOCK * low_bits + lane_of(sums, table);

    if (coder->triple_length[table][TRIPLE_ESCAPE] == 0)
        return;
    if (bits < costs->bits[low_bits]) {
        costs->bits[low_bits] = bits;
        costs->table[low_bits] = (uint8_t)table;
    }
    if (table == TRIPLE_TABLES)
        costs->last_table_bits[low_bits] = bits;
}

/* Compute the bits that all numbers need beside the sign. Return false if all
 * numbers are zero. */
static bool find_width(const struct block_numbers *numbers, uint32_t *width)
{
    uint16_t largest = 0;
    uint16_t any = 0;

    for (uint32_t v = 0; v < RESIDUAL_BLOCK; v++)
        for (uint32_t i = 0; i < 3; i++) {
            const int16_t x = numbers->number[i][v];

            any |= (uint16_t)x;
            largest |= (uint16_t)(x ^ x >> 15);
        }
    for (*width = 0; largest >> *width;)
        ++*width;
    return any != 0;
}

static void count_costs(const struct residual_encoder *coder,
                        const int16_t *residuals, struct block_costs *costs)
{
    struct block_numbers numbers;
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
        struct block_symbols symbols;
        uint64_t sums[2] = {0};

        /* Stop if even symbols of one bit cost no less than no low bits. */
        if ((3 * k + 1) * RESIDUAL_BLOCK >= costs->bits[0])
            break;
        find_symbols(&numbers, k, &symbols);
        if (k == 0)
            sums[0] = sum_bits(coder->triple_bits, 0, &symbols, RESIDUAL_BLOCK);
        sums[1] = sum_bits(coder->triple_bits, 1, &symbols, RESIDUAL_BLOCK);
        for (uint32_t t = k == 0 ? 1 : 6; t < (k == 0 ? 6 : 9); t++)
            count_table(coder, k, t, sums, costs);
    }
}

/* Return the bits of the cheapest class with this base, and the class. */
static uint32_t cheapest(const struct block_costs *costs, uint32_t base,
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

static void choose_quads(const struct residual_encoder *coder,
                         const int16_t *fourth, uint32_t block_count,
                         uint8_t *quad_classes, uint64_t *bits)
{
    for (uint32_t b = 0; b < block_count; b++) {
        uint32_t best = COST_NEVER;
        struct block_symbols symbols;
        uint64_t sums[2];

        if (!find_quads(fourth + RESIDUAL_BLOCK * b, &symbols)) {
            quad_classes[b] = 0;
            continue;
        }
        for (uint32_t word = 0; word < 2; word++)
            sums[word] =
                sum_bits(coder->quad_bits, word, &symbols, RESIDUAL_BLOCK / 4);
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
                                 const int16_t *fourth, uint32_t block_count,
                                 uint32_t *base, uint8_t *classes,
                                 uint8_t *quad_classes)
{
    uint64_t bits[RESIDUAL_BASE_MAX + 1] = {0};
    struct block_costs costs[BLOCKS_MAX];
    uint64_t total;
    uint8_t class_;

    *base = 0;
    for (uint32_t b = 0; b < block_count; b++) {
        count_costs(coder, residuals + 4 * RESIDUAL_BLOCK * (size_t)b,
                    &costs[b]);
        for (uint32_t i = 0; i <= RESIDUAL_BASE_MAX; i++)
            bits[i] += cheapest(&costs[b], i, &class_);
    }
    for (uint32_t i = 1; i <= RESIDUAL_BASE_MAX; i++)
        if (bits[i] < bits[*base])
            *base = i;
    for (uint32_t b = 0; b < block_count; b++)
        (void)cheapest(&costs[b], *base, &classes[b]);
    total = bits[*base];
    if (fourth)
        choose_quads(coder, fourth, block_count, quad_classes, &total);
    return total;
}

/* -- bits -- */

struct bit_writer {
    uint8_t *bytes; /* zeroed */
    size_t at;      /* bits */
};

/* At most 24 bits. */
static void put(struct bit_writer *w, uint32_t value, uint32_t bits)
{
    uint32_t left = (value & ((1u << bits) - 1)) << w->at % 8;

    for (uint8_t *to = w->bytes + w->at / 8; left != 0; left >>= 8)
        *to++ |= (uint8_t)left;
    w->at += bits;
}

static uint32_t zigzag(int32_t x)
{
    return (uint32_t)x << 1 ^ (x < 0 ? UINT32_MAX : 0);
}

static void write_number(struct bit_writer *w, int32_t x)
{
    if (zigzag(x) < 255) {
        put(w, zigzag(x), 8);
        return;
    }
    put(w, 255, 8);
    put(w, zigzag(x), 24);
}

static void write_escape(struct bit_writer *w, const int16_t *residuals,
                         uint32_t low_bits)
{
    bool is_short = true;
    int16_t q[3];

    for (int i = 0; i < 3; i++) {
        q[i] = quotient(residuals[i], low_bits);
        is_short = is_short && !is_far(q[i], 16);
    }
    put(w, !is_short, is_short ? 1 : 8);
    for (int i = 0; i < 3; i++) {
        if (is_short)
            put(w, (uint32_t)q[i] & 31, 5);
        else
            write_number(w, q[i]);
    }
}

static void write_block_triples(const struct residual_encoder *coder,
                                struct residual_class class_,
                                const int16_t *residuals,
                                struct bit_writer *stream,
                                struct bit_writer *raw,
                                struct bit_writer *escapes)
{
    const uint8_t *length = coder->triple_length[class_.table];
    const uint16_t *code = coder->triple_code[class_.table];
    const uint32_t k = class_.low_bits;
    const uint32_t half = (1u << k) >> 1;
    uint16_t symbols[RESIDUAL_BLOCK];

    residual_symbols(residuals, k, symbols);
    for (uint32_t v = 0; v < RESIDUAL_BLOCK; v++) {
        const uint32_t symbol =
            length[symbols[v]] == 0 ? TRIPLE_ESCAPE : symbols[v];

        put(stream, code[symbol], length[symbol]);
        if (symbol == TRIPLE_ESCAPE)
            write_escape(escapes, residuals + 4 * v, k);
    }
    for (uint32_t v = 0; k > 0 && v < RESIDUAL_BLOCK; v += 8)
        for (uint32_t i = 0; i < 3; i++)
            for (uint32_t u = v; u < v + 8; u++)
                put(raw, (uint32_t)residuals[4 * u + i] + half, k);
}

static void write_block_quads(const struct residual_encoder *coder,
                              uint32_t class_, const int16_t *fourth,
                              struct bit_writer *stream,
                              struct bit_writer *escapes)
{
    const uint8_t *length = coder->quad_length[class_];

    for (uint32_t v = 0; v < RESIDUAL_BLOCK; v += 4) {
        uint32_t symbol = residual_quad_symbol(fourth + v);

        if (length[symbol] == 0)
            symbol = QUAD_ESCAPE;
        put(stream, coder->quad_code[class_][symbol], length[symbol]);
        for (uint32_t i = 0; symbol == QUAD_ESCAPE && i < 4; i++)
            write_number(escapes, fourth[v + i]);
    }
}

static uint32_t group_count_of(uint32_t count)
{
    return (count + RESIDUAL_GROUP - 1) / RESIDUAL_GROUP;
}

/* In the class of least cost, a triple takes at most 11 bits of code and 13
 * bytes. More low bits are chosen only if they cost less. */
size_t residual_payload_bytes_max(uint32_t count)
{
    return 64 + (size_t)group_count_of(count) * RESIDUAL_GROUP * 24;
}

/* Move a part of the payload behind the part before it. */
static size_t append(uint8_t *out, size_t at, const struct bit_writer *part)
{
    const size_t bytes = (part->at + 7) / 8;

    memmove(out + at, part->bytes, bytes);
    return at + bytes;
}

size_t residual_encode(const struct residual_encoder *coder,
                       const int16_t *residuals, const int16_t *fourth,
                       uint32_t count, uint8_t *out)
{
    const uint32_t groups = group_count_of(count);
    const uint32_t blocks = groups * RESIDUAL_STREAMS;
    const size_t room = residual_payload_bytes_max(count);
    uint8_t classes[BLOCKS_MAX];
    uint8_t quad_classes[BLOCKS_MAX];
    struct arena scratch;
    struct bit_writer part[RESIDUAL_STREAMS + 2];
    size_t at = 9;
    uint32_t base;

    arena_init(&scratch);
    for (uint32_t i = 0; i < RESIDUAL_STREAMS + 2; i++) {
        part[i].bytes = ARENA_NEW(&scratch, uint8_t, room);
        part[i].at = 0;
    }
    (void)residual_choose_classes(coder, residuals, fourth, blocks, &base,
                                  classes, quad_classes);
    for (uint32_t b = 0; b < blocks; b++) {
        struct bit_writer *stream = &part[b % RESIDUAL_STREAMS];
        const struct residual_class class_ = residual_class(classes[b], base);

        if (class_.table != 0)
            write_block_triples(
                coder, class_, residuals + 4 * RESIDUAL_BLOCK * (size_t)b,
                stream, &part[RESIDUAL_STREAMS], &part[RESIDUAL_STREAMS + 1]);
        if (fourth && quad_classes[b] != 0)
            write_block_quads(coder, quad_classes[b],
                              fourth + RESIDUAL_BLOCK * (size_t)b, stream,
                              &part[RESIDUAL_STREAMS + 1]);
    }
    out[0] = (uint8_t)base;
    for (uint32_t b = 0; b < blocks; b += 2)
        out[at++] = (uint8_t)(classes[b] | classes[b + 1] << 4);
    for (uint32_t b = 0; fourth && b < blocks; b += 2)
        out[at++] = (uint8_t)(quad_classes[b] | quad_classes[b + 1] << 4);
    for (uint32_t i = 0; i < RESIDUAL_STREAMS; i++)
        spn_store_u16le(out + 1 + 2 * i, (uint16_t)((part[i].at + 7) / 8));
    for (uint32_t i = 0; i < RESIDUAL_STREAMS + 2; i++)
        at = append(out, at, &part[i]);
    arena_free(&scratch);
    return at;
}
