/* test_anim_sample.c
 *
 * Goal: clips are sampled at the times of their keys, with the joints, steps,
 *   cuts, weights and loops of the file.
 * Method: small files made for the purpose; for the motion assets, frames and
 *   rates of every clip are compared with a list made by another program.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/motion_files.h"

#include "anim/source/evaluate.h"
#include "anim/source/sample.h"
#include "base/endian.h"
#include "host/host.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static struct arena arena;
static struct diag diag;
static struct motion motion;
static struct sample_skeleton skeleton;
static struct sample_grid grid;
static struct dense_clip dense;

static void begin(const char *name, const void *bytes, size_t size)
{
    arena_init(&arena);
    diag_init(&diag);
    diag.is_quiet = true;
    CHECK(motion_read_bytes(&motion, name, bytes, size, true, &diag));
}

static void begin_file(int index)
{
    struct motion_file files[MOTION_FILE_COUNT];
    struct arena made;

    arena_init(&made);
    motion_files_make(&made, files);
    begin(files[index].name, files[index].bytes, files[index].size);
    arena_free(&made);
}

static void end(void)
{
    motion_free(&motion);
    diag_finish(&diag);
    arena_free(&arena);
}

static bool sample(uint32_t index, double rate, double unit_metres)
{
    const struct sample_options options = {rate, unit_metres};

    return sample_skeleton(&motion,
                           unit_metres > 0 ? unit_metres
                                           : sample_unit_metres(motion.format),
                           &arena, "file", &diag, &skeleton) &&
           sample_clip(&motion, index, &skeleton, &options, &arena, "file",
                       &diag, &grid, &dense);
}

static void check_rate(uint32_t numerator, uint32_t denominator,
                       uint32_t frames)
{
    CHECK_EQ_U(dense.rate_numerator, numerator);
    CHECK_EQ_U(dense.rate_denominator, denominator);
    CHECK_EQ_U(dense.frame_count, frames);
}

static void clips_have_the_rate_of_their_keys(void)
{
    begin_file(MOTION_FILE_BVH);
    CHECK(sample(0, 0, 0));
    check_rate(25, 1, 5);
    CHECK_EQ_U(grid.every, 1);
    CHECK(sample(0, 12.5, 0));
    check_rate(25, 2, 3);
    CHECK_EQ_U(grid.every, 2);
    CHECK(sample(0, 100, 0));
    check_rate(100, 1, 17);
    CHECK_EQ_U(grid.every, 0);
    end();
    begin_file(MOTION_FILE_GLB);
    CHECK(sample(0, 0, 0));
    check_rate(4, 1, 5);
    /* The keys of the second clip are at 0.5, 0.625 and 1.1 s. */
    CHECK(sample(1, 0, 0));
    check_rate(30, 1, 19);
    CHECK_NEAR(grid.times[0], 0.5, 0);
    CHECK_NEAR(grid.times[18], 1.1, 1e-7);
    end();
}

static void fast_clips_lose_frames(void)
{
    static const char text[] = "HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 1 "
                               "Xrotation } MOTION Frames: 6 Frame Time: "
                               "0.0083333 0 1 2 3 4 5";
    struct joint_transform pose;

    begin("fast.bvh", text, sizeof text - 1);
    CHECK(sample(0, 0, 0));
    check_rate(60, 1, 3);
    for (uint32_t f = 0; f < 3; f++) {
        evaluate_locals(&motion, &motion.clips[0], 2 * f * 0.0083333, &pose);
        CHECK_MEM(&pose, &dense.locals[f], sizeof pose);
    }
    end();
}

