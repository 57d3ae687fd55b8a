/* test_anim_oracle.c
 *
 * Goal: BVH and glTF files say what an independent reader finds in them:
 *   joints, skins, channels, and poses at any time.
 * Method: every file of the motion assets is compared with a dump made by a
 *   program that shares no code with the reader. Tolerances are those of double
 *   precision: all keys are interpolated by formulas that are exact but for
 *   rounding.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/abc_json.h"

#include "anim/source/evaluate.h"
#include "anim/source/motion.h"
#include "host/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Relative to the largest number of a transform or matrix, or to 1. */
#define LOCAL_TOLERANCE 1e-14
#define MODEL_TOLERANCE 1e-13

static struct diag diag;
static uint32_t file_count;
static uint32_t sample_count;
static double worst_local;
static double worst_model;

/* Compare numbers of a list with `count` values, of which one in the list may
 * be larger than 1. Returns the largest difference, relative. */
static double difference(const cJSON **item, const double *values,
                         uint32_t count, double sign)
{
    double largest = 1;
    double worst = 0;

    for (uint32_t i = 0; i < count; i++, *item = (*item)->next) {
        double expected;

        CHECK(*item != NULL);
        expected = (*item)->valuedouble;
        largest = fmax(largest, fabs(expected));
        CHECK(isfinite(values[i])); /* fmax ignores what is no number */
        worst = fmax(worst, fabs(expected - sign * values[i]));
    }
    return worst / largest;
}

static void compare_transform(const cJSON **item,
                              const struct joint_transform *transform)
{
    const cJSON *rotation;
    const cJSON *again;
    double apart = difference(item, transform->translation, 3, 1);

    rotation = *item;
    again = rotation;
    apart = fmax(apart, fmin(difference(&rotation, transform->rotation, 4, 1),
                             difference(&again, transform->rotation, 4, -1)));
    apart = fmax(apart, difference(&rotation, transform->scale, 3, 1));
    *item = rotation;
    worst_local = fmax(worst_local, apart);
    if (apart > LOCAL_TOLERANCE)
        json_fail("a transform differs by %g", apart);
}

static void compare_matrix(const cJSON *list, const double *matrix)
{
    const cJSON *item = list->child;
    double apart = difference(&item, matrix, 16, 1);

    CHECK(item == NULL);
    worst_model = fmax(worst_model, apart);
    if (apart > MODEL_TOLERANCE)
        json_fail("a matrix differs by %g", apart);
}

/* A name of the dump is null where the file has none. */
static void compare_name(const cJSON *object, const char *name)
{
    const cJSON *expected = json_get(object, "name");

    if (cJSON_IsNull(expected))
        CHECK(name == NULL);
    else
        CHECK_STR(name ? name : "", expected->valuestring);
}

static void compare_joints(const struct motion *motion, const cJSON *list)
{
    const cJSON *item = list->child;

    CHECK_EQ_U(json_count(list), motion->joint_count);
    for (uint32_t i = 0; i < motion->joint_count; i++, item = item->next) {
        const struct motion_joint *joint = &motion->joints[i];
        const cJSON *matrix = json_find(item, "rest_matrix");
        const cJSON *sites = json_find(item, "end_sites");
        const cJSON *rest = json_get(item, "rest")->child;

        compare_name(item, joint->name);
        json_expect_int(item, "parent", joint->parent);
        CHECK((matrix != NULL) == (joint->matrix != NULL));
        if (matrix)
            compare_matrix(matrix, joint->matrix);
        else
            compare_transform(&rest, &joint->rest);
        if (!sites)
            continue;
        CHECK_EQ_U(json_count(sites), joint->end_site_count);
        sites = sites->child;
        for (uint32_t k = 0; k < joint->end_site_count; k++) {
            const cJSON *number = sites->child;

            CHECK(difference(&number, joint->end_sites + 3 * (size_t)k, 3, 1) ==
                  0);
            sites = sites->next;
        }
    }
}

static void compare_skins(const struct motion *motion, const cJSON *list)
{
    const cJSON *item = list->child;

    CHECK_EQ_U(json_count(list), motion->skin_count);
    for (uint32_t i = 0; i < motion->skin_count; i++, item = item->next) {
        const struct motion_skin *skin = &motion->skins[i];
        const cJSON *joint = json_get(item, "joints")->child;
        const cJSON *matrix = json_get(item, "inverse_bind")->child;

        compare_name(item, skin->name);
        CHECK_EQ_U(json_count(json_get(item, "joints")), skin->joint_count);
        for (uint32_t k = 0; k < skin->joint_count; k++) {
            CHECK_EQ_U(joint->valuedouble, skin->joints[k]);
            compare_matrix(matrix, skin->inverse_bind + 16 * (size_t)k);
            joint = joint->next;
            matrix = matrix->next;
        }
    }
}

static const char *component_of(double number)
{
    static const char *const names[] = {"int8", "uint8",  "int16", "uint16",
                                        "",     "uint32", "float"};

    return names[(int)number - 5120];
}

