/* test_kept.c - the order in which kept memory is freed.
 *
 * Goal: kept memory is freed in the right order: idle entries before needed
 *   ones, those needed since they were put into the list last, held ones never.
 * Method: entries without memory, and the marks of several updates.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "play/kept.h"

enum { COUNT = 12 };

static struct keeper keeper;
static struct kept entries[COUNT];

/* Entry i has i + 1 pages. All are in the list, and nothing is marked. */
static void begin(void)
{
    spn__keeper_init(&keeper);
    for (uint32_t i = 0; i < COUNT; i++) {
        spn__kept_add(&keeper, &entries[i], KEPT_FRAME, i + 1);
        spn__kept_list(&keeper, &entries[i]);
    }
    spn__keeper_begin(&keeper);
    CHECK(spn__keeper_check(&keeper));
}

static void take(struct kept *k)
{
    spn__kept_remove(&keeper, k);
    CHECK(spn__keeper_check(&keeper));
}

/* All entries are idle and are freed in this order. */
static void check_order(const uint32_t order[COUNT])
{
    for (uint32_t i = 0; i < COUNT; i++) {
        struct kept *k = spn__keeper_victim(&keeper, false);

        test_context("victim %u", i);
        CHECK(k == &entries[order[i]]);
        take(k);
    }
    CHECK(spn__keeper_victim(&keeper, false) == NULL);
    CHECK_EQ_U(keeper.kept_pages, 0);
}

static void entries_that_were_needed_again_go_last(void)
{
    static const uint32_t order[COUNT] = {0, 1, 3, 4, 6, 7, 8, 9, 10, 11, 2, 5};

    begin();
    spn__kept_need(&keeper, &entries[5], 0);
    spn__keeper_begin(&keeper);
    spn__kept_need(&keeper, &entries[2], 0);
    spn__keeper_begin(&keeper);
    check_order(order);
}

/* Then none has an advantage: they go in the order of the list, whichever was
 * needed last. */
static void entries_that_were_all_needed_once_go_in_order(void)
{
    static const uint32_t order[COUNT] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

    begin();
    for (uint32_t i = COUNT; i > 0; i--) {
        spn__kept_need(&keeper, &entries[i - 1], 0);
        spn__keeper_begin(&keeper);
    }
    check_order(order);
}

/* Entries 0 to 3 are reads. */
static void begin_with_reads(void)
{
    begin();
    for (uint32_t i = 0; i < 4; i++) {
        take(&entries[i]);
        spn__kept_add(&keeper, &entries[i], KEPT_READ, i + 1);
        spn__kept_list(&keeper, &entries[i]);
    }
    CHECK(spn__keeper_check(&keeper));
}

/* Idle frames go before idle reads that were needed less recently. */
static void frames_go_before_reads(void)
{
    begin_with_reads();
    spn__kept_need(&keeper, &entries[7], 0);
    spn__keeper_begin(&keeper);
    for (uint32_t i = 0; i < COUNT; i++) {
        struct kept *k = spn__keeper_victim(&keeper, false);

        CHECK(k && k->kind == (i < COUNT - 4 ? KEPT_FRAME : KEPT_READ));
        CHECK(i != COUNT - 5 || k == &entries[7]);
        take(k);
    }
    CHECK(spn__keeper_victim(&keeper, false) == NULL);
}

/* What was passed goes before all others of its kind; what nobody will use
 * again goes before all others. */
static void what_was_passed_goes_first(void)
{
    static const uint32_t order[] = {2, 9, 4, 5, 6, 7, 8, 10, 11, 3, 0, 1};

    begin_with_reads();
    spn__kept_pass(&keeper, &entries[9], false);
    spn__kept_pass(&keeper, &entries[3], false);
    spn__kept_pass(&keeper, &entries[2], true);
    CHECK(spn__keeper_check(&keeper));
    for (uint32_t i = 0; i < COUNT; i++) {
        struct kept *k = spn__keeper_victim(&keeper, false);

        test_context("entry %u", i);
        CHECK(k == &entries[order[i]]);
        take(k);
    }
}

