/* lift_head.h - the head of a lifted payload: how the vertices are predicted.
 *
 * A payload is one channel of one tile in one frame (lift.h). Its head has the
 * parameters of the prediction, which the compiler has chosen. LIFTING.md in
 * this folder has the formulas in which they appear. spn__lift_decode() reads
 * the head, and passes the parameters to the kernels.
 *
 * A head is stored as
 *
 *   u8   bits 0..2   n, the number of reference frames, 0..4. If n is 0 the
 *                    vertices are predicted in space alone, and the byte is 0
 *        bit 3       sign_aligned if bit 7 is set, otherwise is_far
 *        bits 4..6   k, the number of fraction bits, 1..7
 *        bit 7       has_guess: the last reference frame is the guess
 *   i16  w_1 .. w_(n-1), the weights of reference frames 1 .. n-1, in units
 *        of 2^-15, little-endian
 *   u8   s of each level, 0..64, in 64ths; absent if n is 0
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_LIFT_HEAD_H
#define SPN_CODEC_LIFT_LIFT_HEAD_H

#include "codec/lift/lift_hierarchy.h"

#include <spindle/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LIFT_FRAMES_MAX 4u
#define LIFT_LEVEL_WEIGHT_MAX 64u
#define LIFT_FRACTION_BITS_MAX 7u
#define LIFT_GUESS_BITS 6u /* k of a frame with a guess */

/* The first byte. */
#define LIFT_FRAMES_MASK 7u
#define LIFT_SIGN_ALIGNED 8u /* with a guess */
#define LIFT_IS_FAR 8u       /* without one */
#define LIFT_FRACTION_SHIFT 4u
#define LIFT_HAS_GUESS 128u

#define LIFT_HEAD_BYTES_MAX (1u + 2u * 3u + LIFT_LEVELS_MAX)

/* The parameters of a prediction. */
struct lift_prediction {
    uint32_t frame_count; /* n */
    bool has_guess;       /* reference frame n-1 is the guess */
    /* With a guess: the decoder aligns the signs of guesses. If false, the
     * encoder has given each stored QTangent the sign of its guess. */
    bool sign_aligned;
    /* Without a guess: vertices move so far between the reference frames that
     * 2^k times the motion would leave 16 bits. */
    bool is_far;
    uint32_t fraction_bits;                /* k; 0 if n is 0 */
    int16_t weight[LIFT_FRAMES_MAX];       /* w_j at index j; [0] is 32767 */
    uint8_t level_weight[LIFT_LEVELS_MAX]; /* s of each level; 0 if n is 0 */
};

/* Read and check the head at the start of a payload.
 *
 * payload, bytes  the payload
 * level_count     levels of the tile's hierarchy
 * out             the parameters
 * used            bytes of the head
 *
 * `out` and `used` are written on SPN_OK, unchanged otherwise. SPN_ERR_FORMAT
 * with a fault: the payload is too short, or a number is out of its range. */
SPN_NODISCARD spn_status spn__lift_head_read(const uint8_t *payload,
                                             size_t bytes, uint32_t level_count,
                                             struct lift_prediction *out,
                                             size_t *used,
                                             struct spn_fault *fault);

#endif
