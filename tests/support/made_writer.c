/* made_writer.c - objects and properties over blocks and groups. */
/* SPDX-License-Identifier: MIT */
#include "support/made_writer.h"

#include "harness.h"

#include "base/endian.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHILDREN_MAX = 64 };

/* A group in the making: children and the headers that name them. */
struct group {
    uint64_t children[CHILDREN_MAX];
    size_t count;
    struct header_block headers;
};

struct made_level {
    struct made_level *above;
    struct group *objects;
    uint64_t properties;
    char name[64];
    char metadata[128];
};

/* Header blocks are large and few at a time: they are used again. They go
 * with the process. */
static struct group *pool[32];
static size_t pool_count;

static struct group *take_group(void)
{
    struct group *group;

    if (pool_count > 0)
        group = pool[--pool_count];
    else
        group = malloc(sizeof *group);
    CHECK(group != NULL);
    group->count = 0;
    group->headers.count = 0;
    return group;
}

static void give_back(struct group *group)
{
    CHECK(pool_count < sizeof pool / sizeof pool[0]);
    pool[pool_count++] = group;
}

#define INFO_SCALAR 1u
#define INFO_ARRAY 2u
#define INFO_SAMPLING (1u << 8)
#define INFO_CONSTANT (1u << 11)
#define INFO_METADATA (0xffu << 20)

static void *zeroed(size_t bytes)
{
    void *memory = calloc(1, bytes);

    CHECK(memory != NULL);
    return memory;
}

static void add_child(struct group *group, uint64_t pointer)
{
    CHECK(group->count < CHILDREN_MAX);
    group->children[group->count++] = pointer;
}

/* ---- properties ---------------------------------------------------------- */

static void add_header(struct group *group, uint32_t info,
                       uint32_t sample_count, const char *name,
                       const char *metadata)
{
    uint32_t numbers[2] = {sample_count, 1};

    if (sample_count > 1)
        info |= INFO_SAMPLING;
    else
        info |= INFO_CONSTANT;
    header_property(&group->headers, info | (metadata ? INFO_METADATA : 0),
                    numbers, sample_count > 1 ? 2 : 1, name);
    if (metadata)
        header_metadata(&group->headers, metadata);
}

/* Samples of `counts[i]` values of `value_bytes`, one after the other. */
static void add_array(struct made_writer *scene, struct group *group,
                      const char *name, const char *metadata, enum abc_pod pod,
                      uint32_t extent, uint32_t sample_count,
                      const uint32_t *counts, const uint8_t *bytes,
                      size_t value_bytes)
{
    struct group *samples = take_group();

    for (uint32_t i = 0; i < sample_count; i++) {
        size_t count = counts[i] * value_bytes;

        add_child(samples, count == 0
                               ? WRITER_EMPTY_DATA
                               : writer_sample(&scene->file, bytes, count));
        add_child(samples, WRITER_EMPTY_DATA);
        bytes += count;
    }
    add_child(group,
              writer_group(&scene->file, samples->children, samples->count));
    add_header(group, INFO_ARRAY | (uint32_t)pod << 4 | extent << 12,
               sample_count, name, metadata);
    give_back(samples);
}

static void add_scalar(struct made_writer *scene, struct group *group,
                       const char *name, enum abc_pod pod, uint32_t extent,
                       uint32_t sample_count, const uint8_t *bytes,
                       size_t sample_bytes)
{
    struct group *samples = take_group();

    for (uint32_t i = 0; i < sample_count; i++)
        add_child(samples, writer_sample(&scene->file, bytes + i * sample_bytes,
                                         sample_bytes));
    add_child(group,
              writer_group(&scene->file, samples->children, samples->count));
    add_header(group, INFO_SCALAR | (uint32_t)pod << 4 | extent << 12,
               sample_count, name, NULL);
    give_back(samples);
}

/* Ends the group; its pointer. */
static uint64_t end_compound(struct made_writer *scene, struct group *group)
{
    uint64_t pointer;

    add_child(group, writer_data(&scene->file, group->headers.bytes,
                                 group->headers.count));
    pointer = writer_group(&scene->file, group->children, group->count);
    give_back(group);
    return pointer;
}

static void add_compound(struct made_writer *scene, struct group *parent,
                         struct group *group, const char *name,
                         const char *metadata)
{
    add_child(parent, end_compound(scene, group));
    header_property(&parent->headers, metadata ? INFO_METADATA : 0, NULL, 0,
                    name);
    if (metadata)
        header_metadata(&parent->headers, metadata);
}

