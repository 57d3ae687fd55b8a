/* debug_text.c - a snapshot as lines of text. */
/* SPDX-License-Identifier: MIT */
#include "debug/debug_text.h"

#include "base/minmax.h"
#include "base/text_writer.h"

#include <spindle/features.h>
#include <stdbool.h>
#include <stddef.h>

#if SPN_WITH_OBSERVERS

#define BAR_CELLS 64u   /* at most */
#define ONLY_PLAYING 2u /* value of spn_debug.level */

/* -- values -- */

static void put(struct text_writer *w, const char *text)
{
    spn__write_text(w, text);
}

/* A number with a word before it. */
static void put_count(struct text_writer *w, const char *before, uint64_t value)
{
    put(w, before);
    spn__write_number(w, value);
}

/* Bytes as MiB, with one decimal. */
static void put_mib(struct text_writer *w, const char *before, uint64_t bytes)
{
    put(w, before);
    spn__write_decimal(w, (int64_t)(bytes / 1024 * 10 / 1024), 1);
}

static void put_pages(struct text_writer *w, const char *before,
                      const spn_debug_heap *heap, uint32_t pages)
{
    put_mib(w, before, (uint64_t)pages * heap->page_bytes);
}

/* Microseconds as seconds, with three decimals. */
static void put_seconds(struct text_writer *w, int64_t us)
{
    spn__write_decimal(w, us / 1000, 3);
}

/* all: frames of the clip */
static void put_range(struct text_writer *w, const char *name,
                      const spn_debug_range *range, uint32_t all)
{
    put(w, name);
    if (range->count == 0 || range->count >= all) {
        put(w, range->count == 0 ? " none" : " all");
        return;
    }
    put_count(w, " ", range->first);
    if (range->count > 1)
        put_count(w, "-", range->last);
}

/* -- heap -- */

static char letter_of(spn_debug_kind kind)
{
    static const char letters[] = ".scdb";

    return letters[kind];
}

/* The kind with most pages in a cell; of equal ones the first. */
static spn_debug_kind kind_of_cell(const uint32_t pages[SPN_DEBUG_KINDS])
{
    uint32_t best = 0;

    for (uint32_t i = 1; i < SPN_DEBUG_KINDS; i++)
        if (pages[i] > pages[best])
            best = i;
    return (spn_debug_kind)best;
}

static void put_bar(struct text_writer *w, const spn_debug *shot)
{
    const uint64_t page_count = shot->heap.page_count;
    const uint32_t cell_count = min_u32(BAR_CELLS, shot->heap.page_count);
    uint32_t extent = 0;

    put(w, "heap [");
    for (uint32_t cell = 0; cell < cell_count; cell++) {
        const uint64_t first = cell * page_count / cell_count;
        const uint64_t limit = (cell + 1) * page_count / cell_count;
        uint32_t pages[SPN_DEBUG_KINDS] = {0};

        for (uint64_t at = first; at < limit;) {
            const spn_debug_extent *e = &shot->extents[extent];
            const uint64_t end = (uint64_t)e->first_page + e->page_count;
            const uint64_t to = end < limit ? end : limit;

            pages[e->kind] += (uint32_t)(to - at);
            at = to;
            if (end <= limit)
                extent++;
        }
        spn__write_char(w, letter_of(kind_of_cell(pages)));
    }
    put(w, "]\n");
}

static void put_heap(struct text_writer *w, const spn_debug *shot)
{
    const spn_debug_heap *heap = &shot->heap;

    put_pages(w, "heap ", heap, heap->page_count);
    put_count(w, " MiB, pages of ", heap->page_bytes / 1024);
    put_pages(w, " KiB: static ", heap, heap->pages[SPN_DEBUG_STATIC]);
    put_pages(w, ", compressed ", heap, heap->pages[SPN_DEBUG_COMPRESSED]);
    put_pages(w, ", decoded ", heap, heap->pages[SPN_DEBUG_DECODED]);
    put_pages(w, ", blocks ", heap, heap->pages[SPN_DEBUG_BLOCK]);
    put_pages(w, ", free ", heap, heap->pages[SPN_DEBUG_FREE]);
    put_count(w, " MiB in ", heap->free_spans);
    put_pages(w, "; promised ", heap, heap->promised);
    put_pages(w, ", held ", heap, heap->held);
    put_pages(w, ", limit ", heap, heap->limit);
    put(w, " MiB\n");
    put_bar(w, shot);
}

