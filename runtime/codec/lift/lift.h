/* lift.h - the lifting codec: decodes one channel of one tile in one frame.
 *
 * A channel is positions, QTangents, UVs, colours or velocities (channel.h). A
 * tile is up to LIFT_VERTICES_MAX vertices of a mesh in the order of its
 * hierarchy (lift_hierarchy.h). A payload holds a head (lift_head.h), which
 * says how the vertices are predicted, and their coded prediction errors
 * (residual_coder.h). In space, a vertex is predicted by a weighted sum over
 * four coarser vertices. In time, it is predicted from the same vertex in up to
 * four frames that are decoded already, the reference frames; the prediction in
 * space then applies to what the prediction in time leaves.
 *
 * To use it, fill a struct lift_ops by spn__lift_ops_init() once, and call
 * spn__lift_decode() for each payload. The formulas down to the end of this
 * comment are the specification of the codec; only those who change a kernel or
 * the encoder need them. runtime/cache/decoder.c calls spn__lift_decode(), in
 * the runtime from jobs on any thread. A call reads shared tables, and writes
 * only its workspace and its output.
 *
 * ARITHMETIC is on 16-bit integers, modulo 2^16. A sum that wraps makes a bad
 * prediction, never a wrong value.
 *
 *   wrap(x)      x modulo 2^16, in -2^15 .. 2^15 - 1
 *   half(a, b)   wrap((a * b + 2^14) >> 15): a times b / 2^15, rounded
 *
 * ORDER. The vertices of a tile are ordered by layers, coarse to fine. A vertex
 * refers to vertices of earlier layers only, so all vertices of a layer can be
 * decoded side by side. A level of detail is one or more consecutive layers
 * (lift_hierarchy.h). The frame that is decoded is far if its head says so: the
 * vertices move so far between its reference frames that 2^k M_j (below) would
 * wrap.
 *
 * SYMBOLS, for one component of one vertex:
 *
 *   X        the value to decode: the quantized number; for positions,
 *            velocities and UVs that are predicted in space alone, that number
 *            minus 32768, so that products are of signed 16-bit numbers
 *   E        its coded prediction error
 *   P        its prediction
 *   r_j, W_j the vertex's references and their weights in 64ths, j = 0..3
 *   X[r]     X at vertex r; likewise R[r]
 *   n        the number of reference frames, 0..4
 *   F_j      the same vertex's value in reference frame j, j = 0 .. n-1
 *   w_j      the weight of frame j, in units of 2^-15, j = 1 .. n-1
 *   k        fraction bits of the frame, 1..7
 *   T        the prediction in time, its whole part, in the units of X
 *   D        the prediction in time, its fraction, in units of 2^-k
 *   R        the error of the prediction in time, X - (T + D / 2^k), in units
 *            of 2^-k; finer vertices refer to it
 *   S        the weighted sum of R at the vertex's references, in units of 2^-k
 *   s        the weight of S, in 64ths, 0..64; one for each level of detail
 *            of the frame
 *   C        the correction: what P adds to T, in units of 2^-k. In space
 *            alone: P itself in units of 2^-6
 *
 * PREDICTION IN SPACE ALONE (n = 0):
 *
 *   C = sum_j W_j X[r_j]
 *   P = wrap((C + 32) >> 6)
 *
 * PREDICTION IN TIME AND SPACE (n > 0), sums over j = 1 .. n-1:
 *
 *   M_j = wrap(F_j - F_0)                the motion from frame 0 to frame j
 *   T   = wrap(F_0 + sum_j I_j)
 *   D   = wrap(sum_j D_j)
 *   S   = wrap(2 sum_j half(R[r_j], 256 W_j))       j = 0..3
 *   C   = wrap(D + half(S, min(512 s, 32767)))
 *   P   = wrap(T + half(C, 2^(15-k)))    rounded once, at the end
 *   R   = wrap((X - T) 2^k - D)
 *
 * where I_j and D_j are the share that reference frame j has in T and D:
 *
 *   I_j = 0                 D_j = half(wrap(2^k M_j), w_j)
 *
 * or, for all j, if the frame that is decoded is far:
 *
 *   I_j = half(M_j, w_j)    D_j = half(wrap(M_j w_j - 2^15 I_j), 2^k)
 *
 * DECODING:
 *
 *   X = wrap(P + side E)
 *
 * with side = -1 where P was rounded up (a half is rounded up), else 1. P was
 * rounded up if bit 5 of C is set in space alone, or bit k-1 of C in time.
 * Because of it, errors of +1 are more frequent than errors of -1.
 *
 * QTANGENTS have four components, X_0 .. X_3, and length 511. One of them is
 * found from the length: component m, the first one whose P has the largest
 * magnitude (-32768 has the magnitude -32768). The others are decoded as above.
 *
 *   L   = 511^2 - sum_{i != m} X_i^2     modulo 2^32, signed, cut to 0 .. 511^2
 *   X_m = wrap(sign(P_m) * (round(sqrt(L)) + side_m E_m))
 *
 * with sign(0) = 1 and side_m = -1 where the root was rounded up, else 1. The
 * payload codes E_0, E_1 and E_2, with E_3 in the place of E_m, as three
 * components, and E_m as the fourth.
 *
 * GUESSES. QTangents may also be predicted from the QTangents that the decoded
 * positions of the same frame imply (one_ring.h). Such a guess G, in 64ths, is
 * the last reference frame, number n - 1. It counts in n, and may be the only
 * one. Then k is 6, and the frame that is decoded is never far.
 *
 *   n > 1    D_(n-1) = half(wrap(G - 64 F_0), w_(n-1))
 *   n = 1    F_0 = half(G, 512)    D = wrap(G - 64 F_0)
 *
 * G and -G are the same rotation. If the head says sign_aligned, the decoder
 * first replaces G by wrap(-G) where sum_i G_i Y_i < 0 (modulo 2^32, signed).
 * Y is F_0 if n > 1. If n is 1, Y is X at the vertex r_j with the
 * largest vertex number among the references whose weight W_j is not 0, or at
 * vertex 0 if there is none; G of vertex 0 itself stays as it is. Without
 * sign_aligned the values have been stored with the sign of G.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_LIFT_H
#define SPN_CODEC_LIFT_LIFT_H

#include "codec/channel.h"
#include "codec/lift/lift_head.h"
#include "codec/lift/lift_hierarchy.h"
#include "codec/lift/one_ring.h"
#include "codec/lift/residual_coder.h"

/* -- use: one channel of one tile in one frame -- */

