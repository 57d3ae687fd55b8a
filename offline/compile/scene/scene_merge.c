/* scene_merge.c - find equal shapes by their hashes. */
/* SPDX-License-Identifier: MIT */
#include "compile/scene/scene_merge.h"

#include "compile/mesh/shape_equal.h"

/* Shapes that remain, in chains of equal low bits of their hashes. */
struct chains {
    uint64_t *hashes; /* of each shape that remains */
    uint32_t *heads;  /* of each chain: index of a shape + 1; 0: none */
    uint32_t *next;   /* of each shape that remains: likewise */
    uint32_t mask;
};

/* Find the shape that is equal to `shape`, among those that remain. *found is
 * UINT32_MAX if there is none. */
static bool find_equal(const struct scene_import *import,
                       const struct chains *chains, const struct shape *shape,
                       uint64_t hash, uint32_t *found)
{
    uint32_t at = chains->heads[hash & chains->mask];

    *found = UINT32_MAX;
    for (; at != 0 && *found == UINT32_MAX; at = chains->next[at - 1]) {
        bool is_equal = false;

        if (chains->hashes[at - 1] == hash &&
            !shape_equal(import->shapes[at - 1], shape, &is_equal))
            return false;
        if (is_equal)
            *found = at - 1;
    }
    return true;
}

static void keep(struct scene_import *import, struct chains *chains,
                 struct shape *shape, uint64_t hash, uint32_t number)
{
    uint32_t *head = &chains->heads[hash & chains->mask];

    import->shapes[number] = shape;
    chains->hashes[number] = hash;
    chains->next[number] = *head;
    *head = number + 1;
}

static bool merge(struct scene_import *import, struct arena *scratch,
                  int32_t *new_of)
{
    const uint32_t count = import->shape_count;
    struct chains chains = {.mask = 15};
    uint32_t kept = 0;

    while (chains.mask < count)
        chains.mask = 2 * chains.mask + 1;
    chains.hashes = ARENA_NEW(scratch, uint64_t, count);
    chains.next = ARENA_NEW(scratch, uint32_t, count);
    chains.heads = ARENA_NEW(scratch, uint32_t, (size_t)chains.mask + 1);
    for (uint32_t i = 0; i < count; i++) {
        struct shape *shape = import->shapes[i];
        uint32_t equal;
        uint64_t hash;

        if (!shape_hash(shape, &hash) ||
            !find_equal(import, &chains, shape, hash, &equal))
            return false;
        if (equal == UINT32_MAX) {
            equal = kept++;
            keep(import, &chains, shape, hash, equal);
        }
        new_of[i] = (int32_t)equal;
    }
    import->shape_count = kept;
    return true;
}

bool scene_merge(struct scene_import *import, int32_t *new_of)
{
    struct arena scratch;
    bool is_good;

    arena_init(&scratch);
    is_good = merge(import, &scratch, new_of);
    arena_free(&scratch);
    for (uint32_t i = 0; is_good && i < import->part_count; i++)
        if (import->parts[i].mesh >= 0)
            import->parts[i].mesh = new_of[import->parts[i].mesh];
    return is_good;
}
