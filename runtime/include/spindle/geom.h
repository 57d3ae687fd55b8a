/* geom.h - geometry caches: open, play, fill vertex buffers.
 *
 * A *cache* is an opened .sgc file: its tables and static data are resident.
 * A *node* plays a cache: it has a playback time, streams the frames around
 * it, and fills the engine's vertex buffers. Any number of nodes play one
 * cache, each at its own time.
 *
 * Times are microseconds from the first frame. A looping node's time runs
 * both ways without bound; the loop begins again every `loop_us`.
 *
 * What every function here has in common, and its comment does not repeat:
 *
 *   SPN_ERR_ARG     `rt` is NULL, or a pointer that may not be
 *   SPN_ERR_HANDLE  the handle is 0, or what it named was closed or destroyed
 *
 * are found in this order, before anything else. Those about a cache's tables
 * then return SPN_PENDING while it opens, and when it failed what
 * spn_cache_get_status says. Outputs are written only on SPN_OK. Strings that
 * they point to live as long as the cache is open or played. Thread: the
 * caller's, but for spn_layout_check.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_GEOM_H
#define SPINDLE_GEOM_H

#include <spindle/features.h>
#include <spindle/read.h>
#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t spn_cache; /* handle; 0: none */
typedef uint32_t spn_node;  /* handle; 0: none */

/* -- caches -- */

#if SPN_WITH_GEOMETRY

/* Open a cache file: three reads (header, frame table, static data), then
 * decoding on workers, all asynchronous. The heap holds its static data.
 *
 * A path that is open already gives the same handle with one more reference.
 * A path that was closed while nodes still play it gives the data that they
 * play, under a new handle. After a failure the file is read anew.
 *
 * path  UTF-8, 1 to SPN_PATH_BYTES_MAX - 1 bytes, else SPN_ERR_ARG; copied
 *
 * SPN_ERR_TABLE_FULL when cache_count caches or file_count files are open or
 * still closing; SPN_ERR_SHUTDOWN from a callback inside spn_shutdown. */
SPN_NODISCARD spn_status spn_cache_open(spn_runtime *rt, const char *path,
                                        spn_cache *out);

/* SPN_PENDING while opening, SPN_OK when it can be played, or why it failed:
 * SPN_ERR_NOT_FOUND, _IO, _PLATFORM (the file), _FORMAT, _VERSION, _CHECKSUM,
 * _CODEC (its bytes), _NO_CODEC (see codec.h), _NOT_BUILT (lifted meshes, see
 * features.h), _FPU (see spn_node_state.status), _MEMORY (the heap could never
 * hold its static data). Then `fault` (may be NULL) says where. */
spn_status spn_cache_get_status(const spn_runtime *rt, spn_cache cache,
                                spn_fault *fault);

/* Give one reference back. With the last one the handle is stale for good,
 * whatever is opened later (its number can come again after 32767 others of
 * the same slot); the cache itself goes once no node plays it, and its slot
 * with the spn_update after that. */
spn_status spn_cache_close(spn_runtime *rt, spn_cache cache);

#endif

typedef struct spn_cache_info {
    uint32_t frame_count; /* >= 1 */
    uint32_t mesh_count;
    uint32_t node_count;
    uint32_t index_distance;
    int64_t duration_us;
    int64_t loop_us;       /* duration plus the last interval between frames */
    double start_s;        /* the archive's own time of the first frame */
    uint64_t static_bytes; /* in the heap */
    uint64_t file_bytes;
    float box_min[3]; /* union of all frames' boxes, see spn_node_get_box */
    float box_max[3];
    uint64_t vertex_count; /* of all meshes together */
} spn_cache_info;

#if SPN_WITH_GEOMETRY

/* The cache as a whole. */
spn_status spn_cache_get_info(const spn_runtime *rt, spn_cache cache,
                              spn_cache_info *out);

/* How large a heap must be (spn_config.heap_bytes) so that `node_count` nodes
 * of this cache play at the same time without ever waiting for memory for
 * good: its static data, and for each node the decoded frames of two groups
 * and one group's read, with what fragmentation can cost. Other caches add
 * theirs. Any node_count; the bytes saturate at UINT64_MAX. */
spn_status spn_cache_heap_needed(const spn_runtime *rt, spn_cache cache,
                                 uint32_t node_count, uint64_t *bytes);

