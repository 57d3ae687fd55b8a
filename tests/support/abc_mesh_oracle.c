/* abc_mesh_oracle.c - compares meshes, parameters and face sets. */
/* SPDX-License-Identifier: MIT */
#include "support/abc_mesh_oracle.h"

#include "abc/schema_read.h"
#include "base/endian.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct abc_sample read(const struct abc_archive *archive,
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
    return read(archive, property, index, arena).element_count;
}

/* ---- parameters -------------------------------------------------------- */

static void compare_head(const cJSON *head, const struct abc_param_sample *ours)
{
    size_t count = json_count(head);
    const cJSON *element = head->child;

    for (size_t i = 0; i < count; i++, element = element->next) {
        /* The first three, then the last. */
        uint64_t at = i == 3 ? ours->count - 1 : i;
        const cJSON *number = element->child;

        for (uint32_t k = 0; k < ours->extent && number; k++) {
            json_expect_float(number, ours->values[at * ours->extent + k]);
            number = number->next;
        }
    }
}

static bool is_float(enum abc_pod pod)
{
    return pod == ABC_F16 || pod == ABC_F32 || pod == ABC_F64;
}

/* What abc_param_read makes of a sample, where it is for numbers. */
static void compare_floats(const struct abc_archive *archive,
                           const struct abc_object *object,
                           const struct abc_param *param, uint32_t index,
                           const cJSON *expected, struct arena *arena)
{
    const char *key = param->indices ? "exp" : "vals";
    struct abc_param_sample ours;

    if (!is_float(param->values->pod))
        return;
    if (!abc_param_read(archive, object, param, index, arena, &ours))
        json_fail("%s", archive->diag->text);
    json_expect_int(expected, param->indices ? "nexp" : "nvals",
                    (long long)ours.count);
    if (param->values->pod == ABC_F32)
        json_expect_hash(expected, key, ours.values,
                         ours.count * ours.extent * sizeof(float));
    if (json_find(expected, param->indices ? "exp_head" : "head"))
        compare_head(
            json_get(expected, param->indices ? "exp_head" : "head"), &ours);
}

static void compare_param_sample(const struct abc_archive *archive,
                                 const struct abc_object *object,
                                 const struct abc_param *param,
                                 const cJSON *expected, struct arena *arena)
{
    uint32_t index = (uint32_t)json_number(json_get(expected, "i"));
    struct abc_sample values = read(archive, param->values, index, arena);

    json_expect_int(expected, "nvals", (long long)values.element_count);
    json_expect_hash(expected, "vals", values.data, values.bytes);
    if (param->indices) {
        struct abc_sample indices = read(archive, param->indices, index, arena);

        json_expect_int(expected, "nidx", (long long)indices.element_count);
        json_expect_hash(expected, "idx", indices.data, indices.bytes);
    }
    compare_floats(archive, object, param, index, expected, arena);
}

static void compare_param(const struct abc_archive *archive,
                          const struct abc_object *object,
                          const struct abc_param *param, const cJSON *expected)
{
    static const char *const scopes[] = {"con", "uni", "var",
                                         "vtx", "fvr", "unknown"};
    const cJSON *sample;
    struct arena arena;

    json_expect_string(expected, "scope", scopes[param->scope]);
    json_expect_string(expected, "pod", abc_pod_name(param->values->pod));
    json_expect_int(expected, "extent", param->values->extent);
    json_expect_int(expected, "array_extent", param->array_extent);
    json_expect_bool(expected, "indexed", param->indices != NULL);
    json_expect_int(expected, "ts", param->values->time_sampling);
    json_expect_int(expected, "num_samples", param->sample_count);
    json_expect_bool(expected, "constant", param->is_constant);
    if (param->is_rgb || param->is_rgba)
        json_expect_string(expected, "interp", param->is_rgb ? "rgb" : "rgba");
    if (param->indices) {
        json_expect_int(expected, "idx_ts", param->indices->time_sampling);
        json_expect_int(expected, "idx_num_samples",
                        param->indices->sample_count);
        json_expect_bool(expected, "vals_constant",
                         param->values->is_constant);
        json_expect_bool(expected, "idx_constant",
                         param->indices->is_constant);
    }
    arena_init(&arena);
    cJSON_ArrayForEach(sample, json_get(expected, "samples"))
        compare_param_sample(archive, object, param, sample, &arena);
    arena_free(&arena);
}

