/* loop_calls.c - open, play, read and mount under faults; check the results. */
/* SPDX-License-Identifier: MIT */
#include "sim/loop_calls.h"

#include "harness.h"
#include "sim/fault_disc.h"

#include <stdlib.h>
#include <string.h>

#define TICKS_MAX 90u
#define DRAW_ITEMS 16u /* scene nodes of a cache */

static void run_worker(struct loop *l, uint64_t until_us)
{
    if (l->worker.rt)
        play_worker_run(&l->worker, until_us);
}

void loop_ticks(struct loop *l, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        run_worker(l, l->stage.disc.clock_us + STAGE_TICK_US);
        stage_tick(&l->stage, STAGE_TICK_US);
        run_worker(l, l->stage.disc.clock_us);
    }
}

bool loop_until(struct loop *l, bool (*is_there)(struct loop *loop))
{
    for (uint32_t i = 0; i < TICKS_MAX; i++) {
        if (is_there(l))
            return true;
        loop_ticks(l, 1);
    }
    return false;
}

bool loop_open(struct loop *l, uint32_t cache, const char *path)
{
    CHECK_EQ(spn_cache_open(l->stage.rt, path, &l->caches[cache]), SPN_OK);
    for (uint32_t i = 0; i < TICKS_MAX; i++) {
        spn_status status =
            spn_cache_get_status(l->stage.rt, l->caches[cache], NULL);

        if (status != SPN_PENDING)
            return status == SPN_OK;
        loop_ticks(l, 1);
    }
    return false;
}

/* Buffers of the engine, in all runs together. */
static uint32_t buffers_out;

static void *acquire(void *user, spn_cache cache, uint32_t frame)
{
    const spn_cache_info *info = user;

    (void)cache;
    (void)frame;
    buffers_out++;
    return malloc((size_t)info->vertex_count * 12);
}

static void release(void *user, spn_cache cache, uint32_t frame, void *vertices)
{
    (void)user;
    (void)cache;
    (void)frame;
    buffers_out--;
    free(vertices);
}

bool loop_open_with_buffers(struct loop *l, uint32_t cache, const char *path)
{
    static spn_cache_info info;
    const spn_frame_buffers buffers = {
        {.stride = 12, .position = {0, SPN_FORMAT_F32X3}},
        acquire,
        release,
        &info};

    /* The run before has ended. */
    CHECK_EQ_U(buffers_out, 0);
    if (!loop_open(l, cache, path))
        return false;
    CHECK_EQ(spn_cache_get_info(l->stage.rt, l->caches[cache], &info), SPN_OK);
    CHECK_EQ(
        spn_cache_set_frame_buffers(l->stage.rt, l->caches[cache], &buffers),
        SPN_OK);
    return true;
}

bool loop_is_ready(struct loop *l, uint32_t node)
{
    return l->nodes[node] && stage_state(&l->stage, l->nodes[node]).is_ready;
}

/* What is drawn can be filled. */
static void check_draw_list(const struct loop *l, spn_node node)
{
    static const spn_vertex_layout layout = {.stride = 12,
                                             .position = {0, SPN_FORMAT_F32X3}};
    static uint8_t vertices[LOOP_READ_BYTES];
    spn_draw_item items[DRAW_ITEMS];
    uint32_t count = 0;

    CHECK_EQ(
        spn_node_get_draw_list(l->stage.rt, node, items, DRAW_ITEMS, &count),
        SPN_OK);
    for (uint32_t i = 0; i < count; i++) {
        spn_fill_result result;

        CHECK_EQ(spn_node_fill(l->stage.rt, node, items[i].mesh, &layout,
                               vertices, sizeof vertices, &result),
                 SPN_OK);
        CHECK(result.is_visible);
    }
}

bool loop_play(struct loop *l, uint32_t node, uint32_t cache, int64_t time_us)
{
    const spn_node_desc desc = {.is_looping = 1};

    if (!l->nodes[node])
        CHECK_EQ(spn_node_create(l->stage.rt, l->caches[cache], &desc,
                                 &l->nodes[node]),
                 SPN_OK);
    CHECK_EQ(spn_node_set_playback_time(l->stage.rt, l->nodes[node], time_us),
             SPN_OK);
    for (uint32_t i = 0; i < TICKS_MAX && !loop_is_ready(l, node); i++) {
        loop_ticks(l, 1);
        check_draw_list(l, l->nodes[node]);
    }
    return loop_is_ready(l, node);
}

