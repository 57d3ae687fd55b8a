/* range_coder.h - an adaptive binary range coder: the decoder.
 *
 * Each bit is coded with a probability (struct chance) that adapts to the bits
 * coded with it before. The decoder is made for data that is read once, such as
 * static meshes: it takes about ten nanoseconds a bit. Any input can be
 * decoded: bytes beyond its end read as 0 and are counted. After the last bit
 * the caller must check range_decoder_is_used_up. The module has no state; a
 * decoder belongs to one thread.
 *
 * Arithmetic: 32-bit `range` and `code`. range_decode_bit splits the range at
 * bound = (range / 2^16) p, where p is the probability of a 0 in units of
 * 2^-16. The bit is 1 if code >= bound. A range below RANGE_TOP is extended by
 * the next byte.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_RANGE_CODER_H
#define SPN_BASE_RANGE_CODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Probability of a 0 in units of 2^-16: the mean of two estimates, one that
 * adapts fast and one that adapts slowly. */
struct chance {
    uint16_t fast;
    uint16_t steady;
};
/* An estimate moves by 2^-CHANCE_... of its distance to the coded bit. */
#define CHANCE_FAST 4
#define CHANCE_STEADY 7
/* The range is extended by a byte when it is smaller. */
#define RANGE_TOP (1u << 24)

/* Set `count` probabilities to one half. */
static inline void chance_reset(struct chance *chances, size_t count)
{
    for (size_t i = 0; i < count; i++)
        chances[i] = (struct chance){0x8000, 0x8000};
}

/* The bound between the parts of the range for 0 and for 1. */
static inline uint32_t chance_bound(const struct chance *c, uint32_t range)
{
    return (range >> 16) * (((uint32_t)c->fast + c->steady) >> 1);
}

/* Adapt a probability to a coded bit. The bound never becomes 0 or `range`,
 * because the steps become 0 before an estimate reaches either end. */
static inline void chance_learn(struct chance *c, uint32_t bit)
{
    if (bit) {
        c->fast -= (uint16_t)(c->fast >> CHANCE_FAST);
        c->steady -= (uint16_t)(c->steady >> CHANCE_STEADY);
    } else {
        c->fast += (uint16_t)((0xffffu - c->fast) >> CHANCE_FAST);
        c->steady += (uint16_t)((0xffffu - c->steady) >> CHANCE_STEADY);
    }
}

/* Input in several pieces. */
struct range_source {
    /* Returns the next piece and sets *bytes to its size; NULL: no more. */
    const uint8_t *(*next)(void *user, uint32_t *bytes);
    void *user;
};

struct range_decoder {
    const uint8_t *at;               /* the next byte */
    const uint8_t *end;              /* end of the current piece */
    const struct range_source *more; /* pieces after it; NULL: none */
    uint32_t range;
    uint32_t code;
    uint32_t beyond; /* number of bytes that were read beyond the input */
};

/* Whether there is another byte. Goes to the next piece if needed. */
static inline bool range_decoder_has_byte(struct range_decoder *d)
{
    while (d->at == d->end) {
        const uint8_t *piece = NULL;
        uint32_t bytes = 0;

        if (d->more)
            piece = d->more->next(d->more->user, &bytes);
        if (!piece) {
            d->more = NULL;
            return false;
        }
        d->at = piece;
        d->end = piece + bytes;
    }
    return true;
}

/* Append the next byte to `code`. */
static inline void range_decoder_shift(struct range_decoder *d)
{
    uint32_t byte = 0;

    if (range_decoder_has_byte(d))
        byte = *d->at++;
    else
        d->beyond++;
    d->code = d->code << 8 | byte;
}

/* Begin to decode `count` bytes followed by the pieces of `more` (NULL: none).
 * The memory and *more must stay valid while the decoder is used. */
static inline void range_decoder_begin_pieces(struct range_decoder *d,
                                              const uint8_t *bytes,
                                              size_t count,
                                              const struct range_source *more)
{
    *d = (struct range_decoder){
        .at = bytes, .end = bytes + count, .more = more, .range = UINT32_MAX};
    /* The encoder writes a first byte that is always 0: it is the place of a
     * carry. Four more bytes fill `code`. */
    for (int i = 0; i < 5; i++)
        range_decoder_shift(d);
}

static inline void range_decoder_begin(struct range_decoder *d,
                                       const uint8_t *bytes, size_t count)
{
    range_decoder_begin_pieces(d, bytes, count, NULL);
}

/* Whether all bytes of the input were read and none beyond. */
static inline bool range_decoder_is_used_up(struct range_decoder *d)
{
    return !range_decoder_has_byte(d) && d->beyond == 0;
}

/* Decode one bit, and adapt its probability. */
static inline uint32_t range_decode_bit(struct range_decoder *d,
                                        struct chance *chance)
{
    const uint32_t bound = chance_bound(chance, d->range);
    const uint32_t bit = d->code >= bound;

    if (bit) {
        d->code -= bound;
        d->range -= bound;
    } else {
        d->range = bound;
    }
    chance_learn(chance, bit);
    while (d->range < RANGE_TOP) {
        d->range <<= 8;
        range_decoder_shift(d);
    }
    return bit;
}

/* Decode `count` bits, at most 32, each with a probability of one half. The
 * first is the highest bit of the result. */
static inline uint32_t range_decode_even(struct range_decoder *d,
                                         uint32_t count)
{
    uint32_t bits = 0;

    for (uint32_t i = 0; i < count; i++) {
        d->range >>= 1;
        bits = bits << 1 | (d->code >= d->range);
        if (bits & 1)
            d->code -= d->range;
        while (d->range < RANGE_TOP) {
            d->range <<= 8;
            range_decoder_shift(d);
        }
    }
    return bits;
}

#endif
