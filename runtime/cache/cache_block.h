/* cache_block.h - unpack one stored block or blob.
 *
 * Unpacking checks the checksum, decompresses, and swaps bytes on big-endian
 * machines. The result for a channel is its residuals, interleaved by vertex;
 * or, of a lifted channel, a payload: residuals that are still entropy-coded.
 * decoder.h turns both into values.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CACHE_CACHE_BLOCK_H
#define SPN_CACHE_CACHE_BLOCK_H

#include "base/block_codec.h"
#include "cache/cache_directory.h"
#include "codec/channel.h"
#include "codec/classic/planes.h"
#include "codec/classic/predict.h"

#include <spindle/status.h>
#include <stdbool.h>
#include <stdint.h>

/* The causes of faults. */
#define CACHE_FAULT_COMPRESSED "compressed block"
#define CACHE_FAULT_CODING "block coding"
#define CACHE_FAULT_ABSENT "reference to an absent block"
/* Fill in `fault` (NULL: not wanted) with an offset of 0, and return `status`.
 * value   the value that was refused */
spn_status spn__cache_fault(spn_status status, const char *what, uint64_t value,
                            struct spn_fault *fault);

/* Unpack `stored`, which `entry` describes, to the `raw_bytes` at `target`.
 * component_bytes is the size of the numbers in it, 1, 2 or 4; node blocks are
 * unpacked with 1. `workspace` is the codec's, spn_codec.workspace_bytes.
 * SPN_ERR_CHECKSUM, SPN_ERR_CODEC, or an error of the codec; `fault` (NULL: not
 * wanted) gets the cause, and an offset of 0. */
SPN_NODISCARD spn_status
spn__cache_unpack(const spn_codec *codec, const struct cache_block_entry *entry,
                  const void *stored, uint32_t component_bytes, void *target,
                  uint32_t raw_bytes, void *workspace, struct spn_fault *fault);

#define CACHE_CHANNEL_SCRATCH_BYTES (BLOCK_RAW_BYTES_MAX + PLANES_SPARE_BYTES)

/* The same for a channel of `count` vertices. A lifted payload is padded to
 * what its decoder reads beyond the end. `scratch` has
 * CACHE_CHANNEL_SCRATCH_BYTES, aligned to 64. */
SPN_NODISCARD spn_status spn__cache_unpack_channel(
    const struct predict_ops *ops, const spn_codec *codec,
    const struct cache_block_entry *entry, const void *stored,
    enum channel channel, uint32_t count, void *target, void *workspace,
    uint8_t *scratch, struct spn_fault *fault);

/* Set the references of a classic B frame from the values of its `count` (2..4)
 * reference frames. The first one replaces frames that are missing. */
void spn__cache_classic_references(struct predict_stream *stream,
                                   const void *const *values, uint32_t count);

/* How many reference frames the payload of a lifted block needs. */
uint32_t spn__cache_lifted_references(const uint8_t *payload, uint32_t bytes);

#endif
