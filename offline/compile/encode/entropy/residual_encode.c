/* residual_encode.c - writes the payloads of the residual coder.
 *
 * codec/lift/residual_coder.h defines the format. The codes of a table come
 * from the function that the runtime uses, so both have the same codes.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/entropy/residual_encode.h"

#include "base/endian.h"
#include "common/arena.h"
#include "compile/encode/entropy/residual_classes.h"
#include "compile/encode/entropy/residual_symbols.h"

#include <stdbool.h>
#include <string.h>

/* -- tables -- */

/* Write the code lengths of a table to `wire`, two in each byte, and compute
 * the codes. Return the end of the written bytes. */
static uint8_t *finish_table(const uint8_t *length, uint32_t symbol_count,
                             uint16_t *code, uint8_t *wire)
{
    for (uint32_t s = 0; s < symbol_count; s++)
        wire[s / 2] |= (uint8_t)(length[s] << (s % 2 * 4));
    (void)spn__residual_codes(wire, symbol_count, code);
    return wire + (symbol_count + 1) / 2;
}

void residual_encoder_finish(struct residual_encoder *coder)
{
    uint8_t *wire = coder->wire;

    memset(wire, 0, sizeof coder->wire);
    for (uint32_t t = 1; t <= TRIPLE_TABLES; t++)
        wire = finish_table(coder->triple_length[t], TRIPLE_SYMBOLS,
                            coder->triple_code[t], wire);
    for (uint32_t t = 1; t <= QUAD_TABLES; t++)
        wire = finish_table(coder->quad_length[t], QUAD_SYMBOLS,
                            coder->quad_code[t], wire);
    residual_costs_make(coder);
}

/* -- bits -- */

/* Writes bits from the low bit of each byte to the high one. */
struct bit_writer {
    uint8_t *bytes; /* all 0 where nothing was written yet */
    size_t at;      /* bits that were written */
};

/* Write the low `bits` bits of `value`; at most 24. */
static void write_bits(struct bit_writer *w, uint32_t value, uint32_t bits)
{
    uint32_t left = (value & ((1u << bits) - 1)) << w->at % 8;

    for (uint8_t *to = w->bytes + w->at / 8; left != 0; left >>= 8)
        *to++ |= (uint8_t)left;
    w->at += bits;
}

/* Map 0, -1, 1, -2, 2 ... to 0, 1, 2, 3, 4 ... */
static uint32_t zigzag(int32_t x)
{
    return (uint32_t)x << 1 ^ (x < 0 ? UINT32_MAX : 0);
}

/* Write one number of an escape. */
static void write_number(struct bit_writer *w, int32_t x)
{
    if (zigzag(x) < 255) {
        write_bits(w, zigzag(x), 8);
        return;
    }
    write_bits(w, 255, 8);
    write_bits(w, zigzag(x), 24);
}

/* Write the escape of a vertex whose triple has no code. */
static void write_escape(struct bit_writer *w, const int16_t *residuals,
                         uint32_t low_bits)
{
    bool is_short = true;
    int16_t q[3];

    for (int i = 0; i < 3; i++) {
        q[i] = residual_quotient(residuals[i], low_bits);
        is_short = is_short && !residual_is_long(q[i]);
    }
    write_bits(w, !is_short, is_short ? 1 : 8);
    for (int i = 0; i < 3; i++) {
        if (is_short)
            write_bits(w, (uint32_t)q[i] & 31, 5);
        else
            write_number(w, q[i]);
    }
}

/* Write the first three components of a run: codes to its bit stream, low
 * bits to `raw`, triples without a code to `escapes`. */
static void write_run_triples(const struct residual_encoder *coder,
                              struct residual_class class_,
                              const int16_t *residuals,
                              struct bit_writer *stream, struct bit_writer *raw,
                              struct bit_writer *escapes)
{
    const uint8_t *length = coder->triple_length[class_.table];
    const uint16_t *code = coder->triple_code[class_.table];
    const uint32_t k = class_.low_bits;
    const uint32_t half = (1u << k) >> 1;
    uint16_t symbols[RESIDUAL_RUN];

