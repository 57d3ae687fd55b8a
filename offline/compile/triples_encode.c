/* triples_encode.c - classes by cost, then the bits.
 *
 * The format's text is geom/triples.h; the codes come from the runtime's own
 * function. A payload that is written here is one that the decoder takes.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/triples_encode.h"

#include "base/endian.h"
#include "common/arena.h"

#include <stdbool.h>
#include <string.h>

#define BLOCKS_MAX (TRIPLES_VERTICES_MAX / TRIPLES_BLOCK)
#define LOW_BITS_COUNT (TRIPLES_LOW_BITS_MAX + 1u)

void triples_coder_finish(struct triples_coder *coder)
{
    uint8_t *wire = coder->wire;

    memset(wire, 0, sizeof coder->wire);
    for (uint32_t t = 1; t <= TRIPLES_TABLES; t++) {
        for (uint32_t s = 0; s < TRIPLES_SYMBOLS; s++)
            wire[s / 2] |= (uint8_t)(coder->triple_length[t][s] << (s % 2 * 4));
        (void)spn__triples_codes(wire, TRIPLES_SYMBOLS, coder->triple_code[t]);
        wire += TRIPLES_LENGTH_BYTES;
    }
    for (uint32_t t = 1; t <= QUADS_TABLES; t++) {
        for (uint32_t s = 0; s < QUADS_SYMBOLS; s++)
            wire[s / 2] |= (uint8_t)(coder->quad_length[t][s] << (s % 2 * 4));
        (void)spn__triples_codes(wire, QUADS_SYMBOLS, coder->quad_code[t]);
        wire += QUADS_LENGTH_BYTES;
    }
}

/* ---- symbols ------------------------------------------------------------- */

/* Without branches: residuals are as good as random. */
uint32_t triples_symbol(const int32_t q[3])
{
    uint32_t symbol = 0;
    bool is_escape = false;

    for (int i = 0; i < 3; i++) {
        const uint32_t digit = (uint32_t)(q[i] + TRIPLES_Q_MAX);

        is_escape |= digit > 2 * TRIPLES_Q_MAX;
        symbol = symbol * 9 + digit;
    }
    return is_escape ? TRIPLES_ESCAPE : symbol;
}

uint32_t quads_symbol(const int16_t f[4])
{
    uint32_t symbol = 0;

    for (int i = 0; i < 4; i++) {
        if (f[i] < -QUADS_Q_MAX || f[i] > QUADS_Q_MAX)
            return QUADS_ESCAPE;
        symbol = symbol * 5 + (uint32_t)(f[i] + QUADS_Q_MAX);
    }
    return symbol;
}

/* q of a residual; its low bits are the rest. Floors: what is shifted down is
 * above zero. */
static void split(const int16_t *residuals, uint32_t k, int32_t q[3])
{
    const uint32_t above = 1u << 20;
    const uint32_t half = (1u << k) >> 1;

    for (int i = 0; i < 3; i++)
        q[i] = (int32_t)(((uint32_t)residuals[i] + half + above) >> k) -
               (int32_t)(above >> k);
}

static uint32_t zigzag(int32_t x)
{
    return (uint32_t)x << 1 ^ (x < 0 ? UINT32_MAX : 0);
}

static uint32_t number_bytes(int32_t x)
{
    return zigzag(x) < 255 ? 1 : 4;
}

static bool is_short_escape(const int32_t q[3])
{
    bool is_short = true;

    for (int i = 0; i < 3; i++)
        is_short &= (uint32_t)(q[i] + 16) < 32;
    return is_short;
}

static uint32_t escape_bytes(const int32_t q[3])
{
    if (is_short_escape(q))
        return 2;
    return 1 + number_bytes(q[0]) + number_bytes(q[1]) + number_bytes(q[2]);
}

/* ---- costs --------------------------------------------------------------- */

static bool is_zero(const int16_t *residuals)
{
    for (uint32_t v = 0; v < TRIPLES_BLOCK; v++)
        if (residuals[4 * v] | residuals[4 * v + 1] | residuals[4 * v + 2])
            return false;
    return true;
}

/* The symbols of a block with so many low bits, and what each costs in bytes
 * where it is escaped. */
struct block_symbols {
    uint16_t symbol[TRIPLES_BLOCK];
    uint8_t escape_bytes[TRIPLES_BLOCK];
};