/* ---- numbers ------------------------------------------------------------- */

/* Not rounded: for numbers that a half holds, and what is no number. */
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

static uint8_t *floats_as(enum abc_pod pod, const float *values, size_t count)
{
    uint32_t bytes = abc_pod_bytes(pod);
    uint8_t *out = zeroed(count * bytes + 1);

    for (size_t i = 0; i < count; i++) {
        if (pod == ABC_F32)
            spn_store_f32le(out + i * bytes, values[i]);
        else if (pod == ABC_F16)
            spn_store_u16le(out + i * bytes, half_of(values[i]));
        else if (pod == ABC_F64)
            spn_store_f64le(out + i * bytes, values[i]);
        else
            out[i] = (uint8_t)(values[i] * 255.0f + 0.5f);
    }
    return out;
}

static uint8_t *integers(const void *values, size_t count)
{
    uint8_t *out = zeroed(count * 4 + 1);
    uint32_t value;

    for (size_t i = 0; i < count; i++) {
        memcpy(&value, (const uint8_t *)values + 4 * i, 4);
        spn_store_u32le(out + 4 * i, value);
    }
    return out;
}

static size_t sum(const uint32_t *counts, uint32_t count)
{
    size_t total = 0;

    for (uint32_t i = 0; i < count; i++)
        total += counts[i];
    return total;
}

/* ---- meshes -------------------------------------------------------------- */

static void add_param(struct made_writer *scene, struct group *group,
                      const struct made_param *param)
{
    size_t count = sum(param->counts, param->sample_count) * param->extent;
    uint8_t *values = floats_as(param->pod, param->values, count);
    size_t bytes = (size_t)param->extent * abc_pod_bytes(param->pod);
    char metadata[128];

    snprintf(metadata, sizeof metadata, "geoScope=%s%s%s", param->scope,
             param->interpretation ? ";interpretation=" : "",
             param->interpretation ? param->interpretation : "");
    if (param->indices) {
        struct group *both = take_group();
        uint8_t *indices = integers(param->indices, param->index_count);

        add_array(scene, both, ".vals", metadata, param->pod, param->extent,
                  param->sample_count, param->counts, values, bytes);
        add_array(scene, both, ".indices", NULL, ABC_U32, 1, 1,
                  &param->index_count, indices, 4);
        add_compound(scene, group, both, param->name, metadata);
        free(indices);
    } else {
        add_array(scene, group, param->name, metadata, param->pod,
                  param->extent, param->sample_count, param->counts, values,
                  bytes);
    }
    free(values);
}

static bool is_own(const struct made_param *param)
{
    return strcmp(param->name, "N") == 0 || strcmp(param->name, "uv") == 0;
}

static void add_integers(struct made_writer *scene, struct group *group,
                         const char *name, uint32_t sample_count,
                         uint32_t count, const int32_t *values)
{
    uint8_t *bytes = integers(values, (size_t)sample_count * count);
    uint32_t *counts = zeroed(sample_count * sizeof *counts + 1);

    for (uint32_t i = 0; i < sample_count; i++)
        counts[i] = count;
    add_array(scene, group, name, NULL, ABC_I32, 1, sample_count, counts, bytes,
              4);
    free(counts);
    free(bytes);
}

static uint64_t mesh_properties(struct made_writer *scene,
                                const struct made_mesh *mesh)
{
    struct group *top = take_group();
    struct group *geometry = take_group();
    struct group *others = take_group();
    size_t points = sum(mesh->point_counts, mesh->sample_count);
    uint8_t *positions = floats_as(ABC_F32, mesh->positions, 3 * points);
    uint8_t hidden = 0;

    add_array(scene, geometry, "P", "interpretation=point", ABC_F32, 3,
              mesh->sample_count, mesh->point_counts, positions, 12);
    add_integers(scene, geometry, ".faceIndices", mesh->topology_samples,
                 mesh->corner_count, mesh->indices);
    add_integers(scene, geometry, ".faceCounts", mesh->topology_samples,
                 mesh->face_count, mesh->counts);
    for (uint32_t i = 0; i < mesh->param_count; i++)
        add_param(scene, is_own(&mesh->params[i]) ? geometry : others,
                  &mesh->params[i]);
    if (others->count > 0)
        add_compound(scene, geometry, others, ".arbGeomParams", NULL);
    else
        give_back(others);
    if (mesh->has_user) {
        struct group *user = take_group();

        add_scalar(scene, user, "mine", ABC_U8, 1, 1, (const uint8_t *)"x", 1);
        add_compound(scene, geometry, user, ".userProperties", NULL);
    }
    add_compound(scene, top, geometry, ".geom", "schema=AbcGeom_PolyMesh_v1");
    if (mesh->is_hidden)
        add_scalar(scene, top, "visible", ABC_I8, 1, 1, &hidden, 1);
    free(positions);
    return end_compound(scene, top);
}