/* -- clips -- */

static void put_clips(struct text_writer *w, const spn_debug *shot)
{
    const spn_debug_anim *a = &shot->anim;

    if (a->clip_count == 0)
        return;
    put_count(w, "clips ", a->clip_count);
    put_pages(w, ": ", &shot->heap, a->pages);
    put_pages(w, " MiB, idle ", &shot->heap, a->idle_pages);
    put_pages(w, ", reserve ", &shot->heap, a->reserve_pages);
    put_pages(w, ", image ", &shot->heap, a->image_pages);
    put_count(w, " MiB; loaded ", a->loaded);
    put_count(w, ", loading ", a->loading);
    put_count(w, ", plays ", a->plays);
    put_count(w, "; glitches ", a->glitches);
    put_count(w, " of ", a->play_updates);
    put(w, "\n");
}

/* -- drives -- */

static void put_medium(struct text_writer *w, const char *name,
                       const spn_debug_medium *medium)
{
    if (!medium->is_known)
        return;
    put(w, name);
    put_count(w, ": head at ", medium->head / 1024);
    put(w, " KiB");
    if (medium->is_busy)
        put_count(w, ", reads at ", medium->target / 1024);
    put_count(w, medium->is_busy ? " KiB, " : ", ", medium->waiting);
    put_count(w, " wait; ", medium->reads);
    put_count(w, " of streams, ", medium->bytes / 1024);
    put(w, " KiB\n");
}

/* -- caches, nodes, reads -- */

static bool begins_with(const char *text, const char *part)
{
    while (*part && *text == *part) {
        text++;
        part++;
    }
    return !*part;
}

static bool contains(const char *text, const char *part)
{
    for (; *text; text++)
        if (begins_with(text, part))
            return true;
    return !*part;
}

static void put_cache(struct text_writer *w, const spn_debug *shot,
                      const spn_debug_cache *cache)
{
    put(w, "cache ");
    put(w, cache->path);
    if (cache->status != SPN_OK) {
        put(w, cache->status > 0 ? ": opening\n" : ": failed\n");
        return;
    }
    put_count(w, ": ", cache->frame_count);
    put(w, " frames, ");
    put_seconds(w, cache->duration_us);
    put_count(w, " s, ", cache->bytes_per_second / 1024);
    put_pages(w, " KiB/s, static ", &shot->heap, cache->static_pages);
    put_count(w, " MiB, ", cache->node_count);
    put_count(w, " nodes, decoded ", cache->ready_count);
    put_count(w, ", running ", cache->running_count);
    put_count(w, ", lost ", cache->lost_count);
    put(w, "\n");
}

/* Why it does not play as it should. */
static void put_trouble(struct text_writer *w, const spn_node_state *state)
{
    static const char *const shortages[] = {"", "decoding", "drive", "memory"};

    if (state->left_out_permille > 0) {
        put_count(w, ", leaves out ", state->left_out_permille);
        put(w, " permille for lack of ");
        put(w, shortages[state->shortage]);
    }
    if (state->admission == SPN_DEGRADED)
        put(w, ", degraded");
    if (state->admission == SPN_REFUSED)
        put(w, ", refused");
    if (state->status != SPN_OK && state->status != SPN_PENDING) {
        put(w, ", ");
        put(w, spn_status_name(state->status));
    }
}