static void fractions_are_in_lowest_terms(void)
{
    static const struct {
        double value;
        uint32_t numerator;
        uint32_t denominator;
    } rows[] = {
        {30, 30, 1},
        {29.97, 2997, 100},
        {0.5, 1, 2},
        {24000 / 1001.0, 24000, 1001},
        {1e-5, 1, 100000},
        {1e5, 100000, 1},
        {0.03333, 3333, 100000},
        {0.0333333, 1, 30},
        {0.00833333 * 2, 1, 60},
        {1.000001, 1, 1},
        {30000 / 1001.0, 30000, 1001},
        {1 / 3.0, 1, 3},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t numerator;
        uint32_t denominator;

        test_context("%g", rows[i].value);
        sample_fraction(rows[i].value, &numerator, &denominator);
        CHECK_EQ_U(numerator, rows[i].numerator);
        CHECK_EQ_U(denominator, rows[i].denominator);
    }
    for (int i = 1; i < 1000; i++) {
        uint32_t numerator;
        uint32_t denominator;
        double value = sqrt(i);

        sample_fraction(value, &numerator, &denominator);
        CHECK(numerator <= ANIM_RATE_MAX);
        CHECK(denominator <= ANIM_RATE_MAX);
        CHECK_NEAR((double)numerator / denominator, value, 1e-5 * value);
    }
}

static void joints_stand_behind_their_parents(void)
{
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"a\"},"
        "{\"name\":\"a\",\"children\":[0,3],\"translation\":[1,2,3]},"
        "{},{\"name\":\"a#0\"},{\"name\":\"joint2\"}],\"animations\":[{}]}";

    begin("order.gltf", text, sizeof text - 1);
    CHECK(sample(0, 0, 0.5));
    CHECK_EQ_U(dense.joint_count, 5);
    CHECK_EQ_U(skeleton.places[1], 0);
    CHECK_EQ_U(skeleton.places[0], 1);
    CHECK_EQ(dense.joints[1].parent, 0);
    CHECK_NEAR(dense.joints[0].rest.translation[2], 1.5, 0);
    CHECK_NEAR(dense.locals[0].translation[2], 1.5, 0);
    CHECK_STR(dense.joints[0].name, "a");
    CHECK_STR(dense.joints[1].name, "a#0");
    CHECK_STR(dense.joints[2].name, "joint2");
    CHECK_STR(dense.joints[3].name, "a#0#3");
    CHECK_STR(dense.joints[4].name, "joint2#4");
    CHECK_STR(dense.name, "clip0");
    check_rate(30, 1, 1);
    CHECK(!dense.loop_closes);
    end();
}

/* Targets without a name, or with extras of another type, have generated ones.
 * A mesh that is not there is no error. */
static void weights_have_the_names_of_their_targets(void)
{
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},"
        "\"buffers\":[{\"byteLength\":40,\"uri\":\"data:application/octet-"
        "stream;base64,AAAAAAAAgD8AAAAAAAAAAAAAAAAAAAAAAACAPwAAgD8A"
        "AIA/AACAPw==\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":40}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":"
        "2,\"type\":\"SCALAR\",\"min\":[0],\"max\":[1]},"
        "{\"bufferView\":0,\"byteOffset\":8,\"componentType\":5126,\"count"
        "\":8,\"type\":\"SCALAR\"}],"
        "\"nodes\":[{\"name\":\"face\",\"mesh\":0},{\"name\":\"tail\",\"mesh\":"
        "1}"
        ",{\"mesh\":7},{\"mesh\":0}],"
        "\"meshes\":[{\"extras\":{\"targetNames\":[\"smile\",3,\"\",\"blink\","
        "\""
        "more\"]}},{\"extras\":{\"targetNames\":\"none\"}}],"
        "\"animations\":[{\"samplers\":[{\"input\":0,\"output\":1}],"
        "\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"weight"
        "s\"}},"
        "{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"weights\"}},"
        "{\"sampler\":0,\"target\":{\"node\":3,\"path\":\"weights\"}}]}]}";
    static const char *const names[] = {"smile",
                                        "face/weights[1]",
                                        "face/weights[2]",
                                        "blink",
                                        "tail/weights[0]",
                                        "tail/weights[1]",
                                        "tail/weights[2]",
                                        "tail/weights[3]",
                                        "smile",
                                        "joint3/weights[1]",
                                        "joint3/weights[2]",
                                        "blink"};

    begin("names.gltf", text, sizeof text - 1);
    CHECK(sample(0, 0, 0));
    CHECK_EQ_U(dense.float_track_count, 12);
    for (uint32_t i = 0; i < 12; i++)
        CHECK_STR(dense.float_track_names[i], names[i]);
    end();
}

