/* archive.h - an Alembic archive as a tree of objects and properties, whatever
 * its container (Ogawa or HDF5).
 *
 * An object has child objects and a compound of properties. A property is a
 * compound of further properties, or has samples: values at successive times.
 * abc_open checks the whole structure: the tree, the time samplings and the
 * headers of all properties. Samples are read and validated on demand.
 * schema.h gives objects their meaning (mesh, transform).
 *
 * Children of objects and of compounds are sorted by name (as bytes). All
 * pointers belong to the archive and are valid until abc_close. After abc_open
 * the archive does not change: several threads may read it at once, each with
 * its own arena.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ABC_ARCHIVE_H
#define OFFLINE_ABC_ARCHIVE_H

#include "common/arena.h"
#include "common/diag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The types of single values (plain old data), numbered as in files. */
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

/* When the samples of a property are; see sampling.h for the three types. */
struct abc_time_sampling {
    enum abc_sampling_type type;
    double time_per_cycle; /* seconds */
    uint32_t time_count;   /* >= 1 */
    const double *times;   /* seconds, ascending; two may be equal */
    int64_t max_samples;   /* -1: not recorded */
};

struct abc_property {
    const char *name;     /* of an object's top compound: the object's path */
    const char *metadata; /* "key=value;key=value" as stored, never NULL */
    const struct abc_property *parent; /* NULL for an object's top compound */
    enum abc_property_kind kind;
    enum abc_pod pod;    /* unset for compounds */
    uint8_t extent;      /* values in an element, >= 1 */
    bool is_scalar_like; /* an array whose samples have one element each */
    bool is_constant;    /* the header says that all samples are equal */
    uint32_t sample_count;
    uint32_t time_sampling; /* index in the archive's samplings */
    uint32_t child_count;   /* compounds only */
    const struct abc_property *children;
    uint64_t offset;        /* of its data in the file, for messages; or
                             * DIAG_NO_OFFSET */
    uint32_t first_changed; /* the stored samples are sample 0 and this range
                             * (abc_stored_count); 0 and 0: only sample 0 */
    uint32_t last_changed;
    uint64_t backend; /* for the backend: where the samples are */
};

struct abc_object {
    const char *name;
    const char *path;     /* "/a/b"; the top object is "/" */
    const char *metadata; /* of the source, if this is an instance */
    const struct abc_object *parent;
    uint32_t child_count;
    const struct abc_object *const *children;
    const struct abc_property *properties; /* top compound, never NULL */
    /* An instance has the content of another object, its source. Its children
     * are separate objects here, with paths below the instance. */
    const char *instance_source; /* path of the source; NULL: no instance */
    bool is_inside_instance;     /* an ancestor is an instance */
    /* The object that stores the properties: this one, unless it is an instance
     * or inside one. Objects with the same source have the same content. */
    const struct abc_object *source;
};

struct abc_archive {
    const char *file_name;
    const char *metadata;
    const char *container;   /* "Ogawa", "HDF5" */
    int32_t library_version; /* 10812 is 1.8.12; 9999 is unknown */
    uint32_t sampling_count; /* >= 1; sampling 0 has a cycle of 1 s from 0 s */
    const struct abc_time_sampling *samplings;
    const struct abc_object *top;
    uint32_t object_count; /* including the top object */
    struct diag *diag;
    void *backend;
};

/* Was the tool built with libhdf5? Otherwise HDF5 archives are refused. */
bool abc_has_hdf5(void);

/* Open an archive; the container is recognized by its first bytes. Returns NULL
 * after a refusal, which is in *diag. `diag` must outlive the archive. */
struct abc_archive *abc_open(const char *path, struct diag *diag);
/* Open an archive in memory. The caller keeps `data` unchanged until abc_close.
 * `name` is for messages. */
struct abc_archive *abc_open_memory(const char *name, const void *data,
                                    size_t bytes, struct diag *diag);
/* Close an archive; NULL is legal. */
void abc_close(struct abc_archive *archive);

/* One sample, as little-endian values without alignment. `data` points into the
 * mapped file (Ogawa) or into the caller's arena (HDF5). Each string ends with
 * a zero; wide strings are UTF-32LE. */
struct abc_sample {
    const uint8_t *data;
    size_t bytes; /* element_count * extent * size of the POD, except for
                   * strings */
    uint64_t element_count; /* product of the dimensions */
    uint32_t rank;          /* >= 1 */
    uint64_t dimensions[4]; /* ranks above 4 are refused */
    uint8_t key[16];        /* hash of the content, as stored; 0 if empty */
};

/* Read sample `index`; beyond the last sample, the last one. Memory comes from
 * `arena`. Returns false after a refusal; a compound and a property without
 * samples are refused. */
bool abc_read(const struct abc_archive *archive,
              const struct abc_property *property, uint32_t index,
              struct arena *arena, struct abc_sample *sample);

/* Release a sample that is no longer used: its pages of the mapped file no
 * longer count as memory of the process. */
void abc_release(const struct abc_archive *archive,
                 const struct abc_sample *sample);

/* A file stores sample 0 and a range of later samples. Samples before that
 * range equal sample 0; samples after it equal the last of the range. An entry
 * is the index of a stored sample among the stored ones.
 *
 * abc_stored_count returns the number of entries, abc_stored_index the sample
 * number of an entry. */
uint32_t abc_stored_count(const struct abc_property *property);
uint32_t abc_stored_index(const struct abc_property *property, uint32_t entry);
/* Return the entry with the content of sample `index`. */
uint32_t abc_stored_entry(const struct abc_property *property, uint32_t index);
/* Return the first sample after `index` that has an entry of its own;
 * UINT32_MAX if there is none. */
uint32_t abc_next_change(const struct abc_property *property, uint32_t index);

/* Find a child of a compound by name and kind (abc_find_any: by name alone).
 * Returns NULL if there is none. */
const struct abc_property *abc_find(const struct abc_property *compound,
                                    const char *name,
                                    enum abc_property_kind kind);
const struct abc_property *abc_find_any(const struct abc_property *compound,
                                        const char *name);

/* Copy the value of a metadata key, with a zero byte. Returns false if the key
 * is missing, or if the value has `capacity` bytes or more. */
bool abc_metadata_get(const char *metadata, const char *key, char *value,
                      size_t capacity);
/* Is the value of `key` equal to `value`? */
bool abc_metadata_is(const char *metadata, const char *key, const char *value);
/* Does the metadata have the key? */
bool abc_metadata_has(const char *metadata, const char *key);

/* Was the archive written by Maya? Maya writes centimetres, whatever unit its
 * scene has. */
bool abc_is_by_maya(const struct abc_archive *archive);

/* Return the path of the object and of the property, for messages:
 * "/obj/shape.geom/P". */
const char *abc_property_path(const struct abc_property *property,
                              struct arena *arena);

/* Refuse sample `index` of a property; the message has its number and time.
 * `offset`: see diag_refuse. Always false. */
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
