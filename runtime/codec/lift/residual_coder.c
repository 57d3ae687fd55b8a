/* residual_coder.c - the head of a payload, and the scalar decoder, which is
 * the reference.
 *
 * Within a stripe a decoder does not check whether a bit stream has ended, and
 * may read beyond it. This stays within the payload and its padding: in a
 * stripe a bit stream uses at most 64 * 11 + 16 * 11 bits, which are 110 bytes,
 * and reads 16 bytes ahead. After each stripe the decoder checks the position.
 * A position beyond the end never returns, so all decoders refuse the same
 * payloads.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/residual_coder.h"

#include "base/cpu.h"
#include "base/endian.h"
#include "base/mem.h"
#include "base/wire.h"

/* -- the scalar decoder -- */

struct bit_stream {
    const uint8_t *bytes;
    uint32_t at; /* bits used */
};

/* Return 25 bits or more from bit `at` on. Three bytes behind `bytes` must be
 * readable. */
static uint32_t window_at(const uint8_t *bytes, uint32_t at)
{
    return spn_load_u32le(bytes + at / 8) >> at % 8;
}

/* Decode the next symbol. */
static uint32_t look_up(struct bit_stream *stream, const uint16_t *table,
                        const uint32_t *values)
{
    const uint32_t entry = table[window_at(stream->bytes, stream->at) &
                                 (RESIDUAL_TABLE_ENTRIES - 1)];

    stream->at += entry & RESIDUAL_ENTRY_LENGTH;
    return values[entry >> RESIDUAL_ENTRY_SYMBOL];
}

static uint32_t nibble(const uint8_t *nibbles, uint32_t index)
{
    return (uint32_t)nibbles[index / 2] >> (index % 2 * 4) & 15u;
}

/* Bits [at, at + count) of the raw bits, count <= 13. */
static uint32_t raw_bits(const uint8_t *raw, uint32_t at, uint32_t count)
{
    return window_at(raw, at) & ((1u << count) - 1);
}

struct decoding {
    const struct residual_payload *payload;
    struct bit_stream stream[RESIDUAL_STREAMS];
    const uint8_t *raw;
    const uint8_t *escapes;
};

/* e = q * 2^k + low - h for the run's 64 triples. */
static bool decode_run(struct decoding *d, uint32_t run, int16_t *residuals)
{
    const struct residual_payload *p = d->payload;
    const struct residual_class c =
        residual_class(nibble(p->classes, run), p->base);
    const uint32_t k = c.low_bits;
    const uint32_t half = (1u << k) >> 1;
    struct bit_stream *stream = &d->stream[run % RESIDUAL_STREAMS];

    if (c.table == 0) {
        memset(residuals, 0, 4 * RESIDUAL_RUN * sizeof *residuals);
        return true;
    }
    for (uint32_t v = 0; v < RESIDUAL_RUN; v++) {
        uint32_t entry = look_up(stream, p->tables->triple[c.table],
                                 p->tables->triple_value);
        int32_t q[3] = {(int8_t)(entry >> 8), (int8_t)(entry >> 16),
                        (int8_t)(entry >> 24)};

        if (entry & RESIDUAL_VALUE_IS_ESCAPE) {
            if (d->escapes >= p->escapes_end)
                return false;
            residual_escape(&d->escapes, q);
        }
        for (uint32_t i = 0; i < 3; i++) {
            /* Most runs have no low bits. */
            uint32_t low =
                k > 0 ? raw_bits(d->raw, (v / 8 * 24 + 8 * i + v % 8) * k, k)
                      : 0;

            residuals[4 * v + i] =
                (int16_t)(((uint32_t)q[i] << k) + low - half);
        }
        residuals[4 * v + 3] = 0;
    }
    d->raw += 24 * k;
    return true;
}

static bool decode_quads(struct decoding *d, uint32_t run, int16_t *fourth)
{
    const struct residual_payload *p = d->payload;
    const uint32_t class_ = nibble(p->quad_classes, run);

    if (class_ == 0) {
        memset(fourth, 0, RESIDUAL_RUN * sizeof *fourth);
        return true;
    }
    for (uint32_t v = 0; v < RESIDUAL_RUN; v += 4) {
        uint32_t entry =
            look_up(&d->stream[run % RESIDUAL_STREAMS], p->tables->quad[class_],
                    p->tables->quad_value);
        bool is_escape = (entry & RESIDUAL_VALUE_IS_ESCAPE) != 0;

        if (is_escape && d->escapes >= p->escapes_end)
            return false;
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t f = entry >> (16 + 4 * i) & 15u;

            fourth[v + i] = is_escape ? (int16_t)residual_number(&d->escapes)
                                      : (int16_t)((int32_t)(f ^ 8) - 8);
        }
    }
    return true;
}

