/* test_fuzz_seeds.c
 *
 * Goal: the lifted seeds of the targets `cache` and `reader`, and the seeds of
 *   `anim` and `clip_index`, can be made again. Fuzzing does not find such
 *   inputs by itself.
 * Method: each seed is a cache of a synthetic clip, an animation clip of made
 *   motion, or an index of made-up clips, small enough for -max_len of the
 *   targets. The committed files must have the same bytes.
 *
 * After a change of the encoder or of the file format, FUZZ_SEEDS=1 make
 * unit-fuzz_seeds writes the files again.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "anim/encode/anim_encode.h"
#include "support/made_motion.h"
#include "support/synthetic_clip.h"
#include "support/tiny_clips.h"

#include <stdio.h>
#include <stdlib.h>

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

TEST_MAIN(TEST(anim_seeds_are_clips_of_made_motion),
          TEST(index_seeds_are_files_of_made_up_clips),
          TEST(lifted_seeds_are_caches_of_synthetic_clips))
