/* mesh_registry.h - static meshes that caches share.
 *
 * A static mesh is in the heap once, however many open caches have it. The
 * registry finds meshes by content hash and by id, counts the references of
 * caches, and says which heap blocks are free when the last one is gone. It
 * allocates and frees nothing: play/cache_meshes.h builds the meshes.
 *
 * Memory. A mesh consists of a *bundle* and of blocks of its own. The bundle
 * has its record and all small arrays. It lies in a *pack*, a heap block that
 * has bundles of several meshes, because a page of the heap for each small mesh
 * would be too much; a pack is free when its last mesh is. Large arrays are
 * heap blocks of their own.
 *
 * Arrays have the order of the vertices, in runs of at most 8192 (static_part),
 * and the byte order of the machine.
 *
 * Threads. The caller's thread adds and releases meshes, in spn_update. Between
 * updates any thread may find and read them.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_MESH_MESH_REGISTRY_H
#define SPN_MESH_MESH_REGISTRY_H

#include "base/assert.h"
#include "base/carve.h"
#include "base/heap.h"
#include "cache/cache_tables.h"
#include "fill/fill.h"

#include <spindle/geom_layout.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most bytes of a pack that has more than one mesh. */
#define MESH_PACK_BYTES_MAX 65536u
/* Bytes before its first bundle. */
#define MESH_PACK_HEADER_BYTES 64u

struct mesh_pack {
    heap_handle block;   /* its memory */
    uint32_t mesh_count; /* meshes in it, and 1 while meshes are added */
};
SPN_STATIC_ASSERT(sizeof(struct mesh_pack) <= MESH_PACK_HEADER_BYTES,
                  mesh_pack_bytes);

/* A run of vertices. */
struct static_part {
    uint32_t first_vertex;
    uint32_t vertex_count;
    uint8_t *channel[CHANNEL_COUNT]; /* NULL: the mesh does not have it */
    uint8_t *reflection;       /* one bit for each vertex; NULL: cache_mesh's
                                * reflection holds for all */
    uint32_t reflection_first; /* bit of the first vertex */
};

/* A run of indices. */
struct static_run {
    uint32_t first;
    uint32_t count;
    uint8_t *indices; /* cache_mesh.index_bytes each */
};

/* Fixed from spn__mesh_registry_add on, except for the fields that are marked
 * as the caller's. */
struct static_mesh {
    struct static_mesh *next; /* in its bucket, or in `dead`; the caller's */
    uint32_t reference_count; /* meshes of caches that are this one; the
                               * caller's */
    uint32_t id_offset;       /* its id is content_hash plus this */
    struct mesh_pack *pack;
    struct cache_mesh facts; /* of the first cache that had it. Numbers that
                              * refer to tables of that cache are 0 */
    uint8_t *more_facts;     /* mesh_facts.h */
    size_t more_facts_bytes;
    uint64_t heap_bytes; /* bundle and blocks */
    uint32_t part_count;
    uint32_t run_count;
    uint32_t block_count; /* blocks of its own */
    struct static_part *parts;
    struct static_run *runs;
    heap_handle *blocks;
};

#define MESH_REGISTRY_BUCKETS 256u

struct mesh_registry {
    struct static_mesh *buckets[MESH_REGISTRY_BUCKETS];
    struct static_mesh *dead; /* their memory is to be freed */
    uint32_t mesh_count;
    uint32_t id_offset_max; /* largest id_offset so far */
};

/* The id of a mesh (geom_mesh.h). */
static inline uint64_t static_mesh_id(const struct static_mesh *m)
{
    return m->facts.content_hash + m->id_offset;
}

/* The mesh with this id; NULL: none. */
struct static_mesh *spn__mesh_registry_find(const struct mesh_registry *r,
                                            uint64_t id);
/* The next mesh with this content hash after `m`; NULL: the first one. */
struct static_mesh *spn__mesh_registry_next(const struct mesh_registry *r,
                                            uint64_t content_hash,
                                            const struct static_mesh *m);
/* Add a mesh that is complete, with its first reference. Gives it an id that no
 * other one has, and that is not 0. */
void spn__mesh_registry_add(struct mesh_registry *r, struct static_mesh *m);
/* Give up a reference. The last one removes it. */
void spn__mesh_registry_release(struct mesh_registry *r, struct static_mesh *m);
/* The memory of a mesh that was never added is to be freed. */
void spn__mesh_registry_discard(struct mesh_registry *r, struct static_mesh *m);
/* The next heap block to free; 0: none. */
heap_handle spn__mesh_registry_take_dead(struct mesh_registry *r);

/* The source of one part, for spn__fill_run. */
void spn__static_mesh_source(const struct static_mesh *m, uint32_t part,
                             struct fill_source *out);
/* Write all vertices. `layout` has passed spn_layout_check. */
void spn__static_mesh_fill(const struct static_mesh *m,
                           const struct fill_ops *ops,
                           const spn_vertex_layout *layout, void *vertices);
/* Write all indices, `index_bytes` each, which suffice. */
void spn__static_mesh_copy_indices(const struct static_mesh *m,
                                   uint32_t index_bytes, void *indices);

/* True if references and counts are consistent. */
bool spn__mesh_registry_check(const struct mesh_registry *r);

#endif
