/* geom.h - geometry caches: open, play, fill vertex buffers.
 *
 * `spindle compile` makes a cache file (.sgc) of an animated scene. The runtime
 * opens the file, plays it, and writes the vertices of the current time into
 * vertex buffers of the engine.
 *
 * Terms
 *
 *   cache        an opened cache file. Its tables and static data (triangles,
 *                and vertex data that never changes) are in the runtime's heap
 *   mesh         vertices and triangles. One call of spn_node_fill gives the
 *                engine the vertices of one mesh
 *   lifted mesh  a mesh that is compressed by prediction from coarse to fine
 *                vertices, the default of `spindle compile`
 *   part         a run of at most 8192 vertices of one mesh. Parts are decoded
 *                independently of each other
 *   scene node   a node of the scene's hierarchy: a transform, and a mesh or
 *                none. Several scene nodes may show the same mesh
 *   frame        the scene at one stored point in time
 *   index frame  a frame that is decoded without any other frame
 *   group        consecutive frames that are read as a unit. They refer to each
 *                other, and to the index frame before the group
 *   closure      a frame, and the frames that must be decoded before it because
 *                it refers to them, directly or not. It is decoded as a unit
 *   node         one player of a cache (spn_node). It has a playback time of
 *                its own. Any number of nodes may play one cache; they share
 *                what is read and decoded
 *   stream       the frames and the groups around a node's playback time, while
 *                it plays
 *   floor, ceil  the last frame at or before the playback time, and the frame
 *                after it. A node shows an interpolation between the two
 *   seek         to set a playback time whose frame is neither in memory nor
 *                about to be read
 *   drive profile
 *                the data that describes how fast a disc drive is
 *                (drive_profile.h)
 *   tuning variable
 *                a number that changes how the runtime streams; set by
 *                spn_tuning_set (spindle.h)
 *   caller's thread
 *                the thread that calls spn_update (spindle.h)
 *
 * Times are microseconds from the first frame. The time of a looping node is
 * any number, also a negative one; the clip repeats every `loop_us`. A node may
 * also play a range of its clip (spn_node_set_range).
 *
 * Errors. All functions check their arguments in this order; the comments below
 * do not repeat it:
 *
 *   SPN_ERR_ARG     `rt` is NULL, or another pointer that must not be NULL
 *   SPN_ERR_HANDLE  the handle is 0, the cache was closed, or the node was
 *                   destroyed
 *   SPN_PENDING     the function needs the cache's tables, and the cache is
 *                   still opening
 *   others          the function needs the cache's tables, and the cache could
 *                   not be opened: the result of spn_cache_get_status
 *
 * Outputs are written only if SPN_OK is returned. The only exception is the
 * fault of spn_cache_get_status, which is written if the cache could not be
 * opened. Strings in outputs are valid as long as the cache is open or a node
 * plays it.
 *
 * Usual order of the calls:
 *
 *   spn_cache_open    once; then spn_update in each frame of the engine, until
 *                     spn_cache_get_status does not return SPN_PENDING
 *   spn_node_create   for each player
 *   in each frame     spn_node_set_playback_time, spn_update, spn_node_fill
 *   at the end        spn_node_destroy, spn_cache_close
 *
 * Threads. Functions that change caches or nodes belong to the caller's thread,
 * as spn_update does. Any thread may call the others, several at the same time,
 * while none of those runs, that is between two updates:
 *
 *   spn_cache_get_..., spn_cache_copy_indices, spn_cache_heap_needed,
 *   spn_cache_frame_buffers_needed, spn_node_get_..., spn_node_fill,
 *   spn_fill_start
 *
 * Any thread may call spn_fill_wait, spn_fill_get_result and spn_layout_check
 * at any time before spn_shutdown.
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
typedef uint32_t spn_fill;  /* handle; 0: none */

/* Most words of spn_node_set_mesh_mask: only the first 1024 meshes of a cache
 * can be left out. */
#define SPN_MASK_WORDS_MAX 32u

/* -- caches -- */

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
    uint64_t static_bytes;   /* heap memory of its tables and static data */
    uint64_t file_bytes;
    float box_min[3]; /* union of all frames' boxes, see spn_node_get_box */
    float box_max[3];
    uint64_t vertex_count; /* of all meshes together */
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
 * from outside. The time is proportional to the number of indices.
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

/* -- playing -- */

/* What happens to a node whose stream would need more of a drive's time than is
 * left; see spn_admission. It matters only for drives with a profile
 * (spn_config.media). */
