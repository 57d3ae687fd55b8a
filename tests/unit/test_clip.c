/* test_clip.c
 *
 * Goal: a clip has the content of its archive, or is refused for a reason of
 *   the table.
 * Method: every archive is opened. Every face corner of every frame is
 *   compared with the archive's own samples, which code of the test expands and
 *   interpolates. Frame times are compared with those of the reference library,
 *   and world matrices with code that other tests cover.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "compile/clip/clip_state.h"
#include "compile/report/refusals.h"
#include "support/abc_files.h"
#include "support/abc_json.h"
#include "support/clip_expect.h"
#include "support/clip_validate.h"
#include "support/made_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- which archives are refused -- */

#define DAMAGED REFUSAL_COUNT

/* All other archives must compile. */
static const struct {
    const char *name;
    enum refusal reason;
} refused[] = {
    {"nan.abc", REFUSAL_NOT_FINITE},
    {"topology.abc", REFUSAL_TOPOLOGY},
    {"topology.h5.abc", REFUSAL_TOPOLOGY},
    {"topology-indices.abc", REFUSAL_TOPOLOGY},
    {"ofx__sample_ogawa__774754.abc", REFUSAL_TOPOLOGY},
    {"ofx__sample__a2b558.abc", REFUSAL_TOPOLOGY},
    {"bad-count-sum.abc", DAMAGED},
    {"bad-index.abc", DAMAGED},
    /* These two archives store uninitialized memory. */
    {"alembic__cube2__b423c5.abc", DAMAGED},
    {"alembic__polyMesh1__f5eaa5.abc", DAMAGED},
};

/* True if the scene was refused, not the file. */
static bool expect_refused(const struct abc_archive *archive, const char *path,
                           const struct diag *diag)
{
    enum refusal reason = REFUSAL_COUNT;
    bool is_named = false;

    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (strcmp(strrchr(path, '/') + 1, refused[i].name) == 0) {
            reason = refused[i].reason;
            is_named = true;
        }
    test_context("%s: %s", path, diag->text);
    CHECK_EQ(diag->code, EXIT_INPUT_REFUSED);
    CHECK(is_named);
    if (reason == DAMAGED)
        CHECK(!abc_check_scene(archive));
    else
        CHECK(strstr(diag->text, refusal_reasons[reason].text) != NULL);
    return reason != DAMAGED;
}

/* -- frame times -- */

struct times {
    double *values;
    size_t count;
};

static void add_time(struct times *times, double value)
{
    times->values = realloc(times->values, (times->count + 1) * sizeof(double));
    /* -fanalyzer: a test without memory ends here. */
    times->values[times->count++] = value;
}

static int compare_doubles(const void *a, const void *b)
{
    double left = *(const double *)a;
    double right = *(const double *)b;

    return (left > right) - (left < right);
}

/* The library calls a mesh constant when only its texture or colours move. */
static void add_param_times(struct times *times,
                            const struct abc_archive *archive,
                            const cJSON *mesh)
{
    static const char *const lists[] = {"params", "arbGeomParams"};
    const cJSON *param;

    for (int i = 0; i < 2; i++)
        cJSON_ArrayForEach(param, json_get(mesh, lists[i]))
        {
            const cJSON *interpretation = json_find(param, "interp");
            int sampling = (int)json_number(json_get(param, "ts"));
            int count = (int)json_number(json_get(param, "num_samples"));

            if (cJSON_IsTrue(json_get(param, "constant")) ||
                (i == 1 && (!interpretation ||
                            strncmp(interpretation->valuestring, "rgb", 3))))
                continue;
            for (int k = 0; k < count; k++)
                add_time(times, abc_sample_time(&archive->samplings[sampling],
                                                (uint32_t)k));
        }
}

static bool is_mesh(const char *type)
{
    return strcmp(type, "polymesh") == 0 || strcmp(type, "subd") == 0;
}

static void validate_times(const double *seconds, uint32_t count,
                           const struct abc_archive *archive,
                           const cJSON *oracle)
{
    struct times times = {NULL, 0};
    const cJSON *item;
    size_t kept = 0;

    cJSON_ArrayForEach(item, json_get(oracle, "union_times"))
        add_time(&times, json_number(item));
    cJSON_ArrayForEach(
        item,
        json_get(oracle,
                 "objects")) if (is_mesh(json_get(item, "type")->valuestring))
        add_param_times(&times, archive, item);
    if (times.count == 0)
        add_time(&times, seconds[0]);
    qsort(times.values, times.count, sizeof(double), compare_doubles);
    for (size_t i = 0; i < times.count; i++)
        if (kept == 0 || times.values[i] - times.values[kept - 1] > 1e-5)
            times.values[kept++] = times.values[i];
    CHECK_EQ_U(count, kept);
    for (size_t i = 0; i < kept; i++)
        CHECK_NEAR(seconds[i], times.values[i], 1e-12);
    free(times.values);
}

