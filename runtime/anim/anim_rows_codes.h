/* anim_rows_codes.h - the prediction errors of a row, from classes to numbers:
 * part of anim_rows_passes.h.
 *
 * The decoder states depend on each other only through the position of the next
 * word. It is computed without branches, because whether a state is refilled
 * cannot be predicted.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_ANIM_ROWS_CODES_H
#define SPN_ANIM_ANIM_ROWS_CODES_H

#include "anim/anim_activity.h"
#include "anim/anim_rows.h"
#include "base/compiler.h"
#include "base/endian.h"
#include "base/minmax.h"

/* Arrays of a row, one element a place. */
struct row_arrays {
    uint32_t *mean;
    uint32_t *slots;    /* the slot of the symbol (anim_symbols.h) */
    int32_t *residuals; /* low bits, then errors */
    uint16_t *shape;    /* index of the first slot of its shape */
    uint8_t *low_bits;  /* their number */
};

/* In `low_bits`: the symbol is ANIM_ESCAPE. */
#define IS_ESCAPE_BIT 7
#define IS_ESCAPE (1u << IS_ESCAPE_BIT)

static struct row_arrays row_arrays_at(void *workspace, uint32_t count)
{
    struct row_arrays a;

    a.mean = workspace;
    a.slots = a.mean + count;
    a.residuals = (int32_t *)(void *)(a.slots + count);
    a.shape = (uint16_t *)(void *)(a.residuals + count);
    a.low_bits = (uint8_t *)(a.shape + count);
    return a;
}

/* -- classes -- */

SPN_INLINE void set_class(const struct row_arrays *a, uint32_t i,
                          uint32_t class_)
{
    a->low_bits[i] = (uint8_t)anim_class_low_bits(class_);
    a->shape[i] = (uint16_t)(anim_class_shape(class_) * ANIM_SLOTS);
}

static void choose_classes(const struct row_arrays *a, uint32_t count,
                           uint32_t factor)
{
    for (uint32_t i = 0; i < count; i++)
        set_class(a, i, anim_class(a->mean[i], factor));
}

/* -- symbols -- */

/* The words of a segment while a row is decoded. */
struct words {
    const uint8_t
        *first;      /* two bytes before the next word of the row's start */
    ptrdiff_t taken; /* minus the words taken since then */
    /* The next word may lie before the bytes; a damaged segment then reads an
     * arbitrary one instead. */
    bool is_near_start;
    const uint8_t *bytes;
    uint32_t offset; /* of `first` */
    uint32_t offset_max;
};

/* The next word, in the upper half. */
SPN_INLINE uint32_t next_word(const struct words *w)
{
    if (w->is_near_start)
        return spn_load_u32le(
            w->bytes +
            min_u32(w->offset + 2 * (uint32_t)w->taken, w->offset_max));
    return spn_load_u32le(w->first + 2 * w->taken);
}

/* Decode a symbol; returns its slot. */
SPN_INLINE uint32_t decode_symbol(const uint32_t *shape, uint32_t *state,
                                  struct words *words)
{
    const uint32_t slot = shape[*state % ANIM_SLOTS];
    const uint32_t x =
        anim_slot_count(slot) * (*state / ANIM_SLOTS) + anim_slot_place(slot);
    /* x < ANIM_STATE_MIN, in fewer instructions. */
    const uint32_t is_low = (uint32_t)(((uint64_t)x - ANIM_STATE_MIN) >> 63);
    const uint64_t both = (uint64_t)x << 32 | next_word(words);

    *state = (uint32_t)(both << 16 * is_low >> 32);
    words->taken -= (ptrdiff_t)is_low;
    return slot;
}

SPN_INLINE void decode_symbols_from(struct anim_reader *r,
                                    const uint32_t *shapes,
                                    const uint16_t *shape, uint32_t *slots,
                                    size_t count, bool is_near_start)
{
    struct words words = {
        .first = is_near_start ? NULL : r->bytes + r->word - 4,
        .is_near_start = is_near_start,
        .bytes = r->bytes,
        .offset = r->word - 4,
        .offset_max = r->size - 4,
    };
    /* Copies that the compiler keeps in registers. */
    uint32_t s0 = r->state[0];
    uint32_t s1 = r->state[1];
    uint32_t s2 = r->state[2];
    uint32_t s3 = r->state[3];
    size_t i = 0;

    for (; i + 4 <= count; i += 4) {
        slots[i] = decode_symbol(shapes + shape[i], &s0, &words);
        slots[i + 1] = decode_symbol(shapes + shape[i + 1], &s1, &words);
        slots[i + 2] = decode_symbol(shapes + shape[i + 2], &s2, &words);
        slots[i + 3] = decode_symbol(shapes + shape[i + 3], &s3, &words);
    }
    if (i < count)
        slots[i] = decode_symbol(shapes + shape[i], &s0, &words);
    if (i + 1 < count)
        slots[i + 1] = decode_symbol(shapes + shape[i + 1], &s1, &words);
    if (i + 2 < count)
        slots[i + 2] = decode_symbol(shapes + shape[i + 2], &s2, &words);
    r->state[0] = s0;
    r->state[1] = s1;
    r->state[2] = s2;
    r->state[3] = s3;
    r->word += 2 * (uint32_t)words.taken;
}