typedef enum spn_overload {
    SPN_OVERLOAD_DEGRADE = 0, /* it reads when no other read needs the drive */
    SPN_OVERLOAD_REFUSE = 1,  /* it reads nothing, and takes no memory */
    SPN_OVERLOAD_IGNORE = 2   /* it is admitted, even if others become late */
} spn_overload;

typedef struct spn_node_desc {
    uint32_t is_looping;   /* 0: no. A clip of one frame never loops */
    spn_priority priority; /* of its reads; 0: SPN_PRIORITY_ABOVE_NORMAL */
    spn_overload overload; /* 0: SPN_OVERLOAD_DEGRADE */
} spn_node_desc;

#if SPN_WITH_GEOMETRY

/* Create a node that plays a cache. The cache may still be opening, or may have
 * failed; spn_node_get_state reports it.
 *
 * desc  copied; NULL: all fields 0
 *
 * Returns SPN_ERR_ARG if `priority` is SPN_PRIORITY_PREEMPTED or not a value of
 * spn_priority, or if `overload` is not a value of spn_overload;
 * SPN_ERR_TABLE_FULL if spn_config.node_count nodes exist or are still being
 * freed. */
SPN_NODISCARD spn_status spn_node_create(spn_runtime *rt, spn_cache cache,
                                         const spn_node_desc *desc,
                                         spn_node *out);

/* Destroy a node. The handle is invalid at once. The slot of the node is free
 * when its reads and jobs have ended. */
spn_status spn_node_destroy(spn_runtime *rt, spn_node node);

/* Start to read and decode from `time_us` on, before playback gets there. Once
 * spn_node_state.is_ready is 1, playback can start at that time without a wait.
 *
 * time_us  as in spn_node_set_playback_time */
spn_status spn_node_start_streaming(spn_runtime *rt, spn_node node,
                                    int64_t time_us);
/* Stop streaming, and free all frames of the node that no other node of its
 * cache needs. When no node of a cache streams, none of its frames is kept.
 * Nothing can be filled until streaming starts again. Allowed at any time. */
spn_status spn_node_stop_streaming(spn_runtime *rt, spn_node node);

/* Set the time to show. Starts streaming if it was stopped. If the frame at the
 * new time is in memory or about to be read, playback goes on. Otherwise it is
 * a seek: the group of the frame is read, with the index frame before it. The
 * update after the end of that read shows the frame, if it is decoded by then.
 * Meanwhile the decoded frame that is nearest in time is shown.
 *
 * Scrubbing. If the time jumps on before its last target was shown for as long
 * as it took to show it, only the index frame nearest to the new target is read
 * and decoded. The target itself follows when the time has not jumped for as
 * long as the target before it was wanted, at most a quarter of a second.
 *
 * Times may go forward and backward. After two steps back in a row the stream
 * reads and decodes backward, after two steps forward it turns round again; it
 * reads and decodes further ahead when times advance faster than the clock, up
 * to 8 times as fast. A step of more than half a second changes neither. After
 * spn_node_set_rate direction and rate are known, and are not inferred.
 *
 * time_us  microseconds from the first frame. Without looping it is clamped to
 *          0..duration_us. With looping it is clamped to -2^60..2^60: -1 is the
 *          last microsecond of a loop, and passing the end of a loop is not a
 *          seek. See spn_node_set_range for times in and beyond a range */
spn_status spn_node_set_playback_time(spn_runtime *rt, spn_node node,
                                      int64_t time_us);

/* Say which meshes a node needs, so that the others are not decoded. A cache
 * decodes what some node that streams wants. Parts of small meshes that are
 * decoded together (a tile, listener.h) are decoded if one of them is wanted.
 *
 * A mesh that becomes wanted is decoded from the next frames on that do not
 * refer to frames without it; those within the next 0.1 s are not decoded
 * again unless playback stands still. Until then the mesh is late:
 * spn_node_state.is_ready is 0, its frames count as not decoded, and fills of
 * this mesh return SPN_PENDING, while other meshes go on. When it comes depends
 * on the other nodes of the cache, too, which may still show or need the frames
 * without it; but at the latest with the next index frame that is decoded.
 *
 * Meshes that are not wanted can be filled only while the cache decodes them
 * for another node; otherwise fills return SPN_PENDING. Meshes that never
 * change can always be filled.
 *
 * words  one bit for each mesh: bit m % 32 of words[m / 32], 1: wanted. Copied
 * count  number of words; meshes behind them are wanted. 0: all meshes are
 *        wanted, as at first; `words` may be NULL then
 *
 * Returns SPN_ERR_ARG if count > SPN_MASK_WORDS_MAX. */
