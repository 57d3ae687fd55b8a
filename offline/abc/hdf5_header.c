/* hdf5_header.c - interprets the words of NAME.info, the header of a property.
 *
 * Word 0 is 0 for a compound. Otherwise bits 0-1 are the kind, bits 2-5 the
 * POD, bits 8-15 the extent. Bit 6: the last word is the index of the time
 * sampling. Bit 7: no sample equals the one before it. The words between, if
 * any, are the number of samples, and the first and the last sample that
 * differs from the one before it.
 */
/* SPDX-License-Identifier: MIT */
#include "abc/hdf5.h"

#include "abc/validate.h"

#define HAS_SAMPLING (1u << 6)
#define NO_REPEATS (1u << 7)

static bool refuse_value(struct abc_store *store, uint64_t offset,
                         const char *place, const struct abc_property *property,
                         const char *what, uint32_t value)
{
    return ABC_STORE_REFUSE(store, offset, place, "%s.info: %s is %u",
                            property->name, what, value);
}

static bool read_type(struct abc_store *store, uint64_t offset,
                      const char *place, uint32_t word,
                      struct abc_property *property)
{
    static const enum abc_property_kind kinds[4] = {ABC_COMPOUND, ABC_SCALAR,
                                                    ABC_ARRAY, ABC_ARRAY};

    property->kind = kinds[word & 3];
    property->pod = (enum abc_pod)(word >> 2 & 15);
    property->extent = (uint8_t)(word >> 8);
    property->is_scalar_like = (word & 3) == 3;
    if (property->kind == ABC_COMPOUND)
        return refuse_value(store, offset, place, property, "the kind", word);
    if ((word >> 2 & 15) >= ABC_POD_COUNT)
        return refuse_value(store, offset, place, property, "the type",
                            word >> 2 & 15);
    if (property->extent == 0)
        return refuse_value(store, offset, place, property, "the extent", 0);
    return true;
}

static bool read_changes(struct abc_store *store, uint64_t offset,
                         const char *place, const struct hdf5_property *info,
                         struct abc_property *property)
{
    struct abc_changes changes = {.sample_count = info->has_sample ? 1 : 0};
    bool has_sampling = (info->words[0] & HAS_SAMPLING) != 0;
    bool has_count = info->word_count > (has_sampling ? 2u : 1u);

    if (has_count)
        changes.sample_count = info->words[1];
    abc_changes_all_or_none(&changes,
                            !has_count || !(info->words[0] & NO_REPEATS));
    if (info->word_count >= 4) {
        changes.first = info->words[2];
        changes.last = info->words[3];
    }
    if (!abc_validate_changes(store, offset, place, &changes))
        return false;
    abc_changes_store(&changes, property);
    return true;
}

bool hdf5_read_header(struct abc_store *store, uint64_t offset,
                      const char *place, const struct hdf5_property *info,
                      struct abc_property *property)
{
    uint32_t count = info->word_count;

    if (count == 0 || count > HDF5_INFO_WORDS_MAX)
        return refuse_value(store, offset, place, property,
                            "the number of words", count);
    property->offset = offset;
    if (count == 1 && info->words[0] == 0) {
        property->kind = ABC_COMPOUND;
        return true;
    }
    if (!read_type(store, offset, place, info->words[0], property) ||
        !read_changes(store, offset, place, info, property))
        return false;
    if (info->words[0] & HAS_SAMPLING)
        property->time_sampling = info->words[count - 1];
    if (property->time_sampling >= store->archive.sampling_count)
        return ABC_STORE_REFUSE(
            store, offset, place,
            "%s.info: the time sampling is %u, there are %u", property->name,
            property->time_sampling, store->archive.sampling_count);
    return true;
}