/* Time of a frame. SPN_ERR_ARG unless frame < frame_count. */
spn_status spn_cache_get_frame_time(const spn_runtime *rt, spn_cache cache,
                                    uint32_t frame, int64_t *time_us);

#endif

typedef struct spn_mesh_info {
    const char *name; /* path of the shape in the archive */
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
    uint64_t first_vertex; /* vertices of all meshes before it */
    uint32_t has_second_uvs;
    uint32_t has_velocities; /* the file's own, see spn_vertex_layout */
    /* As those of positions and UVs; 0 where there are none. */
    float second_uv_min[2];
    float second_uv_step[2];
    float velocity_min[3];
    float velocity_step[3];
    const char *second_uv_name; /* in the archive; "" where there are none */
} spn_mesh_info;

#if SPN_WITH_GEOMETRY

/* SPN_ERR_ARG unless mesh < mesh_count. */
spn_status spn_cache_get_mesh(const spn_runtime *rt, spn_cache cache,
                              uint32_t mesh, spn_mesh_info *out);

#endif

typedef struct spn_material_range {
    const char *name; /* the face set's; "" for the rest */
    uint32_t id;
    uint32_t first_index;
    uint32_t index_count;
} spn_material_range;

#if SPN_WITH_GEOMETRY

/* SPN_ERR_ARG unless mesh < mesh_count and material < its material_count. */
spn_status spn_cache_get_material(const spn_runtime *rt, spn_cache cache,
                                  uint32_t mesh, uint32_t material,
                                  spn_material_range *out);

/* Copy a mesh's triangle list (counter-clockwise from outside). Costs time in
 * proportion to the indices.
 *
 * index_bytes  2: uint16_t, SPN_ERR_RANGE for a mesh of more than 65536
 *              vertices; 4: uint32_t. Else SPN_ERR_ARG
 * indices      the caller's, aligned to index_bytes; NULL only when the mesh
 *              has no triangles
 * capacity     in indices; SPN_ERR_ARG when less than index_count
 *
 * SPN_ERR_ARG unless mesh < mesh_count. */
spn_status spn_cache_copy_indices(const spn_runtime *rt, spn_cache cache,
                                  uint32_t mesh, uint32_t index_bytes,
                                  void *indices, uint32_t capacity);

#endif

typedef struct spn_scene_node_info {
    const char *name;
    uint32_t parent; /* UINT32_MAX: none; always smaller than its own index */
    uint32_t mesh;   /* UINT32_MAX: none */
} spn_scene_node_info;

#if SPN_WITH_GEOMETRY

/* SPN_ERR_ARG unless index < node_count. */
spn_status spn_cache_get_scene_node(const spn_runtime *rt, spn_cache cache,
                                    uint32_t index, spn_scene_node_info *out);

#endif

/* -- playing -- */

/* What becomes of a node that would keep a drive too busy, see spn_admission.
 * Only drives with a profile (spn_config.media) are watched. */
typedef enum spn_overload {
    SPN_OVERLOAD_DEGRADE = 0, /* it streams with what the others leave */
    SPN_OVERLOAD_REFUSE = 1,  /* it does not stream, and takes no memory */
    SPN_OVERLOAD_IGNORE = 2   /* it is admitted, whatever becomes of others */
} spn_overload;

typedef struct spn_node_desc {
    uint32_t is_looping;   /* 0: no. A clip of one frame never does */
    spn_priority priority; /* of its reads; 0: the default of
                            * SPN_TASK_GEOM_CACHE */
    spn_overload overload;
} spn_node_desc;

#if SPN_WITH_GEOMETRY

/* A node on a cache that may still be opening, or has failed: its state says
 * which. `desc` NULL: all defaults. SPN_ERR_ARG for a priority or overload that
 * is none of those above; SPN_ERR_TABLE_FULL when node_count nodes live or are
 * still ending. */
SPN_NODISCARD spn_status spn_node_create(spn_runtime *rt, spn_cache cache,
                                         const spn_node_desc *desc,
                                         spn_node *out);

/* The node is gone at once; its reads and jobs end in their own time, and
 * then its slot is free. */
spn_status spn_node_destroy(spn_runtime *rt, spn_node node);

