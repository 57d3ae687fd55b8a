/* hdf5_values.c - reads numbers and strings from attributes and data sets.
 *
 * The class, size and sign of the type in the file must be those of the POD.
 * The library converts only the byte order. A data set that refers to other
 * files, or that claims more values than its bytes can hold, is refused before
 * memory is allocated for it.
 */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "abc/archive.h"
#include "abc/hdf5_library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY_BYTES 16u
/* Deflate decodes at most 258 bytes from two bits. */
#define INFLATES_BY_AT_MOST 1032u
/* A small file may hold a large mesh of equal numbers. */
#define SAMPLE_BYTES_AT_LEAST ((uint64_t)256 << 20)

/* -- types -- */

struct pod_type {
    H5T_class_t class;
    size_t bytes;
    bool has_sign;
    bool any_sign; /* characters and booleans */
};

static const struct pod_type pod_types[ABC_POD_COUNT] = {
    [ABC_BOOL] = {H5T_INTEGER, 1, false, true},
    [ABC_U8] = {H5T_INTEGER, 1, false, false},
    [ABC_I8] = {H5T_INTEGER, 1, true, false},
    [ABC_U16] = {H5T_INTEGER, 2, false, false},
    [ABC_I16] = {H5T_INTEGER, 2, true, false},
    [ABC_U32] = {H5T_INTEGER, 4, false, false},
    [ABC_I32] = {H5T_INTEGER, 4, true, false},
    [ABC_U64] = {H5T_INTEGER, 8, false, false},
    [ABC_I64] = {H5T_INTEGER, 8, true, false},
    [ABC_F16] = {H5T_FLOAT, 2, true, true},
    [ABC_F32] = {H5T_FLOAT, 4, true, true},
    [ABC_F64] = {H5T_FLOAT, 8, true, true},
    [ABC_STRING] = {H5T_INTEGER, 1, true, true},
    [ABC_WSTRING] = {H5T_INTEGER, 4, true, true},
};

/* Alembic declares 16-bit floats with the exponent bias of a 32-bit float. The
 * library would convert them to wrong numbers, so their bits are copied. */
static hid_t type_of_half(hid_t in_file)
{
    hid_t type = H5Tcopy(in_file);

    if (type >= 0 && H5Tset_order(type, H5T_ORDER_LE) < 0) {
        H5Tclose(type);
        return -1;
    }
    return type;
}

/* Return the type in memory: that of the file, little-endian. The caller closes
 * it.
 */
static hid_t memory_type(hid_t in_file, uint32_t pod)
{
    const struct pod_type *want = &pod_types[pod];

    if (pod == ABC_F16)
        return type_of_half(in_file);
    if (want->class == H5T_FLOAT)
        return H5Tcopy(want->bytes == 4 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE);
    switch (want->bytes) {
    case 1:
        return H5Tcopy(want->has_sign ? H5T_STD_I8LE : H5T_STD_U8LE);
    case 2:
        return H5Tcopy(want->has_sign ? H5T_STD_I16LE : H5T_STD_U16LE);
    case 4:
        return H5Tcopy(want->has_sign ? H5T_STD_I32LE : H5T_STD_U32LE);
    default:
        return H5Tcopy(want->has_sign ? H5T_STD_I64LE : H5T_STD_U64LE);
    }
}

static bool is_type(hid_t type, uint32_t pod)
{
    const struct pod_type *want = &pod_types[pod];

    if (H5Tget_class(type) != want->class || H5Tget_size(type) != want->bytes)
        return false;
    return want->any_sign ||
           H5Tget_sign(type) == (want->has_sign ? H5T_SGN_2 : H5T_SGN_NONE);
}

/* A string of fixed length is copied without conversion. */
static bool is_fixed_string(hid_t type, uint32_t pod)
{
    return pod == ABC_STRING && H5Tget_class(type) == H5T_STRING &&
           H5Tis_variable_str(type) == 0;
}

/* -- shapes -- */

/* An open attribute or data set. close_source closes the ids. */
struct source {
    hid_t id; /* attribute or data set */
    hid_t type;
    hid_t space;
    hid_t memory;
    uint64_t point_count;
    struct hdf5_values values;
};

static void close_source(struct source *source)
{
    if (source->memory > 0)
        H5Tclose(source->memory);
    if (source->space > 0)
        H5Sclose(source->space);
    if (source->type > 0)
        H5Tclose(source->type);
}

static bool find_shape(struct source *source, const char *name,
                       struct hdf5_reply *reply)
{
    hssize_t points;

