/* test_anim_tool.c
 *
 * Goal: names of files are safe on every system, errors at the skin are
 *   distances in metres, and rates rise until frames follow curves.
 * Method: names and poses made by hand; the cubic clip of the small files.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/motion_files.h"

#include "anim/tool/file_names.h"
#include "anim/tool/skin_error.h"
#include "anim/tool/source_poses.h"
#include "pack/pak_names.h"

#include <string.h>

static struct arena arena;

static void names_become_safe(void)
{
    static const char *const rows[][2] = {
        {"run", "run"},
        {"Step Scale", "Step Scale"},
        {"Armature|mixamo.com", "Armature_mixamo.com"},
        {"../../etc/passwd", "_.._.._etc_passwd"},
        {"a/b\\c:d*e?f\"g<h>i", "a_b_c_d_e_f_g_h_i"},
        {"", "_"},
        {".hidden", "_.hidden"},
        {"con", "_con"},
        {"a\nb\x7f", "a_b_"},
        {"end. ", "end__"},
        {"\xc3\xa4", "\xc3\xa4"},
    };
    char longest[600];

    arena_init(&arena);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_context("%s", rows[i][0]);
        CHECK_STR(file_safe_name(&arena, rows[i][0]), rows[i][1]);
        CHECK(pak_name_flaw(file_safe_name(&arena, rows[i][0])) == NULL);
    }
    /* Controls of the writing direction. */
    CHECK(pak_name_flaw(file_safe_name(&arena, "a\xe2\x80\xae"
                                               "b")) == NULL);
    for (int i = 0; i < 300; i++)
        memcpy(longest + 2 * i, i < 299 ? "\xc3\xa4" : "\0", 2);
    CHECK_EQ_U(strlen(file_safe_name(&arena, longest)), 200);
    CHECK_EQ(file_name_compare("Run.sac", "rUN.sac"), 0);
    CHECK(file_name_compare("run", "Run2") < 0);
    CHECK(file_name_compare("b", "A") > 0);
    CHECK(file_name_compare("[", "a") < 0);
    CHECK(file_name_compare("z", "\xc3\xa4") < 0);
    CHECK_STR(file_stem(&arena, "a.b/c.d.glb"), "c.d");
    CHECK_STR(file_stem(&arena, "a\\.bvh"), ".bvh");
    arena_free(&arena);
}

static void errors_are_distances_of_vertices(void)
{
    const struct dense_joint joints[2] = {
        {"root", -1, {{0, 0, 0, 1}, {0, 0, 0}, {1, 1, 1}}},
        {"end", 0, {{0, 0, 0, 1}, {0, 2, 0}, {1, 1, 1}}},
    };
    struct joint_transform a[2] = {joints[0].rest, joints[1].rest};
    struct joint_transform b[2] = {joints[0].rest, joints[1].rest};
    struct skin_error skin;
    uint32_t joint = 9;

    arena_init(&arena);
    skin_error_init(&skin, joints, 2, &arena);
    CHECK_NEAR(skin_error_measure(&skin, a, b, &joint), 0, 0);
    CHECK_EQ_U(joint, 9);
    b[1].translation[0] = 0.001;
    CHECK_NEAR(skin_error_measure(&skin, a, b, &joint), 0.001, 1e-15);
    CHECK_EQ_U(joint, 1);
    /* A half turn of the end about y moves its vertices on x and z by twice
     * their distance. */
    b[1] = joints[1].rest;
    b[1].rotation[1] = 1;
    b[1].rotation[3] = 0;
    CHECK_NEAR(skin_error_measure(&skin, a, b, &joint), 0.06, 1e-15);
    CHECK_EQ_U(joint, 1);
    /* A half turn of the root about x moves the end by 4 m, its vertex on y by
     * 4.06 m. */
    b[1] = joints[1].rest;
    b[0].rotation[0] = 1;
    b[0].rotation[3] = 0;
    CHECK_NEAR(skin_error_measure(&skin, a, b, &joint), 4.06, 1e-14);
    CHECK_EQ_U(joint, 1);
    arena_free(&arena);
}

