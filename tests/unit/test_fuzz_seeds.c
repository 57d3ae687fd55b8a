/* test_fuzz_seeds.c
 *
 * Goal: the lifted seeds of the targets `cache` and `reader`, and the seeds of
 *   `anim`, `clip_index`, `clips` and `clip_script`, can be made again. Fuzzing
 *   does not find such inputs by itself.
 * Method: each seed is a cache of a synthetic clip, an animation clip of made
 *   motion, an index of made-up clips, calls of animation, or a text, small
 *   enough for -max_len of the targets. The committed files must have the same
 *   bytes.
 *
 * After a change of the encoder or of the file format, FUZZ_SEEDS=1 make
 * unit-fuzz_seeds writes the files again.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "anim/clip_packing.h"
#include "anim/encode/anim_encode.h"
#include "anim/tool/clip_file_input.h"
#include "support/made_motion.h"
#include "support/synthetic_clip.h"
#include "support/tiny_clips.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED_BYTES_MAX 16384u

static const struct {
    const char *name;
    uint32_t distance; /* of index frames */
    bool has_rings;
    struct synthetic_options clip;
} seeds[] = {
    {"lifted-rings",
     4,
     true,
     {.frame_count = 5, .vertices = 256, .has_uvs = true, .is_calm = true}},
    {"lifted-channels",
     2,
     false,
     {.frame_count = 3,
      .vertices = 256,
      .has_colors = true,
      .has_second_uvs = true,
      .has_velocities = true}},
    {"lifted-uvs",
     2,
     true,
     {.frame_count = 3,
      .mesh_count = 2,
      .vertices = 256,
      .has_uvs = true,
      .is_calm = true,
      .is_mirrored = true}},
};

static const struct {
    const char *name;
    struct made_motion made;
} anim_seeds[] = {
    {"kinds",
     {.joints = 7,
      .frames = 22,
      .float_tracks = 3,
      .swing = 0.6,
      .travel = 0.01,
      .has_scale = true,
      .has_steps = true,
      .has_cuts = true}},
    {"wide", {.joints = 2, .frames = 18, .swing = 0.1, .travel = 5}},
    /* Segments of 8 frames. */
    {"short",
     {.joints = 65,
      .frames = 9,
      .swing = 0.02,
      .has_shift = true,
      .has_all = true}},
    {"constant", {.joints = 6, .frames = 1, .swing = 1}},
    {"rest", {.joints = 6, .frames = 9, .is_at_rest = true}},
};

static FILE *open_seed(const char *target, const char *name, const char *mode)
{
    char path[2048];
    FILE *file;

    snprintf(path, sizeof path, "%s/../fuzz/corpus/%s/%s", test_data(), target,
             name);
    file = fopen(path, mode);
    if (!file)
        test_fail(__FILE__, __LINE__, "%s: cannot be opened", path);
    return file;
}

static void compare_seed(const char *target, const char *name,
                         const struct memory_sink *made)
{
    FILE *file = open_seed(target, name, "rb");
    uint8_t bytes[SEED_BYTES_MAX + 1];
    size_t size = fread(bytes, 1, sizeof bytes, file);

    fclose(file);
    test_context("%s/%s", target, name);
    CHECK_EQ_U(size, made->size);
    CHECK_MEM(bytes, made->bytes, size);
}

static void write_seed(const char *target, const char *name,
                       const struct memory_sink *made)
{
    FILE *file = open_seed(target, name, "wb");

    CHECK_EQ_U(fwrite(made->bytes, 1, made->size, file), made->size);
    CHECK_EQ(fclose(file), 0);
}

static void lifted_seeds_are_caches_of_synthetic_clips(void)
{
    static const char *const targets[] = {"cache", "reader"};

    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        struct memory_sink made = {0};

        synthetic_lift(&seeds[i].clip, seeds[i].distance, seeds[i].has_rings,
                       &made);
        CHECK(made.size <= SEED_BYTES_MAX);
        for (size_t t = 0; t < sizeof targets / sizeof targets[0]; t++) {
            if (getenv("FUZZ_SEEDS"))
                write_seed(targets[t], seeds[i].name, &made);
            compare_seed(targets[t], seeds[i].name, &made);
        }
        memory_sink_free(&made);
    }
}

static void check_bytes(const char *target, const char *name, uint8_t *bytes,
                        size_t size)
{
    const struct memory_sink made = {.bytes = bytes, .size = size};

    CHECK(made.size <= SEED_BYTES_MAX);
    if (getenv("FUZZ_SEEDS"))
        write_seed(target, name, &made);
    compare_seed(target, name, &made);
}

