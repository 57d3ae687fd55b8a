/* test_api_cache.c
 *
 * Goal: every function of a cache returns the statuses that geom.h and
 *   geom_cache.h state, in the order stated there, and writes its outputs only
 *   on SPN_OK.
 * Method: a table of the functions. Each is called in every state of a cache,
 *   with a pointer missing, and with a number out of its range.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/stage.h"

#include <string.h>

static struct stage stage;

/* The outputs of a call. */
static union {
    uint8_t bytes[2048];
    spn_fault fault;
    spn_cache_info info;
    spn_mesh_info mesh;
    spn_mesh_id mesh_id;
    spn_material_range range;
    spn_scene_node_info node;
    uint64_t needed;
    int64_t time_us;
    uint16_t indices[300];
} output;

enum flaw { GOOD, NO_POINTER, OUT_OF_RANGE };

struct call {
    const char *name;
    spn_status (*call)(spn_runtime *rt, spn_cache cache, enum flaw flaw);
    bool has_pointer; /* must not be NULL */
    bool has_range;
};

static spn_status call_info(spn_runtime *rt, spn_cache cache, enum flaw flaw)
{
    return spn_cache_get_info(rt, cache,
                              flaw == NO_POINTER ? NULL : &output.info);
}

static spn_status call_heap(spn_runtime *rt, spn_cache cache, enum flaw flaw)
{
    return spn_cache_heap_needed(rt, cache, 3,
                                 flaw == NO_POINTER ? NULL : &output.needed);
}

static spn_status call_time(spn_runtime *rt, spn_cache cache, enum flaw flaw)
{
    return spn_cache_get_frame_time(rt, cache, flaw == OUT_OF_RANGE ? 31 : 30,
                                    flaw == NO_POINTER ? NULL
                                                       : &output.time_us);
}

static spn_status call_mesh(spn_runtime *rt, spn_cache cache, enum flaw flaw)
{
    return spn_cache_get_mesh(rt, cache, flaw == OUT_OF_RANGE ? 1 : 0,
                              flaw == NO_POINTER ? NULL : &output.mesh);
}

static spn_status call_mesh_id(spn_runtime *rt, spn_cache cache, enum flaw flaw)
{
    return spn_cache_get_mesh_id(rt, cache, flaw == OUT_OF_RANGE ? 1 : 0,
                                 flaw == NO_POINTER ? NULL : &output.mesh_id);
}

static spn_status call_material(spn_runtime *rt, spn_cache cache,
                                enum flaw flaw)
{
    return spn_cache_get_material(rt, cache, 0, flaw == OUT_OF_RANGE ? 1 : 0,
                                  flaw == NO_POINTER ? NULL : &output.range);
}

static spn_status call_material_mesh(spn_runtime *rt, spn_cache cache,
                                     enum flaw flaw)
{
    return spn_cache_get_material(rt, cache, flaw == OUT_OF_RANGE ? 1 : 0, 0,
                                  flaw == NO_POINTER ? NULL : &output.range);
}

static spn_status call_node(spn_runtime *rt, spn_cache cache, enum flaw flaw)
{
    return spn_cache_get_scene_node(rt, cache, flaw == OUT_OF_RANGE ? 2 : 1,
                                    flaw == NO_POINTER ? NULL : &output.node);
}

static spn_status call_indices_mesh(spn_runtime *rt, spn_cache cache,
                                    enum flaw flaw)
{
    return spn_cache_copy_indices(rt, cache, flaw == OUT_OF_RANGE ? 1 : 0, 2,
                                  output.indices, 300);
}

static spn_status call_indices_bytes(spn_runtime *rt, spn_cache cache,
                                     enum flaw flaw)
{
    return spn_cache_copy_indices(rt, cache, 0, flaw == OUT_OF_RANGE ? 3 : 2,
                                  output.indices, 300);
}

static spn_status call_indices_room(spn_runtime *rt, spn_cache cache,
                                    enum flaw flaw)
{
    return spn_cache_copy_indices(rt, cache, 0, 2, output.indices,
                                  flaw == OUT_OF_RANGE ? 299 : 300);
}

static spn_status call_indices_null(spn_runtime *rt, spn_cache cache,
                                    enum flaw flaw)
{
    return spn_cache_copy_indices(
        rt, cache, 0, 4, flaw == OUT_OF_RANGE ? NULL : output.bytes, 1 << 30);
}