    switch (H5Sget_simple_extent_type(source->space)) {
    case H5S_NULL:
        source->values.shape = HDF5_NO_VALUES;
        return true;
    case H5S_SCALAR:
        source->values.shape = HDF5_ONE_VALUE;
        source->point_count = 1;
        return true;
    case H5S_SIMPLE:
        points = H5Sget_simple_extent_npoints(source->space);
        if (points >= 0) {
            source->values.shape = HDF5_MANY_VALUES;
            source->point_count = (uint64_t)points;
            return true;
        }
        break;
    case H5S_NO_CLASS:
        break;
    }
    return hdf5_reply_failed(reply, name);
}

/* `source->id`, `type` and `space` are open. */
static bool validate_source(struct source *source, const char *name,
                            uint32_t pod, struct hdf5_reply *reply)
{
    uint64_t width;

    if (source->type < 0 || source->space < 0)
        return hdf5_reply_failed(reply, name);
    source->values.is_text = is_fixed_string(source->type, pod);
    if (!source->values.is_text && !is_type(source->type, pod))
        return hdf5_reply_refuse(reply, "%.128s holds something else than %s",
                                 name, abc_pod_name((enum abc_pod)pod));
    source->memory = source->values.is_text ? H5Tcopy(source->type)
                                            : memory_type(source->type, pod);
    if (source->memory < 0)
        return hdf5_reply_failed(reply, name);
    if (!find_shape(source, name, reply))
        return false;
    width = H5Tget_size(source->memory);
    if (width == 0 || source->point_count > (uint64_t)INT64_MAX / width)
        return hdf5_reply_refuse(reply, "%.128s holds %llu values", name,
                                 (unsigned long long)source->point_count);
    source->values.bytes = source->point_count * width;
    return true;
}

/* -- attributes -- */

static bool fill_from_attribute(struct source *source, const char *name,
                                struct hdf5_reply *reply)
{
    void *target;

    if (source->values.bytes > HDF5_LIST_BYTES_MAX)
        return hdf5_reply_refuse(reply, "%.128s is an attribute of %llu bytes",
                                 name,
                                 (unsigned long long)source->values.bytes);
    hdf5_reply_add(reply, &source->values, sizeof source->values);
    target = hdf5_reply_grow(reply, (size_t)source->values.bytes);
    if (source->values.bytes > 0 &&
        H5Aread(source->id, source->memory, target) < 0)
        return hdf5_reply_failed(reply, name);
    return true;
}

static bool read_open_attribute(hid_t id, const char *name, uint32_t pod,
                                struct hdf5_reply *reply)
{
    struct source source = {.id = id};
    bool is_read;

    source.type = H5Aget_type(id);
    source.space = H5Aget_space(id);
    is_read = validate_source(&source, name, pod, reply) &&
              fill_from_attribute(&source, name, reply);
    close_source(&source);
    return is_read;
}

bool hdf5_read_attribute(hid_t container, const char *name, uint32_t pod,
                         struct hdf5_reply *reply)
{
    htri_t exists = H5Aexists(container, name);
    bool is_read;
    hid_t id;

    if (exists == 0) {
        reply->outcome = HDF5_ABSENT;
        return true;
    }
    id = exists < 0 ? -1 : H5Aopen(container, name, H5P_DEFAULT);
    if (id < 0)
        return hdf5_reply_failed(reply, name);
    is_read = read_open_attribute(id, name, pod, reply);
    H5Aclose(id);
    return is_read;
}

bool hdf5_read_text(hid_t container, const char *name, char **text,
                    size_t *count, struct hdf5_reply *reply)
{
    struct hdf5_reply own = {0};
    struct hdf5_values values;
    const char *at;

    *text = NULL;
    *count = 0;
    if (!hdf5_read_attribute(container, name, ABC_STRING, &own)) {
        hdf5_reply_refuse(reply, "%.*s", (int)own.count,
                          (const char *)own.bytes);
        free(own.bytes);
        return false;
    }
    if (own.outcome == HDF5_DONE) {
        memcpy(&values, own.bytes, sizeof values);
        at = (const char *)own.bytes + sizeof values;
        *count = strnlen(at, (size_t)values.bytes);
        memmove(own.bytes, at, *count);
    }
    *text = (char *)own.bytes;
    return true;
}

/* -- data sets -- */

/* Check that all values are in this file. Called before the shape is read:
 * reading the shape of a virtual data set opens other files. */
static bool validate_layout(hid_t id, const char *name,
                            struct hdf5_reply *reply)
{
    hid_t list = H5Dget_create_plist(id);
    H5D_layout_t layout = list < 0 ? H5D_LAYOUT_ERROR : H5Pget_layout(list);
    bool is_inside = (layout == H5D_COMPACT || layout == H5D_CONTIGUOUS ||
                      layout == H5D_CHUNKED) &&
                     H5Pget_external_count(list) == 0;

