/* validate.c - validates samplings, headers and samples of any container. */
/* SPDX-License-Identifier: MIT */
#include "abc/validate.h"

#include "abc/sampling.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool abc_enter(struct abc_store *store, uint64_t address, const char *place,
               const struct abc_inside *outer, struct abc_inside *inside)
{
    inside->outer = outer;
    inside->address = address;
    inside->depth = outer ? outer->depth + 1 : 0;
    if (inside->depth >= ABC_DEPTH_MAX)
        return ABC_STORE_REFUSE(store, address, place,
                                "groups are nested deeper than %u",
                                ABC_DEPTH_MAX);
    for (; address > 0 && outer; outer = outer->outer)
        if (outer->address == address)
            return ABC_STORE_REFUSE(store, address, place,
                                    "a group contains itself");
    return true;
}

/* -- time samplings -- */

bool abc_validate_sampling(struct abc_store *store, uint64_t offset,
                           uint32_t number,
                           const struct abc_time_sampling *sampling)
{
    const char *place = "time samplings";
    const double *times = sampling->times;
    uint32_t count = sampling->time_count;
    double cycle = sampling->time_per_cycle;
    char text[ABC_NUMBER_BYTES];

    for (uint32_t i = 0; i < count; i++) {
        if (!isfinite(times[i]))
            return ABC_STORE_REFUSE(store, offset, place,
                                    "sampling %u: time %u is %s", number, i,
                                    abc_number_text(times[i], 17, text));
        if (i > 0 && times[i] < times[i - 1])
            return ABC_STORE_REFUSE(store, offset, place,
                                    "sampling %u: time %u, %.17g, is before "
                                    "%.17g",
                                    number, i, times[i], times[i - 1]);
    }
    if (sampling->type == ABC_ACYCLIC)
        return true;
    if (!(cycle > 0.0) || !(cycle < ABC_ACYCLIC_TIME))
        return ABC_STORE_REFUSE(store, offset, place,
                                "sampling %u: %s seconds per cycle", number,
                                abc_number_text(cycle, 17, text));
    if (times[count - 1] - times[0] > cycle * (1.0 + 1e-9))
        return ABC_STORE_REFUSE(store, offset, place,
                                "sampling %u: the times of a cycle last "
                                "%.17g seconds, longer than the cycle, %.17g",
                                number, times[count - 1] - times[0], cycle);
    return true;
}

/* -- headers -- */

void abc_changes_all_or_none(struct abc_changes *changes, bool is_constant)
{
    uint32_t count = changes->sample_count;

    changes->first = is_constant ? 0 : 1;
    changes->last = is_constant || count == 0 ? 0 : count - 1;
}

bool abc_validate_changes(struct abc_store *store, uint64_t offset,
                          const char *place, struct abc_changes *changes)
{
    uint32_t count = changes->sample_count;

    changes->is_constant = changes->first == 0;
    if (count <= 1) { /* there are no samples after sample 0 */
        changes->first = changes->last = 0;
        return true;
    }
    if (changes->last >= count || changes->first > changes->last ||
        (changes->first == 0 && changes->last != 0))
        return ABC_STORE_REFUSE(
            store, offset, place,
            "a property's samples change from %u to %u, there are %u",
            changes->first, changes->last, count);
    return true;
}

void abc_changes_store(const struct abc_changes *changes,
                       struct abc_property *property)
{
    property->sample_count = changes->sample_count;
    property->first_changed = changes->first;
    property->last_changed = changes->last;
    property->is_constant = changes->is_constant;
}

static int compare_names(const void *a, const void *b)
{
    const struct abc_property *left = a;
    const struct abc_property *right = b;
    int order = strcmp(left->name, right->name);

    if (order == 0)
        order =
            (left->backend > right->backend) - (left->backend < right->backend);
    return order;
}

void abc_sort_properties(struct abc_property *properties, uint32_t count)
{
    if (count > 1)
        qsort(properties, count, sizeof properties[0], compare_names);
}

/* -- samples -- */

/* Count strings, each of which ends with a zero of `width` bytes. */
static uint64_t count_strings(const uint8_t *data, uint64_t bytes,
                              uint32_t width)
{
    uint64_t count = 0;

    for (uint64_t at = 0; at + width <= bytes; at += width) {
        uint8_t any = 0;

        for (uint32_t i = 0; i < width; i++)
            /* NOLINTNEXTLINE(clang-analyzer-*): no data has no bytes. */
            any |= data[at + i];
        count += any == 0;
    }
    return count;
}

/* Count the elements. Returns false if the last one is not whole. */
static bool count_elements(const struct abc_sample_place *place,
                           uint64_t offset, const struct abc_sample *sample,
                           uint64_t *count)
{
    const struct abc_property *property = place->property;
    uint64_t pod_bytes = abc_pod_bytes(property->pod);
    uint64_t element = property->extent * pod_bytes;
    uint64_t pods;

    if (pod_bytes != 0) {
        if (sample->bytes % element != 0)
            return ABC_REFUSE_PLACE(
                place, offset, "%zu bytes are not whole elements of %" PRIu64,
                sample->bytes, element);
        *count = sample->bytes / element;
        return true;
    }
    pod_bytes = property->pod == ABC_WSTRING ? 4 : 1;
    pods = count_strings(sample->data, sample->bytes, (uint32_t)pod_bytes);
    if (sample->bytes % pod_bytes != 0 || pods % property->extent != 0)
        return ABC_REFUSE_PLACE(
            place, offset, "%" PRIu64 " strings are not whole elements", pods);
    *count = pods / property->extent;
    return true;
}

static bool multiply_dimensions(const struct abc_sample_place *place,
                                uint64_t offset,
                                const struct abc_sample *sample,
                                uint64_t *product)
{
    *product = 1;
    for (uint32_t i = 0; i < sample->rank; i++) {
        uint64_t n = sample->dimensions[i];

        if (n != 0 && *product > UINT64_MAX / n)
            return ABC_REFUSE_PLACE(place, offset, "dimension %u is %" PRIu64,
                                    i, n);
        *product *= n;
    }
    return true;
}

bool abc_validate_elements(const struct abc_sample_place *place,
                           uint64_t offset, struct abc_sample *sample)
{
    uint64_t count = 0;
    uint64_t expected;

    if (!count_elements(place, offset, sample, &count))
        return false;
    if (sample->rank == 0) {
        sample->rank = 1;
        sample->dimensions[0] = count;
    }
    if (!multiply_dimensions(place, offset, sample, &expected))
        return false;
    if (place->property->kind == ABC_SCALAR)
        expected = 1;
    if (count != expected)
        return ABC_REFUSE_PLACE(place, offset,
                                "%" PRIu64 " elements, not %" PRIu64, count,
                                expected);
    sample->element_count = count;
    return true;
}
