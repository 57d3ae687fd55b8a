/* test_anim_files.c
 *
 * Goal: motion files are read as they are written, and no bytes make a reader
 *   crash, leak, or accept what breaks its rules; refusals name file and place.
 * Method: small files of every format are read, cut off everywhere, and changed
 *   in random places; what is accepted is checked as a whole. The malformed
 *   files of the assets are refused or accepted as their list says.
 *
 * After a change of support/motion_files.c, MOTION_FILES=1 make unit-anim_files
 * writes the committed files again.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/motion_check.h"
#include "support/motion_files.h"

#include "anim/source/evaluate.h"
#include "host/host.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct arena arena;
static struct motion_file files[MOTION_FILE_COUNT];
static struct diag diag;

static void begin(void)
{
    arena_init(&arena);
    motion_files_make(&arena, files);
    diag_init(&diag);
}

static void end(void)
{
    CHECK_EQ(diag.code, EXIT_DONE);
    diag_finish(&diag);
    arena_free(&arena);
}

static const char *data_path(const char *name)
{
    return arena_format(&arena, "%s/anim/%s", test_data(), name);
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");

    CHECK(file != NULL);
    CHECK_EQ_U(fwrite(bytes, 1, size, file), size);
    CHECK_EQ(fclose(file), 0);
}

static void committed_files_are_those_of_the_generator(void)
{
    begin();
    for (int i = 0; i < MOTION_FILE_COUNT; i++) {
        const char *path = data_path(files[i].name);
        void *bytes;
        size_t size;

        test_context("%s", path);
        if (getenv("MOTION_FILES"))
            write_file(path, files[i].bytes, files[i].size);
        CHECK(host_read_file(path, &bytes, &size, &diag));
        CHECK_EQ_U(size, files[i].size);
        CHECK_MEM(bytes, files[i].bytes, size);
        free(bytes);
    }
    end();
}

/* Compare all keys and some poses. */
static void check_same(const struct motion *a, const struct motion *b)
{
    CHECK_EQ_U(a->joint_count, b->joint_count);
    CHECK_EQ_U(a->clip_count, b->clip_count);
    for (uint32_t i = 0; i < a->clip_count; i++) {
        CHECK_EQ_U(a->clips[i].channel_count, b->clips[i].channel_count);
        for (uint32_t k = 0; k < a->clips[i].channel_count; k++) {
            const struct motion_channel *one = &a->clips[i].channels[k];
            const struct motion_channel *two = &b->clips[i].channels[k];
            const size_t each = one->interpolation == MOTION_CUBIC ? 3 : 1;

            CHECK_EQ_U(one->key_count, two->key_count);
            CHECK_MEM(one->times, two->times, one->key_count * sizeof(double));
            CHECK_MEM(one->values, two->values,
                      one->key_count * each * one->width * sizeof(double));
        }
    }
}

static void all_forms_of_gltf_say_the_same(void)
{
    struct motion embedded;
    struct motion other;

    begin();
    CHECK(motion_read(&embedded, data_path("arm.gltf"), &diag));
    CHECK_EQ(embedded.format, MOTION_GLTF);
    motion_check(&embedded, 100);
    CHECK(motion_read(&other, data_path("arm.glb"), &diag));
    CHECK_EQ(other.format, MOTION_GLB);
    check_same(&embedded, &other);
    motion_free(&other);
    CHECK(motion_read(&other, data_path("arm_beside.gltf"), &diag));
    check_same(&embedded, &other);
    motion_free(&other);
    motion_free(&embedded);
    end();
}

static void keys_are_decoded(void)
{
    static const double sparse[15] = {0, 0, 0, 0, 0,   0, 0,     0.25,
                                      0, 0, 0, 0, 0.5, 0, -0.125};
    struct motion motion;
    const struct motion_channel *channels;
    double rotation[4];

    begin();
    CHECK(motion_read(&motion, data_path("arm.glb"), &diag));
    CHECK_EQ_U(motion.clip_count, 2);
    CHECK_STR(motion.clips[0].name, "wave");
    channels = motion.clips[0].channels;
    CHECK_STR(channels[1].component, "int16");
    CHECK_NEAR(channels[1].values[6], 19660 / 32767.0, 1e-15);
    CHECK(channels[2].is_sparse);
    CHECK_MEM(channels[2].values, sparse, sizeof sparse);
    /* Half-way between 0 and 2 * asin(0.6). */
    evaluate_channel(&channels[0], 0.125, rotation);
    CHECK_NEAR(rotation[0], 0.31622776601683794, 1e-7);
    CHECK_NEAR(rotation[3], 0.94868329805051381, 1e-7);
    CHECK_EQ(motion.clips[1].channels[2].path, MOTION_WEIGHTS);
    CHECK_EQ_U(motion.clips[1].channels[2].width, 2);
    CHECK(motion.joints[3].matrix != NULL);
    CHECK_NEAR(motion.joints[3].rest.scale[1], 2, 1e-15);
    CHECK_NEAR(motion.joints[3].rest.rotation[2], 0.70710678118654757, 1e-15);
    CHECK(motion.joints[4].name == NULL);
    motion_free(&motion);
    end();
}

