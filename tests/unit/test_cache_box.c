/* test_cache_box.c
 *
 * Goal: the box of a mesh contains every vertex that is shown, and is not
 *   larger than its rounding; no bits of boxes lead out of their bounds.
 * Method: synthetic clips of several meshes and parts, at every rounding. The
 *   vertices of each frame are compared with the box of their part as integers,
 *   and with that of their mesh as floats. Each byte of the boxes is damaged.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "cache/cache_box.h"

#include "base/block_codec.h"
#include "cachefile/cache_reader.h"
#include "harness.h"
#include "play/frame_slot.h"
#include "play/node/node.h"
#include "runtime.h"
#include "support/cache_checksums.h"
#include "support/cache_walk.h"
#include "support/stage.h"
#include "support/synthetic_clip.h"
#include "verify/verify.h"

#include <stdio.h>
#include <string.h>

/* -- caches -- */

static void make(const struct synthetic_options *o, uint32_t shift,
                 struct memory_sink *memory)
{
    struct synthetic_clip clip;

    synthetic_make(&clip, o);
    for (uint32_t m = 0; m < clip.clip.mesh_count; m++)
        if (clip.clip.meshes[m].animated_mask & CHANNEL_BIT(CHANNEL_POSITION))
            clip.clip.meshes[m].box_shift = (uint8_t)shift;
    synthetic_classic(&clip, BLOCK_CODEC_LZ4, 4, memory);
    synthetic_free(&clip);
}

/* -- boxes of whole caches -- */

/* The boxes of one mesh in one frame. Returns false if the frame does not have
 * the mesh. */
static bool check_mesh(struct cache_reader *reader, uint32_t frame,
                       uint32_t mesh)
{
    const struct cache_header *h = cache_reader_header(reader);
    const struct cache_tables *t = cache_reader_tables(reader);
    const struct cache_mesh *info = &t->meshes[mesh];
    const struct cache_reader_frame *view = cache_reader_frame(reader, frame);
    const uint32_t slack = (1u << info->box_shift) - 1;
    struct cache_reader_vertices vertices;
    struct frame_decoder decoder;
    struct arena arena;
    const uint16_t *q;
    float min[3];
    float max[3];

    CHECK(view != NULL);
    if (!cache_reader_has_mesh(reader, view, mesh))
        return false;
    CHECK(cache_reader_stored_frame(reader, frame, &decoder));
    q = view->meshes[mesh].channel[CHANNEL_POSITION];
    for (uint32_t p = 0; p < info->part_count; p++) {
        const uint32_t part = info->first_part + p;
        const uint16_t *first = q + 3 * (size_t)t->parts[part].first_vertex;
        struct cache_box box;

        spn__cache_part_box(h, t, decoder.directory, part, &box);
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t least = UINT32_MAX;
            uint32_t most = 0;

            for (uint32_t v = 0; v < t->parts[part].vertex_count; v++) {
                const uint32_t at = first[3 * (size_t)v + k];

                least = at < least ? at : least;
                most = at > most ? at : most;
            }
            CHECK(box.least[k] <= least && most <= box.most[k]);
            if (cache_mesh_has_boxes(info))
                CHECK(least - box.least[k] <= slack &&
                      box.most[k] - most <= slack);
            else
                CHECK(box.least[k] == 0 && box.most[k] == 65535);
        }
    }
    arena_init(&arena);
    cache_reader_fill(reader, view, mesh, &arena, &vertices);
    spn__cache_mesh_box(h, t, decoder.directory, mesh, min, max);
    for (uint32_t v = 0; v < vertices.count; v++)
        for (int k = 0; k < 3; k++)
            CHECK(vertices.positions[v][k] >= min[k] &&
                  vertices.positions[v][k] <= max[k]);
    arena_free(&arena);
    return true;
}

/* Returns how many pairs of mesh and frame there are. */
static uint32_t check_cache(const struct memory_sink *memory)
{
    struct cache_reader *reader;
    uint32_t count = 0;
    struct diag diag;

    diag_init(&diag);
    reader = cache_reader_open_memory("a", memory->bytes, memory->size, &diag);
    CHECK(reader != NULL);
    for (uint32_t f = 0; f < cache_reader_header(reader)->frame_count; f++)
        for (uint32_t m = 0; m < cache_reader_header(reader)->mesh_count; m++)
            count += check_mesh(reader, f, m);
    cache_reader_close(reader);
    diag_finish(&diag);
    return count;
}

static void boxes_contain_all_vertices_at_every_rounding(void)
{
    const struct synthetic_options o = {.frame_count = 9,
                                        .mesh_count = 3,
                                        .vertices = 40,
                                        .hidden_first = 2,
                                        .hidden_limit = 5,
                                        .is_lazy = true};

    for (uint32_t shift = 0; shift <= CACHE_BOX_SHIFT_MAX; shift++) {
        struct memory_sink memory = {0};

        test_context("shift %u", shift);
        make(&o, shift, &memory);
        CHECK(check_cache(&memory) >= 9 * 2);
        memory_sink_free(&memory);
    }
}

/* 9000 vertices are two parts. */
static void large_meshes_have_a_box_of_each_part(void)
{
    struct memory_sink memory = {0};

    make(&(struct synthetic_options){.frame_count = 3, .vertices = 9000}, 5,
         &memory);
    CHECK_EQ_U(check_cache(&memory), 3);
    memory_sink_free(&memory);
}

static void lifted_meshes_have_boxes(void)
{
    struct memory_sink memory = {0};

    synthetic_lift(&(struct synthetic_options){.frame_count = 9,
                                               .mesh_count = 2,
                                               .vertices = 300},
                   8, true, &memory);
    CHECK(cache_has_lifted(memory.bytes, memory.size));
    CHECK_EQ_U(check_cache(&memory), 18);
    memory_sink_free(&memory);
}

