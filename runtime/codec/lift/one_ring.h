/* one_ring.h - QTangents derived from the positions of the same frame.
 *
 * The lifting codec (lift.h) may predict QTangents from the decoded positions
 * of the same frame. This module computes that prediction, the guess: for each
 * vertex it sums over its one-ring, the neighbours around it, to get a normal
 * N and a tangent T, and turns those into a quaternion. The weights of the sums
 * are trained by the compiler and do not change over time, which fits a surface
 * that bends more than it stretches. one_ring_walk.h finds the neighbours,
 * lift_wire.h reads the weights, both when a cache is opened; decoders on any
 * thread then read them and call guess() with each frame's positions.
 *
 * SYMBOLS, for a vertex with the neighbours 0 .. m-1 in the order around it:
 *
 *   d_k    position of neighbour k minus position of the vertex, in quantized
 *          steps
 *   v_k    the same difference of the second UV coordinate
 *   a_k    weight of sector k, which lies between neighbours k-1 and k. Sector
 *          0 lies between the last neighbour and the first; a_0 = 0 if the ring
 *          is open, that is, if the vertex is on a border
 *   c_k    weight of neighbour k
 *   |x|    sqrt(max(x . x, 2^-62)), so that divisions are safe
 *   x, .   cross product and scalar product
 *
 * A closed ring with m = 4, and an open ring with m = 3; V is the vertex, a
 * number is a neighbour, a_k is written in sector k:
 *
 *        2                         2
 *     a_3 | a_2                    | a_2
 *   3 --- V --- 1                  V --- 1
 *     a_0 | a_1                    | a_1
 *        0                         0           sector 0 does not exist: a_0 = 0
 *
 * NORMAL AND TANGENT. Sums are over all k; d_(-1) is that of the last
 * neighbour.
 *
 *   N = sum_k a_k (d_(k-1) x d_k)
 *   T = sum_k c_k d_k
 *
 * A constant combination of neighbours does not follow UVs that move over the
 * surface. Rings by UVs take T from the gradient of the UVs instead: the
 * tangent is the direction on the surface along which the second UV coordinate
 * v stays constant, so v alone suffices. c_0 is 1, or -1 where the UVs are
 * mirrored:
 *
 *   T = c_0 sum_k a_k (d_(k-1) v_k - d_k v_(k-1))
 *
 * The quantization steps of the three axes differ. `scale` has them, in units
 * of 2^-15 of the longest step. Each component of T is multiplied by the step
 * of its axis, each component of N by the steps of the two other axes, and both
 * by a power of two (one_ring_scales_of()), so that no result leaves the normal
 * range of floats.
 *
 * QUATERNION. With
 *
 *   B = N x T    s = |N| |B|    t = B x N    u = |N| B    n = |B| N
 *
 * t, u and n have the length s, and are the columns of s times a rotation. The
 * guess is 511 times the quaternion of this rotation, in 64ths, rounded to
 * nearest, a half to even. It is stored as x, y, z, w. Of the four components,
 * the one with the largest square is computed from its square, the others from
 * it; it is positive. Of equal squares the first in the order w, x, y, z counts
 * as the largest. If N or T vanishes the guess is useless, but it is still the
 * same on every machine.
 *
 * ORDER OF OPERATIONS. All arithmetic is IEEE single precision. Each operation
 * is rounded by itself, in the order of the scalar code, and no result depends
 * on denormal numbers. Sectors are added in pairs (k, k+1) that share neighbour
 * k, for k = 1, 3, 5 ...; numbers of sectors and neighbours are modulo m, so
 * sector 0 follows sector m-1. The two terms of a pair have a common factor,
 *
 *   a_k (d_(k-1) x d_k) + a_(k+1) (d_k x d_(k+1)) = d_k x C
 *
 * and likewise the terms of T by UVs. So the sums are computed as
 *
 *   C   = a_(k+1) d_(k+1) - a_k d_(k-1)    C_v = a_(k+1) v_(k+1) - a_k v_(k-1)
 *   N  += d_k x C
 *   T  += d_k C_v, then T -= C v_k         by UVs only
 *
 * If sector 0 is left over without a partner, k = 0 and C = -a_0 d_(-1). After
 * the sums, by UVs only, T is multiplied by c_0; then N and T are multiplied by
 * one_ring_scales_of().
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_ONE_RING_H
#define SPN_CODEC_LIFT_ONE_RING_H

#include "base/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Vertices of a block: their rings are computed side by side. */
#define ONE_RING_LANES 8u
/* Vertices of a window. Within a window, vertices are assigned to blocks by the
 * length of their rings, so that few slots are unused. */
