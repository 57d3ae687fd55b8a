/* made_disc.h - what lies on the simulator's discs, and what is true of it.
 *
 * Loose files are functions of file and offset, of any size. Paks and caches
 * are small real ones, made once a process. A vertex buffer's truth is a hash
 * for each frame and mesh.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_MADE_DISC_H
#define TESTS_SIM_MADE_DISC_H

#include <stdbool.h>
#include <stdint.h>

#define MADE_RAW 4u
#define MADE_MEMORY 4u /* a loose file that is in memory */
#define MADE_PAK 5u    /* the first of: */
#define MADE_PAKS 2u
#define MADE_CLIP 7u /* the first of those that are files */
#define MADE_FILES 11u

#define MADE_CLIPS 5u   /* the last one lies in a pak alone */
#define MADE_ENTRIES 6u /* of paks, but for that */
#define MADE_NODES_MAX 6u
#define MADE_STRIDE 8u /* of vertices that are hashed */
#define MADE_VERTEX_BYTES_MAX (9000u * MADE_STRIDE)

struct made_file {
    const char *path;
    uint64_t bytes;
    const uint8_t *data;     /* NULL: a function */
    const uint8_t *bad_data; /* other bytes under good checksums */
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
    uint32_t vertices; /* of each mesh */
    int64_t frame_us;
    int64_t *times_us; /* of frames */
    int64_t loop_us;   /* from the first frame to the first one again */
    uint64_t *hashes;  /* of frame * mesh_count + mesh */
    uint64_t heap_bytes[MADE_NODES_MAX + 1]; /* for so many nodes */
};

struct made_disc {
    struct made_file files[MADE_FILES];
    struct made_entry entries[MADE_ENTRIES];
    struct made_clip clips[MADE_CLIPS];
    uint64_t pak_heap_bytes; /* what the indices of all paks take */
};

/* The one of this process; made at the first call. */
const struct made_disc *made_disc(void);

/* Bytes of a file. `is_bad`: those of another truth, for planted bugs. */
void made_disc_read(uint32_t file, uint64_t offset, uint64_t bytes, bool is_bad,
                    void *out);
/* The first byte of `data` that is not the file's; `bytes`: all are. */
uint64_t made_disc_differs(uint32_t file, uint64_t offset, uint64_t bytes,
                           const void *data);

#endif
