/* test_anim_export.c
 *
 * Goal: float tracks survive the export to glTF: values, order, interpolation;
 *   clips with different numbers of them can be exported together.
 * Method: clips made from code are exported and read again. Where there are too
 *   few joints for the meshes, tracks are lost with a warning.
 */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "harness.h"
#include "support/made_motion.h"

#include "anim/encode/anim_encode.h"
#include "anim/source/sample.h"
#include "anim/tool/anim_export.h"
#include "anim/tool/clip_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define CLIPS_MAX 3u

static struct arena arena;
static struct diag diag;
static char folder[512];

static const char *path_of(const char *name)
{
    return arena_format(&arena, "%s/%s", folder, name);
}

static void write_file(const char *path, const struct anim_file *file)
{
    FILE *out = fopen(path, "wb");

    CHECK(out);
    CHECK_EQ_U(fwrite(file->bytes, 1, file->size, out), file->size);
    CHECK_EQ(fclose(out), 0);
}

static void start(void)
{
    static unsigned number;

    snprintf(folder, sizeof folder, "%s/%u", test_temp(), number++);
    CHECK_EQ(mkdir(folder, 0777), 0);
    arena_init(&arena);
    diag_init(&diag);
    diag.is_silent = true;
}

static void finish(void)
{
    diag_finish(&diag);
    arena_free(&arena);
}

/* Encode clips, which have one skeleton, and export them. */
static void export_all(const struct made_motion *made, uint32_t count,
                       const char **paths)
{
    static const struct anim_encode_options options = {ANIM_PRECISION,
                                                       ANIM_FLOAT_PRECISION};
    const struct anim_export_options wanted = {
        .clips = paths, .clip_count = count, .output = path_of("out.glb")};
    struct anim_export_report report;

    for (uint32_t i = 0; i < count; i++) {
        struct anim_file file;
        struct dense_clip dense;

        made_motion(&made[i], &arena, &dense);
        anim_encode_clip(&dense, &options, &arena, &file);
        paths[i] = path_of(arena_format(&arena, "%u.sac", i));
        write_file(paths[i], &file);
        if (i > 0)
            continue;
        anim_encode_skeleton(&dense, &arena, &file);
        write_file(path_of("made.sas"), &file);
    }
    CHECK(anim_export(&wanted, &diag, &report));
}

/* Compare the float tracks of a clip file with those of an exported clip. */
static void compare(const char *path, const struct motion *motion,
                    uint32_t index, const struct sample_skeleton *skeleton)
{
    const struct sample_options options = {0, 1};
    struct skeleton_file joints;
    spn_anim_transform *locals;
    const char **names;
    struct sample_grid grid;
    struct dense_clip dense;
    struct clip_file clip;
    float *numbers;
    uint32_t count;

    CHECK(clip_file_open(&clip, path, &arena, &diag));
    CHECK(clip_file_skeleton(&clip, NULL, &joints, &arena, &diag));
    CHECK(sample_clip(motion, index, skeleton, &options, &arena, "out.glb",
                      &diag, &grid, &dense));
    count = clip.clip.header.float_track_count;
    CHECK_EQ_U(dense.float_track_count, count);
    names = clip_file_float_names(&clip, &arena);
    for (uint32_t i = 0; i < count; i++)
        CHECK_STR(dense.float_track_names[i], names[i]);
    CHECK_EQ_U(dense.frame_count, clip.clip.header.frame_count);
    locals = ARENA_NEW(&arena, spn_anim_transform, dense.joint_count);
    numbers = ARENA_NEW(&arena, float, count + 1);
    for (uint32_t f = 0; f < dense.frame_count; f++) {
        clip_file_pose(&clip, &joints, f, 0, locals, numbers);
        for (uint32_t i = 0; i < count; i++) {
            test_context("clip %u, frame %u, track %u", index, f, i);
            CHECK(dense.floats[f * count + i] == numbers[i]);
        }
    }
    for (uint32_t i = 0; i < clip.clip.tracks.floats.count; i++)
        CHECK_EQ_U(dense.float_is_step[clip.clip.tracks.floats.joint[i]],
                   i >= clip.clip.tracks.floats.linear_count);
}

static void check_export(const struct made_motion *made, uint32_t count)
{
    struct sample_skeleton skeleton;
    const char *paths[CLIPS_MAX];
    struct motion motion;

    start();
    export_all(made, count, paths);
    CHECK_EQ_U(diag.warning_count, 0);
    CHECK(motion_read(&motion, path_of("out.glb"), &diag));
    CHECK_EQ_U(motion.clip_count, count);
    CHECK(sample_skeleton(&motion, 1, &arena, "out.glb", &diag, &skeleton));
    for (uint32_t i = 0; i < count; i++)
        compare(paths[i], &motion, i, &skeleton);
    motion_free(&motion);
    finish();
}

static void float_tracks_survive_the_export(void)
{
    const struct made_motion smooth = {
        .joints = 3, .frames = 40, .float_tracks = 5, .seed = 1, .swing = 1};
    const struct made_motion stepped = {.joints = 9,
                                        .frames = 20,
                                        .float_tracks = 8,
                                        .seed = 2,
                                        .swing = 1,
                                        .has_steps = true,
                                        .has_cuts = true};

    check_export(&smooth, 1);
    check_export(&stepped, 1);
}

/* A clip whose joints are still keeps its length by its float tracks. */
static void still_clips_keep_their_float_tracks(void)
{
    const struct made_motion still = {
        .joints = 2, .frames = 20, .float_tracks = 2, .seed = 3};

    check_export(&still, 1);
}

static void clips_have_different_numbers_of_float_tracks(void)
{
    const struct made_motion made[] = {
        {.joints = 3, .frames = 20, .float_tracks = 4, .seed = 1, .swing = 1},
        {.joints = 3, .frames = 30, .float_tracks = 0, .seed = 1, .swing = 1},
        {.joints = 3, .frames = 10, .float_tracks = 7, .seed = 1, .swing = 1},
    };

    check_export(made, 3);
}

static void float_tracks_without_a_joint_are_lost_with_a_warning(void)
{
    /* Four channels, since every second track has steps. */
    const struct made_motion made = {.joints = 3,
                                     .frames = 20,
                                     .float_tracks = 4,
                                     .seed = 2,
                                     .swing = 1,
                                     .has_steps = true};
    const char *paths[1];
    struct motion motion;

    start();
    export_all(&made, 1, paths);
    CHECK_EQ_U(diag.warning_count, 1);
    CHECK(motion_read(&motion, path_of("out.glb"), &diag));
    motion_free(&motion);
    finish();
}

TEST_MAIN(TEST(float_tracks_survive_the_export),
          TEST(still_clips_keep_their_float_tracks),
          TEST(clips_have_different_numbers_of_float_tracks),
          TEST(float_tracks_without_a_joint_are_lost_with_a_warning))
