/* draw_instances.c - find equal static meshes among items, without memory of
 * its own.
 *
 * 1. A list of the static items is sorted by what must be equal, then by index.
 *    The list lies in the field `order` of the first items.
 * 2. Equal items are adjacent in the list now. They are linked by index: the
 *    field `group` of each is the next one.
 * 3. In the order of the items, each chain becomes a group, or its items stay
 *    single. `order` marks the items that were visited.
 *
 * Addresses, such as those in material_set, decide only what is equal, never an
 * order of the output.
 */
/* SPDX-License-Identifier: MIT */
#include "scene/draw_instances.h"

#include "base/mem.h"

#include <stdbool.h>
#include <stddef.h>

#define CHAIN_END UINT32_MAX
#define UNVISITED 0u
#define VISITED 1u

/* -- the sorted list -- */

static bool is_same(const spn_draw_item *a, const spn_draw_item *b)
{
    return a->mesh_id == b->mesh_id && a->material_set == b->material_set;
}

static bool is_before(const spn_draw_item *items, uint32_t i, uint32_t k)
{
    const spn_draw_item *a = &items[i];
    const spn_draw_item *b = &items[k];

    if (a->mesh_id != b->mesh_id)
        return a->mesh_id < b->mesh_id;
    if (a->material_set != b->material_set)
        return a->material_set < b->material_set;
    return i < k;
}

/* Let `value` sink from place `at` of the heap, in which no element is before
 * its children. */
static void sink(spn_draw_item *items, uint32_t count, uint32_t at,
                 uint32_t value)
{
    while (at < count / 2) {
        uint32_t next = 2 * at + 1;

        if (next + 1 < count &&
            is_before(items, items[next].order, items[next + 1].order))
            next++;
        if (!is_before(items, value, items[next].order))
            break;
        items[at].order = items[next].order;
        at = next;
    }
    items[at].order = value;
}

/* Heapsort: the time is bounded, and nothing is recursive. */
static void sort(spn_draw_item *items, uint32_t count)
{
    for (uint32_t i = count / 2; i-- > 0;)
        sink(items, count, i, items[i].order);
    for (uint32_t i = count; i-- > 1;) {
        const uint32_t value = items[i].order;

        items[i].order = items[0].order;
        sink(items, i, 0, value);
    }
}

/* List the static items. Returns their number. */
static uint32_t list_static(spn_draw_item *items, uint32_t item_count)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < item_count; i++)
        if (items[i].mesh_id != 0)
            items[count++].order = i;
    return count;
}

/* -- chains -- */

static void link_chains(spn_draw_item *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        spn_draw_item *item = &items[items[i].order];

        item->group = i + 1 < count && is_same(item, &items[items[i + 1].order])
                          ? items[i + 1].order
                          : CHAIN_END;
    }
}

static uint32_t chain_length(const spn_draw_item *items, uint32_t first)
{
    uint32_t length = 0;

    for (uint32_t i = first; i != CHAIN_END; i = items[i].group)
        length++;
    return length;
}

/* Replace the links of a chain by the index of a group. */
static void end_chain(spn_draw_item *items, uint32_t first, uint32_t group)
{
    for (uint32_t i = first; i != CHAIN_END;) {
        const uint32_t next = items[i].group;

        items[i].group = group;
        items[i].order = VISITED;
        i = next;
    }
}

static void add_group(const spn_draw_item *items, uint32_t first,
                      uint32_t length, struct draw_groups *out)
{
    out->groups[out->group_count++] =
        (spn_draw_group){.mesh_id = items[first].mesh_id,
                         .materials = items[first].materials,
                         .material_count = items[first].material_count,
                         .first_item = first,
                         .first_matrix = out->matrix_count,
                         .matrix_count = length};
    for (uint32_t i = first; i != CHAIN_END; i = items[i].group)
        memcpy(out->matrices + (size_t)out->matrix_count++ * 12,
               items[i].matrix, sizeof items[i].matrix);
}

void spn__draw_instances(spn_draw_item *items, uint32_t item_count,
                         uint32_t least, struct draw_groups *out)
{
    const uint32_t count = list_static(items, item_count);

    sort(items, count);
    link_chains(items, count);
    for (uint32_t i = 0; i < item_count; i++) {
        items[i].order = UNVISITED;
        if (items[i].mesh_id == 0)
            items[i].group = SPN_DRAW_SINGLE;
    }
    for (uint32_t i = 0; i < item_count; i++) {
        uint32_t length;

        if (items[i].mesh_id == 0 || items[i].order == VISITED)
            continue;
        length = chain_length(items, i);
        if (least > 0 && length >= least &&
            out->group_count < out->group_capacity &&
            length <= out->matrix_capacity - out->matrix_count) {
            add_group(items, i, length, out);
            end_chain(items, i, out->group_count - 1);
        } else {
            end_chain(items, i, SPN_DRAW_SINGLE);
        }
    }
}