spn_status spn_node_set_mesh_mask(spn_runtime *rt, spn_node node,
                                  const uint32_t *words, uint32_t count);

/* Set how important a node is, when not all nodes can decode all of their
 * frames (spn_shortage). Allowed at any time, with effect from the next
 * spn_update on.
 *
 * importance  any number; nodes with smaller ones lose frames first. Until it
 *             is set: 5 with SPN_PRIORITY_URGENT, 3 with
 *             SPN_PRIORITY_ABOVE_NORMAL (the default), 2, 1 and 0 with the
 *             priorities below */
spn_status spn_node_set_importance(spn_runtime *rt, spn_node node,
                                   uint32_t importance);

#endif

#define SPN_RATE_MAX 8000
#define SPN_NO_TIME INT64_MIN

#if SPN_WITH_GEOMETRY

/* Say from which time on frames are wanted besides those of playback: a cut
 * that will come, or a start in the future. The node reads and decodes half a
 * second (tuning variable decode_ahead_ms) from there on, in the direction of
 * playback, and keeps it. When the playback time is then set there, its picture
 * can be filled at once (by a node that did not stream yet: after the next
 * spn_update), and the frames behind it are not late. spn_node_state says what
 * is there already.
 *
 * The second position ends when the playback time comes there, or up to half a
 * second behind it; when streaming is stopped; when the node is destroyed; or
 * with SPN_NO_TIME. Another time moves it.
 *
 * It needs what one more node needs: a slot of spn_config.node_count, and its
 * memory (spn_cache_heap_needed); nothing is taken from playback for it. It
 * reads only while its device has no other reads, and never needs a share of a
 * drive (spn_admission): set it early enough.
 *
 * time_us  as in spn_node_set_playback_time, also with respect to a range;
 *          SPN_NO_TIME: end the second position
 *
 * Returns SPN_ERR_TABLE_FULL as spn_node_create does. */
spn_status spn_node_set_streaming_time(spn_runtime *rt, spn_node node,
                                       int64_t time_us);

/* Say how fast the times advance that will be set, and in which direction.
 * Without this call both follow from the times that are set, which takes two
 * steps after a turn. The call changes no time: the engine goes on to set the
 * playback time. Reading and decoding turn round at once. Times may be set
 * against the direction; they are shown as soon as they are decoded. Allowed at
 * any time, also before the cache is open.
 *
 * rate_permille  thousandths of normal speed, -SPN_RATE_MAX..SPN_RATE_MAX,
 *                otherwise SPN_ERR_ARG. Below 0 times decrease. Rates slower
 *                than normal prepare as much as normal speed does. 0: infer
 *                rate and direction again; a pause needs no call */
spn_status spn_node_set_rate(spn_runtime *rt, spn_node node,
                             int32_t rate_permille);

#endif

/* What follows at the ends of a range. */
typedef enum spn_range_mode {
    SPN_ONCE = 0,     /* nothing: times are clamped to the range */
    SPN_LOOP = 1,     /* the other end */
    SPN_PING_PONG = 2 /* the way back */
} spn_range_mode;

#if SPN_WITH_GEOMETRY

/* Play only a part of the clip, and say what follows at its ends. The node
 * decodes nothing outside of the range except the frames to which frames of the
 * range refer, and reads nothing outside of their groups. What follows at an
 * end is read and decoded before playback gets there, so that no picture is
 * late there. A range whose frames fit the heap beside everything else is read
 * and decoded once.
 *
 * The range replaces spn_node_desc.is_looping. Without a call, a node has the
 * range 0..INT64_MAX with SPN_LOOP or SPN_ONCE. The time that was
 * set last is shown again at its place in the new range; what is shown stays
 * visible until that is decoded.
 *
 * A playback time t with first_us <= t < last_us is a time of the clip, in all
 * modes. Let L = last_us - first_us. Beyond the range:
 *
 *   SPN_ONCE       t is clamped to the range
 *   SPN_LOOP       the range repeats every L: t shows first_us +
 *                        (t - first_us) mod L, where `mod` is never negative.
 *                        So last_us shows what first_us shows
 *   SPN_PING_PONG  the range is played to its end and back again, and
 *                        that repeats every 2 L: last_us + d shows last_us - d,
 *                        for d up to L
 *
 * So the engine can let times run on without end in either direction. It can as
 * well keep them within the range, and jump back or turn round itself at the
 * ends: both read and decode the same. Times beyond the range are never an
 * error. All of them are clamped to -2^60..2^60.
 *
 * The picture between two frames is interpolated as elsewhere. A loop goes from
 * the picture at last_us to the one at first_us without interpolation; for a
 * loop without a jump choose two times with equal pictures. Only the range
 * 0..loop_us (spn_cache_info) is different: there the last frame is
 * interpolated with the first one.
 *
 * Allowed at any time, also before the cache is open.
 *
 * first_us, last_us
 *        times in the clip; SPN_ERR_ARG unless 0 <= first_us <= last_us. What
 *        exceeds duration_us is clamped to it, except in the range 0..loop_us.
 *        If both are equal, that time is shown
 * mode   SPN_ERR_ARG if it is not a value of spn_range_mode */
