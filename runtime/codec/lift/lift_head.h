/* lift_head.h - how one channel of one frame is predicted.
 *
 * The head is the first part of a lifted payload. The compiler chooses its
 * numbers for each frame, channel and tile; spn__lift_decode() reads it and
 * passes them to the kernels. lift.h has the formulas that they appear in.
 *
 *   u8   bits 0..2   n, the number of reference frames, 0..4; if n is 0 the
 *                    frame is predicted in space alone and the byte is 0
 *        bit 3       sign_aligned if bit 7 is set, else is_far
 *        bits 4..6   k, the number of fraction bits, 1..7
 *        bit 7       has_guess: the last reference frame is the guess
 *   i16  w_1 .. w_(n-1), the weights of frames 1 .. n-1, in 2^-15ths
 *   u8   s of each level, 0..64; absent if n is 0
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

struct lift_prediction {
    uint32_t frame_count;   /* n */
    bool has_guess;         /* reference frame n-1 is the guess */
    bool sign_aligned;      /* the decoder gives guesses the sign of what is
                             * decoded; else values have the guesses' sign */
    bool is_far;            /* vertices move far; never with a guess */
    uint32_t fraction_bits; /* k; 0 if n is 0 */
    int16_t weight[LIFT_FRAMES_MAX];       /* w; [0] is 32767 */
    uint8_t level_weight[LIFT_LEVELS_MAX]; /* s; 0 if n is 0 */
};

/* Read and check the head at the start of a payload of `bytes` bytes. On SPN_OK
 * `*used` is the number of bytes of the head. SPN_ERR_FORMAT: the payload is
 * too short or a number leaves its range; then nothing is written but the
 * fault. */
SPN_NODISCARD spn_status spn__lift_head(const uint8_t *payload, size_t bytes,
                                        uint32_t level_count,
                                        struct lift_prediction *out,
                                        size_t *used, struct spn_fault *fault);

#endif
