/* cache_nodes.h - transforms and visibility of animated nodes in one frame.
 *
 * Each animated node has a row. Rows of nodes whose transform is a matrix come
 * after all others. A node block covers a run of rows of one kind: first the
 * transforms of all its rows, of 40 bytes (rotation, translation, scale) or of
 * 48 (matrix), then a byte of visibility for each row. Blocks stay in the byte
 * order of the file; a row is read when it is needed.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CACHE_CACHE_NODES_H
#define SPN_CACHE_CACHE_NODES_H

#include "cache/cache_tables.h"

#include <spindle/status.h>
#include <stdbool.h>
#include <stdint.h>

/* Validate a decompressed node block: all numbers are finite, rotations have
 * length 1, visibility is 0 or 1. */
SPN_NODISCARD spn_status
spn__cache_nodes_validate(const struct cache_block *block, const uint8_t *raw,
                          struct spn_fault *fault);

/* Read row `row`, counted from the block's first, of a validated block. */
void spn__cache_nodes_read(const struct cache_block *block, const uint8_t *raw,
                           uint32_t row, struct transform *transform,
                           bool *is_visible);

/* The number of the block that has row `row`. */
uint32_t spn__cache_nodes_block(const struct cache_header *header,
                                uint32_t row);

/* Read one transform of the file: a wire_affine, or a wire_quat_tns. False: a
 * number is not finite, or the rotation is not of length 1. */
bool spn__cache_transform_read(const uint8_t *wire, bool is_affine,
                               struct transform *transform);

#endif