spn_status spn_node_set_range(spn_runtime *rt, spn_node node, int64_t first_us,
                              int64_t last_us, spn_range_mode mode);

#endif

/* Whether a stream may use its drive. If the streams of a drive need all of its
 * time, every one of them is late. So each stream has a *share*: the part of
 * the drive's time that its reads take at normal playback speed. It is computed
 * from the drive's profile, the place of the file on the disc, and the measured
 * times of earlier reads.
 *
 * Streams are admitted in the order in which they start, as long as the sum of
 * the shares does not exceed the tuning variable drive_permille_max (900 of
 * 1000). A stream keeps its share until it stops, or until it has read all of a
 * clip that does not loop. A stream that does not fit is degraded or refused
 * (spn_node_desc.overload) until enough of the other shares are free again.
 *
 * Three things are not considered:
 *
 * - reads that do not belong to streams; lower drive_permille_max to leave time
 *   for them;
 * - nodes that play one cache in step, so that one read serves several of them;
 *   each node is counted in full;
 * - playback that is faster than normal; it takes more than the share. */
typedef enum spn_admission {
    SPN_ADMITTED = 0, /* also if the drive has no profile */
    SPN_DEGRADED = 1, /* its reads have SPN_PRIORITY_IDLE */
    SPN_REFUSED = 2   /* it does not read */
} spn_admission;

/* Why a node leaves out frames.
 *
 * If the workers cannot decode all frames that the nodes need, or a node finds
 * no memory for the frames that it is to show, nodes leave out frames instead
 * of being late: first single frames, then all frames of a *level*. Level 1
 * leaves out the frames to which no other frame refers, level 2 also those to
 * which only these refer, and so on; the last level is the index frames alone.
 * In a file with lifted meshes each level leaves out half of the frames, evenly
 * spread over time; with the classic codecs it leaves out the last frame of
 * each group. Fills interpolate over the wider gap. Frames that are decoded all
 * the same, because another node needs them, are shown.
 *
 * The least important node loses first (spn_node_set_importance); of equally
 * important ones the one that has lost least; of these the one that was created
 * in the highest slot. Nodes that play the same frames at nearly the same time
 * lose them together. When no frame has been in danger of being late for the
 * decode-ahead time (tuning variable decode_ahead_ms), frames come back. The
 * decisions depend only on the times at which spn_update is called and on the
 * frames that are decoded by then. */
typedef enum spn_shortage {
    SPN_SHORTAGE_NONE = 0,   /* it leaves out no frames */
    SPN_SHORTAGE_DECODE = 1, /* the workers cannot decode them in time */
    SPN_SHORTAGE_DRIVE = 2,  /* the drive cannot read them in time */
    SPN_SHORTAGE_MEMORY = 3  /* the heap has no room for them */
} spn_shortage;

