/* one_ring.h - guesses QTangents from the positions of the same frame.
 *
 * The one-ring of a vertex is the neighbours around it. Their positions imply a
 * normal and a tangent, and these a QTangent: the guess. The lifting codec
 * (lift.h) may use it as a prediction of the true QTangent. The normal and the
 * tangent are weighted sums over the one-ring. The weights are trained by the
 * compiler and are the same in all frames.
 *
 * This header has the data of a tile's one-rings, and the kernel that computes
 * guesses from them. ONE_RINGS.md in this folder specifies the formulas.
 *
 * When a cache is opened, one_ring_walk.h finds the neighbours and lift_wire.h
 * reads the weights. After that struct one_rings does not change. Decoders on
 * any thread pass it to guess(), with the positions of each frame.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_ONE_RING_H
#define SPN_CODEC_LIFT_ONE_RING_H

#include "base/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A block is eight vertices, whose one-rings are computed side by side: each
 * vertex has a lane. */
#define ONE_RING_LANES 8u
/* A window is 64 consecutive vertices, which eight blocks share. The vertices
 * are assigned to blocks by the length of their one-rings, so that the
 * one-rings of a block have similar lengths. */
#define ONE_RING_WINDOW 64u
/* Neighbours of a vertex; further ones are ignored. */
#define ONE_RING_SLOTS_MAX 16u
#define ONE_RING_VERTICES_MAX 65536u
#define ONE_RING_SCALE_ONE 32768u
#define ONE_RING_FRACTION_BITS 6u /* guesses are in 64ths */

/* Slot k of a block holds neighbour k of each of its eight vertices, and the
 * weights of this neighbour and of its sector. The sector of neighbour k lies
 * between it and the neighbour before. A block has as many slots as its longest
 * one-ring has neighbours; a shorter one-ring repeats its last neighbour, with
 * weights of 0. */
struct one_ring_slot {
    uint16_t neighbour[ONE_RING_LANES];   /* number of a vertex of the tile */
    int8_t sector_weight[ONE_RING_LANES]; /* a_k in ONE_RINGS.md */
    /* c_k in ONE_RINGS.md. One-rings by UVs use only that of slot 0, as a sign:
     * 1, or -1 if the UVs are mirrored; 0 if the vertex has no neighbours. */
    int8_t neighbour_weight[ONE_RING_LANES];
};

/* The one-rings of all vertices of a tile. The arrays belong to the caller that
 * filled them in. */
struct one_rings {
    uint32_t vertex_count; /* 1..ONE_RING_VERTICES_MAX */
    /* Block b has the slots slots[first[b]] .. slots[first[b + 1] - 1], at most
     * ONE_RING_SLOTS_MAX. `first` has one entry more than there are blocks. */
    const uint32_t *first;
    const struct one_ring_slot *slots;
    /* vertex[8 b + i]: the vertex of lane i of block b, counted from the first
     * vertex of the window. Within a window each number appears once. In the
     * last block, numbers of vertices beyond vertex_count fill unused lanes. */
    const uint8_t *vertex;
    /* The quantization step of each axis, relative to the longest step: 0 to
     * ONE_RING_SCALE_ONE. */
    uint16_t scale[3];
    /* The tangent follows from the gradient of the UVs, not from the weights
     * of the neighbours. For meshes whose UVs move over the surface. */
    bool by_uvs;
};

static inline uint32_t one_ring_block_count(uint32_t vertex_count)
{
    return (vertex_count + ONE_RING_LANES - 1) / ONE_RING_LANES;
}

/* The kernel: one function, in a table because it depends on the processor. */
struct one_ring_ops {
    /* Compute the guesses of the vertices of blocks [first, limit). `first` is
     * the first block of a window; `limit` is the end of a window, or of the
     * tile.
     *
     * positions  four numbers for each vertex of the tile: x, y, z and, for
     *            one-rings by UVs, the second UV coordinate. Unsigned numbers
     *            0..65535, stored as int16_t
     * guesses    x, y, z, w of the quaternion in 64ths for each vertex, from
     *            the first vertex of block `first` on
     *
     * Both arrays have room for whole blocks. Beyond the tile's last vertex the
     * call may read `positions` and write `guesses`; the values there do not
     * matter. The scalar function is the reference; the others give the same
     * bits. */
    void (*guess)(const struct one_rings *rings, const int16_t *positions,
                  uint32_t first, uint32_t limit, int16_t *guesses);
};

/* Fill the table with the fastest function for `cpu`, a mask of SPN_CPU_*: the
 * instruction sets that may be used. 0 gives the scalar function. */
void spn__one_ring_ops_init(struct one_ring_ops *ops, uint32_t cpu);

/* Parts of spn__one_ring_ops_init, one for each instruction set. They leave the
 * table as it is if this build has no code for the instruction set. */
void spn__one_ring_ops_sse41(struct one_ring_ops *ops);
void spn__one_ring_ops_avx2(struct one_ring_ops *ops);
void spn__one_ring_ops_neon(struct one_ring_ops *ops);

#endif
