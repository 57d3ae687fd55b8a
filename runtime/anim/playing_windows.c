/* playing_windows.c - records and memory of windows. */
/* SPDX-License-Identifier: MIT */
#include "anim/playing_windows.h"

#include <spindle/features.h>

#if SPN_WITH_ANIM

#include "anim/anim_memory.h"
#include "anim/anim_system.h"
#include "base/heap_view.h"
#include "base/mem.h"
#include "base/minmax.h"

struct playing_window *spn__window_find(const struct anim *a,
                                        const struct playing_clip *p,
                                        uint32_t segment)
{
    for (uint32_t i = p->first_window; i != PLAYING_NONE;
         i = a->playing.windows[i].next)
        if (a->playing.windows[i].segment == segment)
            return &a->playing.windows[i];
    return NULL;
}

struct playing_window *spn__window_make(struct anim *a, struct playing_clip *p,
                                        uint32_t segment)
{
    struct playing_table *t = &a->playing;
    struct playing_window *w = spn__window_find(a, p, segment);
    const uint32_t i = t->free_window;

    if (w || i == PLAYING_NONE)
        return w;
    w = &t->windows[i];
    t->free_window = w->next;
    *w = (struct playing_window){.state = WINDOW_EMPTY,
                                 .owner = (uint32_t)(p - a->playing.clips),
                                 .segment = segment,
                                 .slot = SLOT_NONE,
                                 .next = p->first_window};
    p->first_window = i;
    return w;
}

uint32_t spn__window_slot_count(const struct playing_clip *p)
{
    return min_u32(p->open.header.segment_count, PLAYING_SLOTS);
}

/* Take a free place in the block of the tracks. SLOT_NONE: there is none. */
static uint32_t take_slot(struct playing_clip *p)
{
    for (uint32_t i = 0; i < spn__window_slot_count(p); i++)
        if (!(p->used_slots >> i & 1)) {
            p->used_slots |= 1u << i;
            return i;
        }
    return SLOT_NONE;
}

static void place_window(struct anim *a, struct playing_window *w)
{
    const struct playing_clip *p = &a->playing.clips[w->owner];
    uint8_t *memory =
        spn__heap_data(a->config.heap, w->block ? w->block : p->block);

    if (w->slot < PLAYING_SLOTS)
        memory +=
            p->track_bytes + p->table_bytes + (size_t)w->slot * p->window_bytes;
    spn__anim_window_place(&w->window, &p->open.tracks, memory);
}

spn_status spn__window_take_block(struct anim *a, uint32_t bytes,
                                  heap_handle *out)
{
    const spn_status status = spn__anim_memory_take_whole(a, bytes, out);

    a->playing.takes++;
    a->playing.blocks += status == SPN_OK;
    return status;
}

bool spn__window_take_memory(struct anim *a, struct playing_window *w)
{
    struct playing_clip *p = &a->playing.clips[w->owner];

    if (w->slot == SLOT_NONE)
        w->slot = take_slot(p);
    if (w->slot == SLOT_NONE) {
        if (spn__window_take_block(a, p->window_bytes, &w->block) != SPN_OK)
            return false;
        w->slot = PLAYING_SLOTS;
    }
    place_window(a, w);
    return true;
}

/* Move a window from a block of its own to a free slot, which costs no memory.
 */
void spn__window_move_to_slot(struct anim *a, struct playing_window *w)
{
    struct playing_clip *p = &a->playing.clips[w->owner];
    const struct anim_window before = w->window;
    const heap_handle block = w->block;
    const uint32_t slot = take_slot(p);

    if (slot == SLOT_NONE)
        return;
    w->slot = slot;
    w->block = 0;
    place_window(a, w);
    w->window.first_frame = before.first_frame;
    w->window.frame_count = before.frame_count;
    w->window.cuts = before.cuts;
    memcpy(w->window.wide, before.wide, p->window_bytes);
    spn__anim_memory_give(a, block);
}

void spn__window_free(struct anim *a, struct playing_window *w)
{
    struct playing_table *t = &a->playing;
    struct playing_clip *p = &t->clips[w->owner];
    const uint32_t i = (uint32_t)(w - t->windows);
    uint32_t *link = &p->first_window;

    while (*link != i)
        link = &t->windows[*link].next;
    *link = w->next;
    if (w->block != 0)
        spn__anim_memory_give(a, w->block);
    else if (w->slot < PLAYING_SLOTS)
        p->used_slots &= ~(1u << w->slot);
    *w = (struct playing_window){.next = t->free_window};
    t->free_window = i;
}

#endif
