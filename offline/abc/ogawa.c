/* ogawa.c - the Ogawa backend: root group, time samplings, samples.
 *
 * A sample is a data block: a 16-byte key and the values. An array has a second
 * block with its dimensions, which is empty for one dimension. Samples are not
 * copied: they point into the mapped file.
 */
/* SPDX-License-Identifier: MIT */
#include "abc/ogawa.h"

#include "abc/validate.h"
#include "base/assert.h"
#include "base/endian.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define HEADER_BYTES 16u
#define ROOT_CHILDREN 6u
#define FLAW_TEXT_BYTES 128u

/* -- blocks -- */

bool ogawa_group_at(const struct abc_store *store, uint64_t pointer,
                    const char *place, struct ogawa_group *group)
{
    uint64_t file_bytes = store->map.bytes;

    memset(group, 0, sizeof *group);
    if (pointer & OGAWA_DATA_BIT)
        return ABC_STORE_REFUSE(store, pointer & ~OGAWA_DATA_BIT, place,
                                "a data block is where a group must be");
    if (pointer == 0)
        return true;
    if (pointer < HEADER_BYTES || file_bytes < 8 || pointer > file_bytes - 8)
        return ABC_STORE_REFUSE(store, pointer, place,
                                "a group lies outside of the file of %" PRIu64
                                " bytes",
                                file_bytes);
    group->offset = pointer;
    group->count = spn_load_u64le(store->map.data + pointer);
    group->pointers = store->map.data + pointer + 8;
    if (group->count > (file_bytes - pointer - 8) / 8)
        return ABC_STORE_REFUSE(store, pointer, place,
                                "a group of %" PRIu64 " children leaves the "
                                "file of %" PRIu64 " bytes",
                                group->count, file_bytes);
    return true;
}

/* Find a data block. Returns a message if it is invalid, or NULL. data->offset
 * is set in both cases. */
static const char *validate_data(const struct abc_store *store,
                                 uint64_t pointer, struct ogawa_data *data,
                                 char text[FLAW_TEXT_BYTES])
{
    uint64_t file_bytes = store->map.bytes;
    uint64_t offset = pointer & ~OGAWA_DATA_BIT;
    uint64_t bytes;

    *data = (struct ogawa_data){.offset = offset};
    if (!(pointer & OGAWA_DATA_BIT))
        return "a group is where a data block must be";
    if (offset == 0)
        return NULL;
    if (offset < HEADER_BYTES || file_bytes < 8 || offset > file_bytes - 8) {
        snprintf(text, FLAW_TEXT_BYTES,
                 "a data block lies outside of the file of %" PRIu64 " bytes",
                 file_bytes);
        return text;
    }
    bytes = spn_load_u64le(store->map.data + offset);
    if (bytes > file_bytes - offset - 8) {
        snprintf(text, FLAW_TEXT_BYTES,
                 "a data block of %" PRIu64 " bytes leaves the file of %" PRIu64
                 " bytes",
                 bytes, file_bytes);
        return text;
    }
    data->bytes = bytes;
    data->offset = offset + 8;
    data->data = store->map.data + offset + 8;
    return NULL;
}

bool ogawa_data_at(const struct abc_store *store, uint64_t pointer,
                   const char *place, struct ogawa_data *data)
{
    char text[FLAW_TEXT_BYTES];
    const char *flaw = validate_data(store, pointer, data, text);

    return !flaw || ABC_STORE_REFUSE(store, data->offset, place, "%s", flaw);
}

uint64_t ogawa_child(const struct ogawa_group *group, uint64_t index)
{
    SPN_ASSERT(index < group->count);
    return spn_load_u64le(group->pointers + 8 * index);
}

/* -- the root -- */

/* Read a data block of the root group that is one number. */
static bool read_number(struct abc_store *store, const struct ogawa_group *root,
                        uint64_t index, const char *place, int32_t *number)
{
    struct ogawa_data data;

    if (!ogawa_data_at(store, ogawa_child(root, index), place, &data))
        return false;
    if (data.bytes < 4)
        return ABC_STORE_REFUSE(store, data.offset, place,
                                "%" PRIu64 " bytes are no number", data.bytes);
    *number = (int32_t)spn_load_u32le(data.data);
    return true;
}

