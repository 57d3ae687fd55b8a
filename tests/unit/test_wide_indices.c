/* test_wide_indices.c
 *
 * Goal: a mesh with more vertices than 16-bit indices reach plays correctly:
 * its indices, and the vertices after the 65,536th.
 * Method: encode, open and play; compare the triangles, corner by corner, with
 * those of the source, in any order.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/stage.h"
#include "support/synthetic_clip.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define VERTICES 70000u

static struct stage stage;
static struct synthetic_clip clip;
static struct memory_sink memory;

/* With or without lifting. */
static void open_clip(bool is_lifted)
{
    const struct synthetic_options o = {
        .frame_count = 3, .vertices = VERTICES, .mesh_count = 1};
    struct compile_options options;
    struct diag diag;

    memset(&memory, 0, sizeof memory);
    synthetic_make(&clip, &o);
    compile_options_default(&options);
    options.jobs = 1;
    options.is_lifted = is_lifted;
    options.lifts_all = is_lifted;
    test_context("lifted: %d", is_lifted);
    diag_init(&diag);
    CHECK(synthetic_encode(&clip, &options, &diag, &memory));
    diag_finish(&diag);
    stage_init(&stage, NULL);
    slow_platform_add(&stage.disc, "a", memory.bytes, memory.size);
    stage.config.heap_bytes = 64u << 20;
    stage_open(&stage);
}

static void close_clip(void)
{
    stage_close(&stage);
    memory_sink_free(&memory);
    synthetic_free(&clip);
}

static void check_narrow_is_refused(uint32_t *indices, uint32_t count)
{
    indices[0] = 77;
    CHECK_EQ(
        spn_cache_copy_indices(stage.rt, stage.cache, 0, 2, indices, count),
        SPN_ERR_RANGE);
    CHECK_EQ_U(indices[0], 77);
}

/* Corners as positions, rotated so that the smallest comes first. */
struct triangle {
    uint16_t corner[3][3];
};

static int compare_corners(const void *a, const void *b)
{
    return memcmp(a, b, 6);
}

static int compare_triangles(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct triangle));
}

/* Triangles with their smallest corner first, sorted. */
static struct triangle *sorted_triangles(const uint32_t *indices,
                                         uint32_t count,
                                         const uint16_t *positions,
                                         uint32_t stride)
{
    struct triangle *all = malloc(count / 3 * sizeof *all);

    for (uint32_t t = 0; t < count / 3; t++) {
        uint16_t corner[3][3];
        uint32_t least = 0;

        for (uint32_t k = 0; k < 3; k++) {
            CHECK(indices[3 * t + k] < VERTICES);
            memcpy(corner[k], positions + (size_t)indices[3 * t + k] * stride,
                   6);
            if (compare_corners(corner[k], corner[least]) < 0)
                least = k;
        }
        for (uint32_t k = 0; k < 3; k++)
            memcpy(all[t].corner[k], corner[(least + k) % 3], 6);
    }
    qsort(all, count / 3, sizeof *all, compare_triangles);
    return all;
}

static void check_frame(const uint32_t *indices, spn_node node, uint32_t frame)
{
    const spn_vertex_layout layout = {.stride = 8,
                                      .position = {0, SPN_FORMAT_QUANTIZED}};
    const struct clip_mesh *mesh = &clip.clip.meshes[0];
    uint16_t *filled = malloc(VERTICES * 8);
    uint16_t *truth = malloc(VERTICES * 6);
    struct triangle *is;
    struct triangle *should_be;
    spn_fill_result result;
    int64_t time_us;

    CHECK_EQ(spn_cache_get_frame_time(stage.rt, stage.cache, frame, &time_us),
             SPN_OK);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, time_us), SPN_OK);
    stage_until_ready(&stage, node);
    CHECK_EQ(spn_node_fill(stage.rt, node, 0, &layout, filled, VERTICES * 8,
                           &result),
             SPN_OK);
    CHECK_EQ(result.floor_frame, frame);
    synthetic_values(&clip.options, frame, 0, CHANNEL_POSITION, truth);
    is = sorted_triangles(indices, mesh->index_count, filled, 4);
    should_be = sorted_triangles(mesh->indices, mesh->index_count, truth, 3);
    CHECK_MEM(is, should_be, mesh->index_count / 3 * sizeof *is);
    free(is);
    free(should_be);
    free(filled);
    free(truth);
}

static void check(bool is_lifted)
{
    uint32_t *indices;
    uint32_t count;
    spn_node node;

    open_clip(is_lifted);
    count = clip.clip.meshes[0].index_count;
    indices = malloc(count * sizeof *indices);
    check_narrow_is_refused(indices, count);
    CHECK_EQ(
        spn_cache_copy_indices(stage.rt, stage.cache, 0, 4, indices, count),
        SPN_OK);
    node = stage_node(&stage, false);
    for (uint32_t frame = 0; frame < 3; frame++)
        check_frame(indices, node, frame);
    free(indices);
    close_clip();
}

static void large_meshes_play_correctly(void)
{
    check(false);
}

static void large_lifted_meshes_play_correctly(void)
{
    check(true);
}

TEST_MAIN(TEST(large_meshes_play_correctly),
          TEST(large_lifted_meshes_play_correctly))
