/* test_abc_scene.c
 *
 * Goal: Alembic schemas are interpreted as the reference library interprets
 *   them.
 * Method: every archive is compared with a dump by the library: objects,
 *   samplings, transforms, meshes, world matrices at times between samples. The
 *   small archives of the test data are compared even if the folder of large
 *   ones is missing.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/abc_files.h"
#include "support/abc_json.h"
#include "support/abc_mesh_oracle.h"
#include "support/abc_world.h"

#include "abc/schema.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct diag diag;
static size_t object_count;
static size_t matrix_count;
static size_t visible_count;
static size_t time_count;

/* -- time -- */

static void compare_samplings(const struct abc_archive *archive,
                              const cJSON *expected)
{
    static const char *const types[] = {"uniform", "cyclic", "acyclic"};
    uint32_t index = 0;
    const cJSON *item;

    CHECK_EQ_U(archive->sampling_count, json_count(expected));
    cJSON_ArrayForEach(item, expected)
    {
        const struct abc_time_sampling *sampling = &archive->samplings[index];
        const cJSON *times = json_get(item, "stored_times");
        const cJSON *time = times->child;

        json_expect_int(item, "index", index++);
        json_expect_string(item, "type", types[sampling->type]);
        json_expect_int(item, "max_samples", sampling->max_samples);
        if (sampling->type != ABC_ACYCLIC)
            json_expect_double(json_get(item, "time_per_cycle"),
                               sampling->time_per_cycle);
        CHECK_EQ_U(sampling->time_count, json_count(times));
        if (sampling->type != ABC_ACYCLIC)
            json_expect_int(item, "samples_per_cycle", sampling->time_count);
        for (uint32_t i = 0; time; i++, time = time->next)
            json_expect_double(time, sampling->times[i]);
    }
}

struct times {
    double *values;
    size_t count;
    size_t capacity;
};

static void add_times(struct times *times, const struct abc_archive *archive,
                      const struct abc_property *property, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (times->count == times->capacity) {
            times->capacity = 2 * times->capacity + 64;
            times->values =
                realloc(times->values, times->capacity * sizeof(double));
        }
        times->values[times->count++] =
            abc_sample_time(&archive->samplings[property->time_sampling], i);
    }
}

static void collect_times(struct times *times,
                          const struct abc_archive *archive,
                          const struct abc_object *object)
{
    enum abc_type type = abc_object_type(object);
    struct arena arena;

    arena_init(&arena);
    if (type == ABC_TYPE_XFORM) {
        struct abc_xform xform;

        CHECK(abc_xform_open(archive, object, &arena, &xform));
        if (!xform.is_constant && xform.inherits)
            add_times(times, archive, xform.inherits, xform.sample_count);
    } else if (type == ABC_TYPE_POLYMESH || type == ABC_TYPE_SUBD) {
        struct abc_mesh mesh;

        CHECK(abc_mesh_open(archive, object, &arena, &mesh));
        if (!is_mesh_constant_as_recorded(&mesh))
            add_times(times, archive, mesh.positions, mesh.sample_count);
    }
    arena_free(&arena);
    for (uint32_t i = 0; i < object->child_count; i++)
        collect_times(times, archive, object->children[i]);
}

static int compare_doubles(const void *a, const void *b)
{
    double left = *(const double *)a;
    double right = *(const double *)b;

    return (left > right) - (left < right);
}

static void compare_union(const struct abc_archive *archive,
                          const cJSON *expected)
{
    const cJSON *item = json_find(expected, "union_times");
    struct times times = {0};
    size_t count = 0;

    collect_times(&times, archive, archive->top);
    if (times.count > 0)
        qsort(times.values, times.count, sizeof(double), compare_doubles);
    for (size_t i = 0; i < times.count; i++)
        if (count == 0 || times.values[i] != times.values[count - 1])
            times.values[count++] = times.values[i];
    time_count += count;
    json_expect_int(expected, "union_times_count", (long long)count);
    json_expect_number_hash(expected, "union_times_xxh64", times.values, count,
                            sizeof(double));
    if (item && json_count(item) == count) {
        item = item->child;
        for (size_t i = 0; i < count; i++, item = item->next)
            json_expect_double(item, times.values[i]);
    }
    free(times.values);
}

