/* made_disc.h - the files on the simulator's discs, and their true content.
 *
 * Loose files of any size are functions of file and offset. Paks and caches are
 * small real files, made once in each process. The true content of a vertex
 * buffer is a hash for each frame and mesh.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_MADE_DISC_H
#define TESTS_SIM_MADE_DISC_H

#include "sim/made_anim.h"

#include <stdbool.h>
#include <stdint.h>

#define MADE_RAW 4u
#define MADE_MEMORY 4u /* the loose file that is in memory */
#define MADE_PAK 5u    /* number of the first pak */
#define MADE_PAKS 2u
#define MADE_CLIP 7u    /* number of the first cache that is a file */
#define MADE_SHARED 11u /* number of the first cache with shared meshes */
#define MADE_SHARED_CACHES 4u
#define MADE_ANIM 15u /* number of the header image of animation clips */
/* Then their databases; then clips that are files; then skeletons of the first
 * of these. */
#define MADE_ANIM_OWN (MADE_ANIM + 1 + MADE_ANIM_DATABASES)
#define MADE_ANIM_SKELETON (MADE_ANIM_OWN + MADE_ANIM_FILES)
/* All of these once more, in a pak. */
#define MADE_ANIM_PAK (MADE_ANIM_SKELETON + MADE_ANIM_REAL)
#define MADE_FILES (MADE_ANIM_PAK + 1)

#define MADE_CLIPS 5u   /* the last one exists only in a pak */
#define MADE_ENTRIES 6u /* entries of paks besides that cache */
#define MADE_NODES_MAX 6u
#define MADE_INDEX 255u /* levels of an index frame */
#define MADE_STRIDE 8u  /* bytes of a vertex that is hashed */
#define MADE_VERTEX_BYTES_MAX (9000u * MADE_STRIDE)

struct made_file {
    const char *path;
    uint64_t bytes;
    const uint8_t *data;     /* NULL: the file is a function */
    const uint8_t *bad_data; /* other bytes under correct checksums */
};

struct made_entry {
    const char *name;
    const uint8_t *data;
    uint32_t bytes;
    bool is_stored; /* not compressed */
};

struct made_clip {
    const char *path;
    uint32_t frame_count;
    uint32_t mesh_count;
    uint32_t vertices; /* for each mesh */
    int64_t frame_us;
    int64_t *times_us; /* for each frame */
    int64_t loop_us;   /* length of the clip, from the first frame to its next
                        * show */
    uint64_t *hashes;  /* indexed by frame * mesh_count + mesh */
    uint8_t *levels;   /* for each frame: the levels that keep it; MADE_INDEX:
                        * all */
    uint8_t *ordinals; /* for each frame: the frames before it that are kept by
                        * as many levels */
    uint64_t heap_bytes[MADE_NODES_MAX + 1]; /* heap that this many nodes
                                              * need */
};

/* The content of a static mesh, which several caches have. */
struct made_static {
    uint64_t id; /* spn_mesh_id */
    uint32_t vertices;
    uint32_t index_count;
    uint64_t vertex_hash;
    uint64_t index_hash;
};

#define MADE_STATICS 4u
#define MADE_STATICS_MAX 2u /* static meshes of a cache */

/* A cache whose first meshes are static; the last one moves. */
struct made_shared {
    const char *path;
    uint32_t mesh_count;
    uint32_t static_count;
    uint32_t statics[MADE_STATICS_MAX]; /* which contents they have */
    int64_t loop_us;
    uint64_t heap_bytes; /* heap that one node needs */
};

struct made_disc {
    struct made_file files[MADE_FILES];
    struct made_entry entries[MADE_ENTRIES];
    struct made_clip clips[MADE_CLIPS];
    struct made_shared shared[MADE_SHARED_CACHES];
    struct made_static statics[MADE_STATICS];
    struct made_anim anims[MADE_ANIM_CLIPS];
    uint64_t pak_heap_bytes; /* heap that the indices of all paks need */
};

/* The disc of this process, made at the first call. */
const struct made_disc *made_disc(void);

/* Bytes of a file. `is_bad`: the other bytes, for planted bugs. */
void made_disc_read(uint32_t file, uint64_t offset, uint64_t bytes, bool is_bad,
                    void *out);
/* Index of the first byte of `data` that differs from the file's; `bytes`:
 * none. */
uint64_t made_disc_differs(uint32_t file, uint64_t offset, uint64_t bytes,
                           const void *data);

#endif