typedef struct spn_node_state {
    /* The first of these that applies:
     *
     * - The cache is opening, or could not be opened: the result of
     *   spn_cache_get_status.
     * - SPN_NO_TIME_NOW: the stream is degraded or refused (spn_admission),
     *   until enough other streams stop.
     * - SPN_NO_MEMORY_NOW: all memory is promised to other streams. It waits
     *   until one of them stops.
     * - SPN_ERR_MEMORY: the heap is too small to play the cache at all.
     * - SPN_ERR_TABLE_FULL: spn_config.stream_frame_count is less than the
     *   frames of two groups, so the cache cannot be played at all.
     * - The error of the last frame that could not be decoded since the node
     *   started streaming or did a seek:
     *     SPN_ERR_IO          the device failed
     *     SPN_ERR_SHORT_READ  the file ends before the frame does
     *     SPN_ERR_TIMEOUT     the device does not answer (medium.h)
     *     SPN_ERR_FORMAT, SPN_ERR_CHECKSUM, SPN_ERR_CODEC
     *                         the bytes are damaged
     *     SPN_ERR_FPU         the thread that decoded it did not round to
     *                         nearest
     * - SPN_OK.
     *
     * Lifted meshes need a floating-point unit that rounds to nearest, on every
     * thread that runs jobs, also on those of an engine's job system. The
     * unit may flush subnormal numbers to zero. */
    spn_status status;
    uint32_t is_streaming;
    uint32_t is_ready;    /* the frames around the playback time are decoded,
                            * with all meshes of the node's mask */
    uint32_t shown_frame; /* the floor frame that a fill would use now;
                            * UINT32_MAX: none */
    int64_t playback_us;  /* as set, clamped; beyond a range that repeats: as
                            * set */
    int64_t precached_us; /* from the playback time to the end of the decoded
                            * frames */
    int64_t buffered_us;  /* from the playback time to the end of the frames
                            * that were read */
    /* The second position (spn_node_set_streaming_time): its time, SPN_NO_TIME
     * if there is none; whether the frames around it are decoded; and the time
     * from there to the end of the decoded frames. */
    int64_t streaming_us;
    uint32_t is_streaming_ready;
    int64_t streaming_precached_us;
    uint32_t frames_shown; /* how often the wanted frame changed and was decoded
                            * in time */
    uint32_t frames_late;  /* how often it changed and was not decoded in time;
                            * the nearest decoded frame was shown instead */
    uint32_t
        frames_left_out; /* how often it changed to one that the node leaves
                               * out, and the frames around it were decoded in
                               * time */
    uint32_t level;     /* levels that it leaves out (spn_shortage); 0: none, or
                         * single frames only */
    uint32_t level_max; /* the last level, index frames alone */
    uint32_t left_out_permille; /* of the clip's frames, by level and single
                                 * ones, in thousandths */
    spn_shortage shortage;      /* why */
    uint32_t frames_dropped; /* frames that could not be decoded, because they
                              * or frames that they refer to are damaged or
                              * unreadable; a frame counts again each time that
                              * it is decoded */
    uint32_t seeks;
    uint64_t bytes_read;
    spn_admission admission;
    uint32_t drive_permille; /* the stream's share of the drive's time, granted
                              * or requested, in thousandths; 0: not known */
    /* More about `status`, by its value. (fault.value and fault.expected are
     * fields of spn_fault, status.h.)
     *
     * - error of the cache: the fault of spn_cache_get_status
     * - SPN_NO_TIME_NOW: value is the sum of the shares of all admitted streams
     *   and of this one; expected is the limit of that sum, drive_permille_max;
     *   both in thousandths
     * - SPN_NO_MEMORY_NOW, SPN_ERR_MEMORY: value is the size of the heap in
     *   bytes; expected is the size that it should have
     * - SPN_ERR_TABLE_FULL: value is spn_config.stream_frame_count; expected is
     *   the smallest value with which the cache can be played
     * - error of a frame: what is wrong, and where in the file
     *
     * fault.file is valid while the node exists. */
    spn_fault fault;
    uint32_t fault_frame; /* with the error of a frame: its number */
} spn_node_state;

#if SPN_WITH_GEOMETRY

/* Get the state of a node. Never returns SPN_PENDING or the error of a cache:
 * they are in `out->status`. */
spn_status spn_node_get_state(const spn_runtime *rt, spn_node node,
                              spn_node_state *out);

#endif

/* -- filling -- */

/* How an attribute is written. *Handedness* is the sign of the bitangent, +-1:
 * bitangent = cross(normal, tangent) * handedness. */
typedef enum spn_format {
    SPN_FORMAT_NONE = 0,  /* the attribute is not written */
    SPN_FORMAT_F32X2,     /* UVs */
    SPN_FORMAT_F32X3,     /* positions, velocities, normals; tangents without
                           * handedness */
    SPN_FORMAT_F32X4,     /* tangents x y z and handedness; colours 0..1;
                           * QTangents x y z w, the sign of w is the
                           * handedness */
    SPN_FORMAT_F16X2,     /* UVs */
    SPN_FORMAT_F16X4,     /* positions with w = 1, velocities with w = 0 */
    SPN_FORMAT_SNORM8X4,  /* normals with w = 0, tangents with w = handedness */
    SPN_FORMAT_SNORM16X4, /* the same, and QTangents */
    SPN_FORMAT_SNORM10X3_2, /* normals, tangents: x | y << 10 | z << 20 | w <<
                             * 30 in one uint32_t, two's complement; w is 0 for
                             * normals, the handedness for tangents */
    SPN_FORMAT_UNORM16X2,   /* UVs, clamped to 0..1 */
    SPN_FORMAT_UNORM8X4,    /* colours r g b a */
    SPN_FORMAT_UNORM8X4_BGRA,
    /* The stored integers (spn_mesh_info) of the floor frame, not interpolated.
     * Positions: 3 x uint16_t; QTangents: 4 x int16_t, the sign of w is the
     * handedness; UVs: 2 x uint16_t; colours: 4 x uint8_t; velocities: 3 x
     * uint16_t, 0 if the file has none. */
    SPN_FORMAT_QUANTIZED
} spn_format;

