/* name_table.c - search and validation of names. */
/* SPDX-License-Identifier: MIT */
#include "pak/name_table.h"

#include "base/endian.h"
#include "base/hash64.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "pak/pak_name.h"

/* Steps by interpolation before the search becomes binary. Names whose hashes
 * are spread evenly are found in fewer; with others the search stays short. */
#define INTERPOLATIONS 8u

/* -- search -- */

static uint64_t hash_at(const struct name_table *table, uint32_t row)
{
    return spn_load_u64le(name_table_row(table, row)->hash);
}

/* Rows in a part `distance` of the range of all hashes. */
static uint32_t rows_in(const struct name_table *table, uint64_t distance)
{
    return (uint32_t)((distance >> 32) * table->count >> 32);
}

/* The first row whose hash is not below `hash`. It lies in [first, limit]. Each
 * step guesses the row from the distance of the hashes. */
static uint32_t lower_bound(const struct name_table *table, uint64_t hash)
{
    uint32_t first = 0;
    uint32_t limit = table->count;
    uint32_t guess = rows_in(table, hash);

    for (uint32_t step = 0; first < limit; step++) {
        uint64_t found;

        if (step >= INTERPOLATIONS)
            guess = first + (limit - first) / 2;
        found = hash_at(table, guess);
        if (found < hash) {
            const uint32_t ahead = rows_in(table, hash - found);

            first = guess + 1;
            guess = ahead < limit - first ? first + ahead : limit - 1;
        } else {
            const uint32_t behind = rows_in(table, found - hash);

            limit = guess;
            guess = behind < limit - first ? limit - 1 - behind : first;
        }
    }
    return first;
}

uint32_t spn__name_find(const struct name_table *table, const char *name,
                        uint32_t bytes)
{
    const uint64_t hash = spn__hash64(name, bytes, NAME_HASH_SEED);

    /* Rows with equal hashes are neighbours. */
    for (uint32_t i = lower_bound(table, hash); i < table->count; i++) {
        const struct wire_named *wire = name_table_row(table, i);
        const uint32_t at = spn_load_u32le(wire->name);

        if (spn_load_u64le(wire->hash) != hash)
            break;
        if (bytes < table->name_bytes - at &&
            memcmp(table->names + at, name, bytes) == 0 &&
            table->names[at + bytes] == 0)
            return i;
    }
    return NAME_NONE;
}

/* -- validation -- */

/* The bytes of the name at `at`, without its NUL; NAME_NONE: it has no end in
 * time. */
static uint32_t name_length(const struct name_table *table, uint32_t at)
{
    const uint32_t limit = min_u32(table->name_bytes - at, PAK_NAME_BYTES_MAX);

    for (uint32_t i = 0; i < limit; i++)
        if (table->names[at + i] == 0)
            return i;
    return NAME_NONE;
}

static bool is_ordered(const struct name_walk *walk, uint64_t hash,
                       const char *name, uint32_t length)
{
    const uint64_t before = spn_load_u64le(walk->before->hash);
    int order;

    if (before != hash)
        return before < hash;
    order = memcmp(name - walk->length_before - 1, name,
                   min_u32(walk->length_before, length));
    return order < 0 || (order == 0 && walk->length_before < length);
}

spn_status spn__name_validate(const struct name_table *table, uint32_t row,
                              struct name_walk *walk,
                              const struct wire_region *region)
{
    const struct wire_named *wire = name_table_row(table, row);
    const char *name = table->names + walk->at;
    const uint32_t at = spn_load_u32le(wire->name);
    uint32_t length;
    uint64_t hash;

    if (at != walk->at)
        return spn__wire_region_refuse_unlike(region, "place of a name",
                                              wire->name, at, walk->at);
    length = name_length(table, at);
    if (length == NAME_NONE)
        return spn__wire_region_refuse(region, "end of a name", name, at);
    if (!spn__pak_name_is_good(name, length))
        return spn__wire_region_refuse(region, "name", name, length);
    hash = spn__hash64(name, length, NAME_HASH_SEED);
    if (spn_load_u64le(wire->hash) != hash)
        return spn__wire_region_refuse_unlike(region, "hash of a name",
                                              wire->hash,
                                              spn_load_u64le(wire->hash), hash);
    if (walk->before && !is_ordered(walk, hash, name, length))
        return spn__wire_region_refuse(region, "order of the names", wire->hash,
                                       hash);
    *walk = (struct name_walk){at + length + 1, wire, length};
    return SPN_OK;
}
