/* one_ring.h - QTangents guessed from the positions of the same frame, and UVs.
 *
 * Around each vertex stands a ring of neighbours, slot by slot. A sector lies
 * between a slot and the one before; before the first comes the last. With d_k
 * the difference of neighbour k to the vertex, whole numbers of the quantized
 * positions,
 *
 *   N = sum_k a_k * (d_(k-1) x d_k)     a_k: the sector's weight, of an open
 *                                       ring a_0 = 0
 *   T = sum_k c_k * d_k                 c_k: the neighbour's weight
 *
 * both times the lengths of the axes' steps, so N_x by those of y and z, and
 * N / 2^24 and T / 2^7, so that nothing below leaves the range of floats. The
 * weights are constant over time, which fits a surface that bends more than it
 * stretches. Where UVs move on it, no constant direction follows them: rings by
 * UVs have, with v_k the difference of the second UV number of neighbour k to
 * the vertex's, the gradient of the first, and T / 2^24:
 *
 *   T = c_0 * sum_k a_k * (d_(k-1) v_k - d_k v_(k-1))
 *                                       c_0: 1, or -1 where UVs are mirrored
 *
 * Sectors are added up by twos, which share a neighbour: for k = 1, 3 ..., with
 *
 *   C = a_(k+1) d_(k+1) - a_k d_(k-1)   and C_v of v likewise
 *
 * d_k x C is added to N, d_k C_v and then -C v_k to T. Sector 0 is the last: it
 * lies between the last slot and the first. Where it is the first of two,
 * nothing is behind it, and C is -a_0 d_(k-1). Slots that a ring does not use
 * in its block are slots, too, with the neighbour before and weights of 0.
 * Then, with |v| = sqrt(max(v . v, 2^-62)):
 *
 *   B = N x T    s = |N| |B|    t = B x N    u = |N| B    n = |B| N
 *
 * and the guess is the quaternion of the rotation whose columns are t, u and
 * n, all of length s, times 511, in 64ths and rounded to the nearest, a half
 * to even. Of w, x, y, z the first whose square is largest is found from its
 * square, the others from it; it is positive. Where there is no such rotation
 * the guess is a bad one, no more.
 *
 * All arithmetic is IEEE single precision, each operation rounded by itself
 * and in the order of the scalar code; nothing on the way depends on numbers
 * too small to be normal.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_ONE_RING_H
#define SPN_CODEC_LIFT_ONE_RING_H

#include "base/compiler.h"

#include <spindle/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Vertices are dealt with eight at a time: a block. Those of a window are dealt
 * out to its blocks by the lengths of their rings, so that few slots are
 * unused. */
#define ONE_RING_LANES 8u
#define ONE_RING_WINDOW 64u
#define ONE_RING_SLOTS_MAX 16u
#define ONE_RING_VERTICES_MAX 65536u
#define ONE_RING_SCALE_ONE 32768u
#define ONE_RING_FRACTION_BITS 6u
#define ONE_RING_HALF_LENGTH 16352.0f /* 511 / 2, in 64ths */

/* One slot of each ring of a block. Rings that are shorter have the neighbour
 * of the slot before and weights of 0. */
struct one_ring_slot {
    uint16_t neighbour[ONE_RING_LANES];
    int8_t sector[ONE_RING_LANES]; /* a */
    int8_t along[ONE_RING_LANES];  /* c; in rings by UVs of slot 0 alone */
};

struct one_rings {
    uint32_t vertex_count;
    /* Slots of block b: first[b] .. first[b + 1], at most ONE_RING_SLOTS_MAX.
     * One entry more than blocks. */
    const uint32_t *first;
    const struct one_ring_slot *slots;
    /* Whose ring each lane of each block has, from the window's first vertex
     * on; all of them once, up to those that fill the last block. */
    const uint8_t *vertex;
    uint16_t scale[3]; /* step of each axis, in 32768ths of the longest */
    bool by_uvs;
};

static inline uint32_t one_ring_block_count(uint32_t vertex_count)
{
    return (vertex_count + ONE_RING_LANES - 1) / ONE_RING_LANES;
}

/* The door: counts, rising slots, neighbours below vertex_count, scales at
 * most ONE_RING_SCALE_ONE; in rings by UVs c_0 from -1 to 1. Files hold no
 * others (lift_wire.h): this is for tests. Of `vertex` nothing is asked: each
 * of a window is there once. */
SPN_NODISCARD spn_status spn__one_rings_validate(const struct one_rings *rings,
                                                 struct spn_fault *fault);

/* Guess QTangents of the blocks [first, limit): whole windows, unless they are
 * the last. `positions`: four numbers a vertex, x y z and, for rings by UVs, v,
 * else any, as unsigned 16-bit, with room for whole blocks; `guesses`: four a
 * vertex from the first block's on. The scalar one is the specification. */
struct one_ring_ops {
    void (*guess)(const struct one_rings *rings, const int16_t *positions,
                  uint32_t first, uint32_t limit, int16_t *guesses);
};

/* `cpu`: bits of the instruction sets that may be used; 0: scalar. */
void spn__one_ring_ops_init(struct one_ring_ops *ops, uint32_t cpu);

/* The parts of spn__one_ring_ops_init; they leave the table as it is where this
 * build has no code for the instruction set. */
void spn__one_ring_ops_sse41(struct one_ring_ops *ops);
void spn__one_ring_ops_avx2(struct one_ring_ops *ops);
void spn__one_ring_ops_neon(struct one_ring_ops *ops);

/* For the variants: everything stays in registers. */
#define ONE_RING_INLINE SPN_INLINE

/* What lengths of 0 become, squared: 2^-62. */
#define ONE_RING_SQUARE_MIN 2.168404344971009e-19f

/* What N and T are multiplied by, each axis by itself. */
struct one_ring_scales {
    float normal[3];
    float tangent[3];
};
static inline struct one_ring_scales one_ring_scales_of(
    const struct one_rings *rings)
{
    struct one_ring_scales scales;

    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t y = rings->scale[(i + 1) % 3];
        const uint32_t z = rings->scale[(i + 2) % 3];

        scales.normal[i] = (float)(y * z) * 0x1p-54f;
        scales.tangent[i] =
            (float)rings->scale[i] * (rings->by_uvs ? 0x1p-39f : 0x1p-22f);
    }
    return scales;
}

#endif
