/* test_anim_skeletons.c
 *
 * Goal: a skeleton is read once, asynchronously, and takes the memory that it
 *   reports until it is closed; damaged and missing files are refused with file
 *   and place; a game's joints are found by name and by hash.
 * Method: skeletons of made clips on a slow disc; each byte of a file is
 *   changed; skeletons are closed in every state.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/anim_walk.h"
#include "support/pose_stage.h"

#include <stdlib.h>
#include <string.h>

static struct pose_stage stage;

static const struct made_motion made = {.joints = 23, .frames = 3, .swing = 1};

static void open_stage(void)
{
    pose_stage_init(&stage);
    pose_stage_add(&stage, &made, 0);
}

static uint64_t live_bytes(void)
{
    spn_heap_stats stats;

    spn_heap_get_stats(stage.stage.rt, &stats);
    return stats.live_bytes;
}

static spn_status wait_for(spn_anim_skeleton skeleton, spn_fault *fault)
{
    spn_status status = SPN_PENDING;

    for (int i = 0; i < 100 && status == SPN_PENDING; i++) {
        pose_stage_tick(&stage);
        status = spn_anim_skeleton_get_status(stage.stage.rt, skeleton, fault);
    }
    return status;
}

static spn_status open_file(const char *path, spn_fault *fault)
{
    spn_anim_skeleton skeleton;
    spn_status status = spn_anim_skeleton_open(stage.stage.rt, path, &skeleton);

    if (status != SPN_OK)
        return status;
    status = wait_for(skeleton, fault);
    if (status < SPN_OK)
        CHECK_STR(fault->file, path);
    CHECK_EQ(pose_stage_events(&stage, SPN_ANIM_FAILED), status < SPN_OK);
    stage.event_count = 0;
    CHECK_EQ(spn_anim_skeleton_close(stage.stage.rt, skeleton), SPN_OK);
    return status;
}

static void skeleton_is_one_read_and_stays_until_it_is_closed(void)
{
    spn_anim_skeleton_info info;
    spn_anim_skeleton skeleton;
    uint64_t bytes;
    uint32_t reads;

    open_stage();
    stage.stage.disc.command_us = 100000;
    pose_stage_open(&stage);
    bytes = live_bytes();
    reads = stage.stage.disc.reads;
    CHECK_EQ(spn_anim_skeleton_open(stage.stage.rt, "0.sas", &skeleton),
             SPN_OK);
    CHECK_EQ(spn_anim_skeleton_get_status(stage.stage.rt, skeleton, NULL),
             SPN_PENDING);
    CHECK_EQ(spn_anim_skeleton_get_info(stage.stage.rt, skeleton, &info),
             SPN_PENDING);
    CHECK_EQ(wait_for(skeleton, NULL), SPN_OK);
    CHECK_EQ_U(stage.stage.disc.reads - reads, 1);
    CHECK_EQ(spn_anim_skeleton_get_info(stage.stage.rt, skeleton, &info),
             SPN_OK);
    CHECK_STR(info.path, "0.sas");
    CHECK_EQ_U(info.joint_count, made.joints);
    CHECK_EQ_U(info.hash, anim_encode_hash(&stage.dense[0], &stage.arena));
    CHECK_EQ_U(live_bytes() - bytes, info.memory_bytes);
    for (uint32_t j = 0; j < made.joints; j++) {
        const struct dense_joint *joint = &stage.dense[0].joints[j];

        CHECK_EQ(info.parents[j], (uint16_t)joint->parent);
        CHECK_NEAR(info.rest.values[1 * info.rest.stride + j],
                   joint->rest.rotation[1], 1e-6);
        CHECK_NEAR(info.rest.values[5 * info.rest.stride + j],
                   joint->rest.translation[1], 1e-6);
        CHECK_NEAR(info.rest.values[9 * info.rest.stride + j], 1, 0);
    }
    CHECK_EQ_U(info.rest.joint_count, made.joints);
    CHECK_EQ(spn_anim_skeleton_close(stage.stage.rt, skeleton), SPN_OK);
    CHECK_EQ_U(live_bytes(), bytes);
    CHECK_EQ(spn_anim_skeleton_close(stage.stage.rt, skeleton), SPN_ERR_HANDLE);
    CHECK_EQ(spn_anim_skeleton_get_status(stage.stage.rt, skeleton, NULL),
             SPN_ERR_HANDLE);
    pose_stage_close(&stage);
}

static void skeleton_can_be_closed_in_every_state(void)
{
    for (int updates = 0; updates < 12; updates++) {
        spn_anim_skeleton skeleton;
        uint64_t bytes;

        test_context("after %d updates", updates);
        open_stage();
        stage.stage.config.anim_skeleton_count = 1;
        stage.stage.disc.command_us = 40000;
        pose_stage_open(&stage);
        bytes = live_bytes();
        for (int round = 0; round < 2; round++) {
            spn_status status = SPN_ERR_TABLE_FULL;

            /* The record of the last round may be in use for a while. */
            for (int i = 0; i < 20 && status == SPN_ERR_TABLE_FULL; i++) {
                status =
                    spn_anim_skeleton_open(stage.stage.rt, "0.sas", &skeleton);
                pose_stage_tick(&stage);
            }
            CHECK_EQ(status, SPN_OK);
            for (int i = 0; i < updates; i++)
                pose_stage_tick(&stage);
            if (round == 0)
                CHECK_EQ(spn_anim_skeleton_close(stage.stage.rt, skeleton),
                         SPN_OK);
        }
        CHECK_EQ(spn_anim_skeleton_close(stage.stage.rt, skeleton), SPN_OK);
        for (int i = 0; i < 20; i++)
            pose_stage_tick(&stage);
        CHECK_EQ_U(live_bytes(), bytes);
        CHECK_EQ(spn_anim_skeleton_open(stage.stage.rt, "0.sas", &skeleton),
                 SPN_OK);
        for (int i = 0; i < updates; i++)
            pose_stage_tick(&stage);
        pose_stage_close(&stage); /* shut down in this state */
    }
}