/* A read that nobody would use again, and that is needed all the same, is a
 * read like others. */
static void a_passed_read_may_be_needed_again(void)
{
    begin_with_reads();
    spn__kept_pass(&keeper, &entries[2], true);
    spn__kept_need(&keeper, &entries[2], 0);
    CHECK(spn__keeper_victim(&keeper, false) == &entries[4]);
    spn__keeper_begin(&keeper);
    for (uint32_t i = 0; i + 1 < COUNT; i++) {
        struct kept *k = spn__keeper_victim(&keeper, false);

        CHECK(k && k != &entries[2]);
        take(k);
    }
    CHECK(spn__keeper_victim(&keeper, false) == &entries[2]);
}

static void needed_entries_are_not_idle(void)
{
    begin();
    for (uint32_t i = 0; i < COUNT; i += 2)
        spn__kept_need(&keeper, &entries[i], i);
    for (uint32_t i = 0; i < COUNT / 2; i++) {
        struct kept *k = spn__keeper_victim(&keeper, false);

        CHECK(k == &entries[2 * i + 1]);
        take(k);
    }
    CHECK(spn__keeper_victim(&keeper, false) == NULL);
    /* They are in the next update. */
    spn__keeper_begin(&keeper);
    CHECK(spn__keeper_victim(&keeper, false) == &entries[0]);
}

static void the_farthest_deadline_goes_first(void)
{
    static const uint32_t deadlines[] = {7, 3, 90, 0, 40};

    begin();
    for (uint32_t i = 0; i < 5; i++)
        spn__kept_need(&keeper, &entries[i], deadlines[i]);
    /* The least of several deadlines counts. */
    spn__kept_need(&keeper, &entries[2], 5);
    /* Held entries stay. */
    spn__kept_hold(&keeper, &entries[4]);
    CHECK(spn__keeper_victim(&keeper, true) == &entries[0]);
    take(&entries[0]);
    CHECK(spn__keeper_victim(&keeper, true) == &entries[2]);
    take(&entries[2]);
    CHECK(spn__keeper_victim(&keeper, true) == &entries[1]);
    take(&entries[1]);
    CHECK(spn__keeper_victim(&keeper, true) == &entries[3]);
    take(&entries[3]);
    CHECK(spn__keeper_victim(&keeper, true) == NULL);
    CHECK_EQ_U(keeper.held_pages, 5);
    CHECK_EQ_U(keeper.needed_pages, 5);
}

static void entries_that_are_used_are_not_freed(void)
{
    begin();
    for (uint32_t i = 0; i < COUNT; i++)
        spn__kept_unlist(&keeper, &entries[i]);
    CHECK(spn__keeper_check(&keeper));
    CHECK(spn__keeper_victim(&keeper, false) == NULL);
    CHECK(spn__keeper_victim(&keeper, true) == NULL);
    spn__kept_list(&keeper, &entries[3]);
    CHECK(spn__keeper_victim(&keeper, false) == &entries[3]);
}

static void pages_are_counted_once(void)
{
    begin();
    for (uint32_t k = 0; k < 3; k++) {
        spn__kept_need(&keeper, &entries[1], 9);
        spn__kept_need(&keeper, &entries[2], 9);
        spn__kept_hold(&keeper, &entries[2]);
    }
    CHECK_EQ_U(keeper.needed_pages, 5);
    CHECK_EQ_U(keeper.held_pages, 3);
    /* Holding implies needing. */
    spn__kept_hold(&keeper, &entries[6]);
    CHECK_EQ_U(keeper.needed_pages, 12);
    CHECK_EQ_U(keeper.held_pages, 10);
    CHECK(kept_charge(&entries[6], 1));
    CHECK(!kept_charge(&entries[6], 1));
    CHECK(kept_charge(&entries[6], 2));
    spn__keeper_begin(&keeper);
    CHECK_EQ_U(keeper.needed_pages, 0);
    CHECK_EQ_U(keeper.held_pages, 0);
    spn__kept_need(&keeper, &entries[6], 0);
    CHECK(kept_charge(&entries[6], 2));
}