static spn_status call_status(spn_runtime *rt, spn_cache cache, enum flaw flaw)
{
    (void)flaw;
    return spn_cache_get_status(rt, cache, NULL);
}

static const struct call calls[] = {
    {"get_status", call_status, false, false},
    {"get_info", call_info, true, false},
    {"heap_needed", call_heap, true, false},
    {"get_frame_time", call_time, true, true},
    {"get_mesh", call_mesh, true, true},
    {"get_mesh_id", call_mesh_id, true, true},
    {"get_material", call_material, true, true},
    {"get_material of a mesh", call_material_mesh, true, true},
    {"get_scene_node", call_node, true, true},
    {"copy_indices of a mesh", call_indices_mesh, false, true},
    {"copy_indices of 3 bytes", call_indices_bytes, false, true},
    {"copy_indices to few", call_indices_room, false, true},
    {"copy_indices to nowhere", call_indices_null, false, true},
};
#define CALLS (sizeof calls / sizeof calls[0])

static void is_untouched(void)
{
    for (size_t i = 0; i < sizeof output; i++)
        CHECK_EQ(output.bytes[i], 0x5a);
}

static void check_call(const struct call *c, spn_runtime *rt, spn_cache cache,
                       enum flaw flaw, spn_status expected)
{
    static const char *const ways[] = {"", " without a pointer",
                                       " out of range"};

    test_context("%s%s", c->name, ways[flaw]);
    memset(&output, 0x5a, sizeof output);
    CHECK_EQ(c->call(rt, cache, flaw), expected);
    if (expected != SPN_OK)
        is_untouched();
}

/* Call all functions on a cache without tables. Each returns `expected`, except
 * for a missing pointer or runtime, which is checked first. */
static void check_all(spn_cache cache, spn_status expected)
{
    for (size_t i = 0; i < CALLS; i++) {
        check_call(&calls[i], stage.rt, cache, GOOD, expected);
        if (calls[i].has_range)
            check_call(&calls[i], stage.rt, cache, OUT_OF_RANGE, expected);
        if (calls[i].has_pointer)
            check_call(&calls[i], stage.rt, cache, NO_POINTER, SPN_ERR_ARG);
        check_call(&calls[i], NULL, cache, GOOD, SPN_ERR_ARG);
    }
}

static spn_status outcome(spn_cache cache, spn_fault *fault)
{
    spn_status status = SPN_PENDING;

    for (int i = 0; i < 200 && status == SPN_PENDING; i++) {
        stage_tick(&stage, STAGE_TICK_US);
        status = spn_cache_get_status(stage.rt, cache, fault);
    }
    return status;
}

static void cache_calls_refuse_invalid_handles(void)
{
    static const spn_cache words[] = {0, 1, 0xffff, 0x10001, 0xffffffff};

    stage_init(&stage, tiny_build(NULL));
    stage_open(&stage);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        check_all(words[i], SPN_ERR_HANDLE);
    check_all(stage.cache ^ 0x20000, SPN_ERR_HANDLE);
    CHECK_EQ(spn_cache_close(stage.rt, stage.cache), SPN_OK);
    CHECK_EQ(spn_cache_close(stage.rt, stage.cache), SPN_ERR_HANDLE);
    CHECK_EQ(spn_cache_close(stage.rt, 0), SPN_ERR_HANDLE);
    CHECK_EQ(spn_cache_close(NULL, stage.cache), SPN_ERR_ARG);
    check_all(stage.cache, SPN_ERR_HANDLE);
    stage_close(&stage);
}

static void cache_calls_are_pending_while_it_opens(void)
{
    uint32_t ticks = 0;

    stage_init(&stage, tiny_build(NULL));
    stage.disc.seek_us = 30000;
    stage_start(&stage);
    CHECK_EQ(spn_cache_open(stage.rt, "a", &stage.cache), SPN_OK);
    while (spn_cache_get_status(stage.rt, stage.cache, NULL) == SPN_PENDING) {
        check_all(stage.cache, SPN_PENDING);
        stage_tick(&stage, STAGE_TICK_US);
        ticks++;
    }
    CHECK(ticks > 3);
    stage_close(&stage);
}