/* The table of kernels, the last part of this file. */
struct lift_ops;

/* Fill the table with the best kernels for `cpu`, a mask of SPN_CPU_* that may
 * be used; 0 gives the scalar ones. */
void spn__lift_ops_init(struct lift_ops *ops, uint32_t cpu);

/* What a payload is decoded with. Everything belongs to the caller and stays
 * unchanged during the call. */
struct lift_input {
    enum channel channel;
    const struct lift_hierarchy *hierarchy; /* validated */
    const struct residual_tables *tables;   /* Huffman tables of the channel */
    /* Decoded values of the same tile and channel in the reference frames, in
     * the order of the frame's references, without the guess. */
    const void *from[LIFT_FRAMES_MAX];
    uint32_t from_count;
    /* Of QTangents that may have guesses: the one-rings of the tile's vertices
     * and the decoded positions of the same frame. NULL: no guesses. */
    const struct one_rings *rings;
    const uint16_t *positions;
    const uint16_t *uvs; /* decoded UVs, if one_rings.by_uvs */
};

/* Bytes of workspace, aligned to 64, for tiles of up to `vertex_count`
 * vertices; 8192 vertices need 211 KiB. It has 16-bit numbers: for each vertex
 * four of E, four of X, four of R, and one of E_m; then one chunk of vertices
 * of each reference frame. Only colours use the chunks: their reference frames
 * are bytes, and are widened to 16 bits LIFT_CHUNK_VERTICES at a time. */
#define LIFT_CHUNK_VERTICES 48u
#define LIFT_PADDED_VERTICES(vertex_count)                                     \
    (((vertex_count) + RESIDUAL_GROUP - 1) / RESIDUAL_GROUP * RESIDUAL_GROUP + \
     2 * LIFT_PADDING)
#define LIFT_WORKSPACE_BYTES(vertex_count)                                     \
    ((LIFT_PADDED_VERTICES(vertex_count) * (4 + 1 + 4 + 4) +                   \
      LIFT_FRAMES_MAX * 4 * (LIFT_CHUNK_VERTICES + LIFT_PADDING)) *            \
     2)
size_t spn__lift_workspace_bytes(uint32_t vertex_count);

/* Decode one payload.
 *
 * payload    `bytes` of it, then RESIDUAL_PADDING bytes that may be read and
 *            whose values do not matter
 * workspace  as above; the call's alone while it runs
 * values     written on SPN_OK, as channel.h lays the channel out, in native
 *            byte order; unchanged otherwise
 *
 * SPN_ERR_FORMAT with a fault: the payload is damaged, or its head needs
 * reference frames or guesses that `input` does not have. SPN_ERR_FPU: the
 * channel is QTangents and this thread does not round to nearest (fpu.h). */
