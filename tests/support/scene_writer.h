/* scene_writer.h - write small archives from tables of objects. made_writer.h
 * builds such tables. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_SCENE_WRITER_H
#define TESTS_SUPPORT_SCENE_WRITER_H

#include "abc/archive.h"

#include <stdint.h>

/* Values are in the machine's byte order. All samples follow one another; each
 * has `count` elements of `extent` values. A string is a scalar of one
 * sample. */
struct written_property {
    const char *name;
    enum abc_property_kind kind;
    enum abc_pod pod;
    uint32_t extent;
    uint32_t sampling; /* 0: the default sampling; otherwise an index of
                        * written_scene, from 1 */
    uint32_t samples;
    uint32_t count; /* elements of an array; 1 for a scalar */
    const void *values;
    const char *metadata; /* NULL: no metadata */
    const struct written_property *children;
    uint32_t child_count;
    const uint32_t *counts; /* elements of each sample of an array; NULL:
                             * `count` */
};

struct written_object {
    const char *name;
    const char *metadata;
    const struct written_property *properties;
    uint32_t property_count;
    const struct written_object *children;
    uint32_t child_count;
};

/* Uniform samplings, numbered 1, 2, ... */
struct written_sampling {
    double start;
    double step;
};

struct written_scene {
    const struct written_sampling *samplings;
    uint32_t sampling_count;
    const struct written_object *objects; /* objects below the top */
    uint32_t object_count;
};

void scene_write(const struct written_scene *scene, const char *path);

#define WRITTEN_XFORM "schema=AbcGeom_Xform_v3"
#define WRITTEN_MESH                                                           \
    "schema=AbcGeom_PolyMesh_v1;schemaBaseType=AbcGeom_GeomBase_v1"
#define WRITTEN_SUBD "schema=AbcGeom_SubD_v1;schemaBaseType=AbcGeom_GeomBase_v1"
/* Initializers of tables: a compound of a list of properties, a scalar or an
 * array of samples (one after the other), an object without children. */
#define WRITTEN_COUNT(list) ((uint32_t)(sizeof(list) / sizeof(list)[0]))
#define WRITTEN_COMPOUND(name, list)                                           \
    {                                                                          \
        name, ABC_COMPOUND, ABC_BOOL, 0, 0, 0, 0, NULL, NULL, list,            \
            WRITTEN_COUNT(list), NULL                                          \
    }
#define WRITTEN_SCALAR(name, pod, extent, sampling, samples, values)           \
    {                                                                          \
        name, ABC_SCALAR, pod, extent, sampling, samples, 1, values, NULL,     \
            NULL, 0, NULL                                                      \
    }
#define WRITTEN_ARRAY(name, pod, extent, sampling, samples, count, values)     \
    {                                                                          \
        name, ABC_ARRAY, pod, extent, sampling, samples, count, values, NULL,  \
            NULL, 0, NULL                                                      \
    }
#define WRITTEN_OBJECT(name, metadata, list)                                   \
    {                                                                          \
        name, metadata, list, WRITTEN_COUNT(list), NULL, 0                     \
    }

#endif
