/* planes.h - residuals of the classic codec as bit planes.
 *
 * Residuals are small, so most of their high bits are equal. A block that
 * stores them as bit planes has the equal bits side by side, and a general
 * compressor (LZ4, deflate) takes fewer bytes and less time for them. The frame
 * decoder (cache/) decompresses a block and calls spn__planes_join(), which
 * interleaves the residuals for predict.h. No state; any thread.
 *
 * LAYOUT of `count` vertices with n components of W bits (16, or 8 of colours).
 * m is count / 8, rounded down. It takes exactly as many bytes as interleaved
 * residuals.
 *
 *   for each component W planes of m bytes, the highest bit first; bit j of
 *   byte i of a plane belongs to vertex 8 i + j
 *   then the last count % 8 vertices, interleaved, little-endian
 *
 * A residual r is stored as z, modulo 2^W: z = 2 r - 1 if r > 0, else -2 r.
 * This is the zigzag of -r. Predictions round down, so +1 is more frequent than
 * -1 and gets the smaller number. Every bit pattern is valid.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_CLASSIC_PLANES_H
#define SPN_CODEC_CLASSIC_PLANES_H

#include "codec/channel.h"
#include "codec/classic/predict.h"

#include <stddef.h>
#include <stdint.h>

/* The order of residuals in a block. These are numbers of the file format; new
 * ones can be added without a new version of it. */
enum residual_order {
    ORDER_INTERLEAVED = 0, /* vertex by vertex, little-endian */
    ORDER_PLANES = 1,
    ORDER_COUNT
};

/* Bytes of scratch memory for a call, aligned to 64. */
#define PLANES_SPARE_BYTES 2048u

/* Planes to interleaved residuals in native byte order. `spare` is scratch
 * memory of PLANES_SPARE_BYTES; the three do not overlap. */
void spn__planes_join(const struct predict_ops *ops, enum channel channel,
                      const uint8_t *planes, uint32_t count, void *residuals,
                      void *spare);

/* The scalar kernel of predict_ops.join_u16, which is the specification. Vector
 * kernels call it for streams that are shorter than a vector. */
void spn__planes_join_u16(uint16_t *residuals, const uint8_t *planes,
                          uint32_t count, uint32_t components, void *spare);

/* The residual of a stored z. */
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
