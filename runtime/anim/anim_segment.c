/* anim_segment.c - rows of a window, one frame after the other.
 *
 * Each step of a frame is a loop over its row, without branches where it can
 * be, so that compilers vectorize it. Entropy decoding overlaps four states.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_segment.h"

#include "anim/anim_activity.h"
#include "base/assert.h"
#include "base/checksum.h"
#include "base/endian.h"
#include "base/wire.h"

void spn__anim_decoder_tables_init(struct anim_decoder_tables *tables)
{
    spn__anim_symbols_init(&tables->symbols);
    for (uint32_t n = 1; n <= ANIM_SEGMENT_FRAMES; n++)
        spn__anim_schedule(&tables->schedule[n], n);
}

/* -- reading -- */

/* Positions in the bytes of a segment, and the decoder states. */
struct reader {
    const uint8_t *bytes;
    uint32_t size;
    uint32_t bit;  /* next raw bit, from the start */
    uint32_t word; /* end of the next word */
    uint32_t state[ANIM_STATES];
};

/* Each of the states has two words. */
#define SIZE_MIN (4 * ANIM_STATES)

/* Up to 25 raw bits. Bits beyond the end are arbitrary; reader_is_used_up then
 * refuses the segment. */
SPN_INLINE uint32_t peek_bits(const uint8_t *bytes, uint32_t last, uint32_t bit,
                              uint32_t count)
{
    const uint32_t byte = min_u32(bit / 8, last);

    return spn_load_u32le(bytes + byte) >> bit % 8 & ((1u << count) - 1);
}

static void reader_begin(struct reader *r, const uint8_t *bytes, uint32_t size)
{
    *r = (struct reader){.bytes = bytes, .size = size, .word = size};
    for (uint32_t i = 0; i < ANIM_STATES; i++) {
        const uint8_t *word = bytes + r->word - 4;

        r->state[i] = spn_load_u32le(word);
        r->word -= 4;
    }
}

/* Whether everything was used, as an encoder leaves it. */
static bool reader_is_used_up(const struct reader *r)
{
    for (uint32_t i = 0; i < ANIM_STATES; i++)
        if (r->state[i] != ANIM_STATE_MIN)
            return false;
    return (r->bit + 7) / 8 == r->word &&
           (r->bit % 8 == 0 || r->bytes[r->bit / 8] >> r->bit % 8 == 0);
}

/* -- residuals -- */

/* The zigzag of an escape at a raw bit: low 32 bits; the number of its raw bits
 * above them. */
static SPN_NOINLINE uint64_t read_escape(const uint8_t *bytes, uint32_t last,
                                         uint32_t bit)
{
    const uint32_t length =
        peek_bits(bytes, last, bit, ANIM_ESCAPE_LENGTH_BITS);
    const uint32_t low = min_u32(length, 16);
    uint32_t zigzag;

    bit += ANIM_ESCAPE_LENGTH_BITS;
    zigzag = peek_bits(bytes, last, bit, low);
    zigzag |= peek_bits(bytes, last, bit + low, length - low) << low;
    return (uint64_t)(ANIM_ESCAPE_LENGTH_BITS + length) << 32 | zigzag;
}

SPN_INLINE int32_t decode_residual(struct reader *r, uint32_t *state,
                                   const struct anim_symbols *symbols,
                                   uint32_t class_)
{
    const uint32_t shape = symbols->shape[class_];
    const uint32_t low_bits = symbols->low_bits[class_];
    const uint32_t slot = *state % ANIM_SLOTS;
    uint32_t symbol = symbols->symbol[shape][slot];
    const struct anim_range *range = &symbols->range[shape][symbol];
    uint32_t x = range->count * (*state / ANIM_SLOTS) + slot - range->first;
    const uint32_t is_low = x < ANIM_STATE_MIN;
    const uint32_t last = r->size - 4;
    /* Before the first byte it wraps to the last ones. Only damaged segments go
     * there. */
    const uint32_t word = min_u32(r->word - 2, last);
    const uint32_t low = peek_bits(r->bytes, last, r->bit, low_bits);

    x = is_low ? x << 16 | spn_load_u16le(r->bytes + word) : x;
    r->word = is_low ? word : r->word;
    *state = x;
    r->bit += low_bits;
    if (symbol == ANIM_ESCAPE) {
        const uint64_t escape = read_escape(r->bytes, last, r->bit);

        symbol = (uint32_t)escape;
        r->bit += (uint32_t)(escape >> 32);
    }
    return (int32_t)(((uint32_t)anim_zigzag_inverse(symbol) << low_bits) + low -
                     ((1u << low_bits) >> 1));
}