/* Read one sampling, and advance *at to its end. */
static bool read_sampling(struct abc_store *store,
                          const struct ogawa_data *data, uint32_t number,
                          uint64_t *at, struct abc_time_sampling *sampling)
{
    const uint8_t *bytes = data->data + *at;
    uint64_t left = data->bytes - *at;
    uint64_t offset = data->offset + *at;
    double *times;
    uint32_t count;

    if (left < 16)
        return ABC_STORE_REFUSE(store, offset, "time samplings",
                                "sampling %u is cut off", number);
    sampling->max_samples = spn_load_u32le(bytes);
    sampling->time_per_cycle = spn_load_f64le(bytes + 4);
    count = spn_load_u32le(bytes + 12);
    if (count == 0 || count > (left - 16) / 8)
        return ABC_STORE_REFUSE(store, offset, "time samplings",
                                "sampling %u: %u times, there is room for "
                                "%" PRIu64,
                                number, count, (left - 16) / 8);
    times = ARENA_NEW(&store->arena, double, count);
    for (uint32_t i = 0; i < count; i++)
        times[i] = spn_load_f64le(bytes + 16 + 8 * (uint64_t)i);
    sampling->time_count = count;
    sampling->times = times;
    if (sampling->time_per_cycle == ABC_ACYCLIC_TIME)
        sampling->type = ABC_ACYCLIC;
    else
        sampling->type = count == 1 ? ABC_UNIFORM : ABC_CYCLIC;
    *at += 16 + 8 * (uint64_t)count;
    return abc_validate_sampling(store, offset, number, sampling);
}

static bool read_samplings(struct abc_store *store, uint64_t pointer)
{
    struct abc_time_sampling *samplings;
    struct ogawa_data data;
    uint64_t all_times = 0;
    uint32_t count = 0;
    uint64_t at = 0;

    if (!ogawa_data_at(store, pointer, "time samplings", &data))
        return false;
    /* Count the samplings. The second pass refuses a truncated one. */
    while (data.bytes - at >= 16) {
        uint64_t times = spn_load_u32le(data.data + at + 12);

        count++;
        all_times += times;
        if (count > ABC_SAMPLINGS_MAX || all_times > ABC_TIMES_MAX)
            return ABC_STORE_REFUSE(store, data.offset + at, "time samplings",
                                    "%u samplings with %" PRIu64 " times or "
                                    "more, at most %u and %u",
                                    count, all_times, ABC_SAMPLINGS_MAX,
                                    ABC_TIMES_MAX);
        if (times > (data.bytes - at - 16) / 8)
            break;
        at += 16 + 8 * times;
    }
    if (count == 0)
        return ABC_STORE_REFUSE(store, data.offset, "time samplings",
                                "there are none");
    samplings = ARENA_NEW(&store->arena, struct abc_time_sampling, count);
    at = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!read_sampling(store, &data, i, &at, &samplings[i]))
            return false;
    if (at != data.bytes)
        return ABC_STORE_REFUSE(store, data.offset + at, "time samplings",
                                "sampling %u is cut off", count);
    store->archive.samplings = samplings;
    store->archive.sampling_count = count;
    return true;
}

static bool read_indexed_metadata(struct abc_store *store, uint64_t pointer)
{
    struct ogawa *ogawa = store->archive.backend;
    const char *place = "indexed metadata";
    struct ogawa_data data;

    ogawa->metadata[0] = "";
    ogawa->metadata_count = 1;
    if (!ogawa_data_at(store, pointer, place, &data))
        return false;
    for (uint64_t at = 0; at < data.bytes;) {
        uint32_t length = data.data[at++];

        if (length > data.bytes - at)
            return ABC_STORE_REFUSE(store, data.offset + at, place,
                                    "an entry is cut off");
        /* Headers cannot name further entries. */
        if (ogawa->metadata_count < 255)
            ogawa->metadata[ogawa->metadata_count++] = arena_string(
                &store->arena, (const char *)data.data + at, length);
        at += length;
    }
    return true;
}

static bool read_root(struct abc_store *store, const struct ogawa_group *root)
{
    struct ogawa_data metadata;
    int32_t version;

    if (root->count < ROOT_CHILDREN)
        return ABC_STORE_REFUSE(store, root->offset, NULL,
                                "the root has %" PRIu64 " children, not %u",
                                root->count, ROOT_CHILDREN);
    if (!read_number(store, root, 0, "file version", &version))
        return false;
    if (version != 0)
        return ABC_STORE_REFUSE(store, root->offset, NULL,
                                "file version %d is not known", version);
    if (!read_number(store, root, 1, "library version", &version))
        return false;
    if (version < 9999)
        return ABC_STORE_REFUSE(store, root->offset, NULL,
                                "library version %d is not known", version);
    store->archive.library_version = version;
    if (!ogawa_data_at(store, ogawa_child(root, 3), "metadata", &metadata) ||
        !abc_charge_text(store, metadata.offset, "metadata", metadata.bytes))
        return false;
    store->archive.metadata = arena_string(
        &store->arena, (const char *)metadata.data, (size_t)metadata.bytes);
    return read_samplings(store, ogawa_child(root, 4)) &&
           read_indexed_metadata(store, ogawa_child(root, 5));
}

