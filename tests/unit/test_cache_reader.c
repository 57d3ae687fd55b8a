/* test_cache_reader.c
 *
 * Goal: the tool reads exactly the content of a cache, in any order of
 *   frames, and refuses damage with its place in the file.
 * Method: small caches with known values. Frames are read forwards, backwards
 *   and at random. Bytes are damaged one at a time, under correct checksums
 *   where there are any.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "cachefile/cache_reader_state.h"

#include "harness.h"
#include "support/tiny_cache.h"
#include "support/tiny_truth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VERTICES_MAX 9000u

static const char *write_file(const void *bytes, size_t count)
{
    static char path[512];
    FILE *file;

    snprintf(path, sizeof path, "%s/reader.sgc", test_temp());
    file = fopen(path, "wb");
    CHECK(file != NULL);
    CHECK_EQ_U(fwrite(bytes, 1, count, file), count);
    CHECK_EQ(fclose(file), 0);
    return path;
}

static struct cache_reader *open_bytes(const void *bytes, size_t count,
                                       struct diag *diag)
{
    diag_init(diag);
    diag->is_silent = true;
    return cache_reader_open(write_file(bytes, count), diag);
}

static void check_channel(const struct tiny_cache *t, uint32_t number,
                          uint32_t mesh, enum channel channel,
                          const void *values)
{
    static uint8_t truth[VERTICES_MAX * 8];
    uint32_t count = t->options.vertices;

    tiny_values(&t->options, number, mesh, channel, 0, count, truth);
    CHECK(values != NULL);
    CHECK_MEM(values, truth, (size_t)count * channel_vertex_bytes(channel));
}

static void check_frame(struct cache_reader *reader, const struct tiny_cache *t,
                        uint32_t number)
{
    const struct cache_reader_frame *f = cache_reader_frame(reader, number);
    uint32_t total = t->options.mesh_count + t->options.has_static_mesh;

    test_context("frame %u", number);
    CHECK(f != NULL);
    CHECK_EQ_U(f->number, number);
    for (uint32_t m = 0; m < total; m++) {
        bool is_hidden = tiny_is_hidden(&t->options, number, m);
        float translation[3];
        float matrix[12];

        tiny_translation(&t->options, number, m, translation);
        spn__transform_resolve(&f->transforms[m + 1], matrix);
        for (int k = 0; k < 3; k++)
            CHECK_MEM(&matrix[4 * k + 3], &translation[k], 4);
        CHECK_EQ(f->visible[m + 1], !is_hidden);
        CHECK_EQ(f->meshes[m].is_shown, !is_hidden);
        CHECK_EQ(cache_reader_has_mesh(reader, f, m), !is_hidden);
        if (is_hidden) {
            CHECK(f->meshes[m].channel[CHANNEL_POSITION] == NULL);
            continue;
        }
        for (uint32_t c = 0; c < CHANNEL_COUNT; c++)
            if ((c != CHANNEL_UV ||
                 (t->options.has_uvs && m < t->options.mesh_count)) &&
                (c != CHANNEL_COLOR || t->options.has_colors) &&
                (c < CHANNEL_COUNT_BASIC ||
                 (t->options.has_attributes &&
                  (c != CHANNEL_VELOCITY || m < t->options.mesh_count))))
                check_channel(t, number, m, (enum channel)c,
                              f->meshes[m].channel[c]);
            else
                CHECK(f->meshes[m].channel[c] == NULL);
    }
}

static void check_any_order(const struct tiny_options *options)
{
    struct tiny_cache *t = tiny_build(options);
    struct test_random random = {7};
    struct diag diag;
    struct cache_reader *reader = open_bytes(t->bytes, t->size, &diag);
    uint32_t count = t->options.frame_count;

    CHECK(reader != NULL);
    CHECK_EQ_U(cache_reader_header(reader)->frame_count, count);
    for (uint32_t i = 0; i < count; i++) {
        CHECK_NEAR(cache_reader_seconds(reader)[i],
                   i * (t->options.frame_us * 1e-6), 1e-9);
        check_frame(reader, t, i);
    }
    for (uint32_t i = count; i-- > 0;)
        check_frame(reader, t, i);
    for (uint32_t i = 0; i < 40; i++)
        check_frame(reader, t, test_random_below(&random, count));
    cache_reader_close(reader);
    tiny_free(t);
    diag_finish(&diag);
}

static void reader_decodes_frames_in_any_order(void)
{
    check_any_order(NULL);
    check_any_order(&(struct tiny_options){.has_uvs = true,
                                           .has_colors = true,
                                           .has_attributes = true,
                                           .has_static_mesh = true,
                                           .mesh_count = 3,
                                           .vertices = 40});
}

static void reader_joins_the_parts_of_a_large_mesh(void)
{
    check_any_order(&(struct tiny_options){
        .vertices = VERTICES_MAX, .frame_count = 6, .has_static_mesh = true});
}

static void reader_copes_with_long_groups_and_none(void)
{
    check_any_order(&(struct tiny_options){
        .frame_count = 70, .distance = 60, .vertices = 30});
    check_any_order(&(struct tiny_options){.frame_count = 1, .vertices = 30});
    check_any_order(&(struct tiny_options){
        .frame_count = 9, .distance = 1, .vertices = 30});
}

static void reader_reports_the_meshes_that_a_frame_lacks(void)
{
    check_any_order(&(struct tiny_options){
        .mesh_count = 2, .vertices = 50, .hidden_first = 1, .hidden_limit = 3});
}

static void reader_returns_indices_and_floats(void)
{
    struct tiny_cache *t = tiny_build(&(struct tiny_options){
        .mesh_count = 2, .has_uvs = true, .has_colors = true});
    struct diag diag;
    struct cache_reader *reader = open_bytes(t->bytes, t->size, &diag);
    const struct cache_reader_frame *f;
    struct cache_reader_vertices v;
    struct arena arena;

    arena_init(&arena);
    CHECK(reader != NULL);
    for (uint32_t i = 0; i < cache_reader_tables(reader)->meshes[1].index_count;
         i++)
        CHECK_EQ_U(cache_reader_indices(reader, 1)[i], i);
    CHECK(reader->static_meshes[0].reflection == NULL);
    f = cache_reader_frame(reader, 4);
    CHECK(f != NULL);
    cache_reader_fill(reader, f, 1, &arena, &v);
    CHECK_EQ_U(v.count, t->options.vertices);
    for (uint32_t i = 0; i < v.count; i++) {
        const uint16_t *p =
            (const uint16_t *)f->meshes[1].channel[CHANNEL_POSITION] + i * 3;
        const uint16_t *uv =
            (const uint16_t *)f->meshes[1].channel[CHANNEL_UV] + i * 2;
        const uint8_t *c =
            (const uint8_t *)f->meshes[1].channel[CHANNEL_COLOR] + i * 4;
        double dot = 0;
        double square = 0;

        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(v.positions[i][k], -1 + p[k] / 65535.0 * 2, 1e-6);
            dot += (double)v.normals[i][k] * (double)v.tangents[i][k];
            square += (double)v.normals[i][k] * (double)v.normals[i][k];
        }
        CHECK_NEAR(dot, 0, 1e-5);
        CHECK_NEAR(square, 1, 1e-5);
        CHECK_NEAR(v.tangents[i][3], 1, 0);
        for (int k = 0; k < 2; k++)
            CHECK_NEAR(v.uvs[i][k], uv[k] / 65535.0, 1e-6);
        CHECK_MEM(v.colors[i], c, 4);
    }
    arena_free(&arena);
    cache_reader_close(reader);
    tiny_free(t);
    diag_finish(&diag);
}

static void reader_refuses_numbers_out_of_range(void)
{
    struct tiny_cache *t = tiny_build(NULL);
    struct cache_reader *reader;
    struct diag diag;

    diag_init(&diag);
    diag.is_silent = true;
    CHECK(!cache_reader_open("/nowhere/at/all.sgc", &diag));
    CHECK_EQ(diag.code, EXIT_IO_FAILED);
    diag_finish(&diag);
    cache_reader_close(NULL);

    reader = open_bytes(t->bytes, t->size, &diag);
    CHECK(reader != NULL);
    CHECK(cache_reader_frame(reader, t->options.frame_count) == NULL);
    CHECK_EQ(diag.code, EXIT_INPUT_REFUSED);
    cache_reader_close(reader);
    diag_finish(&diag);
    tiny_free(t);
}

/* Read all frames, or up to the first refused one. Each refusal has a
 * message. */
