/* test_anim_residency.c
 *
 * Goal: a new reference keeps what is in memory, whatever else needs room.
 * Method: an image of made-up clips on a disc with a virtual clock. Calls that
 *   need records or memory come between a new reference and the next update, in
 *   the same update, and before it in the list of changes.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "runtime.h"
#include "support/anim_stage.h"

enum { CLIPS = 4, BYTES = 20000 };

static struct anim_stage stage;

static void tick(void)
{
    anim_stage_tick(&stage, STAGE_TICK_US);
}

static spn_status status_of(spn_anim anim)
{
    return spn_anim_get_status(stage.stage.rt, anim, NULL);
}

static void add_ref(spn_anim anim)
{
    CHECK_EQ(spn_anim_add_ref(stage.stage.rt, anim), SPN_OK);
}

static void release(spn_anim anim)
{
    CHECK_EQ(spn_anim_release(stage.stage.rt, anim), SPN_OK);
}

static void load_and_release(spn_anim anim)
{
    add_ref(anim);
    anim_stage_until(&stage, anim, SPN_OK);
    release(anim);
    tick();
}

/* -- new references -- */

static void want_by_play(spn_anim anim)
{
    spn_anim_play play;

    CHECK_EQ(spn_anim_play_start(stage.stage.rt, anim, &play), SPN_OK);
}

static void want_by_lock(spn_anim anim)
{
    CHECK_EQ(spn_anim_lock(stage.stage.rt, anim, 1), SPN_OK);
}

/* The next update sees the cue before it looks at references. */
static void want_by_timeline(spn_anim anim)
{
    static spn_anim_cue cue;
    spn_anim_timeline timeline;

    cue = (spn_anim_cue){0, anim};
    CHECK_EQ(spn_anim_timeline_create(stage.stage.rt, &timeline), SPN_OK);
    CHECK_EQ(spn_anim_timeline_set_cues(stage.stage.rt, timeline, &cue, 1),
             SPN_OK);
}

/* Two clips are idle, and there is no record for a third one: it takes that of
 * the clip without a new reference, which has been idle for less long. */
static void new_reference_keeps_an_idle_clip(void)
{
    static void (*const wants[])(spn_anim) = {want_by_play, want_by_lock,
                                              want_by_timeline, add_ref};

    for (uint32_t i = 0; i < sizeof wants / sizeof *wants; i++) {
        spn_anim anims[3];

        test_context("case %u", i);
        anim_stage_init(&stage, CLIPS, BYTES, false);
        stage.stage.config.anim_loaded_count = 2;
        anim_stage_open(&stage);
        for (uint32_t k = 0; k < 3; k++)
            anims[k] = anim_stage_clip(&stage, k);
        load_and_release(anims[0]);
        load_and_release(anims[1]);
        /* Changes are looked at in the order of the calls. */
        if (wants[i] != add_ref)
            add_ref(anims[0]);
        wants[i](anims[2]);
        if (wants[i] == add_ref)
            add_ref(anims[0]);
        tick();
        CHECK_EQ(status_of(anims[0]), SPN_OK);
        anim_stage_until(&stage, anims[2], SPN_OK);
        CHECK_EQ(status_of(anims[0]), SPN_OK);
        CHECK_EQ(status_of(anims[1]), SPN_EMPTY);
        CHECK_EQ_U(anim_stage_stats(&stage).reads, 3);
        anim_stage_close(&stage);
    }
}

TEST_MAIN(TEST(new_reference_keeps_an_idle_clip))
