/* test_fault_loops_anim.c
 *
 * Goal: wherever one allocation, read or opening of a file fails, once or for
 *   ever, while headers, clips, databases and skeletons are read, nothing
 *   leaks, and damaged bytes are never taken for a clip. When the faults end,
 *   clips are read as in a new runtime.
 * Method: as test_fault_loops, with scenarios of animation.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_clips.h"
#include "anim/encode/anim_encode.h"
#include "harness.h"
#include "runtime.h"
#include "sim/fault_loop.h"
#include "sim/loop_calls.h"
#include "support/clip_bytes.h"
#include "support/made_motion.h"
#include "support/pose_reference.h"
#include "support/pose_stage.h"
#include "support/tiny_clips.h"

#include <stdalign.h>
#include <stdio.h>
#include <string.h>

enum { CLIPS = 6, OWN = 4, BYTES = 9000, LARGE_BYTES = 90000, JOINTS = 12 };

/* Clips 0 to OWN - 1 are in a database, the others are files of their own. The
 * bytes of most mean nothing. The last one is compiled, has two parts, and is
 * sampled. */
static struct tiny_clips clips;
static struct clip_index_file database;
static struct clip_index_file image;
static struct anim_file motion; /* the clip file of the last clip */
static struct anim_file skeleton;
static struct pose_reference reference;

static void make_motion(struct arena *arena)
{
    const struct made_motion made = {.joints = JOINTS,
                                     .frames = 1000,
                                     .seed = 1,
                                     .swing = 1,
                                     .has_scale = true,
                                     .has_shift = true,
                                     .has_all = true};
    const struct anim_encode_options options = {ANIM_PRECISION,
                                                ANIM_FLOAT_PRECISION};
    struct dense_clip dense;

    made_motion(&made, arena, &dense);
    anim_encode_clip(&dense, &options, arena, &motion);
    anim_encode_skeleton(&dense, arena, &skeleton);
}

static void make_files(void)
{
    struct clip_database_source source = {.path = "d.sad"};

    if (image.size > 0)
        return;
    tiny_clips_init(&clips, "a", CLIPS, BYTES);
    make_motion(&clips.arena);
    CHECK(motion.size > (64 << 10) && motion.size <= LARGE_BYTES);
    clips.sources[CLIPS - 1] =
        pose_clip_input(&clips.arena, &motion, "m.sac", SPN_ANIM_LOOPS);
    pose_reference_open(&reference, &motion, &skeleton);
    CHECK(clip_database_make(&clips.arena, &clips.diag, "d.sad", clips.sources,
                             OWN, &database));
    source.index = &database.index;
    CHECK(clip_image_make(&clips.arena, &clips.diag, "i.sai", &source, 1,
                          &clips.sources[OWN], CLIPS - OWN, &image));
}

static void prepare(struct loop *l)
{
    struct slow_platform *disc = &l->stage.disc;

    make_files();
    l->stage.config.anim_count = CLIPS;
    l->stage.config.anim_reserve_bytes = 1u << 18;
    slow_platform_add(disc, "i.sai", image.bytes, image.size);
    slow_platform_add(disc, "d.sad", database.bytes, database.size);
    for (uint32_t i = OWN; i < CLIPS; i++)
        slow_platform_add(disc, clips.sources[i].name, clips.sources[i].bytes,
                          clips.sources[i].byte_count);
    slow_platform_add(disc, "m.sas", skeleton.bytes, skeleton.size);
}

static void prepare_loose(struct loop *l)
{
    prepare(l);
    l->stage.config.anim_has_loose_headers = 1;
}

static void set(struct loop *l, const char *name, const char *value)
{
    CHECK_EQ(spn_tuning_set(l->stage.rt, name, value), SPN_OK);
}

/* -- steps of scenarios -- */

/* Nothing stays without a reason: no bytes, no file. */
static void set_times(struct loop *l, bool is_over)
{
    set(l, "anim_retry_ms", "1");
    set(l, "anim_grace_ms", "0");
    set(l, "anim_unregister_ms", is_over ? "0" : "2000");
    set(l, "anim_remove_ms", is_over ? "0" : "4000");
}

static void end(struct loop *l)
{
    set_times(l, true);
    loop_ticks(l, 2);
}

static bool is_image_there(struct loop *l)
{
    return spn_anim_get_image_status(l->stage.rt, NULL) != SPN_PENDING;
}