typedef struct spn_attribute {
    uint32_t offset; /* bytes from the start of a vertex; any alignment */
    spn_format format;
} spn_attribute;

/* Largest stride of a vertex in bytes. Byte offsets within a part then fit 32
 * bits. */
#define SPN_STRIDE_MAX 65536u

/* The interleaved vertex of the engine. Attributes must not overlap, and must
 * end within the stride. Meshes without UVs or second UVs get 0 0, meshes
 * without colours 1 1 1 1.
 *
 * Previous positions are the positions at the playback time that was set before
 * the current one. They equal the current positions
 *
 * - if only one time was set since streaming started;
 * - after a seek, until a later time is set;
 * - if the same time is set again;
 * - if the heap has no memory for the frames of the previous time.
 *
 * A jump forward within the stream counts as motion. To cut to another
 * time without motion, call spn_node_start_streaming with the new time first.
 *
 * Velocities of a mesh with has_velocities are those of the file, interpolated
 * like positions. For other meshes they are computed from two decoded frames:
 * the change of position from the floor frame to the next decoded frame of the
 * same loop, divided by the time between the two. If no later frame is decoded,
 * the change from the decoded frame before the floor frame is used; if no other
 * frame is decoded, velocities are 0. */
typedef struct spn_vertex_layout {
    uint32_t stride; /* bytes from one vertex to the next, 1..SPN_STRIDE_MAX */
    spn_attribute position;
    spn_attribute previous_position; /* for motion vectors */
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
    uint32_t ceil_frame; /* floor_frame if nothing was interpolated, as when the
                          * later frame hides the mesh */
    float alpha;         /* position between floor (0) and ceil (1); 0 if
                          * nothing was interpolated */
    uint32_t is_visible; /* a scene node shows the mesh, and the frame has its
                          * vertices. 0: nothing was written */
    uint32_t is_late;    /* the wanted frames, of those that the node does not
                          * leave out (spn_shortage), are not decoded, and
                          * others were used */
} spn_fill_result;

#if SPN_WITH_GEOMETRY

/* Check a layout. SPN_ERR_ARG if it is NULL, the stride is 0 or larger than
 * SPN_STRIDE_MAX, a format does not suit its attribute, an attribute ends
 * beyond the stride, or two attributes overlap. Thread: any. */
spn_status spn_layout_check(const spn_vertex_layout *layout);

/* Write all vertices of one mesh at the node's playback time, in mesh space.
 * They are interpolated between floor and ceil; if the tuning variable
 * "interpolate" is 0, the floor is written alone. If the two are not decoded,
 * the decoded frame nearest in time is written. The work is done on the calling
 * thread; it is proportional to the number of vertices. Several threads may
 * fill different meshes of one node at the same time, or the same mesh to
 * different memory.
 *
 * `vertices` is only written, never read: it may be memory of a graphics
 * processor that is slow to read (write-combined). Each attribute is written
 * once.
 *
 * mesh      SPN_ERR_ARG unless it is less than mesh_count
 * layout    SPN_ERR_ARG if spn_layout_check refuses it
 * vertices  memory of the caller, any alignment. Bytes between attributes are
 *           not changed
 * bytes     size of that memory; SPN_ERR_ARG if less than vertex_count * stride
 * out       may be NULL
 *
 * Returns SPN_ERR_MEMORY or SPN_ERR_TABLE_FULL if the node can never play (see
 * spn_node_state.status); SPN_PENDING if no frame is decoded, because it is too
 * early, the node does not stream, or all frames are damaged, or if the shown
 * frame was decoded without the mesh (spn_node_set_mesh_mask). */
spn_status spn_node_fill(spn_runtime *rt, spn_node node, uint32_t mesh,
                         const spn_vertex_layout *layout, void *vertices,
                         uint64_t bytes, spn_fill_result *out);

#endif

/* -- filling on the workers -- */

#if SPN_WITH_GEOMETRY

