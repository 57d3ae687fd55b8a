/* fault_loop.c - inject faults, repeat the scenario, check the runtime
 * afterwards. */
/* SPDX-License-Identifier: MIT */
#include "sim/fault_loop.h"

#include "anim/anim_system.h"
#include "common/codecs.h"
#include "harness.h"
#include "runtime.h"
#include "sim/fault_disc.h"
#include "sim/heap_fault.h"

#include <stdlib.h>
#include <string.h>

#define TICKS_MAX 90u
#define DRAW_ITEMS 16u /* scene nodes of a cache */
#define RUNS_MAX 3000u
/* The second fault hits one of the next few places after the first, where the
 * error path of the first one runs. Later it would be a single fault again. */
#define BEHIND_MAX 4u
#define SCRIBBLE 0xeb

/* -- faults -- */

static bool injection_occurs(struct loop_injection *s, enum loop_fault fault)
{
    if (fault != s->fault || s->at == 0)
        return false;
    s->count++;
    if (s->count < s->at || (s->count > s->at && !s->is_for_ever))
        return false;
    s->has_occurred = true;
    return true;
}

static bool fault_occurs(struct loop *l, enum loop_fault fault)
{
    struct loop_injection *first = &l->injection[0];

    return (first->has_occurred && injection_occurs(&l->injection[1], fault)) ||
           injection_occurs(first, fault);
}

static bool no_memory(void *user)
{
    return fault_occurs(user, LOOP_ALLOCATION);
}

static spn_status open_file(void *user, const char *path,
                            spn_platform_file_info *info)
{
    struct loop *l = user;
    const spn_platform *real = &l->stage.disc.table;

    if (fault_occurs(l, LOOP_OPEN))
        return SPN_ERR_IO;
    return real->file_open(real->user, path, info);
}

static void close_file(void *user, spn_platform_file file)
{
    const spn_platform *real = &((struct loop *)user)->stage.disc.table;

    real->file_close(real->user, file);
}

/* Decide the damage of a read when it begins, at its count. */
static void damage_read(struct loop *l, const spn_extent *extents,
                        uint32_t extent_count, uint32_t tag)
{
    static const enum loop_fault faults[] = {LOOP_READ, LOOP_SHORT,
                                             LOOP_DAMAGE};
    struct loop_damage *w = l->damages;

    while (w->tag != 0)
        w++;
    for (uint32_t i = 0; i < 3; i++) {
        if (!fault_occurs(l, faults[i]))
            continue;
        *w = (struct loop_damage){
            .fault = faults[i], .tag = tag, .extent_count = extent_count};
        memcpy(w->extents, extents, extent_count * sizeof *extents);
    }
}

/* Byte `at` of a read's memory. */
static uint8_t *byte_of(const struct loop_damage *w, uint64_t at)
{
    uint32_t i = 0;

    for (; at >= w->extents[i].bytes; i++)
        at -= w->extents[i].bytes;
    return (uint8_t *)w->extents[i].data + at;
}

static void apply_damage(struct loop *l, struct loop_damage *w,
                         spn_platform_completion *out)
{
    uint64_t half = out->bytes / 2 + out->bytes % 2;

    if (w->fault == LOOP_READ)
        *out = (spn_platform_completion){.tag = w->tag, .status = SPN_ERR_IO};
    for (uint64_t i = half; w->fault == LOOP_SHORT && i < out->bytes; i++)
        *byte_of(w, i) = SCRIBBLE;
    if (w->fault == LOOP_SHORT)
        out->bytes = half;
    if (w->fault == LOOP_DAMAGE && out->bytes > 0) {
        *byte_of(w, out->bytes / 2) ^= 4;
        l->is_damaged = true;
    }
    w->tag = 0;
}

static spn_status submit(void *user, spn_platform_file file, uint64_t offset,
                         const spn_extent *extents, uint32_t extent_count,
                         uint32_t tag)
{
    struct loop *l = user;
    const spn_platform *real = &l->stage.disc.table;

    if (fault_occurs(l, LOOP_REFUSE))
        return SPN_ERR_IO;
    damage_read(l, extents, extent_count, tag);
    return real->read_submit(real->user, file, offset, extents, extent_count,
                             tag);
}

