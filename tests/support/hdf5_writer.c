/* hdf5_writer.c - write an archive through libhdf5, in the layout described in
 * offline/abc/hdf5.h. Every error ends the test. */
/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "support/hdf5_writer.h"

#include "harness.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ACYCLIC 0xffffffffu
#define CHUNK_MAX 1000u

struct writer {
    const struct abc_archive *archive;
    struct hdf5_style style;
    struct arena arena;
};

static hid_t good(hid_t id)
{
    CHECK(id >= 0);
    return id;
}

/* -- attributes -- */

/* The type in the file. Values in memory have the archive's type. */
static hid_t type_of(const struct writer *writer, enum abc_pod pod,
                     bool is_in_file)
{
    static const char signs[ABC_POD_COUNT] = {
        [ABC_I8] = 1,  [ABC_I16] = 1,    [ABC_I32] = 1,
        [ABC_I64] = 1, [ABC_STRING] = 1, [ABC_WSTRING] = 1};
    size_t bytes = abc_pod_bytes(pod);
    hid_t type;

    if (pod == ABC_F16) { /* with the exponent bias of float, as Alembic writes
                           * it */
        type = good(H5Tcopy(H5T_IEEE_F32LE));
        CHECK(H5Tset_fields(type, 15, 10, 5, 0, 10) >= 0);
        CHECK(H5Tset_size(type, 2) >= 0);
    } else if (pod == ABC_F32 || pod == ABC_F64) {
        type = good(H5Tcopy(bytes == 4 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE));
    } else {
        if (bytes == 0)
            bytes = pod == ABC_STRING ? 1 : 4;
        type = good(H5Tcopy(signs[pod] ? H5T_STD_I8LE : H5T_STD_U8LE));
        CHECK(H5Tset_size(type, bytes) >= 0);
        CHECK(H5Tset_precision(type, 8 * bytes) >= 0);
    }
    if (is_in_file && writer->style.is_big_endian)
        CHECK(H5Tset_order(type, H5T_ORDER_BE) >= 0);
    return type;
}

static void write_numbers(const struct writer *writer, hid_t group,
                          const char *name, enum abc_pod pod,
                          const void *values, hsize_t count, bool is_scalar)
{
    hid_t in_file = type_of(writer, pod, true);
    hid_t memory = type_of(writer, pod, false);
    hid_t space = good(is_scalar ? H5Screate(H5S_SCALAR)
                                 : H5Screate_simple(1, &count, NULL));
    hid_t id =
        good(H5Acreate2(group, name, in_file, space, H5P_DEFAULT, H5P_DEFAULT));

    CHECK(H5Awrite(id, memory, values) >= 0);
    H5Aclose(id);
    H5Sclose(space);
    H5Tclose(memory);
    H5Tclose(in_file);
}