static void find_symbols(const int16_t *residuals, uint32_t low_bits,
                         struct block_symbols *out)
{
    for (uint32_t v = 0; v < TRIPLES_BLOCK; v++) {
        int32_t q[3];

        split(residuals + 4 * v, low_bits, q);
        out->symbol[v] = (uint16_t)triples_symbol(q);
        out->escape_bytes[v] = (uint8_t)escape_bytes(q);
    }
}

/* Bits of one symbol; without branches, too. */
static uint32_t symbol_cost(const uint8_t *length, uint32_t symbol,
                            uint32_t escape, uint32_t escape_bytes)
{
    const uint32_t escaped = length[escape] + 8 * escape_bytes;
    const uint32_t bits = length[symbol];

    return ((symbol == escape) | (bits == 0)) ? escaped : bits;
}

static uint32_t symbols_cost(const struct triples_coder *coder,
                             const struct block_symbols *symbols,
                             struct triples_class class_)
{
    const uint8_t *length = coder->triple_length[class_.table];
    uint32_t bits = 3 * TRIPLES_BLOCK * class_.low_bits;

    if (length[TRIPLES_ESCAPE] == 0)
        return TRIPLES_COST_NEVER;
    for (uint32_t v = 0; v < TRIPLES_BLOCK; v++)
        bits += symbol_cost(length, symbols->symbol[v], TRIPLES_ESCAPE,
                            symbols->escape_bytes[v]);
    return bits;
}

uint32_t triples_block_cost(const struct triples_coder *coder,
                            const int16_t *residuals,
                            struct triples_class class_)
{
    struct block_symbols symbols;

    if (class_.table == 0)
        return is_zero(residuals) ? 0 : TRIPLES_COST_NEVER;
    find_symbols(residuals, class_.low_bits, &symbols);
    return symbols_cost(coder, &symbols, class_);
}

static uint32_t quads_cost(const struct triples_coder *coder,
                           const struct block_symbols *symbols, uint32_t class_)
{
    const uint8_t *length = coder->quad_length[class_];
    uint32_t bits = 0;

    if (length[QUADS_ESCAPE] == 0)
        return TRIPLES_COST_NEVER;
    for (uint32_t i = 0; i < TRIPLES_BLOCK / 4; i++)
        bits += symbol_cost(length, symbols->symbol[i], QUADS_ESCAPE,
                            symbols->escape_bytes[i]);
    return bits;
}

/* False: all are zero. */
static bool find_quads(const int16_t *fourth, struct block_symbols *out)
{
    bool any = false;

    for (uint32_t v = 0; v < TRIPLES_BLOCK; v += 4) {
        uint32_t bytes = 0;

        for (uint32_t i = 0; i < 4; i++) {
            bytes += number_bytes(fourth[v + i]);
            any = any || fourth[v + i] != 0;
        }
        out->symbol[v / 4] = (uint16_t)quads_symbol(fourth + v);
        out->escape_bytes[v / 4] = (uint8_t)bytes;
    }
    return any;
}

uint32_t quads_block_cost(const struct triples_coder *coder,
                          const int16_t *fourth, uint32_t class_)
{
    struct block_symbols symbols;
    const bool any = find_quads(fourth, &symbols);

    if (class_ == 0)
        return any ? TRIPLES_COST_NEVER : 0;
    return quads_cost(coder, &symbols, class_);
}

/* Costs of a block by low bits, and the table that makes it so. */
struct block_costs {
    uint32_t bits[LOW_BITS_COUNT];
    uint8_t table[LOW_BITS_COUNT];
    uint32_t last_table_bits[LOW_BITS_COUNT]; /* class 15 has table 8 only */
};

