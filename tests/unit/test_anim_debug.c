/* test_anim_debug.c
 *
 * Goal: in a snapshot every page that clips use has an owner: the clip or the
 *   database whose bytes it has, the clip that was decoded, or the skeleton.
 * Method: clips of a database and of files play, jump and end; after each
 *   update the pages with an owner are those that the runtime counts.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/pose_stage.h"

#include <spindle/debug.h>
#include <stdlib.h>

enum { CLIPS = 3, TICKS = 60 };

static struct pose_stage stage;

/* By the number of a clip for the runtime, from 0. */
struct pages {
    uint32_t clip[CLIPS];
    uint32_t decoded[CLIPS];
    uint32_t database;
    uint32_t skeleton;
    uint32_t all;
};

static void add_extent(struct pages *pages, const spn_debug_extent *e,
                       spn_anim_skeleton skeleton)
{
    const uint32_t owners = (e->anim != 0 ? 1u : 0u) +
                            (e->database != 0 ? 1u : 0u) +
                            (e->skeleton != 0 ? 1u : 0u);

    if (owners == 0)
        return;
    CHECK_EQ_U(owners, 1);
    CHECK_EQ(e->kind, SPN_DEBUG_STATIC);
    CHECK(e->skeleton == 0 || e->skeleton == skeleton);
    CHECK(e->anim != 0 || !e->is_decoded);
    if (e->anim != 0)
        (e->is_decoded ? pages->decoded : pages->clip)[e->anim - 1] +=
            e->page_count;
    pages->database += e->database != 0 ? e->page_count : 0;
    pages->skeleton += e->skeleton != 0 ? e->page_count : 0;
    pages->all += e->page_count;
}

/* Count the pages of a snapshot by owner. */
static struct pages count(spn_anim_skeleton skeleton)
{
    const uint64_t bytes = spn_debug_bytes_needed(stage.stage.rt);
    struct pages pages = {0};
    void *memory = malloc((size_t)bytes);
    spn_debug shot;

    CHECK_EQ(spn_debug_snapshot(stage.stage.rt, memory, bytes, &shot), SPN_OK);
    for (uint32_t i = 0; i < shot.extent_count; i++)
        add_extent(&pages, &shot.extents[i], skeleton);
    CHECK_EQ_U(pages.all, shot.anim.pages);
    free(memory);
    return pages;
}

static bool are_ready(const spn_anim_play *plays)
{
    for (uint32_t i = 0; i < CLIPS - 1; i++) {
        spn_anim_play_state state;

        CHECK_EQ(spn_anim_play_get_state(stage.stage.rt, plays[i], &state),
                 SPN_OK);
        if (state.pose != SPN_OK)
            return false;
    }
    return true;
}

static void every_page_has_an_owner(void)
{
    static const struct made_motion made = {
        .joints = 40, .frames = 100, .swing = 1, .has_shift = true};

    for (int has_database = 0; has_database < 2; has_database++) {
        spn_anim_skeleton skeleton;
        spn_anim_play plays[CLIPS] = {0};
        spn_anim_database database = 0;
        struct pages pages = {0};
        uint32_t most = 0;
        uint32_t now = 0;

        test_context("database %d", has_database);
        pose_stage_init(&stage);
        for (uint32_t i = 0; i < CLIPS; i++)
            pose_stage_add(&stage, &made, SPN_ANIM_LOOPS);
        if (has_database)
            pose_stage_pack(&stage);
        pose_stage_open(&stage);
        CHECK_EQ_U(count(0).all, 0);
        skeleton = pose_stage_skeleton(&stage, 0);
        pages = count(skeleton);
        CHECK(pages.skeleton > 0);
        CHECK_EQ_U(pages.all, pages.skeleton);
        if (has_database) {
            CHECK_EQ(spn_anim_database_find(stage.stage.rt, "d.sad", &database),
                     SPN_OK);
            CHECK_EQ(spn_anim_database_preload(stage.stage.rt, database, 0),
                     SPN_OK);
        }
        /* The last clip is only wanted. */
        for (uint32_t i = 0; i < CLIPS - 1; i++)
            CHECK_EQ(spn_anim_play_start(stage.stage.rt,
                                         pose_stage_clip(&stage, i), &plays[i]),
                     SPN_OK);
        CHECK_EQ(spn_anim_add_ref(stage.stage.rt,
                                  pose_stage_clip(&stage, CLIPS - 1)),
                 SPN_OK);
        for (int tick = 0; tick < 1000 && !are_ready(plays); tick++) {
            pose_stage_tick(&stage);
            (void)count(skeleton);
        }
        for (int tick = 0; tick < TICKS; tick++) {
            const int64_t us = tick * INT64_C(16667) + tick / 8 * 1200000;

            for (uint32_t i = 0; i < CLIPS - 1; i++)
                CHECK_EQ(spn_anim_play_set_time(stage.stage.rt, plays[i], us),
                         SPN_OK);
            pose_stage_tick(&stage);
            pages = count(skeleton);
            now = pages.decoded[pose_stage_clip(&stage, 0) - 1];
            if (now > most)
                most = now;
        }
        CHECK_EQ_U(pages.database > 0, has_database);
        for (uint32_t i = 0; i < CLIPS; i++)
            CHECK_EQ_U(pages.decoded[pose_stage_clip(&stage, i) - 1] > 0,
                       i < CLIPS - 1);
        CHECK(pages.clip[pose_stage_clip(&stage, CLIPS - 1) - 1] > 0 ||
              has_database);
        /* After jumps there were windows with blocks of their own. */
        CHECK(most > now);
        pose_stage_close(&stage);
    }
}

TEST_MAIN(TEST(every_page_has_an_owner))
