/* test_clip_hostile.c
 *
 * Goal: for any numbers in an archive, either it is refused, or its clip
 *   holds only finite numbers.
 * Method: words of small archives are overwritten with extreme numbers, one
 *   at a time and several at once. All frames of the archives that still open
 *   are produced.
 * Threads as in test_clip.c.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "compile/clip/clip.h"
#include "support/abc_files.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED 20
#define ROUNDS 1500u

static void validate_finite(struct clip *clip)
{
    struct arena arena;

    arena_init(&arena);
    for (uint32_t m = 0; m < clip->mesh_count; m++) {
        const struct clip_mesh *mesh = &clip->meshes[m];

        CHECK(mesh->vertex_count > 0 && mesh->index_count > 0);
        for (int k = 0; k < 3; k++) {
            CHECK(isfinite(mesh->range[CHANNEL_POSITION].min[k]));
            CHECK(isfinite(mesh->range[CHANNEL_POSITION].min[k] +
                           mesh->range[CHANNEL_POSITION].size[k]));
            CHECK(mesh->range[CHANNEL_POSITION].size[k] >= 0);
            CHECK(isfinite(mesh->precision_reached_mm[k]));
        }
        for (int k = 0; k < 2; k++) {
            CHECK(isfinite(mesh->range[CHANNEL_UV].min[k]));
            CHECK(isfinite(mesh->range[CHANNEL_UV].min[k] +
                           mesh->range[CHANNEL_UV].size[k]));
        }
        for (uint32_t i = 0; i < mesh->index_count; i++)
            CHECK(mesh->indices[i] < mesh->vertex_count);
    }
    for (uint32_t f = 0; f < clip->frame_count; f++) {
        struct clip_frame frame;

        arena_reset(&arena);
        CHECK(isfinite(clip->frame_seconds[f]));
        if (!clip_frame_produce(clip, f, &arena, &frame))
            break;
        for (int k = 0; k < 3; k++)
            CHECK(isfinite(frame.box_min[k]) && isfinite(frame.box_max[k]));
        for (uint32_t n = 0; n < clip->node_count; n++) {
            float number[12];

            spn__transform_resolve(&frame.nodes[n].transform, number);
            for (int k = 0; k < 12; k++)
                CHECK(isfinite(number[k]));
        }
        for (uint32_t m = 0; m < clip->mesh_count; m++) {
            const int16_t *q = frame.meshes[m].channel[CHANNEL_QTANGENT];
            uint32_t count = q ? clip->meshes[m].vertex_count : 0;

            for (uint32_t i = 0; i < 4 * count; i++)
                CHECK(q[i] >= -QTANGENT_ONE && q[i] <= QTANGENT_ONE);
        }
    }
    arena_free(&arena);
}

/* True if the archive was opened. */
static bool open_bytes(const char *bytes, size_t count)
{
    struct compile_options options;
    struct abc_archive *archive;
    struct clip *clip = NULL;
    struct diag diag;
    char path[1024];
    FILE *file;

    snprintf(path, sizeof path, "%s/hostile.abc", test_temp());
    file = fopen(path, "wb");
    CHECK(file != NULL);
    CHECK_EQ_U(fwrite(bytes, 1, count, file), count);
    fclose(file);
    compile_options_default(&options);
    diag_init(&diag);
    diag.is_silent = true;
    archive = abc_open(path, &diag);
    if (archive)
        clip = clip_open(archive, &options);
    CHECK_EQ(diag.code, clip ? EXIT_DONE : EXIT_INPUT_REFUSED);
    if (clip)
        validate_finite(clip);
    clip_close(clip);
    abc_close(archive);
    diag_finish(&diag);
    return clip != NULL;
}

static void damage_words(char *bytes, size_t count, struct test_random *random)
{
    static const float singles[] = {FLT_MAX,  -FLT_MAX, FLT_MIN, 1e-45f,
                                    3e38f,    1e20f,    -1e30f,  0,
                                    INFINITY, NAN,      1e-30f,  -1};
    static const double doubles[] = {DBL_MAX,  -DBL_MAX, DBL_MIN, 5e-324,
                                     3e38,     1e39,     1e200,   0,
                                     INFINITY, NAN,      1e-200,  -1};
    uint32_t which = test_random_below(random, 12);
    size_t at = test_random_below(random, (uint32_t)(count - 8));

    if (test_random_below(random, 2) == 0)
        memcpy(bytes + at, &singles[which], sizeof singles[which]);
    else
        memcpy(bytes + at, &doubles[which], sizeof doubles[which]);
}

static void damage_archive(const char *name)
{
    struct test_random random = {SEED};
    unsigned opened = 0;
    char path[1024];
    size_t count;
    char *good;
    char *bytes;

    snprintf(path, sizeof path, "%s/%s", test_data(), name);
    good = file_text(path, &count);
    CHECK(good != NULL);
    bytes = malloc(count);
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint32_t hurts = 1 + test_random_below(&random, 3);

        test_context("%s, seed %d, round %u", name, SEED, round);
        memcpy(bytes, good, count);
        for (uint32_t i = 0; i < hurts; i++)
            damage_words(bytes, count, &random);
        opened += open_bytes(bytes, count);
    }
    printf("  %s: %u of %u opened\n", name, opened, ROUNDS);
    CHECK(opened > 0);
    free(bytes);
    free(good);
}

static void moving_meshes_stay_finite(void)
{
    damage_archive("fps-2997.abc");
}

static void instances_stay_finite(void)
{
    damage_archive("instances.abc");
}

static void colors_and_parameters_stay_finite(void)
{
    damage_archive("colors.abc");
}

static void transforms_stay_finite(void)
{
    damage_archive("inherits.abc");
    damage_archive("visibility.abc");
}

static void faces_of_many_corners_stay_finite(void)
{
    damage_archive("ngons.abc");
}

TEST_MAIN(TEST(moving_meshes_stay_finite), TEST(instances_stay_finite),
          TEST(colors_and_parameters_stay_finite), TEST(transforms_stay_finite),
          TEST(faces_of_many_corners_stay_finite))
