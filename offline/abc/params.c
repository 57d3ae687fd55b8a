/* params.c - geometry parameters: values with a scope, with or without indices.
 *
 * A parameter is an array property, or a compound of .vals and .indices.
 * Indices are resolved while values are read. Some writers (Blender 2.7x) leave
 * a sample of .indices empty: that sample is not indexed. Callers check whether
 * the number of values fits a mesh.
 */
/* SPDX-License-Identifier: MIT */
#include "abc/schema.h"

#include "abc/schema_read.h"
#include "base/endian.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

/* A parameter without a stated scope is constant, like in Alembic's library. */
static enum abc_scope scope_of(const char *metadata)
{
    static const char *const names[] = {
        [ABC_SCOPE_CONSTANT] = "con",    [ABC_SCOPE_UNIFORM] = "uni",
        [ABC_SCOPE_VARYING] = "var",     [ABC_SCOPE_VERTEX] = "vtx",
        [ABC_SCOPE_FACEVARYING] = "fvr",
    };

    for (int i = 0; i < ABC_SCOPE_UNKNOWN; i++)
        if (abc_metadata_is(metadata, "geoScope", names[i]))
            return (enum abc_scope)i;
    if (abc_metadata_is(metadata, "geoScope", "") ||
        !abc_metadata_has(metadata, "geoScope"))
        return ABC_SCOPE_CONSTANT;
    return ABC_SCOPE_UNKNOWN;
}

static uint32_t array_extent_of(const char *metadata)
{
    uint32_t extent = 0;
    char text[16];

    if (!abc_metadata_get(metadata, "arrayExtent", text, sizeof text))
        return 1;
    for (const char *c = text; *c >= '0' && *c <= '9' && extent < 65536; c++)
        extent = 10 * extent + (uint32_t)(*c - '0');
    return extent > 0 ? extent : 1;
}

static bool open_property(const struct abc_archive *archive,
                          const struct abc_property *property,
                          struct arena *arena, struct abc_param *param)
{
    const struct abc_property *values = property;

    memset(param, 0, sizeof *param);
    param->name = property->name;
    if (property->kind == ABC_COMPOUND) {
        values = abc_find(property, ".vals", ABC_ARRAY);
        param->indices = abc_find(property, ".indices", ABC_ARRAY);
        if (!values || !param->indices)
            return diag_refuse(archive->diag, archive->file_name,
                               property->offset,
                               abc_property_path(property, arena),
                               "a parameter without .vals and .indices");
        if (!abc_expect(archive, param->indices, ABC_ARRAY, ABC_U32, 1, arena))
            return false;
        if (param->indices->sample_count == 0)
            param->indices = NULL;
    } else if (property->kind != ABC_ARRAY) {
        return abc_expect(archive, property, ABC_ARRAY, property->pod, 0,
                          arena);
    }
    param->values = values;
    param->scope = scope_of(property->metadata);
    param->array_extent = array_extent_of(property->metadata);
    param->sample_count = values->sample_count;
    param->is_constant = values->is_constant;
    if (param->indices) {
        if (param->indices->sample_count > param->sample_count)
            param->sample_count = param->indices->sample_count;
        param->is_constant = param->is_constant && param->indices->is_constant;
    }
    param->is_rgb =
        values->extent == 3 &&
        abc_metadata_is(property->metadata, "interpretation", "rgb");
    param->is_rgba =
        values->extent == 4 &&
        abc_metadata_is(property->metadata, "interpretation", "rgba");
    return true;
}

bool abc_param_open(const struct abc_archive *archive,
                    const struct abc_property *compound, const char *name,
                    struct arena *arena, struct abc_param *param)
{
    const struct abc_property *property = abc_find_any(compound, name);

    memset(param, 0, sizeof *param);
    return !property || open_property(archive, property, arena, param);
}

bool abc_is_color(const struct abc_property *property)
{
    const struct abc_property *values = property;

    if (property->kind == ABC_COMPOUND)
        values = abc_find(property, ".vals", ABC_ARRAY);
    if (!values || values->kind != ABC_ARRAY)
        return false;
    if (values->pod != ABC_F32 && values->pod != ABC_F16 &&
        values->pod != ABC_F64 && values->pod != ABC_U8)
        return false;
    return (values->extent == 3 &&
            abc_metadata_is(property->metadata, "interpretation", "rgb")) ||
           (values->extent == 4 &&
            abc_metadata_is(property->metadata, "interpretation", "rgba"));
}