    residual_symbols(residuals, k, symbols);
    for (uint32_t v = 0; v < RESIDUAL_RUN; v++) {
        const uint32_t symbol =
            length[symbols[v]] == 0 ? TRIPLE_ESCAPE : symbols[v];

        write_bits(stream, code[symbol], length[symbol]);
        if (symbol == TRIPLE_ESCAPE)
            write_escape(escapes, residuals + 4 * v, k);
    }
    for (uint32_t v = 0; k > 0 && v < RESIDUAL_RUN; v += 8)
        for (uint32_t i = 0; i < 3; i++)
            for (uint32_t u = v; u < v + 8; u++)
                write_bits(raw, (uint32_t)residuals[4 * u + i] + half, k);
}

/* Write the fourth component of a run in the same way. It has no low bits. */
static void write_run_quads(const struct residual_encoder *coder,
                            uint32_t class_, const int16_t *fourth,
                            struct bit_writer *stream,
                            struct bit_writer *escapes)
{
    const uint8_t *length = coder->quad_length[class_];

    for (uint32_t v = 0; v < RESIDUAL_RUN; v += 4) {
        uint32_t symbol = residual_quad_symbol(fourth + v);

        if (length[symbol] == 0)
            symbol = QUAD_ESCAPE;
        write_bits(stream, coder->quad_code[class_][symbol], length[symbol]);
        for (uint32_t i = 0; symbol == QUAD_ESCAPE && i < 4; i++)
            write_number(escapes, fourth[v + i]);
    }
}

static uint32_t stripe_count_of(uint32_t count)
{
    return (count + RESIDUAL_STRIPE - 1) / RESIDUAL_STRIPE;
}

/* In the class of least cost, a triple takes at most 11 bits of code and 13
 * bytes. More low bits are chosen only if they cost less. */
size_t residual_payload_bytes_max(uint32_t count)
{
    return 64 + (size_t)stripe_count_of(count) * RESIDUAL_STRIPE * 24;
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
    const uint32_t stripes = stripe_count_of(count);
    const uint32_t runs = stripes * RESIDUAL_STREAMS;
    const size_t room = residual_payload_bytes_max(count);
    uint8_t classes[RESIDUAL_RUNS_MAX];
    uint8_t quad_classes[RESIDUAL_RUNS_MAX];
    struct arena scratch;
    struct bit_writer part[RESIDUAL_STREAMS + 2];
    size_t at = 9;
    uint32_t base;

    arena_init(&scratch);
    for (uint32_t i = 0; i < RESIDUAL_STREAMS + 2; i++) {
        part[i].bytes = ARENA_NEW(&scratch, uint8_t, room);
        part[i].at = 0;
    }
    (void)residual_choose_classes(coder, residuals, fourth, runs, &base,
                                  classes, quad_classes);
    for (uint32_t b = 0; b < runs; b++) {
        struct bit_writer *stream = &part[b % RESIDUAL_STREAMS];
        const struct residual_class class_ = residual_class(classes[b], base);

        if (class_.table != 0)
            write_run_triples(
                coder, class_, residuals + 4 * RESIDUAL_RUN * (size_t)b, stream,
                &part[RESIDUAL_STREAMS], &part[RESIDUAL_STREAMS + 1]);
        if (fourth && quad_classes[b] != 0)
            write_run_quads(coder, quad_classes[b],
                            fourth + RESIDUAL_RUN * (size_t)b, stream,
                            &part[RESIDUAL_STREAMS + 1]);
    }
    out[0] = (uint8_t)base;
    for (uint32_t b = 0; b < runs; b += 2)
        out[at++] = (uint8_t)(classes[b] | classes[b + 1] << 4);
    for (uint32_t b = 0; fourth && b < runs; b += 2)
        out[at++] = (uint8_t)(quad_classes[b] | quad_classes[b + 1] << 4);
    for (uint32_t i = 0; i < RESIDUAL_STREAMS; i++)
        spn_store_u16le(out + 1 + 2 * i, (uint16_t)((part[i].at + 7) / 8));
    for (uint32_t i = 0; i < RESIDUAL_STREAMS + 2; i++)
        at = append(out, at, &part[i]);
    arena_free(&scratch);
    return at;
}
