/* kept.c - marks of kept memory, and the lists of what may be freed. */
/* SPDX-License-Identifier: MIT */
#include "play/kept.h"

#include "base/assert.h"

#include <stddef.h>

#define LIST_LASTING KEPT_KINDS
#define LISTS (KEPT_KINDS + 1u)

void spn__keeper_init(struct keeper *keeper)
{
    *keeper = (struct keeper){.stamp = 1};
    for (uint32_t i = 0; i < LISTS; i++) {
        struct kept_links *list = &keeper->lists[i];

        *list = (struct kept_links){list, list};
    }
}

void spn__keeper_begin(struct keeper *keeper)
{
    keeper->stamp++;
    keeper->needed_pages = keeper->lasting_pages;
    keeper->held_pages = 0;
}

void spn__kept_add(struct keeper *keeper, struct kept *k, enum kept_kind kind,
                   uint32_t pages)
{
    *k = (struct kept){
        .pages = pages, .stamp = keeper->stamp - 1, .kind = (uint8_t)kind};
    keeper->kept_pages += pages;
}

void spn__kept_unlist(struct keeper *keeper, struct kept *k)
{
    struct kept_links *l = &k->links;

    if (!l->next)
        return;
    l->previous->next = l->next;
    l->next->previous = l->previous;
    *l = (struct kept_links){0};
    SPN_ASSERT(keeper->list_count > 0);
    keeper->list_count--;
}

void spn__kept_remove(struct keeper *keeper, struct kept *k)
{
    spn__kept_unlist(keeper, k);
    SPN_ASSERT(keeper->kept_pages >= k->pages);
    keeper->kept_pages -= k->pages;
    if (kept_is_held(keeper, k))
        keeper->held_pages -= k->pages;
    if (k->is_lasting || kept_is_needed(keeper, k))
        keeper->needed_pages -= k->pages;
    if (k->is_lasting)
        keeper->lasting_pages -= k->pages;
}

static uint32_t list_of(const struct kept *k)
{
    return k->is_lasting ? LIST_LASTING : k->kind;
}

/* next  entry of this list, or the list itself */
static void link_before(struct keeper *keeper, struct kept *k, uint32_t list,
                        struct kept_links *next)
{
    struct kept_links *l = &k->links;

    SPN_ASSERT(!l->next);
    k->order = k->stamp;
    l->next = next;
    l->previous = next->previous;
    l->previous->next = l;
    next->previous = l;
    keeper->list_count++;
    if (list != LIST_LASTING && !kept_is_needed(keeper, k))
        keeper->no_idle_stamp[list] = 0;
}

void spn__kept_list(struct keeper *keeper, struct kept *k)
{
    link_before(keeper, k, list_of(k), &keeper->lists[list_of(k)]);
}

void spn__kept_set_lasting(struct keeper *keeper, struct kept *k,
                           bool is_lasting)
{
    const bool is_listed = k->links.next != NULL;
    const uint32_t only_lasting = kept_is_needed(keeper, k) ? 0 : k->pages;

    if (k->is_lasting == is_lasting)
        return;
    spn__kept_unlist(keeper, k);
    k->is_lasting = is_lasting;
    if (is_lasting) {
        keeper->lasting_pages += k->pages;
        keeper->needed_pages += only_lasting;
    } else {
        keeper->lasting_pages -= k->pages;
        keeper->needed_pages -= only_lasting;
    }
    if (is_listed)
        spn__kept_list(keeper, k);
}

void spn__kept_pass(struct keeper *keeper, struct kept *k, bool is_last)
{
    const uint32_t list = is_last && !k->is_lasting ? 0 : list_of(k);

    if (!k->links.next)
        return;
    spn__kept_unlist(keeper, k);
    link_before(keeper, k, list, keeper->lists[list].next);
}

void spn__kept_need(struct keeper *keeper, struct kept *k, uint32_t deadline)
{
    if (k->stamp != keeper->stamp) {
        k->stamp = keeper->stamp;
        k->is_held = false;
        k->charged_to = 0;
        k->deadline = deadline;
        keeper->needed_pages += k->is_lasting ? 0 : k->pages;
    } else if (deadline < k->deadline) {
        k->deadline = deadline;
    }
}

