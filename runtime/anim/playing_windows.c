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

/* Segments of one clip have neighbouring places. */
static uint32_t *place_of(const struct playing_table *t, uint32_t owner,
                          uint32_t segment)
{
    const uint32_t hash = owner * UINT32_C(0x9e3779b1) + segment;

    return &t->window_places[hash & (t->window_place_count - 1)];
}

struct playing_window *spn__window_find(const struct anim *a,
                                        const struct playing_clip *p,
                                        uint32_t segment)
{
    const struct playing_table *t = &a->playing;
    const uint32_t owner = (uint32_t)(p - t->clips);
    uint32_t i = *place_of(t, owner, segment);

    while (i != PLAYING_NONE &&
           (t->windows[i].owner != owner || t->windows[i].segment != segment))
        i = t->windows[i].same;
    return i != PLAYING_NONE ? &t->windows[i] : NULL;
}

struct playing_window *spn__window_make(struct anim *a, struct playing_clip *p,
                                        uint32_t segment)
{
    struct playing_table *t = &a->playing;
    struct playing_window *w = spn__window_find(a, p, segment);
    const uint32_t owner = (uint32_t)(p - t->clips);
    uint32_t *place = place_of(t, owner, segment);
    const uint32_t i = t->free_window;

    if (w || i == PLAYING_NONE)
        return w;
    w = &t->windows[i];
    t->free_window = w->next;
    *w = (struct playing_window){.state = WINDOW_EMPTY,
                                 .owner = owner,
                                 .segment = segment,
                                 .slot = SLOT_NONE,
                                 .next = p->first_window,
                                 .previous = PLAYING_NONE,
                                 .same = *place};
    if (w->next != PLAYING_NONE)
        t->windows[w->next].previous = i;
    p->first_window = i;
    *place = i;
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
    spn__anim_window_place(&w->window, &p->open.tracks,
                           p->open.header.segment_frames, memory);
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
    uint32_t *place = place_of(t, w->owner, w->segment);

    while (*place != i)
        place = &t->windows[*place].same;
    *place = w->same;
    if (w->next != PLAYING_NONE)
        t->windows[w->next].previous = w->previous;
    if (w->previous != PLAYING_NONE)
        t->windows[w->previous].next = w->next;
    else
        p->first_window = w->next;
    if (w->block != 0)
        spn__anim_memory_give(a, w->block);
    else if (w->slot < PLAYING_SLOTS)
        p->used_slots &= ~(1u << w->slot);
    *w = (struct playing_window){.next = t->free_window};
    t->free_window = i;
}

#endif