    if (list >= 0)
        H5Pclose(list);
    return is_inside ||
           hdf5_reply_refuse(reply, "%.128s lies outside of the file", name);
}

static bool validate_storage(const struct source *source, const char *name,
                             uint64_t file_bytes, struct hdf5_reply *reply)
{
    uint64_t limit =
        file_bytes > SAMPLE_BYTES_AT_LEAST ? file_bytes : SAMPLE_BYTES_AT_LEAST;
    uint64_t stored = H5Dget_storage_size(source->id);

    if (source->values.bytes > limit ||
        source->values.bytes / INFLATES_BY_AT_MOST > stored)
        return hdf5_reply_refuse(reply,
                                 "%.128s claims %llu bytes, stored in %llu",
                                 name, (unsigned long long)source->values.bytes,
                                 (unsigned long long)stored);
    return true;
}

/* Read an attribute of a few numbers, if it exists. */
static bool read_few(hid_t container, const char *name, uint32_t pod,
                     void *target, size_t capacity, size_t *bytes,
                     struct hdf5_reply *reply)
{
    struct hdf5_reply own = {0};
    struct hdf5_values values;
    bool is_read = hdf5_read_attribute(container, name, pod, &own);

    *bytes = 0;
    if (!is_read)
        hdf5_reply_refuse(reply, "%.*s", (int)own.count,
                          (const char *)own.bytes);
    if (is_read && own.outcome == HDF5_DONE) {
        memcpy(&values, own.bytes, sizeof values);
        *bytes = (size_t)values.bytes;
        memcpy(target, own.bytes + sizeof values,
               *bytes < capacity ? *bytes : capacity);
    }
    free(own.bytes);
    return is_read;
}

static bool read_key(struct source *source, struct hdf5_reply *reply)
{
    size_t bytes;

    if (!read_few(source->id, "key", ABC_U8, source->values.key, KEY_BYTES,
                  &bytes, reply))
        return false;
    source->values.has_key = bytes == KEY_BYTES;
    return true;
}

static bool read_dimensions(struct source *source, hid_t container,
                            const char *name, struct hdf5_reply *reply)
{
    const size_t capacity = strlen(name) + sizeof ".dims";
    char *attribute = malloc(capacity);
    bool is_read;
    size_t bytes;

    if (!attribute)
        return hdf5_reply_refuse(reply, "out of memory");
    snprintf(attribute, capacity, "%s.dims", name);
    is_read = read_few(container, attribute, ABC_U32, source->values.dimensions,
                       sizeof source->values.dimensions, &bytes, reply);
    free(attribute);
    source->values.dimension_count =
        (uint32_t)(bytes / sizeof source->values.dimensions[0]);
    return is_read;
}

static bool fill_from_data_set(struct source *source, hid_t container,
                               const char *name, struct hdf5_reply *reply)
{
    void *target;

    if (!read_key(source, reply) ||
        !read_dimensions(source, container, name, reply))
        return false;
    hdf5_reply_add(reply, &source->values, sizeof source->values);
    target = hdf5_reply_grow(reply, (size_t)source->values.bytes);
    if (source->values.bytes > 0 && H5Dread(source->id, source->memory, H5S_ALL,
                                            H5S_ALL, H5P_DEFAULT, target) < 0)
        return hdf5_reply_failed(reply, name);
    return true;
}

static bool read_open_data_set(hid_t id, hid_t container, const char *name,
                               uint32_t pod, uint64_t file_bytes,
                               struct hdf5_reply *reply)
{
    struct source source = {.id = id};
    bool is_read;

    if (!validate_layout(id, name, reply))
        return false;
    source.type = H5Dget_type(id);
    source.space = H5Dget_space(id);
    is_read = validate_source(&source, name, pod, reply) &&
              validate_storage(&source, name, file_bytes, reply) &&
              fill_from_data_set(&source, container, name, reply);
    close_source(&source);
    return is_read;
}

bool hdf5_read_data_set(hid_t container, const char *name, uint32_t pod,
                        uint64_t file_bytes, struct hdf5_reply *reply)
{
    htri_t exists = H5Lexists(container, name, H5P_DEFAULT);
    bool is_read;
    hid_t id;

    if (exists == 0) {
        reply->outcome = HDF5_ABSENT;
        return true;
    }
    id = exists < 0 ? -1 : H5Dopen2(container, name, H5P_DEFAULT);
    if (id < 0)
        return hdf5_reply_failed(reply, name);
    is_read = read_open_data_set(id, container, name, pod, file_bytes, reply);
    H5Dclose(id);
    return is_read;
}
