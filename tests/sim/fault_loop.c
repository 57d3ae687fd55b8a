/* fault_loop.c - repeat the scenario, and check the runtime afterwards. */
/* SPDX-License-Identifier: MIT */
#include "sim/fault_loop.h"

#include "anim/anim_system.h"
#include "common/codecs.h"
#include "harness.h"
#include "runtime.h"
#include "sim/fault_disc.h"
#include "sim/heap_fault.h"
#include "sim/loop_calls.h"
#include "sim/loop_faults.h"

#include <stdlib.h>
#include <string.h>

#define RUNS_MAX 3000u
/* The second fault hits one of the next few places after the first, where the
 * error path of the first one runs. Later it would be a single fault again. */
#define BEHIND_MAX 4u

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
    loop_faults_make_table(l);
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
    loop_faults_in_heap(l);
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
