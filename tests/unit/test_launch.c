/* test_launch.c
 *
 * Goal: a launch takes the whole closure of a frame or nothing, holds and
 * charges what it uses, and waits for frames that run already.
 * Method: an open cache without nodes, an account of the test, and jobs that
 * run when the test says so.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "play/frame_slot.h"
#include "play/group_read.h"
#include "play/group_table.h"
#include "play/launch.h"
#include "runtime.h"
#include "support/stage.h"

#define DISTANCE 20u
#define FRAMES 41u

static struct stage stage;
static struct manager *m;
static struct cache *c;
static struct account account;

static void open_cache(uint32_t promise)
{
    const struct tiny_options o = {
        .frame_count = FRAMES, .distance = DISTANCE, .vertices = 300};

    stage_init(&stage, tiny_build(&o));
    stage_open_late(&stage);
    m = &stage.rt->manager;
    c = &m->caches[0];
    spn__promise_begin(&m->promises);
    account = (struct account){
        .index = 1, .frame_promise = promise, .read_promise = promise};
    m->promises.promised_pages = 2 * promise;
    spn__promise_settle(&m->promises, &account);
}

static void close_cache(void)
{
    account = (struct account){.owed_pages = account.owed_pages,
                               .beyond_pages = account.beyond_pages};
    m->promises.promised_pages = 0;
    spn__promise_settle(&m->promises, &account);
    stage_close(&stage);
}

/* Read all groups. */
static struct group_read *read_all(void)
{
    const struct cache_group *last =
        cache_group_at(c, c->header.group_count - 1);
    const uint64_t offset =
        cache_group_at(c, 0)->offset / GROUP_READ_ALIGN * GROUP_READ_ALIGN;
    const struct group_request request = {
        .cache = c,
        .account = &account,
        .kind = PROMISE_WITHIN,
        .offset = offset,
        .bytes = (uint32_t)(last->offset + last->bytes - offset),
        .last_group = c->header.group_count - 1};
    struct group_read *r;

    CHECK_EQ(spn__group_read_start(&request, &r), SPN_OK);
    CHECK_EQ_U(account.pending_count, 1);
    stage_finish_read(&stage, r);
    CHECK_EQ_U(account.pending_count, 0);
    return r;
}

static uint32_t state_of(uint32_t number)
{
    return frame_slot_at(c, number)->state;
}

static void check_all(void)
{
    CHECK(spn__launch_check(m));
    CHECK(spn__frame_slot_check(c));
    CHECK(spn__keeper_check(&m->promises.keeper));
    CHECK(spn__promise_check(&m->promises));
}

/* Frame 5 refers to the index frames 0 and 20. */
static void a_closure_is_launched_as_a_whole(void)
{
    struct group_read *r;

    open_cache(200);
    r = read_all();
    CHECK_EQ(spn__launch(c, 5, &account), LAUNCH_STARTED);
    check_all();
    for (uint32_t n = 0; n < FRAMES; n++) {
        test_context("frame %u", n);
        CHECK_EQ_U(state_of(n),
                   n <= 5 || n == DISTANCE ? FRAME_RUNNING : FRAME_EMPTY);
    }
    CHECK_EQ_U(account.running_count, 7);
    CHECK_EQ_U(account.frame_pages, 7 * c->plan.frame_pages);
    CHECK_EQ_U(account.read_pages, r->kept.pages);
    CHECK_EQ_U(r->pins, 7);
    spn__launch_submit(m);
    CHECK_EQ_U(m->launches->unsubmitted_count, 0);
    spn__launch_collect(m);
    CHECK_EQ_U(account.running_count, 7);
    stage_run_jobs(&stage);
    spn__launch_collect(m);
    check_all();
    CHECK_EQ_U(account.running_count, 0);
    CHECK_EQ_U(r->pins, 0);
    CHECK_EQ_U(state_of(5), FRAME_READY);
    close_cache();
}

static void nothing_is_launched_without_data(void)
{
    open_cache(200);
    CHECK_EQ(spn__launch(c, 5, &account), LAUNCH_LACKS_DATA);
    check_all();
    CHECK_EQ_U(account.running_count, 0);
    CHECK_EQ_U(account.frame_pages, 0);
    CHECK_EQ_U(state_of(5), FRAME_EMPTY);
    close_cache();
}