/* A change of any byte is refused, also with repaired checksums or at least
 * without harm. */
static void damaged_skeleton_is_refused(void)
{
    spn_fault fault = {0};
    uint8_t *good;
    uint8_t *bytes;
    size_t size;

    open_stage();
    bytes = stage.skeletons[0].bytes;
    size = stage.skeletons[0].size;
    good = malloc(size);
    CHECK(good);
    memcpy(good, bytes, size);
    slow_platform_add(&stage.stage.disc, "empty", bytes, 0);
    slow_platform_add(&stage.stage.disc, "head", bytes, 35);
    slow_platform_add(&stage.stage.disc, "cut", bytes, size - 1);
    pose_stage_open(&stage);
    for (size_t at = 0; at < size; at += 1 + at / 64) {
        test_context("byte %zu", at);
        bytes[at] ^= 0x10;
        CHECK(open_file("0.sas", &fault) < SPN_OK);
        CHECK(fault.what != NULL);
        anim_mend_skeleton(bytes, size);
        (void)!open_file("0.sas", &fault);
        memcpy(bytes, good, size);
    }
    test_context("files");
    CHECK_EQ(open_file("empty", &fault), SPN_ERR_FORMAT);
    CHECK_STR(fault.what, "file size");
    CHECK_EQ(open_file("head", &fault), SPN_ERR_FORMAT);
    CHECK_EQ(open_file("cut", &fault), SPN_ERR_FORMAT);
    CHECK_EQ_U(fault.value, size - 1);
    CHECK_EQ(open_file("none", &fault), SPN_ERR_NOT_FOUND);
    CHECK_EQ(open_file("0.sas", &fault), SPN_OK);
    pose_stage_close(&stage);
    free(good);
}

/* The attempts begin 250 ms, 500 ms, 1 s, 2 s after the failures before. The
 * third one delivers a wrong byte. */