static void cache_calls_return_the_cause_of_a_failure(void)
{
    static const struct {
        spn_status status;
        uint64_t flipped; /* byte offset of the damage, 0: none */
        uint32_t heap_bytes;
        enum slow_kind kind; /* set with has_fault */
        bool has_fault;
        uint32_t align_bytes;
    } rows[] = {
        {.status = SPN_ERR_FORMAT, .flipped = 1},
        {.status = SPN_ERR_VERSION, .flipped = 8},
        {.status = SPN_ERR_CHECKSUM, .flipped = 20},
        {.status = SPN_ERR_IO, .has_fault = true, .kind = SLOW_ERROR},
        {.status = SPN_ERR_IO, .has_fault = true, .kind = SLOW_OPEN_ERROR},
        {.status = SPN_ERR_NOT_FOUND,
         .has_fault = true,
         .kind = SLOW_OPEN_MISSING},
        {.status = SPN_ERR_PLATFORM, .align_bytes = 8192},
        {.status = SPN_ERR_MEMORY, .heap_bytes = 65536},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        /* 50,000 vertices do not fit 64 KiB. */
        struct tiny_options o = {.vertices = rows[i].heap_bytes ? 50000 : 300,
                                 .has_static_mesh = true};
        spn_fault fault;
        spn_node node;

        test_context("row %zu", i);
        stage_init(&stage, tiny_build(&o));
        stage.config.heap_bytes = rows[i].heap_bytes;
        stage.disc.align_bytes = rows[i].align_bytes;
        if (rows[i].flipped)
            stage.tiny->bytes[rows[i].flipped] ^= 0x40;
        if (rows[i].has_fault)
            slow_platform_fault(&stage.disc,
                                &(struct slow_fault){.kind = rows[i].kind});
        stage_start(&stage);
        CHECK_EQ(spn_cache_open(stage.rt, "a", &stage.cache), SPN_OK);
        CHECK_EQ(outcome(stage.cache, &fault), rows[i].status);
        check_all(stage.cache, rows[i].status);
        /* A node on this cache can be created, and returns the same status. */
        node = stage_node(&stage, false);
        CHECK_EQ(stage_state(&stage, node).status, rows[i].status);
        CHECK_EQ(spn_cache_close(stage.rt, stage.cache), SPN_OK);
        stage_close(&stage);
    }
}

static void cache_calls_validate_ranges_once_it_is_open(void)
{
    stage_init(&stage, tiny_build(NULL));
    stage_open(&stage);
    for (size_t i = 0; i < CALLS; i++) {
        check_call(&calls[i], stage.rt, stage.cache, GOOD, SPN_OK);
        check_call(&calls[i], NULL, stage.cache, GOOD, SPN_ERR_ARG);
        if (calls[i].has_range)
            check_call(&calls[i], stage.rt, stage.cache, OUT_OF_RANGE,
                       SPN_ERR_ARG);
        if (calls[i].has_pointer)
            check_call(&calls[i], stage.rt, stage.cache, NO_POINTER,
                       SPN_ERR_ARG);
    }
    stage_close(&stage);
}

static void large_meshes_have_no_narrow_indices(void)
{
    struct tiny_options o = {.vertices = 65537, .frame_count = 2};
    static uint32_t wide[65537];

    stage_init(&stage, tiny_build(&o));
    stage.config.heap_bytes = 32u << 20;
    stage_open(&stage);
    CHECK_EQ(spn_cache_copy_indices(stage.rt, stage.cache, 0, 2, wide, 65537),
             SPN_ERR_RANGE);
    CHECK_EQ(spn_cache_copy_indices(stage.rt, stage.cache, 0, 4, wide, 65537),
             SPN_OK);
    stage_close(&stage);
}

