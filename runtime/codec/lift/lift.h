/* lift.h - the spindle prediction: coarse to fine in space, a pyramid in time.
 *
 * The vertices of a tile stand in layers, coarse before fine. A vertex has
 * four references, vertices of earlier layers, with weights in 64ths; so all
 * vertices of a layer can be predicted side by side. Layers belong to levels,
 * 0 the coarsest. A frame is predicted in space alone, or in time from one to
 * four other frames and in space from what time left over.
 *
 * With  wrap(x)      the low 16 bits, as a signed number
 *       half(a, b)   wrap((a * b + 2^14) >> 15)
 * for each component of a vertex v with references r_j and weights W_j, and
 * of the same vertex in the other frames F_j with weights w_j in 2^-15ths:
 *
 *   in space   C = sum W_j X[r_j]
 *              P = wrap((C + 32) >> 6)
 *   in time    M_j = wrap(F_j - F_0)    I_j = 0, or half(M_j, w_j) if far
 *              T = wrap(F_0 + sum_{j>0} I_j)
 *              D = wrap(sum_{j>0} D_j)    D_j = half(wrap(2^k M_j), w_j), or
 *                                     half(wrap(M_j w_j - 2^15 I_j), 2^k)
 *              S = wrap(2 sum half(R[r_j], 256 W_j))
 *              C = wrap(D + half(S, min(512 s, 32767)))
 *              P = wrap(T + half(C, 2^(15-k)))
 *              R = wrap((X - T) 2^k - D)
 *   always     X = wrap(P + side E)                    E: the coded residual
 *
 * side is -1 where P was rounded up, by a half, too: where bit 5 of C is set in
 * space, and bit k-1 in time; else 1. So residuals of 1 are more frequent than
 * those of -1.
 *
 * T is where time takes the vertex, in whole numbers, and D what they leave of
 * it; R is what it was wrong by and S what the neighbours' R make of that, all
 * in 2^-kths, so that P alone is rounded to whole numbers: residuals of a bit
 * or two would feel more. k, 1..7, is the frame's, as large as M leaves room
 * for; where vertices move too far for that a frame is far, and k as large as R
 * leaves room for. s, 0..64, is the level's.
 *
 * Values are the quantized numbers; colours their bytes, and the low bytes of
 * X are the colours. In space alone, positions and UVs count as x - 32768, so
 * that products are of signed 16-bit numbers.
 *
 * QTangents have length 511, so one component follows from the others: let m
 * be the first component of P whose magnitude is largest (that of -32768
 * counts as -32768). The other three are X_k = wrap(P_k + side_k E_k),
 * and
 *   D = 511^2 - sum X_k^2, modulo 2^32, as a signed number cut to 0..511^2
 *   X_m = wrap(sign(P_m) * (round(sqrt(D)) + side_m E_m))
 * sign(0) being 1, and side_m -1 where the root was rounded up. The coded
 * triple holds E_0, E_1 and E_2 but with E_3 in the place of E_m, and the coded
 * fourth residual is E_m.
 *
 * QTangents may also be predicted by the positions of the same frame, and its
 * UVs: G, the guess of one_ring.h, is then one more frame, the last, F_(n-1); n
 * may be 1. G and -G are the same rotation. Either frames hold the one that the
 * guess is, or guesses are turned: with Y = F_0, or for n = 1 Y = X[r], r being
 * the largest of a vertex's references whose weight is not 0 (none: vertex 0),
 * which is decoded by then,
 *
 *   G becomes wrap(-G) where sum G_k Y_k, modulo 2^32 and signed, is below 0
 *
 * and for n = 1 that of vertex 0 stays as it is. Guesses are in 64ths, k is 6
 * where there is one, and it is not far:
 *
 *   D_(n-1) = half(wrap(G - 64 F_0), w_(n-1))
 *
 * and for n = 1, F_0 = half(G, 512) and w_0 = 32767: D is G - 64 F_0.
 *
 * A payload is a head and the residuals (residual_coder.h):
 *   u8   frames that are referred to, n, in bits 0 to 2; 8: guesses are turned,
 *        or, if there are none, the frame is far;
 *        k in bits 4 to 6; 128: the last frame is the guess. 0: in space alone
 *   i16  w_1 .. w_(n-1), not -32768
 *   u8   of each level, if there is time: s
 * Positions and UVs have three components (UVs: the third is 0); QTangents
 * and colours have the fourth.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_LIFT_H
#define SPN_CODEC_LIFT_LIFT_H

#include "codec/channel.h"
#include "codec/lift/one_ring.h"
#include "codec/lift/residual_coder.h"

#define LIFT_REFERENCES 4u
#define LIFT_FRAMES_MAX 4u
#define LIFT_FRAMES_MASK 7u /* of a head's first byte */
#define LIFT_LEVELS_MAX 16u
#define LIFT_VERTICES_MAX RESIDUAL_VERTICES_MAX
#define LIFT_WEIGHT_ONE 64
#define LIFT_SCALE_MAX 64u
#define LIFT_FRACTION_BITS_MAX 7u
#define LIFT_FRACTION_SHIFT 4u
#define LIFT_HAS_GUESS 128u
#define LIFT_GUESS_BITS ONE_RING_FRACTION_BITS /* k where there is a guess */
#define LIFT_SIGN_ALIGNED 8u                   /* or far, without a guess */
#define LIFT_HEAD_BYTES_MAX (1u + 2u * 3u + LIFT_LEVELS_MAX)

