/* geom.h - geometry caches: open, play, fill vertex buffers.
 *
 * A *cache* is an opened .sgc file: its tables and static data are resident.
 * A *node* plays a cache: it has a playback time, streams the frames around
 * it, and fills the engine's vertex buffers. Any number of nodes play one
 * cache, each at its own time.
 *
 * Times are microseconds from the first frame. A looping node's time grows
 * without bound; the loop begins again after `duration_us + last interval`.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_GEOM_H
#define SPINDLE_GEOM_H

#include <spindle/read.h>
#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t spn_cache; /* handle; 0: none */
typedef uint32_t spn_node;  /* handle; 0: none */

/* ---- caches -------------------------------------------------------------- */

/* Open a cache file: three reads (header, frame table, static data), then
 * decoding on workers, all asynchronous. The heap holds its static data.
 *
 * A path that is open already gives the same handle with one more reference.
 * A path that was closed while nodes still play it gives the data that they
 * play, under a new handle. After a failure the file is read anew.
 * SPN_ERR_ARG, SPN_ERR_TABLE_FULL. */
SPN_NODISCARD spn_status spn_cache_open(spn_runtime *rt, const char *path,
                                        spn_cache *out);

/* SPN_PENDING while opening, SPN_OK when it can be played, or why it failed;
 * then `fault` (may be NULL) says where. SPN_ERR_HANDLE. */
spn_status spn_cache_get_status(const spn_runtime *rt, spn_cache cache,
                                spn_fault *fault);

/* Give one reference back. With the last one the handle is stale for good,
 * whatever is opened later (its number can come again after 32767 others of
 * the same slot); the cache itself goes once no node plays it, and its slot
 * with the spn_update after that. SPN_ERR_HANDLE. */
spn_status spn_cache_close(spn_runtime *rt, spn_cache cache);

typedef struct spn_cache_info {
    uint32_t frame_count;
    uint32_t mesh_count;
    uint32_t node_count;
    uint32_t index_distance;
    int64_t duration_us;
    int64_t loop_us;       /* duration plus the last interval between frames */
    double start_s;        /* the archive's own time of the first frame */
    uint64_t static_bytes; /* in the heap */
    uint64_t file_bytes;
    float box_min[3]; /* of all frames */
    float box_max[3];
} spn_cache_info;
spn_status spn_cache_get_info(const spn_runtime *rt, spn_cache cache,
                              spn_cache_info *out);

/* How large a heap must be (spn_config.heap_bytes) so that `node_count` nodes
 * of this cache play at the same time without ever waiting for memory for
 * good: its static data, and for each node the decoded frames of two groups
 * and one group's read, with what fragmentation can cost. Other caches add
 * theirs. SPN_PENDING while opening, SPN_ERR_HANDLE. */
spn_status spn_cache_heap_needed(const spn_runtime *rt, spn_cache cache,
                                 uint32_t node_count, uint64_t *bytes);

/* Time of a frame, frame < frame_count. */
spn_status spn_cache_get_frame_time(const spn_runtime *rt, spn_cache cache,
                                    uint32_t frame, int64_t *time_us);

typedef struct spn_mesh_info {
    const char *name; /* valid while the cache is open */
    uint32_t vertex_count;
    uint32_t index_count;
    uint32_t material_count;
    uint32_t has_uvs;
    uint32_t has_colors;
    uint32_t is_animated; /* any channel changes over time */
    /* The constants of the quantized values: position = position_min + q *
     * position_step; uv = uv_min + q * uv_step; QTangent = q / 511. */
    float position_min[3];
    float position_step[3];
    float uv_min[2];
    float uv_step[2];
} spn_mesh_info;
spn_status spn_cache_get_mesh(const spn_runtime *rt, spn_cache cache,
                              uint32_t mesh, spn_mesh_info *out);

typedef struct spn_material_range {
    const char *name; /* the face set's; "" for the rest */
    uint32_t id;
    uint32_t first_index;
    uint32_t index_count;
} spn_material_range;
spn_status spn_cache_get_material(const spn_runtime *rt, spn_cache cache,
                                  uint32_t mesh, uint32_t material,
                                  spn_material_range *out);

/* Copy a mesh's triangle list (counter-clockwise from outside), as uint16_t
 * (index_bytes 2; SPN_ERR_RANGE for meshes of more than 65536 vertices) or
 * uint32_t (4). `capacity` in indices. */
spn_status spn_cache_copy_indices(const spn_runtime *rt, spn_cache cache,
                                  uint32_t mesh, uint32_t index_bytes,
                                  void *indices, uint32_t capacity);

typedef struct spn_scene_node_info {
    const char *name;
    uint32_t parent; /* UINT32_MAX: none; always smaller than its own index */
    uint32_t mesh;   /* UINT32_MAX: none */
} spn_scene_node_info;
spn_status spn_cache_get_scene_node(const spn_runtime *rt, spn_cache cache,
                                    uint32_t index, spn_scene_node_info *out);

/* ---- playing ------------------------------------------------------------- */

typedef struct spn_node_desc {
    uint32_t is_looping;
    spn_priority priority; /* of its reads; 0: SPN_PRIORITY_ABOVE_NORMAL */
} spn_node_desc;

/* A node on a cache that may still be opening. `desc` NULL: all defaults.
 * SPN_ERR_HANDLE, SPN_ERR_TABLE_FULL. */
SPN_NODISCARD spn_status spn_node_create(spn_runtime *rt, spn_cache cache,
                                         const spn_node_desc *desc,
                                         spn_node *out);

/* The node is gone at once; its reads and jobs end in their own time. */
spn_status spn_node_destroy(spn_runtime *rt, spn_node node);