/* What a fill reads is not freed, idle or needed, until the fill has ended. */
static void entries_that_are_read_are_not_freed(void)
{
    for (int is_needed = 0; is_needed < 2; is_needed++) {
        begin();
        for (uint32_t i = 0; is_needed && i < COUNT; i++)
            spn__kept_need(&keeper, &entries[i], i);
        atomic_store_relaxed(&entries[COUNT - 1].readers, 1);
        for (uint32_t i = 0; i + 1 < COUNT; i++) {
            struct kept *k = spn__keeper_victim(&keeper, is_needed);

            CHECK(k && k != &entries[COUNT - 1]);
            take(k);
        }
        CHECK(spn__keeper_victim(&keeper, is_needed) == NULL);
        atomic_store_relaxed(&entries[COUNT - 1].readers, 0);
        spn__keeper_begin(&keeper);
        CHECK(spn__keeper_victim(&keeper, false) == &entries[COUNT - 1]);
        take(&entries[COUNT - 1]);
    }
}

/* They are needed without a mark, and go after all others that are not held:
 * the one that was passed last before the others, those that a cursor needs
 * last of all. */
static void lasting_frames_go_after_all_others(void)
{
    static const uint32_t order[] = {4, 5, 7, 8, 9, 10, 11, 0, 2, 3, 6, 1};

    begin();
    for (uint32_t i = 1; i <= 3; i++)
        spn__kept_set_lasting(&keeper, &entries[i], true);
    spn__kept_set_lasting(&keeper, &entries[0], true);
    spn__kept_set_lasting(&keeper, &entries[0], false);
    CHECK_EQ_U(keeper.needed_pages, 2 + 3 + 4);
    spn__keeper_begin(&keeper);
    CHECK_EQ_U(keeper.needed_pages, 2 + 3 + 4);
    CHECK_EQ_U(keeper.lasting_pages, 2 + 3 + 4);
    spn__kept_need(&keeper, &entries[1], 5);
    spn__kept_hold(&keeper, &entries[6]);
    CHECK_EQ_U(keeper.needed_pages, 2 + 3 + 4 + 7);
    spn__kept_set_lasting(&keeper, &entries[6], true);
    CHECK_EQ_U(keeper.needed_pages, 2 + 3 + 4 + 7);
    spn__kept_pass(&keeper, &entries[3], true);
    spn__kept_pass(&keeper, &entries[2], false);
    CHECK(spn__keeper_check(&keeper));
    for (uint32_t i = 0; i < COUNT; i++) {
        struct kept *k = spn__keeper_victim(&keeper, true);
        struct kept *idle = spn__keeper_victim(&keeper, false);

        test_context("victim %u", i);
        if (idle)
            k = idle;
        if (order[i] == 6) {
            CHECK(k == &entries[1]);
            spn__keeper_begin(&keeper);
            spn__kept_need(&keeper, &entries[1], 5);
            k = spn__keeper_victim(&keeper, true);
        }
        CHECK(k == &entries[order[i]]);
        take(k);
    }
    CHECK_EQ_U(keeper.needed_pages, 0);
    CHECK_EQ_U(keeper.lasting_pages, 0);
}

TEST_MAIN(TEST(lasting_frames_go_after_all_others),
          TEST(entries_that_were_needed_again_go_last),
          TEST(entries_that_were_all_needed_once_go_in_order),
          TEST(frames_go_before_reads), TEST(what_was_passed_goes_first),
          TEST(a_passed_read_may_be_needed_again),
          TEST(needed_entries_are_not_idle),
          TEST(the_farthest_deadline_goes_first),
          TEST(entries_that_are_used_are_not_freed),
          TEST(entries_that_are_read_are_not_freed),
          TEST(pages_are_counted_once))