/* The ones with a place of their own in a mesh. */
static void compare_own_params(const struct abc_archive *archive,
                               const struct abc_mesh *mesh,
                               const cJSON *expected)
{
    size_t ours = (mesh->uvs.values ? 1u : 0u) +
                  (mesh->normals.values ? 1u : 0u);
    const cJSON *param;

    if (ours != json_count(expected))
        json_fail("%zu of %zu parameters", ours, json_count(expected));
    cJSON_ArrayForEach(param, expected)
    {
        const char *name = json_get(param, "name")->valuestring;

        compare_param(archive, mesh->object,
                      strcmp(name, "uv") == 0 ? &mesh->uvs : &mesh->normals,
                      param);
    }
}

static bool is_expected_color(const cJSON *param)
{
    const char *interp = json_get(param, "interp")->valuestring;
    const char *pod = json_get(param, "pod")->valuestring;
    bool is_rgb = strcmp(interp, "rgb") == 0;

    return (is_rgb || strcmp(interp, "rgba") == 0) &&
           json_number(json_get(param, "extent")) == (is_rgb ? 3 : 4) &&
           (strcmp(pod, "float32_t") == 0 || strcmp(pod, "float16_t") == 0 ||
            strcmp(pod, "uint8_t") == 0);
}

static void compare_more_params(const struct abc_archive *archive,
                                const struct abc_mesh *mesh,
                                const struct abc_property *geometry,
                                const cJSON *expected)
{
    const struct abc_property *params =
        abc_find(geometry, ".arbGeomParams", ABC_COMPOUND);
    uint32_t colors = 0;
    const cJSON *item;
    struct arena arena;

    arena_init(&arena);
    cJSON_ArrayForEach(item, expected)
    {
        const char *name = json_get(item, "name")->valuestring;
        struct abc_param param;

        if (!params ||
            !abc_param_open(archive, params, name, &arena, &param) ||
            !param.values)
            json_fail("parameter %s is missing", name);
        compare_param(archive, mesh->object, &param, item);
        if (!is_expected_color(item))
            continue;
        if (colors >= mesh->color_count ||
            strcmp(mesh->colors[colors].name, name) != 0)
            json_fail("colour %u is not %s", colors, name);
        compare_param(archive, mesh->object, &mesh->colors[colors++], item);
    }
    if (colors != mesh->color_count)
        json_fail("%u colours, expected %u", mesh->color_count, colors);
    arena_free(&arena);
}

/* ---- geometry ---------------------------------------------------------- */

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

/* A number, or one for each sample. */
static void compare_counts(const struct abc_archive *archive,
                           const struct abc_mesh *mesh,
                           const struct abc_property *property,
                           const cJSON *expected)
{
    const cJSON *item = cJSON_IsArray(expected) ? expected->child : expected;
    struct arena arena;

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

/* Bounds of what is finite; false where nothing is. */
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
        if (find_bounds(p, points, bounds, &nonfinite) != (number != NULL) &&
            !mesh->positions->is_constant)
            json_fail("sample %u: bounds are missing on one side", i);
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
        struct abc_sample sample = read(archive, parts[i], index, &arena);

        json_expect_hash(expected, names[i], sample.data, sample.bytes);
    }
    if (json_find(expected, "selfBnds") && bounds) {
        struct abc_sample sample = read(archive, bounds, index, &arena);
        const uint8_t *at = sample.data;

        cJSON_ArrayForEach(item, json_get(expected, "selfBnds"))
        {
            json_expect_double(item, spn_load_f64le(at));
            at += 8;
        }
    }
    arena_free(&arena);
}

/* ---- face sets, names -------------------------------------------------- */

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
        json_expect_int(item, "nfaces", count);
        json_expect_hash(item, "faces", faces, count * sizeof *faces);
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

static void compare_geometry(const struct abc_archive *archive,
                             const struct abc_mesh *mesh,
                             const cJSON *expected)
{
    json_expect_string(expected, "topology", topology_as_recorded(mesh));
    json_expect_int(expected, "num_samples", mesh->sample_count);
    json_expect_bool(expected, "constant",
                     is_mesh_constant_as_recorded(mesh));
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
    compare_own_params(archive, &mesh, json_get(expected, "params"));
    compare_more_params(archive, &mesh, geometry,
                        json_get(expected, "arbGeomParams"));
    compare_face_sets(archive, &mesh, json_get(expected, "faceSets"));
    compare_user_properties(geometry, json_find(expected, "userProperties"));
    arena_free(&arena);
}