static void decode_symbols(struct anim_reader *r, const uint32_t *shapes,
                           const struct row_arrays *a, uint32_t count)
{
    const uint64_t bytes_max = 2 * (uint64_t)count + 2;

    /* In a damaged segment `word` continues below 0 from the highest number. */
    if (r->word <= r->size && r->word >= bytes_max)
        decode_symbols_from(r, shapes, a->shape, a->slots, count, false);
    else
        decode_symbols_from(r, shapes, a->shape, a->slots, count, true);
}

/* -- raw bits -- */

/* 57 raw bits or more. Those beyond the end are arbitrary; such a segment is
 * damaged. */
SPN_INLINE uint64_t peek_bits(const struct anim_reader *r, uint32_t bit)
{
    return spn_load_u64le(r->bytes + min_u32(bit / 8, r->size - 8)) >> bit % 8;
}

SPN_INLINE uint32_t lowest_bits(uint64_t bits, uint32_t count)
{
    return (uint32_t)bits & ~(UINT32_MAX << count);
}

static void read_low_bits(struct anim_reader *reader, const uint8_t *low_bits,
                          int32_t *residuals, size_t count)
{
    const struct anim_reader r = *reader;
    uint32_t bit = r.bit;
    size_t i = 0;

    /* Two at once: a place has at most 19 low bits. */
    for (; i + 2 <= count; i += 2) {
        const uint32_t first = low_bits[i];
        const uint32_t second = low_bits[i + 1];
        const uint64_t bits = peek_bits(&r, bit);

        residuals[i] = (int32_t)lowest_bits(bits, first);
        residuals[i + 1] = (int32_t)lowest_bits(bits >> first, second);
        bit += first + second;
    }
    if (i < count) {
        residuals[i] = (int32_t)lowest_bits(peek_bits(&r, bit), low_bits[i]);
        bit += low_bits[i];
    }
    reader->bit = bit;
}

/* Join quotients and low bits, and mark escapes, whose quotient is taken for 0.
 */
static void join_residuals(const uint32_t *slots, uint8_t *restrict low_bits,
                           int32_t *restrict residuals, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t bits = low_bits[i];
        const int32_t q = anim_slot_quotient(slots[i]);
        const uint32_t is_escape = q == ANIM_SLOT_ESCAPE;
        const uint32_t high = ((uint32_t)q & (is_escape - 1)) << bits;
        const uint32_t half = (1u << bits) >> 1;

        low_bits[i] = (uint8_t)(bits | is_escape << IS_ESCAPE_BIT);
        residuals[i] = (int32_t)(high + (uint32_t)residuals[i] - half);
    }
}

static void read_escape(struct anim_reader *r, const struct row_arrays *a,
                        uint32_t i)
{
    const uint64_t bits = peek_bits(r, r->bit);
    const uint32_t length = lowest_bits(bits, ANIM_ESCAPE_LENGTH_BITS);
    const uint32_t zigzag =
        lowest_bits(bits >> ANIM_ESCAPE_LENGTH_BITS, length);
    const uint32_t low_bits = a->low_bits[i] - IS_ESCAPE;

    r->bit += ANIM_ESCAPE_LENGTH_BITS + length;
    a->residuals[i] =
        (int32_t)((uint32_t)a->residuals[i] +
                  ((uint32_t)anim_zigzag_inverse(zigzag) << low_bits));
}

static void read_escapes(struct anim_reader *r, const struct row_arrays *a,
                         uint32_t count)
{
    const uint64_t marks = 0x0101010101010101u * IS_ESCAPE;

    /* Few places are escapes: pass over eight at once. */
    for (uint32_t first = 0; first < count; first += 8) {
        const uint32_t limit = min_u32(first + 8, count);
        uint64_t eight = marks;

        if (limit == first + 8)
            memcpy(&eight, a->low_bits + first, sizeof eight);
        if ((eight & marks) == 0)
            continue;
        for (uint32_t i = first; i < limit; i++)
            if (a->low_bits[i] & IS_ESCAPE)
                read_escape(r, a, i);
    }
}

/* Decode the prediction errors of a frame; the classes are chosen. */
static void decode_residuals(struct anim_reader *r, const uint32_t *shapes,
                             const struct row_arrays *a, uint32_t count)
{
    decode_symbols(r, shapes, a, count);
    read_low_bits(r, a->low_bits, a->residuals, count);
    join_residuals(a->slots, a->low_bits, a->residuals, count);
    read_escapes(r, a, count);
}

#endif
