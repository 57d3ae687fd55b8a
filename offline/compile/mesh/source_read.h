/* source_read.h - reads single samples of the parameters of a mesh.
 *
 * Used by source.c, which validates all samples, and by source_read.c itself,
 * which interpolates between two. Other modules use source.h.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_SOURCE_READ_H
#define OFFLINE_COMPILE_MESH_SOURCE_READ_H

#include "compile/mesh/source.h"

/* Read the values of one sample, `param->count` of them, with v flipped as the
 * options say. *values belongs to `arena`. Returns false after a refusal. */
bool source_read_values(const struct source *source,
                        const struct source_param *param, uint32_t sample,
                        struct arena *arena, const float **values);

/* Return the next sample after `sample` in which values or indices are stored
 * again; UINT32_MAX if there is none. */
uint32_t source_next_change(const struct abc_param *param, uint32_t sample);

#endif