static bool opens_the_image(struct loop *l)
{
    set_times(l, false);
    if (spn_anim_get_image_status(l->stage.rt, NULL) != SPN_OK)
        CHECK_EQ(spn_anim_open_image(l->stage.rt, "i.sai"), SPN_OK);
    return loop_until(l, is_image_there) &&
           spn_anim_get_image_status(l->stage.rt, NULL) == SPN_OK;
}

static spn_anim find(const struct loop *l, uint32_t clip)
{
    spn_anim anim = 0;

    CHECK_EQ(spn_anim_find(l->stage.rt, clips.sources[clip].name, &anim),
             SPN_OK);
    return anim;
}

static bool is_loaded(const struct loop *l, uint32_t clip)
{
    return spn_anim_is_loaded(l->stage.rt, find(l, clip)) == 1;
}

/* What is reported as loaded is the clip. */
static void check_bytes(const struct loop *l, uint32_t clip)
{
    static uint8_t bounce[LARGE_BYTES];
    const struct clip_input *c = &clips.sources[clip];
    const void *bytes = NULL;

    if (!is_loaded(l, clip))
        return;
    CHECK_EQ(clip_bytes(l->stage.rt, find(l, clip), 0, c->byte_count, bounce,
                        &bytes),
             SPN_OK);
    CHECK_MEM(bytes, c->bytes, c->byte_count);
}

static bool are_wanted_there(struct loop *l)
{
    for (uint32_t i = 0; i < CLIPS; i++)
        if (spn_anim_get_ref_count(l->stage.rt, find(l, i)) > 0 &&
            !is_loaded(l, i))
            return false;
    return true;
}

static void add_refs(struct loop *l, uint32_t first, uint32_t limit)
{
    for (uint32_t i = first; i < limit; i++)
        CHECK_EQ(spn_anim_add_ref(l->stage.rt, find(l, i)), SPN_OK);
}

static void release_refs(struct loop *l, uint32_t first, uint32_t limit)
{
    for (uint32_t i = first; i < limit; i++) {
        check_bytes(l, i);
        CHECK_EQ(spn_anim_release(l->stage.rt, find(l, i)), SPN_OK);
    }
}

/* -- scenarios -- */

static bool loads_clips(struct loop *l)
{
    bool is_there = opens_the_image(l);

    if (!is_there)
        return false;
    add_refs(l, OWN - 1, CLIPS);
    is_there = loop_until(l, are_wanted_there);
    release_refs(l, OWN - 1, CLIPS);
    end(l);
    return is_there;
}

static spn_anim_database database_of(const struct loop *l)
{
    spn_anim_database d = 0;

    CHECK_EQ(spn_anim_database_find(l->stage.rt, "d.sad", &d), SPN_OK);
    return d;
}

static bool is_database_there(struct loop *l)
{
    spn_anim_database_state state;

    CHECK_EQ(spn_anim_database_get_state(l->stage.rt, database_of(l), &state),
             SPN_OK);
    return state.status == SPN_OK;
}

/* Its clips are wanted before it comes, and after it. */
static bool preloads_a_database(struct loop *l)
{
    bool is_there = opens_the_image(l);

    if (!is_there)
        return false;
    add_refs(l, 0, 1);
    loop_ticks(l, 1);
    CHECK_EQ(spn_anim_database_lock(l->stage.rt, database_of(l), 1,
                                    SPN_PRIORITY_DEFAULT),
             SPN_OK);
    is_there = loop_until(l, is_database_there);
    add_refs(l, 1, OWN);
    is_there = loop_until(l, are_wanted_there) && is_there;
    release_refs(l, 0, OWN);
    CHECK_EQ(spn_anim_database_lock(l->stage.rt, database_of(l), 0,
                                    SPN_PRIORITY_DEFAULT),
             SPN_OK);
    loop_ticks(l, 1);
    CHECK_EQ(spn_anim_database_unload(l->stage.rt, database_of(l)), SPN_OK);
    end(l);
    return is_there;
}

/* A read is aborted in its middle, and begins again. */
static bool unloads_a_database(struct loop *l)
{
    bool is_there = opens_the_image(l);

    for (uint32_t i = 0; is_there && i < 3; i++) {
        CHECK_EQ(spn_anim_database_preload(l->stage.rt, database_of(l),
                                           SPN_PRIORITY_URGENT),
                 SPN_OK);
        if (i < 2)
            loop_ticks(l, i);
        else
            is_there = loop_until(l, is_database_there);
        CHECK_EQ(spn_anim_database_unload(l->stage.rt, database_of(l)), SPN_OK);
    }
    end(l);
    return is_there;
}