static void a_path_is_validated_by_open(void)
{
    char path[SPN_PATH_BYTES_MAX + 1];
    spn_cache cache = 77;

    stage_init(&stage, NULL);
    stage.config.cache_count = 2;
    stage_start(&stage);
    memset(path, 'x', sizeof path);
    path[SPN_PATH_BYTES_MAX] = 0;
    CHECK_EQ(spn_cache_open(stage.rt, path, &cache), SPN_ERR_ARG);
    CHECK_EQ(spn_cache_open(stage.rt, "", &cache), SPN_ERR_ARG);
    CHECK_EQ(spn_cache_open(stage.rt, NULL, &cache), SPN_ERR_ARG);
    CHECK_EQ(spn_cache_open(stage.rt, "a", NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_cache_open(NULL, "a", &cache), SPN_ERR_ARG);
    CHECK_EQ(cache, 77);
    path[SPN_PATH_BYTES_MAX - 1] = 0;
    CHECK_EQ(spn_cache_open(stage.rt, path, &cache), SPN_OK);
    CHECK_EQ(outcome(cache, NULL), SPN_ERR_NOT_FOUND);
    stage_close(&stage);
}

static void tables_of_caches_and_files_can_be_full(void)
{
    for (int of_files = 0; of_files < 2; of_files++) {
        spn_cache caches[2];
        spn_cache more = 77;

        test_context("%s", of_files ? "files" : "caches");
        stage_init(&stage, NULL);
        stage.config.cache_count = of_files ? 8 : 2;
        stage.config.file_count = of_files ? 2 : 8;
        stage_start(&stage);
        CHECK_EQ(spn_cache_open(stage.rt, "a", &caches[0]), SPN_OK);
        CHECK_EQ(spn_cache_open(stage.rt, "b", &caches[1]), SPN_OK);
        CHECK_EQ(spn_cache_open(stage.rt, "c", &more), SPN_ERR_TABLE_FULL);
        CHECK_EQ(more, 77);
        CHECK_EQ(spn_cache_close(stage.rt, caches[1]), SPN_OK);
        /* The cache is still closing. */
        CHECK_EQ(spn_cache_open(stage.rt, "c", &more), SPN_ERR_TABLE_FULL);
        for (int i = 0; i < 10; i++)
            stage_tick(&stage, STAGE_TICK_US);
        CHECK_EQ(spn_cache_open(stage.rt, "c", &more), SPN_OK);
        stage_close(&stage);
    }
}

static void heap_needed_saturates(void)
{
    uint64_t bytes[2];

    stage_init(&stage, tiny_build(NULL));
    stage_open(&stage);
    CHECK_EQ(spn_cache_heap_needed(stage.rt, stage.cache, 1, &bytes[0]),
             SPN_OK);
    CHECK_EQ(
        spn_cache_heap_needed(stage.rt, stage.cache, UINT32_MAX, &bytes[1]),
        SPN_OK);
    CHECK(bytes[0] > 0);
    CHECK(bytes[1] / UINT32_MAX <= bytes[0]);
    CHECK(bytes[1] > (uint64_t)UINT32_MAX * 4096);
    stage_close(&stage);
}

static spn_runtime *late_runtime;
static spn_status late[3];

/* In the callback of a read that shutdown ended, every function that starts
 * something fails. */
static void open_late(const spn_read_result *result)
{
    static uint8_t byte;
    spn_read_desc desc = {
        .path = "a", .bytes = 1, .buffer = &byte, .buffer_bytes = 1};
    spn_cache cache;
    spn_file file;
    spn_read read;

    CHECK_EQ(result->status, SPN_ERR_SHUTDOWN);
    late[0] = spn_cache_open(late_runtime, "other", &cache);
    late[1] = spn_file_open(late_runtime, "other", &file);
    late[2] = spn_read_start(late_runtime, &desc, &read);
}

static void nothing_opens_inside_shutdown(void)
{
    static uint8_t byte;
    spn_read_desc desc = {.path = "a",
                          .bytes = 1,
                          .buffer = &byte,
                          .buffer_bytes = 1,
                          .on_done = open_late};
    spn_read read;

    stage_init(&stage, tiny_build(NULL));
    stage_start(&stage);
    late_runtime = stage.rt;
    CHECK_EQ(spn_read_start(stage.rt, &desc, &read), SPN_OK);
    stage_close(&stage);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(late[i], SPN_ERR_SHUTDOWN);
}

TEST_MAIN(TEST(cache_calls_refuse_invalid_handles),
          TEST(cache_calls_are_pending_while_it_opens),
          TEST(cache_calls_return_the_cause_of_a_failure),
          TEST(cache_calls_validate_ranges_once_it_is_open),
          TEST(large_meshes_have_no_narrow_indices),
          TEST(a_path_is_validated_by_open),
          TEST(tables_of_caches_and_files_can_be_full),
          TEST(heap_needed_saturates), TEST(nothing_opens_inside_shutdown))