static bool read_all(const void *bytes, size_t count, struct diag *diag)
{
    struct cache_reader *reader = open_bytes(bytes, count, diag);
    bool is_good = reader != NULL;

    for (uint32_t i = 0;
         is_good && i < cache_reader_header(reader)->frame_count; i++)
        is_good = cache_reader_frame(reader, i) != NULL;
    cache_reader_close(reader);
    CHECK_EQ(is_good, !diag_has_failed(diag));
    CHECK_EQ(is_good, diag->text[0] == 0);
    return is_good;
}

static struct tiny_cache *small(void)
{
    return tiny_build(&(struct tiny_options){
        .frame_count = 4, .distance = 3, .vertices = 6, .has_colors = true});
}

static void reader_refuses_every_truncation(void)
{
    struct tiny_cache *t = small();

    for (size_t count = 0; count < t->size; count++) {
        struct diag diag;

        test_context("%zu of %zu bytes", count, t->size);
        CHECK(!read_all(t->bytes, count, &diag));
        CHECK_EQ(diag.code, EXIT_INPUT_REFUSED);
        diag_finish(&diag);
    }
    tiny_free(t);
}

static void reader_refuses_every_flipped_bit(void)
{
    struct tiny_cache *t = small();

    for (size_t at = 0; at < t->size; at++) {
        uint8_t bit = (uint8_t)(1u << (at % 8));
        struct diag diag;

        test_context("byte %zu", at);
        t->bytes[at] ^= bit;
        CHECK(!read_all(t->bytes, t->size, &diag));
        CHECK_EQ(diag.code, EXIT_INPUT_REFUSED);
        t->bytes[at] ^= bit;
        diag_finish(&diag);
    }
    tiny_free(t);
}