/* Begin to write the vertices of one mesh, as spn_node_fill does, and return at
 * once. The node's playback time of now counts, whatever is set later. Workers
 * write one part after another, before they decode frames. Without workers,
 * spn_fill_wait and spn_update write them.
 *
 * The node may go on, stop or be destroyed meanwhile; none of this waits for
 * the fill or ends it. The frames that it reads, two and sometimes up to six,
 * stay in memory. A cache that was closed is freed after its fills.
 *
 * mesh, layout, vertices, bytes
 *       as for spn_node_fill. `layout` is copied. `vertices` must be mapped and
 *       valid until the fill is over. It is only written, never read
 * out   handle, for spn_fill_wait. Each fill must be awaited
 *
 * Returns what spn_node_fill returns, and SPN_ERR_TABLE_FULL if
 * spn_config.fill_count fills were started and not awaited. Thread: any,
 * between two updates. */
SPN_NODISCARD spn_status spn_fill_start(spn_runtime *rt, spn_node node,
                                        uint32_t mesh,
                                        const spn_vertex_layout *layout,
                                        void *vertices, uint64_t bytes,
                                        spn_fill *out);

/* Get what spn_node_fill would have returned in its result, at any time before
 * spn_fill_wait has returned SPN_OK for the fill. If is_visible is 0, the fill
 * is over and writes nothing.
 *
 * Returns SPN_ERR_HANDLE if spn_fill_wait has returned SPN_OK for it. Thread:
 * any; not while another thread may be in spn_fill_wait for this fill. */
spn_status spn_fill_get_result(const spn_runtime *rt, spn_fill fill,
                               spn_fill_result *out);

/* Wait until a fill is over. The calling thread writes the parts that no worker
 * has begun.
 *
 * timeout_us  most microseconds to wait, apart from the time of one part. 0: do
 *             not write, only look. UINT64_MAX: until it is over
 *
 * Returns
 *   SPN_OK           all vertices are written and visible to this thread. The
 *                    handle is invalid now
 *   SPN_ERR_TIMEOUT  it is not over yet
 *   SPN_ERR_HANDLE   a wait for it has returned SPN_OK before
 *   SPN_FULL         workers write the last parts, and spn_config.wait_count
 *                    other threads wait: try again
 * Thread: any, at any time before spn_shutdown; not in a function of
 * spn_listener (listener.h). */
spn_status spn_fill_wait(spn_runtime *rt, spn_fill fill, uint64_t timeout_us);

#endif

/* -- frames straight into vertex buffers -- */

/* For engines that interpolate in the vertex shader, from two vertex buffers
 * and a fraction. Workers write each frame that will be shown soon to a buffer
 * of the engine, once for all nodes that play the cache, and the caller's
 * thread writes nothing. spn_node_fill can be used at the same time. */

typedef struct spn_frame_buffers {
    /* The vertex format of all meshes. previous_position.format must be
     * SPN_FORMAT_NONE. Only velocities of the file are written; meshes without
     * has_velocities get 0. */
    spn_vertex_layout layout;
    /* Provide a buffer for a frame that some node of the cache shows, or will
     * show within 0.1 s at its rate of playback. Its size is
     * spn_cache_info.vertex_count * layout.stride bytes, with any alignment.
     * The vertices of a mesh begin at byte spn_mesh_info.first_vertex *
     * layout.stride. If the function returns NULL, the frame is shown all the
     * same, but not written.
     *
     * Workers write to the buffer until the frame can be shown; they never read
     * from it. They do not write meshes that never change
     * (spn_mesh_info.is_animated is 0; call spn_node_fill once for them),
     * meshes that the frame hides, and damaged parts.
     *
     * cache  the handle of spn_cache_set_frame_buffers
     * frame  its number. A frame has one buffer at a time, whatever the number
     *        of nodes. It is acquired again in another loop, or after a seek */
    void *(*acquire)(void *user, spn_cache cache, uint32_t frame);
    /* Take a buffer back. Called exactly once for each buffer: when no node
     * shows the frame any more, or when all nodes have stopped. No worker
     * writes to the buffer any more, and spn_node_get_frames does not return it
     * any more. */
    void (*release)(void *user, spn_cache cache, uint32_t frame,
                    void *vertices);
    /* First argument of both functions. Both are called in spn_update, and
     * release also in spn_node_stop_streaming, spn_node_destroy and
     * spn_shutdown. They must not call functions that change caches or nodes.
     * They and `user` must be valid until the last buffer is released. This may
     * be in an spn_update after all nodes were destroyed and the cache was
     * closed, because a worker may still write to a buffer. */
    void *user;
} spn_frame_buffers;