/* QTangents may have weights W of their own, in space and in time: they turn
 * where positions move, and what time leaves over is not like either. A bit
 * each. */
#define LIFT_CHANNEL_WEIGHTS_SPACE 1u
#define LIFT_CHANNEL_WEIGHTS_TIME 2u
#define LIFT_WEIGHT_SETS 3u

/* Vertices that references and weights are padded by. */
#define LIFT_PADDING 16u

struct lift_layer {
    uint32_t first; /* vertex; the layer ends where the next begins */
    uint32_t level; /* rises from layer to layer, or stays */
};

/* What does not change over time. */
struct lift_hierarchy {
    uint32_t vertex_count; /* 1..LIFT_VERTICES_MAX */
    uint32_t layer_count;
    uint32_t level_count;
    const struct lift_layer *layers; /* layer_count + 1: the last ends it */
    /* LIFT_REFERENCES a vertex; LIFT_PADDING vertices of zeros at the end */
    const uint16_t *references;
    const int8_t *weights;
    /* likewise, of QTangents in space and in time; NULL: `weights` */
    const int8_t *channel_weights[2];
    /* From here on vertices stand where their one reference stands, in all
     * frames; vertex_count: there are none. */
    uint32_t weld_first;
};

/* The door: layers rise from 0 to vertex_count, levels from 0 to level_count,
 * references are below their own layer (those of the first layer are 0), and
 * the weights of a vertex are 64 together, or all 0, and none is -128; own ones
 * are any but -128 where those are not 0, and 0 there. Files hold no others
 * (lift_wire.h): this is for what comes from elsewhere, and for tests. */
SPN_NODISCARD spn_status spn__lift_validate(
    const struct lift_hierarchy *hierarchy, struct spn_fault *fault);

/* How one channel of one frame is predicted: the head of its payload. */
struct lift_prediction {
    bool has_guess;       /* the last frame is the guess, */
    bool sign_aligned;    /* turned to what is decoded */
    uint32_t frame_count; /* 0: in space alone */
    bool is_far;
    uint32_t fraction_bits;          /* k; 0 without time */
    int16_t weight[LIFT_FRAMES_MAX]; /* the first is 32767 */
    uint8_t level[LIFT_LEVELS_MAX];
};

/* Read the head; `*used` bytes of it. */
SPN_NODISCARD spn_status spn__lift_head(const uint8_t *payload, size_t bytes,
                                        uint32_t level_count,
                                        struct lift_prediction *out,
                                        size_t *used, struct spn_fault *fault);

/* -- kernels -- */

/* Vertices [first, limit) of one layer. Arrays hold four numbers a vertex of
 * the tile (`fourth` one). Kernels go on to the next multiple of LIFT_PADDING
 * from `first`, so up to LIFT_PADDING - 1 vertices beyond `limit` are written,
 * with which later layers deal. Frames and what leaves the workspace, packed
 * numbers and the values of QTangents, end with the tile's last vertex: nothing
 * beyond it is touched. */
