/* test_mesh_registry.c
 *
 * Goal: static meshes with the same content are in the heap once, whatever
 *   caches they are in, until the last of these is closed. Their ids are equal,
 *   and their vertices and indices are there without a node. Different content
 *   never becomes one mesh, whatever its hash.
 * Method: caches of synthetic clips whose values are known. What the heap holds
 *   is compared between caches alone and together. A mesh in the registry is
 *   changed, so that a cache that comes later finds its hash, but not its
 *   bytes.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "mesh/mesh_registry.h"

#include "base/block_codec.h"
#include "base/heap_view.h"
#include "harness.h"
#include "runtime.h"
#include "support/stage.h"
#include "support/synthetic_clip.h"

#include <stdlib.h>
#include <string.h>

#define FILES 4u

static struct stage stage;
static struct memory_sink files[FILES];
static struct synthetic_clip clips[FILES];
static spn_cache caches[FILES];

static const char *const names[FILES] = {"0", "1", "2", "3"};

static void encode(uint32_t file, uint32_t codec)
{
    synthetic_classic(&clips[file], codec, 10, &files[file]);
}

static void make(uint32_t file, const struct synthetic_options *o,
                 uint32_t codec)
{
    synthetic_make(&clips[file], o);
    encode(file, codec);
}

static void start(uint32_t count)
{
    stage_init(&stage, NULL);
    for (uint32_t i = 0; i < count; i++)
        slow_platform_add(&stage.disc, names[i], files[i].bytes, files[i].size);
    stage_start(&stage);
}

static void finish(uint32_t count)
{
    stage_close(&stage);
    for (uint32_t i = 0; i < count; i++) {
        memory_sink_free(&files[i]);
        memset(&files[i], 0, sizeof files[i]);
        synthetic_free(&clips[i]);
    }
}

static spn_status open_file(uint32_t file)
{
    CHECK_EQ(spn_cache_open(stage.rt, names[file], &caches[file]), SPN_OK);
    for (uint32_t i = 0; i < 400; i++) {
        if (spn_cache_get_status(stage.rt, caches[file], NULL) != SPN_PENDING)
            break;
        stage_tick(&stage, STAGE_TICK_US);
    }
    return spn_cache_get_status(stage.rt, caches[file], NULL);
}

static void close_file(uint32_t file)
{
    CHECK_EQ(spn_cache_close(stage.rt, caches[file]), SPN_OK);
    for (uint32_t i = 0; i < 3; i++)
        stage_tick(&stage, STAGE_TICK_US);
}

static uint64_t heap_bytes(void)
{
    return stage.rt->heap.stats.live_bytes;
}

static uint32_t used_pages(void)
{
    return stage.rt->heap.page_count - spn__heap_free_pages(&stage.rt->heap);
}

static spn_mesh_id id_of(uint32_t file, uint32_t mesh)
{
    spn_mesh_id id = 0;

    CHECK_EQ(spn_cache_get_mesh_id(stage.rt, caches[file], mesh, &id), SPN_OK);
    return id;
}

static spn_static_mesh info_of(spn_mesh_id id)
{
    spn_static_mesh info = {0};

    CHECK_EQ(spn_mesh_get_info(stage.rt, id, &info), SPN_OK);
    return info;
}

/* A layout that shows every channel. */
static const spn_vertex_layout layout = {
    .stride = 76,
    .position = {0, SPN_FORMAT_F32X3},
    .normal = {12, SPN_FORMAT_F32X3},
    .tangent = {24, SPN_FORMAT_F32X4},
    .uv = {40, SPN_FORMAT_F32X2},
    .color = {48, SPN_FORMAT_UNORM8X4},
    .previous_position = {52, SPN_FORMAT_F32X3},
    .velocity = {64, SPN_FORMAT_F32X3}};

/* What a node that plays the cache writes for a mesh. */
static void *node_vertices(uint32_t file, uint32_t mesh, size_t bytes)
{
    uint8_t *vertices = calloc(1, bytes);
    spn_node_desc desc = {0};
    spn_fill_result result;
    spn_node node;

    CHECK_EQ(spn_node_create(stage.rt, caches[file], &desc, &node), SPN_OK);
    stage_stream(&stage, node, 0);
    CHECK_EQ(
        spn_node_fill(stage.rt, node, mesh, &layout, vertices, bytes, &result),
        SPN_OK);
    CHECK(result.is_visible);
    CHECK_EQ(spn_node_destroy(stage.rt, node), SPN_OK);
    stage_until_empty(&stage);
    return vertices;
}

