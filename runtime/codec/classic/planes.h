/* planes.h - residuals as bit planes: few bits in, few bytes out.
 *
 * Residuals are small, so most of their high bits are alike. Interleaved, each
 * of them still takes two bytes of the compressor's time and space; as planes
 * the equal bits lie side by side and the compressor takes them in runs.
 *
 * A stream of `count` vertices with n components of W bits (16, colours 8) as
 * planes takes exactly as many bytes as interleaved, m being count / 8:
 *
 *   for each component W planes of m bytes, the highest bit first; bit j of
 *   byte i of a plane belongs to vertex 8 i + j
 *   the last count % 8 vertices, interleaved, little-endian
 *
 * and what is stored of a residual r is z = 2 r - 1 where r > 0 and -2 r where
 * it is not, modulo 2^W: the zigzag of -r. (Predictions round down, so +1 is
 * more frequent than -1 and gets the shorter number.) Every bit pattern is a
 * residual: there is nothing to refuse.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_CLASSIC_PLANES_H
#define SPN_CODEC_CLASSIC_PLANES_H

#include "codec/channel.h"
#include "codec/classic/predict.h"

#include <stddef.h>
#include <stdint.h>

/* How a block's residuals lie in it. Numbers of the file format; the next
 * ones join without a new version of the format. */
enum residual_order {
    ORDER_INTERLEAVED = 0, /* vertex by vertex, little-endian */
    ORDER_PLANES = 1,
    ORDER_COUNT
};

/* Room that the kernels work in, beside source and target; aligned to 64. */
#define PLANES_SPARE_BYTES 2048u

/* From planes to interleaved residuals in the machine's byte order. `spare`
 * has PLANES_SPARE_BYTES; nothing overlaps. */
void spn__planes_join(const struct predict_ops *ops, enum channel channel,
                      const uint8_t *planes, uint32_t count, void *residuals,
                      void *spare);

/* The parts of spn__predict_ops_init for join_u16 and join_u8: the scalar
 * kernels, which are the specification, and what replaces them. */
void spn__planes_ops_scalar(struct predict_ops *ops);
void spn__planes_ops_sse41(struct predict_ops *ops);
void spn__planes_ops_avx2(struct predict_ops *ops);
void spn__planes_ops_neon(struct predict_ops *ops);

/* The scalar kernel, for what is too short to be anything else. */
void spn__planes_join_u16(uint16_t *residuals, const uint8_t *planes,
                          uint32_t count, uint32_t components, void *spare);

static inline uint16_t planes_residual_u16(uint32_t z)
{
    return (uint16_t)(((z >> 1) ^ ((z & 1u) - 1u)) + 1u);
}

/* The last count % 8 vertices. */
static inline void planes_tail_u16(uint16_t *residuals, const uint8_t *planes,
                                   uint32_t count, uint32_t components)
{
    const size_t limit = (size_t)count * components;

    for (size_t i = (size_t)(count & ~7u) * components; i < limit; i++) {
        uint32_t low = planes[2 * i];
        uint32_t high = planes[2 * i + 1];

        residuals[i] = planes_residual_u16(low | high << 8);
    }
}

#endif