static bool ogawa_open(struct abc_store *store, struct abc_raw *top)
{
    const uint8_t *bytes = store->map.data;
    struct ogawa_group root;
    uint32_t version;

    if (store->map.bytes < HEADER_BYTES)
        return ABC_STORE_REFUSE(store, store->map.bytes, NULL,
                                "the file ends inside its header");
    if (bytes[5] != 0xff)
        return ABC_STORE_REFUSE(store, 5, NULL,
                                "was never closed by its writer");
    version = (uint32_t)bytes[6] << 8 | bytes[7];
    if (version != 1)
        return ABC_STORE_REFUSE(store, 6, NULL, "Ogawa version %u is not known",
                                version);
    store->archive.backend = ARENA_NEW(&store->arena, struct ogawa, 1);
    if (!ogawa_group_at(store, spn_load_u64le(bytes + 8), "root", &root) ||
        !read_root(store, &root))
        return false;
    top->object->metadata = store->archive.metadata;
    top->offset = ogawa_child(&root, 2);
    return ogawa_read_tree(store, ogawa_child(&root, 2), top);
}

/* -- samples -- */

/* Read rank and dimensions. An empty block means rank 0: one dimension. */
static bool read_dimensions(const struct abc_sample_place *place,
                            const struct ogawa_data *block,
                            struct abc_sample *sample)
{
    if (block->bytes % 8 != 0 || block->bytes > sizeof sample->dimensions)
        return ABC_REFUSE_PLACE(place, block->offset,
                                "%" PRIu64 " bytes of dimensions",
                                block->bytes);
    sample->rank = (uint32_t)(block->bytes / 8);
    for (uint32_t i = 0; i < sample->rank; i++)
        sample->dimensions[i] = spn_load_u64le(block->data + 8 * i);
    return true;
}

/* Find data block `child` of a property. */
static bool read_block(const struct abc_sample_place *place,
                       const struct ogawa_group *group, uint64_t child,
                       struct ogawa_data *data)
{
    uint64_t pointer = ogawa_child(group, child);
    char text[FLAW_TEXT_BYTES];
    const char *flaw = validate_data(place->store, pointer, data, text);

    if (!flaw)
        return true;
    /* An empty group has no offset: use that of its pointer. */
    return ABC_REFUSE_PLACE(
        place,
        pointer & OGAWA_DATA_BIT ? data->offset : group->offset + 8 + 8 * child,
        "%s", flaw);
}

static bool ogawa_read(const struct abc_store *store,
                       const struct abc_property *property, uint32_t entry,
                       struct arena *arena, struct abc_sample *sample)
{
    struct abc_sample_place place = {store, property, entry, arena};
    bool is_array = property->kind == ABC_ARRAY;
    uint64_t child = is_array ? 2 * (uint64_t)entry : entry;
    struct ogawa_data dimensions;
    struct ogawa_group group;
    struct ogawa_data data;

    memset(sample, 0, sizeof *sample);
    /* The group was validated when the archive was opened. */
    if (!ogawa_group_at(store, property->backend, property->name, &group) ||
        !read_block(&place, &group, child, &data) ||
        (is_array && !read_block(&place, &group, child + 1, &dimensions)))
        return false;
    sample->data = data.data;
    if (data.bytes > 0) {
        if (data.bytes < OGAWA_KEY_BYTES)
            return ABC_REFUSE_PLACE(&place, data.offset,
                                    "%" PRIu64 " bytes, its key alone has %u",
                                    data.bytes, OGAWA_KEY_BYTES);
        memcpy(sample->key, data.data, OGAWA_KEY_BYTES);
        sample->data = data.data + OGAWA_KEY_BYTES;
        sample->bytes = (size_t)(data.bytes - OGAWA_KEY_BYTES);
    }
    if (is_array && !read_dimensions(&place, &dimensions, sample))
        return false;
    return abc_validate_elements(&place, data.offset, sample);
}

const struct abc_backend abc_ogawa_backend = {
    .container = "Ogawa",
    .magic = {'O', 'g', 'a', 'w', 'a'},
    .magic_bytes = 5,
    .open = ogawa_open,
    .read = ogawa_read,
};