/* Properties that are no parameters belong to other programs and are ignored.
 */
static bool may_be_param(const struct abc_property *property)
{
    if (property->kind == ABC_ARRAY)
        return true;
    return property->kind == ABC_COMPOUND &&
           abc_find(property, ".vals", ABC_ARRAY) &&
           abc_find(property, ".indices", ABC_ARRAY);
}

bool abc_is_uv_set(const struct abc_property *property)
{
    const struct abc_property *values = property;

    if (!may_be_param(property))
        return false;
    if (property->kind == ABC_COMPOUND)
        values = abc_find(property, ".vals", ABC_ARRAY);
    return values->extent == 2 &&
           (values->pod == ABC_F32 || values->pod == ABC_F16 ||
            values->pod == ABC_F64);
}

bool abc_is_velocities(const struct abc_property *property)
{
    return property->kind == ABC_ARRAY && property->pod == ABC_F32 &&
           property->extent == 3;
}

bool abc_sets_open(const struct abc_archive *archive,
                   const struct abc_property *compound, struct arena *arena,
                   struct abc_mesh *mesh)
{
    const struct abc_property *params =
        abc_find(compound, ".arbGeomParams", ABC_COMPOUND);
    struct abc_param *colors;
    struct abc_param *uv_sets;

    mesh->color_count = 0;
    mesh->colors = NULL;
    mesh->uv_set_count = 0;
    mesh->uv_sets = NULL;
    if (!params)
        return true;
    colors = ARENA_NEW(arena, struct abc_param, params->child_count);
    uv_sets = ARENA_NEW(arena, struct abc_param, params->child_count);
    for (uint32_t i = 0; i < params->child_count; i++) {
        const struct abc_property *property = &params->children[i];
        struct abc_param param;

        if (!may_be_param(property))
            continue;
        if (!open_property(archive, property, arena, &param))
            return false;
        if (abc_is_color(property))
            colors[mesh->color_count++] = param;
        else if (abc_is_uv_set(property))
            uv_sets[mesh->uv_set_count++] = param;
    }
    mesh->colors = colors;
    mesh->uv_sets = uv_sets;
    return true;
}

const struct abc_param *abc_param_named(const struct abc_param *params,
                                        uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (!name || strcmp(params[i].name, name) == 0)
            return &params[i];
    return NULL;
}

/* -- values -- */

/* Convert a 16-bit float exactly: sign, 5 bits of exponent, 10 bits of
 * fraction. */
static float half_to_float(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000u) << 16;
    uint32_t exponent = half >> 10 & 31;
    uint32_t fraction = half & 1023;
    uint32_t bits;
    float value;

    if (exponent == 0) {
        value = (float)fraction * (1.0f / 16777216.0f);
        return sign ? -value : value;
    }
    if (exponent == 31)
        bits = sign | 0x7f800000u | fraction << 13;
    else
        bits = sign | (exponent + 112) << 23 | fraction << 13;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Convert values to float. `scale`: factor for u8. */
static void load_floats(float *to, const uint8_t *from, size_t count,
                        enum abc_pod pod, float scale)
{
    uint32_t bytes = abc_pod_bytes(pod);

    for (size_t i = 0; i < count; i++, from += bytes) {
        if (pod == ABC_F32)
            to[i] = spn_load_f32le(from);
        else if (pod == ABC_F16)
            to[i] = half_to_float(spn_load_u16le(from));
        else if (pod == ABC_F64)
            to[i] = (float)spn_load_f64le(from);
        else
            to[i] = (float)from[0] / scale;
    }
}

static bool validate_values(const struct abc_archive *archive,
                            const struct abc_property *values,
                            struct arena *arena)
{
    switch (values->pod) {
    case ABC_U8:
    case ABC_F16:
    case ABC_F32:
    case ABC_F64:
        break;
    case ABC_BOOL:
    case ABC_I8:
    case ABC_U16:
    case ABC_I16:
    case ABC_U32:
    case ABC_I32:
    case ABC_U64:
    case ABC_I64:
    case ABC_STRING:
    case ABC_WSTRING:
    case ABC_POD_COUNT:
        return diag_refuse(archive->diag, archive->file_name, values->offset,
                           abc_property_path(values, arena),
                           "holds %s, not numbers that floats can be made of",
                           abc_pod_name(values->pod));
    }
    /* A matrix is the largest value in use. Without a limit, an index of four
     * bytes could expand to a kilobyte. */
    if (values->extent > ABC_PARAM_EXTENT_MAX)
        return diag_refuse(archive->diag, archive->file_name, values->offset,
                           abc_property_path(values, arena),
                           "holds values of %u numbers, more than %u",
                           values->extent, ABC_PARAM_EXTENT_MAX);
    return true;
}