/* Frame times can be computed for a refused scene too. For an accepted scene
 * they equal the clip's. */
static void validate_times_alone(const struct clip *clip,
                                 const struct abc_archive *archive,
                                 const struct compile_options *options,
                                 const cJSON *oracle)
{
    const double *seconds = NULL;
    uint32_t count = 0;
    struct arena arena;

    arena_init(&arena);
    CHECK(clip_times(archive, options, &arena, &seconds, &count));
    validate_times(seconds, count, archive, oracle);
    if (clip) {
        CHECK_EQ_U(count, clip->frame_count);
        CHECK_MEM(seconds, clip->frame_seconds, count * sizeof *seconds);
    }
    arena_free(&arena);
}

/* -- objects -- */

/* Every mesh that is visible in any frame has one node. Others have none. */
static void validate_objects(const struct clip *clip,
                             const struct abc_archive *archive,
                             const struct abc_object *object)
{
    unsigned nodes = 0;
    unsigned wanted = 0;

    for (uint32_t i = 0; i < object->child_count; i++)
        validate_objects(clip, archive, object->children[i]);
    if (!abc_is_mesh(object))
        return;
    for (uint32_t n = 0; n < clip->node_count; n++)
        nodes += clip->nodes[n].mesh >= 0 &&
                 strcmp(clip->nodes[n].path, object->path) == 0;
    for (uint32_t f = 0; wanted == 0 && f < clip->frame_count; f++)
        wanted = expect_is_drawn(archive, object, clip->frame_seconds[f]);
    if (nodes != wanted)
        test_fail(__FILE__, __LINE__, "%s: %u nodes, not %u", object->path,
                  nodes, wanted);
}

static struct clip_validated validated;
static unsigned compiled;
static unsigned refused_count;
static bool is_validated = true;

/* The mean error of normals is computed for each archive separately. */
static void validate_clip_alone(struct clip *clip,
                                const struct abc_archive *archive,
                                const struct compile_options *options)
{
    double sum = validated.normal_sum;
    unsigned long count = validated.normals;

    validate_clip(clip, archive, options, &validated);
    sum = validated.normal_sum - sum;
    count = validated.normals - count;
    if (count > 0)
        CHECK(sum / (double)count <= 0.15);
}

static void open_and_validate(const char *path,
                              const struct compile_options *options)
{
    char *json_path = oracle_path(path, ".oracle.json");
    struct abc_archive *archive;
    struct clip *clip;
    struct diag diag;
    size_t bytes;
    char *text = file_text(json_path, &bytes);
    cJSON *oracle = cJSON_Parse(text);

    diag_init(&diag);
    diag.is_silent = true;
    test_context("%s", path);
    CHECK(oracle != NULL);
    archive = abc_open(path, &diag);
    CHECK(archive != NULL);
    clip = clip_open(archive, options);
    if (!clip) {
        if (expect_refused(archive, path, &diag))
            validate_times_alone(NULL, archive, options, oracle);
        refused_count++;
    } else {
        validate_times_alone(clip, archive, options, oracle);
        validate_objects(clip, archive, archive->top);
        if (is_validated)
            validate_clip_alone(clip, archive, options);
        compiled++;
    }
    clip_close(clip);
    abc_close(archive);
    diag_finish(&diag);
    cJSON_Delete(oracle);
    free(text);
    free(json_path);
}

static void visit_without_options(const char *path)
{
    struct compile_options options;

    compile_options_default(&options);
    options.allows_empty = true;
    open_and_validate(path, &options);
}

static void visit_with_options(const char *path)
{
    struct compile_options options;

    compile_options_default(&options);
    options.allows_empty = true;
    options.up = 'Z';
    options.flip_v = true;
    options.precision_mm = 0.1;
    open_and_validate(path, &options);
}

static void report(void)
{
    printf("  %u compiled, %u refused; %u frames, %lu corners (%lu unsure), "
           "%u world matrices\n"
           "  worst: position %.6f of what is allowed, normal %.3f degrees\n",
           compiled, refused_count, validated.frames, validated.corners,
           validated.unsure_corners, validated.worlds, validated.position_worst,
           validated.normal_worst);
    compiled = 0;
    refused_count = 0;
    validated = (struct clip_validated){0};
}