SPN_NODISCARD spn_status spn__lift_decode(const struct lift_ops *ops,
                                          const struct lift_input *input,
                                          const uint8_t *payload, size_t bytes,
                                          void *workspace, void *values,
                                          struct spn_fault *fault);

/* -- kernels -- */

/* What a kernel works on: the vertices [first, limit) of a layer or of a part
 * of one; or of several layers, if none of these vertices depends on another.
 * The symbols are those of the top of this file.
 *
 * A kernel works in steps of up to LIFT_PADDING vertices from `first` on, so it
 * may write up to LIFT_PADDING - 1 vertices beyond `limit`; those are
 * decoded later, and written again. It touches nothing beyond the tile's
 * last vertex in the reference frames, in `packed`, and in the values of
 * QTangents. */
struct lift_span {
    const struct lift_hierarchy *hierarchy;
    uint32_t first;
    uint32_t limit;

    /* Arrays from vertex 0 of the tile on. */

    /* E, decoded from the payload; four numbers a vertex. Of QTangents: E_0,
     * E_1 and E_2 with E_3 in the place of E_m, and one unused number. */
    const int16_t *residuals;
    const int16_t *fourth; /* E_m, one number a vertex; QTangents only */
    int16_t *values;       /* X, four numbers a vertex: the output, except where
                            * `packed` is */

    /* The fields below are used by prediction in time only. */

    /* R, which the kernel computes for the vertices that refer to these; four
     * numbers a vertex, from vertex 0 on. NULL: no vertex refers to
     * those of this span, and `scale` is 0. */
    int16_t *errors;
    bool has_guess; /* the last reference frame is the guess */
    bool is_far;    /* the frame that is decoded is far */
    /* F_j, from vertex `from_first` on, `time_components` numbers a vertex */
    const int16_t *from[LIFT_FRAMES_MAX];
    /* X, laid out as `from`. This is the output if time_components is 2 or 3;
     * the kernel then does not write `values`. Not used if it is 4. */
    uint16_t *packed;
    const int16_t *weight; /* w_j at index j; index 0 is not used */
    uint32_t from_first;
    uint32_t frame_count;     /* n, 1..LIFT_FRAMES_MAX */
    uint32_t time_components; /* 2, 3 or 4 */
    uint32_t fraction_bits;   /* k */
    uint32_t scale;           /* the factor of S in C: min(512 s, 32767) */
};

/* The table of kernels. The scalar ones are the specification; the others give
 * the same results for any input. */
struct lift_ops {
    /* Decode a span, in space alone or in space and time. Names of functions
     * for QTangents, whose fourth component follows from the length, end with
     * _norm. */
    void (*space)(const struct lift_span *span);
    void (*space_norm)(const struct lift_span *span);
    void (*space_time)(const struct lift_span *span);
    void (*space_time_norm)(const struct lift_span *span);
    /* Give the guesses of vertices [first, limit) the sign of Y. Both arrays
     * have four numbers a vertex, from vertex 0 of the tile on. For n > 1:
     * `hierarchy` is NULL and `y` is F_0. For n = 1: `y` is X, which is decoded
     * up to vertex `first`; the hierarchy gives each vertex the one whose X is
     * its Y. */
    void (*align_signs)(const struct lift_hierarchy *hierarchy,
                        const int16_t *y, uint32_t first, uint32_t limit,
                        int16_t *guesses);
    /* The first three of every four numbers, each exclusive-or `flip`: 0x8000
     * adds the 32768 that X lacks in space alone, 0 adds nothing. */
    void (*pack3)(const int16_t *values, uint32_t count, uint16_t flip,
                  uint16_t *out);
    /* Three numbers to four: positions for one_ring_ops.guess. The fourth is
     * 0 or, with `uvs` (two numbers a vertex), the second UV coordinate, from
     * which rings by UVs derive the tangent (one_ring.h). */
    void (*unpack3)(const uint16_t *values, const uint16_t *uvs, uint32_t count,
                    int16_t *out);
    struct residual_ops residual;
    struct one_ring_ops rings;
};

/* Parts of spn__lift_ops_init, one for each instruction set. They leave the
 * table as it is where this build has no code for the instruction set. */
void spn__lift_ops_sse41(struct lift_ops *ops);
void spn__lift_ops_avx2(struct lift_ops *ops);
void spn__lift_ops_neon(struct lift_ops *ops);

#endif