static void static_meshes_take_no_bytes(void)
{
    struct memory_sink memory = {0};
    struct cache_header header;

    make(&(struct synthetic_options){.frame_count = 3, .is_static = true}, 0,
         &memory);
    CHECK_EQ(spn__cache_header_read(memory.bytes, memory.size, &header, NULL),
             SPN_OK);
    CHECK_EQ_U(header.box_bytes, 0);
    CHECK_EQ_U(check_cache(&memory), 3);
    memory_sink_free(&memory);
}

/* -- damage -- */

/* 2 meshes of 6 ends of 13 bits: 4 bits of the last byte are left over. */
static void damaged_boxes_are_refused_or_harmless(void)
{
    struct memory_sink memory = {0};
    struct cache_checksums places;
    uint32_t refused = 0;
    uint32_t reserved = 0;

    make(&(struct synthetic_options){.frame_count = 2,
                                     .mesh_count = 2,
                                     .vertices = 9},
         3, &memory);
    cache_checksums_find(&places, memory.bytes, memory.size);
    for (size_t i = 0; i < 20; i++) {
        const size_t at =
            places.directories[1] + places.parts.directory_bytes - 20 + i;
        const uint8_t good = memory.bytes[at];

        for (uint32_t value = 0; value < 256; value++) {
            struct spn_fault fault = {0};
            spn_status status;

            memory.bytes[at] = (uint8_t)value;
            cache_checksums_apply(&places, memory.bytes);
            status = cache_walk_all(memory.bytes, memory.size, &fault);
            if (status == SPN_OK)
                continue;
            test_context("byte %zu is %u: %s", i, value, fault.what);
            CHECK_EQ(status, SPN_ERR_FORMAT);
            CHECK(fault.offset >= at - 4 && fault.offset <= at);
            if (strcmp(fault.what, "reserved bits") == 0)
                CHECK(i == 19 && value >= 16);
            else
                CHECK_STR(fault.what, "box of a part");
            reserved += i == 19 && value >= 16;
            refused++;
        }
        memory.bytes[at] = good;
    }
    CHECK_EQ_U(reserved, 240);
    CHECK(refused > reserved);
    cache_checksums_free(&places);
    memory_sink_free(&memory);
}

static void verify_finds_vertices_outside(void)
{
    struct memory_sink memory = {0};
    struct verify_report report;
    struct cache_checksums places;
    char path[1024];
    struct diag diag;

    make(&(struct synthetic_options){.frame_count = 5}, 0, &memory);
    cache_checksums_find(&places, memory.bytes, memory.size);
    snprintf(path, sizeof path, "%s/box.sgc", test_temp());
    for (int is_wrong = 0; is_wrong < 2; is_wrong++) {
        const struct verify_options options = {.cache = path};
        FILE *file = fopen(path, "wb");

        CHECK(file != NULL);
        CHECK_EQ_U(fwrite(memory.bytes, 1, memory.size, file), memory.size);
        CHECK_EQ(fclose(file), 0);
        diag_init(&diag);
        CHECK(verify_run(&options, &diag, &report));
        diag_finish(&diag);
        CHECK_EQ(report.vertices_outside > 0, is_wrong);
        if (is_wrong)
            CHECK_STR(report.failure, "vertices are outside of their boxes");
        else
            CHECK(report.failure == NULL);
        /* The box of frame 3 is a point. */
        memset(memory.bytes + places.directories[3] +
                   places.parts.directory_bytes - 12,
               0, 12);
        cache_checksums_apply(&places, memory.bytes);
    }
    cache_checksums_free(&places);
    memory_sink_free(&memory);
}

/* -- in the runtime -- */

static void decoded_frames_have_boxes(void)
{
    struct memory_sink memory = {0};
    static struct stage stage;
    struct cache_reader *reader;
    const struct cache *c;
    struct diag diag;
    spn_node node;

    make(&(struct synthetic_options){.frame_count = 9, .mesh_count = 2}, 4,
         &memory);
    diag_init(&diag);
    reader = cache_reader_open_memory("a", memory.bytes, memory.size, &diag);
    CHECK(reader != NULL);
    stage_init(&stage, NULL);
    slow_platform_add(&stage.disc, "a", memory.bytes, memory.size);
    stage_open(&stage);
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_start_streaming(stage.rt, node, 0), SPN_OK);
    stage_until_ready(&stage, node);
    c = spn__manager_node(&stage.rt->manager, node)->cursor.cache;
    for (uint32_t m = 0; m < 2; m++) {
        const struct decoded_frame *f = frame_slot_ready(c, 0);
        struct frame_decoder decoder;
        float expected[2][3];
        float min[3];
        float max[3];

        CHECK(f != NULL);
        CHECK(cache_reader_stored_frame(reader, 0, &decoder));
        spn__cache_mesh_box(cache_reader_header(reader),
                            cache_reader_tables(reader), decoder.directory, m,
                            expected[0], expected[1]);
        spn__decoded_frame_box(f, m, min, max);
        for (int k = 0; k < 3; k++) {
            CHECK(min[k] == expected[0][k] && max[k] == expected[1][k]);
            CHECK(min[k] < max[k]);
        }
    }
    stage_close(&stage);
    cache_reader_close(reader);
    diag_finish(&diag);
    memory_sink_free(&memory);
}

TEST_MAIN(TEST(boxes_contain_all_vertices_at_every_rounding),
          TEST(large_meshes_have_a_box_of_each_part),
          TEST(lifted_meshes_have_boxes), TEST(static_meshes_take_no_bytes),
          TEST(damaged_boxes_are_refused_or_harmless),
          TEST(verify_finds_vertices_outside), TEST(decoded_frames_have_boxes))
