/* abc_mesh_oracle.c - compare meshes and face sets with an oracle. */
/* SPDX-License-Identifier: MIT */
#include "support/abc_mesh_oracle.h"

#include "abc/schema_read.h"
#include "base/endian.h"
#include "support/abc_param_oracle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mesh_compared mesh_compared;

struct abc_sample oracle_sample(const struct abc_archive *archive,
                                const struct abc_property *property,
                                uint32_t index, struct arena *arena)
{
    struct abc_sample sample = {0};

    if (!abc_read(archive, property, index, arena, &sample))
        json_fail("%s", archive->diag->text);
    return sample;
}

static uint64_t count_of(const struct abc_archive *archive,
                         const struct abc_property *property, uint32_t index,
                         struct arena *arena)
{
    if (property->sample_count == 0)
        return 0;
    return oracle_sample(archive, property, index, arena).element_count;
}

/* -- geometry -- */

static void compare_sampling(const struct abc_archive *archive,
                             const struct abc_property *property,
                             const cJSON *expected)
{
    const struct abc_time_sampling *sampling =
        &archive->samplings[property->time_sampling];

    json_expect_int(expected, "ts", property->time_sampling);
    json_expect_int(expected, "num_samples", property->sample_count);
    json_expect_bool(expected, "constant", property->is_constant);
    if (!json_find(expected, "first_time") || property->sample_count == 0)
        return;
    json_expect_double(json_get(expected, "first_time"),
                       abc_sample_time(sampling, 0));
    json_expect_double(json_get(expected, "last_time"),
                       abc_sample_time(sampling, property->sample_count - 1));
}

/* The oracle has one number, or one for each sample. */
static void compare_counts(const struct abc_archive *archive,
                           const struct abc_mesh *mesh,
                           const struct abc_property *property,
                           const cJSON *expected)
{
    const cJSON *item = cJSON_IsArray(expected) ? expected->child : expected;
    struct arena arena;

    if (cJSON_IsArray(expected) && json_count(expected) != mesh->sample_count)
        json_fail("%s: %u samples", expected->string, mesh->sample_count);
    arena_init(&arena);
    for (uint32_t i = 0; i < mesh->sample_count && item; i++) {
        uint64_t count = count_of(archive, property, i, &arena);

        if (json_number(item) != (double)count)
            json_fail("sample %u: %s is %llu, expected %.0f", i,
                      expected->string, (unsigned long long)count,
                      json_number(item));
        if (cJSON_IsArray(expected))
            item = item->next;
    }
    arena_free(&arena);
}

/* Bounds of all finite points; false when none is finite. */
static bool find_bounds(const float *p, uint32_t points, float bounds[6],
                        double *nonfinite)
{
    bool is_any = false;

    for (int k = 0; k < 3; k++) {
        bounds[k] = INFINITY;
        bounds[3 + k] = -INFINITY;
    }
    for (uint64_t i = 0; i < 3 * (uint64_t)points; i++) {
        if (!isfinite(p[i])) {
            ++*nonfinite;
            continue;
        }
        is_any = true;
        bounds[i % 3] = fminf(bounds[i % 3], p[i]);
        bounds[3 + i % 3] = fmaxf(bounds[3 + i % 3], p[i]);
    }
    return is_any;
}

static void compare_bounds(const struct abc_archive *archive,
                           const struct abc_mesh *mesh, const cJSON *expected)
{
    const cJSON *item = json_get(expected, "bounds")->child;
    double nonfinite = 0;
    struct arena arena;

    arena_init(&arena);
    for (uint32_t i = 0; i < mesh->position_samples; i++) {
        const cJSON *number = item ? item->child : NULL;
        const float *p;
        float bounds[6];
        uint32_t points;

        arena_reset(&arena);
        if (!abc_mesh_positions(archive, mesh, i, &arena, &p, &points))
            json_fail("%s", archive->diag->text);
        if (find_bounds(p, points, bounds, &nonfinite) != (number != NULL))
            json_fail("sample %u: bounds are missing on one side", i);
        mesh_compared.bounds += number != NULL;
        for (int k = 0; k < 6 && number; k++, number = number->next)
            json_expect_float(number, bounds[k]);
        item = item ? item->next : NULL;
        if (mesh->positions->is_constant)
            break;
    }
    if (item)
        json_fail("the oracle has more bounds");
    json_expect_int(expected, "nonfinite_components", (long long)nonfinite);
    arena_free(&arena);
}

