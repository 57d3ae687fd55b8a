/* Goal: clips of real files are small, and keep the precision.
 *
 * Method: some clips of the assets are read, sampled at their own rate, encoded
 * and measured. Sizes are compared with those of a reference encoder (ACL, the
 * assets' YARDSTICKS.tsv). make bench measures all of them.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "anim/encode/anim_encode.h"
#include "anim/encode/clip_error.h"
#include "anim/source/sample.h"

#include <stdio.h>

struct real_clip {
    const char *file;
    uint32_t index;
    double unit_metres;
    uint32_t frames;
    uint32_t reference_bytes;
};

static const struct real_clip clips[] = {
    {"cmu_02_01.bvh", 0, 0.0700296, 172, 21012},
    {"mh_walk1.bvh", 0, 0.10695, 14, 2576},
    {"kaykit_MovementBasic.glb", 5, 1, 25, 3489},
    /* Joints shrink to nothing, and move 9 m in a segment. */
    {"kaykit_General.glb", 10, 1, 40, 9938},
    {"robot.glb", 3, 1, 18, 2846},
};

static void check_clip(const struct real_clip *real, const char *path,
                       struct arena *arena)
{
    const struct anim_encode_options options = {ANIM_PRECISION,
                                                ANIM_FLOAT_PRECISION};
    const struct sample_options sampling = {.unit_metres = real->unit_metres};
    struct sample_skeleton skeleton;
    struct sample_grid grid;
    struct dense_clip clip;
    struct motion motion;
    struct anim_file skeleton_file;
    struct anim_file file;
    struct clip_error error;
    spn_fault fault = {0};
    struct diag diag;

    diag_init(&diag);
    CHECK(motion_read(&motion, path, &diag));
    CHECK(sample_skeleton(&motion, real->unit_metres, arena, path, &diag,
                          &skeleton));
    CHECK(sample_clip(&motion, real->index, &skeleton, &sampling, arena, path,
                      &diag, &grid, &clip));
    CHECK_EQ(clip.frame_count, real->frames);
    CHECK(anim_encode_refusal(&clip, &options) == NULL);
    anim_encode_skeleton(&clip, arena, &skeleton_file);
    anim_encode_clip(&clip, &options, arena, &file);
    CHECK_EQ(
        clip_error_measure(&clip, &skeleton_file, &file, arena, &error, &fault),
        SPN_OK);
    CHECK(error.at_frames <= 0.0001);
    CHECK(error.between <= 0.00015);
    CHECK(file.size * 10 <= (size_t)real->reference_bytes * 6);
    motion_free(&motion);
    diag_finish(&diag);
}

static void real_clips_are_small_and_precise(void)
{
    const char *assets = test_assets();
    struct arena arena;
    char path[1024];

    if (!assets)
        test_skip("no assets");
    for (size_t i = 0; i < sizeof clips / sizeof clips[0]; i++) {
        FILE *file;

        snprintf(path, sizeof path, "%s/anim/%s", assets, clips[i].file);
        file = fopen(path, "rb");
        if (!file)
            test_skip("no animation assets");
        fclose(file);
        test_context("%s, clip %u", clips[i].file, clips[i].index);
        arena_init(&arena);
        check_clip(&clips[i], path, &arena);
        arena_free(&arena);
    }
}

TEST_MAIN(TEST(real_clips_are_small_and_precise))