#if SPN_WITH_FRAME_BUFFERS

/* Get the number of buffers that are enough for so many nodes of the cache. At
 * most this many buffers of the cache are acquired and not yet released at any
 * time if no more nodes than that play the cache at a time. A node that was
 * stopped or destroyed counts until its reads and jobs have ended. For each
 * node, the number is the sum of
 *
 * - the largest number of frames in 0.1 s of the clip;
 * - 5, for frames that are shown, or were shown before.
 *
 * But it is at most the number of frames of the clip. Nodes that play in step
 * use no more than one node. */
spn_status spn_cache_frame_buffers_needed(const spn_runtime *rt,
                                          spn_cache cache, uint32_t node_count,
                                          uint32_t *out);

/* Set the functions that provide buffers for the frames of a cache, or remove
 * them. They belong to the open cache, whatever the number of its references,
 * until it is freed. The cache may still be opening.
 *
 * buffers  copied; NULL: frames are not written to buffers
 *
 * Returns SPN_ERR_ARG if a function is NULL, if spn_layout_check refuses the
 * layout, or if it has previous positions; SPN_ERR_STATE while a node of the
 * cache streams, or a stream that was stopped has not ended. */
spn_status spn_cache_set_frame_buffers(spn_runtime *rt, spn_cache cache,
                                       const spn_frame_buffers *buffers);

#endif

typedef struct spn_frame_pair {
    /* The buffers of the two frames, as `acquire` returned them, with all
     * meshes. NULL: none was provided, or is_visible is 0. */
    void *floor;
    void *ceil; /* the same as `floor` if alpha is 0 */
    uint32_t floor_frame;
    uint32_t ceil_frame; /* floor_frame if alpha is 0, as when the later frame
                          * hides the mesh */
    float alpha;         /* position between floor (0) and ceil (1) */
    uint32_t is_visible; /* 0: do not draw; no scene node shows the mesh, or the
                          * frame does not have its vertices */
    uint32_t is_late;    /* the wanted frames are not decoded, and others are
                          * used */
} spn_frame_pair;

#if SPN_WITH_FRAME_BUFFERS

/* Get the buffers of the frames that spn_node_fill would use now for a mesh.
 * They are valid until they are released. SPN_ERR_ARG unless mesh < mesh_count;
 * otherwise the same results as spn_node_fill. */
spn_status spn_node_get_frames(spn_runtime *rt, spn_node node, uint32_t mesh,
                               spn_frame_pair *out);

#endif

#if SPN_WITH_GEOMETRY

/* Get the world transforms of all scene nodes at the playback time. Between
 * floor and ceil, rotations are interpolated by slerp, translations and scales
 * linearly; the matrices of skewed scene nodes are interpolated element by
 * element.
 *
 * matrices  12 floats for each scene node: 3 rows of 4, for column vectors;
 *           NULL: not wanted
 * visible   one byte for each scene node: 1 if it is visible in the floor
 *           frame, otherwise 0; NULL: not wanted
 * count     number of scene nodes that fit; SPN_ERR_ARG if less than
 *           scene_node_count
 *
 * Otherwise the same results as spn_node_fill. */
spn_status spn_node_get_transforms(spn_runtime *rt, spn_node node,
                                   float *matrices, uint8_t *visible,
                                   uint32_t count);

/* Get a world box of the visible meshes at the playback time: the union of the
 * boxes of floor and ceil. min > max if nothing is visible.
 *
 * At the time of a frame, the box contains every vertex that spn_node_fill
 * writes as floats, transformed by its scene node's matrix. It includes a
 * margin for single-precision rounding, some millionths of the coordinates.
 *
 * Between two frames it still contains vertices that move along straight lines,
 * as all do if the matrices only change by translation. Otherwise a vertex may
 * leave the box by at most the sum of two lengths for each scene node above it:
 *
 *   r (1 - cos(a / 2))  a is the angle by which the scene node turns between
 *                       the two frames, r the vertex's distance from the axis
 *   m d / 4             d is the distance that the vertex moves in the space of
 *                       the scene node, m the operator norm of the change of
 *                       the scene node's matrix: for a scale, the difference of
 *                       the factors; for a rotation, 2 sin(a / 2)
 *
 * Returns the same as spn_node_fill. */
spn_status spn_node_get_box(spn_runtime *rt, spn_node node, float box_min[3],
                            float box_max[3]);

#endif

#ifdef __cplusplus
}
#endif
#endif
