/* script_query.c - call every query function of the runtime. */
/* SPDX-License-Identifier: MIT */
#include "fuzz/script_query.h"

#include "harness.h"

#include <stdlib.h>
#include <string.h>

static void query_mesh_id(const spn_runtime *rt, spn_cache cache, uint32_t mesh,
                          const spn_mesh_info *info)
{
    const spn_vertex_layout layout = {.stride = 6,
                                      .position = {0, SPN_FORMAT_QUANTIZED}};
    const size_t bytes = (size_t)info->vertex_count * 6;
    void *vertices = malloc(bytes);
    spn_static_mesh found;
    spn_mesh_id id;

    CHECK_EQ(spn_cache_get_mesh_id(rt, cache, mesh, &id), SPN_OK);
    CHECK((id == 0) == info->is_animated);
    CHECK_EQ(spn_mesh_get_info(rt, id, &found),
             info->is_animated ? SPN_ERR_HANDLE : SPN_OK);
    CHECK_EQ(spn_mesh_copy_vertices(rt, id, &layout, vertices, bytes),
             info->is_animated ? SPN_ERR_HANDLE : SPN_OK);
    free(vertices);
}

static void query_mesh(const spn_runtime *rt, spn_cache cache, uint32_t mesh)
{
    spn_material_range range;
    spn_mesh_info info;
    uint32_t *indices;
    size_t count;

    if (spn_cache_get_mesh(rt, cache, mesh, &info) != SPN_OK)
        return;
    for (uint32_t i = 0; i <= info.material_count; i++)
        CHECK_EQ(spn_cache_get_material(rt, cache, mesh, i, &range),
                 i < info.material_count ? SPN_OK : SPN_ERR_ARG);
    count = info.index_count;
    indices = malloc(count * sizeof *indices + 1);
    CHECK_EQ(
        spn_cache_copy_indices(rt, cache, mesh, 4, indices, info.index_count),
        SPN_OK);
    for (size_t i = 0; i < count; i++)
        CHECK(indices[i] < info.vertex_count);
    free(indices);
    query_mesh_id(rt, cache, mesh, &info);
}

void script_query_cache(const spn_runtime *rt, spn_cache cache, uint32_t what)
{
    const spn_status status = spn_cache_get_status(rt, cache, NULL);
    spn_scene_node_info node;
    spn_cache_info info;
    uint64_t needed[2];
    int64_t time_us;

    CHECK_EQ(spn_cache_get_info(rt, cache, &info), status);
    if (status != SPN_OK)
        return;
    CHECK_EQ(spn_cache_heap_needed(rt, cache, 0, &needed[0]), SPN_OK);
    CHECK_EQ(spn_cache_heap_needed(rt, cache, what, &needed[1]), SPN_OK);
    CHECK(needed[0] <= needed[1]);
    CHECK_EQ(spn_cache_get_frame_time(rt, cache, what, &time_us),
             what < info.frame_count ? SPN_OK : SPN_ERR_ARG);
    CHECK_EQ(spn_cache_get_scene_node(rt, cache, what, &node),
             what < info.scene_node_count ? SPN_OK : SPN_ERR_ARG);
    query_mesh(rt, cache, what % (info.mesh_count + 1));
}

static void query_draw_list(const spn_runtime *rt, spn_node node,
                            uint32_t node_count)
{
    spn_draw_item *items = malloc(node_count * sizeof *items);
    uint32_t count = 0;

    /* The room may be too small. */
    if (spn_node_get_draw_list(rt, node, items, node_count, &count) == SPN_OK)
        CHECK(count <= node_count);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t indices = 0;

        CHECK(items[i].scene_node < node_count);
        for (uint32_t k = 0; k < items[i].material_count; k++) {
            CHECK_EQ_U(items[i].materials[k].first_index, indices);
            indices += items[i].materials[k].index_count;
        }
    }
    free(items);
}

void script_query_node(spn_runtime *rt, spn_node node, uint32_t node_count)
{
    float *matrices = malloc(node_count * 12 * sizeof *matrices);
    uint8_t *visible = calloc(1, node_count); /* the cache may have fewer
                                               * nodes */
    float box[2][3];
    const spn_status posed =
        spn_node_get_transforms(rt, node, matrices, visible, node_count);

    const spn_status boxed = spn_node_get_box(rt, node, box[0], box[1]);

    /* The room may be too small for a cache's nodes. */
    CHECK(boxed == posed || posed == SPN_ERR_ARG);
    for (uint32_t i = 0; posed == SPN_OK && i < node_count; i++) {
        float matrix[12];

        CHECK(visible[i] <= 1);
        if (spn_node_get_transform(rt, node, i, matrix, NULL) == SPN_OK)
            CHECK_MEM(matrix, matrices + 12 * (size_t)i, sizeof matrix);
    }
    free(matrices);
    free(visible);
    query_draw_list(rt, node, node_count);
}

void script_query_pak(const spn_runtime *rt, spn_pak pak, uint32_t what)
{
    const spn_status status = spn_pak_get_status(rt, pak, NULL);
    spn_pak_entry_info info;
    uint32_t count = 0;

    if (spn_pak_get_entry_count(rt, pak, &count) == SPN_OK)
        CHECK_EQ(status, SPN_OK);
    if (spn_pak_get_entry(rt, (spn_pak_entry){pak, what}, &info) == SPN_OK)
        CHECK(what < count);
    (void)spn_pak_get_load_status(rt, pak);
}

void script_query_io(spn_runtime *rt, uint32_t what)
{
    spn_invalid_wait wait;
    spn_medium_stats medium;
    spn_task_class task_class;
    spn_task_stats task;
    spn_heap_stats heap;
    spn_io_stats io;

    spn_io_get_stats(rt, &io);
    spn_heap_get_stats(rt, &heap);
    CHECK(heap.live_bytes <= heap.live_bytes_peak);
    CHECK(heap.live_bytes + heap.free_bytes <= heap.bytes);
    (void)spn_io_get_medium_stats(rt, (spn_medium)(what % 4), &medium);
    (void)spn_io_get_task_stats(rt, (spn_task)(what % 33), &task);
    (void)spn_task_get_class(rt, (spn_task)(what % 33), &task_class);
    (void)spn_guard_get_last(rt, &wait);
    (void)spn_trace_hash(rt);
    if (what % 16 == 0)
        spn_io_reset_stats(rt);
}
