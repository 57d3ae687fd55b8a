/* hdf5_scalars.c - numbers of scalars, read many at a time and kept.
 *
 * A transform of a thousand frames is a thousand attributes, and everybody asks
 * for them one by one, more than once. All that is kept is no larger than the
 * file. A series that cannot be read whole is read sample by sample, so that a
 * damaged sample costs that sample.
 */
/* SPDX-License-Identifier: MIT */
#include "abc/hdf5.h"

#include <string.h>

#define SERIES_MAX 1024u
#define KEPT_BYTES_AT_LEAST ((uint64_t)1 << 20)
/* What the arena adds to two allocations, at most. */
#define KEPT_PADDING 128u

static struct hdf5_place *own_place(const struct abc_property *property)
{
    return (struct hdf5_place *)(uintptr_t)property->backend;
}

const struct hdf5_place *hdf5_place_of(const struct abc_property *property)
{
    return own_place(property);
}

static size_t width_of(const struct abc_property *property)
{
    return (size_t)property->extent * abc_pod_bytes(property->pod);
}

/* kept_lock is held. False: there is no more room. */
static bool make_room(const struct abc_store *store, struct hdf5 *hdf5,
                      const struct abc_property *property)
{
    struct hdf5_place *place = own_place(property);
    uint64_t count = abc_stored_count(property);
    uint64_t limit = KEPT_BYTES_AT_LEAST + store->map.bytes;
    uint64_t bytes = count * (width_of(property) + 1) + KEPT_PADDING;

    if (place->values)
        return true;
    if (hdf5->kept.bytes >= limit || bytes > limit - hdf5->kept.bytes)
        return false;
    place->values = arena_alloc(&hdf5->kept, count * width_of(property), 1);
    place->is_there = ARENA_NEW(&hdf5->kept, bool, count);
    return true;
}

/* kept_lock is held. Others may be looking at what is there. */
static void keep(const struct abc_property *property, uint32_t entry,
                 const uint8_t *data)
{
    struct hdf5_place *place = own_place(property);
    size_t width = width_of(property);

    if (place->is_there[entry])
        return;
    memcpy(place->values + entry * width, data, width);
    place->is_there[entry] = true;
}

static const uint8_t *find_kept(struct hdf5 *hdf5,
                                const struct abc_property *property,
                                uint32_t entry)
{
    const struct hdf5_place *place = own_place(property);
    const uint8_t *data = NULL;

    pthread_mutex_lock(&hdf5->kept_lock);
    if (place->values && place->is_there[entry])
        data = place->values + entry * width_of(property);
    pthread_mutex_unlock(&hdf5->kept_lock);
    return data;
}

void hdf5_keep_scalar(const struct abc_store *store,
                      const struct abc_property *property, uint32_t entry,
                      const uint8_t *data)
{
    struct hdf5 *hdf5 = store->archive.backend;

    pthread_mutex_lock(&hdf5->kept_lock);
    if (make_room(store, hdf5, property))
        keep(property, entry, data);
    pthread_mutex_unlock(&hdf5->kept_lock);
}

/* Keep a series; false where it is not what it should be. */
static bool take_series(const struct abc_store *store,
                        const struct abc_property *property, uint32_t entry,
                        uint32_t count, const struct hdf5_bytes *payload)
{
    const uint8_t *at = payload->data;
    size_t width = width_of(property);

    if (payload->bytes != count * (sizeof(struct hdf5_values) + width))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct hdf5_values values;

        memcpy(&values, at, sizeof values);
        at += sizeof values;
        if (values.bytes != width)
            return false;
        hdf5_keep_scalar(store, property, entry + i, at);
        at += width;
    }
    return true;
}

/* Is there room, and has no series been refused? */
static bool may_ask(const struct abc_store *store,
                    const struct abc_property *property)
{
    struct hdf5 *hdf5 = store->archive.backend;
    bool may;

    pthread_mutex_lock(&hdf5->kept_lock);
    may = !own_place(property)->is_damaged && make_room(store, hdf5, property);
    pthread_mutex_unlock(&hdf5->kept_lock);
    return may;
}

static void mark_damaged(const struct abc_store *store,
                         const struct abc_property *property)
{
    struct hdf5 *hdf5 = store->archive.backend;

    pthread_mutex_lock(&hdf5->kept_lock);
    own_place(property)->is_damaged = true;
    pthread_mutex_unlock(&hdf5->kept_lock);
}

static void ask_series(const struct abc_store *store,
                       const struct abc_property *property, uint32_t entry,
                       struct arena *arena)
{
    uint32_t count = abc_stored_count(property) - entry;
    struct hdf5_bytes payload;
    struct hdf5_question question = {
        .verb = HDF5_SERIES,
        .pod = property->pod,
        .group = hdf5_place_of(property)->group,
        .name = "",
        .first = abc_stored_index(property, entry),
    };

    if (count > SERIES_MAX)
        count = SERIES_MAX;
    question.count = count;
    question.container = arena_format(arena, "%s.smpi", property->name);
    if (hdf5_ask(store, &question, arena, &payload) != HDF5_DONE ||
        !take_series(store, property, entry, count, &payload))
        mark_damaged(store, property);
}

bool hdf5_kept_scalar(const struct abc_store *store,
                      const struct abc_property *property, uint32_t entry,
                      struct arena *arena, const uint8_t **data)
{
    struct hdf5 *hdf5 = store->archive.backend;

    *data = find_kept(hdf5, property, entry);
    if (*data || entry == 0 || !may_ask(store, property))
        return *data != NULL;
    ask_series(store, property, entry, arena);
    *data = find_kept(hdf5, property, entry);
    return *data != NULL;
}
