/* schema_read.h - what the schema modules share: validated, aligned arrays and
 * refusals that name their property. Only they include it. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ABC_SCHEMA_READ_H
#define OFFLINE_ABC_SCHEMA_READ_H

#include "abc/schema.h"

/* Refuse sample `index` of a property, at the property's own place. Always
 * false. */
#define ABC_REFUSE_SAMPLE(archive, property, index, arena, ...)                \
    abc_refuse_sample((archive), (property), (index), (property)->offset,      \
                      (arena), __VA_ARGS__)

/* Is the property of this kind, POD and extent (0: any)? Refused otherwise. */
bool abc_expect(const struct abc_archive *archive,
                const struct abc_property *property,
                enum abc_property_kind kind, enum abc_pod pod, uint32_t extent,
                struct arena *arena);

/* The compound of a schema, e.g. ".geom"; refused where it is missing. */
const struct abc_property *abc_schema_compound(
    const struct abc_archive *archive, const struct abc_object *object,
    const char *name);

/* Aligned values of a sample in the machine's byte order; `pod_count` counts
 * PODs, not elements. Refuses more than 2^31 - 1. */
bool abc_read_u32(const struct abc_archive *archive,
                  const struct abc_property *property, uint32_t index,
                  struct arena *arena, const uint32_t **values,
                  uint32_t *pod_count);

/* Sample `index` of what abc_visibility found. */
bool abc_visibility_read(const struct abc_archive *archive,
                         const struct abc_property *visible, uint32_t index,
                         enum abc_visibility *out);

/* abc_mesh_open that looks at no more than `*bytes_left` bytes to tell whether
 * a topology that is stated again has changed, and takes off what it looked
 * at. Without bytes left it counts as changed. */
bool abc_mesh_open_within(const struct abc_archive *archive,
                          const struct abc_object *object, struct arena *arena,
                          uint64_t *bytes_left, struct abc_mesh *mesh);

/* params.c: the parameter `name` under `compound`; values NULL when there is
 * none. What is no parameter (a compound without .vals) is refused. */
bool abc_param_open(const struct abc_archive *archive,
                    const struct abc_property *compound, const char *name,
                    struct arena *arena, struct abc_param *param);
/* Colours and texture coordinates under .arbGeomParams, by name. */
bool abc_sets_open(const struct abc_archive *archive,
                   const struct abc_property *compound, struct arena *arena,
                   struct abc_mesh *mesh);

#endif