static void rates_rise_until_curves_are_followed(void)
{
    struct motion_file files[MOTION_FILE_COUNT];
    struct sample_options sample = {0, 0};
    struct sample_skeleton skeleton;
    struct motion motion;
    struct source_loss limit = {1, 1};
    struct diag diag;
    double rate;
    double finer;

    arena_init(&arena);
    diag_init(&diag);
    motion_files_make(&arena, files);
    CHECK(motion_read_bytes(&motion, "arm.glb", files[MOTION_FILE_GLB].bytes,
                            files[MOTION_FILE_GLB].size, true, &diag));
    CHECK(sample_skeleton(&motion, 1, &arena, "arm.glb", &diag, &skeleton));
    CHECK(!source_has_curves(&motion.clips[0]));
    CHECK(source_has_curves(&motion.clips[1]));
    CHECK(source_follow_rate(&motion, 1, &skeleton, &sample, &limit, "arm.glb",
                             &diag, &rate));
    CHECK_NEAR(rate, 0, 0);
    limit.metres = 0.004;
    CHECK(source_follow_rate(&motion, 1, &skeleton, &sample, &limit, "arm.glb",
                             &diag, &rate));
    CHECK(rate > 30);
    limit.metres = 0.001;
    CHECK(source_follow_rate(&motion, 1, &skeleton, &sample, &limit, "arm.glb",
                             &diag, &finer));
    CHECK(finer > rate);
    limit.metres = 1e-9;
    CHECK(source_follow_rate(&motion, 0, &skeleton, &sample, &limit, "arm.glb",
                             &diag, &rate));
    CHECK_NEAR(rate, 0, 0);
    CHECK(source_follow_rate(&motion, 1, &skeleton, &sample, &limit, "arm.glb",
                             &diag, &finer));
    CHECK_NEAR(finer, FOLLOW_RATE_MAX, 0);
    motion_free(&motion);
    CHECK_EQ(diag.code, EXIT_DONE);
    diag_finish(&diag);
    arena_free(&arena);
}

/* The rate for a clip of two joints whose keys are at 0, 0.51 and 1.3 s, on no
 * grid. */
static double followed_rate(const struct motion_channel *channels,
                            uint32_t count, const struct source_loss *limit)
{
    static const struct joint_transform rest = {
        {0, 0, 0, 1}, {0, 0, 0}, {1, 1, 1}};
    static const uint32_t order[2] = {0, 1};
    const struct motion_joint joints[2] = {
        {.name = "a", .parent = -1, .rest = rest},
        {.name = "b", .parent = -1, .rest = rest}};
    const struct motion_clip clip = {.name = "clip",
                                     .channel_count = count,
                                     .channels = channels,
                                     .end = 1.3};
    const struct motion motion = {.format = MOTION_GLTF,
                                  .joint_count = 2,
                                  .joints = joints,
                                  .order = order,
                                  .clip_count = 1,
                                  .clips = &clip};
    const struct sample_options sample = {0, 0};
    struct sample_skeleton skeleton;
    struct diag diag;
    double rate = -1;

    arena_init(&arena);
    diag_init(&diag);
    CHECK(sample_skeleton(&motion, 1, &arena, "made", &diag, &skeleton));
    CHECK(source_follow_rate(&motion, 0, &skeleton, &sample, limit, "made",
                             &diag, &rate));
    CHECK_EQ(diag.code, EXIT_DONE);
    diag_finish(&diag);
    arena_free(&arena);
    return rate;
}

static const double key_times[3] = {0, 0.51, 1.3};

/* At 30 frames a second the cubic translation of 1 mm is followed within 0.1
 * mm. The other joint jumps by 1 m between two frames, which no rate follows.
 */
static void steps_do_not_raise_the_rate(void)
{
    static const double curve[27] = {[13] = 0.001};
    static const double steps[9] = {[4] = 1};
    const struct motion_channel channels[2] = {
        {0, MOTION_TRANSLATION, MOTION_CUBIC, 3, 3, key_times, curve, "float",
         false},
        {1, MOTION_TRANSLATION, MOTION_STEP, 3, 3, key_times, steps, "float",
         false},
    };
    const struct source_loss limit = {0.0001, 0.0001};
    const struct source_loss finer = {0.000001, 0.0001};

    CHECK_NEAR(followed_rate(channels, 2, &limit), 0, 0);
    CHECK_NEAR(followed_rate(channels, 2, &finer), 60, 0);
}

static void weights_raise_the_rate(void)
{
    static const double curve[9] = {[4] = 1};
    const struct motion_channel channel = {
        0,         MOTION_WEIGHTS, MOTION_CUBIC, 1,    3,
        key_times, curve,          "float",      false};
    const struct source_loss coarse = {0.0001, 0.01};
    const struct source_loss limit = {0.0001, 0.001};

    CHECK_NEAR(followed_rate(&channel, 1, &coarse), 0, 0);
    CHECK_NEAR(followed_rate(&channel, 1, &limit), 60, 0);
}

TEST_MAIN(TEST(names_become_safe), TEST(errors_are_distances_of_vertices),
          TEST(rates_rise_until_curves_are_followed),
          TEST(steps_do_not_raise_the_rate), TEST(weights_raise_the_rate))
