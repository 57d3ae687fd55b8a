/* made_writer.c - build meshes and transforms as tables of properties. */
/* SPDX-License-Identifier: MIT */
#include "support/made_writer.h"

#include "harness.h"
#include "support/scene_writer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CHILDREN_MAX = 64, PROPERTIES_MAX = 64 };

/* A compound property that is being built. */
struct list {
    struct written_property items[PROPERTIES_MAX];
    uint32_t count;
};

struct made_level {
    struct made_level *above;
    const char *name;
    const char *metadata; /* NULL: no metadata */
    struct list properties;
    struct written_object children[CHILDREN_MAX];
    uint32_t child_count;
};

static const char *copy_text(struct made_writer *scene, const char *text)
{
    return text ? arena_string(&scene->arena, text, strlen(text)) : NULL;
}

/* -- numbers -- */

/* For numbers that a half represents exactly, and for NaN; does not round. */
static uint16_t half_of(float value)
{
    uint32_t bits;
    int32_t exponent;

    memcpy(&bits, &value, sizeof bits);
    exponent = (int32_t)(bits >> 23 & 255) - 112;
    if (exponent <= 0)
        return (uint16_t)(bits >> 16 & 0x8000);
    if (exponent > 30)
        return (uint16_t)((bits >> 16 & 0x8000) | 0x7c00 |
                          (bits & 0x7fffff ? 1 : 0));
    return (uint16_t)((bits >> 16 & 0x8000) | (uint32_t)exponent << 10 |
                      (bits >> 13 & 1023));
}

static const void *floats_as(struct made_writer *scene, enum abc_pod pod,
                             const float *values, size_t count)
{
    uint32_t bytes = abc_pod_bytes(pod);
    uint8_t *out = arena_alloc(&scene->arena, count, bytes);

    for (size_t i = 0; i < count; i++) {
        double wide = values[i];
        uint16_t half = half_of(values[i]);

        if (pod == ABC_F32)
            memcpy(out + i * bytes, &values[i], sizeof values[i]);
        else if (pod == ABC_F16)
            memcpy(out + i * bytes, &half, sizeof half);
        else if (pod == ABC_F64)
            memcpy(out + i * bytes, &wide, sizeof wide);
        else
            out[i] = (uint8_t)(values[i] * 255.0f + 0.5f);
    }
    return out;
}

static const void *copy(struct made_writer *scene, const void *values,
                        size_t count, size_t bytes)
{
    void *out = arena_alloc(&scene->arena, count, bytes);

    if (count > 0)
        memcpy(out, values, count * bytes);
    return out;
}

static size_t sum(const uint32_t *counts, uint32_t count)
{
    size_t total = 0;

    for (uint32_t i = 0; i < count; i++)
        total += counts[i];
    return total;
}

/* -- properties -- */

static struct list *new_list(struct made_writer *scene)
{
    return ARENA_NEW(&scene->arena, struct list, 1);
}

static void add(struct list *list, struct written_property property)
{
    CHECK(list->count < PROPERTIES_MAX);
    property.sampling = property.samples > 1;
    list->items[list->count++] = property;
}

static void add_compound(struct list *list, const char *name,
                         const char *metadata, const struct list *children)
{
    add(list, (struct written_property){.name = name,
                                        .kind = ABC_COMPOUND,
                                        .metadata = metadata,
                                        .children = children->items,
                                        .child_count = children->count});
}

static void add_scalar(struct list *list, const char *name, enum abc_pod pod,
                       uint32_t extent, uint32_t samples, const void *values)
{
    add(list, (struct written_property)WRITTEN_SCALAR(name, pod, extent, 0,
                                                      samples, values));
}

static void add_integers(struct made_writer *scene, struct list *list,
                         const char *name, uint32_t samples, uint32_t count,
                         const int32_t *values)
{
    add(list, (struct written_property)WRITTEN_ARRAY(
                  name, ABC_I32, 1, 0, samples, count,
                  copy(scene, values, (size_t)samples * count, 4)));
}

#define POLYMESH "schema=AbcGeom_PolyMesh_v1"
#define SUBD "schema=AbcGeom_SubD_v1"

/* -- meshes -- */

static void add_param(struct made_writer *scene, struct list *list,
                      const struct made_param *param)
{
    size_t count = sum(param->counts, param->sample_count) * param->extent;
    struct written_property values = {
        .name = copy_text(scene, param->name),
        .kind = ABC_ARRAY,
        .pod = param->pod,
        .extent = param->extent,
        .samples = param->sample_count,
        .values = floats_as(scene, param->pod, param->values, count),
        .metadata =
            arena_format(&scene->arena, "geoScope=%s%s%s", param->scope,
                         param->interpretation ? ";interpretation=" : "",
                         param->interpretation ? param->interpretation : ""),
        .counts = copy(scene, param->counts, param->sample_count, 4),
    };
    const char *name = values.name;
    struct list *both;

    if (!param->indices) {
        add(list, values);
        return;
    }
    both = new_list(scene);
    values.name = ".vals";
    add(both, values);
    add(both, (struct written_property)WRITTEN_ARRAY(
                  ".indices", ABC_U32, 1, 0, 1, param->index_count,
                  copy(scene, param->indices, param->index_count, 4)));
    add_compound(list, name, values.metadata, both);
}

