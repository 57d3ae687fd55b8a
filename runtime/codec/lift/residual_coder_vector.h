/* residual_coder_vector.h - the residual decoder, in the primitives of
 * simd_*.h.
 *
 * Each file named for an instruction set includes a simd_*.h with vectors of 16
 * bytes, then this. The file may have defined expand_plain() and
 * HAS_EXPAND_PLAIN, where its instruction set has larger vectors.
 *
 * The state of a stream is a place in bits from the start of stream 0. Five
 * symbols, at most 55 bits, are looked up for each load of 64 bits.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_RESIDUAL_CODER_VECTOR_H
#define SPN_CODEC_LIFT_RESIDUAL_CODER_VECTOR_H

#include "base/compiler.h"
#include "base/endian.h"
#include "base/mem.h"
#include "codec/lift/residual_coder.h"

#define EXPAND_LOW_BITS_MAX 9u

/* -- entries of tables to residuals -- */

/* The escapes among four values, as a mask: bit 7 of each. */
static inline uint64_t escapes_of(vi entries)
{
    return vi_signs32(vi_left32(entries, 24));
}

#if !defined(HAS_EXPAND_PLAIN)
/* Expand a run without low bits. Returns the vertices with escapes, as a
 * mask. */
static inline uint64_t expand_plain(const uint32_t *entries, int16_t *residuals)
{
    uint64_t escapes = 0;

    for (uint32_t v = 0; v < RESIDUAL_RUN; v += 4) {
        const vi e = vi_load(entries + v);
        const vi q = vi_right32(e, 8);

        escapes |= escapes_of(e) << v;
        vi_store(residuals + 4 * v, vi_extend_low8(q));
        vi_store(residuals + 4 * v + 8, vi_extend_high8(q));
    }
    return escapes;
}
#endif

/* A field of k bits at any of 8 places lies in 16 bits that begin at a byte
 * when k is 9 or less: the bytes are shuffled there, multiplied up to the top
 * and shifted down. For k = 1..9: where field i's 16 bits begin, and what lifts
 * it to the top. */
#define FIELD(k, i) ((i) * (k) / 8), ((i) * (k) / 8 + 1)
#define FIELDS(k)                                                              \
    {                                                                          \
        FIELD(k, 0), FIELD(k, 1), FIELD(k, 2), FIELD(k, 3), FIELD(k, 4),       \
            FIELD(k, 5), FIELD(k, 6), FIELD(k, 7)                              \
    }
#define LIFT(k, i) (1u << (16 - (k) - (i) * (k) % 8))
#define LIFTS(k)                                                               \
    {                                                                          \
        LIFT(k, 0), LIFT(k, 1), LIFT(k, 2), LIFT(k, 3), LIFT(k, 4),            \
            LIFT(k, 5), LIFT(k, 6), LIFT(k, 7)                                 \
    }

static inline vi low_fields(const uint8_t *raw, uint32_t k)
{
    static const uint8_t fields[9][16] = {FIELDS(1), FIELDS(2), FIELDS(3),
                                          FIELDS(4), FIELDS(5), FIELDS(6),
                                          FIELDS(7), FIELDS(8), FIELDS(9)};
    static const uint16_t lifts[9][8] = {LIFTS(1), LIFTS(2), LIFTS(3),
                                         LIFTS(4), LIFTS(5), LIFTS(6),
                                         LIFTS(7), LIFTS(8), LIFTS(9)};
    const vi words = vi_shuffle8(vi_load(raw), vi_load(fields[k - 1]));

    return vi_right16(vi_mul16(words, vi_load(lifts[k - 1])), (int)(16 - k));
}

