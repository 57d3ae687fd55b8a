/* tiny_truth.h - the true values of a small cache. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_TINY_TRUTH_H
#define TESTS_SUPPORT_TINY_TRUTH_H

#include "support/tiny_cache.h"

/* Quantized values of `count` vertices from `first` on, as in the file. Mesh
 * number mesh_count is the static one. */
void tiny_values(const struct tiny_options *o, uint32_t frame, uint32_t mesh,
                 enum channel channel, uint32_t first, uint32_t count,
                 void *out);
uint32_t tiny_group_of(const struct tiny_options *o, uint32_t frame);
bool tiny_is_hidden(const struct tiny_options *o, uint32_t frame,
                    uint32_t mesh);
/* World translation of a mesh's node. */
void tiny_translation(const struct tiny_options *o, uint32_t frame,
                      uint32_t mesh, float out[3]);

#endif