static void small_clips_hold_the_content_of_their_archives(void)
{
    CHECK(visit_test_data(visit_without_options) > 0);
    CHECK(compiled > 0);
    report();
}

static void small_clips_with_options_hold_the_content_of_their_archives(void)
{
    CHECK(visit_test_data(visit_with_options) > 0);
    CHECK(compiled > 0);
    report();
}

/* -- modified archives -- */

static const char *data_path(const char *name)
{
    static char path[1024];

    snprintf(path, sizeof path, "%s/%s", test_data(), name);
    return path;
}

static void warnings_become_refusals_when_strict(void)
{
    struct abc_archive *archive;
    struct clip *clip;
    struct diag diag;

    clip = made_scene_open(data_path("colors.abc"), false, &diag, &archive);
    CHECK(clip != NULL);
    CHECK_EQ_U(diag.warning_count, 3);
    clip_close(clip);
    abc_close(archive);
    CHECK(made_scene_open(data_path("colors.abc"), true, &diag, &archive) ==
          NULL);
    CHECK_EQ(diag.code, EXIT_INPUT_REFUSED);
    CHECK(strstr(diag.text, warning_reasons[WARNING_DROPPED_PARAMS].text) !=
          NULL);
    CHECK(strstr(diag.text, "/grp/two_sets_and_other_params: ") != NULL);
    CHECK_STR(strrchr(diag.text, '('), "(3): pair, strings, uvSet2");
    abc_close(archive);
    clip = made_scene_open(data_path("fps-2997.abc"), true, &diag, &archive);
    CHECK(clip != NULL);
    clip_close(clip);
    abc_close(archive);
}

/* fps-2997.abc, sampled at other times. */
struct retimed {
    struct diag diag;
    struct abc_archive *archive;
    const struct abc_time_sampling *own;
    struct abc_time_sampling samplings[8];
};

static struct clip *open_retimed(struct retimed *r, double per_cycle,
                                 bool is_strict)
{
    struct compile_options options;

    compile_options_default(&options);
    options.allows_empty = true;
    options.is_strict = is_strict;
    diag_init(&r->diag);
    r->diag.is_silent = true;
    r->archive = abc_open(data_path("fps-2997.abc"), &r->diag);
    CHECK(r->archive != NULL);
    CHECK(r->archive->sampling_count <= 8);
    r->own = r->archive->samplings;
    for (uint32_t k = 0; k < r->archive->sampling_count; k++) {
        r->samplings[k] = r->own[k];
        r->samplings[k].time_per_cycle = per_cycle;
    }
    r->archive->samplings = r->samplings;
    return clip_open(r->archive, &options);
}

static void close_retimed(struct retimed *r)
{
    r->archive->samplings = r->own;
    abc_close(r->archive);
    diag_finish(&r->diag);
}

/* Times that a 64-bit clock cannot count, and times that are not numbers. */
static void times_beyond_reason_are_refused(void)
{
    static const double per_cycle[] = {1e12, 1e300, NAN, INFINITY};
    static const char *const words[] = {
        " the first frame to the last it is 1.9e+13 s, at most 1.15e+12",
        ": sample 19 is at 1.9e+301 s; from the first frame to the last",
        ": sample 19 is at nan s; from the first frame to the last it is nan s",
        ": sample 0 is at nan s; from the first frame to the last it is nan s"};

    for (size_t i = 0; i < sizeof per_cycle / sizeof per_cycle[0]; i++) {
        struct retimed r;
        /* cppcheck-suppress uninitvar ; where it will be */
        const char *text = r.diag.text;

        test_context("%g seconds a sample", per_cycle[i]);
        CHECK(open_retimed(&r, per_cycle[i], false) == NULL);
        CHECK(
            strstr(text,
                   refusal_reasons[isfinite(per_cycle[i]) ? REFUSAL_TOO_LARGE
                                                          : REFUSAL_NOT_FINITE]
                       .text) != NULL);
        CHECK(strstr(text, "fps-2997.abc: /grp.xform/.vals: ") != NULL);
        CHECK(strstr(text, words[i]) != NULL);
        close_retimed(&r);
    }
}

/* One object has 250,000 samples a second. Of three of its samples, one has a
 * frame. */
