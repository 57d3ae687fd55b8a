/* hdf5_scalars.c - caches samples of scalars, and reads many of them at once.
 *
 * In HDF5, each sample of a transform is an attribute of its own. Callers read
 * them one by one, and often twice. One query therefore reads a sample and all
 * later ones (a series). The cache is not larger than the file and
 * CACHE_BYTES_AT_LEAST. If a series cannot be read, samples are read one by
 * one, so that a damaged sample affects no other.
 */
/* SPDX-License-Identifier: MIT */
#include "abc/hdf5.h"

#include <string.h>

#define SERIES_MAX 1024u
#define CACHE_BYTES_AT_LEAST ((uint64_t)1 << 20)
/* The padding of two allocations in an arena, at most. */
#define CACHE_PADDING 128u

static struct hdf5_location *own_location(const struct abc_property *property)
{
    return (struct hdf5_location *)(uintptr_t)property->backend;
}

const struct hdf5_location *hdf5_location_of(
    const struct abc_property *property)
{
    return own_location(property);
}

static size_t width_of(const struct abc_property *property)
{
    return (size_t)property->extent * abc_pod_bytes(property->pod);
}

/* Allocate the arrays of a scalar. cache_lock is held. Returns false if the
 * cache is full. */
static bool make_room(const struct abc_store *store, struct hdf5 *hdf5,
                      const struct abc_property *property)
{
    struct hdf5_location *location = own_location(property);
    uint64_t count = abc_stored_count(property);
    uint64_t limit = CACHE_BYTES_AT_LEAST + store->map.bytes;
    uint64_t bytes = count * (width_of(property) + 1) + CACHE_PADDING;

    if (location->values)
        return true;
    if (hdf5->cache.bytes >= limit || bytes > limit - hdf5->cache.bytes)
        return false;
    location->values = arena_alloc(&hdf5->cache, count * width_of(property), 1);
    location->is_present = ARENA_NEW(&hdf5->cache, bool, count);
    return true;
}

/* cache_lock is held. Other threads may read samples that are present, so these
 * are not written again. */
static void store_sample(const struct abc_property *property, uint32_t entry,
                         const uint8_t *data)
{
    struct hdf5_location *location = own_location(property);
    size_t width = width_of(property);

    if (location->is_present[entry])
        return;
    memcpy(location->values + entry * width, data, width);
    location->is_present[entry] = true;
}

static const uint8_t *find_cached(struct hdf5 *hdf5,
                                  const struct abc_property *property,
                                  uint32_t entry)
{
    const struct hdf5_location *location = own_location(property);
    const uint8_t *data = NULL;

    pthread_mutex_lock(&hdf5->cache_lock);
    if (location->values && location->is_present[entry])
        data = location->values + entry * width_of(property);
    pthread_mutex_unlock(&hdf5->cache_lock);
    return data;
}

void hdf5_cache_scalar(const struct abc_store *store,
                       const struct abc_property *property, uint32_t entry,
                       const uint8_t *data)
{
    struct hdf5 *hdf5 = store->archive.backend;

    pthread_mutex_lock(&hdf5->cache_lock);
    if (make_room(store, hdf5, property))
        store_sample(property, entry, data);
    pthread_mutex_unlock(&hdf5->cache_lock);
}

/* Add a series to the cache. Returns false if its size is wrong. */
static bool cache_series(const struct abc_store *store,
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
        hdf5_cache_scalar(store, property, entry + i, at);
        at += width;
    }
    return true;
}

/* Is there room in the cache, and has no series of the property failed? */
static bool can_read_series(const struct abc_store *store,
                            const struct abc_property *property)
{
    struct hdf5 *hdf5 = store->archive.backend;
    bool may;

    pthread_mutex_lock(&hdf5->cache_lock);
    may =
        !own_location(property)->is_damaged && make_room(store, hdf5, property);
    pthread_mutex_unlock(&hdf5->cache_lock);
    return may;
}

static void mark_damaged(const struct abc_store *store,
                         const struct abc_property *property)
{
    struct hdf5 *hdf5 = store->archive.backend;

    pthread_mutex_lock(&hdf5->cache_lock);
    own_location(property)->is_damaged = true;
    pthread_mutex_unlock(&hdf5->cache_lock);
}

static void read_series(const struct abc_store *store,
                        const struct abc_property *property, uint32_t entry,
                        struct arena *arena)
{
    uint32_t count = abc_stored_count(property) - entry;
    struct hdf5_bytes payload;
    struct hdf5_query query = {
        .verb = HDF5_SERIES,
        .pod = property->pod,
        .group = hdf5_location_of(property)->group,
        .name = "",
        .first = abc_stored_index(property, entry),
    };

    if (count > SERIES_MAX)
        count = SERIES_MAX;
    query.count = count;
    query.container = arena_format(arena, "%s.smpi", property->name);
    if (hdf5_query_run(store, &query, arena, &payload) != HDF5_DONE ||
        !cache_series(store, property, entry, count, &payload))
        mark_damaged(store, property);
}

bool hdf5_cached_scalar(const struct abc_store *store,
                        const struct abc_property *property, uint32_t entry,
                        struct arena *arena, const uint8_t **data)
{
    struct hdf5 *hdf5 = store->archive.backend;

    *data = find_cached(hdf5, property, entry);
    if (*data || entry == 0 || !can_read_series(store, property))
        return *data != NULL;
    read_series(store, property, entry, arena);
    *data = find_cached(hdf5, property, entry);
    return *data != NULL;
}