static void skeleton_that_failed_is_read_again_later(void)
{
    spn_anim_skeleton skeleton;
    spn_anim_skeleton_info info;
    spn_fault fault = {0};
    uint8_t *wrong;
    int i = 0;

    open_stage();
    wrong = &stage.skeletons[0].bytes[stage.skeletons[0].size - 1];
    pose_stage_open(&stage);
    slow_platform_fault(
        &stage.stage.disc,
        &(struct slow_fault){.kind = SLOW_ERROR, .path = "0.sas"});
    *wrong ^= 1;
    CHECK_EQ(spn_anim_skeleton_open(stage.stage.rt, "0.sas", &skeleton),
             SPN_OK);
    CHECK_EQ(wait_for(skeleton, &fault), SPN_ERR_IO);
    CHECK_STR(fault.file, "0.sas");
    for (; i < 2 * 60 && fault.status == SPN_ERR_IO; i++) {
        if (pose_stage_events(&stage, SPN_ANIM_FAILED) == 2)
            slow_platform_clear_faults(&stage.stage.disc);
        pose_stage_tick(&stage);
        CHECK(spn_anim_skeleton_get_status(stage.stage.rt, skeleton, &fault) <
              SPN_OK);
    }
    CHECK(i >= 45 && i < 60);
    CHECK_EQ(fault.status, SPN_ERR_CHECKSUM);
    CHECK_EQ(spn_anim_skeleton_get_info(stage.stage.rt, skeleton, &info),
             SPN_ERR_CHECKSUM);
    CHECK_EQ_U(pose_stage_events(&stage, SPN_ANIM_FAILED), 3);
    CHECK_EQ_U(stage.events[0].skeleton, skeleton);
    CHECK_EQ(stage.events[0].status, SPN_ERR_IO);
    CHECK_EQ(stage.events[2].status, SPN_ERR_CHECKSUM);
    *wrong ^= 1;
    for (i = 0; i < 2 * 60 && spn_anim_skeleton_get_status(
                                  stage.stage.rt, skeleton, NULL) != SPN_OK;
         i++)
        pose_stage_tick(&stage);
    CHECK(i >= 60 && i < 75);
    CHECK_EQ(spn_anim_skeleton_get_info(stage.stage.rt, skeleton, &info),
             SPN_OK);
    CHECK_EQ_U(pose_stage_events(&stage, SPN_ANIM_FAILED), 3);
    pose_stage_close(&stage);
}

static void joints_of_a_game_are_found_by_name_and_hash(void)
{
    const char *names[4] = {"joint.4.R", "hat", "joint.0.R", "joint.22.R"};
    uint64_t hashes[4];
    uint16_t joints[4];
    uint32_t missing = 0;
    uint32_t joint;
    const char *name;
    spn_runtime *rt;
    spn_anim_skeleton skeleton;

    open_stage();
    pose_stage_open(&stage);
    rt = stage.stage.rt;
    skeleton = pose_stage_skeleton(&stage, 0);
    for (int i = 0; i < 4; i++)
        hashes[i] = spn_anim_hash_name(names[i]);
    for (int way = 0; way < 2; way++) {
        memset(joints, 0x55, sizeof joints);
        CHECK_EQ(way ? spn_anim_skeleton_map_hashes(rt, skeleton, hashes, 4,
                                                    joints, &missing)
                     : spn_anim_skeleton_map_names(rt, skeleton, names, 4,
                                                   joints, &missing),
                 SPN_OK);
        CHECK_EQ_U(joints[0], 4);
        CHECK_EQ_U(joints[1], SPN_ANIM_NO_JOINT);
        CHECK_EQ_U(joints[2], 0);
        CHECK_EQ_U(joints[3], 22);
        CHECK_EQ_U(missing, 1);
    }
    hashes[1] = hashes[0];
    CHECK_EQ(
        spn_anim_skeleton_map_hashes(rt, skeleton, hashes, 2, joints, NULL),
        SPN_OK);
    CHECK_EQ_U(joints[0], 4);
    CHECK_EQ_U(joints[1], 4);
    CHECK_EQ(spn_anim_skeleton_find_joint(rt, skeleton, "joint.7.L", &joint),
             SPN_OK);
    CHECK_EQ_U(joint, 7);
    CHECK_EQ(spn_anim_skeleton_find_joint(rt, skeleton, "joint.7.", &joint),
             SPN_ERR_NOT_FOUND);
    CHECK_EQ(spn_anim_skeleton_get_name(rt, skeleton, 22, &name), SPN_OK);
    CHECK_STR(name, "joint.22.R");
    CHECK_EQ(spn_anim_skeleton_get_name(rt, skeleton, 23, &name), SPN_ERR_ARG);
    pose_stage_close(&stage);
}