static void count_costs(const struct triples_coder *coder,
                        const int16_t *residuals, struct block_costs *costs)
{
    uint32_t largest = 0;
    uint32_t width = 0;

    for (uint32_t k = 0; k < LOW_BITS_COUNT; k++) {
        costs->bits[k] = TRIPLES_COST_NEVER;
        costs->last_table_bits[k] = TRIPLES_COST_NEVER;
    }
    for (uint32_t v = 0; v < TRIPLES_BLOCK; v++)
        for (uint32_t i = 0; i < 3; i++) {
            const int32_t e = residuals[4 * v + i];

            largest |= (uint32_t)(e < 0 ? -1 - e : e);
        }
    while (largest >> width)
        width++;
    if (is_zero(residuals)) {
        costs->bits[0] = 0;
        costs->table[0] = 0;
        return;
    }
    for (uint32_t k = 0; k < LOW_BITS_COUNT && k <= width; k++) {
        const uint32_t first = k == 0 ? 1 : 6;
        const uint32_t limit = k == 0 ? 6 : 9;
        struct block_symbols symbols;

        /* No better than no low bits, though each symbol be a single bit. */
        if ((3 * k + 1) * TRIPLES_BLOCK >= costs->bits[0])
            break;
        find_symbols(residuals, k, &symbols);
        for (uint32_t t = first; t < limit; t++) {
            const struct triples_class class_ = {(uint8_t)k, (uint8_t)t};
            const uint32_t bits = symbols_cost(coder, &symbols, class_);

            if (bits < costs->bits[k]) {
                costs->bits[k] = bits;
                costs->table[k] = (uint8_t)t;
            }
            if (t == TRIPLES_TABLES)
                costs->last_table_bits[k] = bits;
        }
    }
}

/* The class that is cheapest with this base. */
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

static void choose_quads(const struct triples_coder *coder,
                         const int16_t *fourth, uint32_t block_count,
                         uint8_t *quad_classes, uint64_t *bits)
{
    for (uint32_t b = 0; b < block_count; b++) {
        uint32_t best = TRIPLES_COST_NEVER;
        struct block_symbols symbols;

        if (!find_quads(fourth + TRIPLES_BLOCK * b, &symbols)) {
            quad_classes[b] = 0;
            continue;
        }
        for (uint32_t c = 1; c <= QUADS_TABLES; c++) {
            const uint32_t cost = quads_cost(coder, &symbols, c);

            if (cost < best) {
                best = cost;
                quad_classes[b] = (uint8_t)c;
            }
        }
        *bits += best;
    }
}

uint64_t triples_choose(const struct triples_coder *coder,
                        const int16_t *residuals, const int16_t *fourth,
                        uint32_t block_count, uint32_t *base, uint8_t *classes,
                        uint8_t *quad_classes)
{
    uint64_t bits[TRIPLES_BASE_MAX + 1] = {0};
    struct block_costs costs[BLOCKS_MAX];
    uint64_t total;
    uint8_t class_;

    *base = 0;
    for (uint32_t b = 0; b < block_count; b++) {
        count_costs(coder, residuals + 4 * TRIPLES_BLOCK * (size_t)b,
                    &costs[b]);
        for (uint32_t i = 0; i <= TRIPLES_BASE_MAX; i++)
            bits[i] += cheapest(&costs[b], i, &class_);
    }
    for (uint32_t i = 1; i <= TRIPLES_BASE_MAX; i++)
        if (bits[i] < bits[*base])
            *base = i;
    for (uint32_t b = 0; b < block_count; b++)
        (void)cheapest(&costs[b], *base, &classes[b]);
    total = bits[*base];
    if (fourth)
        choose_quads(coder, fourth, block_count, quad_classes, &total);
    return total;
}

/* ---- bits ---------------------------------------------------------------- */

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

static void put_number(struct bit_writer *w, int32_t x)
{
    if (zigzag(x) < 255) {
        put(w, zigzag(x), 8);
        return;
    }
    put(w, 255, 8);
    put(w, zigzag(x), 24);
}

static void put_escape(struct bit_writer *w, const int32_t q[3])
{
    const bool is_short = is_short_escape(q);

    put(w, !is_short, is_short ? 1 : 8);
    for (int i = 0; i < 3; i++) {
        if (is_short)
            put(w, (uint32_t)q[i] & 31, 5);
        else
            put_number(w, q[i]);
    }
}

static void put_triples(const struct triples_coder *coder,
                        struct triples_class class_, const int16_t *residuals,
                        struct bit_writer *stream, struct bit_writer *raw,
                        struct bit_writer *escapes)
{
    const uint8_t *length = coder->triple_length[class_.table];
    const uint16_t *code = coder->triple_code[class_.table];
    const uint32_t k = class_.low_bits;
    const uint32_t half = (1u << k) >> 1;