/* Stream from `time_us` on (as in spn_node_set_playback_time), before playback
 * gets there. Playback then starts at the same time without a wait once
 * spn_node_get_state says ready. */
spn_status spn_node_start_streaming(spn_runtime *rt, spn_node node,
                                    int64_t time_us);
/* Give all frames back to the heap: nothing can be filled until streaming
 * starts again. Legal at any time. */
spn_status spn_node_stop_streaming(spn_runtime *rt, spn_node node);

/* The time to show; starts streaming when it was stopped. A step forward within
 * what is streamed is playback, any other a seek: one index frame and one
 * group are read.
 *
 * time_us  microseconds from the first frame. Clamped to 0..duration_us; or,
 *          looping, any from -2^60 to 2^60 and clamped to those: -1 is the
 *          last microsecond of a loop, and passing 0 is a step like any other
 */
spn_status spn_node_set_playback_time(spn_runtime *rt, spn_node node,
                                      int64_t time_us);

#endif

/* Streams that together keep a drive busy all the time are all late. So each
 * has a share: what its reads take of the drive's time at normal speed, from
 * the profile, the place of its file, and what was learnt. They are admitted,
 * first come first served, while the sum stays within the
 * tuning variable drive_permille_max (900), and keep their share until they
 * stop streaming. Others are degraded (their reads are idle ones) or refused
 * until there is room. Streams alone are counted: leave room for what else
 * reads; and each in full, also where several play one cache in step and share
 * its reads. One that is played faster takes more than its share. */
typedef enum spn_admission {
    SPN_ADMITTED = 0, /* also where the drive is not known */
    SPN_DEGRADED = 1,
    SPN_REFUSED = 2
} spn_admission;

typedef struct spn_node_state {
    /* The cache's unless SPN_OK; else why the node can never play:
     * SPN_ERR_MEMORY (the heap), SPN_ERR_TABLE_FULL (stream_frame_count); else
     * SPN_NO_MEMORY_NOW while the heap is promised to others and this node
     * waits until one of them ends; SPN_NO_TIME_NOW while it is not admitted
     * to the drive, `fault` then has the sum with its share and the limit, in
     * thousandths; else why the last frame that was lost could not be decoded:
     * SPN_ERR_IO (the device), _SHORT_READ (the file ended before the frame
     * did), _TIMEOUT (the device does not answer, see medium.h), _FORMAT,
     * _CHECKSUM, _CODEC (its bytes), _FPU (the thread that decoded it did not
     * round to nearest, see below); else SPN_OK.
     *
     * SPN_ERR_FPU: the default codec needs a floating-point unit that rounds
     * to nearest on every thread that runs jobs, those of an engine included.
     * Numbers too small to be normal may be flushed to zero. */
    spn_status status;
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
    uint32_t frames_dropped; /* frames that were not decoded because they, or
                              * what they refer to, are damaged or unreadable:
                              * each time that it was their turn */
    uint32_t seeks;
    uint64_t bytes_read;
    spn_admission admission;
    uint32_t drive_permille; /* its share of the drive's time while it streams,
                              * or what it asks for; 0: not known */
    spn_fault fault; /* what `status` means; its file is valid while the node
                      * lives */
    uint32_t fault_frame;
} spn_node_state;

#if SPN_WITH_GEOMETRY

/* Never SPN_PENDING: the state has a status of its own. */
spn_status spn_node_get_state(const spn_runtime *rt, spn_node node,
                              spn_node_state *out);

#endif

/* -- filling -- */

typedef enum spn_format {
    SPN_FORMAT_NONE = 0,  /* the attribute is not written */
    SPN_FORMAT_F32X2,     /* UVs */
    SPN_FORMAT_F32X3,     /* positions, velocities, normals; tangents without
                           * handedness */
    SPN_FORMAT_F32X4,     /* tangents: x y z and handedness +-1; colours 0..1;
                           * QTangents x y z w, w's sign is the handedness */
    SPN_FORMAT_F16X2,     /* UVs */
    SPN_FORMAT_F16X4,     /* positions with w = 1, velocities with w = 0 */
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
                          * x 2 UVs (4), u8 x 4 colours (4), u16 x 3 velocities
                          * (6; 0 where the file has none) */
} spn_format;