static void steps_and_weights_are_kept(void)
{
    begin_file(MOTION_FILE_GLB);
    CHECK(sample(0, 0, 0));
    CHECK_EQ(dense.joint_is_step[skeleton.places[4]], DENSE_STEP_SCALE);
    CHECK_EQ(dense.joint_is_step[skeleton.places[1]], 0);
    /* The scale steps at 0.5 and 0.75 s: frames 2 and 3. */
    for (uint32_t f = 0; f < 5; f++)
        CHECK_NEAR(dense.locals[f * 5 + skeleton.places[4]].scale[1],
                   f == 2 ? 2 : 1, 0);
    CHECK_EQ_U(dense.float_track_count, 0);
    CHECK(sample(1, 0, 0));
    CHECK_EQ_U(dense.float_track_count, 2);
    CHECK_STR(dense.float_track_names[1], "joint4/weights[1]");
    CHECK_NEAR(dense.floats[0], 0, 0);
    CHECK_NEAR(dense.floats[2 * 18], 1, 0);
    CHECK(dense.frame_is_cut == NULL);
    end();
}

/* A joint that jumps by two keys, at 0.5 and 0.501 s, and another one that may
 * move along from 0 to 1 s. `other` is the second channel. */
static void make_jump(const char *other)
{
    const char *text = arena_format(
        &arena,
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{},{}],\"buffers\":[{"
        "\"byteLength\":96,\"uri\":\"data:;base64,"
        "%s\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":96}],\"accessors\":["
        "{\"componentType\":5126,\"count\":4,\"type\":\"SCALAR\","
        "\"bufferView\":0},"
        "{\"componentType\":5126,\"count\":4,\"type\":\"VEC3\","
        "\"bufferView\":0,\"byteOffset\":16},"
        "{\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\","
        "\"bufferView\":0,\"byteOffset\":64},"
        "{\"componentType\":5126,\"count\":2,\"type\":\"VEC3\","
        "\"bufferView\":0,\"byteOffset\":72}],"
        "\"animations\":[{\"samplers\":[{\"input\":0,\"output\":1},"
        "{\"input\":2,\"output\":3}],\"channels\":[{\"sampler\":0,"
        "\"target\":{\"node\":0,\"path\":\"translation\"}}%s]}]}",
        "AAAAAAAAAD+JQQA/AACAPwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgD8AAAAA"
        "AAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAA",
        other);

    CHECK(motion_read_bytes(&motion, "jump.gltf", text, strlen(text), true,
                            &diag));
    CHECK(sample(0, 0, 0));
    check_rate(30, 1, 31);
}

static void jumps_of_all_joints_are_cuts(void)
{
    arena_init(&arena);
    diag_init(&diag);
    make_jump("");
    CHECK(dense.frame_is_cut != NULL);
    for (uint32_t f = 0; f < 31; f++)
        CHECK_EQ(dense.frame_is_cut[f], f == 16);
    motion_free(&motion);
    make_jump(",{\"sampler\":1,\"target\":{\"node\":1,\"path\":"
              "\"translation\"}}");
    CHECK(dense.frame_is_cut == NULL);
    end();
}