static bool is_own(const struct made_param *param)
{
    return strcmp(param->name, "N") == 0 || strcmp(param->name, "uv") == 0 ||
           strcmp(param->name, ".velocities") == 0;
}

static void add_geometry(struct made_writer *scene, struct list *top,
                         const struct made_mesh *mesh)
{
    struct list *geometry = new_list(scene);
    struct list *others = new_list(scene);
    size_t points = sum(mesh->point_counts, mesh->sample_count);
    static const int32_t boundary = 1;
    static const int32_t hole = 0;

    add(geometry,
        (struct written_property){
            .name = "P",
            .kind = ABC_ARRAY,
            .pod = ABC_F32,
            .extent = 3,
            .samples = mesh->sample_count,
            .values = floats_as(scene, ABC_F32, mesh->positions, 3 * points),
            .metadata = "interpretation=point",
            .counts = copy(scene, mesh->point_counts, mesh->sample_count, 4)});
    add_integers(scene, geometry, ".faceIndices", mesh->topology_samples,
                 mesh->corner_count, mesh->indices);
    add_integers(scene, geometry, ".faceCounts", mesh->topology_samples,
                 mesh->face_count, mesh->counts);
    for (uint32_t i = 0; i < mesh->param_count; i++)
        add_param(scene, is_own(&mesh->params[i]) ? geometry : others,
                  &mesh->params[i]);
    if (others->count > 0)
        add_compound(geometry, ".arbGeomParams", NULL, others);
    if (mesh->has_user) {
        struct list *user = new_list(scene);

        add_scalar(user, "mine", ABC_U8, 1, 1, "x");
        add_compound(geometry, ".userProperties", NULL, user);
    }
    if (mesh->is_subd) {
        add_scalar(geometry, ".interpolateBoundary", ABC_I32, 1, 1, &boundary);
        add_integers(scene, geometry, ".holes", 1, 1, &hole);
    }
    add_compound(top, ".geom", mesh->is_subd ? SUBD : POLYMESH, geometry);
}

/* -- objects -- */

static struct list *begin(struct made_writer *scene, const char *name,
                          const char *schema)
{
    struct made_level *level = ARENA_NEW(&scene->arena, struct made_level, 1);

    level->above = scene->level;
    level->name = copy_text(scene, name);
    if (schema)
        level->metadata = arena_format(&scene->arena, "schema=%s", schema);
    scene->level = level;
    return &level->properties;
}

static void end(struct made_writer *scene)
{
    const struct made_level *level = scene->level;
    struct made_level *above = level->above;

    CHECK(above->child_count < CHILDREN_MAX);
    above->children[above->child_count++] =
        (struct written_object){level->name,
                                level->metadata,
                                level->properties.items,
                                level->properties.count,
                                level->children,
                                level->child_count};
    scene->level = above;
}

void made_open(struct made_writer *scene)
{
    *scene = (struct made_writer){.step_s = 1.0 / MADE_FPS};
    arena_init(&scene->arena);
    begin(scene, "ABC", NULL);
}

void made_mesh(struct made_writer *scene, const struct made_mesh *mesh)
{
    static const int8_t hidden = 0;
    struct list *top =
        begin(scene, mesh->name,
              mesh->is_subd ? "AbcGeom_SubD_v1" : "AbcGeom_PolyMesh_v1");

    add_geometry(scene, top, mesh);
    if (mesh->is_hidden)
        add_scalar(top, "visible", ABC_I8, 1, 1, &hidden);
    if (mesh->has_tag)
        add_scalar(top, "tag", ABC_U8, 1, 1, "x");
    for (uint32_t i = 0; i < mesh->set_count; i++) {
        const struct made_face_set *set = &mesh->sets[i];
        struct list *faces = new_list(scene);

        top = begin(scene, set->name, "AbcGeom_FaceSet_v1");
        add_integers(scene, faces, ".faces", set->sample_count, set->face_count,
                     set->faces);
        add_compound(top, ".faceset", "schema=AbcGeom_FaceSet_v1", faces);
        end(scene);
    }
    end(scene);
}

void made_object(struct made_writer *scene, const char *name,
                 const char *schema)
{
    begin(scene, name, schema);
    end(scene);
}

void made_xform(struct made_writer *scene, const char *name,
                uint32_t sample_count, const double *matrices, bool inherits)
{
    static const bool does_inherit[2] = {false, true};
    static const uint8_t matrix = 3 << 4;
    struct list *top = begin(scene, name, "AbcGeom_Xform_v3");
    struct list *compound = new_list(scene);

    add_scalar(compound, ".inherits", ABC_BOOL, 1, 1, &does_inherit[inherits]);
    add_scalar(compound, ".ops", ABC_U8, 1, 1, &matrix);
    add_scalar(compound, ".vals", ABC_F64, 16, sample_count,
               copy(scene, matrices, (size_t)sample_count * 16, 8));
    add_compound(top, ".xform", "schema=AbcGeom_Xform_v3", compound);
}

void made_xform_end(struct made_writer *scene)
{
    end(scene);
}

void made_close(struct made_writer *scene, const char *path)
{
    const struct written_sampling samplings[] = {{0, scene->step_s}};
    const struct written_scene written = {samplings, 1, scene->level->children,
                                          scene->level->child_count};

    CHECK(scene->level->above == NULL);
    scene_write(&written, path);
    arena_free(&scene->arena);
}
