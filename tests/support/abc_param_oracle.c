/* abc_param_oracle.c - compare the parameters of meshes with an oracle. */
/* SPDX-License-Identifier: MIT */
#include "support/abc_param_oracle.h"

#include "abc/schema_read.h"
#include "support/abc_mesh_oracle.h"

#include <string.h>

static void compare_head(const cJSON *head, const struct abc_param_sample *ours)
{
    size_t count = json_count(head);
    const cJSON *element = head->child;

    for (size_t i = 0; i < count; i++, element = element->next) {
        /* Compare the first three values and the last. */
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

/* Bytes are colours, in units of 1/255. */
static void compare_bytes(const struct abc_archive *archive,
                          const struct abc_param *param, uint32_t index,
                          const struct abc_param_sample *ours,
                          struct arena *arena)
{
    struct abc_sample stored =
        oracle_sample(archive, param->values, index, arena);

    if (param->indices || ours->count * ours->extent != stored.bytes)
        json_fail("%zu bytes", stored.bytes);
    for (size_t i = 0; i < stored.bytes; i++)
        CHECK_NEAR((double)ours->values[i], stored.data[i] / 255.0, 1e-7);
}

/* Compare the floats of abc_param_read, for parameters of numbers. */
static void compare_floats(const struct abc_archive *archive,
                           const struct abc_object *object,
                           const struct abc_param *param, uint32_t index,
                           const cJSON *expected, struct arena *arena)
{
    const char *key = param->indices ? "exp" : "vals";
    struct abc_param_sample ours;

    if (!is_float(param->values->pod) && param->values->pod != ABC_U8)
        return;
    if (!abc_param_read(archive, object, param, index, arena, &ours))
        json_fail("%s", archive->diag->text);
    if (param->values->pod == ABC_U8) {
        compare_bytes(archive, param, index, &ours, arena);
        return;
    }
    json_expect_int(expected, param->indices ? "nexp" : "nvals",
                    (long long)ours.count);
    if (param->values->pod == ABC_F32)
        json_expect_number_hash(expected, key, ours.values,
                                (size_t)ours.count * ours.extent,
                                sizeof(float));
    if (json_find(expected, param->indices ? "exp_head" : "head"))
        compare_head(json_get(expected, param->indices ? "exp_head" : "head"),
                     &ours);
}

static void compare_param_sample(const struct abc_archive *archive,
                                 const struct abc_object *object,
                                 const struct abc_param *param,
                                 const cJSON *expected, struct arena *arena)
{
    uint32_t index = (uint32_t)json_number(json_get(expected, "i"));
    struct abc_sample values =
        oracle_sample(archive, param->values, index, arena);

    json_expect_int(expected, "nvals", (long long)values.element_count);
    json_expect_hash(expected, "vals", values.data, values.bytes);
    if (param->indices) {
        struct abc_sample indices =
            oracle_sample(archive, param->indices, index, arena);

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

    mesh_compared.params++;
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
        json_expect_bool(expected, "vals_constant", param->values->is_constant);
        json_expect_bool(expected, "idx_constant", param->indices->is_constant);
    }
    arena_init(&arena);
    cJSON_ArrayForEach(sample, json_get(expected, "samples"))
        compare_param_sample(archive, object, param, sample, &arena);
    arena_free(&arena);
}

/* Parameters that have their own field in a mesh. */
static void compare_own_params(const struct abc_archive *archive,
                               const struct abc_mesh *mesh,
                               const cJSON *expected)
{
    size_t ours =
        (mesh->uvs.values ? 1u : 0u) + (mesh->normals.values ? 1u : 0u);
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

static const struct abc_param *find_color(const struct abc_mesh *mesh,
                                          const char *name)
{
    for (uint32_t i = 0; i < mesh->color_count; i++)
        if (strcmp(mesh->colors[i].name, name) == 0)
            return &mesh->colors[i];
    json_fail("colour %s is missing", name);
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

        if (!params || !abc_param_open(archive, params, name, &arena, &param) ||
            !param.values)
            json_fail("parameter %s is missing", name);
        compare_param(archive, mesh->object, &param, item);
        if (!is_expected_color(item))
            continue;
        compare_param(archive, mesh->object, find_color(mesh, name), item);
        colors++;
    }
    if (colors != mesh->color_count)
        json_fail("%u colours, expected %u", mesh->color_count, colors);
    arena_free(&arena);
}

void compare_params(const struct abc_archive *archive,
                    const struct abc_mesh *mesh,
                    const struct abc_property *geometry, const cJSON *expected)
{
    compare_own_params(archive, mesh, json_get(expected, "params"));
    compare_more_params(archive, mesh, geometry,
                        json_get(expected, "arbGeomParams"));
}
