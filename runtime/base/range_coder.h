/* range_coder.h - bits by their chances: the decoder.
 *
 * Each bit is coded with a chance that learns from the bits before it, so that
 * what repeats costs little. Made for data that is read once: some ten
 * nanoseconds a bit. Bytes beyond the end read as 0 and are counted, so any
 * bytes can be decoded; whoever decodes asks at the end whether all were used.
 *
 * What codes with it is written once for both directions: code_bit takes the
 * bit and returns it here, and returns the one that was decoded there.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_RANGE_CODER_H
#define SPN_BASE_RANGE_CODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of a 0, in 65536ths: the mean of one that learns fast and a steady one. */
struct chance {
    uint16_t fast;
    uint16_t steady;
};
#define CHANCE_FAST 4
#define CHANCE_STEADY 7
#define RANGE_TOP (1u << 24)

static inline void chance_reset(struct chance *chances, size_t count)
{
    for (size_t i = 0; i < count; i++)
        chances[i] = (struct chance){0x8000, 0x8000};
}

static inline uint32_t chance_bound(const struct chance *c, uint32_t range)
{
    return (range >> 16) * (((uint32_t)c->fast + c->steady) >> 1);
}

/* Never 0 or 65536: the steps towards either end before. */
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

/* Bytes that lie in pieces. */
struct range_source {
    /* The next piece, or NULL behind the last. */
    const uint8_t *(*next)(void *user, uint32_t *bytes);
    void *user;
};

struct range_decoder {
    const uint8_t *at;
    const uint8_t *end;
    const struct range_source *more; /* behind the end; NULL: nothing */
    uint32_t range;
    uint32_t code;
    uint32_t beyond; /* bytes after the end */
};

/* False when there is no byte any more. */
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

static inline void range_decoder_shift(struct range_decoder *d)
{
    uint32_t byte = 0;

    if (range_decoder_has_byte(d))
        byte = *d->at++;
    else
        d->beyond++;
    d->code = d->code << 8 | byte;
}

/* Of `count` bytes and then those of `more`, which must stay; NULL: none. */
static inline void range_decoder_begin_pieces(struct range_decoder *d,
                                              const uint8_t *bytes,
                                              size_t count,
                                              const struct range_source *more)
{
    *d = (struct range_decoder){
        .at = bytes, .end = bytes + count, .more = more, .range = UINT32_MAX};
    /* The first byte is what a carry could still have changed: 0. */
    for (int i = 0; i < 5; i++)
        range_decoder_shift(d);
}

static inline void range_decoder_begin(struct range_decoder *d,
                                       const uint8_t *bytes, size_t count)
{
    range_decoder_begin_pieces(d, bytes, count, NULL);
}

static inline bool range_decoder_is_used_up(struct range_decoder *d)
{
    return !range_decoder_has_byte(d) && d->beyond == 0;
}

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

/* `count` bits of which nothing is known. */
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