static void check_vertices(spn_mesh_id id, const void *expected, size_t bytes)
{
    uint8_t *vertices = calloc(1, bytes);

    CHECK_EQ(spn_mesh_copy_vertices(stage.rt, id, &layout, vertices, bytes),
             SPN_OK);
    CHECK_MEM(vertices, expected, bytes);
    free(vertices);
}

/* Positions and indices are those of the clip. */
static void check_values(spn_mesh_id id, const struct clip_mesh *mesh)
{
    static const spn_vertex_layout raw = {
        .stride = 6, .position = {0, SPN_FORMAT_QUANTIZED}};
    const size_t bytes = (size_t)mesh->vertex_count * 6;
    uint8_t *vertices = calloc(1, bytes);
    uint32_t *indices = calloc(mesh->index_count, 4);

    CHECK_EQ(spn_mesh_copy_vertices(stage.rt, id, &raw, vertices, bytes),
             SPN_OK);
    CHECK_MEM(vertices, mesh->static_channel[CHANNEL_POSITION], bytes);
    CHECK_EQ(spn_mesh_copy_indices(stage.rt, id, 4, indices, mesh->index_count),
             SPN_OK);
    CHECK_MEM(indices, mesh->indices, (size_t)mesh->index_count * 4);
    free(indices);
    free(vertices);
}

static void equal_meshes_of_two_caches_are_one(void)
{
    const size_t bytes = (size_t)synthetic_static.vertices * layout.stride;
    uint64_t alone[2];
    uint64_t both;
    uint64_t meshes = 0;
    void *vertices;

    make(0, &synthetic_static, BLOCK_CODEC_LZ4);
    make(1, &synthetic_static, BLOCK_CODEC_STORE);
    start(2);
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_EQ(open_file(i), SPN_OK);
        alone[i] = heap_bytes();
        if (i == 0)
            close_file(i);
    }
    CHECK_EQ(open_file(0), SPN_OK);
    both = heap_bytes();
    for (uint32_t m = 0; m < 2; m++) {
        CHECK_EQ_U(id_of(0, m), id_of(1, m));
        CHECK_EQ(info_of(id_of(0, m)).reference_count, 2);
        meshes += info_of(id_of(0, m)).heap_bytes;
    }
    CHECK(id_of(0, 0) != id_of(0, 1));
    /* 36 bytes are in a vertex, with half an index of two bytes. */
    CHECK(meshes >= (uint64_t)(2 * synthetic_static.vertices * 38));
    CHECK(alone[0] >= meshes && alone[1] >= meshes);
    CHECK(both <= alone[0] + alone[1] - meshes);

    vertices = node_vertices(0, 0, bytes);
    check_vertices(id_of(1, 0), vertices, bytes);
    check_values(id_of(1, 0), &clips[0].clip.meshes[0]);
    /* The one that brought them closes first. */
    close_file(1);
    CHECK_EQ(info_of(id_of(0, 0)).reference_count, 1);
    check_vertices(id_of(0, 0), vertices, bytes);
    free(vertices);
    vertices = node_vertices(0, 0, bytes);
    check_vertices(id_of(0, 0), vertices, bytes);
    free(vertices);
    CHECK_EQ_U(heap_bytes(), alone[0]);
    close_file(0);
    CHECK_EQ(stage.rt->heap.stats.live_blocks, 0);
    finish(2);
}

/* A run of indices has those of both kinds of meshes. */
static void animated_meshes_stay_in_their_caches(void)
{
    const struct synthetic_options o = {.frame_count = 3,
                                        .mesh_count = 3,
                                        .vertices = 5000,
                                        .step = 10,
                                        .static_meshes = 1};
    uint64_t alone;
    uint64_t first;
    uint64_t mesh;

    make(0, &o, BLOCK_CODEC_LZ4);
    make(1, &o, BLOCK_CODEC_LZ4);
    start(2);
    CHECK_EQ(open_file(0), SPN_OK);
    alone = heap_bytes();
    mesh = info_of(id_of(0, 0)).heap_bytes;
    CHECK_EQ(open_file(1), SPN_OK);
    CHECK_EQ_U(id_of(0, 0), id_of(1, 0));
    CHECK_EQ_U(id_of(0, 1), 0);
    /* 64: of the pack. */
    CHECK_EQ_U(heap_bytes(), 2 * alone - mesh - 64);
    check_values(id_of(0, 0), &clips[0].clip.meshes[0]);
    for (uint32_t m = 0; m < 3; m++) {
        const struct clip_mesh *info = &clips[0].clip.meshes[m];
        uint32_t *indices = calloc(info->index_count, 4);

        CHECK_EQ(spn_cache_copy_indices(stage.rt, caches[1], m, 4, indices,
                                        info->index_count),
                 SPN_OK);
        CHECK_MEM(indices, info->indices, (size_t)info->index_count * 4);
        free(indices);
    }
    first = id_of(0, 0);
    close_file(0);
    check_values(first, &clips[0].clip.meshes[0]);
    free(node_vertices(1, 1, (size_t)5010 * layout.stride));
    close_file(1);
    CHECK_EQ(spn_mesh_get_info(stage.rt, first, &(spn_static_mesh){0}),
             SPN_ERR_HANDLE);
    CHECK_EQ(stage.rt->heap.stats.live_blocks, 0);
    finish(2);
}