    for (uint32_t v = 0; v < TRIPLES_BLOCK; v++) {
        int32_t q[3];
        uint32_t symbol;

        split(residuals + 4 * v, k, q);
        symbol = triples_symbol(q);
        if (length[symbol] == 0)
            symbol = TRIPLES_ESCAPE;
        put(stream, code[symbol], length[symbol]);
        if (symbol == TRIPLES_ESCAPE)
            put_escape(escapes, q);
    }
    for (uint32_t v = 0; k > 0 && v < TRIPLES_BLOCK; v += 8)
        for (uint32_t i = 0; i < 3; i++)
            for (uint32_t u = v; u < v + 8; u++)
                put(raw, (uint32_t)residuals[4 * u + i] + half, k);
}

static void put_quads(const struct triples_coder *coder, uint32_t class_,
                      const int16_t *fourth, struct bit_writer *stream,
                      struct bit_writer *escapes)
{
    const uint8_t *length = coder->quad_length[class_];

    for (uint32_t v = 0; v < TRIPLES_BLOCK; v += 4) {
        uint32_t symbol = quads_symbol(fourth + v);

        if (length[symbol] == 0)
            symbol = QUADS_ESCAPE;
        put(stream, coder->quad_code[class_][symbol], length[symbol]);
        for (uint32_t i = 0; symbol == QUADS_ESCAPE && i < 4; i++)
            put_number(escapes, fourth[v + i]);
    }
}

static uint32_t group_count_of(uint32_t count)
{
    return (count + TRIPLES_GROUP - 1) / TRIPLES_GROUP;
}

/* In a class that is chosen by cost a triple takes at most 11 bits and 13
 * bytes: more low bits are only chosen when they cost less. */
size_t triples_payload_bytes_max(uint32_t count)
{
    return 64 + (size_t)group_count_of(count) * TRIPLES_GROUP * 24;
}

/* Move a part to where it belongs: the parts were written far apart. */
static size_t append(uint8_t *out, size_t at, const struct bit_writer *part)
{
    const size_t bytes = (part->at + 7) / 8;

    memmove(out + at, part->bytes, bytes);
    return at + bytes;
}

size_t triples_encode(const struct triples_coder *coder,
                      const int16_t *residuals, const int16_t *fourth,
                      uint32_t count, uint8_t *out)
{
    const uint32_t groups = group_count_of(count);
    const uint32_t blocks = groups * TRIPLES_STREAMS;
    const size_t room = triples_payload_bytes_max(count);
    uint8_t classes[BLOCKS_MAX];
    uint8_t quad_classes[BLOCKS_MAX];
    struct arena scratch;
    struct bit_writer part[TRIPLES_STREAMS + 2];
    size_t at = 9;
    uint32_t base;

    arena_init(&scratch);
    for (uint32_t i = 0; i < TRIPLES_STREAMS + 2; i++) {
        part[i].bytes = ARENA_NEW(&scratch, uint8_t, room);
        part[i].at = 0;
    }
    (void)triples_choose(coder, residuals, fourth, blocks, &base, classes,
                         quad_classes);
    for (uint32_t b = 0; b < blocks; b++) {
        struct bit_writer *stream = &part[b % TRIPLES_STREAMS];
        const struct triples_class class_ = triples_class(classes[b], base);

        if (class_.table != 0)
            put_triples(coder, class_,
                        residuals + 4 * TRIPLES_BLOCK * (size_t)b, stream,
                        &part[TRIPLES_STREAMS], &part[TRIPLES_STREAMS + 1]);
        if (fourth && quad_classes[b] != 0)
            put_quads(coder, quad_classes[b],
                      fourth + TRIPLES_BLOCK * (size_t)b, stream,
                      &part[TRIPLES_STREAMS + 1]);
    }
    out[0] = (uint8_t)base;
    for (uint32_t b = 0; b < blocks; b += 2)
        out[at++] = (uint8_t)(classes[b] | classes[b + 1] << 4);
    for (uint32_t b = 0; fourth && b < blocks; b += 2)
        out[at++] = (uint8_t)(quad_classes[b] | quad_classes[b + 1] << 4);
    for (uint32_t i = 0; i < TRIPLES_STREAMS; i++)
        spn_store_u16le(out + 1 + 2 * i, (uint16_t)((part[i].at + 7) / 8));
    for (uint32_t i = 0; i < TRIPLES_STREAMS + 2; i++)
        at = append(out, at, &part[i]);
    arena_free(&scratch);
    return at;
}