/* Read the indices of a sample with `value_count` values, and their number.
 * *indices is NULL if the sample is not indexed; then that number is
 * value_count. */
static bool read_indices(const struct abc_archive *archive,
                         const struct abc_param *param, uint32_t index,
                         uint32_t value_count, struct arena *arena,
                         const uint32_t **indices, uint32_t *count)
{
    *indices = NULL;
    *count = 0;
    if (param->indices &&
        !abc_read_u32(archive, param->indices, index, arena, indices, count))
        return false;
    if (*count > 0)
        return true;
    *indices = NULL;
    *count = value_count;
    return true;
}

bool abc_param_read(const struct abc_archive *archive,
                    const struct abc_object *object,
                    const struct abc_param *param, uint32_t index,
                    struct arena *arena, struct abc_param_sample *sample)
{
    const struct abc_property *values = param->values;
    uint32_t extent = values->extent;
    float scale = param->is_rgb || param->is_rgba ? 255.0f : 1.0f;
    const uint32_t *indices;
    struct abc_sample stored;
    uint32_t count;
    size_t value_bytes;
    float *to;

    (void)object;
    if (!validate_values(archive, values, arena) ||
        !abc_read(archive, values, index, arena, &stored))
        return false;
    if (stored.element_count > INT32_MAX)
        return ABC_REFUSE_SAMPLE(archive, values, index, arena,
                                 "%" PRIu64 " values are too many",
                                 stored.element_count);
    if (!read_indices(archive, param, index, (uint32_t)stored.element_count,
                      arena, &indices, &count))
        return false;
    value_bytes = (size_t)extent * abc_pod_bytes(values->pod);
    to = arena_alloc(arena, (size_t)count * extent, sizeof *to);
    if (!indices)
        load_floats(to, stored.data, (size_t)count * extent, values->pod,
                    scale);
    for (uint32_t i = 0; indices && i < count; i++) {
        if (indices[i] >= stored.element_count)
            return ABC_REFUSE_SAMPLE(archive, param->indices, index, arena,
                                     "index %u is %u, there are %" PRIu64
                                     " values",
                                     i, indices[i], stored.element_count);
        load_floats(to + (size_t)i * extent,
                    stored.data + indices[i] * value_bytes, extent, values->pod,
                    scale);
    }
    abc_release(archive, &stored);
    sample->values = to;
    sample->count = count;
    sample->extent = extent;
    return true;
}

static double load_number(const uint8_t *from, enum abc_pod pod)
{
    if (pod == ABC_F64)
        return spn_load_f64le(from);
    if (pod == ABC_F32)
        return spn_load_f32le(from);
    return pod == ABC_F16 ? half_to_float(spn_load_u16le(from)) : from[0];
}

bool abc_param_element(const struct abc_archive *archive,
                       const struct abc_param *param, uint32_t index,
                       uint64_t element, struct arena *arena,
                       double numbers[ABC_PARAM_EXTENT_MAX], uint64_t *stored)
{
    const struct abc_property *values = param->values;
    uint32_t bytes = abc_pod_bytes(values->pod);
    struct abc_sample sample;
    struct abc_sample indices;
    const uint8_t *from;

    if (!validate_values(archive, values, arena) ||
        !abc_read(archive, values, index, arena, &sample))
        return false;
    *stored = element;
    if (param->indices) {
        if (!abc_read(archive, param->indices, index, arena, &indices))
            return false;
        if (element < indices.element_count)
            *stored = spn_load_u32le(indices.data + 4 * element);
        else if (indices.element_count > 0)
            *stored = UINT64_MAX;
    }
    if (*stored >= sample.element_count)
        return ABC_REFUSE_SAMPLE(archive, values, index, arena,
                                 "no value for element %" PRIu64, element);
    from = sample.data + *stored * values->extent * bytes;
    for (uint32_t i = 0; i < values->extent; i++, from += bytes)
        numbers[i] = load_number(from, values->pod);
    return true;
}