static spn_status poll(void *user, spn_platform_completion *out,
                       uint64_t *due_us)
{
    struct loop *l = user;
    const spn_platform *real = &l->stage.disc.table;
    spn_status status = real->read_poll(real->user, out, due_us);

    for (uint32_t i = 0; status == SPN_OK && i < SPN_MEDIUM_COUNT; i++)
        if (l->damages[i].tag != 0 && l->damages[i].tag == out->tag)
            apply_damage(l, &l->damages[i], out);
    return status;
}

static void cancel(void *user, uint32_t tag)
{
    const spn_platform *real = &((struct loop *)user)->stage.disc.table;

    real->read_cancel(real->user, tag);
}

static uint64_t now_us(void *user)
{
    return ((struct loop *)user)->stage.disc.clock_us;
}

/* -- functions for scenarios -- */

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

/* -- one run -- */

static void on_decoded(void *user, const spn_event *event)
{
    play_worker_charge(user, event);
}

static void add_worker(struct loop *l, uint32_t decode_us)
{
    play_worker_init(&l->worker, decode_us, &l->stage.config);
    l->listener = (spn_listener){.user = &l->worker, .decode_end = on_decoded};
    l->stage.config.listener = &l->listener;
}

static void start(struct loop *l, const struct loop_case *c)
{
    stage_init(&l->stage, NULL);
    l->table = (spn_platform){.user = l,
                              .file_open = open_file,
                              .file_close = close_file,
                              .read_submit = submit,
                              .read_poll = poll,
                              .read_cancel = cancel,
                              .now_us = now_us};
    fault_disc_fill(&l->stage.disc);
    l->stage.disc.bytes_per_second = 8 << 20;
    l->stage.disc.seek_us = 2000;
    l->stage.config =
        (spn_config){.platform = &l->table,
                     .heap_bytes = c->heap_bytes ? c->heap_bytes : 1u << 20,
                     .read_count = 16,
                     .file_count = 8,
                     .job_count = 64,
                     .cache_count = 4,
                     .node_count = LOOP_NODES,
                     .stream_frame_count = 48,
                     .piece_bytes = 16384,
                     .trace_count = 16,
                     .pak_count = 2,
                     .unpack_bytes = 65536,
                     .codecs = codecs_extra,
                     .codec_count = CODECS_EXTRA_COUNT};
    if (c->prepare)
        c->prepare(l);
    if (c->decode_us > 0)
        add_worker(l, c->decode_us);
    stage_start(&l->stage);
    if (c->decode_us > 0)
        l->worker.rt = l->stage.rt;
    heap_fault = (struct heap_fault){.fails = no_memory, .user = l};
}

static bool is_record_over(struct loop *l)
{
    uint32_t count;
    uint32_t lost;

    return spn_record_stop(l->stage.rt, &count, &lost) != SPN_PENDING;
}

/* An image of animation clips stays for the life of the runtime. */
static bool is_empty(struct loop *l)
{
    const struct anim *a = l->stage.rt->anim;
    const uint32_t lasting = a && a->image.block != 0;

    return l->stage.rt->heap.stats.live_blocks == lasting &&
           l->stage.rt->manager.cache_pool.used == 0 &&
           l->stage.rt->manager.node_pool.used == 0 &&
           l->stage.disc.opens == l->stage.disc.closes;
}

static void close_all(struct loop *l)
{
    spn_runtime *rt = l->stage.rt;

    for (uint32_t i = 0; i < LOOP_NODES; i++)
        if (l->nodes[i])
            CHECK_EQ(spn_node_destroy(rt, l->nodes[i]), SPN_OK);
    for (uint32_t i = 0; i < LOOP_CACHES; i++)
        if (l->caches[i])
            CHECK_EQ(spn_cache_close(rt, l->caches[i]), SPN_OK);
    if (l->pak)
        CHECK_EQ(spn_pak_unmount(rt, l->pak), SPN_OK);
    memset(l->nodes, 0, sizeof l->nodes);
    memset(l->caches, 0, sizeof l->caches);
    l->pak = 0;
    CHECK(loop_until(l, is_record_over));
    CHECK(loop_until(l, loop_are_reads_over));
    for (uint32_t i = 0; i < l->read_count; i++)
        CHECK(l->reads[i].done_count == 1 && l->reads[i].async_count == 1);
    l->read_count = 0;
    CHECK(loop_until(l, is_empty));
}

