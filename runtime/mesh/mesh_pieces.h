/* mesh_pieces.h - where the bytes of a static mesh lie in the blobs of a cache,
 * and how much memory they take in the registry.
 *
 * A mesh is handled in pieces: a channel of a part, the reflections of a part,
 * or a run of indices. Each piece lies in one blob. Static tiles are in the
 * order of the vertices (cache/vertex_order.h). Pure functions; any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_MESH_MESH_PIECES_H
#define SPN_MESH_MESH_PIECES_H

#include "base/carve.h"
#include "cache/decoder.h"
#include "mesh/mesh_registry.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Pieces up to this size lie in the bundle of the mesh, others are blocks of
 * their own. */
#define MESH_SMALL_BYTES_MAX 16384u

struct mesh_piece {
    uint32_t blob;
    uint32_t at; /* byte in the blob */
    uint32_t bytes;
    bool is_all; /* the blob has nothing else */
};

static inline const uint8_t *mesh_piece_data(const struct cache_decoder *c,
                                             const struct mesh_piece *p)
{
    return c->blob_data[p->blob] + p->at;
}

/* The part has the channel. */
struct mesh_piece spn__mesh_channel_piece(const struct cache_decoder *c,
                                          const struct cache_part *part,
                                          enum channel channel);
/* The bytes that have the bits of the part. The first bit is
 * part->tile_vertex % 8. */
struct mesh_piece spn__mesh_reflection_piece(const struct cache_decoder *c,
                                             const struct cache_part *part);
bool spn__mesh_part_has_reflections(const struct cache_decoder *c,
                                    const struct cache_part *part);
/* Runs of indices of the mesh: blobs that have some. */
uint32_t spn__mesh_run_count(const struct cache_mesh *mesh);
/* One run. Sets *first to the run's first index in the mesh. */
struct mesh_piece spn__mesh_index_piece(const struct cache_decoder *c,
                                        const struct cache_mesh *mesh,
                                        uint32_t run, uint32_t *first);

/* Memory of a mesh in the registry. */
struct mesh_plan {
    size_t bundle_bytes;  /* a multiple of 64 */
    uint64_t own_bytes;   /* blocks of its own */
    uint32_t own_pages;   /* the same, in pages of the heap */
    uint32_t moved_pages; /* the part of it that is whole blobs */
};
void spn__mesh_plan(const struct cache_decoder *c, uint32_t mesh,
                    uint32_t page_shift, struct mesh_plan *plan);

/* Carve the record of a mesh and its arrays, and set their sizes. */
struct static_mesh *spn__mesh_carve_record(const struct cache_decoder *c,
                                           uint32_t mesh, struct carve *carve);

/* Compare a part, or a run of indices, with a mesh of the registry that has the
 * same facts. Files may divide equal meshes into different parts. */
bool spn__mesh_part_is_equal(const struct cache_decoder *c,
                             const struct cache_part *part,
                             const struct static_mesh *m);
bool spn__mesh_run_is_equal(const struct cache_decoder *c,
                            const struct cache_mesh *mesh, uint32_t run,
                            const struct static_mesh *m);

#endif
