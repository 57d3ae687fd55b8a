/* vertices.c - hashes, classes, and the comparison that makes them true.
 *
 * Classes are numbered by their first corner, so the numbers depend on the
 * mesh alone, not on the hash. Values are compared as numbers: 0 and -0 are
 * equal (and hash alike); validation has refused NaN.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/mesh/vertices.h"

#include <string.h>

/* splitmix64's finisher: each input bit changes about half of the output. */
static uint64_t mix(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    x ^= x >> 31;
    return x;
}

void vertices_begin(struct vertices *vertices, const uint32_t *points,
                    uint32_t corner_count, struct arena *arena)
{
    *vertices = (struct vertices){0};
    vertices->corner_count = corner_count;
    vertices->points = points;
    vertices->hash_mask = UINT64_MAX;
    vertices->hash = ARENA_NEW(arena, uint64_t, corner_count);
    vertices->class_of = ARENA_NEW(arena, uint32_t, corner_count);
    vertices->first_of = ARENA_NEW(arena, uint32_t, corner_count);
    vertices->is_apart = ARENA_NEW(arena, uint8_t, corner_count);
    for (uint32_t i = 0; i < corner_count; i++)
        vertices->hash[i] = mix(points[i] + UINT64_C(0x9e3779b97f4a7c15));
}

static const float *value_of(const struct corner_values *values,
                             uint32_t corner)
{
    uint32_t value = values->index ? values->index[corner] : corner;

    return values->values + (size_t)value * values->extent;
}

void vertices_hash(struct vertices *vertices,
                   const struct corner_values *values)
{
    for (uint32_t i = 0; i < vertices->corner_count; i++) {
        const float *value = value_of(values, i);
        uint64_t hash = vertices->hash[i];

        for (uint32_t k = 0; k < values->extent; k++) {
            float number = value[k] + 0.0f; /* makes -0 a 0 */
            uint32_t bits;

            memcpy(&bits, &number, sizeof bits);
            hash = mix(hash + bits + UINT64_C(0x9e3779b97f4a7c15));
        }
        vertices->hash[i] = hash;
    }
}

/* An open-addressed table from hash and point to class. */
struct table {
    uint32_t *slots; /* class + 1; 0: free */
    uint32_t mask;
};

static struct table table_new(uint32_t count, struct arena *scratch)
{
    struct table table = {NULL, 15};

    while (table.mask / 2 < count)
        table.mask = table.mask * 2 + 1;
    table.slots = ARENA_NEW(scratch, uint32_t, (size_t)table.mask + 1);
    return table;
}

static bool is_alike(const struct vertices *vertices, uint32_t a, uint32_t b)
{
    return vertices->points[a] == vertices->points[b] &&
           ((vertices->hash[a] ^ vertices->hash[b]) & vertices->hash_mask) == 0;
}

void vertices_group(struct vertices *vertices, struct arena *scratch)
{
    struct table table = table_new(vertices->corner_count, scratch);

    vertices->class_count = 0;
    for (uint32_t i = 0; i < vertices->corner_count; i++) {
        uint64_t hash = vertices->hash[i] & vertices->hash_mask;
        uint32_t at = (uint32_t)mix(hash + vertices->points[i]) & table.mask;

        while (table.slots[at] != 0 &&
               !is_alike(vertices, vertices->first_of[table.slots[at] - 1], i))
            at = (at + 1) & table.mask;
        if (table.slots[at] == 0) {
            vertices->first_of[vertices->class_count] = i;
            table.slots[at] = ++vertices->class_count;
        }
        vertices->class_of[i] = table.slots[at] - 1;
    }
}

void vertices_compare(struct vertices *vertices,
                      const struct corner_values *values)
{
    for (uint32_t i = 0; i < vertices->corner_count; i++) {
        uint32_t first = vertices->first_of[vertices->class_of[i]];
        const float *a = value_of(values, first);
        const float *b = value_of(values, i);

        if (first == i || a == b || vertices->is_apart[i])
            continue;
        for (uint32_t k = 0; k < values->extent; k++)
            if (a[k] != b[k]) {
                vertices->is_apart[i] = 1;
                vertices->lies++;
                break;
            }
    }
}

/* The corners that stand apart from their class become a class of their own,
 * to be compared among themselves. Each round settles at least the first
 * corner of every class, so rounds end; with 64 bits there is one. */
bool vertices_settle(struct vertices *vertices, struct arena *scratch)
{
    uint32_t *heir;
    uint32_t count = 0;

    if (vertices->lies == 0)
        return true;
    /* Renumber: class of the corners that agree, heir of those that do not,
     * all by first use. */
    heir = ARENA_NEW(scratch, uint32_t, 2 * (size_t)vertices->class_count);
    for (uint32_t i = 0; i < vertices->corner_count; i++) {
        size_t old = 2 * (size_t)vertices->class_of[i] + vertices->is_apart[i];

        if (heir[old] == 0) {
            vertices->first_of[count] = i;
            heir[old] = ++count;
        }
        vertices->class_of[i] = heir[old] - 1;
    }
    vertices->class_count = count;
    vertices->lies = 0;
    memset(vertices->is_apart, 0, vertices->corner_count);
    return false;
}

/* The vertices made so far, found by class and part. */
static uint32_t slot_of(const struct table *table, const uint32_t *class_of,
                        const uint32_t *part_of, uint32_t class_index,
                        uint32_t part)
{
    uint64_t key = (uint64_t)class_index << 32 | part;
    uint32_t at = (uint32_t)mix(key) & table->mask;

    while (table->slots[at] != 0 &&
           (class_of[table->slots[at] - 1] != class_index ||
            part_of[table->slots[at] - 1] != part))
        at = (at + 1) & table->mask;
    return at;
}

uint32_t vertices_divide(const struct vertices *vertices,
                         const uint32_t *corners, const uint32_t *parts,
                         uint32_t count, struct arena *scratch,
                         uint32_t *vertex_of, uint32_t *class_of,
                         uint32_t *part_of)
{
    struct table table = table_new(count, scratch);
    uint32_t *any = ARENA_NEW(scratch, uint32_t, vertices->class_count);
    uint32_t vertex_count = 0;

    for (uint32_t i = 0; i < vertices->class_count; i++)
        any[i] = VERTICES_NONE;
    for (uint32_t i = count; i-- > 0;)
        if (parts[i] != VERTICES_NONE)
            any[vertices->class_of[corners[i]]] = parts[i];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t class_index = vertices->class_of[corners[i]];
        uint32_t part = parts[i];
        uint32_t at;

        if (part == VERTICES_NONE)
            part = any[class_index];
        at = slot_of(&table, class_of, part_of, class_index, part);
        if (table.slots[at] == 0) {
            class_of[vertex_count] = class_index;
            part_of[vertex_count] = part;
            table.slots[at] = ++vertex_count;
        }
        vertex_of[i] = table.slots[at] - 1;
    }
    return vertex_count;
}