/* Expand a run with k low bits, 1..EXPAND_LOW_BITS_MAX. */
static inline uint64_t expand_low(const uint32_t *entries, const uint8_t *raw,
                                  uint32_t k, int16_t *residuals)
{
    const vi half = vi_set16(1 << (k - 1));
    const vi zero = vi_zero();
    uint64_t escapes = 0;

    for (uint32_t v = 0; v < RESIDUAL_RUN; v += 8) {
        const vi a = vi_load(entries + v);
        const vi b = vi_load(entries + v + 4);
        const vi x = vi_sub16(low_fields(raw, k), half);
        const vi y = vi_sub16(low_fields(raw + k, k), half);
        const vi z = vi_sub16(low_fields(raw + 2 * (size_t)k, k), half);
        const vi xy_low = vi_zip_low16(x, y);
        const vi xy_high = vi_zip_high16(x, y);
        const vi z_low = vi_zip_low16(z, zero);
        const vi z_high = vi_zip_high16(z, zero);
        const vi low[4] = {
            vi_zip_low32(xy_low, z_low), vi_zip_high32(xy_low, z_low),
            vi_zip_low32(xy_high, z_high), vi_zip_high32(xy_high, z_high)};
        const vi qa = vi_right32(a, 8);
        const vi qb = vi_right32(b, 8);
        const vi q[4] = {vi_extend_low8(qa), vi_extend_high8(qa),
                         vi_extend_low8(qb), vi_extend_high8(qb)};

        escapes |= (escapes_of(a) | escapes_of(b) << 4) << v;
        for (int i = 0; i < 4; i++)
            vi_store(residuals + 4 * v + 8 * i,
                     vi_add16(vi_left16(q[i], (int)k), low[i]));
        raw += 3 * (size_t)k;
    }
    return escapes;
}

/* Nibbles to the top of 16 bits by multiplying, and down with their sign. */
static inline uint32_t expand_quads(const uint32_t *entries, int16_t *fourth)
{
    static const uint16_t lifts[8] = {4096, 256, 16, 1, 4096, 256, 16, 1};
    const vi lift = vi_load(lifts);
    const vi first = vi_pattern(2, 3, 2, 3, 2, 3, 2, 3, 6, 7, 6, 7, 6, 7, 6, 7);
    const vi second = vi_pattern(10, 11, 10, 11, 10, 11, 10, 11, 14, 15, 14, 15,
                                 14, 15, 14, 15);
    uint64_t escapes = 0;

    for (uint32_t i = 0; i < RESIDUAL_RUN / 4; i += 4) {
        const vi e = vi_load(entries + i);
        const vi a = vi_mul16(vi_shuffle8(e, first), lift);
        const vi b = vi_mul16(vi_shuffle8(e, second), lift);

        escapes |= escapes_of(e) << i;
        vi_store(fourth + 4 * i, vi_right_i16(a, 12));
        vi_store(fourth + 4 * i + 8, vi_right_i16(b, 12));
    }
    return (uint32_t)escapes;
}

/* -- bit streams -- */

struct residual_places {
    const uint8_t *bytes;
    size_t at[RESIDUAL_STREAMS];
    size_t end[RESIDUAL_STREAMS];
};

/* A stream in registers. The low six bits of `left` are the number of low bits
 * of `bits` that are valid. STEP subtracts a whole entry from `left`, because
 * its length is in the low six bits. After FETCH 56 bits or more are valid.
 * FETCH adds bits that may be there already, so its address does not depend on
 * the last entry. */
#define LANE(s)                                                                \
    const uint16_t *table##s = tables[s];                                      \
    const uint8_t *next##s = places->bytes + (places->at[s] >> 3) + 1;         \
    uint64_t bits##s = (uint64_t)next##s[-1] >> (places->at[s] & 7);           \
    uint64_t left##s = 8 - (places->at[s] & 7);
#define FETCH(s)                                                               \
    bits##s |= spn_load_u64le(next##s) << (left##s & 63);                      \
    next##s += ~left##s >> 3 & 7;                                              \
    left##s |= 56;
#define STEP(s, i)                                                             \
    {                                                                          \
        const uint64_t entry =                                                 \
            table##s[bits##s & (RESIDUAL_TABLE_ENTRIES - 1)];                  \
                                                                               \
        bits##s >>= entry & RESIDUAL_ENTRY_LENGTH;                             \
        left##s -= entry;                                                      \
        entries[s][i] = values[entry >> RESIDUAL_ENTRY_SYMBOL];                \
    }
