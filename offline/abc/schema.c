/* schema.c - object types, visibility, face sets, and shared reads. */
/* SPDX-License-Identifier: MIT */
#include "abc/schema.h"

#include "abc/schema_read.h"
#include "base/endian.h"

#include <limits.h>
#include <string.h>

/* -- types -- */

static const struct {
    const char *schema; /* a prefix if it ends with '_' */
    const char *name;
} types[] = {
    [ABC_TYPE_XFORM] = {"AbcGeom_Xform_v3", "xform"},
    [ABC_TYPE_POLYMESH] = {"AbcGeom_PolyMesh_v1", "polymesh"},
    [ABC_TYPE_SUBD] = {"AbcGeom_SubD_v1", "subd"},
    [ABC_TYPE_FACESET] = {"AbcGeom_FaceSet_v1", "faceset"},
    [ABC_TYPE_CAMERA] = {"AbcGeom_Camera_", "camera"},
    [ABC_TYPE_LIGHT] = {"AbcGeom_Light_", "light"},
    [ABC_TYPE_CURVES] = {"AbcGeom_Curve_", "curves"},
    [ABC_TYPE_POINTS] = {"AbcGeom_Points_", "points"},
    [ABC_TYPE_NUPATCH] = {"AbcGeom_NuPatch_", "nupatch"},
    [ABC_TYPE_MATERIAL] = {"AbcMaterial_Material_", "material"},
    [ABC_TYPE_COLLECTIONS] = {"AbcCollection_Collections_", "collections"},
    [ABC_TYPE_OTHER] = {"", "other"},
};

enum abc_type abc_object_type(const struct abc_object *object)
{
    char schema[64];

    if (!abc_metadata_get(object->metadata, "schema", schema, sizeof schema))
        return ABC_TYPE_OTHER;
    for (int i = 0; i < ABC_TYPE_OTHER; i++) {
        size_t length = strlen(types[i].schema);

        if (types[i].schema[length - 1] == '_'
                ? strncmp(schema, types[i].schema, length) == 0
                : strcmp(schema, types[i].schema) == 0)
            return (enum abc_type)i;
    }
    return ABC_TYPE_OTHER;
}

const char *abc_type_name(enum abc_type type)
{
    return (unsigned)type < ABC_TYPE_OTHER ? types[type].name : "other";
}

bool abc_is_mesh(const struct abc_object *object)
{
    enum abc_type type = abc_object_type(object);

    return type == ABC_TYPE_POLYMESH || type == ABC_TYPE_SUBD;
}

/* -- shared by the schema modules -- */

static const char *const kind_names[] = {"compound", "scalar", "array"};

bool abc_expect(const struct abc_archive *archive,
                const struct abc_property *property,
                enum abc_property_kind kind, enum abc_pod pod, uint32_t extent,
                struct arena *arena)
{
    if (property->kind != kind)
        return diag_refuse(archive->diag, archive->file_name, property->offset,
                           abc_property_path(property, arena),
                           "is a %s property, not %s",
                           kind_names[property->kind], kind_names[kind]);
    if (property->pod != pod || (extent != 0 && property->extent != extent))
        return diag_refuse(
            archive->diag, archive->file_name, property->offset,
            abc_property_path(property, arena), "holds %s[%u], not %s[%u]",
            abc_pod_name(property->pod), property->extent, abc_pod_name(pod),
            extent != 0 ? extent : property->extent);
    return true;
}

const struct abc_property *abc_schema_compound(
    const struct abc_archive *archive, const struct abc_object *object,
    const char *name)
{
    const struct abc_property *compound =
        abc_find(object->properties, name, ABC_COMPOUND);

    if (!compound)
        diag_refuse(archive->diag, archive->file_name,
                    object->properties->offset, object->path, "a %s without %s",
                    abc_type_name(abc_object_type(object)), name);
    return compound;
}

bool abc_read_u32(const struct abc_archive *archive,
                  const struct abc_property *property, uint32_t index,
                  struct arena *arena, const uint32_t **values,
                  uint32_t *pod_count)
{
    struct abc_sample sample;
    uint32_t *copy;
    size_t count;

    if (!abc_read(archive, property, index, arena, &sample))
        return false;
    count = sample.bytes / 4;
    if (count > INT32_MAX)
        return ABC_REFUSE_SAMPLE(archive, property, index, arena,
                                 "%zu values are too many", count);
    copy = ARENA_NEW(arena, uint32_t, count);
    for (size_t i = 0; i < count; i++)
        copy[i] = spn_load_u32le(sample.data + 4 * i);
    abc_release(archive, &sample);
    *values = copy;
    *pod_count = (uint32_t)count;
    return true;
}

/* -- visibility -- */

const struct abc_property *abc_visibility(const struct abc_object *object)
{
    const struct abc_property *visible =
        abc_find(object->properties, "visible", ABC_SCALAR);

    if (!visible || visible->pod != ABC_I8 || visible->extent != 1 ||
        visible->sample_count == 0)
        return NULL;
    return visible;
}

bool abc_visibility_read(const struct abc_archive *archive,
                         const struct abc_property *visible, uint32_t index,
                         enum abc_visibility *out)
{
    struct abc_sample sample;
    struct arena arena;
    int8_t value;

    arena_init(&arena);
    if (!abc_read(archive, visible, index, &arena, &sample)) {
        arena_free(&arena);
        return false;
    }
    value = (int8_t)sample.data[0];
    if (value < ABC_DEFERRED || value > ABC_VISIBLE) {
        ABC_REFUSE_SAMPLE(archive, visible, index, &arena,
                          "visibility is %d, not -1, 0 or 1", value);
        arena_free(&arena);
        return false;
    }
    arena_free(&arena);
    *out = (enum abc_visibility)value;
    return true;
}

bool abc_visibility_at(const struct abc_archive *archive,
                       const struct abc_object *object, double time,
                       enum abc_visibility *out)
{
    const struct abc_property *visible = abc_visibility(object);
    const struct abc_time_sampling *sampling;

    if (!visible) {
        *out = ABC_DEFERRED;
        return true;
    }
    sampling = &archive->samplings[visible->time_sampling];
    return abc_visibility_read(
        archive, visible,
        abc_bracket_at(sampling, visible->sample_count, time).floor, out);
}

/* -- face sets -- */

bool abc_face_set_read(const struct abc_archive *archive,
                       const struct abc_object *face_set, struct arena *arena,
                       const int32_t **faces, uint32_t *count)
{
    const struct abc_property *compound =
        abc_schema_compound(archive, face_set, ".faceset");
    const struct abc_property *property;
    const uint32_t *values;

    if (!compound)
        return false;
    property = abc_find_any(compound, ".faces");
    *faces = NULL;
    *count = 0;
    if (!property)
        return diag_refuse(archive->diag, archive->file_name, compound->offset,
                           face_set->path, "a face set without .faces");
    if (!abc_expect(archive, property, ABC_ARRAY, ABC_I32, 1, arena))
        return false;
    if (property->sample_count == 0)
        return true;
    if (!abc_read_u32(archive, property, 0, arena, &values, count))
        return false;
    *faces = (const int32_t *)values;
    return true;
}