static void compare_histogram(const struct abc_archive *archive,
                              const struct abc_mesh *mesh,
                              const cJSON *expected)
{
    const uint32_t *counts;
    const cJSON *item;
    struct arena arena;
    uint32_t total = 0;
    uint32_t faces;

    if (mesh->face_counts->sample_count == 0)
        return;
    arena_init(&arena);
    if (!abc_read_u32(archive, mesh->face_counts, 0, &arena, &counts, &faces))
        json_fail("%s", archive->diag->text);
    cJSON_ArrayForEach(item, expected)
    {
        uint32_t wanted = (uint32_t)strtol(item->string, NULL, 10);
        uint32_t found = 0;

        for (uint32_t i = 0; i < faces; i++)
            found += counts[i] == wanted;
        if (json_number(item) != found)
            json_fail("%u faces of %s corners", found, item->string);
        total += found;
    }
    if (total != faces)
        json_fail("%u faces, expected %u", faces, total);
    arena_free(&arena);
}

static void compare_sample(const struct abc_archive *archive,
                           const struct abc_mesh *mesh,
                           const struct abc_property *geometry,
                           const cJSON *expected)
{
    static const char *const names[] = {"P", "faceCounts", "faceIndices"};
    const struct abc_property *parts[] = {mesh->positions, mesh->face_counts,
                                          mesh->face_indices};
    const struct abc_property *bounds =
        abc_find(geometry, ".selfBnds", ABC_SCALAR);
    uint32_t index = (uint32_t)json_number(json_get(expected, "i"));
    const cJSON *item;
    struct arena arena;

    arena_init(&arena);
    json_expect_double(
        json_get(expected, "time"),
        abc_sample_time(&archive->samplings[mesh->positions->time_sampling],
                        index));
    for (int i = 0; i < 3; i++) {
        struct abc_sample sample =
            oracle_sample(archive, parts[i], index, &arena);

        json_expect_hash(expected, names[i], sample.data, sample.bytes);
    }
    if (bounds || json_find(expected, "selfBnds")) {
        struct abc_sample sample;
        const uint8_t *at;

        if (!bounds || bounds->pod != ABC_F64 || bounds->extent != 6)
            json_fail("has no .selfBnds");
        sample = oracle_sample(archive, bounds, index, &arena);
        at = sample.data;
        cJSON_ArrayForEach(item, json_get(expected, "selfBnds"))
        {
            json_expect_double(item, spn_load_f64le(at));
            at += 8;
        }
    }
    arena_free(&arena);
}

/* -- face sets, names -- */

static void compare_face_sets(const struct abc_archive *archive,
                              const struct abc_mesh *mesh,
                              const cJSON *expected)
{
    const cJSON *item;
    struct arena arena;

    if (json_count(expected) != mesh->face_set_count)
        json_fail("%u face sets, expected %zu", mesh->face_set_count,
                  json_count(expected));
    arena_init(&arena);
    cJSON_ArrayForEach(item, expected)
    {
        const char *name = json_get(item, "name")->valuestring;
        const int32_t *faces;
        uint32_t count;
        uint32_t i = 0;

        while (i < mesh->face_set_count &&
               strcmp(mesh->face_sets[i]->name, name) != 0)
            i++;
        if (i == mesh->face_set_count)
            json_fail("face set %s is missing", name);
        if (!abc_face_set_read(archive, mesh->face_sets[i], &arena, &faces,
                               &count))
            json_fail("%s", archive->diag->text);
        mesh_compared.face_sets++;
        json_expect_int(item, "nfaces", count);
        json_expect_number_hash(item, "faces", faces, count, sizeof *faces);
    }
    arena_free(&arena);
}