static void too_many_frames_are_refused(void)
{
    static const char text[] = "HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 1 "
                               "Xrotation } MOTION Frames: 3 Frame Time: "
                               "9999 0 1 2";
    static const char large[] = "HIERARCHY ROOT a { OFFSET 0 1e12 0 CHANNELS 1 "
                                "Xrotation } MOTION Frames: 1 Frame Time: "
                                "1 0";

    begin("slow.bvh", text, sizeof text - 1);
    diag.is_silent = true;
    CHECK(!sample(0, 1000, 0));
    CHECK(strstr(diag.text, "slow: 19998001 frames from 0 to 19998 s") != NULL);
    end();
    begin("large.bvh", large, sizeof large - 1);
    diag.is_silent = true;
    CHECK(!sample(0, 0, 0));
    CHECK(strstr(diag.text, "a: rest pose: a translation") != NULL);
    end();
}

static void loops_close_when_the_ends_are_equal(void)
{
    static const char *const texts[] = {
        "HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 1 Xrotation } "
        "MOTION Frames: 3 Frame Time: 1 10 20 370",
        "HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 1 Xrotation } "
        "MOTION Frames: 3 Frame Time: 1 10 20 369",
    };

    for (int i = 0; i < 2; i++) {
        begin("loop.bvh", texts[i], strlen(texts[i]));
        CHECK(sample(0, 0, 0));
        CHECK_EQ(dense.loop_closes, i == 0);
        end();
    }
}

static void travel_of_the_root_joint_does_not_open_a_loop(void)
{
    static const char text[] =
        "HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 2 Xposition Yrotation JOINT "
        "b { OFFSET 0 1 0 CHANNELS 1 Zposition JOINT c { OFFSET 0 1 0 "
        "CHANNELS 1 Xrotation } } JOINT d { OFFSET 1 0 0 CHANNELS 1 Xrotation "
        "} } MOTION Frames: 2 Frame Time: 1 0 0 0 5 5 2 30 1 %d %d";
    static const struct {
        const char *joint;
        int c;
        int d;
        bool closes;
    } rows[] = {
        {NULL, 5, 5, false}, {"none", 5, 5, false}, {"a", 5, 5, false},
        {"b", 5, 5, true},   {"c", 5, 5, true},     {"d", 5, 5, false},
        {"b", 6, 5, false},  {"b", 5, 6, false},    {"c", 6, 5, true},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char bytes[512];

        test_context("row %zu", i);
        begin(
            "travel.bvh", bytes,
            (size_t)snprintf(bytes, sizeof bytes, text, rows[i].c, rows[i].d));
        CHECK(sample(0, 0, 0));
        CHECK(!dense.loop_closes);
        CHECK_EQ(sample_loop_closes(&dense, rows[i].joint, &arena),
                 rows[i].closes);
        end();
    }
}

/* The XXH64 of all transforms of a clip as little-endian doubles. */
static uint64_t hash_locals(void)
{
    XXH64_state_t *state = XXH64_createState();
    const uint64_t count = (uint64_t)dense.frame_count * dense.joint_count *
                           (sizeof *dense.locals / sizeof(double));
    const double *values = dense.locals[0].rotation;
    uint64_t hash;

    CHECK(state != NULL);
    XXH64_reset(state, 0);
    for (uint64_t i = 0; i < count; i++) {
        uint8_t bytes[8];
        uint64_t bits;

        memcpy(&bits, (const char *)values + i * sizeof bits, sizeof bits);
        spn_store_u64le(bytes, bits);
        XXH64_update(state, bytes, sizeof bytes);
    }
    hash = XXH64_digest(state);
    XXH64_freeState(state);
    return hash;
}

static void all_machines_sample_the_same_bits(void)
{
    static const struct {
        int file;
        uint32_t clip;
        double rate;
        uint64_t hash;
    } rows[] = {
        {MOTION_FILE_BVH, 0, 0, 0xc95c76e67de8a72d},
        {MOTION_FILE_BVH, 0, 99, 0x6d60a90dc4ef00a0},
        {MOTION_FILE_GLB, 0, 0, 0xb03811dbc595532a},
        {MOTION_FILE_GLB, 0, 77, 0x90beb1432a6b35af},
        {MOTION_FILE_GLB, 1, 200, 0x7bc375b1a496e640},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_context("row %zu", i);
        begin_file(rows[i].file);
        CHECK(sample(rows[i].clip, rows[i].rate, 0));
        CHECK_EQ_U(hash_locals(), rows[i].hash);
        end();
    }
}

