/* geom_cache.h - geometry caches: open a file, see what is in it, close it.
 *
 * spn_cache_open begins to open a cache file, and spn_cache_get_status returns
 * the result. The other functions describe the scene: its frames, its meshes
 * with their triangles and materials, and its scene nodes. geom.h explains the
 * terms, the order of the calls and what all functions have in common.
 *
 *   numbers    frames, meshes, scene nodes and the material ranges of a mesh
 *              are numbered from 0 to their count - 1
 *   times      microseconds from the first frame, unless a comment says
 *              otherwise
 *   lengths    in the units of the scene; Spindle gives them no meaning
 *   triangles  three indices each, from 0 to vertex_count - 1 of their mesh
 *
 * Ownership. The runtime copies the path, and owns the tables and static data;
 * they are in its heap. A handle has a reference for each spn_cache_open that
 * returned it. The cache is freed when all of them are released, no node plays
 * it and no fill reads it. Outputs are structs and arrays of the caller;
 * strings in them belong to the runtime and are valid as long as the cache is
 * open or a node plays it.
 *
 * Threads. spn_cache_open and spn_cache_close belong to the caller's thread.
 * Any thread may call the others between two updates.
 *
 * Errors. geom.h lists those that are checked first. All functions except
 * spn_cache_open, spn_cache_get_status and spn_cache_close need the cache's
 * tables: until the cache is open they return what spn_cache_get_status
 * returns.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_GEOM_CACHE_H
#define SPINDLE_GEOM_CACHE_H

#include <spindle/features.h>
#include <spindle/read.h>
#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t spn_cache; /* handle; 0: none */

#if SPN_WITH_GEOMETRY

/* Begin to open a cache file, and return at once. Three reads bring its header,
 * its frame table and its static data, which workers then decode into blocks of
 * the heap. spn_cache_get_status reports the result.
 *
 * If the path is open already, its handle is returned with one more reference.
 * If it was closed while nodes still play it, a new handle to the data that
 * they play is returned. If opening it failed before, the file is read again.
 *
 * path  UTF-8, 1 to SPN_PATH_BYTES_MAX - 1 bytes, otherwise SPN_ERR_ARG; copied
 *
 * Returns SPN_ERR_TABLE_FULL if spn_config.cache_count caches or file_count
 * files are open or still closing; SPN_ERR_SHUTDOWN in a callback during
 * spn_shutdown. */
SPN_NODISCARD spn_status spn_cache_open(spn_runtime *rt, const char *path,
                                        spn_cache *out);

/* Get the result of opening a cache.
 *
 *   SPN_PENDING         it is still opening
 *   SPN_OK              it can be played
 *   SPN_ERR_NOT_FOUND, SPN_ERR_IO, SPN_ERR_SHORT_READ, SPN_ERR_PLATFORM
 *                       the file could not be opened or read
 *   SPN_ERR_FORMAT, SPN_ERR_VERSION, SPN_ERR_CHECKSUM, SPN_ERR_CODEC
 *                       its bytes are damaged or of an unknown version
 *   SPN_ERR_NO_CODEC    its block codec is not registered (codec.h)
 *   SPN_ERR_NOT_BUILT   it has lifted meshes, and the runtime was built without
 *                       them (features.h)
 *   SPN_ERR_FPU         the floating-point unit of a worker does not round to
 *                       nearest (spn_node_state)
 *   SPN_ERR_MEMORY      the heap is too small for its static data
 *
 * fault  written only if the cache could not be opened: what is wrong, and
 *        where in the file; NULL: not wanted */
spn_status spn_cache_get_status(const spn_runtime *rt, spn_cache cache,
                                spn_fault *fault);

/* Release one reference. The last release makes the handle invalid at once, and
 * SPN_ERR_HANDLE is returned for it. (The same number is used for another cache
 * only after 32767 other caches have used its slot.) The cache is freed when no
 * node plays it any more, and its slot by the spn_update after that. */
spn_status spn_cache_close(spn_runtime *rt, spn_cache cache);

#endif

typedef struct spn_cache_info {
    uint32_t frame_count; /* >= 1 */
    uint32_t mesh_count;
    uint32_t scene_node_count;
    uint32_t index_distance; /* frames from one index frame to the next */
    int64_t duration_us;     /* time of the last frame */
    int64_t loop_us;         /* duration_us plus the last interval of frames */
    double start_s;          /* time of the first frame in the archive, in
                              * seconds */
    uint64_t static_bytes;   /* heap memory of its tables and static data now */
    uint64_t table_bytes; /* the part of it that is tables: what remains while
                              * the cache is unloaded (geom_view.h) */
    uint64_t file_bytes;
    float box_min[3]; /* union of all frames' boxes, see spn_node_get_box */
    float box_max[3];
    uint64_t vertex_count;      /* of all meshes together */
    uint32_t plays_from_memory; /* 1: compiled with --play-from-memory */
    uint32_t decoded_count;     /* frames that are decoded now */
    uint64_t decoded_bytes;     /* heap memory of all frames, decoded */
    /* 1: it plays from memory now: each frame is read and decoded once, and
     * stays until the cache is closed or unloaded. This is so for a cache that
     * plays_from_memory, or whose decoded_bytes are within the tuning variable
     * memory_play_kib, while the heap has room for decoded_bytes beside what
     * playing nodes need. Otherwise 0: it streams. */
    uint32_t keeps_all_frames;
    uint32_t reserved; /* 0 */
} spn_cache_info;

#if SPN_WITH_GEOMETRY