static void clip_of_another_skeleton_is_stated(void)
{
    struct made_motion other = made;
    spn_anim_skeleton skeleton;

    open_stage();
    other.joints = 24;
    pose_stage_add(&stage, &other, 0);
    /* The same names and parents, other bones. */
    other = made;
    other.seed++;
    pose_stage_add(&stage, &other, 0);
    pose_stage_open(&stage);
    skeleton = pose_stage_skeleton(&stage, 0);
    CHECK_EQ(spn_anim_skeleton_check_clip(stage.stage.rt, skeleton,
                                          pose_stage_clip(&stage, 0)),
             SPN_OK);
    CHECK_EQ(spn_anim_skeleton_check_clip(stage.stage.rt, skeleton,
                                          pose_stage_clip(&stage, 1)),
             SPN_ERR_SKELETON);
    CHECK_EQ(spn_anim_skeleton_check_clip(stage.stage.rt, skeleton,
                                          pose_stage_clip(&stage, 2)),
             SPN_ERR_REST_POSE);
    CHECK_EQ(spn_anim_skeleton_check_clip(stage.stage.rt, skeleton, 4),
             SPN_ERR_HANDLE);
    pose_stage_close(&stage);
}

static void invalid_arguments_are_refused(void)
{
    spn_anim_skeleton skeletons[3];
    spn_runtime *rt;
    uint16_t joints[1];
    const char *names[1] = {NULL};

    open_stage();
    stage.stage.config.anim_skeleton_count = 2;
    pose_stage_open(&stage);
    rt = stage.stage.rt;
    CHECK_EQ(spn_anim_skeleton_open(rt, NULL, &skeletons[0]), SPN_ERR_ARG);
    CHECK_EQ(spn_anim_skeleton_open(rt, "0.sas", NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_anim_skeleton_open(NULL, "0.sas", &skeletons[0]), SPN_ERR_ARG);
    CHECK_EQ(spn_anim_skeleton_open(rt, "", &skeletons[0]), SPN_ERR_ARG);
    skeletons[0] = pose_stage_skeleton(&stage, 0);
    skeletons[1] = pose_stage_skeleton(&stage, 0);
    CHECK_EQ(spn_anim_skeleton_open(rt, "0.sas", &skeletons[2]),
             SPN_ERR_TABLE_FULL);
    CHECK_EQ(
        spn_anim_skeleton_map_names(rt, skeletons[0], names, 1, joints, NULL),
        SPN_ERR_ARG);
    CHECK_EQ(spn_anim_skeleton_map_names(rt, skeletons[0], NULL, 0, NULL, NULL),
             SPN_OK);
    CHECK_EQ(spn_anim_skeleton_map_hashes(rt, 0, NULL, 0, NULL, NULL),
             SPN_ERR_HANDLE);
    CHECK_EQ(spn_anim_skeleton_get_info(rt, skeletons[0], NULL), SPN_ERR_ARG);
    CHECK_EQ_U(spn_anim_hash_name(NULL), 0);
    pose_stage_close(&stage);
}

/* Nothing else has room; it is opened when there is. */
static void skeleton_waits_for_memory(void)
{
    spn_anim_skeleton skeleton;
    spn_block block;
    spn_heap_stats stats;
    struct made_motion large = made;

    large.joints = 200;
    pose_stage_init(&stage);
    pose_stage_add(&stage, &large, 0);
    stage.stage.config.heap_bytes = 64 * 4096;
    stage.stage.config.anim_reserve_bytes = 4096;
    pose_stage_open(&stage);
    spn_heap_get_stats(stage.stage.rt, &stats);
    /* What is left is enough for the file, but not for the skeleton. */
    CHECK_EQ(
        spn_block_alloc(stage.stage.rt, stats.free_bytes - 2 * 4096, 0, &block),
        SPN_OK);
    CHECK_EQ(spn_anim_skeleton_open(stage.stage.rt, "0.sas", &skeleton),
             SPN_OK);
    CHECK_EQ(wait_for(skeleton, NULL), SPN_PENDING);
    CHECK_EQ(spn_block_free(stage.stage.rt, block), SPN_OK);
    CHECK_EQ(wait_for(skeleton, NULL), SPN_OK);
    pose_stage_close(&stage);
}

TEST_MAIN(TEST(skeleton_is_one_read_and_stays_until_it_is_closed),
          TEST(skeleton_can_be_closed_in_every_state),
          TEST(damaged_skeleton_is_refused),
          TEST(skeleton_that_failed_is_read_again_later),
          TEST(joints_of_a_game_are_found_by_name_and_hash),
          TEST(clip_of_another_skeleton_is_stated),
          TEST(invalid_arguments_are_refused), TEST(skeleton_waits_for_memory))
