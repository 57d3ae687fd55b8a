/* test_compile_stats.c
 *
 * Goal: the report's numbers are the measured ones.
 * Method: errors of channels packed from known values, data rates of clips
 *   whose frames have known sizes, and a compile whose sums must agree.
 * Threads as in test_compile.c.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/clip/compile_stats.h"

#include "compile/clip/clip.h"
#include "compile/compile.h"
#include "compile/mesh/shape.h"
#include "harness.h"

#include <math.h>
#include <stdio.h>

static void position_errors_are_in_millimetres(void)
{
    const float positions[6] = {0, 0, 0, 1, 0.25f, 0};
    const uint16_t packed[6] = {0, 0, 0, 255, 64, 0};
    const struct shape_frame fill = {.positions = positions};
    const struct clip_mesh mesh = {
        .vertex_count = 2,
        .range[CHANNEL_POSITION] = {.size = {1, 1, 0}, .bits = {8, 8, 1}},
        .mm_per_unit = {1000, 2000, 1000}};
    double error = 2000 * (64 / 255.0 - 0.25);
    struct error_stats m;

    error_stats_measure(&mesh, CHANNEL_POSITION, &fill, packed, &m);
    CHECK_EQ_U(m.count, 2);
    CHECK_NEAR(error_stats_worst(&m, CHANNEL_POSITION), error, 1e-3);
    CHECK_NEAR(error_stats_mean(&m, CHANNEL_POSITION), error / 2, 1e-3);
}

/* The packed tangent frame is rotated about the normal, so that only the
 * tangent has an error. */
static void tangent_errors_are_in_degrees(void)
{
    double angle = 3.0 * 3.14159265358979323846 / 180;
    struct vec3 normal = vec3_make(0, 0, 1);
    struct vec3 tangent = vec3_make(cos(angle), sin(angle), 0);
    const int16_t packed[4] = {0, 0, 0, 511};
    const struct shape_frame fill = {.normals = &normal, .tangents = &tangent};
    const struct clip_mesh mesh = {.vertex_count = 1};
    struct error_stats m;

    error_stats_measure(&mesh, CHANNEL_QTANGENT, &fill, packed, &m);
    CHECK_EQ_U(m.count, 2);
    CHECK_NEAR(error_stats_worst(&m, CHANNEL_QTANGENT), 3, 1e-9);
    CHECK_NEAR(error_stats_mean(&m, CHANNEL_QTANGENT), 1.5, 1e-3);
}

/* tangents_pack and the unpacking restore a value to the stated precision. */
static void measure_reads_frames_as_they_are_packed(void)
{
    struct test_random random = {7};

    for (int i = 0; i < 1000; i++) {
        const struct clip_mesh mesh = {.vertex_count = 1};
        struct shape_frame fill = {0};
        struct error_stats m;
        struct vec3 axes[2];
        int16_t packed[4];

        for (int k = 0; k < 2; k++)
            axes[k] = vec3_make(test_random_below(&random, 2001) - 1000.5,
                                test_random_below(&random, 2001) - 1000.5,
                                test_random_below(&random, 2001) - 1000.5);
        vec3_normalize(&axes[0]);
        axes[1] = vec3_reject(axes[1], axes[0]);
        vec3_normalize(&axes[1]);
        fill.normals = &axes[0];
        fill.tangents = &axes[1];
        tangents_pack(axes[0], axes[1], packed);
        error_stats_measure(&mesh, CHANNEL_QTANGENT, &fill, packed, &m);
        test_context("frame %d", i);
        CHECK(error_stats_worst(&m, CHANNEL_QTANGENT) < 0.3);
    }
}

static void uv_and_color_errors_have_their_units(void)
{
    const float uvs[2] = {0.5f, 0.25f};
    const uint16_t packed_uvs[2] = {0, 16384};
    const float colors[4] = {2, -1, 0.5f, 1};
    const uint8_t packed_colors[4] = {255, 0, 128, 204};
    const struct shape_frame fill = {.uvs = uvs, .colors = colors};
    const struct clip_mesh mesh = {
        .vertex_count = 1,
        .range[CHANNEL_UV] = {.size = {1, 1}, .bits = {16, 16}}};
    struct error_stats m;

    error_stats_measure(&mesh, CHANNEL_UV, &fill, packed_uvs, &m);
    CHECK_NEAR(error_stats_worst(&m, CHANNEL_UV), 0.5, 1e-6);
    error_stats_measure(&mesh, CHANNEL_COLOR, &fill, packed_colors, &m);
    CHECK_NEAR(error_stats_worst(&m, CHANNEL_COLOR), 0.2, 1e-6);
}

