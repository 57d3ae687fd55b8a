/* cache_reader.h - a cache opened by the tool: judged, decoded, dequantized.
 *
 * Everything passes the runtime's own door, decoder and fill, so what the
 * tool shows and measures is what a game gets. Bad bytes are refused through
 * the diag with the offset into the file. One thread at a time per reader.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_CACHEFILE_CACHE_READER_H
#define OFFLINE_CACHEFILE_CACHE_READER_H

#include "cache/cache_file.h"
#include "common/arena.h"
#include "common/diag.h"

#include <stdbool.h>
#include <stdint.h>

struct cache_reader;

/* Map a file, judge its head and tables, and decode what never changes. NULL
 * after a refusal. */
struct cache_reader *cache_reader_open(const char *path, struct diag *diag);
/* The same of `bytes` at `data`, which stay the caller's and as they are until
 * the close. `name` is for messages. */
struct cache_reader *cache_reader_open_memory(const char *name,
                                              const void *data, size_t bytes,
                                              struct diag *diag);
/* NULL is legal. */
void cache_reader_close(struct cache_reader *reader);

/* All of these belong to the reader and live as long as it. */
const struct cache_header *cache_reader_header(
    const struct cache_reader *reader);
const struct cache_tables *cache_reader_tables(
    const struct cache_reader *reader);
/* By number: header->frame_count, and header->group_count. */
const struct cache_frame *cache_reader_frames(
    const struct cache_reader *reader);
const struct cache_group *cache_reader_groups(
    const struct cache_reader *reader);
/* The archive's own time of each frame. */
const double *cache_reader_seconds(const struct cache_reader *reader);
/* A mesh's index_count indices, judged. */
const uint32_t *cache_reader_indices(const struct cache_reader *reader,
                                     uint32_t mesh);
/* One bit a vertex, low bit first; NULL unless the mesh's are mixed. */
const uint8_t *cache_reader_reflection(const struct cache_reader *reader,
                                       uint32_t mesh);

/* A frame's directory, judged: for spn__cache_file_block_entry. NULL after a
 * refusal. */
const uint8_t *cache_reader_directory(struct cache_reader *reader,
                                      uint32_t number);

struct cache_reader_mesh {
    bool is_shown; /* by at least one node */
    /* vertex_count vertices as the file has them, in the machine's byte
     * order; static channels, too. NULL: the mesh has no such channel, or the
     * frame, in which the mesh is then not shown, lacks it. */
    const void *channel[CHANNEL_COUNT];
};

struct cache_reader_frame {
    uint32_t number;
    const struct transform *transforms; /* of each node, under its parent */
    const bool *visible;                /* of each node */
    const struct cache_reader_mesh *meshes;
};

/* Decode a frame and what it refers to. The result is the reader's, until the
 * next call with another number; the same number again costs nothing, and
 * frames in order each a decode. NULL after a refusal. */
const struct cache_reader_frame *cache_reader_frame(struct cache_reader *reader,
                                                    uint32_t number);

/* Vertices as the runtime's fill writes them, in mesh space. */
struct cache_reader_vertices {
    uint32_t count;
    float (*positions)[3];
    float (*normals)[3];    /* unit */
    float (*tangents)[4];   /* unit, and handedness +-1 */
    float (*uvs)[2];        /* NULL: none */
    uint8_t (*colors)[4];   /* r g b a; NULL: none */
    float (*second_uvs)[2]; /* NULL: none */
    float (*velocities)[3]; /* the file's own; NULL: none */
};

/* A mesh of a frame into an arena. The frame must have it: is_shown, or all
 * its channels present (cache_reader_has_mesh). */
void cache_reader_fill(const struct cache_reader *reader,
                       const struct cache_reader_frame *frame, uint32_t mesh,
                       struct arena *arena, struct cache_reader_vertices *out);

/* Does the frame hold all channels of the mesh? */
bool cache_reader_has_mesh(const struct cache_reader *reader,
                           const struct cache_reader_frame *frame,
                           uint32_t mesh);

#endif
