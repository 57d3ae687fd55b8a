/* made_shared.c - caches with equal static meshes, and their content.
 *
 * The values of vertices are those of the synthetic clips. Ids and indices are
 * those that a runtime shows without faults.
 */
/* SPDX-License-Identifier: MIT */
#include "sim/made_shared.h"

#include "base/block_codec.h"
#include "base/endian.h"
#include "base/hash64.h"
#include "harness.h"
#include "sim/made_clips.h"
#include "support/stage.h"
#include "support/synthetic_clip.h"

#include <string.h>

#define DISTANCE 6u
#define INDICES_MAX 1024u

static const struct {
    const char *path;
    struct synthetic_options options;
    uint32_t statics[MADE_STATICS_MAX];
} rows[MADE_SHARED_CACHES] = {
    {"shared0",
     {.frame_count = 13,
      .mesh_count = 3,
      .static_meshes = 2,
      .vertices = 60,
      .step = 16},
     {0, 1}},
    {"shared1",
     {.frame_count = 19,
      .mesh_count = 3,
      .static_meshes = 2,
      .vertices = 60,
      .step = 16},
     {0, 1}},
    {"shared2",
     {.frame_count = 7,
      .mesh_count = 2,
      .static_meshes = 1,
      .vertices = 60,
      .step = 16},
     {0, 0}},
    {"shared3",
     {.frame_count = 13,
      .mesh_count = 3,
      .static_meshes = 2,
      .vertices = 60,
      .step = 16,
      .has_uvs = true},
     {2, 3}},
};

uint64_t made_shared_index_hash(const uint16_t *indices, uint32_t count)
{
    static uint8_t little[INDICES_MAX * 2];

    CHECK(count <= INDICES_MAX);
    for (uint32_t i = 0; i < count; i++)
        spn_store_u16le(little + i * 2, indices[i]);
    return spn__hash64(little, (size_t)count * 2, 0);
}

/* Quantized positions, as in a vertex of MADE_STRIDE bytes. */
static uint64_t vertex_hash(const struct synthetic_options *o, uint32_t mesh)
{
    static uint16_t values[MADE_VERTEX_BYTES_MAX / MADE_STRIDE * 3];
    static uint8_t vertices[MADE_VERTEX_BYTES_MAX];
    const uint32_t count = synthetic_vertices(o, mesh);

    CHECK(count * MADE_STRIDE <= MADE_VERTEX_BYTES_MAX);
    memset(vertices, 0, sizeof vertices);
    synthetic_values(o, 0, mesh, CHANNEL_POSITION, values);
    for (uint32_t v = 0; v < count; v++)
        memcpy(vertices + (size_t)v * MADE_STRIDE, values + v * 3, 6);
    return made_clips_hash(vertices, count);
}

static void look_at_mesh(const struct stage *stage, uint32_t mesh,
                         struct made_static *out)
{
    static uint16_t indices[INDICES_MAX];
    spn_mesh_info info;
    spn_mesh_id id;

    CHECK_EQ(spn_cache_get_mesh(stage->rt, stage->cache, mesh, &info), SPN_OK);
    CHECK_EQ(spn_cache_get_mesh_id(stage->rt, stage->cache, mesh, &id), SPN_OK);
    CHECK_EQ_U(info.content_hash, id);
    CHECK(out->id == 0 || out->id == id);
    CHECK(info.index_count <= INDICES_MAX);
    CHECK_EQ(spn_cache_copy_indices(stage->rt, stage->cache, mesh, 2, indices,
                                    INDICES_MAX),
             SPN_OK);
    out->id = id;
    out->vertices = info.vertex_count;
    out->index_count = info.index_count;
    out->index_hash = made_shared_index_hash(indices, info.index_count);
}

static void make(struct made_disc *disc, uint32_t number)
{
    static struct stage stage;
    static struct memory_sink file;
    const struct synthetic_options *o = &rows[number].options;
    struct made_shared *shared = &disc->shared[number];
    struct synthetic_clip clip;
    spn_cache_info info;

    file = (struct memory_sink){0};
    synthetic_make(&clip, o);
    synthetic_classic(&clip, BLOCK_CODEC_LZ4, DISTANCE, &file);
    synthetic_free(&clip);
    disc->files[MADE_SHARED + number] = (struct made_file){
        .path = rows[number].path, .bytes = file.size, .data = file.bytes};
    *shared = (struct made_shared){.path = rows[number].path,
                                   .mesh_count = o->mesh_count,
                                   .static_count = o->static_meshes};
    memcpy(shared->statics, rows[number].statics, sizeof shared->statics);
    stage_init(&stage, NULL);
    slow_platform_add(&stage.disc, "a", file.bytes, file.size);
    stage_open(&stage);
    CHECK_EQ(
        spn_cache_heap_needed(stage.rt, stage.cache, 1, &shared->heap_bytes),
        SPN_OK);
    CHECK_EQ(spn_cache_get_info(stage.rt, stage.cache, &info), SPN_OK);
    shared->loop_us = info.loop_us;
    for (uint32_t m = 0; m < o->static_meshes; m++) {
        struct made_static *s = &disc->statics[shared->statics[m]];

        look_at_mesh(&stage, m, s);
        s->vertex_hash = vertex_hash(o, m);
    }
    stage_close(&stage);
}

void made_shared_make(struct made_disc *disc)
{
    for (uint32_t i = 0; i < MADE_SHARED_CACHES; i++)
        make(disc, i);
    for (uint32_t a = 0; a < MADE_STATICS; a++)
        for (uint32_t b = 0; b < a; b++)
            CHECK(disc->statics[a].id != disc->statics[b].id);
}