/* Describe the whole cache. */
spn_status spn_cache_get_info(const spn_runtime *rt, spn_cache cache,
                              spn_cache_info *out);

/* Compute how large the heap (spn_config.heap_bytes) must be so that
 * `node_count` nodes can play this cache at the same time and every one of them
 * gets all memory that it needs, in either direction of playback. The result is
 * the sum of
 *
 * - the static data;
 * - for each node: the decoded frames of half a second (tuning variable
 *   decode_ahead_ms), one closure, and the compressed bytes of two groups;
 * - for a cache compiled with --play-from-memory: all decoded frames, if these
 *   are more than those of all nodes;
 * - a reserve for fragmentation.
 *
 * Nodes that play in step need less, because they share frames. For several
 * caches, add the results. Memory beyond that keeps frames and groups that may
 * be needed again.
 *
 * node_count  any number
 * bytes       the result; UINT64_MAX if it does not fit 64 bits */
spn_status spn_cache_heap_needed(const spn_runtime *rt, spn_cache cache,
                                 uint32_t node_count, uint64_t *bytes);

/* Get the time of a frame. SPN_ERR_ARG unless frame < frame_count. */
spn_status spn_cache_get_frame_time(const spn_runtime *rt, spn_cache cache,
                                    uint32_t frame, int64_t *time_us);

#endif

typedef struct spn_mesh_info {
    const char *name; /* path of the shape in the archive */
    uint32_t vertex_count;
    uint32_t index_count;    /* three for each triangle */
    uint32_t material_count; /* material ranges, see spn_cache_get_material */
    uint32_t has_uvs;
    uint32_t has_colors;
    uint32_t is_animated; /* some vertex data changes over time */
    /* Values are stored as integers q:
     *
     *   position, for each axis  position_min + q * position_step
     *   uv, for each of u and v  uv_min + q * uv_step
     *   QTangent                 q / 511 (normal and tangent as one quaternion)
     */
    float position_min[3];
    float position_step[3];
    float uv_min[2];
    float uv_step[2];
    uint64_t first_vertex; /* vertices of all meshes before this one */
    uint32_t has_second_uvs;
    uint32_t has_velocities; /* the file stores velocities of this mesh, see
                              * spn_vertex_layout */
    /* The same for second UVs and velocities; 0 if the mesh has none. */
    float second_uv_min[2];
    float second_uv_step[2];
    float velocity_min[3];
    float velocity_step[3];
    const char *second_uv_name; /* in the archive; "" if the mesh has none */
    /* Hash of the content of a static mesh; 0 if is_animated. Meshes with the
     * same content have the same hash, in all caches, and can be drawn from the
     * same buffers in one call. The content is all that this struct says but
     * the name and first_vertex, all that spn_cache_get_material says, the
     * indices, and the values of the vertices. Different content may have the
     * same hash, by chance of one in 2^64: compare it, too. A cache whose
     * meshes do not have their hashes cannot be opened (SPN_ERR_CHECKSUM). */
    uint64_t content_hash;
} spn_mesh_info;

#if SPN_WITH_GEOMETRY

/* Describe one mesh. SPN_ERR_ARG unless mesh < mesh_count. */
spn_status spn_cache_get_mesh(const spn_runtime *rt, spn_cache cache,
                              uint32_t mesh, spn_mesh_info *out);

#endif

/* A run of indices of one mesh that have the same material. The ranges of a
 * mesh follow each other and cover all of its indices. */
typedef struct spn_material_range {
    const char *name; /* name of the face set in the archive; "" for triangles
                       * that are in no face set */
    uint32_t id;      /* the first number in `name`, e.g. 12 of "mat_12_skin";
                       * 0 if there is none */
    uint32_t first_index;
    uint32_t index_count;
} spn_material_range;

#if SPN_WITH_GEOMETRY

/* Describe one material range. SPN_ERR_ARG unless mesh < mesh_count and
 * material < material_count of the mesh. */
spn_status spn_cache_get_material(const spn_runtime *rt, spn_cache cache,
                                  uint32_t mesh, uint32_t material,
                                  spn_material_range *out);

/* Copy the triangle list of a mesh. Triangles are counter-clockwise if seen
 * from outside. The time is proportional to the number of indices. SPN_PENDING
 * while the cache is unloaded (geom_view.h).
 *
 * index_bytes  2: writes uint16_t, SPN_ERR_RANGE if the mesh has more than
 *              65536 vertices; 4: writes uint32_t; others: SPN_ERR_ARG
 * indices      memory of the caller, aligned to index_bytes; may be NULL if the
 *              mesh has no triangles
 * capacity     number of indices that fit; SPN_ERR_ARG if it is less than
 *              index_count
 *
 * SPN_ERR_ARG unless mesh < mesh_count. */
spn_status spn_cache_copy_indices(const spn_runtime *rt, spn_cache cache,
                                  uint32_t mesh, uint32_t index_bytes,
                                  void *indices, uint32_t capacity);

#endif

typedef struct spn_scene_node_info {
    const char *name;
    uint32_t parent; /* index of a scene node with a smaller index; UINT32_MAX:
                      * none */
    uint32_t mesh;   /* the mesh that it shows; UINT32_MAX: none */
} spn_scene_node_info;

#if SPN_WITH_GEOMETRY

/* Describe one scene node. SPN_ERR_ARG unless index < scene_node_count. */
spn_status spn_cache_get_scene_node(const spn_runtime *rt, spn_cache cache,
                                    uint32_t index, spn_scene_node_info *out);

#endif

#ifdef __cplusplus
}
#endif
#endif