/* -- the assets -- */

/* Find the line of a clip in the list: its name begins with `name`, which a tab
 * or anything else follows. */
static const char *find_line(const char *list, const char *name)
{
    const size_t length = strlen(name);

    for (const char *line = list; line;) {
        const char *next = strchr(line, '\n');

        if (strncmp(line, name, length) == 0 &&
            (name[length - 1] == '-' || line[length] == '\t'))
            return line;
        line = next ? next + 1 : NULL;
    }
    return NULL;
}

struct list {
    void *text;
    uint32_t count; /* clips found in it */
};

static bool compare_file(void *user, const struct host_found *found)
{
    struct list *list = user;
    const char *end_of_name = strrchr(found->name, '.');
    char name[512];

    if (!end_of_name || strchr(found->name, '/') ||
        (strcmp(end_of_name, ".bvh") != 0 && strcmp(end_of_name, ".glb") != 0 &&
         strcmp(end_of_name, ".gltf") != 0))
        return true;
    test_context("%s", found->name);
    arena_init(&arena);
    CHECK(motion_read(&motion, found->path, &diag));
    for (uint32_t i = 0; i < motion.clip_count; i++) {
        const char *line;
        unsigned frames;
        double rate;

        snprintf(name, sizeof name, "%s", found->name);
        for (char *at = name; *at; at++)
            *at = isalnum((unsigned char)*at) ? *at : '_';
        if (motion.format != MOTION_BVH)
            snprintf(name + strlen(name), sizeof name - strlen(name), "-%02u-",
                     i);
        line = find_line(list->text, name);
        if (!line)
            continue;
        test_context("%s", name);
        CHECK_EQ(sscanf(strchr(line, '\t'), "%*u%u%lf", &frames, &rate), 2);
        CHECK(sample(i, 0, 0));
        /* The list has six digits. Of glTF clips above 60 frames a second it
         * has 60, of others every k-th frame. */
        if (motion.format == MOTION_BVH || grid.own_rate <= 60) {
            CHECK_EQ_U(dense.frame_count, frames);
            CHECK_NEAR((double)dense.rate_numerator / dense.rate_denominator,
                       rate, 1e-5 * rate);
        }
        list->count++;
    }
    motion_free(&motion);
    arena_free(&arena);
    return true;
}

static void frames_and_rates_of_assets_are_those_of_the_list(void)
{
    struct list list = {NULL, 0};
    char path[1024];
    size_t bytes;

    if (!test_assets())
        test_skip("no assets");
    snprintf(path, sizeof path, "%s/anim/YARDSTICKS.tsv", test_assets());
    if (!host_exists(path))
        test_skip("no motion assets");
    diag_init(&diag);
    diag.is_quiet = true;
    CHECK(host_read_file(path, &list.text, &bytes, &diag));
    snprintf(path, sizeof path, "%s/anim", test_assets());
    CHECK(host_folder_walk(path, compare_file, &list, &diag));
    CHECK_EQ_U(list.count, 189);
    free(list.text);
    diag_finish(&diag);
}

TEST_MAIN(TEST(clips_have_the_rate_of_their_keys), TEST(fast_clips_lose_frames),
          TEST(fractions_are_in_lowest_terms),
          TEST(joints_stand_behind_their_parents),
          TEST(weights_have_the_names_of_their_targets),
          TEST(steps_and_weights_are_kept), TEST(jumps_of_all_joints_are_cuts),
          TEST(too_many_frames_are_refused),
          TEST(loops_close_when_the_ends_are_equal),
          TEST(travel_of_the_root_joint_does_not_open_a_loop),
          TEST(all_machines_sample_the_same_bits),
          TEST(frames_and_rates_of_assets_are_those_of_the_list))
