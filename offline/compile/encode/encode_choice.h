/* encode_choice.h - which meshes are lifted: those that become smaller.
 *
 * A lifted mesh stores more static data than a classic one, and smaller frames.
 * The encoder encodes sample frames of sample parts by both codecs, on the
 * worker threads, and adds the static bytes.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENCODE_CHOICE_H
#define OFFLINE_COMPILE_ENCODE_ENCODE_CHOICE_H

#include "compile/encode/encoder.h"

/* Estimate the bytes of each lifted mesh by both codecs, and clear is_lifted in
 * the plan of those that are smaller by the classic one. `distance` of index
 * frames. False after a refusal. */
bool encoder_choose_lifted(struct encoder *e, const struct lift_frames *frames,
                           uint32_t distance);

#endif
