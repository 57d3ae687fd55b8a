/* segment_writer.c - raw bits forwards, words of entropy codes backwards.
 *
 * An encoder of asymmetric numeral systems codes symbols in the reverse order
 * of the decoder. So first all rows are divided into symbols and raw bits,
 * which are written; then the symbols are coded from the last to the first. The
 * words come out in the order in which they lie in the file.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/encode/segment_writer.h"

#include "anim/anim_activity.h"
#include "anim/anim_segment.h"
#include "base/endian.h"

#include <string.h>

struct pending_symbol {
    uint16_t first;
    uint16_t count;
    uint32_t state; /* 0..3: which state codes it */
};

struct writer {
    uint8_t *bytes;
    size_t count;
    uint64_t bits; /* raw bits that do not fill a byte yet */
    uint32_t bit_count;
    struct pending_symbol *symbols;
    size_t symbol_count;
};

static void put_bits(struct writer *w, uint32_t count, uint32_t bits)
{
    w->bits |= (uint64_t)bits << w->bit_count;
    w->bit_count += count;
    while (w->bit_count >= 8) {
        w->bytes[w->count++] = (uint8_t)w->bits;
        w->bits >>= 8;
        w->bit_count -= 8;
    }
}

static void put_word(struct writer *w, uint32_t word)
{
    spn_store_u16le(w->bytes + w->count, (uint16_t)word);
    w->count += 2;
}

static void put_residual(struct writer *w, uint32_t place,
                         const struct residual_code *code,
                         const struct coded_residual *c)
{
    const uint16_t *count = code->count[c->shape];
    struct pending_symbol s = {.state = place % ANIM_STATES,
                               .count = count[c->symbol]};

    for (uint32_t i = 0; i < c->symbol; i++)
        s.first = (uint16_t)(s.first + count[i]);
    w->symbols[w->symbol_count++] = s;
    put_bits(w, c->low_bits, c->low);
}

static void put_escapes(struct writer *w, const struct coded_residual *coded,
                        uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (coded[i].symbol == ANIM_ESCAPE) {
            put_bits(w, ANIM_ESCAPE_LENGTH_BITS, coded[i].zigzag_length);
            put_bits(w, coded[i].zigzag_length, coded[i].zigzag);
        }
}

static void put_rows(struct writer *w, const struct clip_rows *rows,
                     uint32_t first, uint32_t count, struct arena *arena)
{
    uint32_t *mean = ARENA_NEW(arena, uint32_t, rows->length);
    struct coded_residual *coded =
        ARENA_NEW(arena, struct coded_residual, rows->length);
    struct anim_schedule schedule;

    spn__anim_schedule(&schedule, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct anim_schedule_frame *f = &schedule.frames[i];
        const int32_t *residuals =
            rows->residuals + (size_t)(first + f->frame) * rows->length;
        const uint32_t factor = anim_level_factor(rows->level_code[f->level]);

        for (uint32_t place = 0; place < rows->length; place++) {
            const int32_t r = residuals[place];
            const uint32_t class_ = i == 0 ? anim_key_class(rows->coding[place])
                                           : anim_class(mean[place], factor);

            coded[place] = code_residual(rows->code, r, class_);
            put_residual(w, place, rows->code, &coded[place]);
            mean[place] =
                i == 0 ? anim_first_mean(rows->coding[place])
                       : anim_next_mean(mean[place], residual_magnitude(r),
                                        4096 / factor);
        }
        put_escapes(w, coded, rows->length);
    }
}

static void put_symbols(struct writer *w)
{
    uint32_t state[ANIM_STATES];

    for (uint32_t i = 0; i < ANIM_STATES; i++)
        state[i] = ANIM_STATE_MIN;
    for (size_t i = w->symbol_count; i-- > 0;) {
        const struct pending_symbol s = w->symbols[i];
        uint32_t *x = &state[s.state];

        if (*x / s.count >= (ANIM_STATE_MIN >> ANIM_SLOT_BITS) << 16) {
            put_word(w, *x & 0xffffu);
            *x >>= 16;
        }
        *x = *x / s.count * ANIM_SLOTS + *x % s.count + s.first;
    }
    for (uint32_t i = ANIM_STATES; i-- > 0;) {
        put_word(w, state[i] & 0xffffu);
        put_word(w, state[i] >> 16);
    }
}

uint8_t *segment_write(const struct clip_rows *rows, uint32_t segment,
                       const uint8_t *cuts, struct arena *arena, size_t *bytes)
{
    const uint32_t first = segment * rows->segment_frames;
    const uint32_t left = rows->frame_count - first;
    const uint32_t count =
        left < rows->segment_frames ? left : rows->segment_frames;
    const uint64_t values = (uint64_t)count * rows->length;
    struct writer w = {
        /* At most: a word of code, 24 low bits, an escape of 37 bits. */
        .bytes = ARENA_NEW(arena, uint8_t, values * 10 + 64),
        .symbols = ARENA_NEW(arena, struct pending_symbol, values),
    };

    if (cuts) {
        uint32_t bits = 0;

        for (uint32_t i = 0; i < count; i++)
            bits |= (uint32_t)(cuts[first + i] != 0) << i;
        put_word(&w, bits);
    }
    put_rows(&w, rows, first, count, arena);
    if (w.bit_count > 0)
        put_bits(&w, 8 - w.bit_count, 0);
    put_symbols(&w);
    *bytes = w.count;
    return w.bytes;
}