static void decode_residuals(struct reader *reader,
                             const struct anim_symbols *symbols,
                             const uint8_t *classes, int32_t *residuals,
                             uint32_t count)
{
    /* Copies that the compiler keeps in registers. */
    struct reader r = *reader;
    uint32_t s0 = r.state[0];
    uint32_t s1 = r.state[1];
    uint32_t s2 = r.state[2];
    uint32_t s3 = r.state[3];
    uint32_t i = 0;

    for (; i + 4 <= count; i += 4) {
        residuals[i] = decode_residual(&r, &s0, symbols, classes[i]);
        residuals[i + 1] = decode_residual(&r, &s1, symbols, classes[i + 1]);
        residuals[i + 2] = decode_residual(&r, &s2, symbols, classes[i + 2]);
        residuals[i + 3] = decode_residual(&r, &s3, symbols, classes[i + 3]);
    }
    if (i < count)
        residuals[i] = decode_residual(&r, &s0, symbols, classes[i]);
    if (i + 1 < count)
        residuals[i + 1] = decode_residual(&r, &s1, symbols, classes[i + 1]);
    if (i + 2 < count)
        residuals[i + 2] = decode_residual(&r, &s2, symbols, classes[i + 2]);
    reader->state[0] = s0;
    reader->state[1] = s1;
    reader->state[2] = s2;
    reader->state[3] = s3;
    reader->bit = r.bit;
    reader->word = r.word;
}

/* -- frames -- */

struct workspace {
    uint32_t *mean;     /* [place] */
    int32_t *residuals; /* [place] */
    uint8_t *classes;   /* [place] */
};

size_t spn__anim_segment_workspace(const struct anim_tracks *tracks)
{
    return (size_t)anim_place_count(tracks) *
           (sizeof(uint32_t) + sizeof(int32_t) + sizeof(uint8_t));
}

static struct workspace workspace_at(void *memory, uint32_t count)
{
    uint32_t *mean = memory;
    int32_t *residuals = (int32_t *)(void *)(mean + count);

    return (struct workspace){mean, residuals, (uint8_t *)(residuals + count)};
}

/* Values of wide translations stay below 2^23, so that predictions from them do
 * not overflow. Encoders do not exceed it. */
static int32_t clamp_wide(int64_t value)
{
    return (int32_t)max_i64(-ANIM_WIDE_MAX, min_i64(ANIM_WIDE_MAX, value));
}

/* The first frame. Returns false if a translation is out of range. */
static bool decode_first_row(const struct anim_clip *clip,
                             const struct anim_symbols *symbols,
                             struct reader *r, const struct workspace *w,
                             struct anim_window *window)
{
    const struct anim_tracks *tracks = &clip->tracks;
    const uint32_t count = anim_place_count(tracks);
    const uint32_t row = anim_row_length(tracks);
    const uint32_t first = anim_row_translations(tracks);
    const uint32_t translations = tracks->translations.count;
    const uint32_t wide = tracks->wide_translations.count;
    bool is_valid = true;

    for (uint32_t i = 0; i < count; i++) {
        w->classes[i] = (uint8_t)anim_key_class(tracks->coding[i]);
        w->mean[i] = anim_first_mean(tracks->coding[i]);
    }
    decode_residuals(r, symbols, w->classes, w->residuals, count);
    for (uint32_t i = 0; i < row; i++)
        window->rows[i] = (int16_t)w->residuals[i];
    for (uint32_t k = 0; k < 3; k++)
        for (uint32_t i = 0; i < translations; i++) {
            const uint32_t at = k * translations + i;
            const int64_t v = (int64_t)tracks->translation_center[k][i] +
                              w->residuals[first + at];
            const int64_t base = (v + (1 << 24) + 128) / 256 - (1 << 24) / 256;

            /* The other frames add at most 2^15. */
            is_valid = is_valid && v <= ANIM_VALUE_MAX - 65536 &&
                       v >= -(ANIM_VALUE_MAX - 65536);
            window->base[at] = (int16_t)base;
            window->rows[first + at] = (int16_t)(v - 256 * base);
        }
    for (uint32_t k = 0; k < 3; k++)
        for (uint32_t i = 0; i < wide; i++) {
            const uint32_t at = k * wide + i;

            window->wide[at] = clamp_wide((int64_t)tracks->wide_center[k][i] +
                                          w->residuals[row + at]);
        }
    return is_valid;
}

static void choose_classes(const struct workspace *w, uint32_t count,
                           uint32_t factor)
{
    for (uint32_t i = 0; i < count; i++)
        w->classes[i] = (uint8_t)anim_class(w->mean[i], factor);
}