/* -- data rate -- */

static void make_frames(struct compile_stats *d, uint32_t count,
                        double per_second)
{
    compile_stats_init(d);
    d->frame_count = count;
    d->frames = ARENA_NEW(&d->arena, struct frame_stats, count);
    for (uint32_t i = 0; i < count; i++) {
        d->frames[i].seconds = i / per_second;
        d->frames[i].bytes = 1000;
    }
}

static void rate_is_the_bytes_of_each_second(void)
{
    struct compile_stats d;
    struct compile_stats_rate rate;

    make_frames(&d, 90, 30);
    for (uint32_t i = 30; i < 60; i++)
        d.frames[i].bytes = 4000;
    CHECK(compile_stats_rate(&d, &d.arena, &rate));
    CHECK_NEAR(rate.bucket_seconds, 1, 0);
    CHECK_EQ_U(rate.bucket_count, 3);
    CHECK_NEAR(rate.least, 30000, 1e-6);
    CHECK_NEAR(rate.most, 120000, 1e-6);
    CHECK_NEAR(rate.mean, 60000, 1e-6);
    compile_stats_free(&d);
}

/* With 24000 / 1001 frames a second, no second has a whole number of frames. */
static void rate_counts_every_frame_once(void)
{
    for (uint32_t count = 2; count < 200; count += 3) {
        struct compile_stats d;
        struct compile_stats_rate rate;
        double sum = 0;

        make_frames(&d, count, 24000 / 1001.0);
        test_context("%u frames", count);
        CHECK(compile_stats_rate(&d, &d.arena, &rate));
        for (uint32_t i = 0; i < rate.bucket_count; i++)
            sum += rate.bytes[i];
        CHECK_NEAR(sum, 1000.0 * count, 1e-6);
        CHECK(rate.least <= rate.mean * 1.05 && rate.mean <= rate.most * 1.05);
        compile_stats_free(&d);
    }
}

static void rate_of_a_long_clip_has_bounded_buckets(void)
{
    struct compile_stats d;
    struct compile_stats_rate rate;

    make_frames(&d, 100, 1e-9);
    CHECK(compile_stats_rate(&d, &d.arena, &rate));
    CHECK(rate.bucket_count <= COMPILE_STATS_BUCKETS_MAX);
    CHECK(rate.bucket_seconds > 1);
    compile_stats_free(&d);
    make_frames(&d, 1, 30);
    CHECK(!compile_stats_rate(&d, &d.arena, &rate));
    CHECK_EQ_U(rate.bucket_count, 0);
    compile_stats_free(&d);
}

/* -- the whole report -- */

static void details_add_up_to_the_file(void)
{
    static const char *const names[] = {"demo", "instances", "colors"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct compile_options options;
        struct compile_stats d;
        struct compile_report report;
        struct diag diag;
        char input[512];
        char output[512];
        double bytes = 0;
        double frames = 0;

        test_context("%s", names[i]);
        snprintf(input, sizeof input, "%s/%s.abc", test_data(), names[i]);
        snprintf(output, sizeof output, "%s/stats.sgc", test_temp());
        compile_stats_init(&d);
        compile_options_default(&options);
        options.input = input;
        options.output = output;
        options.jobs = 2;
        options.stats = &d;
        diag_init(&diag);
        diag.is_silent = true;
        CHECK(compile_run(&options, &diag, NULL, NULL, &report));
        CHECK_EQ_U(d.mesh_count, report.mesh_count);
        for (uint32_t m = 0; m < d.mesh_count; m++) {
            bytes += d.meshes[m].bytes;
            CHECK(d.meshes[m].channel[CHANNEL_POSITION].is_present);
            CHECK(d.meshes[m].channel[CHANNEL_POSITION].error.count > 0);
        }
        for (uint32_t f = 0; f < d.frame_count; f++)
            frames += d.frames[f].bytes;
        CHECK_NEAR(frames, (double)report.frames_bytes, 0.5);
        CHECK_NEAR(bytes + (double)d.node_bytes + (double)d.directory_bytes,
                   (double)report.frames_bytes, 0.5);
        diag_finish(&diag);
        compile_stats_free(&d);
    }
}

TEST_MAIN(TEST(position_errors_are_in_millimetres),
          TEST(tangent_errors_are_in_degrees),
          TEST(measure_reads_frames_as_they_are_packed),
          TEST(uv_and_color_errors_have_their_units),
          TEST(rate_is_the_bytes_of_each_second),
          TEST(rate_counts_every_frame_once),
          TEST(rate_of_a_long_clip_has_bounded_buckets),
          TEST(details_add_up_to_the_file))