static spn_status give(const spn_read_want *want, void **buffer)
{
    struct loop_read *r = want->user;

    CHECK(want->bytes <= LOOP_READ_BYTES);
    *buffer = r->buffer;
    return SPN_OK;
}

/* A loose file has no checksums, and neither has a part of a stored block. */
static bool is_checked(const struct loop_read *r)
{
    return strcmp(r->path, "raw") != 0 && strcmp(r->path, "st") != 0;
}

static void check_bytes(const struct loop_read *r, uint64_t offset,
                        uint64_t bytes, const void *data)
{
    if (bytes > 0 && (!r->loop->is_damaged || is_checked(r)))
        fault_disc_check(r->path, offset, bytes, data);
}

/* Check the block that a read brought, and release it. */
static void empty_block(const struct loop_read *r,
                        const spn_read_result *result)
{
    spn_runtime *rt = r->loop->stage.rt;
    spn_extent extents[SPN_BLOCK_EXTENTS_MAX];
    uint32_t count = spn_block_get_extents(rt, result->block, extents,
                                           SPN_BLOCK_EXTENTS_MAX);
    uint64_t at = 0;

    CHECK_EQ(result->block != 0, result->bytes > 0);
    for (uint32_t i = 0; i < count; i++) {
        check_bytes(r, r->offset + at, extents[i].bytes, extents[i].data);
        at += extents[i].bytes;
    }
    CHECK_EQ_U(at, result->bytes);
    if (result->block)
        CHECK_EQ(spn_block_free(rt, result->block), SPN_OK);
}

static void on_async(const spn_read_result *result)
{
    struct loop_read *r = result->user;

    CHECK_EQ(++r->async_count, 1);
    CHECK_EQ(r->done_count, 0);
}

static void on_done(const spn_read_result *result)
{
    struct loop_read *r = result->user;

    CHECK_EQ(++r->done_count, 1);
    CHECK_EQ(r->async_count, 1);
    r->status = result->status;
    if (r->is_into_heap)
        empty_block(r, result);
    else
        check_bytes(r, r->offset, result->bytes, r->buffer);
}

struct loop_read *loop_read(struct loop *l, const char *path, uint64_t offset,
                            uint64_t bytes, enum loop_memory memory)
{
    struct loop_read *r = &l->reads[l->read_count++];
    spn_read_desc desc = {.path = path,
                          .offset = offset,
                          .bytes = bytes,
                          .priority = SPN_PRIORITY_NORMAL,
                          .on_async = on_async,
                          .on_done = on_done,
                          .user = r};

    CHECK(l->read_count <= LOOP_READS);
    *r = (struct loop_read){.loop = l,
                            .path = path,
                            .offset = offset,
                            .bytes = bytes,
                            .is_into_heap = memory == LOOP_BLOCK};
    if (memory == LOOP_BLOCK) {
        desc.flags = SPN_READ_INTO_HEAP;
    } else if (memory == LOOP_STORAGE) {
        desc.on_storage = give;
    } else {
        desc.buffer = r->buffer;
        desc.buffer_bytes = bytes;
    }
    CHECK_EQ(spn_read_start(l->stage.rt, &desc, &r->read), SPN_OK);
    r->is_started = true;
    return r;
}

bool loop_are_reads_over(struct loop *l)
{
    for (uint32_t i = 0; i < l->read_count; i++)
        if (l->reads[i].done_count == 0)
            return false;
    return true;
}

bool loop_are_reads_good(const struct loop *l)
{
    for (uint32_t i = 0; i < l->read_count; i++)
        if (l->reads[i].done_count != 1 || l->reads[i].status != SPN_OK)
            return false;
    return true;
}

bool loop_mount(struct loop *l)
{
    CHECK_EQ(spn_pak_mount(l->stage.rt, "p", &l->pak), SPN_OK);
    for (uint32_t i = 0; i < TICKS_MAX; i++) {
        spn_status status = spn_pak_get_status(l->stage.rt, l->pak, NULL);

        if (status != SPN_PENDING)
            return status == SPN_OK;
        loop_ticks(l, 1);
    }
    return false;
}