/* A cue in a quarter of a second, and two plays that begin at once. */
static bool plays_a_timeline(struct loop *l)
{
    spn_anim_cue cues[2] = {{250000, 0}, {900000, 0}};
    spn_anim_timeline timeline = 0;
    spn_anim_play plays[2] = {0};
    bool is_there = opens_the_image(l);

    if (!is_there)
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        cues[i].anim = find(l, i);
        CHECK_EQ(
            spn_anim_play_start(l->stage.rt, find(l, CLIPS - 1 - i), &plays[i]),
            SPN_OK);
    }
    CHECK_EQ(spn_anim_timeline_create(l->stage.rt, &timeline), SPN_OK);
    CHECK_EQ(spn_anim_timeline_set_cues(l->stage.rt, timeline, cues, 2),
             SPN_OK);
    for (int64_t us = 0; us < 500000; us += 20000) {
        CHECK_EQ(spn_anim_timeline_set_time(l->stage.rt, timeline, us), SPN_OK);
        loop_ticks(l, 1);
    }
    is_there = loop_until(l, are_wanted_there);
    for (uint32_t i = 0; i < CLIPS; i++)
        check_bytes(l, i);
    CHECK_EQ(spn_anim_timeline_destroy(l->stage.rt, timeline), SPN_OK);
    for (uint32_t i = 0; i < 2; i++)
        CHECK_EQ(spn_anim_play_stop(l->stage.rt, plays[i]), SPN_OK);
    end(l);
    return is_there;
}

/* Two plays of the compiled clip: at its start, and in its rest. A pose that
 * can be sampled is right. */
static bool samples_a_clip(struct loop *l)
{
    static const int64_t times_us[] = {1000000, 32000000};
    static alignas(32) float values[10 * 16];
    spn_anim_skeleton s = 0;
    spn_anim_play plays[2] = {0};
    uint32_t sampled = 0;
    spn_anim_pose pose;

    if (!opens_the_image(l))
        return false;
    CHECK_EQ(spn_anim_skeleton_open(l->stage.rt, "m.sas", &s), SPN_OK);
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_EQ(
            spn_anim_play_start(l->stage.rt, find(l, CLIPS - 1), &plays[i]),
            SPN_OK);
        CHECK_EQ(spn_anim_play_set_time(l->stage.rt, plays[i], times_us[i]),
                 SPN_OK);
    }
    for (uint32_t tick = 0; tick < 60 && sampled != 3; tick++) {
        loop_ticks(l, 1);
        sampled = 0;
        if (spn_anim_skeleton_make_pose(l->stage.rt, s, values, sizeof values,
                                        &pose) != SPN_OK)
            continue;
        for (uint32_t i = 0; i < 2; i++) {
            if (spn_anim_play_sample(l->stage.rt, plays[i], times_us[i], s,
                                     &pose, NULL, 0) != SPN_OK)
                continue;
            pose_reference_at(&reference, true, times_us[i]);
            pose_reference_check(&reference, &pose);
            sampled |= 1u << i;
        }
    }
    for (uint32_t i = 0; i < 2; i++)
        CHECK_EQ(spn_anim_play_stop(l->stage.rt, plays[i]), SPN_OK);
    CHECK_EQ(spn_anim_skeleton_close(l->stage.rt, s), SPN_OK);
    end(l);
    return sampled == 3;
}

/* It reports an error at once; the next call tries again. Time stands still
 * meanwhile, so the disc takes none. */
static bool loads_synchronously(struct loop *l)
{
    bool is_there = opens_the_image(l);

    l->stage.disc.bytes_per_second = 0;
    l->stage.disc.seek_us = 0;
    for (uint32_t i = OWN - 1; is_there && i < CLIPS; i++) {
        spn_status status = SPN_ERR_IO;

        for (uint32_t k = 0; k < 8 && status != SPN_OK; k++)
            status =
                spn_anim_load_synchronously(l->stage.rt, find(l, i), 10000000);
        CHECK_EQ(status == SPN_OK, is_loaded(l, i));
        check_bytes(l, i);
        is_there = status == SPN_OK;
    }
    if (is_image_there(l) && spn_anim_get_count(l->stage.rt) > 0)
        end(l);
    return is_there;
}

