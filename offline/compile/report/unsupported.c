/* unsupported.c - names the objects and properties that are left out. */
/* SPDX-License-Identifier: MIT */
#include "compile/report/unsupported.h"

#include "compile/report/format_value.h"

#include <string.h>

/* -- objects -- */

/* The warning for a dropped object. WARNING_COUNT: the type is not dropped. */
static enum warning warning_of(enum abc_type type)
{
    switch (type) {
    case ABC_TYPE_CURVES:
        return WARNING_DROPPED_CURVES;
    case ABC_TYPE_POINTS:
        return WARNING_DROPPED_POINTS;
    case ABC_TYPE_CAMERA:
        return WARNING_DROPPED_CAMERA;
    case ABC_TYPE_LIGHT:
        return WARNING_DROPPED_LIGHT;
    case ABC_TYPE_NUPATCH:
        return WARNING_DROPPED_NUPATCH;
    case ABC_TYPE_MATERIAL:
        return WARNING_DROPPED_MATERIAL;
    case ABC_TYPE_COLLECTIONS:
        return WARNING_DROPPED_COLLECTION;
    case ABC_TYPE_XFORM:
    case ABC_TYPE_POLYMESH:
    case ABC_TYPE_SUBD:
    case ABC_TYPE_FACESET:
    case ABC_TYPE_OTHER:
        break;
    }
    return WARNING_COUNT;
}

/* The schema in the metadata of an object. "": none; the object only groups
 * others. */
static const char *schema_of(const struct abc_object *object, const char *key,
                             struct arena *arena)
{
    size_t capacity = strlen(object->metadata) + 1;
    char *schema;

    if (!abc_metadata_has(object->metadata, key))
        return "";
    schema = ARENA_NEW(arena, char, capacity);
    abc_metadata_get(object->metadata, key, schema, capacity);
    return schema;
}

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static bool validate_schema(const struct abc_archive *archive,
                            const struct abc_object *object, const char *schema,
                            struct warnings *warnings, struct arena *arena)
{
    char name[2 * FORMAT_NAME_BYTES];

    /* A later version of the transform schema is refused as well: dropping it
     * would move meshes. */
    if (starts_with(schema, "AbcGeom_") ||
        starts_with(schema_of(object, "schemaBaseType", arena),
                    "AbcGeom_GeomBase")) {
        diag_name(schema, name, sizeof name);
        return compile_refuse(archive, REFUSAL_UNKNOWN_GEOMETRY, object->path,
                              "%s", name);
    }
    warnings_add(warnings, WARNING_DROPPED_OTHER, object->path, schema);
    return true;
}

/* -- properties -- */

/* Properties of each schema that are used, or that follow from those. */
static const char *const mesh_names[] = {
    "P",          ".faceCounts",    ".faceIndices",    "N", "uv", ".selfBnds",
    ".childBnds", ".arbGeomParams", ".userProperties", NULL};
/* Of a subdivision surface also those that describe the subdivision, which has
 * a warning of its own. `.holes` is missing: its faces are kept, so it is
 * reported as dropped. */
static const char *const subd_names[] = {"P",
                                         ".faceCounts",
                                         ".faceIndices",
                                         "uv",
                                         ".selfBnds",
                                         ".childBnds",
                                         ".arbGeomParams",
                                         ".userProperties",
                                         ".scheme",
                                         ".interpolateBoundary",
                                         ".faceVaryingInterpolateBoundary",
                                         ".faceVaryingPropagateCorners",
                                         ".cornerIndices",
                                         ".cornerSharpnesses",
                                         ".creaseIndices",
                                         ".creaseLengths",
                                         ".creaseSharpnesses",
                                         NULL};
static const char *const xform_names[] = {
    ".ops",       ".vals",          ".inherits",       ".animChans",
    ".childBnds", ".arbGeomParams", ".userProperties", "isNotConstantIdentity",
    NULL};
static const char *const face_set_names[] = {
    ".faces",         ".facesExclusive", ".selfBnds", ".childBnds",
    ".arbGeomParams", ".userProperties", NULL};
static const char *const object_names[] = {".childBnds", ".instanceSource",
                                           "visible", ".userProperties", NULL};