struct lift_span {
    const struct lift_hierarchy *hierarchy;
    uint32_t first;
    uint32_t limit;
    const int16_t *residuals; /* E */
    const int16_t *fourth;    /* E_m; QTangents only */
    int16_t *values;          /* X */
    /* where there is time: */
    int16_t *rest;  /* R; NULL: nothing refers to it, and `scale` is 0 */
    bool has_guess; /* the last F_j; then not far */
    bool is_far;
    /* F_j of vertex `from_first` and those behind it; and, unless F has four
     * components, X of those, likewise: `values` then stay as they are */
    const int16_t *from[LIFT_FRAMES_MAX];
    uint16_t *packed;
    const int16_t *weight;
    uint32_t from_first;
    uint32_t frame_count;     /* 1.. */
    uint32_t time_components; /* of F: 2, 3 or 4 numbers a vertex */
    uint32_t fraction_bits;   /* k */
    uint32_t scale;           /* what S is multiplied by */
};

/* The scalar ones are the specification and fill every slot. */
struct lift_ops {
    void (*space)(const struct lift_span *span);
    void (*space_norm)(const struct lift_span *span);
    void (*space_time)(const struct lift_span *span);
    void (*space_time_norm)(const struct lift_span *span);
    /* Guesses by Y of the same vertices or, with a hierarchy, of their nearest
     * references, which are below `first`. */
    void (*align_signs)(const struct lift_hierarchy *hierarchy,
                        const int16_t *y, uint32_t first, uint32_t limit,
                        int16_t *guesses);
    /* The first three of four numbers, with `flip` exclusive-ored. */
    void (*pack3)(const int16_t *values, uint32_t count, uint16_t flip,
                  uint16_t *out);
    /* Three numbers to four, the last 0 or, of pairs, the second. */
    void (*unpack3)(const uint16_t *values, const uint16_t *pairs,
                    uint32_t count, int16_t *out);
    struct residual_ops triples;
    struct one_ring_ops rings;
};

/* `cpu`: bits of the instruction sets that may be used; 0: scalar. */
void spn__lift_ops_init(struct lift_ops *ops, uint32_t cpu);

/* The parts of spn__lift_ops_init; they leave the table as it is where this
 * build has no code for the instruction set. */
void spn__lift_ops_sse41(struct lift_ops *ops);
void spn__lift_ops_avx2(struct lift_ops *ops);
void spn__lift_ops_neon(struct lift_ops *ops);

/* -- one channel of one tile in one frame -- */

struct lift_stream {
    enum channel channel;
    const struct lift_hierarchy *hierarchy; /* as the door has it */
    const struct residual_tables *tables;
    /* decoded values of the same tile and channel in other frames, in the
     * order of the frame's references; as many as there are */
    const void *from[LIFT_FRAMES_MAX];
    uint32_t from_count;
    /* QTangents that may be predicted by positions: rings of the same
     * vertices, and the decoded positions of the same frame, for rings by UVs
     * its UVs, too; or NULL */
    const struct one_rings *rings;
    const uint16_t *positions;
    const uint16_t *uvs;
};

/* Bytes of workspace for tiles of up to `vertex_count` vertices; aligned to
 * 64. 8192 vertices: 211 KiB. Colours are bytes, whose frames are widened in
 * chunks; padding of a whole line keeps arrays from sharing cache sets. */
#define LIFT_CHUNK_VERTICES 48u
#define LIFT_PADDED_VERTICES(vertex_count)                                     \
    (((vertex_count) + RESIDUAL_GROUP - 1) / RESIDUAL_GROUP * RESIDUAL_GROUP + \
     2 * LIFT_PADDING)
#define LIFT_WORKSPACE_BYTES(vertex_count)                                     \
    ((LIFT_PADDED_VERTICES(vertex_count) * (4 + 1 + 4 + 4) +                   \
      LIFT_FRAMES_MAX * 4 * (LIFT_CHUNK_VERTICES + LIFT_PADDING)) *            \
     2)
size_t spn__lift_workspace_bytes(uint32_t vertex_count);

/* Decode one payload to `values`, as the channel is laid out (channel.h),
 * native-endian. `payload` has RESIDUAL_PADDING readable bytes after its end;
 * nothing beyond `values` and the frames is touched. After a refusal `values`
 * are as they were. SPN_ERR_FPU: they are QTangents, and this thread does not
 * round to nearest (fpu.h). */
SPN_NODISCARD spn_status spn__lift_decode(const struct lift_ops *ops,
                                          const struct lift_stream *stream,
                                          const uint8_t *payload, size_t bytes,
                                          void *workspace, void *values,
                                          struct spn_fault *fault);

#endif