void spn__kept_hold(struct keeper *keeper, struct kept *k)
{
    if (kept_is_held(keeper, k))
        return;
    spn__kept_need(keeper, k, UINT32_MAX);
    k->is_held = true;
    keeper->held_pages += k->pages;
}

void spn__kept_release(struct keeper *keeper, struct kept *k)
{
    SPN_ASSERT(kept_is_held(keeper, k));
    k->is_held = false;
    keeper->held_pages -= k->pages;
}

/* The first idle entry of a list that was not needed since it was put into the
 * list. */
static struct kept *idle_of(struct keeper *keeper, uint32_t index)
{
    const struct kept_links *list = &keeper->lists[index];
    /* Of the entries at the end of the list that are used now, the first. */
    const struct kept *first_used = NULL;

    if (keeper->no_idle_stamp[index] == keeper->stamp)
        return NULL;
    while (list->next != list) {
        struct kept *k = (struct kept *)list->next;
        const bool is_old = k->stamp == k->order;
        const bool is_used = kept_is_needed(keeper, k) || kept_is_read(k);

        if (is_old && !is_used)
            return k;
        if (k == first_used)
            break;
        spn__kept_unlist(keeper, k);
        spn__kept_list(keeper, k);
        if (!is_used)
            first_used = NULL;
        else if (!first_used && index == k->kind)
            first_used = k;
    }
    keeper->no_idle_stamp[index] = keeper->stamp;
    return NULL;
}

static struct kept *idle_victim(struct keeper *keeper)
{
    struct kept *victim = NULL;

    for (uint32_t i = 0; i < KEPT_KINDS && !victim; i++)
        victim = idle_of(keeper, i);
    return victim;
}

static struct kept *needed_victim(const struct keeper *keeper)
{
    struct kept *victim = NULL;

    for (uint32_t i = 0; i < KEPT_KINDS; i++) {
        const struct kept_links *list = &keeper->lists[i];

        for (struct kept_links *l = list->next; l != list; l = l->next) {
            struct kept *k = (struct kept *)l;

            if (kept_is_needed(keeper, k) && !k->is_held && !kept_is_read(k) &&
                (!victim || k->deadline > victim->deadline))
                victim = k;
        }
    }
    return victim;
}

/* A lasting frame: one that no cursor needs soon, or the one with the farthest
 * deadline. */
static struct kept *lasting_victim(const struct keeper *keeper)
{
    const struct kept_links *list = &keeper->lists[LIST_LASTING];
    struct kept *victim = NULL;

    for (struct kept_links *l = list->next; l != list; l = l->next) {
        struct kept *k = (struct kept *)l;

        if (kept_is_held(keeper, k) || kept_is_read(k))
            continue;
        if (!kept_is_needed(keeper, k))
            return k;
        if (!victim || k->deadline > victim->deadline)
            victim = k;
    }
    return victim;
}

struct kept *spn__keeper_victim(struct keeper *keeper, bool is_needed)
{
    struct kept *victim =
        is_needed ? needed_victim(keeper) : idle_victim(keeper);

    return victim || !is_needed ? victim : lasting_victim(keeper);
}

bool spn__keeper_check(const struct keeper *keeper)
{
    uint64_t pages = 0;
    uint32_t count = 0;

    for (uint32_t i = 0; i < LISTS; i++) {
        const struct kept_links *list = &keeper->lists[i];

        for (const struct kept_links *l = list->next; l != list; l = l->next) {
            if (l->next->previous != l)
                return false;
            if (((const struct kept *)l)->is_lasting != (i == LIST_LASTING))
                return false;
            pages += ((const struct kept *)l)->pages;
            count++;
        }
    }
    return count == keeper->list_count && pages <= keeper->kept_pages &&
           keeper->held_pages <= keeper->needed_pages &&
           keeper->lasting_pages <= keeper->needed_pages &&
           keeper->needed_pages <= keeper->kept_pages;
}