static void put_node(struct text_writer *w, const spn_debug *shot,
                     const spn_debug_node *node)
{
    const spn_node_state *state = &node->state;
    const uint32_t wanted =
        state->frames_shown + state->frames_late + state->frames_left_out;

    put_count(w, node->is_second ? "second position of node " : "node ",
              node->node);
    put(w, " ");
    put(w, node->path);
    put(w, node->is_playing ? ": at " : ": stopped at ");
    put_seconds(w, state->playback_us);
    put(w, " of ");
    put_seconds(w, node->duration_us);
    put(w, node->is_looping ? " s loop" : " s");
    if (node->is_playing) {
        put(w, node->is_backward ? ", rate -" : ", rate ");
        spn__write_decimal(w, node->rate_permille, 3);
        put_range(w, "; frames shown", &node->shown, node->frame_count);
        put_range(w, ", wanted", &node->wanted, node->frame_count);
        put_range(w, ", decoded", &node->decoded, node->frame_count);
        put_range(w, ", read", &node->read, node->frame_count);
        put_pages(w, "; ", &shot->heap, node->charged_pages);
        put_pages(w, " of ", &shot->heap, node->promised_pages);
        put_count(w, " MiB, runs ", node->running_count);
        put_count(w, ", reads ", node->pending_count);
    }
    put_count(w, "; late ", state->frames_late);
    put_count(w, " of ", wanted);
    put_count(w, ", left out ", state->frames_left_out);
    put_count(w, ", lost ", state->frames_dropped);
    put_trouble(w, state);
    put(w, "\n");
}

static void put_read(struct text_writer *w, const spn_debug_read *read)
{
    put(w, "read ");
    put(w, read->path);
    put_count(w, ": groups ", read->first_group);
    put_count(w, "-", read->last_group);
    put_count(w, ", ", read->bytes / 1024);
    put_count(w, " KiB at ", read->offset / 1024);
    put_count(w, " KiB, node ", read->node);
    put_count(w, ", since ", read->age);
    put(w, " updates");
    if (read->state == SPN_DEBUG_READ_RETRY)
        put(w, ", again");
    if (read->state == SPN_DEBUG_READ_ABORTED)
        put(w, ", aborted");
    put(w, "\n");
}

static void put_totals(struct text_writer *w, const spn_debug *shot)
{
    const spn_debug_totals *t = &shot->totals;
    const spn_debug_heap *heap = &shot->heap;

    put_count(w, "total: ", t->nodes);
    put_count(w, " nodes, ", t->playing);
    put_count(w, " play; late ", t->frames_late);
    put_count(w, ", left out ", t->frames_left_out);
    put_count(w, ", lost ", t->frames_dropped);
    put_count(w, ", seeks ", t->seeks);
    put_mib(w, ", read ", t->bytes_read);
    put_count(w, " MiB; evicted ", heap->evicted_frames);
    put_count(w, " frames, ", heap->evicted_reads);
    put_count(w, " reads; failed allocations ",
              (uint64_t)heap->failed_no_memory + heap->failed_fragmented +
                  heap->failed_no_record);
    put(w, shot->is_off ? "; geometry is off\n" : "\n");
}

uint64_t spn__debug_text(const spn_debug *shot, const char *filter, char *text,
                         uint64_t bytes)
{
    static const char *const media[] = {"hard disk", "optical disc", "memory"};
    struct text_writer w = {text, bytes, 0};

    if (!filter)
        filter = shot->filter;
    put_heap(&w, shot);
    put_clips(&w, shot);
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        put_medium(&w, media[i], &shot->media[i]);
    for (uint32_t i = 0; i < shot->cache_count; i++)
        if (contains(shot->caches[i].path, filter))
            put_cache(&w, shot, &shot->caches[i]);
    for (uint32_t i = 0; i < shot->node_count; i++)
        if (contains(shot->nodes[i].path, filter) &&
            (shot->nodes[i].is_playing || shot->level != ONLY_PLAYING))
            put_node(&w, shot, &shot->nodes[i]);
    for (uint32_t i = 0; shot->with_reads && i < shot->read_count; i++)
        if (contains(shot->reads[i].path, filter))
            put_read(&w, &shot->reads[i]);
    put_totals(&w, shot);
    spn__write_end(&w);
    return w.length;
}

#endif
