/* cache_reader.h - a cache file opened by the tool: any frame, decoded.
 *
 * The reader maps the file, validates it, and gives meshes and frames to its
 * callers, quantized or as floats. Validation, decoding and the conversion to
 * floats are the runtime's own code, so what the tool shows and measures is
 * what a game gets. Damage is reported to the diag with its offset in the file.
 *
 * A reader belongs to one thread at a time.
 *
 *   struct cache_reader *reader = cache_reader_open(path, diag);
 *   for (uint32_t i = 0; reader && i < frame_count; i++)
 *       frame = cache_reader_frame(reader, i); ... cache_reader_fill(...)
 *   cache_reader_close(reader);
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_CACHEFILE_CACHE_READER_H
#define OFFLINE_CACHEFILE_CACHE_READER_H

#include "cache/frame_decoder.h"
#include "common/arena.h"
#include "common/diag.h"

#include <stdbool.h>
#include <stdint.h>

struct cache_reader;

/* -- open and close -- */

/* Map a file, validate its header and tables, and decode its static data. NULL
 * after a refusal. */
struct cache_reader *cache_reader_open(const char *path, struct diag *diag);
/* The same for a file in memory: `bytes` at `data`. They stay the caller's, and
 * unchanged until the reader is closed. `name` stands for the file's name in
 * messages. */
struct cache_reader *cache_reader_open_memory(const char *name,
                                              const void *data, size_t bytes,
                                              struct diag *diag);
/* NULL does nothing. */
void cache_reader_close(struct cache_reader *reader);

/* -- tables and static data -- */

/* The results of the functions of this section belong to the reader and live
 * until it is closed. */

const struct cache_header *cache_reader_header(
    const struct cache_reader *reader);
const struct cache_tables *cache_reader_tables(
    const struct cache_reader *reader);
/* One for each frame, in display order; one for each group. */
const struct cache_frame *cache_reader_frames(
    const struct cache_reader *reader);
const struct cache_group *cache_reader_groups(
    const struct cache_reader *reader);
/* For each frame: its time in the archive that was compiled, in seconds. */
const double *cache_reader_seconds(const struct cache_reader *reader);
/* The indices of a mesh, cache_mesh.index_count of them; each is below its
 * vertex_count. */
const uint32_t *cache_reader_indices(const struct cache_reader *reader,
                                     uint32_t mesh);

/* -- frames -- */

/* A frame as it is stored, its directory validated: for frame_walk_begin. The
 * directory lies in the bytes of the file. False after a refusal. */
bool cache_reader_stored_frame(struct cache_reader *reader, uint32_t number,
                               struct frame_decoder *out);

struct cache_reader_mesh {
    bool is_shown; /* at least one visible node shows the mesh */
    /* cache_mesh.vertex_count quantized vertices, native-endian (channel.h).
     * Static channels are included. NULL: the mesh has no such channel, or the
     * frame does not contain it. */
    const void *channel[CHANNEL_COUNT];
};

struct cache_reader_frame {
    uint32_t number;
    const struct transform
        *transforms;     /* for each node, relative to its parent */
    const bool *visible; /* for each node */
    const struct cache_reader_mesh *meshes; /* for each mesh */
};

/* Decode a frame and the frames that it refers to. The result belongs to the
 * reader; it stays valid until the next call with another number. Recently
 * decoded frames are kept: frames in display order cost one decode each. NULL
 * after a refusal. */
const struct cache_reader_frame *cache_reader_frame(struct cache_reader *reader,
                                                    uint32_t number);

/* -- vertices as floats -- */

/* Vertices as floats, in mesh space. NULL: the mesh has no such channel. */
struct cache_reader_vertices {
    uint32_t count;
    float (*positions)[3];
    float (*normals)[3];  /* length 1 */
    float (*tangents)[4]; /* x y z of length 1; w is the handedness, +-1 */
    float (*uvs)[2];
    uint8_t (*colors)[4]; /* r g b a */
    float (*second_uvs)[2];
    float (*velocities)[3]; /* units a second, from the archive */
};

/* Convert a mesh of a frame to floats, in memory of the arena. The frame must
 * contain the mesh: cache_reader_has_mesh. */
void cache_reader_fill(const struct cache_reader *reader,
                       const struct cache_reader_frame *frame, uint32_t mesh,
                       struct arena *arena, struct cache_reader_vertices *out);

/* True if the frame contains all channels of the mesh. */
bool cache_reader_has_mesh(const struct cache_reader *reader,
                           const struct cache_reader_frame *frame,
                           uint32_t mesh);

#endif