typedef struct spn_attribute {
    uint32_t offset; /* bytes from the start of a vertex; any alignment */
    spn_format format;
} spn_attribute;

/* Bytes: a 16-bit number within a part times it fits into 32 bits. */
#define SPN_STRIDE_MAX 65536u

/* The caller's interleaved vertex. Attributes may not overlap nor pass the
 * stride. Meshes without UVs, or without second ones, get 0 0, without colours
 * 1 1 1 1.
 *
 * Previous positions are the current ones when the time is set for the first
 * time since streaming started, after a seek, and when the same time is set
 * again. Before a jump forward that is not motion (a cut), start streaming
 * there anew.
 *
 * Velocities of a mesh that has_velocities are the file's, interpolated as
 * positions are. Of others they are the difference of two frames: the shown
 * one and the next that is decoded, from the first fill on and whatever times
 * are set; 0 where no other frame is decoded. */
typedef struct spn_vertex_layout {
    uint32_t stride; /* bytes; 1 .. SPN_STRIDE_MAX */
    spn_attribute position;
    spn_attribute previous_position; /* shown at the spn_node_set_playback_time
                                      * before the last; for motion vectors */
    spn_attribute normal;
    spn_attribute tangent;
    spn_attribute qtangent;
    spn_attribute uv;
    spn_attribute color;
    spn_attribute velocity; /* units per second, in mesh space */
    spn_attribute second_uv;
} spn_vertex_layout;

typedef struct spn_fill_result {
    uint32_t floor_frame;
    uint32_t ceil_frame;
    float alpha;         /* from floor to ceil; 0 when not interpolated; where
                          * the later frame hides the mesh, ceil is floor */
    uint32_t is_visible; /* at least one scene node shows the mesh, and the
                          * frame has it; when 0 nothing was written */
    uint32_t is_late;    /* another frame than the wanted one */
} spn_fill_result;

#if SPN_WITH_GEOMETRY

/* Check a layout: SPN_ERR_ARG when it is NULL, the stride is 0 or more than
 * SPN_STRIDE_MAX, a format does not suit its attribute, an attribute leaves the
 * stride or two overlap. Thread: any. */
spn_status spn_layout_check(const spn_vertex_layout *layout);

/* Write all vertices of one mesh at the node's playback time, in mesh space,
 * interpolated between the two frames around it (tuning "interpolate"). Where
 * those are not decoded, the nearest one that is. Runs on the calling thread:
 * work in proportion to the vertices.
 *
 * mesh      < mesh_count, else SPN_ERR_ARG
 * layout    as spn_layout_check, else SPN_ERR_ARG
 * vertices  the caller's, any alignment; bytes between attributes are kept
 * bytes     SPN_ERR_ARG when less than vertex_count * stride
 * out       NULL is legal
 *
 * When the cache is there: SPN_ERR_MEMORY or SPN_ERR_TABLE_FULL when the node
 * can never play (spn_node_state.status); SPN_PENDING when no frame is decoded:
 * not yet, not streaming, or all are damaged. */
spn_status spn_node_fill(spn_runtime *rt, spn_node node, uint32_t mesh,
                         const spn_vertex_layout *layout, void *vertices,
                         uint64_t bytes, spn_fill_result *out);

#endif

/* -- frames straight into vertex buffers -- */

/* An engine that blends two vertex buffers itself (two streams and a fraction
 * in the vertex shader) can have each frame written once, by the worker that
 * decodes it: part by part, as soon as a part is decoded and while it is in
 * that worker's cache. Decoding and filling are one pass then, and the caller's
 * thread fills nothing. Two frames are not interpolated on the way, so a frame
 * waits for no other. spn_node_fill works as ever beside it. */