static void check_index(const char *name, const struct clip_index_file *file)
{
    check_bytes("clip_index", name, file->bytes, file->size);
}

static void anim_seeds_are_clips_of_made_motion(void)
{
    const struct anim_encode_options options = {ANIM_PRECISION,
                                                ANIM_FLOAT_PRECISION};

    for (size_t i = 0; i < sizeof anim_seeds / sizeof anim_seeds[0]; i++) {
        struct dense_clip clip;
        struct anim_file file;
        struct arena arena;

        arena_init(&arena);
        made_motion(&anim_seeds[i].made, &arena, &clip);
        anim_encode_clip(&clip, &options, &arena, &file);
        check_bytes("anim", anim_seeds[i].name, file.bytes, file.size);
        if (i == 0) {
            anim_encode_skeleton(&clip, &arena, &file);
            check_bytes("anim", "skeleton", file.bytes, file.size);
        }
        arena_free(&arena);
    }
}

static void index_seeds_are_files_of_made_up_clips(void)
{
    struct tiny_clips clips;
    struct clip_index_file database;
    struct clip_index_file image;

    tiny_clips_init(&clips, "a", 5, 100);
    clips.sources[2].frame_count = 16;
    clips.sources[3].rate_numerator = 24;
    image = tiny_clips_image(&clips);
    check_index("image", &image);
    clips.sources[4].bytes = clips.sources[1].bytes;
    database = tiny_clips_database(&clips);
    check_index("database", &database);
    image = tiny_clips_image_of(&clips, "d.sad", &database);
    check_index("image-of-database", &image);
    tiny_clips_free(&clips);
}

/* A clip with tracks of all kinds, and one that is still. */
static void database_seed_has_clips_of_made_motion(void)
{
    const struct anim_encode_options options = {ANIM_PRECISION,
                                                ANIM_FLOAT_PRECISION};
    struct made_motion made = anim_seeds[0].made;
    struct clip_index_file database;
    struct clip_input inputs[2];
    struct arena arena;
    struct diag diag;

    arena_init(&arena);
    diag_init(&diag);
    for (int i = 0; i < 2; i++) {
        struct clip_file *opened = ARENA_NEW(&arena, struct clip_file, 1);
        struct dense_clip clip;
        struct clip_input input;
        struct anim_file file;

        made_motion(&made, &arena, &clip);
        anim_encode_clip(&clip, &options, &arena, &file);
        CHECK(clip_file_read(opened, "made", file.bytes, file.size, &arena,
                             &diag));
        clip_file_input(opened, i == 0 ? "a" : "b", &arena, &input);
        clip_packing_make(&input, &arena, &inputs[i]);
        made.frames = 1;
    }
    CHECK(clip_database_make(&arena, &diag, "d.sad", inputs, 2, &database));
    check_index("database-of-motion", &database);
    diag_finish(&diag);
    arena_free(&arena);
}

/* -- calls of animation, for fuzz_clips -- */

/* Bits of the disc, sizes, and how it ends; then calls of two bytes, and their
 * numbers. */
#define SIZES 7, 7, 7, 0, 7, 1
#define UPDATE 14, 200
#define UPDATES UPDATE, UPDATE, UPDATE, UPDATE, UPDATE, UPDATE
#define FRAME 14, 120
#define OPEN_SKELETON 9, 0
#define START(play, clip) 3 + 16 * (play), 8 * (clip)
#define SET_MODE(play, loop) 3 + 16 * (play), 1 + 8 * (loop)
#define SET_TIME(play, time) 3 + 16 * (play), 2, (time)&255, (time) >> 8
#define SAMPLE(play, what) 5 + 16 * (play), what, 0, 60
#define STOP(play) 3 + 16 * (play), 0
/* 0.3 s into the clip. */
#define PLAY(play)                                                             \
    SET_TIME(play, 13000), FRAME, FRAME, SAMPLE(play, 27), SAMPLE(play, 93),   \
        SET_MODE(play, 1), SET_TIME(play, 11000), FRAME, SAMPLE(play, 38)

static const uint8_t calls_image[] = {
    0, SIZES, 13, 0, UPDATES, OPEN_SKELETON, START(0, 2), START(1, 5), UPDATES,
    /* clips of plays 0 and 1 */
    PLAY(0), PLAY(1), STOP(0), START(0, 3), UPDATES, PLAY(0),
    /* references, a lock, unloads, a load that waits */
    0x20, 0, 0x30, 3, UPDATE, 0x20, 2, 0x22, 0, 0x42, 1, 255, 255, 0x52, 2};
