/* schema_read.h - shared by the schema modules: typed reads, and refusals that
 * name the property. Only these modules and check.c include it. All functions
 * return false (NULL) after a refusal.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ABC_SCHEMA_READ_H
#define OFFLINE_ABC_SCHEMA_READ_H

#include "abc/schema.h"

/* Refuse sample `index` of a property, with the property's offset. Always
 * false.
 */
#define ABC_REFUSE_SAMPLE(archive, property, index, arena, ...)                \
    abc_refuse_sample((archive), (property), (index), (property)->offset,      \
                      (arena), __VA_ARGS__)

/* Refuse the property unless it has this kind, POD and extent (0: any extent).
 */
bool abc_expect(const struct abc_archive *archive,
                const struct abc_property *property,
                enum abc_property_kind kind, enum abc_pod pod, uint32_t extent,
                struct arena *arena);

/* Find the compound of a schema, for example ".geom"; refused if it is missing.
 */
const struct abc_property *abc_schema_compound(
    const struct abc_archive *archive, const struct abc_object *object,
    const char *name);

/* Read a sample of 32-bit values into an aligned array of the machine's byte
 * order. *pod_count: the number of values, not of elements; more than 2^31 - 1
 * are refused. */
bool abc_read_u32(const struct abc_archive *archive,
                  const struct abc_property *property, uint32_t index,
                  struct arena *arena, const uint32_t **values,
                  uint32_t *pod_count);

/* Read sample `index` of the property that abc_visibility found. */
bool abc_visibility_read(const struct abc_archive *archive,
                         const struct abc_property *visible, uint32_t index,
                         enum abc_visibility *out);

/* Like abc_mesh_open, but compare at most *bytes_left bytes to find out whether
 * a topology that is stored several times changes, and subtract the number of
 * bytes compared. A topology that cannot be compared counts as changed. */
bool abc_mesh_open_within(const struct abc_archive *archive,
                          const struct abc_object *object, struct arena *arena,
                          uint64_t *bytes_left, struct abc_mesh *mesh);

/* params.c: open the parameter `name` under `compound`. param->values is NULL
 * if there is none. A compound without .vals is refused. */
bool abc_param_open(const struct abc_archive *archive,
                    const struct abc_property *compound, const char *name,
                    struct arena *arena, struct abc_param *param);
/* params.c: list the colours and the texture coordinates under .arbGeomParams,
 * sorted by name. */
bool abc_sets_open(const struct abc_archive *archive,
                   const struct abc_property *compound, struct arena *arena,
                   struct abc_mesh *mesh);

#endif