/* Stream from `time_us` on, before playback gets there. Playback then starts
 * at the same time without a wait once spn_node_get_state says ready. */
spn_status spn_node_start_streaming(spn_runtime *rt, spn_node node,
                                    int64_t time_us);
/* Give all frames back to the heap. */
spn_status spn_node_stop_streaming(spn_runtime *rt, spn_node node);

/* The time to show; clamped to the clip unless looping; starts streaming when
 * it was stopped. A step forward within what is streamed is playback, any
 * other a seek: one index frame and one group are read. */
spn_status spn_node_set_playback_time(spn_runtime *rt, spn_node node,
                                      int64_t time_us);

typedef struct spn_node_state {
    spn_status status; /* the cache's, or the node's last error */
    uint32_t is_streaming;
    uint32_t is_ready;     /* the frames around the playback time are decoded */
    uint32_t shown_frame;  /* the floor frame that a fill would use now;
                            * UINT32_MAX: none yet */
    int64_t playback_us;   /* as set, clamped */
    int64_t precached_us;  /* from playback to the end of decoded frames */
    int64_t buffered_us;   /* from playback to the end of what was read */
    uint32_t frames_shown; /* changes of the wanted frame that were on time */
    uint32_t frames_late;  /* changes of the wanted frame that were not: the
                            * nearest decoded frame was shown instead */
    uint32_t frames_dropped; /* frames that are damaged or unreadable */
    uint32_t seeks;
    uint64_t bytes_read;
    spn_fault fault; /* of the last damaged frame */
    uint32_t fault_frame;
} spn_node_state;
spn_status spn_node_get_state(const spn_runtime *rt, spn_node node,
                              spn_node_state *out);

/* ---- filling ------------------------------------------------------------- */

typedef enum spn_format {
    SPN_FORMAT_NONE = 0,  /* the attribute is not written */
    SPN_FORMAT_F32X2,     /* UVs */
    SPN_FORMAT_F32X3,     /* positions, normals; tangents without handedness */
    SPN_FORMAT_F32X4,     /* tangents: x y z and handedness +-1; colours 0..1;
                           * QTangents x y z w, w's sign is the handedness */
    SPN_FORMAT_F16X2,     /* UVs */
    SPN_FORMAT_F16X4,     /* positions with w = 1 */
    SPN_FORMAT_SNORM8X4,  /* normals with w = 0, tangents with w = handedness */
    SPN_FORMAT_SNORM16X4, /* the same, and QTangents */
    SPN_FORMAT_SNORM10X3_2, /* x | y << 10 | z << 20 | w << 30 in one u32, two's
                             * complement: normals, tangents */
    SPN_FORMAT_UNORM16X2,   /* UVs, clamped to 0..1 */
    SPN_FORMAT_UNORM8X4,    /* colours r g b a */
    SPN_FORMAT_UNORM8X4_BGRA,
    SPN_FORMAT_QUANTIZED /* the file's own values of the frame that is shown,
                          * not interpolated: u16 x 3 positions (6 bytes), i16
                          * x 4 QTangents (8, w's sign is the handedness), u16
                          * x 2 UVs (4), u8 x 4 colours (4) */
} spn_format;

typedef struct spn_attribute {
    uint32_t offset; /* bytes from the start of a vertex; any alignment */
    spn_format format;
} spn_attribute;

/* The caller's interleaved vertex. Attributes may not overlap nor pass the
 * stride. Meshes without UVs get 0 0, without colours 1 1 1 1. */
typedef struct spn_vertex_layout {
    uint32_t stride; /* bytes; > 0 */
    spn_attribute position;
    spn_attribute previous_position; /* at the playback time before the last
                                      * change of it; for motion vectors */
    spn_attribute normal;
    spn_attribute tangent;
    spn_attribute qtangent;
    spn_attribute uv;
    spn_attribute color;
} spn_vertex_layout;

typedef struct spn_fill_result {
    uint32_t floor_frame;
    uint32_t ceil_frame;
    float alpha;         /* from floor to ceil; 0 when not interpolated */
    uint32_t is_visible; /* at least one scene node shows the mesh; when 0
                          * nothing was written */
    uint32_t is_late;    /* another frame than the wanted one */
} spn_fill_result;

/* Check a layout: SPN_ERR_ARG when a format does not suit its attribute, an
 * attribute leaves the stride or two overlap. */
spn_status spn_layout_check(const spn_vertex_layout *layout);

/* Write all vertices of one mesh at the node's playback time, in mesh space,
 * interpolated between the two frames around it (tuning "interpolate").
 * `bytes` >= vertex_count * stride. SPN_PENDING: no frame is decoded yet;
 * SPN_ERR_ARG, SPN_ERR_HANDLE. Runs on the calling thread: work in proportion
 * to the vertices. */
spn_status spn_node_fill(spn_runtime *rt, spn_node node, uint32_t mesh,
                         const spn_vertex_layout *layout, void *vertices,
                         uint64_t bytes, spn_fill_result *out);

/* World transforms of the scene nodes at the playback time: `matrices` gets
 * 12 floats each (3 x 4, row-major, column vectors), `visible` one byte each;
 * either may be NULL. Slerped; number by number for nodes that are skewed.
 * `count` >= node_count. SPN_PENDING as above. */
spn_status spn_node_get_transforms(spn_runtime *rt, spn_node node,
                                   float *matrices, uint8_t *visible,
                                   uint32_t count);

/* World box of the visible meshes at the playback time (union of both frames'
 * boxes). min > max when nothing is visible. */
spn_status spn_node_get_box(spn_runtime *rt, spn_node node, float box_min[3],
                            float box_max[3]);

#ifdef __cplusplus
}
#endif
#endif