/* Small meshes share pages, and equal ones of one cache are one, too. */
static void small_meshes_share_pages(void)
{
    const struct synthetic_options o = {.frame_count = 1,
                                        .mesh_count = 64,
                                        .vertices = 20,
                                        .step = 1,
                                        .is_static = true,
                                        .has_uvs = true};
    uint32_t pages;

    make(0, &o, BLOCK_CODEC_LZ4);
    synthetic_make(&clips[1], &o);
    for (uint32_t m = 1; m < 32; m++) {
        const char *path = clips[1].clip.meshes[m].path;

        clips[1].clip.meshes[m] = clips[1].clip.meshes[0];
        clips[1].clip.meshes[m].path = path;
    }
    encode(1, BLOCK_CODEC_LZ4);
    start(2);
    CHECK_EQ(open_file(0), SPN_OK);
    pages = used_pages();
    CHECK(pages < o.mesh_count);
    CHECK_EQ(open_file(1), SPN_OK);
    CHECK(used_pages() < pages + o.mesh_count / 4);
    CHECK_EQ(info_of(id_of(0, 0)).reference_count, 33);
    CHECK_EQ(info_of(id_of(0, 1)).reference_count, 1);
    close_file(0);
    CHECK_EQ(info_of(id_of(1, 31)).reference_count, 32);
    for (uint32_t m = 0; m < 64; m++)
        check_values(id_of(1, m), &clips[1].clip.meshes[m]);
    close_file(1);
    CHECK_EQ(stage.rt->heap.stats.live_blocks, 0);
    finish(2);
}

/* Change one byte of a mesh in the registry. */
static void damage(struct static_mesh *m, uint32_t what)
{
    switch (what) {
    case 0:
        m->parts[0].channel[CHANNEL_POSITION][0] ^= 1;
        break;
    case 1:
        m->parts[1].channel[CHANNEL_VELOCITY][5] ^= 1;
        break;
    case 2:
        m->parts[1].reflection[3] ^= 1;
        break;
    case 3:
        m->runs[m->run_count - 1].indices[0] ^= 1;
        break;
    default:
        m->more_facts[m->more_facts_bytes - 2] ^= 1;
        break;
    }
}
#define DAMAGES 5u

static void different_bytes_with_equal_hashes_are_two_meshes(void)
{
    make(0, &synthetic_static, BLOCK_CODEC_LZ4);
    make(1, &synthetic_static, BLOCK_CODEC_LZ4);
    start(2);
    for (uint32_t what = 0; what < DAMAGES; what++) {
        spn_mesh_id id;

        test_context("damage %u", what);
        CHECK_EQ(open_file(0), SPN_OK);
        id = id_of(0, 0);
        damage(spn__mesh_registry_find(stage.rt->manager.mesh_registry, id),
               what);
        CHECK_EQ(open_file(1), SPN_OK);
        CHECK_EQ_U(id_of(1, 0), id + 1);
        CHECK_EQ_U(info_of(id + 1).content_hash, id);
        CHECK_EQ(info_of(id).reference_count, 1);
        CHECK_EQ(info_of(id + 1).reference_count, 1);
        CHECK_EQ(info_of(id_of(1, 1)).reference_count, 2);
        check_values(id + 1, &clips[0].clip.meshes[0]);
        close_file(0);
        CHECK_EQ_U(id_of(1, 0), id + 1);
        close_file(1);
        CHECK_EQ(stage.rt->heap.stats.live_blocks, 0);
    }
    finish(2);
}