static void write_text(hid_t group, const char *name, const char *text)
{
    hid_t type = good(H5Tcopy(H5T_C_S1));
    hid_t space = good(H5Screate(H5S_SCALAR));
    hid_t id;

    CHECK(H5Tset_size(type, strlen(text) > 0 ? strlen(text) : 1) >= 0);
    id = good(H5Acreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
    CHECK(H5Awrite(id, type, text) >= 0);
    H5Aclose(id);
    H5Sclose(space);
    H5Tclose(type);
}

static const char *join(struct writer *writer, const char *name,
                        const char *ending)
{
    return arena_format(&writer->arena, "%s%s", name, ending);
}

static void write_metadata(struct writer *writer, hid_t group, const char *name,
                           const char *metadata)
{
    if (metadata[0] != 0)
        write_text(group, join(writer, name, ".meta"), metadata);
}

/* -- samples -- */

static void write_scalar(struct writer *writer, hid_t group, const char *name,
                         const struct abc_property *property,
                         const struct abc_sample *sample)
{
    hsize_t count = property->extent;

    if (property->pod == ABC_STRING && property->extent == 1) {
        write_text(group, name, (const char *)sample->data);
        return;
    }
    if (property->pod == ABC_STRING)
        count = sample->bytes;
    if (property->pod == ABC_WSTRING)
        count = sample->bytes / 4;
    write_numbers(writer, group, name, property->pod, sample->data, count,
                  count == 1);
}

static void write_dimensions(struct writer *writer, hid_t group,
                             const char *name,
                             const struct abc_property *property,
                             const struct abc_sample *sample)
{
    uint32_t dimensions[4];

    if (sample->rank == 1 && abc_pod_bytes(property->pod) != 0)
        return;
    for (uint32_t i = 0; i < sample->rank; i++)
        dimensions[i] = (uint32_t)sample->dimensions[i];
    write_numbers(writer, group, join(writer, name, ".dims"), ABC_U32,
                  dimensions, sample->rank, false);
}

static hid_t storage_of(const struct writer *writer, hsize_t count)
{
    hid_t list = good(H5Pcreate(H5P_DATASET_CREATE));
    hsize_t chunk = count < CHUNK_MAX ? count : CHUNK_MAX;

    if (writer->style.is_compressed && count > 0) {
        CHECK(H5Pset_chunk(list, 1, &chunk) >= 0);
        CHECK(H5Pset_deflate(list, 6) >= 0);
    }
    return list;
}

static void write_array(struct writer *writer, hid_t group, const char *name,
                        const struct abc_property *property,
                        const struct abc_sample *sample)
{
    hid_t in_file = type_of(writer, property->pod, true);
    hid_t memory = type_of(writer, property->pod, false);
    hsize_t count = sample->bytes / H5Tget_size(memory);
    hid_t space =
        good(count ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_NULL));
    hid_t storage = storage_of(writer, count);
    hid_t id = good(H5Dcreate2(group, name, in_file, space, H5P_DEFAULT,
                               storage, H5P_DEFAULT));

    if (count > 0)
        CHECK(H5Dwrite(id, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                       sample->data) >= 0);
    write_numbers(writer, id, "key", ABC_U8, sample->key, 16, false);
    write_dimensions(writer, group, name, property, sample);
    H5Dclose(id);
    H5Pclose(storage);
    H5Sclose(space);
    H5Tclose(memory);
    H5Tclose(in_file);
}

static void write_sample(struct writer *writer, hid_t group, const char *name,
                         const struct abc_property *property, uint32_t index)
{
    struct abc_sample sample;

    CHECK(abc_read(writer->archive, property, index, &writer->arena, &sample));
    if (property->kind == ABC_SCALAR)
        write_scalar(writer, group, name, property, &sample);
    else
        write_array(writer, group, name, property, &sample);
}

/* -- properties -- */

static void write_info(struct writer *writer, hid_t group,
                       const struct abc_property *property)
{
    uint32_t words[5] = {0};
    uint32_t count = 1;
    uint32_t last = property->sample_count - 1;

    if (property->kind != ABC_COMPOUND)
        words[0] = (property->kind == ABC_SCALAR ? 1u
                    : property->is_scalar_like   ? 3u
                                                 : 2u) |
                   (uint32_t)property->pod << 2 |
                   (uint32_t)property->extent << 8;
    if (property->kind != ABC_COMPOUND && property->sample_count > 1) {
        words[count++] = property->sample_count;
        if (property->first_changed == 1 && property->last_changed == last) {
            words[0] |= 1u << 7;
        } else if (property->first_changed > 0) {
            words[count++] = property->first_changed;
            words[count++] = property->last_changed;
        }
    }
    if (property->kind != ABC_COMPOUND && property->time_sampling > 0) {
        words[0] |= 1u << 6;
        words[count++] = property->time_sampling;
    }
    write_numbers(writer, group, join(writer, property->name, ".info"), ABC_U32,
                  words, count, false);
}