static bool is_one_of(const char *name, const char *const names[])
{
    /* -fanalyzer: NOLINTNEXTLINE(clang-analyzer-*): each has its list. */
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

static bool is_without_samples(const struct abc_property *property)
{
    return property->kind != ABC_COMPOUND && property->sample_count == 0;
}

/* Is parameter `number` the one that the options choose as second texture
 * coordinates? */
static bool is_second_uvs(const struct abc_property *params, uint32_t number,
                          const struct compile_options *options)
{
    const struct abc_property *property = &params->children[number];

    if (!options->second_uv_set || !abc_is_uv_set(property))
        return false;
    if (options->second_uv_set[0])
        return strcmp(property->name, options->second_uv_set) == 0;
    for (uint32_t i = 0; i < number; i++)
        if (abc_is_uv_set(&params->children[i]))
            return false;
    return true;
}

static bool is_kept_velocities(const struct abc_property *property,
                               const struct compile_options *options)
{
    return options->keeps_velocities &&
           strcmp(property->name, ".velocities") == 0 &&
           abc_is_velocities(property);
}

static void warn_params(const struct abc_object *object,
                        const struct abc_property *schema,
                        const char *const known[],
                        const struct compile_options *options,
                        struct warnings *warnings)
{
    const struct abc_property *params =
        abc_find(schema, ".arbGeomParams", ABC_COMPOUND);

    for (uint32_t i = 0; i < schema->child_count; i++)
        if (!is_one_of(schema->children[i].name, known) &&
            !is_without_samples(&schema->children[i]) &&
            !is_kept_velocities(&schema->children[i], options))
            warnings_add(warnings, WARNING_DROPPED_PARAMS, object->path,
                         schema->children[i].name);
    for (uint32_t i = 0; params && i < params->child_count; i++)
        if (!abc_is_color(&params->children[i]) &&
            !is_second_uvs(params, i, options))
            warnings_add(warnings, WARNING_DROPPED_PARAMS, object->path,
                         params->children[i].name);
}

static void count_user(const struct abc_property *compound,
                       struct warnings *warnings)
{
    const struct abc_property *user =
        abc_find(compound, ".userProperties", ABC_COMPOUND);

    warnings->user_property_count += user ? user->child_count : 0;
}

/* Warn of the unused properties of an object that is kept. `schema_name` is the
 * name of its schema's compound; "": it has none. */
static void warn_properties(const struct abc_object *object,
                            const char *schema_name, const char *const known[],
                            const struct compile_options *options,
                            struct warnings *warnings)
{
    const struct abc_property *top = object->properties;

    count_user(top, warnings);
    for (uint32_t i = 0; i < top->child_count; i++) {
        const struct abc_property *child = &top->children[i];

        if (strcmp(child->name, schema_name) == 0 &&
            child->kind == ABC_COMPOUND) {
            warn_params(object, child, known, options, warnings);
            count_user(child, warnings);
        } else if (!is_one_of(child->name, object_names)) {
            warnings_add(warnings, WARNING_DROPPED_FOREIGN, object->path,
                         child->name);
        }
    }
}

bool unsupported_is_dropped(const struct abc_object *object)
{
    enum abc_type type = abc_object_type(object);

    if (type == ABC_TYPE_OTHER)
        return abc_metadata_has(object->metadata, "schema") &&
               !abc_metadata_is(object->metadata, "schema", "");
    return warning_of(type) != WARNING_COUNT;
}

bool unsupported_warn(const struct abc_archive *archive,
                      const struct abc_object *object,
                      const struct compile_options *options,
                      struct warnings *warnings, struct arena *arena)
{
    enum abc_type type = abc_object_type(object);
    const char *schema = "";

    if (object->source != object)
        return true;
    switch (type) {
    case ABC_TYPE_XFORM:
        warn_properties(object, ".xform", xform_names, options, warnings);
        return true;
    case ABC_TYPE_POLYMESH:
        warn_properties(object, ".geom", mesh_names, options, warnings);
        return true;
    case ABC_TYPE_SUBD:
        warn_properties(object, ".geom", subd_names, options, warnings);
        return true;
    case ABC_TYPE_FACESET:
        warn_properties(object, ".faceset", face_set_names, options, warnings);
        return true;
    case ABC_TYPE_OTHER:
        schema = schema_of(object, "schema", arena);
        if (schema[0])
            return validate_schema(archive, object, schema, warnings, arena);
        warn_properties(object, "", NULL, options, warnings);
        return true;
    case ABC_TYPE_CURVES:
    case ABC_TYPE_POINTS:
    case ABC_TYPE_CAMERA:
    case ABC_TYPE_LIGHT:
    case ABC_TYPE_NUPATCH:
    case ABC_TYPE_MATERIAL:
    case ABC_TYPE_COLLECTIONS:
        break;
    }
    warnings_add(warnings, warning_of(type), object->path, NULL);
    return true;
}

/* -- description of an archive without meshes -- */

const char *unsupported_describe(const struct warnings *warnings,
                                 uint32_t transform_count, struct arena *arena)
{
    static const struct {
        enum warning warning;
        const char *one;
        const char *many;
    } kinds[] = {
        {WARNING_DROPPED_CURVES, "group of curves", "groups of curves"},
        {WARNING_DROPPED_POINTS, "group of points", "groups of points"},
        {WARNING_DROPPED_CAMERA, "camera", "cameras"},
        {WARNING_DROPPED_LIGHT, "light", "lights"},
        {WARNING_DROPPED_NUPATCH, "NURBS patch", "NURBS patches"},
        {WARNING_DROPPED_MATERIAL, "material", "materials"},
        {WARNING_DROPPED_COLLECTION, "collection", "collections"},
        {WARNING_DROPPED_OTHER, "object of an unknown schema",
         "objects of unknown schemas"},
    };
    const char *text = "";

    if (transform_count > 0)
        text = arena_format(arena, "; it has %u transform%s", transform_count,
                            transform_count == 1 ? "" : "s");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        unsigned long long count = warnings->of[kinds[i].warning].count;

        if (count > 0)
            text = arena_format(arena, "%s%s%llu %s", text,
                                text[0] ? ", " : "; it has ", count,
                                count == 1 ? kinds[i].one : kinds[i].many);
    }
    return text;
}
