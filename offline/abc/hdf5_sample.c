/* hdf5_sample.c - reads samples: attributes for scalars, data sets for arrays.
 *
 * Sample 0 is NAME.smp0 in the compound's group. Further stored samples are
 * 0001, 0002, ... in its group NAME.smpi, named by the number of the sample.
 */
/* SPDX-License-Identifier: MIT */
#include "abc/hdf5.h"

#include "abc/validate.h"

#include <string.h>

static void name_sample(const struct abc_sample_place *place,
                        struct hdf5_query *query)
{
    const char *name = place->property->name;
    uint32_t index = abc_stored_index(place->property, place->entry);

    query->container = "";
    query->name = arena_format(place->arena, "%s.smp0", name);
    if (place->entry == 0)
        return;
    query->container = arena_format(place->arena, "%s.smpi", name);
    query->name = arena_format(place->arena, HDF5_SAMPLE_NAME, index);
}

/* Return the size in bytes of `count` strings that each end with a zero of
 * `width` bytes. The zero of the last one may be among the spare bytes after
 * the data. */
static size_t measure_strings(const uint8_t *data, size_t bytes, size_t width,
                              uint32_t count)
{
    size_t at = 0;

    for (uint32_t i = 0; i < count && at <= bytes; i++) {
        uint8_t any = 1;

        while (at < bytes && any) {
            any = 0;
            for (size_t k = 0; k < width && at + k < bytes; k++)
                any |= data[at + k];
            at += any ? width : 0;
        }
        at += width;
    }
    return at;
}

/* A string of fixed length has at least the length of its text. */
static void trim_text(const struct abc_property *property,
                      struct abc_sample *sample)
{
    size_t width = property->pod == ABC_WSTRING ? 4 : 1;

    sample->bytes -= sample->bytes % width;
    sample->bytes =
        measure_strings(sample->data, sample->bytes, width, property->extent);
}

static bool take_dimensions(const struct abc_sample_place *place,
                            const struct hdf5_values *values,
                            struct abc_sample *sample)
{
    if (values->dimension_count > HDF5_DIMENSIONS_MAX)
        return ABC_REFUSE_PLACE(place, place->property->offset, "%u dimensions",
                                values->dimension_count);
    sample->rank = values->dimension_count;
    for (uint32_t i = 0; i < sample->rank; i++)
        sample->dimensions[i] = values->dimensions[i];
    return true;
}

/* Returns false after a refusal. */
static bool query_values(const struct abc_sample_place *place,
                         struct hdf5_values *values, const uint8_t **data)
{
    const struct abc_property *property = place->property;
    struct hdf5_query query = {
        .verb = property->kind == ABC_ARRAY ? HDF5_DATA_SET : HDF5_ATTRIBUTE,
        .pod = property->pod,
        .group = hdf5_location_of(property)->group,
    };
    enum hdf5_outcome outcome;

    name_sample(place, &query);
    outcome =
        hdf5_query_values(place->store, &query, place->arena, values, data);
    if (outcome == HDF5_ABSENT)
        return ABC_REFUSE_PLACE(place, property->offset, "is not in the file");
    return outcome == HDF5_DONE ||
           ABC_REFUSE_PLACE(place, property->offset, "%s", (const char *)*data);
}

static bool read_scalar(const struct abc_sample_place *place,
                        struct abc_sample *sample)
{
    const struct abc_property *property = place->property;
    bool is_text = abc_pod_bytes(property->pod) == 0;
    struct hdf5_values values;

    sample->bytes = (size_t)property->extent * abc_pod_bytes(property->pod);
    if (is_text || !hdf5_cached_scalar(place->store, property, place->entry,
                                       place->arena, &sample->data)) {
        if (!query_values(place, &values, &sample->data))
            return false;
        sample->bytes = (size_t)values.bytes;
        if (is_text)
            trim_text(property, sample);
    }
    if (!abc_validate_elements(place, property->offset, sample))
        return false;
    if (!is_text)
        hdf5_cache_scalar(place->store, property, place->entry, sample->data);
    return true;
}

static bool read_array(const struct abc_sample_place *place,
                       struct abc_sample *sample)
{
    struct hdf5_values values;

    if (!query_values(place, &values, &sample->data))
        return false;
    sample->bytes = (size_t)values.bytes;
    if (sample->bytes > 0 && values.has_key)
        memcpy(sample->key, values.key, sizeof sample->key);
    return take_dimensions(place, &values, sample) &&
           abc_validate_elements(place, place->property->offset, sample);
}

bool hdf5_read_sample(const struct abc_store *store,
                      const struct abc_property *property, uint32_t entry,
                      struct arena *arena, struct abc_sample *sample)
{
    const struct abc_sample_place place = {store, property, entry, arena};

    memset(sample, 0, sizeof *sample);
    return property->kind == ABC_ARRAY ? read_array(&place, sample)
                                       : read_scalar(&place, sample);
}