static void bvh_rotations_follow_the_order_of_channels(void)
{
    struct motion motion;
    struct joint_transform locals[4];
    const double *q = locals[0].rotation;

    begin();
    CHECK(motion_read(&motion, data_path("arm.bvh"), &diag));
    CHECK_EQ_U(motion.joint_count, 4);
    CHECK_STR(motion.joints[1].name, "upper arm");
    CHECK_EQ(motion.joints[2].parent, 1);
    CHECK_EQ(motion.joints[3].parent, 0);
    CHECK_EQ_U(motion.joints[2].end_site_count, 1);
    CHECK_NEAR(motion.joints[2].end_sites[0], 0.25, 0);
    CHECK_STR(motion.clips[0].name, "arm");
    CHECK_EQ_U(motion.clips[0].channel_count, 4);
    evaluate_locals(&motion, &motion.clips[0], 0.08, locals);
    /* OFFSET 0 1 0 and positions 2.5 0 -2. */
    CHECK_NEAR(locals[0].translation[0], 2.5, 1e-15);
    CHECK_NEAR(locals[0].translation[1], 1, 1e-15);
    CHECK_NEAR(locals[0].translation[2], -2, 1e-15);
    /* About z by 20, then, in the turned frame, about y by -90 degrees:
     * the product of (0, 0, sin 10, cos 10) and (0, -sin 45, 0, cos 45). */
    CHECK_NEAR(q[0], 0.12278780396897285, 1e-15);
    CHECK_NEAR(q[1], -0.6963642403200189, 1e-15);
    CHECK_NEAR(q[2], 0.12278780396897285, 1e-15);
    CHECK_NEAR(q[3], 0.6963642403200189, 1e-15);
    motion_free(&motion);
    end();
}

/* -- damage -- */

/* From which length on a file is complete: a text may lack the spaces at its
 * end, and the last number of a BVH file may lose digits. */
static size_t first_legal(const char *bytes, size_t size, bool is_text,
                          bool is_bvh)
{
    while (is_text && size > 0 && isspace((unsigned char)bytes[size - 1]))
        size--;
    while (is_bvh && size > 1 && !isspace((unsigned char)bytes[size - 2]))
        size--;
    return size;
}

static void every_truncation_is_refused(void)
{
    begin();
    for (int i = 0; i < MOTION_FILE_BUFFER; i++) {
        const size_t size = files[i].size;
        const char *bytes = files[i].bytes;
        const size_t limit = first_legal(bytes, size, i != MOTION_FILE_GLB,
                                         i == MOTION_FILE_BVH);

        if (i == MOTION_FILE_BESIDE)
            continue;
        for (size_t cut = 0; cut < limit; cut++) {
            test_context("%s cut to %zu bytes", files[i].name, cut);
            CHECK(!motion_try(files[i].name, bytes, cut, NULL));
        }
        CHECK(motion_try(files[i].name, bytes, size, NULL));
    }
    end();
}

static void no_mutation_breaks_a_rule(void)
{
    static const char *const words[] = {"-1", "1e999", "4294967296", "nan",
                                        "{",  "null",  "\"x\"",      "0"};
    struct test_random random = {20261126};
    uint32_t accepted = 0;

    begin();
    for (uint32_t round = 0; round < 6000; round++) {
        const struct motion_file *file = &files[test_random_below(&random, 3)];
        char *copy = arena_string(&arena, file->bytes, file->size);
        uint32_t changes = 1 + test_random_below(&random, 4);

        test_context("seed 20261126, round %u, %s", round, file->name);
        while (changes-- > 0) {
            size_t at = test_random_below(&random, (uint32_t)file->size);
            const char *word = words[test_random_below(&random, 8)];
            size_t length = strlen(word);

            if (test_random_below(&random, 2) || at + length > file->size)
                copy[at] = (char)test_random_below(&random, 256);
            else
                memcpy(copy + at, word, length);
        }
        accepted += motion_try(file->name, copy, file->size, NULL);
        if (round % 100 == 99) {
            arena_reset(&arena);
            motion_files_make(&arena, files);
        }
    }
    /* Changes of names and values of keys are legal. */
    CHECK(accepted > 100);
    CHECK(accepted < 5000);
    end();
}

