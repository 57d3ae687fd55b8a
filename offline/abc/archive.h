/* archive.h - an Alembic archive as a tree of objects and properties.
 *
 * What Ogawa and HDF5 have in common. A backend (ogawa.c, hdf5.c) checks the
 * whole structure when the archive is opened: the tree, the time samplings,
 * the headers of all properties. Samples are read on demand, and validated
 * then. Children, of objects and of compounds, are in the order of their names'
 * bytes whatever their order in the file.
 *
 * Everything here belongs to the archive and lives until abc_close. After
 * abc_open the archive is constant: any number of threads may read.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ABC_ARCHIVE_H
#define OFFLINE_ABC_ARCHIVE_H

#include "common/arena.h"
#include "common/diag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Plain-old-data types, with the numbers that the files use. */
enum abc_pod {
    ABC_BOOL,
    ABC_U8,
    ABC_I8,
    ABC_U16,
    ABC_I16,
    ABC_U32,
    ABC_I32,
    ABC_U64,
    ABC_I64,
    ABC_F16,
    ABC_F32,
    ABC_F64,
    ABC_STRING,
    ABC_WSTRING,
    ABC_POD_COUNT
};

enum abc_property_kind { ABC_COMPOUND, ABC_SCALAR, ABC_ARRAY };

enum abc_sampling_type { ABC_UNIFORM, ABC_CYCLIC, ABC_ACYCLIC };

struct abc_time_sampling {
    enum abc_sampling_type type;
    double time_per_cycle; /* seconds */
    uint32_t time_count;   /* >= 1 */
    const double *times;   /* seconds, never falling */
    int64_t max_samples;   /* -1: not recorded */
};

struct abc_property {
    const char *name;     /* of a top compound: its object's path */
    const char *metadata; /* "key=value;key=value" as stored, never NULL */
    const struct abc_property *parent; /* NULL: an object's top compound */
    enum abc_property_kind kind;
    enum abc_pod pod;    /* not for compounds */
    uint8_t extent;      /* PODs per element, >= 1 */
    bool is_scalar_like; /* array written as a scalar */
    bool is_constant;    /* all samples recorded as identical */
    uint32_t sample_count;
    uint32_t time_sampling; /* index into the archive's samplings */
    uint32_t child_count;   /* compounds */
    const struct abc_property *children;
    uint64_t offset;        /* of its data in the file, for messages;
                             * DIAG_NO_OFFSET when it has none */
    uint32_t first_changed; /* backend: stored sample range */
    uint32_t last_changed;
    uint64_t backend; /* backend: where its samples are */
};

struct abc_object {
    const char *name;
    const char *path;     /* "/a/b"; the top object is "/" */
    const char *metadata; /* of the source, where this is an instance */
    const struct abc_object *parent;
    uint32_t child_count;
    const struct abc_object *const *children;
    const struct abc_property *properties; /* top compound, never NULL */
    /* Instances: this object shows the contents of another one. Its children
     * are objects of their own here, with the instance's paths. */
    const char *instance_source; /* path; NULL: not an instance root */
    bool is_inside_instance;     /* an ancestor is an instance root */
    /* The object whose properties and samples these are: itself, unless it is
     * or lies inside an instance. Equal sources mean equal content. */
    const struct abc_object *source;
};

struct abc_archive {
    const char *file_name;
    const char *metadata;
    const char *container;   /* "Ogawa", "HDF5" */
    int32_t library_version; /* 10812 = 1.8.12; 9999 = not recorded */
    uint32_t sampling_count; /* >= 1; 0 is the default {1.0, [0.0]} */
    const struct abc_time_sampling *samplings;
    const struct abc_object *top;
    uint32_t object_count; /* all, the top included */
    struct diag *diag;
    void *backend;
};

/* Was the tool built with libhdf5? Else HDF5 archives are refused. */
bool abc_has_hdf5(void);

/* Open by content, not by name. NULL after a refusal (already reported). */
struct abc_archive *abc_open(const char *path, struct diag *diag);
/* The same of `bytes` at `data`, which stay the caller's and as they are until
 * abc_close. `name` is for messages. */
struct abc_archive *abc_open_memory(const char *name, const void *data,
                                    size_t bytes, struct diag *diag);
void abc_close(struct abc_archive *archive); /* NULL is legal */

/* One sample, little-endian. For Ogawa `data` points into the mapped file and
 * is not aligned, for HDF5 into the arena. Strings are NUL-separated, wide
 * strings UTF-32LE. */
struct abc_sample {
    const uint8_t *data;
    size_t bytes;           /* element_count * extent * POD size, except for
                             * strings */
    uint64_t element_count; /* product of the dimensions */
    uint32_t rank;          /* >= 1 */
    uint64_t dimensions[4]; /* ranks above 4 are refused */
    uint8_t key[16];        /* content hash as stored; zero when empty */
};

/* Read sample `index` (clamped to the last). Memory that the backend needs
 * comes from `arena`. False after a refusal; a property without samples is
 * refused. */
bool abc_read(const struct abc_archive *archive,
              const struct abc_property *property, uint32_t index,
              struct arena *arena, struct abc_sample *sample);

/* Say that the values were copied and are not looked at again: pages of the
 * file that they came from otherwise count as memory of the process for some
 * time. */
void abc_release(const struct abc_archive *archive,
                 const struct abc_sample *sample);

/* Of the samples only some are stored: sample 0 and those that differ from
 * what was before them. How many there are, and the sample that the
 * stored one `entry` belongs to: all distinct content, without repeats. */
uint32_t abc_stored_count(const struct abc_property *property);
uint32_t abc_stored_index(const struct abc_property *property, uint32_t entry);
/* The stored sample that stands for sample `index`. */
uint32_t abc_stored_entry(const struct abc_property *property, uint32_t index);
/* The first sample after `index` that is stored anew, UINT32_MAX: none. */
uint32_t abc_next_change(const struct abc_property *property, uint32_t index);

/* Find a child by name; `kind` must match. NULL when there is none. */
const struct abc_property *abc_find(const struct abc_property *compound,
                                    const char *name,
                                    enum abc_property_kind kind);
const struct abc_property *abc_find_any(const struct abc_property *compound,
                                        const char *name);

/* Value of a metadata key, copied with NUL into `value`. False: absent, or
 * longer than capacity - 1. */
bool abc_metadata_get(const char *metadata, const char *key, char *value,
                      size_t capacity);
/* Is the metadata's `key` exactly `value`? */
bool abc_metadata_is(const char *metadata, const char *key, const char *value);
bool abc_metadata_has(const char *metadata, const char *key);

/* Was the archive written by Maya? It writes centimetres, whatever unit the
 * scene shows. */
bool abc_is_by_maya(const struct abc_archive *archive);

/* "/obj/shape.geom/P" for messages: object path, property path. */
const char *abc_property_path(const struct abc_property *property,
                              struct arena *arena);

/* Refuse the stored sample that is sample `index` of a property, which it
 * names by number and time; `offset` as diag_refuse. Always false. */
__attribute__((format(printf, 6, 7))) bool abc_refuse_sample(
    const struct abc_archive *archive, const struct abc_property *property,
    uint32_t index, uint64_t offset, struct arena *arena, const char *format,
    ...);

#ifdef __clang_analyzer__ /* as in diag.h */
#define abc_refuse_sample(...) ((void)abc_refuse_sample(__VA_ARGS__), false)
#endif

/* Bytes of one POD; 0 for strings. */
uint32_t abc_pod_bytes(enum abc_pod pod);
const char *abc_pod_name(enum abc_pod pod); /* as Alembic prints them */

#endif
