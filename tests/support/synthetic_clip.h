/* synthetic_clip.h - clips without an archive, for tests of the encoder.
 *
 * Every value is a function of frame, mesh, channel and vertex, so a test can
 * compute the values that a cache must hold. Meshes are strips of triangles.
 * Each has its own node under one root.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SYNTHETIC_CLIP_H
#define TESTS_SYNTHETIC_CLIP_H

#include "compile/clip/clip_source.h"
#include "compile/write/writer.h"

#include <stdbool.h>
#include <stdint.h>

struct synthetic_options {
    uint32_t frame_count;   /* default 23 */
    uint32_t mesh_count;    /* default 1 */
    uint32_t vertices;      /* vertices of mesh 0; default 60 */
    uint32_t step;          /* mesh m has m * step more vertices */
    uint32_t position_step; /* from a vertex to the next; default 11 */
    bool is_static;         /* nothing is animated */
    uint32_t static_meshes; /* the first so many meshes are static */
    bool has_uvs;           /* UVs are static; animated in odd meshes */
    bool has_colors;        /* colours are animated; static in odd meshes */
    bool has_second_uvs;    /* animated as UVs */
    bool has_velocities;    /* animated as colours */
    bool is_noisy;          /* values do not compress */
    bool is_calm;           /* positions and QTangents move evenly */
    bool is_sliding;        /* QTangents are static */
    bool is_mirrored;       /* mesh 0 is partly, mesh 1 wholly reflected */
    /* mesh 0 is hidden in the frames [hidden_first, hidden_limit); with
     * `is_lazy` it has no values there */
    uint32_t hidden_first;
    uint32_t hidden_limit;
    bool is_lazy;
    /* produce fails for this frame; 0: for none */
    uint32_t bad_frame;
};

/* Two static meshes with values in all channels, of two parts each. */
extern const struct synthetic_options synthetic_static;

struct synthetic_clip {
    struct synthetic_options options; /* with defaults applied */
    struct clip clip;
    struct clip_source source;
    struct arena arena;
};

void synthetic_make(struct synthetic_clip *s,
                    const struct synthetic_options *options);
void synthetic_free(struct synthetic_clip *s);

/* All vertices of a mesh in a frame. */
void synthetic_values(const struct synthetic_options *o, uint32_t frame,
                      uint32_t mesh, enum channel channel, void *out);
uint32_t synthetic_vertices(const struct synthetic_options *o, uint32_t mesh);
bool synthetic_is_hidden(const struct synthetic_options *o, uint32_t frame,
                         uint32_t mesh);
void synthetic_transform(const struct synthetic_options *o, uint32_t frame,
                         uint32_t mesh, struct transform *out);

/* A growing sink that fails at call number `fail_at` (from 1; 0: never). */
struct memory_sink {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
    uint32_t calls;
    uint32_t fail_at;
};
void memory_sink_make(struct memory_sink *memory, struct cache_sink *sink);
void memory_sink_free(struct memory_sink *memory);

/* Encode the clip. Of the options `jobs`, `index_distance`, `no_b_frames` and
 * `codec` apply. On failure returns false and leaves the message in diag. */
bool synthetic_encode(const struct synthetic_clip *s,
                      const struct compile_options *options, struct diag *diag,
                      struct memory_sink *memory);

/* The same in the classic codec by one thread, with index frames `distance`
 * apart and blocks of a BLOCK_CODEC. A refusal fails the test. */
void synthetic_classic(const struct synthetic_clip *s, uint32_t codec,
                       uint32_t distance, struct memory_sink *memory);

/* Make a cache of such a clip in which every mesh is lifted, with index frames
 * `distance` apart, encoded by one thread. `has_rings`: one-rings predict
 * QTangents.
 */
void synthetic_lift(const struct synthetic_options *o, uint32_t distance,
                    bool has_rings, struct memory_sink *memory);

#endif