/* `near` and `floor` at each query time. */
static void compare_query_index(const struct abc_archive *archive,
                                const struct abc_property *property,
                                uint32_t count, const cJSON *query_times,
                                const cJSON *expected)
{
    const struct abc_time_sampling *sampling =
        &archive->samplings[property->time_sampling];
    const cJSON *near = json_get(expected, "near")->child;
    const cJSON *floor = json_get(expected, "floor")->child;
    const cJSON *item;

    cJSON_ArrayForEach(item, query_times)
    {
        double time = json_number(item);
        struct abc_bracket bracket = abc_bracket_at(sampling, count, time);

        if (json_number(near) != world_near_index(sampling, count, time))
            json_fail("near index at %.17g is %u, expected %.0f", time,
                      world_near_index(sampling, count, time),
                      json_number(near));
        if (json_number(floor) != bracket.floor)
            json_fail("floor index at %.17g is %u, expected %.0f", time,
                      bracket.floor, json_number(floor));
        CHECK(bracket.ceil >= bracket.floor);
        CHECK(bracket.alpha >= 0.0 && bracket.alpha < 1.0);
        near = near->next;
        floor = floor->next;
    }
}

/* -- objects -- */

static void compare_visibility(const struct abc_archive *archive,
                               const struct abc_object *object,
                               const cJSON *expected)
{
    const struct abc_property *visible = abc_visibility(object);
    uint32_t index = 0;
    const cJSON *item;

    if (!visible || !expected) {
        if (visible || expected)
            json_fail("visibility is %s", visible ? "ours alone" : "missing");
        return;
    }
    json_expect_int(expected, "ts", visible->time_sampling);
    json_expect_bool(expected, "constant", visible->is_constant);
    CHECK_EQ_U(visible->sample_count, json_count(json_get(expected, "values")));
    cJSON_ArrayForEach(item, json_get(expected, "values"))
    {
        enum abc_visibility value;
        double time = abc_sample_time(
            &archive->samplings[visible->time_sampling], index++);

        CHECK(abc_visibility_at(archive, object, time, &value));
        if (json_number(item) != (double)value)
            json_fail("visibility %u is %d", index - 1, value);
        /* Up to shortly before the next sample. No sample follows the last
         * one. */
        time += 0.9 * (abc_sample_time(
                           &archive->samplings[visible->time_sampling], index) -
                       time);
        CHECK(abc_visibility_at(archive, object, time, &value));
        if (json_number(item) != (double)value)
            json_fail("visibility behind %u is %d", index - 1, value);
    }
}

static void compare_ops(const struct abc_xform *xform, const cJSON *expected)
{
    static const char *const names[] = {"scale",  "translate", "rotate",
                                        "matrix", "rotateX",   "rotateY",
                                        "rotateZ"};
    const cJSON *item = expected->child;

    CHECK_EQ_U(xform->op_count, json_count(expected));
    for (uint32_t i = 0; i < xform->op_count; i++, item = item->next) {
        json_expect_string(item, "op", names[xform->ops[i] >> 4]);
        json_expect_int(item, "hint", xform->ops[i] & 15);
    }
}

static void compare_xform_sample(const struct abc_archive *archive,
                                 const struct abc_xform *xform,
                                 const cJSON *expected, struct arena *arena)
{
    uint32_t index = (uint32_t)json_number(json_get(expected, "i"));
    double local[16];
    bool inherits;

    CHECK(xform->inherits != NULL);
    json_expect_double(
        json_get(expected, "time"),
        abc_sample_time(&archive->samplings[xform->inherits->time_sampling],
                        index));
    if (!abc_xform_local(archive, xform, index, arena, local) ||
        !abc_xform_inherits(archive, xform, index, &inherits))
        json_fail("%s", diag.text);
    json_expect_bool(expected, "inherits", inherits);
    json_expect_matrix(json_get(expected, "local"), local);
    matrix_count++;
}

static void compare_xform(const struct abc_archive *archive,
                          const struct abc_object *object,
                          const cJSON *query_times, const cJSON *expected)
{
    struct abc_xform xform;
    const cJSON *sample;
    struct arena arena;
    bool inherits;

    arena_init(&arena);
    if (!abc_xform_open(archive, object, &arena, &xform))
        json_fail("%s", diag.text);
    json_expect_int(expected, "num_samples", xform.sample_count);
    json_expect_bool(expected, "constant", xform.is_constant);
    json_expect_bool(expected, "identity", xform.is_identity);
    json_expect_int(expected, "ts",
                    xform.inherits ? xform.inherits->time_sampling : 0);
    if (!abc_xform_inherits(archive, &xform, 0, &inherits))
        json_fail("%s", diag.text);
    json_expect_bool(expected, "inherits", inherits);
    compare_ops(&xform, json_get(expected, "ops"));
    cJSON_ArrayForEach(sample, json_find(expected, "samples"))
        compare_xform_sample(archive, &xform, sample, &arena);
    if (json_find(expected, "query_index"))
        compare_query_index(archive, xform.inherits, xform.sample_count,
                            query_times, json_get(expected, "query_index"));
    arena_free(&arena);
}

