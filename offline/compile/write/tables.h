/* tables.h - the static tables of a cache, from a clip and its layout. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_WRITE_TABLES_H
#define OFFLINE_COMPILE_WRITE_TABLES_H

#include "cache/cache_header.h"
#include "cache/transform.h"
#include "compile/clip/clip.h"
#include "compile/layout/parts.h"

/* All names with their ends, and how many bytes of them there may be. */
#define TABLES_NAME_BYTES_MAX (UINT32_MAX / 2)
uint64_t tables_name_bytes(const struct clip *clip);

/* Fill the header's counts that the clip and the layout give, and return
 * header->tables_bytes bytes, in memory of the arena. NULL when they are
 * more than the format can hold. */
uint8_t *tables_make(const struct clip *clip, const struct layout *layout,
                     const struct clip_node_frame *initial, struct arena *arena,
                     struct cache_header *header);

/* As a wire_quat_tns or a wire_affine. Returns the bytes of it. */
uint32_t tables_store_transform(uint8_t *out,
                                const struct transform *transform);

/* A box that is empty on any axis becomes the empty box of the format. */
void tables_store_box(uint8_t min_bytes[3][4], uint8_t max_bytes[3][4],
                      const float min[3], const float max[3]);

#endif