/* All that is free is owed to somebody else. */
static void nothing_is_launched_without_memory(void)
{
    struct account other = {.index = 2};
    const struct keeper *k = &m->promises.keeper;
    uint32_t free_pages;

    open_cache(0);
    (void)read_all();
    k = &m->promises.keeper;
    free_pages = spn__heap_free_pages(m->promises.heap);
    other.frame_promise = free_pages - 2 * c->plan.frame_pages;
    m->promises.promised_pages = other.frame_promise;
    spn__promise_settle(&m->promises, &other);
    CHECK_EQ(spn__launch(c, 5, &account), LAUNCH_LACKS_MEMORY);
    check_all();
    CHECK_EQ_U(spn__heap_free_pages(m->promises.heap), free_pages);
    CHECK_EQ_U(k->held_pages, 0);
    CHECK_EQ_U(account.frame_pages + account.read_pages, 0);
    CHECK_EQ_U(state_of(0), FRAME_EMPTY);
    other.frame_promise = 0;
    m->promises.promised_pages = 0;
    spn__promise_settle(&m->promises, &other);
    /* Now it is beyond a promise, but owed to nobody. */
    CHECK_EQ(spn__launch(c, 5, &account), LAUNCH_STARTED);
    CHECK_EQ_U(account.beyond_pages, account.frame_pages + account.read_pages);
    CHECK_EQ_U(m->promises.beyond_pages, account.beyond_pages);
    spn__launch_submit(m);
    stage_run_jobs(&stage);
    spn__launch_collect(m);
    close_cache();
}

/* So are those between them. All count as lost when that one was. */
static void a_frame_that_refers_to_a_lost_one_is_lost(void)
{
    open_cache(200);
    (void)read_all();
    spn__frame_slot_fail(c, 0, FRAME_REFERENCE, NULL);
    m->promises.keeper.stamp++;
    CHECK_EQ(spn__launch(c, 5, &account), LAUNCH_FAILED);
    check_all();
    CHECK_EQ_U(state_of(5), FRAME_FAILED);
    CHECK_EQ_U(state_of(4), FRAME_FAILED);
    for (uint32_t i = 4; i <= 5; i++)
        CHECK_EQ_U(frame_slot_at(c, i)->failed_stamp,
                   frame_slot_at(c, 0)->failed_stamp);
    CHECK_EQ_U(state_of(DISTANCE), FRAME_EMPTY);
    close_cache();
}

static void run_all(void)
{
    spn__launch_submit(m);
    stage_run_jobs(&stage);
    spn__launch_collect(m);
    check_all();
}

/* Frame 0 runs, and as many frames wait for it as can. Of the closure, only the
 * other index frame can be launched. */
static void too_many_subscribers_postpone_a_launch(void)
{
    struct decoded_frame *first;

    open_cache(200);
    (void)read_all();
    CHECK_EQ(spn__launch(c, 0, &account), LAUNCH_STARTED);
    first = frame_slot_at(c, 0)->frame;
    first->reserved_count = FRAME_SUBSCRIBERS_MAX;
    CHECK_EQ(spn__launch(c, 5, &account), LAUNCH_POSTPONED);
    check_all();
    CHECK_EQ_U(first->reserved_count, FRAME_SUBSCRIBERS_MAX);
    CHECK_EQ_U(first->subscriber_count, 0);
    CHECK_EQ_U(account.running_count, 2);
    CHECK_EQ_U(state_of(1), FRAME_EMPTY);
    CHECK_EQ_U(state_of(DISTANCE), FRAME_RUNNING);
    run_all();
    CHECK_EQ(spn__launch(c, 5, &account), LAUNCH_STARTED);
    run_all();
    CHECK_EQ_U(state_of(5), FRAME_READY);
    close_cache();
}

TEST_MAIN(TEST(a_closure_is_launched_as_a_whole),
          TEST(nothing_is_launched_without_data),
          TEST(nothing_is_launched_without_memory),
          TEST(a_frame_that_refers_to_a_lost_one_is_lost),
          TEST(too_many_subscribers_postpone_a_launch))