static void write_samples(struct writer *writer, hid_t group,
                          const struct abc_property *property)
{
    uint32_t stored = abc_stored_count(property);
    hid_t more;

    if (stored > 0)
        write_sample(writer, group, join(writer, property->name, ".smp0"),
                     property, 0);
    if (stored < 2)
        return;
    more = good(H5Gcreate2(group, join(writer, property->name, ".smpi"),
                           H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    for (uint32_t i = 1; i < stored; i++) {
        uint32_t index = abc_stored_index(property, i);

        write_sample(writer, more, arena_format(&writer->arena, "%04u", index),
                     property, index);
    }
    H5Gclose(more);
}

/* In reverse order, so that the order in the file is not that of the names. */
static void write_properties(struct writer *writer, hid_t group,
                             const struct abc_property *compound)
{
    for (uint32_t i = compound->child_count; i-- > 0;) {
        const struct abc_property *property = &compound->children[i];
        hid_t below;

        write_info(writer, group, property);
        write_metadata(writer, group, property->name, property->metadata);
        write_samples(writer, group, property);
        if (property->child_count == 0)
            continue;
        below = good(H5Gcreate2(group, property->name, H5P_DEFAULT, H5P_DEFAULT,
                                H5P_DEFAULT));
        write_properties(writer, below, property);
        H5Gclose(below);
    }
}

/* -- objects -- */

static void write_instance(struct writer *writer, hid_t group,
                           const char *source)
{
    const uint32_t info = 1u | ABC_STRING << 2 | 1u << 8;
    hid_t properties =
        good(H5Gcreate2(group, ".prop", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));

    write_text(group, ".prop.meta", "isInstance=1");
    write_numbers(writer, properties, ".instanceSource.info", ABC_U32, &info, 1,
                  false);
    write_text(properties, ".instanceSource.smp0", source);
    H5Gclose(properties);
}

static void write_object(struct writer *writer, hid_t parent, const char *name,
                         const struct abc_object *object)
{
    hid_t group =
        good(H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    const uint32_t none = 0;
    hid_t properties;

    if (!writer->style.is_old)
        write_numbers(writer, group, ".prop.info", ABC_U32, &none, 1, false);
    if (object->instance_source) {
        write_instance(writer, group, object->instance_source);
    } else {
        write_metadata(writer, group, ".prop", object->metadata);
        properties = good(
            H5Gcreate2(group, ".prop", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        write_properties(writer, properties, object->properties);
        H5Gclose(properties);
        for (uint32_t i = object->child_count; i-- > 0;)
            write_object(writer, group, object->children[i]->name,
                         object->children[i]);
    }
    H5Gclose(group);
}

/* -- the root -- */

static void write_sampling(struct writer *writer, hid_t root, uint32_t number)
{
    const struct abc_time_sampling *sampling =
        &writer->archive->samplings[number];
    uint32_t samples =
        sampling->type == ABC_ACYCLIC ? ACYCLIC : sampling->time_count;
    const char *name = arena_format(&writer->arena, "%u", number);

    write_numbers(writer, root, join(writer, name, ".time"), ABC_F64,
                  sampling->times, sampling->time_count, false);
    if (sampling->type != ABC_UNIFORM)
        write_numbers(writer, root, join(writer, name, ".tspc"), ABC_U32,
                      &samples, 1, true);
    if (sampling->type != ABC_ACYCLIC)
        write_numbers(writer, root, join(writer, name, ".ttpc"), ABC_F64,
                      &sampling->time_per_cycle, 1, true);
}

static void write_root(struct writer *writer, hid_t root)
{
    const struct abc_archive *archive = writer->archive;
    int32_t version = writer->style.version ? writer->style.version : -8;
    int64_t *most = ARENA_NEW(&writer->arena, int64_t, archive->sampling_count);

    if (!writer->style.has_no_version)
        write_numbers(writer, root, "abc_version", ABC_I32, &version, 1, false);
    for (uint32_t i = 0; i < archive->sampling_count; i++)
        most[i] = archive->samplings[i].max_samples;
    if (!writer->style.is_old) {
        write_numbers(writer, root, "abc_release_version", ABC_I32,
                      &archive->library_version, 1, false);
        write_numbers(writer, root, "abc_max_samples", ABC_I64, most,
                      archive->sampling_count, false);
    }
    for (uint32_t i = 1; i < archive->sampling_count; i++)
        write_sampling(writer, root, i);
}

void hdf5_write(const struct abc_archive *archive, const char *path,
                const struct hdf5_style *style)
{
    struct writer writer = {.archive = archive, .style = *style};
    hid_t access = good(H5Pcreate(H5P_FILE_ACCESS));
    hid_t file;
    hid_t root;

    arena_init(&writer.arena);
    if (style->is_latest)
        CHECK(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST,
                                   H5F_LIBVER_LATEST) >= 0);
    file = good(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access));
    root = good(H5Gopen2(file, "/", H5P_DEFAULT));
    write_root(&writer, root);
    write_object(&writer, root, "ABC", archive->top);
    H5Gclose(root);
    CHECK(H5Fclose(file) >= 0);
    H5Pclose(access);
    arena_free(&writer.arena);
}

/* -- hostile files -- */

static void add_floats(hid_t root, const char *path, hsize_t count,
                       const char *outside)
{
    const hsize_t chunk = CHUNK_MAX;
    hid_t list = good(H5Pcreate(H5P_DATASET_CREATE));
    hid_t space = good(H5Screate_simple(1, &count, NULL));
    hid_t id;

    if (outside)
        CHECK(H5Pset_external(list, outside, 0, count * 4) >= 0);
    else
        CHECK(H5Pset_chunk(list, 1, &chunk) >= 0);
    id = good(H5Dcreate2(root, path, H5T_IEEE_F32LE, space, H5P_DEFAULT, list,
                         H5P_DEFAULT));
    H5Dclose(id);
    H5Sclose(space);
    H5Pclose(list);
}

/* A virtual data set with as many values as the source file has: the reader
 * must open the source to learn the number. */
static void add_virtual(hid_t root, const char *path, const char *target)
{
    const hsize_t first = 0;
    const hsize_t stride = 1;
    const hsize_t some = 10;
    const hsize_t any = H5S_UNLIMITED;
    hid_t list = good(H5Pcreate(H5P_DATASET_CREATE));
    hid_t space = good(H5Screate_simple(1, &some, &any));
    hid_t id;

    CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, &stride, &any,
                              NULL) >= 0);
    CHECK(H5Pset_virtual(list, space, target, "/values", space) >= 0);
    id = good(H5Dcreate2(root, path, H5T_IEEE_F32LE, space, H5P_DEFAULT, list,
                         H5P_DEFAULT));
    H5Dclose(id);
    H5Sclose(space);
    H5Pclose(list);
    (void)remove(target);
    CHECK(mkfifo(target, 0600) == 0);
}

void hdf5_spoil(const char *file, const char *path, enum hdf5_spoil spoil,
                const char *target)
{
    hid_t id = good(H5Fopen(file, H5F_ACC_RDWR, H5P_DEFAULT));
    hid_t root = good(H5Gopen2(id, "/", H5P_DEFAULT));

    if (H5Lexists(root, path, H5P_DEFAULT) > 0)
        CHECK(H5Ldelete(root, path, H5P_DEFAULT) >= 0);
    switch (spoil) {
    case HDF5_SPOIL_HARD:
        CHECK(H5Lcreate_hard(root, target, root, path, H5P_DEFAULT,
                             H5P_DEFAULT) >= 0);
        break;
    case HDF5_SPOIL_SOFT:
        CHECK(H5Lcreate_soft(target, root, path, H5P_DEFAULT, H5P_DEFAULT) >=
              0);
        break;
    case HDF5_SPOIL_EXTERNAL:
        CHECK(H5Lcreate_external(target, "/", root, path, H5P_DEFAULT,
                                 H5P_DEFAULT) >= 0);
        break;
    case HDF5_SPOIL_CLAIM:
        add_floats(root, path, (hsize_t)1 << 40, NULL);
        break;
    case HDF5_SPOIL_STORAGE:
        add_floats(root, path, 10, target);
        break;
    case HDF5_SPOIL_VIRTUAL:
        add_virtual(root, path, target);
        break;
    }
    H5Gclose(root);
    CHECK(H5Fclose(id) >= 0);
}
