/* hdf5_samplings.c - reads time samplings: attributes k.time, k.tspc and k.ttpc
 * of the root, for k = 1, 2, ... Sampling 0 is not stored.
 */
/* SPDX-License-Identifier: MIT */
#include "abc/hdf5.h"

#include "abc/validate.h"
#include "base/endian.h"

#include <string.h>

#define PLACE "time samplings"
#define ACYCLIC_SAMPLES_PER_CYCLE UINT32_MAX

/* The attributes of one sampling, as stored. */
struct stored_sampling {
    const uint8_t *times;
    uint64_t time_count;
    const uint8_t *seconds_per_cycle; /* only if seconds_count is not 0 */
    uint64_t seconds_count;
    const uint8_t *samples_per_cycle;
    uint64_t samples_count;
};

static bool read_stored(struct abc_store *store, uint32_t number,
                        struct stored_sampling *stored)
{
    struct arena *arena = &store->scratch;

    memset(stored, 0, sizeof *stored);
    return hdf5_read_root(store, arena_format(arena, "%u.time", number),
                          ABC_F64, PLACE, &stored->times,
                          &stored->time_count) &&
           (stored->time_count == 0 ||
            (hdf5_read_root(store, arena_format(arena, "%u.ttpc", number),
                            ABC_F64, PLACE, &stored->seconds_per_cycle,
                            &stored->seconds_count) &&
             hdf5_read_root(store, arena_format(arena, "%u.tspc", number),
                            ABC_U32, PLACE, &stored->samples_per_cycle,
                            &stored->samples_count)));
}

/* One sample in each cycle is not stored, unless the cycle is one second. */
static void set_type(const struct stored_sampling *stored,
                     struct abc_time_sampling *sampling)
{
    uint32_t samples =
        stored->samples_count ? spn_load_u32le(stored->samples_per_cycle) : 1;

    sampling->time_per_cycle =
        stored->seconds_count ? spn_load_f64le(stored->seconds_per_cycle) : 1.0;
    if (samples == ACYCLIC_SAMPLES_PER_CYCLE) {
        sampling->type = ABC_ACYCLIC;
        sampling->time_per_cycle = ABC_ACYCLIC_TIME;
        sampling->time_count = (uint32_t)stored->time_count;
    } else {
        sampling->type = samples == 1 ? ABC_UNIFORM : ABC_CYCLIC;
        sampling->time_count = samples;
        if (stored->samples_count && samples == 1)
            sampling->time_per_cycle = 1.0;
    }
}

static bool make_sampling(struct abc_store *store, uint32_t number,
                          const struct stored_sampling *stored,
                          struct abc_time_sampling *sampling)
{
    double *times;

    set_type(stored, sampling);
    if (sampling->time_count == 0 || sampling->time_count > stored->time_count)
        return ABC_STORE_REFUSE(store, DIAG_NO_OFFSET, PLACE,
                                "sampling %u: %u times a cycle, there are "
                                "%llu",
                                number, sampling->time_count,
                                (unsigned long long)stored->time_count);
    times = ARENA_NEW(&store->arena, double, sampling->time_count);
    for (uint32_t i = 0; i < sampling->time_count; i++)
        times[i] = spn_load_f64le(stored->times + 8 * (size_t)i);
    sampling->times = times;
    sampling->max_samples = -1;
    return abc_validate_sampling(store, DIAG_NO_OFFSET, number, sampling);
}

/* The samplings so far, in scratch memory. */
struct list {
    struct abc_time_sampling *samplings;
    uint32_t count;
    uint64_t capacity;
    uint64_t time_count;
};

static struct abc_time_sampling *add(struct list *list, struct arena *arena)
{
    list->samplings = arena_grow(arena, list->samplings, list->count,
                                 &list->capacity, sizeof *list->samplings);
    return &list->samplings[list->count++];
}

static void add_default(struct list *list, struct arena *arena)
{
    static const double zero = 0.0;

    *add(list, arena) = (struct abc_time_sampling){
        .type = ABC_UNIFORM,
        .time_per_cycle = 1.0,
        .time_count = 1,
        .times = &zero,
        .max_samples = -1,
    };
}

static bool charge(struct abc_store *store, struct list *list,
                   uint64_t time_count)
{
    list->time_count += time_count;
    if (list->count < ABC_SAMPLINGS_MAX && list->time_count <= ABC_TIMES_MAX)
        return true;
    return ABC_STORE_REFUSE(store, DIAG_NO_OFFSET, PLACE,
                            "%u samplings with %llu times or more, at most %u "
                            "and %u",
                            list->count, (unsigned long long)list->time_count,
                            ABC_SAMPLINGS_MAX, ABC_TIMES_MAX);
}

/* Old archives do not store these numbers. */
static bool read_max_samples(struct abc_store *store, struct list *list)
{
    const uint8_t *data;
    uint64_t count;

    if (!hdf5_read_root(store, "abc_max_samples", ABC_I64, PLACE, &data,
                        &count))
        return false;
    for (uint32_t i = 0; i < list->count && i < count; i++)
        list->samplings[i].max_samples =
            (int64_t)spn_load_u64le(data + 8 * (size_t)i);
    return true;
}

bool hdf5_read_samplings(struct abc_store *store)
{
    struct abc_time_sampling *samplings;
    struct stored_sampling stored;
    struct list list = {0};

    add_default(&list, &store->scratch);
    for (;;) {
        uint32_t number = list.count;

        if (!read_stored(store, number, &stored))
            return false;
        if (stored.time_count == 0)
            break;
        if (!charge(store, &list, stored.time_count) ||
            !make_sampling(store, number, &stored, add(&list, &store->scratch)))
            return false;
    }
    if (!read_max_samples(store, &list))
        return false;
    samplings = ARENA_NEW(&store->arena, struct abc_time_sampling, list.count);
    memcpy(samplings, list.samplings, list.count * sizeof *samplings);
    store->archive.samplings = samplings;
    store->archive.sampling_count = list.count;
    return true;
}
