/* cache_lift.h - what a cache holds of the spindle prediction.
 *
 * Tables, layers, references and weights are blobs; in memory each is the array
 * that the decoder wants. Shared by the runtime and the tool.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_GEOM_CACHE_LIFT_H
#define SPN_GEOM_CACHE_LIFT_H

#include "geom/cache_file.h"
#include "geom/lift.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a blob in memory: those of its array, or its raw bytes. */
size_t spn__cache_blob_memory(const struct cache_tables *tables,
                              const struct cache_blob *blob);

/* Is it one of these? They are unpacked as they are, then joined. */
static inline bool cache_blob_is_lift(const struct cache_blob *blob)
{
    return blob->kind >= CACHE_BLOB_TABLES;
}

/* Runs of slots share the array of their first one: `blob_data` of a later run
 * is that of the first. */
static inline bool cache_blob_has_array(const struct cache_blob *blob)
{
    return blob->run == 0;
}

/* From its raw bytes to its array: `data` has the size above, aligned to 8. */
SPN_NODISCARD spn_status spn__cache_lift_join(const struct cache_tables *tables,
                                              const struct cache_blob *blob,
                                              const uint8_t *raw, void *data,
                                              struct spn_fault *fault);

/* The shape of a lifted tile whose blobs are joined; `blob_data`: of each blob.
 * To be judged once (spn__lift_judge) before anything is decoded with it. */
struct lift_shape spn__cache_lift_shape(const struct cache_tables *tables,
                                        uint32_t tile,
                                        uint8_t *const *blob_data);

/* The rings of a tile that has some, in the same way (spn__rings_judge). */
struct ring_shape spn__cache_lift_rings(const struct cache_tables *tables,
                                        uint32_t tile,
                                        uint8_t *const *blob_data);

/* Shape and rings, once all blobs of the tile are joined. */
SPN_NODISCARD spn_status
spn__cache_lift_judge(const struct cache_tables *tables, uint32_t tile,
                      uint8_t *const *blob_data, struct spn_fault *fault);

/* Shape and tables of a channel of a tile; no frames, no rings. */
struct lift_stream spn__cache_lift_stream(const struct cache_tables *tables,
                                          enum channel channel,
                                          const struct lift_shape *shape,
                                          uint8_t *const *blob_data);

#endif
