/* tables.h - writes the static tables of a cache (cache/cache_tables.h) from a
 * clip and its layout.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_WRITE_TABLES_H
#define OFFLINE_COMPILE_WRITE_TABLES_H

#include "cache/cache_header.h"
#include "cache/transform.h"
#include "compile/clip/clip.h"
#include "compile/layout/parts.h"

/* Bytes of all names with their terminating zeros, and the limit. */
#define TABLES_NAME_BYTES_MAX (UINT32_MAX / 2)
uint64_t tables_name_bytes(const struct clip *clip);

/* Set the counts of the header, and return the tables: header->tables_bytes
 * bytes in `arena`. NULL: they exceed a limit of the format. */
uint8_t *tables_make(const struct clip *clip, const struct layout *layout,
                     const struct clip_node_frame *initial, struct arena *arena,
                     struct cache_header *header);

/* Write a transform as a wire_quat_tns or a wire_affine. Returns its bytes. */
uint32_t tables_store_transform(uint8_t *out,
                                const struct transform *transform);

/* Write a box. A box with min > max on any axis becomes the format's empty box.
 */
void tables_store_box(uint8_t min_bytes[3][4], uint8_t max_bytes[3][4],
                      const float min[3], const float max[3]);

#endif