/* With correct checksums, damaged bytes may change the shown values or be
 * refused, but do no harm. */
static void reader_survives_wrong_values_with_good_checksums(void)
{
    static const uint8_t lies[] = {0, 1, 0x7f, 0x80, 0xff};
    struct tiny_cache *t = small();

    for (size_t at = 0; at < t->blobs_offset; at++)
        for (size_t k = 0; k < sizeof lies; k++) {
            uint8_t old = t->bytes[at];
            struct diag diag;

            test_context("byte %zu is %u", at, lies[k]);
            t->bytes[at] = lies[k];
            tiny_correct_checksums(t);
            (void)read_all(t->bytes, t->size, &diag);
            t->bytes[at] = old;
            diag_finish(&diag);
        }
    tiny_free(t);
}

TEST_MAIN(TEST(reader_decodes_frames_in_any_order),
          TEST(reader_joins_the_parts_of_a_large_mesh),
          TEST(reader_copes_with_long_groups_and_none),
          TEST(reader_reports_the_meshes_that_a_frame_lacks),
          TEST(reader_returns_indices_and_floats),
          TEST(reader_refuses_numbers_out_of_range),
          TEST(reader_refuses_every_truncation),
          TEST(reader_refuses_every_flipped_bit),
          TEST(reader_survives_wrong_values_with_good_checksums))
