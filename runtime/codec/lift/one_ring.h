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

/* A batch is eight vertices, whose one-rings are computed side by side: each
 * vertex has a lane. A window is 64 consecutive vertices, which eight batches
 * share. The vertices of a window are sorted to batches by the number of their
 * neighbours, so that the one-rings of a batch have similar lengths.
 *
 * A batch of vertices with 3 or 4 neighbours, as slots and lanes. `3.1` is
 * neighbour 1 of the vertex in lane 3:
 *
 *            lane 0   lane 1   lane 2   lane 3  ...
 *   slot 0   0.0      1.0      2.0      3.0
 *   slot 1   0.1      1.1      2.1      3.1
 *   slot 2   0.2      1.2      2.2      3.2
 *   slot 3   0.3      1.2      2.3      3.3         lane 1 repeats its last
 *                                                   neighbour, with weights 0
 */
#define ONE_RING_LANES 8u
#define ONE_RING_WINDOW 64u
/* Neighbours of a vertex; further ones are ignored. */
#define ONE_RING_SLOTS_MAX 16u
#define ONE_RING_VERTICES_MAX 65536u
#define ONE_RING_SCALE_ONE 32768u /* one_rings.scale of the longest step */
#define ONE_RING_FRACTION_BITS 6u /* guesses are in 64ths */

/* Slot k of a batch: neighbour k of each of its eight vertices, and two weights
 * for each. Sector k of a vertex is the space between neighbours k-1 and k;
 * sector 0 lies between the last neighbour and neighbour 0. Where the vertex is
 * inside a surface, a triangle fills each sector. The normal is the sum of the
 * cross products of the edges to neighbours k-1 and k, each times the weight of
 * sector k. A batch has as many slots as its longest one-ring has neighbours. A
 * shorter one-ring repeats its last neighbour, with weights of 0. */
struct one_ring_slot {
    uint16_t neighbour[ONE_RING_LANES];   /* number of a vertex of the tile */
    int8_t sector_weight[ONE_RING_LANES]; /* a_k in ONE_RINGS.md */
    /* c_k in ONE_RINGS.md: the tangent is the sum of the edges to the
     * neighbours, each times its weight. If one_rings.by_uvs is set, only slot
     * 0 counts, as the sign of the tangent: 1, or -1 if the UVs are mirrored; 0
     * if the vertex has no neighbours. */
    int8_t neighbour_weight[ONE_RING_LANES];
};

/* The one-rings of all vertices of a tile. The arrays belong to the caller that
 * filled them in. */
struct one_rings {
    /* How tangents are computed. False: by the weights of the neighbours, which
     * are the same in all frames. True: from the positions and the UVs of the
     * frame. True for meshes with animated UVs, such as a texture that slides
     * over the surface: their tangents turn on the surface, which constant
     * weights cannot express. */
    bool by_uvs;
    uint32_t vertex_count; /* 1..ONE_RING_VERTICES_MAX */
    /* Batch b has the slots slots[first_slot[b]] .. slots[first_slot[b + 1] -
     * 1], at most ONE_RING_SLOTS_MAX. `first_slot` has one entry more than
     * there are batches. */
    const uint32_t *first_slot;
    const struct one_ring_slot *slots;
    /* vertex[8 b + i]: the vertex of lane i of batch b, counted from the first
     * vertex of the window. Within a window each number appears once. In the
     * last batch, numbers of vertices beyond vertex_count fill unused lanes. */
    const uint8_t *vertex;
    /* The quantization step of each axis, relative to the longest step: 0 to
     * ONE_RING_SCALE_ONE, which stands for 1. */
    uint16_t scale[3];
};

static inline uint32_t one_ring_batch_count(uint32_t vertex_count)
{
    return (vertex_count + ONE_RING_LANES - 1) / ONE_RING_LANES;
}

/* The kernel: one function, in a table because it depends on the processor. */
struct one_ring_ops {
    /* Compute the guesses of the vertices of batches [first, limit). `first` is
     * the first batch of a window; `limit` is the end of a window, or of the
     * tile.
     *
     * positions  four numbers for each vertex of the tile: x, y, z and, if
     *            by_uvs is set, the second UV coordinate. Unsigned numbers
     *            0..65535, stored as int16_t
     * guesses    x, y, z, w of the quaternion in 64ths for each vertex, from
     *            the first vertex of batch `first` on
     *
     * Both arrays have room for whole batches. Beyond the tile's last vertex
     * the call may read `positions` and write `guesses`; the values there do
     * not matter. The scalar function is the reference; the others give the
     * same bits. */
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
