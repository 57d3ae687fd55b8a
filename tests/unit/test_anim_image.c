/* test_anim_image.c
 *
 * Goal: the header image is one read; a damaged or missing one is refused with
 *   the place of what is wrong, costs nothing, and can be replaced. Clips have
 *   the headers that were written, and arguments are checked in the stated
 *   order.
 * Method: images of made-up clips on a disc with scripted faults.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_system.h"
#include "anim/anim_wire.h"
#include "base/checksum.h"
#include "base/endian.h"
#include "harness.h"
#include "runtime.h"
#include "support/anim_stage.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static struct anim_stage stage;

/* Open an image and wait for the result. */
static spn_status open_image(const char *path, spn_fault *fault)
{
    spn_status status = spn_anim_open_image(stage.stage.rt, path);

    for (int i = 0; i < 1000 && (status == SPN_OK || status == SPN_PENDING);
         i++) {
        anim_stage_tick(&stage, STAGE_TICK_US);
        status = spn_anim_get_image_status(stage.stage.rt, fault);
        if (status == SPN_OK)
            break;
    }
    return status;
}

static uint64_t used_bytes(void)
{
    spn_heap_stats stats;

    spn_heap_get_stats(stage.stage.rt, &stats);
    return stats.live_bytes;
}

static void image_is_one_read(void)
{
    uint32_t reads;
    spn_fault fault;
    spn_anim_info info;
    spn_heap_stats heap;

    anim_stage_init(&stage, 100, 1000, true);
    stage_start(&stage.stage);
    reads = stage.stage.disc.reads;
    CHECK_EQ_U(spn_anim_get_count(stage.stage.rt), 0);
    CHECK_EQ(open_image("i.sai", &fault), SPN_OK);
    CHECK_EQ_U(stage.stage.disc.reads - reads, 1);
    CHECK_EQ_U(spn_anim_get_count(stage.stage.rt), 100);
    CHECK_EQ_U(used_bytes(), stage.image.size);
    spn_heap_get_stats(stage.stage.rt, &heap);
    CHECK_EQ_U(heap.static_bytes, stage.image.size);
    CHECK_EQ_U(heap.block_bytes, 0);
    CHECK_EQ_U(anim_stage_stats(&stage).header_bytes, stage.image.size);
    CHECK_EQ(spn_anim_open_image(stage.stage.rt, "i.sai"), SPN_ERR_STATE);
    CHECK_EQ(
        spn_anim_get_info(stage.stage.rt, anim_stage_clip(&stage, 7), &info),
        SPN_OK);
    CHECK_STR(info.name, stage.clips.sources[7].name);
    CHECK_EQ_U(info.duration_us, 1333333);
    CHECK_EQ_U(info.flags, SPN_ANIM_LOOPS);
    CHECK_EQ_U(info.database, 1);
    CHECK_EQ_U(info.bytes, 1000);
    CHECK_EQ_U(info.joint_count, 67);
    anim_stage_close(&stage);
}

static void image_that_is_damaged_is_refused(void)
{
    uint8_t *bytes;
    spn_fault fault;

    anim_stage_init(&stage, 5, 1000, false);
    bytes = malloc(stage.image.size);
    CHECK(bytes);
    memcpy(bytes, stage.image.bytes, stage.image.size);
    bytes[stage.image.size - 1] = 'x';
    tiny_clips_correct(bytes, stage.image.size);
    slow_platform_add(&stage.stage.disc, "bad", bytes, stage.image.size);
    slow_platform_add(&stage.stage.disc, "cut", stage.image.bytes,
                      stage.image.size - 1);
    slow_platform_add(&stage.stage.disc, "head", stage.image.bytes, 128);
    slow_platform_add(&stage.stage.disc, "tiny", stage.image.bytes, 127);
    slow_platform_add(&stage.stage.disc, "empty", stage.image.bytes, 0);
    stage_start(&stage.stage);
    CHECK_EQ(open_image("none", &fault), SPN_ERR_NOT_FOUND);
    CHECK_EQ(open_image("empty", &fault), SPN_ERR_FORMAT);
    CHECK_STR(fault.what, "file size");
    CHECK_EQ(open_image("tiny", &fault), SPN_ERR_FORMAT);
    CHECK_EQ(open_image("head", &fault), SPN_ERR_FORMAT);
    CHECK_EQ(open_image("cut", &fault), SPN_ERR_FORMAT);
    CHECK_STR(fault.what, "file size");
    CHECK_STR(fault.file, "cut");
    CHECK_EQ(open_image("bad", &fault), SPN_ERR_FORMAT);
    CHECK_STR(fault.what, "end of a name");
    CHECK_EQ_U(used_bytes(), 0);
    CHECK_EQ(spn_anim_open_image(stage.stage.rt, ""), SPN_ERR_ARG);
    CHECK_EQ(open_image("i.sai", &fault), SPN_OK);
    anim_stage_close(&stage);
    free(bytes);
}