static void merged_samples_are_reported(void)
{
    for (int is_strict = 0; is_strict < 2; is_strict++) {
        struct retimed r;
        struct clip *clip = open_retimed(&r, 4e-6, is_strict);

        CHECK((clip != NULL) == !is_strict);
        if (clip) {
            const struct warnings *warnings = &clip->state->warnings;

            CHECK_EQ(clip->frame_count, 7);
            CHECK_EQ_U(warnings->of[WARNING_MERGED].count, 1);
            CHECK_STR(warnings->of[WARNING_MERGED].named[0].place,
                      "/grp.xform/.vals");
            CHECK_STR(warnings->of[WARNING_MERGED].named[0].detail,
                      "13 of 20 have no frame of their own");
        } else {
            CHECK(strstr(r.diag.text, warning_reasons[WARNING_MERGED].text) !=
                  NULL);
        }
        clip_close(clip);
        close_retimed(&r);
    }
}

static int dot(const int16_t *a, const int16_t *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/* Each frame negates only its own quaternions, to align them with the frame
 * before. */
static void frames_follow_one_another(void)
{
    struct arena arenas[2];
    struct clip_frame frames[2];
    struct abc_archive *archive;
    struct clip *clip;
    struct diag diag;

    clip = made_scene_open(data_path("demo.abc"), false, &diag, &archive);
    CHECK(clip != NULL);
    CHECK(clip->frame_count > 1);
    arena_init(&arenas[0]);
    arena_init(&arenas[1]);
    for (uint32_t f = 0; f < clip->frame_count; f++) {
        struct clip_frame *now = &frames[f % 2];
        const struct clip_frame *before = f > 0 ? &frames[1 - f % 2] : NULL;

        arena_reset(&arenas[f % 2]);
        CHECK(clip_frame_produce(clip, f, &arenas[f % 2], now));
        clip_frame_align_signs(clip, before, now);
        for (uint32_t m = 0; before && m < clip->mesh_count; m++) {
            const int16_t *q = now->meshes[m].channel[CHANNEL_QTANGENT];
            const int16_t *p = before->meshes[m].channel[CHANNEL_QTANGENT];

            for (uint32_t v = 0; q && v < clip->meshes[m].vertex_count; v++)
                CHECK(dot(q + 4 * (size_t)v, p + 4 * (size_t)v) >= 0);
        }
    }
    arena_free(&arenas[0]);
    arena_free(&arenas[1]);
    clip_close(clip);
    abc_close(archive);
}

/* A frame does not depend on the frame produced before it. */
static void frames_depend_on_nothing_but_their_number(void)
{
    struct abc_archive *archive;
    struct clip_frame a;
    struct clip_frame b;
    struct arena arena;
    struct clip *clip;
    struct diag diag;

    clip = made_scene_open(data_path("demo.abc"), false, &diag, &archive);
    CHECK(clip != NULL);
    arena_init(&arena);
    CHECK(clip_frame_produce(clip, 3, &arena, &a));
    CHECK(clip_frame_produce(clip, clip->frame_count - 1, &arena, &b));
    CHECK(clip_frame_produce(clip, 3, &arena, &b));
    CHECK_MEM(a.nodes, b.nodes, clip->node_count * sizeof *a.nodes);
    for (uint32_t m = 0; m < clip->mesh_count; m++)
        for (int c = 0; c < CHANNEL_COUNT; c++)
            if (clip->meshes[m].animated_mask & CHANNEL_BIT(c))
                CHECK_MEM(a.meshes[m].channel[c], b.meshes[m].channel[c],
                          clip->meshes[m].vertex_count *
                              (size_t)channel_vertex_bytes((enum channel)c));
    arena_free(&arena);
    clip_close(clip);
    abc_close(archive);
}

/* Opening uses threads. Validation uses none and would take a minute under the
 * thread sanitizer, so it is left out there. */
static void every_clip_holds_its_archive_or_is_refused(void)
{
    unsigned visited;

    is_validated = !TEST_HAS_TSAN;
    visited = visit_archives(visit_without_options);
    is_validated = true;
    CHECK_EQ(visited, compiled + refused_count);
    CHECK(compiled >= 40);
    report();
}

TEST_MAIN(TEST(small_clips_hold_the_content_of_their_archives),
          TEST(small_clips_with_options_hold_the_content_of_their_archives),
          TEST(warnings_become_refusals_when_strict),
          TEST(times_beyond_reason_are_refused),
          TEST(merged_samples_are_reported), TEST(frames_follow_one_another),
          TEST(frames_depend_on_nothing_but_their_number),
          TEST(every_clip_holds_its_archive_or_is_refused))
