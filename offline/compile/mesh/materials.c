/* materials.c - ids of face sets, sets of faces, triangles by material. */
/* SPDX-License-Identifier: MIT */
#include "compile/mesh/materials.h"

#include "common/digits.h"

#include <stdlib.h>
#include <string.h>

bool material_number(const char *name, uint32_t *number)
{
    uint64_t value;

    while (*name != '\0' && (*name < '0' || *name > '9'))
        name++;
    if (!digits_parse(&name, MATERIAL_ID_MAX, &value))
        return false;
    *number = (uint32_t)value;
    return true;
}

/* -- names -- */

void material_names_begin(struct material_names *names, struct arena *arena)
{
    *names = (struct material_names){.arena = arena, .capacity = 64};
    names->names = ARENA_NEW(arena, const char *, names->capacity);
    names->slot_mask = 2 * names->capacity - 1;
    names->slots = ARENA_NEW(arena, uint32_t, (size_t)names->slot_mask + 1);
}

/* FNV-1a. Results do not depend on the hash, which only selects slots. */
static uint32_t hash_name(const char *name)
{
    uint32_t hash = 2166136261u;

    for (; *name != '\0'; name++)
        hash = (hash ^ (uint8_t)*name) * 16777619u;
    return hash;
}

static uint32_t *find_slot(const struct material_names *names, const char *name)
{
    uint32_t at = hash_name(name) & names->slot_mask;

    while (names->slots[at] != 0 &&
           strcmp(names->names[names->slots[at] - 1], name) != 0)
        at = (at + 1) & names->slot_mask;
    return &names->slots[at];
}

static void grow(struct material_names *names)
{
    const char **old = names->names;

    names->capacity *= 2;
    names->names = ARENA_NEW(names->arena, const char *, names->capacity);
    names->slot_mask = 2 * names->capacity - 1;
    names->slots =
        ARENA_NEW(names->arena, uint32_t, (size_t)names->slot_mask + 1);
    for (uint32_t i = 0; i < names->count; i++) {
        names->names[i] = old[i];
        *find_slot(names, old[i]) = i + 1;
    }
}

void material_names_add(struct material_names *names, const char *name)
{
    if (*find_slot(names, name) != 0)
        return;
    if (names->count == names->capacity)
        grow(names);
    *find_slot(names, name) = names->count + 1;
    names->names[names->count++] = name;
}

bool material_names_finish(struct material_names *names,
                           const char **unnumbered)
{
    uint8_t *is_taken =
        ARENA_NEW(names->arena, uint8_t, (size_t)MATERIAL_ID_MAX + 1);
    uint32_t next = 1;
    uint32_t number;

    names->ids = ARENA_NEW(names->arena, uint32_t, names->count);
    for (uint32_t i = 0; i < names->count; i++)
        if (material_number(names->names[i], &number))
            is_taken[number] = 1;
    for (uint32_t i = 0; i < names->count; i++) {
        if (!material_number(names->names[i], &number)) {
            while (next <= MATERIAL_ID_MAX && is_taken[next])
                next++;
            if (next > MATERIAL_ID_MAX) {
                *unnumbered = names->names[i];
                return false;
            }
            number = next++;
        }
        names->ids[i] = number;
    }
    return true;
}

uint32_t material_names_id(const struct material_names *names, const char *name)
{
    return names->ids[*find_slot(names, name) - 1];
}

/* -- faces -- */

void materials_assign(const struct material_set *sets, uint32_t set_count,
                      uint32_t face_count, struct arena *arena,
                      struct material_faces *out)
{
    *out = (struct material_faces){0};
    out->set_of = ARENA_NEW(arena, uint32_t, face_count);
    for (uint32_t f = 0; f < face_count; f++)
        out->set_of[f] = MATERIAL_NONE;
    for (uint32_t s = 0; s < set_count; s++)
        for (uint32_t i = 0; i < sets[s].face_count; i++) {
            int32_t face = sets[s].faces[i];

            if (face < 0 || (uint32_t)face >= face_count) {
                if (out->outside_count++ == 0) {
                    out->outside_face = face;
                    out->outside_set = s;
                }
                continue;
            }
            if (out->set_of[face] == MATERIAL_NONE) {
                out->set_of[face] = s;
            } else if (out->set_of[face] != s && out->twice_count++ == 0) {
                out->twice_face = (uint32_t)face;
                out->twice_set = s;
            }
        }
}

struct ranked {
    uint32_t set;
    uint32_t id;
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *r = a;
    const struct ranked *s = b;

    if (r->id != s->id)
        return r->id < s->id ? -1 : 1;
    return r->set < s->set ? -1 : r->set > s->set;
}

void materials_order(const struct material_set *sets, uint32_t set_count,
                     const uint32_t *set_of_face,
                     const uint32_t *face_of_triangle, uint32_t triangle_count,
                     struct arena *arena, struct arena *scratch,
                     struct material_order *out)
{
    /* `count` and `at`: item 0 is for the faces in no set, item s + 1 for set
     * s. */
    struct ranked *ranked = ARENA_NEW(scratch, struct ranked, set_count);
    uint32_t *count = ARENA_NEW(scratch, uint32_t, (size_t)set_count + 1);
    uint32_t *at = ARENA_NEW(scratch, uint32_t, (size_t)set_count + 1);
    uint32_t first = 0;

    out->triangles = ARENA_NEW(arena, uint32_t, triangle_count);
    out->ranges =
        ARENA_NEW(arena, struct material_range, (size_t)set_count + 1);
    out->range_count = 0;
    for (uint32_t t = 0; t < triangle_count; t++)
        count[set_of_face[face_of_triangle[t]] + 1]++;
    for (uint32_t s = 0; s < set_count; s++) {
        ranked[s].set = s;
        ranked[s].id = sets[s].id;
    }
    qsort(ranked, set_count, sizeof *ranked, compare_ranked);
    for (uint32_t i = 0; i <= set_count; i++) {
        uint32_t set = i == 0 ? MATERIAL_NONE : ranked[i - 1].set;
        struct material_range range = {set, first, count[set + 1]};

        if (range.triangle_count == 0)
            continue;
        at[set + 1] = first;
        first += range.triangle_count;
        out->ranges[out->range_count++] = range;
    }
    for (uint32_t t = 0; t < triangle_count; t++)
        out->triangles[at[set_of_face[face_of_triangle[t]] + 1]++] = t;
}