static void compare_user_properties(const struct abc_property *geometry,
                                    const cJSON *expected)
{
    const struct abc_property *user =
        abc_find(geometry, ".userProperties", ABC_COMPOUND);
    const cJSON *item;

    cJSON_ArrayForEach(item, expected)
    {
        if (!user || !abc_find_any(user, item->valuestring))
            json_fail("user property %s is missing", item->valuestring);
    }
}

bool is_mesh_constant_as_recorded(const struct abc_mesh *mesh)
{
    return mesh->positions->is_constant && mesh->face_counts->is_constant &&
           mesh->face_indices->is_constant;
}

static const char *topology_as_recorded(const struct abc_mesh *mesh)
{
    if (!mesh->face_counts->is_constant || !mesh->face_indices->is_constant)
        return "heterogeneous";
    return mesh->positions->is_constant ? "constant" : "homogeneous";
}

/* Whether every sample of the property has the same bytes. */
static bool is_same_throughout(const struct abc_archive *archive,
                               const struct abc_property *property)
{
    bool is_same = true;
    struct arena arena;

    arena_init(&arena);
    for (uint32_t i = 1; i < property->sample_count; i++) {
        struct abc_sample first = oracle_sample(archive, property, 0, &arena);
        struct abc_sample other = oracle_sample(archive, property, i, &arena);

        if (first.bytes != other.bytes ||
            (first.bytes > 0 &&
             memcmp(first.data, other.data, first.bytes) != 0))
            is_same = false;
    }
    arena_free(&arena);
    return is_same;
}

static void compare_geometry(const struct abc_archive *archive,
                             const struct abc_mesh *mesh, const cJSON *expected)
{
    json_expect_string(expected, "topology", topology_as_recorded(mesh));
    json_expect_int(expected, "num_samples", mesh->sample_count);
    json_expect_bool(expected, "constant", is_mesh_constant_as_recorded(mesh));
    CHECK_EQ(mesh->is_topology_constant,
             is_same_throughout(archive, mesh->face_counts) &&
                 is_same_throughout(archive, mesh->face_indices));
    compare_sampling(archive, mesh->positions, json_get(expected, "P"));
    compare_sampling(archive, mesh->face_counts,
                     json_get(expected, "faceCounts"));
    compare_sampling(archive, mesh->face_indices,
                     json_get(expected, "faceIndices"));
    compare_counts(archive, mesh, mesh->positions,
                   json_get(expected, "nverts"));
    compare_counts(archive, mesh, mesh->face_counts,
                   json_get(expected, "nfaces"));
    compare_counts(archive, mesh, mesh->face_indices,
                   json_get(expected, "nindices"));
    compare_histogram(archive, mesh, json_get(expected, "ngon_histogram"));
    compare_bounds(archive, mesh, expected);
}

void compare_mesh(const struct abc_archive *archive,
                  const struct abc_object *object, const cJSON *expected)
{
    const struct abc_property *geometry =
        abc_find(object->properties, ".geom", ABC_COMPOUND);
    struct abc_mesh mesh;
    const cJSON *sample;
    struct arena arena;

    arena_init(&arena);
    if (!abc_mesh_open(archive, object, &arena, &mesh))
        json_fail("%s", archive->diag->text);
    compare_geometry(archive, &mesh, expected);
    cJSON_ArrayForEach(sample, json_get(expected, "samples"))
        compare_sample(archive, &mesh, geometry, sample);
    compare_params(archive, &mesh, geometry, expected);
    compare_face_sets(archive, &mesh, json_get(expected, "faceSets"));
    compare_user_properties(geometry, json_find(expected, "userProperties"));
    arena_free(&arena);
}