static void compare_world(const struct abc_archive *archive,
                          const struct abc_object *object,
                          const cJSON *query_times, const cJSON *expected)
{
    const cJSON *world = json_get(expected, "world")->child;
    const cJSON *visible = json_find(expected, "visible_resolved");
    bool is_constant = cJSON_IsTrue(json_get(expected, "world_constant"));
    const cJSON *time = query_times ? query_times->child : NULL;

    CHECK(query_times != NULL);
    if (is_constant && !world_is_constant(archive, object)) {
        const cJSON *only = world;

        /* The oracle calls a value constant if it is constant over the query
         * times. */
        for (const cJSON *t = query_times->child; t; t = t->next) {
            double matrix[16];

            CHECK(world_matrix(archive, object, json_number(t), matrix));
            json_expect_matrix(only, matrix);
        }
    }
    for (; world; world = world->next) {
        double matrix[16];

        CHECK(world_matrix(archive, object, time ? json_number(time) : 0.0,
                           matrix));
        json_expect_matrix(world, matrix);
        matrix_count++;
        time = time ? time->next : NULL;
    }
    time = query_times->child;
    for (const cJSON *item = visible ? visible->child : NULL; item && time;
         item = item->next, time = time->next) {
        bool is_visible;

        CHECK(
            world_is_visible(archive, object, json_number(time), &is_visible));
        if (cJSON_IsTrue(item) != is_visible)
            json_fail("visibility at %.17g differs", json_number(time));
        visible_count++;
    }
    /* Visibility is not listed if the object is never hidden. */
    for (time = query_times->child; time && !visible; time = time->next) {
        bool is_visible;

        CHECK(
            world_is_visible(archive, object, json_number(time), &is_visible));
        CHECK(is_visible);
        visible_count++;
    }
}

static void compare_object(const struct abc_archive *archive,
                           const struct abc_object *object,
                           const cJSON *query_times, const cJSON *expected)
{
    enum abc_type type = abc_object_type(object);
    char schema[128] = "";

    json_place(object->path);
    object_count++;
    json_expect_string(expected, "path", object->path);
    json_expect_string(expected, "type", abc_type_name(type));
    abc_metadata_get(object->metadata, "schema", schema, sizeof schema);
    json_expect_string(expected, "schema", schema);
    json_expect_int(expected, "children", object->child_count);
    CHECK_EQ(json_find(expected, "instance_root") != NULL,
             object->instance_source != NULL);
    CHECK_EQ(json_find(expected, "inside_instance") != NULL,
             object->is_inside_instance);
    if (object->instance_source)
        json_expect_string(expected, "instance_source",
                           object->instance_source);
    compare_visibility(archive, object, json_find(expected, "visible"));
    if (json_find(expected, "error"))
        return;
    if (type == ABC_TYPE_XFORM)
        compare_xform(archive, object, query_times, expected);
    if (type == ABC_TYPE_POLYMESH || type == ABC_TYPE_SUBD) {
        struct abc_mesh mesh;
        struct arena arena;

        compare_mesh(archive, object, expected);
        arena_init(&arena);
        CHECK(abc_mesh_open(archive, object, &arena, &mesh));
        if (json_find(expected, "query_index"))
            compare_query_index(archive, mesh.positions, mesh.sample_count,
                                query_times, json_get(expected, "query_index"));
        arena_free(&arena);
    }
    if (json_find(expected, "world"))
        compare_world(archive, object, query_times, expected);
}

/* The tool orders children by name, the reference orders them as in the
 * file. */
static const cJSON *find_expected(const cJSON *objects, const char *path)
{
    const cJSON *item;

    cJSON_ArrayForEach(item, objects)
    {
        if (json_is_text(json_get(item, "path")->valuestring, path))
            return item;
    }
    test_fail(__FILE__, __LINE__, "%s is not expected", path);
}