static const uint8_t calls_database[] = {
    8,       SIZES, 13,      0,           UPDATES, OPEN_SKELETON,
    7,       6,     UPDATES, START(0, 2), UPDATES, PLAY(0),
    7,       1,     7,       5,           7,       3,
    STOP(0), 7,     2,       7,           8,       UPDATES,
    7,       0,     7,       4,           UPDATES, 7,
    3};
static const uint8_t calls_timeline[] = {
    16, SIZES, 13,    0,      UPDATES, 8,     0, 8,   4,      0,
    4,  100,   0,     100,    3,       100,   4, 200, 1,      UPDATE,
    8,  2,     FRAME, 8,      250,     FRAME, 8, 251, FRAME,  8,
    1,  0,     40,    UPDATE, 8,       3,     8, 0,   UPDATES};
static const uint8_t calls_pak[] = {
    11,          SIZES,   10,      0,  UPDATES, 13,   0, UPDATES, OPEN_SKELETON,
    START(0, 4), UPDATES, PLAY(0), 10, 0,       0x20, 0, UPDATES, 10,
    0,           UPDATES, UPDATES};
static const uint8_t calls_loose[] = {32,
                                      SIZES,
                                      13,
                                      0,
                                      13,
                                      18,
                                      13,
                                      19,
                                      13,
                                      20,
                                      UPDATES,
                                      UPDATES,
                                      OPEN_SKELETON,
                                      START(0, 1),
                                      START(1, 2),
                                      UPDATES,
                                      PLAY(0),
                                      PLAY(1)};
static const uint8_t calls_faults[] = {4,
                                       SIZES,
                                       13,
                                       0,
                                       UPDATES,
                                       12,
                                       3,
                                       3,
                                       11,
                                       0,
                                       0,
                                       0,
                                       OPEN_SKELETON,
                                       START(0, 5),
                                       UPDATE,
                                       11,
                                       4,
                                       77,
                                       1,
                                       UPDATES,
                                       11,
                                       2,
                                       100,
                                       0,
                                       UPDATES,
                                       11,
                                       6,
                                       0,
                                       0,
                                       11,
                                       3,
                                       0,
                                       1,
                                       UPDATES,
                                       UPDATES,
                                       PLAY(0)};

static void call_seeds_are_calls_of_animation(void)
{
    static const struct {
        const char *name;
        const uint8_t *calls;
        size_t size;
    } rows[] = {{"image", calls_image, sizeof calls_image},
                {"database", calls_database, sizeof calls_database},
                {"timeline", calls_timeline, sizeof calls_timeline},
                {"pak", calls_pak, sizeof calls_pak},
                {"loose", calls_loose, sizeof calls_loose},
                {"faults", calls_faults, sizeof calls_faults}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t bytes[256];

        CHECK(rows[i].size <= sizeof bytes);
        memcpy(bytes, rows[i].calls, rows[i].size);
        check_bytes("clips", rows[i].name, bytes, rows[i].size);
    }
}

/* -- scripts -- */

static void script_seeds_have_every_line(void)
{
    static const struct {
        const char *name;
        const char *text;
    } rows[] = {
        {"all-lines", "# files\nimage animations.sai\nskeleton hero.sas\n"
                      "set anim_ahead_ms=1500\npictures 30\n"
                      "0 preload hero.sad\n"
                      "0.5 play for=3 rate=-0.5 loop=always hero/wave.sac\n"
                      "0.500001 refer for=10 hero/run.sac\n"
                      "4 cue rate=2 loop=never hero/spline.sac\n"
                      "8 lock for=2 hero.sad\n9 stream for=10 sea.sgc\n"},
        {"single-clips", "clip a.sac\r\nclip b c.sac\r\n"
                         "0 play loop=clip a.sac\r\n\t1  refer b c.sac"},
        {"time-back", "image i\n2 play a\n1 play a\n"},
        {"bad-rate", "image i\n0 play rate=0 a\n"},
        {"bad-number", "image i\n0.1234567 play for=1e3 a\n"},
        {"no-image", "0 play a\n"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t bytes[1024];
        const size_t size = strlen(rows[i].text);

        CHECK(size <= sizeof bytes);
        memcpy(bytes, rows[i].text, size);
        check_bytes("clip_script", rows[i].name, bytes, size);
    }
}

TEST_MAIN(TEST(call_seeds_are_calls_of_animation),
          TEST(script_seeds_have_every_line),
          TEST(anim_seeds_are_clips_of_made_motion),
          TEST(index_seeds_are_files_of_made_up_clips),
          TEST(database_seed_has_clips_of_made_motion),
          TEST(lifted_seeds_are_caches_of_synthetic_clips))