/* -- the malformed files of the assets -- */

/* Each number of the list's reason must be in the message. */
static void check_values(const char *reason, const char *message)
{
    while (*reason && *reason != '\n') {
        char *end = NULL;
        const long long value = strtoll(reason, &end, 0);
        char text[24];

        if (end > reason) {
            snprintf(text, sizeof text, "%lld", value);
            if (!strstr(message, text))
                test_fail(__FILE__, __LINE__, "%s is not in: %s", text,
                          message);
            reason = end;
        } else {
            reason++;
        }
    }
}

static void try_listed(const char *folder, const char *name, const char *rule,
                       const char *reason)
{
    const char *path = arena_format(&arena, "%s/%s", folder, name);
    struct motion motion;
    struct diag own;
    bool is_good;

    test_context("%s", path);
    diag_init(&own);
    own.is_silent = true;
    is_good = motion_read(&motion, path, &own);
    CHECK(is_good || own.code == EXIT_INPUT_REFUSED);
    CHECK(!is_good || strcmp(rule, "either") == 0);
    if (is_good) {
        motion_check(&motion, 4);
        motion_free(&motion);
    } else {
        motion_check_refusal(own.text, path);
        check_values(reason, own.text + strlen(path));
    }
    diag_finish(&own);
}

static void malformed_assets_are_refused(void)
{
    const char *folder;
    char *text;
    void *list;
    size_t bytes;
    uint32_t count = 0;

    if (!test_assets())
        test_skip("no assets");
    begin();
    folder = arena_format(&arena, "%s/anim/bad-input", test_assets());
    if (!host_exists(folder)) {
        end();
        test_skip("no motion assets");
    }
    CHECK(host_read_file(arena_format(&arena, "%s/expected.tsv", folder), &list,
                         &bytes, &diag));
    text = list;
    while (*text) {
        char *line_end = strchr(text, '\n');
        char *tab = strchr(text, '\t');
        char *second = tab ? strchr(tab + 1, '\t') : NULL;

        CHECK(line_end && tab && second && second < line_end);
        *tab = 0;
        *second = 0;
        try_listed(folder, text, tab + 1, second + 1);
        text = line_end + 1;
        count++;
    }
    free(list);
    CHECK_EQ_U(count, 17);
    end();
}

static bool cut_file(void *user, const struct host_found *found)
{
    uint32_t *cut_count = user;
    const char *name = strrchr(found->name, '.');
    const bool is_bvh = name && strcmp(name, ".bvh") == 0;
    void *bytes;
    size_t size;
    size_t limit;

    if (!name ||
        (!is_bvh && strcmp(name, ".glb") != 0 && strcmp(name, ".gltf") != 0) ||
        found->bytes > 50000 || strncmp(found->name, "bad", 3) == 0)
        return true;
    CHECK(host_read_file(found->path, &bytes, &size, &diag));
    limit = first_legal(bytes, size, strcmp(name, ".glb") != 0, is_bvh);
    for (size_t cut = 0; cut < limit; cut += cut < 64 ? 1 : 61) {
        test_context("%s cut to %zu bytes", found->name, cut);
        CHECK(!motion_try(found->path, bytes, cut, NULL));
        cut_count[is_bvh]++;
    }
    free(bytes);
    return true;
}

static void truncated_assets_are_refused(void)
{
    uint32_t cut_count[2] = {0}; /* of glTF and of BVH */
    const char *folder;

    if (!test_assets())
        test_skip("no assets");
    begin();
    folder = arena_format(&arena, "%s/anim", test_assets());
    if (!host_exists(folder)) {
        end();
        test_skip("no motion assets");
    }
    CHECK(host_folder_walk(folder, cut_file, cut_count, &diag));
    CHECK(cut_count[0] > 1000);
    CHECK(cut_count[1] > 500);
    end();
}

TEST_MAIN(TEST(committed_files_are_those_of_the_generator),
          TEST(all_forms_of_gltf_say_the_same), TEST(keys_are_decoded),
          TEST(bvh_rotations_follow_the_order_of_channels),
          TEST(every_truncation_is_refused), TEST(no_mutation_breaks_a_rule),
          TEST(malformed_assets_are_refused),
          TEST(truncated_assets_are_refused))