/* Return their number. */
static size_t compare_children(const struct abc_archive *archive,
                               const struct abc_object *object,
                               const cJSON *query_times, const cJSON *expected)
{
    size_t count = object->child_count;

    for (uint32_t i = 0; i < object->child_count; i++) {
        const struct abc_object *child = object->children[i];

        CHECK(child->parent == object);
        CHECK(i == 0 || strcmp(object->children[i - 1]->name, child->name) < 0);
        compare_object(archive, child, query_times,
                       find_expected(expected, child->path));
        count += compare_children(archive, child, query_times, expected);
    }
    return count;
}

static void compare_archive(const char *path)
{
    char *json_path = oracle_path(path, ".oracle.json");
    size_t bytes;
    char *text = file_text(json_path, &bytes);
    struct abc_archive *archive;
    cJSON *expected;

    CHECK(text != NULL);
    expected = cJSON_Parse(text);
    CHECK(expected != NULL);
    diag_init(&diag);
    diag.is_silent = true;
    archive = abc_open(path, &diag);
    if (!archive)
        test_fail(__FILE__, __LINE__, "%s", diag.text);
    json_place("/");
    json_expect_string(expected, "container", archive->container);
    json_expect_int(expected, "archive_version", archive->library_version);
    compare_samplings(archive, json_get(expected, "time_samplings"));
    CHECK_EQ_U(compare_children(archive, archive->top,
                                json_get(expected, "query_times"),
                                json_get(expected, "objects")),
               json_count(json_get(expected, "objects")));
    json_place("/");
    compare_union(archive, expected);
    CHECK(!diag_has_failed(&diag));
    abc_close(archive);
    cJSON_Delete(expected);
    free(text);
    free(json_path);
    diag_finish(&diag);
}

static void scenes_are_those_of_the_reference(void)
{
    object_count = matrix_count = visible_count = time_count = 0;
    memset(&mesh_compared, 0, sizeof mesh_compared);
    CHECK(visit_archives(compare_archive) > 0);
    printf("  %zu objects, %zu matrices, %zu times of unions, %zu bounds, "
           "%zu parameters,\n  %zu face sets, %zu visibilities are equal\n",
           object_count, matrix_count, time_count, mesh_compared.bounds,
           mesh_compared.params, mesh_compared.face_sets, visible_count);
}

static void scenes_of_the_test_data_are_those_of_the_reference(void)
{
    CHECK(visit_test_data(compare_archive) > 0);
}

/* Archives with broken meshes, and the expected refusal. */
static const struct {
    const char *name;
    const char *words;
} broken[] = {
    {"bad-count-sum.abc", "/grp/bad.geom/.faceCounts: sample 0: its 49 faces "
                          "have 180 corners in all, .faceIndices has 176"},
    {"bad-index.abc", "/grp/bad.geom/.faceIndices: sample 0: corner 7 is point "
                      "100000, P has 42 points, counted from 0"},
    {"alembic__cube2__b423c5.abc",
     "/cube1/cube1Shape.geom/.faceCounts: sample 0: its 6 faces have 396698761 "
     "corners in all, .faceIndices has 24"},
    {"alembic__polyMesh1__f5eaa5.abc",
     "/meshy.geom/.faceIndices: sample 0 (0 s): corner 7 is point 7, P has 7 "
     "points"},
};

static void check_archive(const char *path)
{
    const char *name = strrchr(path, '/') + 1;
    const char *words = NULL;
    struct abc_archive *archive;
    bool is_right;

    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++)
        if (strcmp(broken[i].name, name) == 0)
            words = broken[i].words;
    diag_init(&diag);
    diag.is_silent = true;
    archive = abc_open(path, &diag);
    CHECK(archive != NULL);
    is_right = abc_check_scene(archive);
    CHECK_EQ(is_right, !diag_has_failed(&diag));
    if (is_right != !words)
        test_fail(__FILE__, __LINE__, "%s",
                  is_right ? "is accepted" : diag.text);
    if (words && !strstr(diag.text, words))
        test_fail(__FILE__, __LINE__, "\"%s\" lacks %s", diag.text, words);
    abc_close(archive);
    diag_finish(&diag);
}

static void only_broken_scenes_are_refused(void)
{
    CHECK(visit_archives(check_archive) > 0);
}

TEST_MAIN(TEST(scenes_of_the_test_data_are_those_of_the_reference),
          TEST(scenes_are_those_of_the_reference),
          TEST(only_broken_scenes_are_refused))
