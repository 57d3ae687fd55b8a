/* lift_kernels.h - the inner loops of the lifting codec, one set for each
 * instruction set.
 *
 * spn__lift_decode() (lift.h) decodes a payload span by span, and calls one
 * kernel for each span of vertices. lift_kernels.c has the scalar kernels,
 * which are the reference; lift_vector.h has those for SSE4.1, AVX2 and NEON.
 * All give the same results for any input. LIFTING.md in this folder specifies
 * the arithmetic. The symbols in the comments below, such as X, E and F_j, are
 * defined there.
 *
 * Two kinds of memory meet here: the workspace of the decode call, whose arrays
 * are padded, and the input and output of the caller (lift_input, `values` of
 * spn__lift_decode()), which end at the tile's last vertex.
 *
 * A table of kernels is filled once and then only read, by any thread. A kernel
 * reads its span and writes only the arrays that the span names as outputs.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_LIFT_KERNELS_H
#define SPN_CODEC_LIFT_LIFT_KERNELS_H

#include "codec/lift/lift_head.h"
#include "codec/lift/lift_hierarchy.h"
#include "codec/lift/one_ring.h"
#include "codec/lift/residual_coder.h"

/* The input and output of a kernel: vertices [first, limit) of a tile. None of
 * them refers to another one of them, so they can be decoded side by side.
 * Mostly they are a layer or a part of one.
 *
 * Each array has an entry for every vertex of the tile. It begins with vertex
 * 0; only `from` and `packed` begin with vertex from_first. "4 numbers" means 4
 * for each vertex.
 *
 * A kernel works in steps of up to LIFT_PADDING vertices from `first` on, so it
 * may write up to LIFT_PADDING - 1 vertices beyond `limit`. Those are decoded
 * later, and written again. Beyond the tile's last vertex a kernel touches only
 * the padding of the workspace and of the hierarchy. It touches nothing of the
 * caller's values there: they have no padding. */
struct lift_span {
    /* Of the tile. Its field `weights` is the set of weights for the channel
     * and for the kind of prediction (lift_channel_hierarchy): QTangents can
     * have sets of their own. */
    const struct lift_hierarchy *hierarchy;
    uint32_t first;
    uint32_t limit;

    /* Input, workspace: E, 4 numbers. Of QTangents: E_0, E_1 and E_2, with E_3
     * in place of E_m, then an unused number. */
    const int16_t *residuals;
    /* Input, workspace: E_m, 1 number. Only for QTangents. */
    const int16_t *fourth;
    /* X, 4 numbers. Output, unless the output is `packed`. Prediction in space
     * alone also reads it at the references. The caller's output for QTangents,
     * which are decoded in place; workspace for other channels. */
    int16_t *values;

    /* All fields below are for prediction in time and space only. */

    /* Input: F_j, from_stride numbers, beginning with vertex from_first. The
     * caller's; workspace for colours, which are widened from bytes, and for
     * the guess. */
    const int16_t *from[LIFT_FRAMES_MAX];
    uint32_t from_first;
    uint32_t from_stride;        /* numbers from one vertex to the next, in
                              * `from` and `packed`: 2, 3 or 4 */
    uint32_t frame_count;        /* n, 1..LIFT_FRAMES_MAX */
    bool has_guess;              /* the last reference frame is the guess */
    bool is_far;                 /* the flag `far` of the frame */
    uint32_t fraction_bits;      /* k */
    const int16_t *frame_weight; /* w_j at index j; index 0 is not used */
    uint32_t error_weight;       /* V, the weight of S, in units of 2^-15 */
    /* R, 4 numbers; workspace. The kernel reads it at the references if
     * error_weight is not 0, and writes it for the span's vertices. NULL: no
     * later vertex needs R, and error_weight is 0. */
    int16_t *errors;
    /* The caller's output if from_stride is 2 or 3: X, from_stride numbers,
     * beginning with vertex from_first, as `from`. The kernel then does not
     * write `values`. Not used if from_stride is 4. */
    uint16_t *packed;
};

struct lift_ops {
    /* Decode a span. `space` predicts in space alone, `space_time` in time and
     * space. The functions for QTangents derive component m from the unit
     * length. */
    void (*space)(const struct lift_span *span);
    void (*space_qtangent)(const struct lift_span *span);
    void (*space_time)(const struct lift_span *span);
    void (*space_time_qtangent)(const struct lift_span *span);
    /* Align the signs of the guesses of vertices [first, limit) with Y, in
     * place. Both arrays have 4 numbers for each vertex, beginning with vertex
     * 0. If the guess is not the only reference frame, `y` is F_0 and
     * `hierarchy` is NULL. If it is the only one, `y` is X, decoded up to
     * vertex `first`, and the hierarchy says at which vertex Y is. */
    void (*align_signs)(const struct lift_hierarchy *hierarchy,
                        const int16_t *y, uint32_t first, uint32_t limit,
                        int16_t *guesses);
    /* Copy the first three of every four numbers, each exclusive-or `flip`.
     * `flip` is 0x8000 to add the 32768 that were subtracted from X, else 0. */
    void (*pack3)(const int16_t *values, uint32_t count, uint16_t flip,
                  uint16_t *out);
    /* Copy positions of three numbers to four, as one_ring_ops.guess reads
     * them. The fourth number is the second of the vertex's two numbers in
     * `uvs`; it is 0 if `uvs` is NULL. */
    void (*unpack3)(const uint16_t *values, const uint16_t *uvs, uint32_t count,
                    int16_t *out);
    struct residual_ops residual;
    struct one_ring_ops rings;
};

/* Fill the table with the fastest kernels for `cpu`, a mask of SPN_CPU_*: the
 * instruction sets that may be used. 0 gives the scalar kernels. */
void spn__lift_ops_init(struct lift_ops *ops, uint32_t cpu);

/* Parts of spn__lift_ops_init, one for each instruction set. They leave the
 * table as it is if this build has no code for the instruction set. */
void spn__lift_ops_sse41(struct lift_ops *ops);
void spn__lift_ops_avx2(struct lift_ops *ops);
void spn__lift_ops_neon(struct lift_ops *ops);

#endif