#define LEAVE(s)                                                               \
    places->at[s] = 8 * (size_t)(next##s - places->bytes) - (left##s & 63);

#define EACH_STREAM(what) what(0) what(1) what(2) what(3)
#define STEP_ALL(i)                                                            \
    {                                                                          \
        STEP(0, i)                                                             \
        STEP(1, i)                                                             \
        STEP(2, i)                                                             \
        STEP(3, i)                                                             \
    }

static inline void look_up_triples(struct residual_places *places,
                                   const uint16_t *const tables[4],
                                   const uint32_t *values,
                                   uint32_t entries[4][RESIDUAL_RUN])
{
    uint32_t i = 0;
    EACH_STREAM(LANE);

    for (; i + 5 <= RESIDUAL_RUN; i += 5) {
        EACH_STREAM(FETCH);
        STEP_ALL(i);
        STEP_ALL(i + 1);
        STEP_ALL(i + 2);
        STEP_ALL(i + 3);
        STEP_ALL(i + 4);
    }
    EACH_STREAM(FETCH);
    STEP_ALL(60);
    STEP_ALL(61);
    STEP_ALL(62);
    STEP_ALL(63);
    EACH_STREAM(LEAVE);
}

static inline void look_up_quads(struct residual_places *places,
                                 const uint16_t *const tables[4],
                                 const uint32_t *values,
                                 uint32_t entries[4][RESIDUAL_RUN / 4])
{
    EACH_STREAM(LANE);

    for (uint32_t i = 0; i < RESIDUAL_RUN / 4; i += 4) {
        EACH_STREAM(FETCH);
        STEP_ALL(i);
        STEP_ALL(i + 1);
        STEP_ALL(i + 2);
        STEP_ALL(i + 3);
    }
    EACH_STREAM(LEAVE);
}

/* Expand a run with more low bits. These are rare. */
static uint64_t expand_many(const uint32_t *entries, const uint8_t *raw,
                            uint32_t k, int16_t *residuals)
{
    uint64_t escapes = 0;

    for (uint32_t v = 0; v < RESIDUAL_RUN; v++) {
        const uint32_t entry = entries[v];

        for (uint32_t i = 0; i < 3; i++) {
            const uint32_t q = (uint32_t)(int8_t)(entry >> (8 * i + 8));
            const size_t at = (v / 8 * 24 + 8 * i + v % 8) * k;
            const uint32_t low =
                (uint32_t)(spn_load_u32le(raw + at / 8) >> at % 8) &
                ((1u << k) - 1);

            residuals[4 * v + i] = (int16_t)((q << k) + low - (1u << k >> 1));
        }
        residuals[4 * v + 3] = 0;
        escapes |= (uint64_t)(entry >> 7 & 1) << v;
    }
    return escapes;
}

struct residual_rest {
    const uint8_t *raw;
    const uint8_t *escapes;
    const uint8_t *escapes_end;
};

static inline bool fix_triples(struct residual_rest *rest, uint64_t escapes,
                               uint32_t k, int16_t *residuals)
{
    while (escapes) {
        int16_t *r = residuals + 4 * compiler_lowest_bit64(escapes);
        int32_t q[3];

        if (rest->escapes >= rest->escapes_end)
            return false;
        escapes &= escapes - 1;
        residual_escape(&rest->escapes, q);
        for (int i = 0; i < 3; i++)
            r[i] = (int16_t)((uint32_t)r[i] + ((uint32_t)q[i] << k));
    }
    return true;
}

static inline bool fix_quads(struct residual_rest *rest, uint32_t escapes,
                             int16_t *fourth)
{
    while (escapes) {
        int16_t *f = fourth + 4 * compiler_lowest_bit(escapes);

        if (rest->escapes >= rest->escapes_end)
            return false;
        escapes &= escapes - 1;
        for (int i = 0; i < 4; i++)
            f[i] = (int16_t)residual_number(&rest->escapes);
    }
    return true;
}

static inline bool finish_triples(struct residual_rest *rest,
                                  struct residual_class c,
                                  const uint32_t *entries, int16_t *residuals)
{
    const uint32_t k = c.low_bits;
    uint64_t escapes;

    if (c.table == 0) {
        memset(residuals, 0, 4 * RESIDUAL_RUN * sizeof *residuals);
        return true;
    }
    if (k == 0)
        escapes = expand_plain(entries, residuals);
    else if (k <= EXPAND_LOW_BITS_MAX)
        escapes = expand_low(entries, rest->raw, k, residuals);
    else
        escapes = expand_many(entries, rest->raw, k, residuals);
    rest->raw += 24 * (size_t)k;
    return fix_triples(rest, escapes, k, residuals);
}

static bool decode_stripe(const struct residual_payload *p, uint32_t stripe,
                          struct residual_places *places,
                          struct residual_rest *rest, int16_t *residuals,
                          int16_t *fourth)
{
    struct {
        uint32_t entries[RESIDUAL_STREAMS][RESIDUAL_RUN];
        uint32_t quads[RESIDUAL_STREAMS][RESIDUAL_RUN / 4];
        const uint16_t *tables[RESIDUAL_STREAMS];
        struct residual_class class_[RESIDUAL_STREAMS];
    } work;
    uint32_t quad_classes = 0;

    for (uint32_t s = 0; s < RESIDUAL_STREAMS; s++) {
        const uint32_t nibbles = spn_load_u16le(p->classes + 2 * stripe);

        work.class_[s] = residual_class(nibbles >> 4 * s & 15, p->base);
        work.tables[s] = p->tables->triple[work.class_[s].table];
    }
    if (spn_load_u16le(p->classes + 2 * stripe) != 0)
        look_up_triples(places, work.tables, p->tables->triple_value,
                        work.entries);
    if (fourth)
        quad_classes = spn_load_u16le(p->quad_classes + 2 * stripe);
    if (quad_classes != 0) {
        for (uint32_t s = 0; s < RESIDUAL_STREAMS; s++)
            work.tables[s] = p->tables->quad[quad_classes >> 4 * s & 15];
        look_up_quads(places, work.tables, p->tables->quad_value, work.quads);
    } else if (fourth) {
        memset(fourth, 0, RESIDUAL_STRIPE * sizeof *fourth);
    }
    for (uint32_t s = 0; s < RESIDUAL_STREAMS; s++) {
        int16_t *to = residuals + 4 * RESIDUAL_RUN * s;

        if (!finish_triples(rest, work.class_[s], work.entries[s], to))
            return false;
        if (quad_classes == 0)
            continue;
        to = fourth + RESIDUAL_RUN * s;
        if (!fix_quads(rest, expand_quads(work.quads[s], to), to))
            return false;
    }
    return true;
}

static bool is_used_up(const struct residual_places *places, uint32_t s)
{
    const size_t spare = places->end[s] - places->at[s];

    /* Beyond the end `spare` is huge. */
    if (spare > 7)
        return false;
    return spare == 0 ||
           places->bytes[places->end[s] / 8 - 1] >> (8 - spare) == 0;
}

static bool decode_stripes(const struct residual_payload *p, int16_t *residuals,
                           int16_t *fourth)
{
    struct residual_places places = {.bytes = p->stream[0]};
    struct residual_rest rest = {p->raw, p->escapes, p->escapes_end};

    for (uint32_t s = 0; s < RESIDUAL_STREAMS; s++) {
        places.at[s] = 8 * (size_t)(p->stream[s] - p->stream[0]);
        places.end[s] = places.at[s] + 8 * (size_t)p->stream_bytes[s];
    }
    for (uint32_t g = 0; g < p->stripe_count; g++) {
        const size_t first = (size_t)g * RESIDUAL_STRIPE;

        for (uint32_t s = 0; s < RESIDUAL_STREAMS; s++)
            if (places.at[s] > places.end[s])
                return false;
        if (!decode_stripe(p, g, &places, &rest, residuals + 4 * first,
                           fourth ? fourth + first : NULL))
            return false;
    }
    for (uint32_t s = 0; s < RESIDUAL_STREAMS; s++)
        if (!is_used_up(&places, s))
            return false;
    return rest.escapes == rest.escapes_end;
}

#endif