static bool is_used_up(const struct bit_stream *stream, uint32_t bytes)
{
    const uint32_t spare = 8 * bytes - stream->at;

    if ((stream->at + 7) / 8 != bytes)
        return false;
    return spare == 0 || stream->bytes[bytes - 1] >> (8 - spare) == 0;
}

static bool decode(const struct residual_payload *payload, int16_t *residuals,
                   int16_t *fourth)
{
    struct decoding d = {
        .payload = payload, .raw = payload->raw, .escapes = payload->escapes};

    for (uint32_t s = 0; s < RESIDUAL_STREAMS; s++)
        d.stream[s].bytes = payload->stream[s];
    for (uint32_t run = 0; run < 4 * payload->stripe_count; run++) {
        uint32_t s = run % RESIDUAL_STREAMS;

        if ((d.stream[s].at + 7) / 8 > payload->stream_bytes[s])
            return false;
        if (!decode_run(&d, run, residuals + 4 * RESIDUAL_RUN * run))
            return false;
        if (fourth && !decode_quads(&d, run, fourth + RESIDUAL_RUN * run))
            return false;
    }
    for (uint32_t s = 0; s < RESIDUAL_STREAMS; s++)
        if (!is_used_up(&d.stream[s], payload->stream_bytes[s]))
            return false;
    return d.escapes == payload->escapes_end;
}

void spn__residual_ops_init(struct residual_ops *ops, uint32_t cpu)
{
    ops->decode = decode;
    if (cpu & SPN_CPU_SSE41)
        spn__residual_ops_sse41(ops);
    if (cpu & SPN_CPU_AVX2)
        spn__residual_ops_avx2(ops);
    if (cpu & SPN_CPU_NEON)
        spn__residual_ops_neon(ops);
}

/* -- the head -- */

/* Classes of all runs: that their tables are there, and the bytes of their
 * raw bits. */
static bool validate_classes(const struct residual_payload *p,
                             uint32_t *raw_bytes)
{
    const struct residual_tables *tables = p->tables;
    uint32_t used = 0;
    uint32_t used_quads = 0;
    uint32_t sum = 0;

    for (uint32_t run = 0; run < 4 * p->stripe_count; run++) {
        const uint32_t class_ = nibble(p->classes, run);

        used |= 1u << class_;
        sum += residual_class(class_, p->base).low_bits;
        if (p->quad_classes)
            used_quads |= 1u << nibble(p->quad_classes, run);
    }
    *raw_bytes = 24 * sum;
    return (used & ~tables->has_triple) == 0 &&
           (used_quads & ~tables->has_quad) == 0;
}

spn_status spn__residual_decode(const struct residual_ops *ops,
                                const struct residual_tables *tables,
                                const uint8_t *payload, size_t bytes,
                                uint32_t count, int16_t *residuals,
                                int16_t *fourth, struct spn_fault *fault)
{
    const uint32_t stripes = (count + RESIDUAL_STRIPE - 1) / RESIDUAL_STRIPE;
    const size_t head = 9 + (size_t)stripes * (fourth ? 4 : 2);
    struct residual_payload p = {.tables = tables, .stripe_count = stripes};
    size_t left = bytes;
    uint32_t raw_bytes;

    if (count < 1 || count > RESIDUAL_VERTICES_MAX)
        return SPN_ERR_ARG;
    if (bytes < head)
        return wire_refuse_wide(fault, "payload's head", 0, bytes);
    p.base = payload[0];
    p.classes = payload + 9;
    p.quad_classes = fourth ? payload + 9 + 2 * (size_t)stripes : NULL;
    if (p.base > RESIDUAL_BASE_MAX)
        return wire_refuse(fault, "base of low bits", 0, p.base);
    if (!validate_classes(&p, &raw_bytes))
        return wire_refuse(fault, "class without a table", 9, 0);
    left -= head;
    for (uint32_t s = 0; s < RESIDUAL_STREAMS; s++) {
        p.stream[s] = payload + (bytes - left);
        p.stream_bytes[s] = spn_load_u16le(payload + 1 + 2 * s);
        if (p.stream_bytes[s] > left)
            return wire_refuse(fault, "bytes of a bit stream", 1 + 2 * s,
                               p.stream_bytes[s]);
        left -= p.stream_bytes[s];
    }
    if (raw_bytes > left)
        return wire_refuse(fault, "raw bits", 9, raw_bytes);
    p.raw = payload + (bytes - left);
    p.escapes = p.raw + raw_bytes;
    p.escapes_end = payload + bytes;
    if (!ops->decode(&p, residuals, fourth))
        return wire_refuse_wide(fault, "residuals", 9, bytes);
    return SPN_OK;
}