/* The runtime must work as before the faults: it plays and reads true bytes. */
static void check_works(struct loop *l)
{
    l->is_damaged = false;
    /* A slow worker is not known to be fast now. */
    CHECK_EQ(spn_tuning_set(l->stage.rt, "leave_out", "0"), SPN_OK);
    CHECK(loop_open(l, 0, "a"));
    for (uint32_t frame = 0; frame < 6; frame += 2) {
        CHECK(loop_play(l, 0, 0, frame * FAULT_DISC_FRAME_US));
        l->stage.tiny = fault_disc_tiny();
        stage_check_frame(&l->stage, l->nodes[0], 0, frame);
        l->stage.tiny = NULL;
    }
    (void)loop_read(l, "raw", 100, 5000, LOOP_BUFFER);
    CHECK(loop_mount(l));
    (void)loop_read(l, "zs", 10, 60000, LOOP_STORAGE);
    CHECK(loop_until(l, loop_are_reads_over));
    CHECK(loop_are_reads_good(l));
    close_all(l);
}

/* Whether the scenario had to give up: a cache found no memory twice, although
 * no other cache or pak held any. */
static bool has_given_up(const struct loop *l)
{
    for (uint32_t i = 0; i < LOOP_CACHES && !l->pak; i++) {
        spn_status status =
            spn_cache_get_status(l->stage.rt, l->caches[i], NULL);

        if (status == SPN_OK || status == SPN_ERR_MEMORY)
            return status == SPN_ERR_MEMORY;
    }
    return false;
}

/* Faults that did not occur, or that retries repair, must not prevent
 * success. */
static void check_came_there(const struct loop *l, bool is_there)
{
    const struct loop_injection *s = l->injection;

    if (!s[0].has_occurred)
        CHECK(is_there);
    if (s[0].is_for_ever || s[0].fault == LOOP_OPEN ||
        s[0].fault == LOOP_DAMAGE)
        return;
    if (!s[1].has_occurred)
        CHECK(is_there);
    else if (s[0].fault == LOOP_ALLOCATION && s[1].fault == LOOP_ALLOCATION)
        CHECK(is_there || has_given_up(l));
}

/* Run with faults at their places. Returns how many of them occurred. */
static uint32_t run_once(const struct loop_case *c,
                         const struct loop_injection injection[2])
{
    struct loop *l = calloc(1, sizeof *l);
    uint32_t occurred;
    bool is_there;

    CHECK(l != NULL);
    test_context("%s: fault %d at %llu%s, %d at %llu behind it", c->name,
                 (int)injection[0].fault, (unsigned long long)injection[0].at,
                 injection[0].is_for_ever ? " and for ever" : "",
                 (int)injection[1].fault, (unsigned long long)injection[1].at);
    memcpy(l->injection, injection, sizeof l->injection);
    start(l, c);
    is_there = c->run(l);
    occurred =
        (uint32_t)l->injection[0].has_occurred + l->injection[1].has_occurred;
    check_came_there(l, is_there);
    l->injection[0].at = l->injection[1].at = 0;
    l->worker.frame_us = 0;
    if (l->stage.rt) {
        close_all(l);
        check_works(l);
        if (c->check) {
            c->check(l);
            close_all(l);
        }
    }
    stage_close(&l->stage);
    CHECK_EQ(l->stage.disc.opens, l->stage.disc.closes);
    heap_fault = (struct heap_fault){0};
    free(l);
    return occurred;
}

uint64_t loop_run(const struct loop_case *c, enum loop_fault fault)
{
    uint64_t runs = 0;

    for (int is_for_ever = 0; is_for_ever < 2; is_for_ever++)
        for (uint64_t at = 1;; at++) {
            const struct loop_injection injection[2] = {
                {.fault = fault, .is_for_ever = is_for_ever, .at = at}};

            CHECK(at < RUNS_MAX);
            runs++;
            if (run_once(c, injection) == 0)
                break;
        }
    return runs;
}

uint64_t loop_run_pairs(const struct loop_case *c, enum loop_fault first,
                        enum loop_fault second)
{
    uint64_t runs = 0;

    for (uint64_t at = 1;; at++) {
        for (uint64_t behind = 1; behind <= BEHIND_MAX; behind++) {
            const struct loop_injection injection[2] = {
                {.fault = first, .at = at}, {.fault = second, .at = behind}};
            uint32_t occurred;

            CHECK(at < RUNS_MAX);
            runs++;
            occurred = run_once(c, injection);
            if (occurred == 0)
                return runs;
            if (occurred == 1)
                break;
        }
    }
}