static bool reads_loose_headers(struct loop *l)
{
    spn_anim anim = 0;
    bool is_there;

    set_times(l, false);
    CHECK_EQ(spn_anim_add_file(l->stage.rt, "m.sac"), SPN_OK);
    CHECK_EQ(spn_anim_add_file(l->stage.rt, "none"), SPN_OK);
    (void)loop_until(l, is_image_there);
    if (spn_anim_find(l->stage.rt, "m.sac", &anim) != SPN_OK)
        return false;
    CHECK_EQ(spn_anim_add_ref(l->stage.rt, anim), SPN_OK);
    for (uint32_t i = 0; i < 60 && !spn_anim_is_loaded(l->stage.rt, anim); i++)
        loop_ticks(l, 1);
    is_there = spn_anim_is_loaded(l->stage.rt, anim) == 1;
    CHECK_EQ(spn_anim_release(l->stage.rt, anim), SPN_OK);
    end(l);
    return is_there;
}

static bool opens_a_skeleton(struct loop *l)
{
    spn_anim_skeleton s = 0;
    spn_status status = SPN_PENDING;

    CHECK_EQ(spn_anim_skeleton_open(l->stage.rt, "m.sas", &s), SPN_OK);
    for (uint32_t i = 0; i < 60 && status == SPN_PENDING; i++) {
        loop_ticks(l, 1);
        status = spn_anim_skeleton_get_status(l->stage.rt, s, NULL);
    }
    CHECK_EQ(spn_anim_skeleton_close(l->stage.rt, s), SPN_OK);
    end(l);
    return status == SPN_OK;
}

/* Reads of all kinds are under way. */
static bool shuts_down(struct loop *l)
{
    spn_anim_skeleton s = 0;

    CHECK_EQ(spn_anim_skeleton_open(l->stage.rt, "m.sas", &s), SPN_OK);
    if (opens_the_image(l)) {
        add_refs(l, OWN, CLIPS);
        CHECK_EQ(spn_anim_database_preload(l->stage.rt, database_of(l),
                                           SPN_PRIORITY_DEFAULT),
                 SPN_OK);
        loop_ticks(l, 1);
    }
    spn_shutdown(l->stage.rt);
    l->stage.rt = NULL;
    return true;
}

/* After the faults. */
static void check_works(struct loop *l)
{
    if (l->stage.config.anim_has_loose_headers)
        CHECK(reads_loose_headers(l));
    else
        CHECK(loads_clips(l) && preloads_a_database(l));
    CHECK(opens_a_skeleton(l));
}

/* -- all of them -- */

#define CASE(name, run)                                                        \
    {                                                                          \
        name, run, 0, 0, prepare, check_works                                  \
    }

static const struct loop_case scenarios[] = {
    CASE("image", opens_the_image),
    CASE("clips", loads_clips),
    CASE("database", preloads_a_database),
    CASE("unload", unloads_a_database),
    CASE("timeline", plays_a_timeline),
    CASE("synchronous", loads_synchronously),
    CASE("skeleton", opens_a_skeleton),
    CASE("samples", samples_a_clip),
    CASE("shutdown", shuts_down),
    {"loose headers", reads_loose_headers, 0, 0, prepare_loose, check_works}};

static void run_all(enum loop_fault fault)
{
    uint64_t runs = 0;

    for (uint32_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++)
        runs += loop_run(&scenarios[i], fault);
    printf("fault %d: %u runs\n", (int)fault, (unsigned)runs);
    /* In each scenario a fault occurred. */
    CHECK(runs > 2 * sizeof scenarios / sizeof scenarios[0]);
}

static void clips_survive_every_failed_allocation(void)
{
    run_all(LOOP_ALLOCATION);
}

static void clips_survive_every_failed_read(void)
{
    run_all(LOOP_READ);
    run_all(LOOP_REFUSE);
}

static void clips_survive_every_short_read(void)
{
    run_all(LOOP_SHORT);
}

static void clips_survive_every_damaged_read(void)
{
    run_all(LOOP_DAMAGE);
}

static void clips_survive_every_failed_open(void)
{
    run_all(LOOP_OPEN);
}

static void clips_survive_pairs_of_faults(void)
{
    static const enum loop_fault pairs[][2] = {
        {LOOP_ALLOCATION, LOOP_ALLOCATION},
        {LOOP_READ, LOOP_ALLOCATION},
        {LOOP_DAMAGE, LOOP_DAMAGE},
        {LOOP_OPEN, LOOP_READ}};

    for (uint32_t p = 0; p < sizeof pairs / sizeof pairs[0]; p++)
        for (uint32_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++)
            (void)loop_run_pairs(&scenarios[i], pairs[p][0], pairs[p][1]);
}

TEST_MAIN(TEST(clips_survive_every_failed_allocation),
          TEST(clips_survive_every_failed_read),
          TEST(clips_survive_every_short_read),
          TEST(clips_survive_every_damaged_read),
          TEST(clips_survive_every_failed_open),
          TEST(clips_survive_pairs_of_faults))
