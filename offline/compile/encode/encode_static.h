/* encode_static.h - the third stage of the encoder: static data.
 *
 * Static data does not change over time: triangle indices, channels that are
 * not animated, and what the prediction of tiles needs. The file stores it in
 * blobs, before the frames (cache/FORMAT.md). encode.c calls these functions
 * from the calling thread; they use the encoder's workers. encoder.h explains
 * the stages and the terms.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENCODE_STATIC_H
#define OFFLINE_COMPILE_ENCODE_ENCODE_STATIC_H

#include "compile/encode/encoder.h"

/* Choose the predictor of each classic tile, from a few frames of the clip. The
 * results go to e->predictors. */
void encoder_find_predictors(struct encoder *e,
                             const struct clip_frame *samples,
                             uint32_t sample_count);

/* Triangle indices have two codings: the block codec, and that of
 * codec/lift/index_wire.h, which only files with a lifted mesh may use. Return
 * the bytes that the second one saves. The choice between classic and lifted
 * counts them in favour of lifting. */
uint64_t encoder_indices_saved(struct encoder *e);

/* Encode all blobs, and fill the layout's entries for them. Call it after the
 * plan is made. Returns the bytes, in e->arena, or NULL after a refusal. */
const uint8_t *encoder_make_blobs(struct encoder *e, uint64_t *bytes);

#endif
