/* range_encoder.c - the encoder for the decoder of base/range_coder.h.
 *
 * The code so far is a number, `low`. Coding a bit may add to it, and so carry
 * into bytes that have left `low` already. A carry goes through bytes of 255
 * and ends at the first other byte. So the last byte that is not 255, and the
 * bytes of 255 after it, are kept back (pending) until the next byte shows
 * whether a carry comes.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/entropy/range_encoder.h"

#include <string.h>

/* Append a byte to the output. */
static void write_byte(struct range_encoder *e, uint8_t byte)
{
    if (e->count == e->room) {
        const size_t room = 2 * e->room + 4096;
        uint8_t *bytes = ARENA_NEW(e->arena, uint8_t, room);

        if (e->count > 0)
            memcpy(bytes, e->bytes, e->count);
        e->bytes = bytes;
        e->room = room;
    }
    e->bytes[e->count++] = byte;
}

/* Take the highest byte from `low`. Bit 32 of `low` is a carry. */
static void shift(struct range_encoder *e)
{
    if ((uint32_t)e->low < 0xff000000u || e->low >> 32) {
        const uint8_t carry = (uint8_t)(e->low >> 32);

        write_byte(e, (uint8_t)(e->pending + carry));
        for (; e->pending_ff > 0; e->pending_ff--)
            write_byte(e, (uint8_t)(0xff + carry));
        e->pending = (uint8_t)(e->low >> 24);
    } else {
        e->pending_ff++;
    }
    e->low = (uint32_t)e->low << 8;
}

void range_encoder_begin(struct range_encoder *e, struct arena *arena)
{
    *e = (struct range_encoder){.range = UINT32_MAX, .arena = arena};
}

void range_encode_bit(struct range_encoder *e, struct chance *chance,
                      uint32_t bit)
{
    const uint32_t bound = chance_bound(chance, e->range);

    if (bit) {
        e->low += bound;
        e->range -= bound;
    } else {
        e->range = bound;
    }
    chance_learn(chance, bit);
    while (e->range < RANGE_TOP) {
        e->range <<= 8;
        shift(e);
    }
}

void range_encode_even(struct range_encoder *e, uint32_t count, uint32_t bits)
{
    while (count-- > 0) {
        e->range >>= 1;
        if (bits >> count & 1)
            e->low += e->range;
        while (e->range < RANGE_TOP) {
            e->range <<= 8;
            shift(e);
        }
    }
}

void range_encoder_end(struct range_encoder *e)
{
    for (int i = 0; i < 5; i++)
        shift(e);
}