static uint64_t face_set(struct made_writer *scene,
                         const struct made_face_set *set)
{
    struct group *top = take_group();
    struct group *compound = take_group();
    uint64_t pointer;
    struct group *none;

    add_integers(scene, compound, ".faces", set->sample_count, set->face_count,
                 set->faces);
    add_compound(scene, top, compound, ".faceset", "schema=AbcGeom_FaceSet_v1");
    pointer = end_compound(scene, top);
    none = take_group();
    pointer = writer_object(&scene->file, pointer, NULL, 0, &none->headers);
    give_back(none);
    return pointer;
}

/* ---- objects ------------------------------------------------------------- */

static void begin(struct made_writer *scene, const char *name,
                  const char *schema, uint64_t properties)
{
    struct made_level *level = zeroed(sizeof *level);

    level->above = scene->level;
    level->objects = take_group();
    level->properties = properties;
    snprintf(level->name, sizeof level->name, "%s", name);
    if (schema)
        snprintf(level->metadata, sizeof level->metadata, "schema=%s", schema);
    scene->level = level;
}

static uint64_t end(struct made_writer *scene)
{
    struct made_level *level = scene->level;
    uint64_t pointer =
        writer_object(&scene->file, level->properties, level->objects->children,
                      level->objects->count, &level->objects->headers);

    scene->level = level->above;
    if (scene->level) {
        add_child(scene->level->objects, pointer);
        header_object(&scene->level->objects->headers, level->name,
                      level->metadata);
    }
    give_back(level->objects);
    free(level);
    return pointer;
}

void made_open(struct made_writer *scene)
{
    *scene = (struct made_writer){.level = NULL};
    writer_open(&scene->file);
    begin(scene, "ABC", NULL, WRITER_EMPTY_GROUP);
}

void made_mesh(struct made_writer *scene, const struct made_mesh *mesh)
{
    begin(scene, mesh->name, "AbcGeom_PolyMesh_v1",
          mesh_properties(scene, mesh));
    for (uint32_t i = 0; i < mesh->set_count; i++) {
        add_child(scene->level->objects, face_set(scene, &mesh->sets[i]));
        header_object(&scene->level->objects->headers, mesh->sets[i].name,
                      "schema=AbcGeom_FaceSet_v1");
    }
    end(scene);
}

void made_object(struct made_writer *scene, const char *name,
                 const char *schema)
{
    begin(scene, name, schema, WRITER_EMPTY_GROUP);
    end(scene);
}

void made_xform(struct made_writer *scene, const char *name,
                uint32_t sample_count, const double *matrices, bool inherits)
{
    struct group *top = take_group();
    struct group *compound = take_group();
    uint8_t *bytes = zeroed((size_t)sample_count * 128);
    uint8_t does = inherits;
    uint8_t op = 3 << 4;

    for (size_t i = 0; i < (size_t)sample_count * 16; i++)
        spn_store_f64le(bytes + 8 * i, matrices[i]);
    add_scalar(scene, compound, ".inherits", ABC_BOOL, 1, 1, &does, 1);
    add_scalar(scene, compound, ".ops", ABC_U8, 1, 1, &op, 1);
    add_scalar(scene, compound, ".vals", ABC_F64, 16, sample_count, bytes, 128);
    add_compound(scene, top, compound, ".xform", "schema=AbcGeom_Xform_v3");
    begin(scene, name, "AbcGeom_Xform_v3", end_compound(scene, top));
    free(bytes);
}

void made_xform_end(struct made_writer *scene)
{
    end(scene);
}

void made_close(struct made_writer *scene, const char *path)
{
    /* Two of 24 bytes: once, and so many a second from 0 on. */
    uint8_t samplings[48] = {1};

    spn_store_f64le(samplings + 4, 1.0);
    samplings[12] = 1;
    samplings[24] = CHILDREN_MAX;
    spn_store_f64le(samplings + 28, 1.0 / MADE_FPS);
    samplings[36] = 1;
    scene->file.samplings =
        writer_data(&scene->file, samplings, sizeof samplings);
    writer_close(&scene->file, end(scene), path);
}
