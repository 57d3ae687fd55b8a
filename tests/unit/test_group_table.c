/* test_group_table.c
 *
 * Goal: the table says for each group which parts of it no read has, and a read
 * counts for exactly the parts that it covers as a whole.
 * Method: an open cache without nodes, and records of reads without I/O.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "play/frame_slot.h"
#include "play/group_table.h"
#include "runtime.h"
#include "support/stage.h"

#define FRAMES 41u /* in groups of 1, 10, 10, 10, 10 frames */
#define GROUPS 5u
#define EVERYTHING (GROUP_ANCHOR | GROUP_BODY | GROUP_BORDER)

static struct stage stage;
static struct cache *c;

static void open_cache(void)
{
    const struct tiny_options o = {.frame_count = FRAMES};

    stage_init(&stage, tiny_build(&o));
    stage_open(&stage);
    c = &stage.rt->manager.caches[0];
    CHECK_EQ_U(c->header.group_count, GROUPS);
}

static uint32_t missing_of(uint32_t group, uint32_t first, uint32_t limit)
{
    bool is_wanted;

    return spn__group_table_missing(c, group, 0, first, limit, &is_wanted);
}

static uint32_t missing(uint32_t group)
{
    return missing_of(group, 0, FRAMES);
}

static uint64_t offset_of(uint32_t number)
{
    return cache_frame_at(c, number)->offset;
}

/* Enter record `index` as a read of bytes [first, limit) of the file. */
static struct group_read *enter(uint32_t index, uint64_t first, uint64_t limit)
{
    struct group_read *r = &stage.rt->manager.group_reads.table[index];

    r->cache = c;
    r->state = READ_PENDING;
    r->offset = first;
    r->bytes = (uint32_t)(limit - first);
    spn__group_table_enter(r, 0, GROUPS - 1);
    CHECK(spn__group_table_check(c));
    return r;
}

static void leave(struct group_read *r)
{
    spn__group_table_leave(r);
    r->cache = NULL;
    r->state = READ_FREE;
}

static void everything_is_missing_at_first(void)
{
    bool is_wanted = false;

    open_cache();
    CHECK_EQ_U(missing(0), GROUP_BODY | GROUP_BORDER);
    for (uint32_t g = 1; g < GROUPS - 1; g++)
        CHECK_EQ_U(missing(g), EVERYTHING);
    /* Nothing follows the last group. */
    CHECK_EQ_U(missing(GROUPS - 1), GROUP_ANCHOR | GROUP_BODY);
    CHECK_EQ_U(spn__group_border(c, 1), 10);
    CHECK_EQ_U(spn__group_border(c, GROUPS - 1), CACHE_NONE);
    CHECK(!spn__group_table_read(c, 15));
    CHECK_EQ_U(spn__group_table_missing(c, 2, 0, 21, 31, &is_wanted), 0);
    CHECK(!is_wanted);
    stage_close(&stage);
}

/* The index frame 10 is the border of group 1 and the anchor of group 2. */
static void a_read_counts_for_the_parts_that_it_covers(void)
{
    const struct cache_group *group;
    struct group_read *body;
    struct group_read *border;

    open_cache();
    group = cache_group_at(c, 1);
    border = enter(0, offset_of(10), offset_of(10) + 8192);
    CHECK_EQ_U(missing(1), GROUP_ANCHOR | GROUP_BODY);
    CHECK_EQ_U(missing(2), GROUP_BODY | GROUP_BORDER);
    CHECK(spn__group_table_read(c, 10) == border);
    CHECK(!spn__group_table_read(c, 9));
    CHECK(!spn__group_table_has(c, 10));
    border->state = READ_DONE;
    CHECK(spn__group_table_has(c, 10));
    border->state = READ_PENDING;
    body = enter(1, group->offset, offset_of(10));
    CHECK_EQ_U(missing(1), GROUP_ANCHOR);
    CHECK(spn__group_table_read(c, 9) == body);
    /* A second read of the same bytes changes nothing. */
    leave(enter(2, group->offset, group->offset + group->bytes));
    CHECK(spn__group_table_read(c, 9) == body);
    CHECK(spn__group_table_read(c, 10) == border);
    leave(body);
    CHECK_EQ_U(missing(1), GROUP_ANCHOR | GROUP_BODY);
    /* One byte less than the body. */
    body = enter(1, group->offset, offset_of(10) - 1);
    CHECK_EQ_U(missing(1), GROUP_ANCHOR | GROUP_BODY);
    leave(body);
    body = enter(1, group->offset + 1, offset_of(10));
    CHECK_EQ_U(missing(1), GROUP_ANCHOR | GROUP_BODY);
    leave(body);
    leave(border);
    CHECK_EQ_U(missing(1), EVERYTHING);
    stage_close(&stage);
}

static void each_read_of_a_group_is_found_once(void)
{
    struct group_read *reads[3];
    struct group_read *whole;
    struct group_read *body;

    open_cache();
    /* The anchor and all of group 2. */
    whole = enter(0, offset_of(10),
                  cache_group_at(c, 2)->offset + cache_group_at(c, 2)->bytes);
    CHECK_EQ_U(missing(2), 0);
    spn__group_table_reads(c, 2, reads);
    CHECK(reads[0] == whole && !reads[1] && !reads[2]);
    /* Its border is the anchor of the next one. */
    CHECK_EQ_U(missing(3), GROUP_BODY | GROUP_BORDER);
    body = enter(1, cache_group_at(c, 3)->offset, offset_of(30));
    spn__group_table_reads(c, 3, reads);
    CHECK(reads[0] == body && !reads[1] && reads[2] == whole);
    leave(whole);
    leave(body);
    spn__group_table_reads(c, 3, reads);
    CHECK(!reads[0] && !reads[1] && !reads[2]);
    stage_close(&stage);
}

/* Frames that are lost need no bytes, and neither do those that are not
 * wanted. */
static void only_empty_wanted_frames_need_bytes(void)
{
    open_cache();
    CHECK_EQ_U(missing_of(1, 1, 2), EVERYTHING);
    CHECK_EQ_U(missing_of(1, 10, 11), GROUP_BORDER);
    for (uint32_t n = 1; n < 5; n++)
        spn__frame_slot_fail(c, n, FRAME_REFERENCE, NULL);
    CHECK_EQ_U(missing_of(1, 1, 5), 0);
    CHECK_EQ_U(missing_of(1, 1, 6), EVERYTHING);
    for (uint32_t n = 5; n < 10; n++)
        spn__frame_slot_fail(c, n, FRAME_REFERENCE, NULL);
    CHECK_EQ_U(missing(1), GROUP_BORDER);
    spn__frame_slot_fail(c, 10, FRAME_REFERENCE, NULL);
    CHECK_EQ_U(missing(1), 0);
    /* Frame 10 is lost, so group 2 does not need it. */
    CHECK_EQ_U(missing(2), GROUP_BODY | GROUP_BORDER);
    CHECK(spn__frame_slot_check(c));
    CHECK(spn__frame_slot_retry(c, 7));
    CHECK_EQ_U(missing(1), GROUP_ANCHOR | GROUP_BODY);
    stage_close(&stage);
}

TEST_MAIN(TEST(everything_is_missing_at_first),
          TEST(a_read_counts_for_the_parts_that_it_covers),
          TEST(each_read_of_a_group_is_found_once),
          TEST(only_empty_wanted_frames_need_bytes))