/* Add residuals to predictions, and update the means. */
static void finish_row(const struct anim_schedule_frame *f, int16_t *rows,
                       const struct workspace *w, uint32_t count,
                       uint32_t inverse)
{
    const int16_t *a = rows + (size_t)f->source[0] * count;
    const int16_t *b = rows + (size_t)f->source[1] * count;
    const int16_t *c = rows + (size_t)f->source[2] * count;
    const int16_t *d = rows + (size_t)f->source[3] * count;
    int16_t *row = rows + (size_t)f->frame * count;

    for (uint32_t i = 0; i < count; i++) {
        const int16_t residual = (int16_t)w->residuals[i];
        const int32_t value =
            anim_predict(f, a[i], b[i], c[i], d[i]) + residual;
        const uint32_t magnitude =
            (uint32_t)(residual < 0 ? -residual : residual);

        row[i] = (int16_t)value;
        w->mean[i] = anim_next_mean(w->mean[i], magnitude, inverse);
    }
}

/* The same for wide translations; the arrays of `w` begin with their first
 * place. */
static void finish_wide(const struct anim_schedule_frame *f, int32_t *rows,
                        const struct workspace *w, uint32_t count,
                        uint32_t inverse)
{
    const int32_t *a = rows + (size_t)f->source[0] * count;
    const int32_t *b = rows + (size_t)f->source[1] * count;
    const int32_t *c = rows + (size_t)f->source[2] * count;
    const int32_t *d = rows + (size_t)f->source[3] * count;
    int32_t *row = rows + (size_t)f->frame * count;

    for (uint32_t i = 0; i < count; i++) {
        const int64_t residual = w->residuals[i];
        const int64_t magnitude = residual < 0 ? -residual : residual;

        row[i] = clamp_wide(anim_predict(f, a[i], b[i], c[i], d[i]) + residual);
        w->mean[i] = anim_next_mean(
            w->mean[i], (uint32_t)min_i64(magnitude, 1 << 15), inverse);
    }
}

static bool decode_rows(const struct anim_clip *clip,
                        const struct anim_decoder_tables *tables,
                        struct reader *r, void *workspace,
                        struct anim_window *window)
{
    const struct anim_tracks *tracks = &clip->tracks;
    const uint32_t count = anim_place_count(tracks);
    const uint32_t row = anim_row_length(tracks);
    const struct anim_schedule *schedule =
        &tables->schedule[window->frame_count];
    const struct workspace w = workspace_at(workspace, count);
    const struct workspace wide = {w.mean + row, w.residuals + row,
                                   w.classes + row};

    if (!decode_first_row(clip, &tables->symbols, r, &w, window))
        return false;
    for (uint32_t i = 1; i < window->frame_count; i++) {
        const struct anim_schedule_frame *f = &schedule->frames[i];
        const uint32_t factor = tracks->level_factor[f->level];

        choose_classes(&w, count, factor);
        decode_residuals(r, &tables->symbols, w.classes, w.residuals, count);
        finish_row(f, window->rows, &w, row, 4096 / factor);
        finish_wide(f, window->wide, &wide, count - row, 4096 / factor);
    }
    return true;
}

spn_status spn__anim_segment_decode(const struct anim_clip *clip,
                                    const struct anim_decoder_tables *tables,
                                    uint32_t segment, const uint8_t *bytes,
                                    void *workspace, struct anim_window *window,
                                    spn_fault *fault)
{
    const struct anim_segment_place place =
        spn__anim_clip_segment(clip, segment);
    const uint32_t checksum = spn__checksum(bytes, place.bytes, WIRE_SEED);
    const uint32_t cut_bytes = clip->header.has_cuts ? 2 : 0;
    struct reader r;

    if (checksum != place.checksum)
        return wire_refuse_for(fault, SPN_ERR_CHECKSUM, "checksum of a segment",
                               place.offset, checksum, place.checksum);
    window->first_frame = segment * ANIM_SEGMENT_FRAMES;
    window->frame_count = anim_clip_segment_frames(&clip->header, segment);
    if (place.bytes < cut_bytes + SIZE_MIN)
        return wire_refuse(fault, "size of a segment", place.offset,
                           place.bytes);
    window->cuts = cut_bytes > 0 ? spn_load_u16le(bytes) : 0;
    if (window->cuts >> window->frame_count != 0)
        return wire_refuse(fault, "cuts of a segment", place.offset,
                           window->cuts);
    reader_begin(&r, bytes + cut_bytes, place.bytes - cut_bytes);
    if (!decode_rows(clip, tables, &r, workspace, window))
        return wire_refuse(fault, "translation in a segment", place.offset, 0);
    if (!reader_is_used_up(&r))
        return wire_refuse(fault, "codes of a segment", place.offset,
                           place.bytes);
    return SPN_OK;
}