#define ONE_RING_WINDOW 64u
#define ONE_RING_SLOTS_MAX 16u /* further neighbours are ignored */
#define ONE_RING_VERTICES_MAX 65536u
#define ONE_RING_SCALE_ONE 32768u
#define ONE_RING_FRACTION_BITS 6u /* guesses are in 64ths */
/* 511 / 2, in 64ths. Half, because one_ring.c gets each component as a quotient
 * whose dividend has a factor of 4 and whose divisor has a factor of 2. */
#define ONE_RING_HALF_LENGTH 16352.0f

/* Neighbour k of each of the eight rings of a block. A ring that is shorter
 * repeats its last neighbour, with weights of 0. */
struct one_ring_slot {
    uint16_t neighbour[ONE_RING_LANES]; /* vertex of the tile */
    int8_t sector[ONE_RING_LANES];      /* a_k */
    int8_t along[ONE_RING_LANES];       /* c_k; by UVs in slot 0 only */
};

/* The rings of all vertices of a tile. */
struct one_rings {
    uint32_t vertex_count; /* 1..ONE_RING_VERTICES_MAX */
    /* The slots of block b are slots[first[b]] .. slots[first[b + 1] - 1], at
     * most ONE_RING_SLOTS_MAX. There is one entry more than blocks. */
    const uint32_t *first;
    const struct one_ring_slot *slots;
    /* For each lane of each block: the vertex whose ring it has, minus the
     * first vertex of the window that contains the block. Within a window each
     * number appears once; numbers beyond vertex_count fill the last block. */
    const uint8_t *vertex;
    uint16_t scale[3]; /* step of each axis, 0..ONE_RING_SCALE_ONE */
    bool by_uvs;
};

static inline uint32_t one_ring_block_count(uint32_t vertex_count)
{
    return (vertex_count + ONE_RING_LANES - 1) / ONE_RING_LANES;
}

struct one_ring_ops {
    /* Compute the guesses of the blocks [first, limit), which are whole windows
     * but for the end of the tile.
     *
     * `positions` has four numbers for each vertex of the tile: x, y, z, and
     * the second UV coordinate, which only rings by UVs read. The numbers are
     * unsigned: 0..65535 stored as int16_t. `guesses` gets x, y, z, w for each
     * vertex from the first one of block `first` on. Both arrays have room for
     * whole blocks: the numbers of vertices beyond the tile's last one may be
     * read from `positions` and written to `guesses`, and do not matter.
     *
     * The scalar function is the specification; the others give the same bits.
     */
    void (*guess)(const struct one_rings *rings, const int16_t *positions,
                  uint32_t first, uint32_t limit, int16_t *guesses);
};

/* Fill the table with the best function for `cpu`, a mask of SPN_CPU_* that may
 * be used; 0 gives the scalar one. */
void spn__one_ring_ops_init(struct one_ring_ops *ops, uint32_t cpu);

/* Parts of spn__one_ring_ops_init, one for each instruction set. They leave the
 * table as it is where this build has no code for the instruction set. */
void spn__one_ring_ops_sse41(struct one_ring_ops *ops);
void spn__one_ring_ops_avx2(struct one_ring_ops *ops);
void spn__one_ring_ops_neon(struct one_ring_ops *ops);

/* -- shared by the functions of all instruction sets -- */

#define ONE_RING_SQUARE_MIN 2.168404344971009e-19f /* 2^-62 */

/* What each component of N and of T is multiplied by: for N the product of two
 * steps and 2^-54, for T one step and 2^-22, or by UVs one step and 2^-39. A
 * sum of N is below 2^44, a sum of T below 2^27, or by UVs, whose terms are
 * products of two differences, below 2^44; a step is at most 2^15. So all
 * results are below about 2^20. */
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