static void image_that_does_not_fit_the_tables_is_refused(void)
{
    spn_fault fault;

    anim_stage_init(&stage, 5, 1000, true);
    stage.stage.config.anim_count = 4;
    stage_start(&stage.stage);
    CHECK_EQ(open_image("i.sai", &fault), SPN_ERR_TABLE_FULL);
    CHECK_EQ_U(fault.value, 5);
    CHECK_EQ_U(fault.expected, 4);
    CHECK_EQ_U(used_bytes(), 0);
    anim_stage_close(&stage);
}

/* Shut down after each step of opening. */
static void image_can_be_shut_down_at_any_step(void)
{
    for (int step = 0; step < 8; step++) {
        anim_stage_init(&stage, 5, 1000, true);
        stage.stage.disc.command_us = 40000;
        stage_start(&stage.stage);
        CHECK_EQ(spn_anim_open_image(stage.stage.rt, "i.sai"), SPN_OK);
        for (int i = 0; i < step; i++)
            anim_stage_tick(&stage, STAGE_TICK_US);
        anim_stage_close(&stage);
    }
}

static void image_functions_check_their_arguments(void)
{
    spn_anim anim;
    spn_anim_info info;
    spn_anim_play play;
    spn_anim_stats stats;

    CHECK_EQ(spn_anim_open_image(NULL, "i.sai"), SPN_ERR_ARG);
    CHECK_EQ_U(spn_anim_get_count(NULL), 0);
    CHECK_EQ(spn_anim_add_ref(NULL, 1), SPN_ERR_ARG);
    /* Without clips there is no animation, and no memory for it. */
    anim_stage_init(&stage, 5, 1000, false);
    stage.stage.config.anim_count = 0;
    stage_start(&stage.stage);
    CHECK_EQ(spn_anim_open_image(stage.stage.rt, "i.sai"), SPN_ERR_STATE);
    CHECK_EQ(spn_anim_get_image_status(stage.stage.rt, NULL), SPN_ERR_STATE);
    CHECK_EQ(spn_anim_get_stats(stage.stage.rt, &stats), SPN_ERR_STATE);
    anim_stage_close(&stage);
    anim_stage_init(&stage, 5, 1000, false);
    stage_start(&stage.stage);
    CHECK_EQ(spn_anim_find(stage.stage.rt, "a/00000.sac", &anim), SPN_PENDING);
    CHECK_EQ(spn_anim_add_ref(stage.stage.rt, 1), SPN_ERR_HANDLE);
    CHECK_EQ(open_image("i.sai", NULL), SPN_OK);
    CHECK_EQ(spn_anim_find(stage.stage.rt, "a/0000.sac", &anim),
             SPN_ERR_NOT_FOUND);
    CHECK_EQ(spn_anim_find(stage.stage.rt, NULL, &anim), SPN_ERR_ARG);
    CHECK_EQ(spn_anim_find(stage.stage.rt, "a/00000.sac", NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_anim_get_info(stage.stage.rt, 6, &info), SPN_ERR_HANDLE);
    CHECK_EQ(spn_anim_get_info(stage.stage.rt, 0, &info), SPN_ERR_HANDLE);
    CHECK_EQ(spn_anim_add_ref(stage.stage.rt, 6), SPN_ERR_HANDLE);
    CHECK_EQ(spn_anim_play_start(stage.stage.rt, 6, &play), SPN_ERR_HANDLE);
    CHECK_EQ(spn_anim_play_start(stage.stage.rt, 1, NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_anim_load_synchronously(stage.stage.rt, 0, 0), SPN_ERR_HANDLE);
    anim_stage_close(&stage);
}

/* -- development -- */

/* A clip file without segments; its bytes mean nothing to the residency. Long
 * clips have scale. */
static void make_clip_file(uint8_t *bytes, uint32_t size, uint32_t frames)
{
    struct anim_wire_clip *wire = (void *)bytes;

    memset(bytes, (int)frames, size);
    memset(wire, 0, sizeof *wire);
    memcpy(wire->signature, ANIM_CLIP_SIGNATURE, sizeof wire->signature);
    spn_store_u16le(wire->version, ANIM_VERSION);
    wire->flags[0] =
        (uint8_t)(ANIM_LOOPS | ANIM_LOOP_CLOSES | ANIM_IS_ADDITIVE |
                  (frames > 31 ? ANIM_HAS_SCALE : 0));
    wire->segment_frames[0] = 16;
    spn_store_u16le(wire->joint_count, 67);
    spn_store_u32le(wire->frame_count, frames);
    spn_store_u32le(wire->rate_numerator, 30);
    spn_store_u32le(wire->rate_denominator, 1);
    spn_store_u64le(wire->skeleton, 5);
    spn_store_u32le(wire->head_bytes, size);
    spn_store_u32le(wire->file_bytes, size);
    spn_store_u32le(wire->checksum,
                    spn__checksum(bytes,
                                  offsetof(struct anim_wire_clip, checksum),
                                  WIRE_SEED));
}

static spn_status add_and_wait(const char *path, spn_fault *fault)
{
    CHECK_EQ(spn_anim_add_file(stage.stage.rt, path), SPN_OK);
    for (int i = 0; i < 1000; i++)
        if (spn_anim_get_image_status(stage.stage.rt, fault) == SPN_PENDING)
            anim_stage_tick(&stage, STAGE_TICK_US);
    return spn_anim_get_image_status(stage.stage.rt, fault);
}

static void image_can_be_left_out_in_development(void)
{
    static uint8_t files[2][3000];
    spn_anim anims[2];
    spn_anim_info info;
    spn_fault fault;
    spn_tuning tuning;
    uint32_t index;

    make_clip_file(files[0], 3000, 31);
    make_clip_file(files[1], 2000, 61);
    anim_stage_init(&stage, 5, 1000, false);
    stage.stage.config.anim_count = 2;
    stage.stage.config.anim_has_loose_headers = 1;
    slow_platform_add(&stage.stage.disc, "b/one.sac", files[0], 3000);
    slow_platform_add(&stage.stage.disc, "b/two.sac", files[1], 2000);
    stage_start(&stage.stage);
    CHECK_EQ(spn_anim_open_image(stage.stage.rt, "i.sai"), SPN_ERR_STATE);
    CHECK_EQ(spn_tuning_find("ca_UseIMG_CAF", &index), SPN_OK);
    CHECK_EQ(spn_tuning_get(stage.stage.rt, index, &tuning), SPN_OK);
    CHECK_EQ_U(tuning.value, 0);
    CHECK_EQ(spn_anim_add_file(stage.stage.rt, "b/../one"), SPN_ERR_ARG);
    CHECK_EQ(add_and_wait("b/none.sac", &fault), SPN_ERR_NOT_FOUND);
    CHECK_STR(fault.file, "b/none.sac");
    CHECK_EQ(add_and_wait("a/00000.sac", &fault), SPN_ERR_FORMAT);
    CHECK_STR(fault.what, "signature");
    CHECK_EQ_U(spn_anim_get_count(stage.stage.rt), 0);
    CHECK_EQ(spn_anim_add_file(stage.stage.rt, "b/two.sac"), SPN_OK);
    CHECK_EQ(spn_anim_find(stage.stage.rt, "b/two.sac", &anims[1]),
             SPN_PENDING);
    CHECK_EQ(add_and_wait("b/one.sac", &fault), SPN_OK);
    CHECK_EQ(add_and_wait("b/one.sac", &fault), SPN_OK);
    CHECK_EQ_U(spn_anim_get_count(stage.stage.rt), 2);
    CHECK_EQ_U(anim_stage_stats(&stage).header_bytes,
               2 * sizeof(struct clip_wire_clip) +
                   stage.stage.rt->anim->image.index.header.kind_count *
                       sizeof(struct clip_wire_kind) +
                   sizeof "b/one.sac" + sizeof "b/two.sac");
    CHECK_EQ(spn_anim_add_file(stage.stage.rt, "b/three.sac"),
             SPN_ERR_TABLE_FULL);
    CHECK_EQ(spn_anim_find(stage.stage.rt, "b/one.sac", &anims[0]), SPN_OK);
    CHECK_EQ(spn_anim_find(stage.stage.rt, "b/two.sac", &anims[1]), SPN_OK);
    CHECK_EQ(spn_anim_find(stage.stage.rt, "b/on.sac", &anims[1]),
             SPN_ERR_NOT_FOUND);
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_EQ(spn_anim_get_info(stage.stage.rt, anims[i], &info), SPN_OK);
        CHECK_STR(info.name, i == 0 ? "b/one.sac" : "b/two.sac");
        CHECK_EQ_U(info.duration_us, i == 0 ? 1000000 : 2000000);
        CHECK_EQ_U(info.flags, SPN_ANIM_LOOPS | SPN_ANIM_CLOSES |
                                   SPN_ANIM_IS_ADDITIVE |
                                   (i == 0 ? 0 : SPN_ANIM_HAS_SCALE));
        CHECK_EQ_U(info.bytes, i == 0 ? 3000 : 2000);
        CHECK_EQ(spn_anim_add_ref(stage.stage.rt, anims[i]), SPN_OK);
        anim_stage_until(&stage, anims[i], SPN_OK);
    }
    anim_stage_close(&stage);
}

/* There is room for the names of two files; failed ones leave it again, also
 * those between names that wait. */
static void loose_files_that_failed_leave_their_names(void)
{
    static uint8_t file[3000];
    char path[200];
    spn_anim anim;
    spn_fault fault;

    make_clip_file(file, 3000, 31);
    anim_stage_init(&stage, 5, 1000, false);
    stage.stage.config.anim_count = 2;
    stage.stage.config.anim_has_loose_headers = 1;
    slow_platform_add(&stage.stage.disc, "b/one.sac", file, 3000);
    slow_platform_add(&stage.stage.disc, "b/two.sac", file, 3000);
    stage_start(&stage.stage);
    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = 0;
    for (int i = 0; i < 5; i++) {
        CHECK_EQ(add_and_wait(path, &fault), SPN_ERR_NOT_FOUND);
        CHECK_STR(fault.file, path);
    }
    CHECK_EQ(spn_anim_add_file(stage.stage.rt, path), SPN_OK);
    CHECK_EQ(spn_anim_add_file(stage.stage.rt, "b/two.sac"), SPN_OK);
    CHECK_EQ(spn_anim_add_file(stage.stage.rt, "b/one.sac"),
             SPN_ERR_TABLE_FULL);
    while (spn_anim_get_image_status(stage.stage.rt, &fault) == SPN_PENDING)
        anim_stage_tick(&stage, STAGE_TICK_US);
    CHECK_STR(fault.file, path);
    CHECK_EQ(spn_anim_find(stage.stage.rt, "b/two.sac", &anim), SPN_OK);
    CHECK_EQ(add_and_wait("b/one.sac", &fault), SPN_OK);
    CHECK_EQ(spn_anim_find(stage.stage.rt, "b/one.sac", &anim), SPN_OK);
    CHECK_EQ(spn_anim_find(stage.stage.rt, "b/two.sac", &anim), SPN_OK);
    anim_stage_close(&stage);
}

/* A table of reads that is full is no result of the image. */
static void image_keeps_its_fault_if_no_read_can_be_started(void)
{
    static uint8_t buffer[1000];
    enum { READS = 4 };
    const spn_read_desc desc = {.path = "a/00000.sac",
                                .bytes = sizeof buffer,
                                .buffer = buffer,
                                .buffer_bytes = sizeof buffer};
    spn_fault fault = {0};
    spn_read read;

    anim_stage_init(&stage, 5, 1000, false);
    stage.stage.config.read_count = READS;
    slow_platform_add(&stage.stage.disc, "cut", stage.image.bytes, 128);
    stage_start(&stage.stage);
    CHECK_EQ(open_image("cut", &fault), SPN_ERR_FORMAT);
    for (int i = 0; i < READS; i++)
        CHECK_EQ(spn_read_start(stage.stage.rt, &desc, &read), SPN_OK);
    CHECK_EQ(spn_anim_open_image(stage.stage.rt, "i.sai"), SPN_FULL);
    fault = (spn_fault){0};
    CHECK_EQ(spn_anim_get_image_status(stage.stage.rt, &fault), SPN_ERR_FORMAT);
    CHECK_STR(fault.what, "file size");
    CHECK_STR(fault.file, "cut");
    anim_stage_close(&stage);
}

/* Headers that were not read yet are not waited for. */
static void image_files_need_not_be_read_before_the_end(void)
{
    static uint8_t file[3000];

    make_clip_file(file, 3000, 31);
    for (int ticks = 0; ticks < 8; ticks++) {
        anim_stage_init(&stage, 5, 1000, false);
        stage.stage.config.anim_has_loose_headers = 1;
        slow_platform_add(&stage.stage.disc, "b/one.sac", file, 3000);
        stage_start(&stage.stage);
        CHECK_EQ(spn_anim_add_file(stage.stage.rt, "b/none.sac"), SPN_OK);
        CHECK_EQ(spn_anim_add_file(stage.stage.rt, "b/one.sac"), SPN_OK);
        for (int i = 0; i < ticks; i++)
            anim_stage_tick(&stage, STAGE_TICK_US);
        anim_stage_close(&stage);
        CHECK_EQ_U(stage.stage.disc.opens, stage.stage.disc.closes);
    }
}

TEST_MAIN(TEST(image_is_one_read),
          TEST(loose_files_that_failed_leave_their_names),
          TEST(image_keeps_its_fault_if_no_read_can_be_started),
          TEST(image_files_need_not_be_read_before_the_end),
          TEST(image_can_be_left_out_in_development),
          TEST(image_that_is_damaged_is_refused),
          TEST(image_that_does_not_fit_the_tables_is_refused),
          TEST(image_can_be_shut_down_at_any_step),
          TEST(image_functions_check_their_arguments))