/* Loading takes no more memory than heap_needed says. */
static void needed_heap_suffices(void)
{
    uint64_t needed = 0;

    for (uint32_t i = 0; i < 2; i++) {
        const struct synthetic_options o = {.frame_count = 1,
                                            .mesh_count = 40,
                                            .vertices = i ? 9000 : 300,
                                            .step = 17,
                                            .is_static = true,
                                            .has_uvs = true};

        test_context("case %u", i);
        make(0, &o, BLOCK_CODEC_LZ4);
        stage_init(&stage, NULL);
        slow_platform_add(&stage.disc, names[0], files[0].bytes, files[0].size);
        stage.config.heap_bytes = 64u << 20;
        stage_start(&stage);
        CHECK_EQ(open_file(0), SPN_OK);
        CHECK_EQ(spn_cache_heap_needed(stage.rt, caches[0], 0, &needed),
                 SPN_OK);
        stage_close(&stage);
        stage_init(&stage, NULL);
        slow_platform_add(&stage.disc, names[0], files[0].bytes, files[0].size);
        stage.config.heap_bytes = (uint32_t)needed;
        stage_start(&stage);
        CHECK_EQ(open_file(0), SPN_OK);
        for (uint32_t m = 0; m < o.mesh_count; m++)
            check_values(id_of(0, m), &clips[0].clip.meshes[m]);
        finish(1);
    }
}

/* A block that fits the heap without caches waits for them: it does not fail.
 */
static void blocks_wait_for_static_meshes(void)
{
    const uint64_t heap_bytes = 8u << 20;
    spn_block block;

    make(0, &synthetic_static, BLOCK_CODEC_LZ4);
    start(1);
    CHECK_EQ(open_file(0), SPN_OK);
    CHECK_EQ(spn_block_alloc(stage.rt, heap_bytes + 1, 0, &block),
             SPN_ERR_MEMORY);
    CHECK_EQ(spn_block_alloc(stage.rt, heap_bytes, 0, &block),
             SPN_NO_MEMORY_NOW);
    close_file(0);
    CHECK_EQ(spn_block_alloc(stage.rt, heap_bytes, 0, &block), SPN_OK);
    CHECK_EQ(spn_block_free(stage.rt, block), SPN_OK);
    finish(1);
}

static void wrong_arguments_are_refused(void)
{
    static uint8_t vertices[9000 * 76];
    static uint32_t indices[3 * 9000];
    const spn_vertex_layout bad = {.stride = 4,
                                   .position = {0, SPN_FORMAT_F32X3}};
    spn_static_mesh info;
    spn_runtime *rt;
    spn_mesh_id id;

    make(0, &synthetic_static, BLOCK_CODEC_LZ4);
    start(1);
    CHECK_EQ(open_file(0), SPN_OK);
    rt = stage.rt;
    id = id_of(0, 0);
    CHECK_EQ(spn_mesh_get_info(NULL, id, &info), SPN_ERR_ARG);
    CHECK_EQ(spn_mesh_get_info(rt, id, NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_mesh_get_info(rt, 0, &info), SPN_ERR_HANDLE);
    CHECK_EQ(spn_mesh_get_info(rt, id + 1, &info), SPN_ERR_HANDLE);
    CHECK_EQ(spn_mesh_copy_vertices(rt, id, NULL, vertices, sizeof vertices),
             SPN_ERR_ARG);
    CHECK_EQ(spn_mesh_copy_vertices(rt, id, &layout, NULL, sizeof vertices),
             SPN_ERR_ARG);
    CHECK_EQ(spn_mesh_copy_vertices(rt, id, &bad, vertices, sizeof vertices),
             SPN_ERR_ARG);
    CHECK_EQ(
        spn_mesh_copy_vertices(rt, id, &layout, vertices, sizeof vertices - 1),
        SPN_ERR_ARG);
    CHECK_EQ(
        spn_mesh_copy_vertices(rt, id + 1, &layout, vertices, sizeof vertices),
        SPN_ERR_HANDLE);
    CHECK_EQ(spn_mesh_copy_indices(rt, id, 3, indices, 27000), SPN_ERR_ARG);
    CHECK_EQ(spn_mesh_copy_indices(rt, id, 4, NULL, 27000), SPN_ERR_ARG);
    CHECK_EQ(spn_mesh_copy_indices(rt, id, 4, indices, 8998 * 3 - 1),
             SPN_ERR_ARG);
    CHECK_EQ(spn_mesh_copy_indices(rt, id + 1, 4, indices, 27000),
             SPN_ERR_HANDLE);
    for (size_t i = 0; i < sizeof vertices; i++)
        CHECK(vertices[i] == 0);
    CHECK_EQ(spn_mesh_copy_indices(rt, id, 2, indices, 8998 * 3), SPN_OK);
    finish(1);
}

TEST_MAIN(TEST(equal_meshes_of_two_caches_are_one),
          TEST(animated_meshes_stay_in_their_caches),
          TEST(small_meshes_share_pages),
          TEST(different_bytes_with_equal_hashes_are_two_meshes),
          TEST(needed_heap_suffices), TEST(blocks_wait_for_static_meshes),
          TEST(wrong_arguments_are_refused))