typedef struct spn_frame_buffers {
    /* Of all meshes; a frame has no previous positions, and no velocities but
     * the file's: those of meshes without has_velocities are 0. */
    spn_vertex_layout layout;
    /* A frame is about to be decoded. Returns a buffer for it, any alignment,
     * of the cache's vertex_count * stride bytes: mesh after mesh, each from
     * its first_vertex on. Or NULL: the frame is decoded, and written nowhere.
     * The buffer is written by workers until the frame is decoded, and kept
     * while it is decoded and not passed by playback, or shown. What does not
     * change over time is not written (spn_mesh_info.is_animated: fill it
     * once), nor what the frame hides or what is damaged. The same frame may be
     * acquired again before its first buffer is released (seeks, loops): the
     * pointers tell them apart. */
    void *(*acquire)(void *user, spn_node node, uint32_t frame);
    /* Once for each buffer, whatever becomes of its frame: neither written nor
     * given by spn_node_get_frames any more. */
    void (*release)(void *user, spn_node node, uint32_t frame, void *vertices);
    /* Both are called inside spn_update, and release also inside
     * spn_node_stop_streaming, spn_node_destroy and spn_shutdown; they may not
     * call anything that changes caches or nodes. They and `user` must live
     * until the last buffer is released, which may be in an spn_update after
     * spn_node_destroy: a worker may still write to it. */
    void *user;
} spn_frame_buffers;

#if SPN_WITH_FRAME_BUFFERS

/* Buffers that one node of the cache has out at a time at most: an engine that
 * has so many for each node always has one to give. It depends on
 * the tuning variable decode_ahead_ms at the time when the node starts or
 * seeks: half a second of frames, two groups and a few more; never more than
 * spn_config.stream_frame_count + 2. */
spn_status spn_cache_frame_buffers_needed(const spn_runtime *rt,
                                          spn_cache cache, uint32_t *out);

/* From the next start on. Copied; NULL: none any more. SPN_ERR_ARG for a layout
 * that spn_layout_check refuses or that asks for previous positions, and
 * without both functions; SPN_ERR_STATE while the node streams or what it
 * streamed still ends. */
spn_status spn_node_set_frame_buffers(spn_runtime *rt, spn_node node,
                                      const spn_frame_buffers *buffers);

#endif

typedef struct spn_frame_pair {
    void *floor; /* NULL: none was acquired for this frame; the buffer of all
                  * meshes, as acquired */
    void *ceil;  /* likewise; the same buffer where alpha is 0 */
    uint32_t floor_frame;
    uint32_t ceil_frame;
    float alpha;         /* from floor to ceil; where the later frame hides the
                          * mesh, whose bytes it does not hold, 0, and ceil is
                          * floor */
    uint32_t is_visible; /* 0: no scene node shows the mesh, or the frame has
                          * nothing of it: nothing is to be drawn; floor and
                          * ceil are NULL */
    uint32_t is_late;    /* another frame than the wanted one */
} spn_frame_pair;

#if SPN_WITH_FRAME_BUFFERS

/* The buffers of the frames that spn_node_fill would use now for a mesh. They
 * stay until they are released. SPN_ERR_ARG when mesh >= mesh_count;
 * SPN_PENDING and the rest as spn_node_fill. */
spn_status spn_node_get_frames(spn_runtime *rt, spn_node node, uint32_t mesh,
                               spn_frame_pair *out);

#endif

#if SPN_WITH_GEOMETRY

/* World transforms of the scene nodes at the playback time: `matrices` gets
 * 12 floats each (3 x 4, row-major, column vectors), `visible` one byte each
 * (0, 1; the earlier frame's); either may be NULL. Slerped; number by number
 * for nodes that are skewed. `count` in nodes: SPN_ERR_ARG when less than
 * node_count. The rest as spn_node_fill. */
spn_status spn_node_get_transforms(spn_runtime *rt, spn_node node,
                                   float *matrices, uint8_t *visible,
                                   uint32_t count);

/* World box of the visible meshes at the playback time: the union of both
 * frames' boxes. min > max when nothing is visible.
 *
 * At the time of a frame it holds every vertex that spn_node_fill gives as
 * floats, under its node's matrix; it is wider by what single precision may
 * round: millionths of the coordinates on the way. Between two frames it
 * still holds vertices that go straight, as they do under nodes that only
 * move. Nodes that turn are slerped, and take vertices along arcs: out of the
 * box by at most r (1 - cos(a / 2)), r being the distance from the axis and a
 * the angle from frame to frame. Where a rotation or a scale changes together
 * with what is below it, add a quarter of the product of both changes.
 *
 * The rest as spn_node_fill. */
spn_status spn_node_get_box(spn_runtime *rt, spn_node node, float box_min[3],
                            float box_max[3]);

#endif

#ifdef __cplusplus
}
#endif
#endif