static void compare_channels(const struct motion_clip *clip, const cJSON *list)
{
    const cJSON *item = list->child;

    CHECK_EQ_U(json_count(list), clip->channel_count);
    for (uint32_t i = 0; i < clip->channel_count; i++, item = item->next) {
        const struct motion_channel *channel = &clip->channels[i];

        json_expect_int(item, "node", channel->joint);
        json_expect_int(item, "keys", channel->key_count);
        json_expect_bool(item, "sparse", channel->is_sparse);
        CHECK_STR(json_get(item, "path")->valuestring,
                  motion_path_name(channel->path));
        CHECK_STR(json_get(item, "interpolation")->valuestring,
                  motion_interpolation_name(channel->interpolation));
        CHECK_STR(component_of(json_get(item, "component")->valuedouble),
                  channel->component);
    }
}

static void compare_weights(const struct motion_clip *clip, double seconds,
                            const cJSON *weights)
{
    uint32_t compared = 0;

    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const struct motion_channel *channel = &clip->channels[i];
        char node[16];
        double *values;
        const cJSON *item;

        if (channel->path != MOTION_WEIGHTS)
            continue;
        snprintf(node, sizeof node, "%u", channel->joint);
        CHECK_EQ_U(json_count(json_get(weights, node)), channel->width);
        values = malloc(channel->width * sizeof *values);
        CHECK(values != NULL);
        evaluate_channel(channel, seconds, values);
        item = json_get(weights, node)->child;
        CHECK(difference(&item, values, channel->width, 1) <= LOCAL_TOLERANCE);
        free(values);
        compared++;
    }
    CHECK_EQ(cJSON_GetArraySize(weights), compared);
}

static void compare_samples(const struct motion *motion,
                            const struct motion_clip *clip, const cJSON *list)
{
    struct arena arena;
    struct joint_transform *locals;
    double(*models)[16];
    const cJSON *sample;

    arena_init(&arena);
    locals = ARENA_NEW(&arena, struct joint_transform, motion->joint_count);
    models = arena_alloc(&arena, motion->joint_count, sizeof *models);
    cJSON_ArrayForEach(sample, list)
    {
        const double seconds = json_get(sample, "t")->valuedouble;
        const cJSON *local = json_get(sample, "local")->child;
        const cJSON *model = json_get(sample, "model")->child;
        const cJSON *weights = json_find(sample, "weights");

        evaluate_locals(motion, clip, seconds, locals);
        evaluate_models(motion, locals, models);
        for (uint32_t i = 0; i < motion->joint_count; i++) {
            const cJSON *numbers = local->child;

            test_context("clip %s, %.17g s, joint %u",
                         clip->name ? clip->name : "", seconds, i);
            if (!motion->joints[i].matrix)
                compare_transform(&numbers, &locals[i]);
            compare_matrix(model, models[i]);
            local = local->next;
            model = model->next;
        }
        if (weights)
            compare_weights(clip, seconds, weights);
        sample_count++;
    }
    arena_free(&arena);
}

static void compare_clips(const struct motion *motion, const cJSON *list)
{
    const cJSON *item = list->child;

    CHECK_EQ_U(json_count(list), motion->clip_count);
    for (uint32_t i = 0; i < motion->clip_count; i++, item = item->next) {
        const struct motion_clip *clip = &motion->clips[i];
        const cJSON *channels = json_find(item, "channels");
        const cJSON *samples = json_find(item, "samples");

        compare_name(item, clip->name);
        CHECK_NEAR(clip->start, json_get(item, "start")->valuedouble, 1e-12);
        CHECK_NEAR(clip->end, json_get(item, "end")->valuedouble, 1e-12);
        if (channels)
            compare_channels(clip, channels);
        if (samples)
            compare_samples(motion, clip, samples);
    }
}

static bool compare_file(void *user, const struct host_found *found)
{
    static const char end[] = ".oracle.json";
    const size_t length = strlen(found->path);
    char path[1024];
    struct motion motion;
    cJSON *oracle;
    void *text;
    size_t bytes;

    (void)user;
    if (length < sizeof end || length >= sizeof path ||
        strcmp(found->path + length - (sizeof end - 1), end) != 0)
        return true;
    snprintf(path, sizeof path, "%.*s", (int)(length - (sizeof end - 1)),
             found->path);
    test_context("%s", path);
    json_place(path);
    CHECK(host_read_file(found->path, &text, &bytes, &diag));
    oracle = cJSON_ParseWithLength(text, bytes);
    CHECK(oracle != NULL);
    CHECK(motion_read(&motion, path, &diag));
    CHECK_STR(json_get(oracle, "format")->valuestring,
              motion_format_name(motion.format));
    compare_joints(&motion, json_get(oracle, "joints"));
    compare_skins(&motion, json_get(oracle, "skins"));
    compare_clips(&motion, json_get(oracle, "clips"));
    motion_free(&motion);
    cJSON_Delete(oracle);
    free(text);
    file_count++;
    return true;
}

static void every_file_says_what_the_dump_says(void)
{
    char folder[1024];

    if (!test_assets())
        test_skip("no assets");
    snprintf(folder, sizeof folder, "%s/anim", test_assets());
    if (!host_exists(folder))
        test_skip("no motion assets");
    diag_init(&diag);
    diag.is_quiet = true;
    CHECK(host_folder_walk(folder, compare_file, NULL, &diag));
    CHECK_EQ(diag.code, EXIT_DONE);
    printf("  %u files, %u poses; largest difference %.2g local, %.2g model\n",
           file_count, sample_count, worst_local, worst_model);
    CHECK(file_count >= 39);
    CHECK(sample_count >= 1000);
    diag_finish(&diag);
}

TEST_MAIN(TEST(every_file_says_what_the_dump_says))
