/* view_snapshot.c - one function for each part. */
/* SPDX-License-Identifier: MIT */
#include "view/view_snapshot.h"

#include "disc/drive_disc.h"
#include "view/view_clip_rows.h"
#include "view/view_rows.h"

#include <stdio.h>
#include <string.h>

#define MIB 1048576.0
#define OWNER_BYTES 160

/* Over pages that a job or the device uses now. */
static const uint8_t busy_rgba[4] = {255, 255, 255, 255};

static double share_of(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

/* -- heap -- */

static const char *path_of(const spn_debug *debug, spn_cache cache)
{
    for (uint32_t i = 0; i < debug->cache_count; i++)
        if (cache != 0 && debug->caches[i].cache == cache)
            return view_base_name(debug->caches[i].path);
    return "";
}

/* Number of a node in the overlay; -1: none. */
static int number_of(const spn_debug *debug, spn_node node)
{
    for (uint32_t i = 0; i < debug->node_count; i++)
        if (node != 0 && debug->nodes[i].node == node)
            return (int)i;
    return -1;
}

/* The clip, or NULL: it does not play. */
static const char *clip_name(const struct view_facts *facts, spn_anim anim)
{
    for (uint32_t i = 0; i < facts->clip_count; i++)
        if (facts->clips[i].anim == anim)
            return view_base_name(facts->clips[i].name);
    return NULL;
}

static void describe_static(const struct view_facts *facts,
                            const spn_debug_extent *e, double kib, char *text,
                            size_t capacity)
{
    const char *name = clip_name(facts, e->anim);
    const char *decoded = e->is_decoded ? ", decoded" : "";

    if (e->anim != 0 && name)
        snprintf(text, capacity, "%.0f KiB clip %s%s", kib, name, decoded);
    else if (e->anim != 0)
        snprintf(text, capacity, "%.0f KiB clip number %u%s", kib,
                 (unsigned)e->anim, decoded);
    else if (e->skeleton != 0)
        snprintf(text, capacity, "%.0f KiB skeleton", kib);
    else if (e->database != 0)
        snprintf(text, capacity, "%.0f KiB database number %u", kib,
                 (unsigned)e->database);
    else
        snprintf(text, capacity, "%.0f KiB static data of %s", kib,
                 path_of(facts->debug, e->cache));
}

static void describe(const struct view_facts *facts, const spn_debug_extent *e,
                     char *text, size_t capacity)
{
    const spn_debug *debug = facts->debug;
    double kib = e->page_count * (debug->heap.page_bytes / 1024.0);
    const char *path = path_of(debug, e->cache);
    const char *busy = e->is_busy ? ", in use" : "";

    switch (e->kind) {
    case SPN_DEBUG_FREE:
        snprintf(text, capacity, "%.0f KiB free", kib);
        break;
    case SPN_DEBUG_STATIC:
        describe_static(facts, e, kib, text, capacity);
        break;
    case SPN_DEBUG_COMPRESSED:
        snprintf(text, capacity, "%.0f KiB of %s, groups %u to %u, node %d%s",
                 kib, path, (unsigned)e->first, (unsigned)e->last,
                 number_of(debug, e->node), busy);
        break;
    case SPN_DEBUG_DECODED:
        snprintf(text, capacity, "%.0f KiB of %s, frame %u, node %d%s", kib,
                 path, (unsigned)e->first, number_of(debug, e->node), busy);
        break;
    case SPN_DEBUG_BLOCK:
        snprintf(text, capacity, "%.0f KiB block of the game", kib);
        break;
    }
}

void view_snapshot_owner(const struct view_facts *facts, double share,
                         char *text, size_t capacity)
{
    const spn_debug *debug = facts->debug;
    double page = share * debug->heap.page_count;

    snprintf(text, capacity, "%s", "");
    for (uint32_t i = 0; i < debug->extent_count; i++) {
        const spn_debug_extent *e = &debug->extents[i];

        if (page >= e->first_page &&
            page < (double)e->first_page + e->page_count)
            describe(facts, e, text, capacity);
    }
}

static void draw_extents(struct overlay_pen *pen, const spn_debug *debug)
{
    const spn_debug_heap *heap = &debug->heap;

    overlay_pen_bar(pen, pen->x, pen->width, VIEW_ROW_HEIGHT, 0, 1,
                    overlay_trough);
    for (uint32_t i = 0; i < debug->extent_count; i++) {
        const spn_debug_extent *e = &debug->extents[i];
        double first = share_of(e->first_page, heap->page_count);
        double length = share_of(e->page_count, heap->page_count);

        if (e->kind == SPN_DEBUG_FREE)
            continue;
        overlay_pen_bar(pen, pen->x, pen->width, VIEW_ROW_HEIGHT, first, length,
                        view_kind_rgba(e->kind));
        if (e->is_busy)
            overlay_pen_bar(pen, pen->x, pen->width, VIEW_ROW_HEIGHT / 5, first,
                            length, busy_rgba);
    }
}

/* The bar, and below it the owner of the pages under the mouse. */
static void write_heap(struct overlay_pen *pen, const struct view_facts *facts,
                       const float mouse[2])
{
    const spn_debug *debug = facts->debug;
    const spn_debug_heap *heap = &debug->heap;
    double page_mib = heap->page_bytes / MIB;
    char owner[OWNER_BYTES] = "";

    overlay_pen_line(
        pen, overlay_ink,
        "heap %.0f MiB: static %.1f, compressed %.1f, decoded %.1f, blocks "
        "%.1f",
        heap->page_count * page_mib, heap->pages[SPN_DEBUG_STATIC] * page_mib,
        heap->pages[SPN_DEBUG_COMPRESSED] * page_mib,
        heap->pages[SPN_DEBUG_DECODED] * page_mib,
        heap->pages[SPN_DEBUG_BLOCK] * page_mib);
    draw_extents(pen, debug);
    if (mouse[1] >= pen->y && mouse[1] < pen->y + overlay_pen_height(pen))
        view_snapshot_owner(facts, (double)((mouse[0] - pen->x) / pen->width),
                            owner, sizeof owner);
    overlay_pen_next(pen);
    if (owner[0])
        overlay_pen_line(pen, overlay_dim, "%s", owner);
}

/* -- drive -- */

static void write_drive(struct overlay_pen *pen, const struct view_facts *facts)
{
    const spn_debug_medium *m = &facts->debug->media[SPN_MEDIUM_OPTICAL];
    uint64_t bytes;
    float tick = pen->overlay->scale * 2 / pen->width;

    if (!facts->drive)
        return;
    bytes = spn__drive_disc_bytes(facts->drive);
    overlay_pen_line(
        pen, overlay_ink, "%s: busy %u %%, %u waiting, head at %.1f of %.0f MB",
        facts->drive->name, (unsigned)(facts->reads.second.busy_permille / 10),
        (unsigned)m->waiting, (double)m->head / 1e6, (double)bytes / 1e6);
    overlay_pen_bar(pen, pen->x, pen->width, VIEW_ROW_HEIGHT, 0, 1,
                    overlay_trough);
    if (m->is_busy)
        overlay_pen_bar(pen, pen->x, pen->width, VIEW_ROW_HEIGHT,
                        share_of(m->target, bytes), (double)tick,
                        view_kind_rgba(SPN_DEBUG_COMPRESSED));
    if (m->is_known)
        overlay_pen_bar(pen, pen->x, pen->width, VIEW_ROW_HEIGHT,
                        share_of(m->head, bytes), (double)tick, busy_rgba);
    overlay_pen_next(pen);
}

/* -- nodes -- */

static uint32_t frame_count_of(const spn_debug *debug, spn_cache cache)
{
    for (uint32_t i = 0; i < debug->cache_count; i++)
        if (debug->caches[i].cache == cache)
            return debug->caches[i].frame_count;
    return 0;
}

/* Draw a range of frames in the bar of a clip. Backward, its last frame is the
 * lowest. */
static void draw_range(struct overlay_pen *pen, const spn_debug_node *node,
                       const spn_debug_range *range, uint32_t frame_count,
                       float height, const uint8_t rgba[4])
{
    uint32_t lowest = node->is_backward ? range->last : range->first;

    if (range->count > 0)
        overlay_pen_bar(pen, pen->x, pen->width * VIEW_ROW_BAR, height,
                        share_of(lowest, frame_count),
                        share_of(range->count, frame_count), rgba);
}

static void write_node(struct overlay_pen *pen, const spn_debug *debug,
                       uint32_t index)
{
    const spn_debug_node *node = &debug->nodes[index];
    const spn_node_state *state = &node->state;
    uint32_t count = frame_count_of(debug, node->cache);
    float bar = pen->width * VIEW_ROW_BAR;
    struct overlay_pen text = *pen;
    bool is_bad =
        state->status != SPN_OK || (node->is_playing && !state->is_ready);

    overlay_pen_bar(pen, pen->x, bar, VIEW_ROW_HEIGHT, 0, 1, overlay_trough);
    if (count > 0) {
        draw_range(pen, node, &node->read, count, VIEW_ROW_HEIGHT,
                   view_kind_rgba(SPN_DEBUG_COMPRESSED));
        draw_range(pen, node, &node->decoded, count, VIEW_ROW_HEIGHT,
                   view_kind_rgba(SPN_DEBUG_DECODED));
        draw_range(pen, node, &node->wanted, count, VIEW_ROW_HEIGHT / 5,
                   busy_rgba);
        draw_range(pen, node, &node->shown, count, VIEW_ROW_HEIGHT, busy_rgba);
    }
    text.x += bar + OVERLAY_MARGIN;
    text.width -= bar + OVERLAY_MARGIN;
    overlay_pen_line(
        &text, is_bad ? overlay_alarm : overlay_ink,
        "%s %u%s frame %d late %u level %u/%u%s%s", view_base_name(node->path),
        (unsigned)index, node->is_second ? " second" : "",
        state->shown_frame == UINT32_MAX ? -1 : (int)state->shown_frame,
        (unsigned)state->frames_late, (unsigned)state->level,
        (unsigned)state->level_max, state->status != SPN_OK ? " " : "",
        state->status != SPN_OK ? spn_status_text(state->status) : "");
    overlay_pen_next(pen);
}

static void write_nodes(struct overlay_pen *pen, const spn_debug *debug,
                        const struct view_controls *controls)
{
    uint32_t left_out = 0;

    for (uint32_t i = 0; i < debug->node_count; i++) {
        if (!view_controls_passes(controls, debug->nodes[i].path) ||
            (debug->level == 2 && !debug->nodes[i].is_playing))
            continue;
        if (overlay_pen_has_room(pen, 2))
            write_node(pen, debug, i);
        else
            left_out++;
    }
    if (left_out > 0)
        overlay_pen_line(pen, overlay_dim, "and %u more", (unsigned)left_out);
}

/* -- reads -- */

static void write_reads(struct overlay_pen *pen, const spn_debug *debug,
                        const struct view_controls *controls)
{
    static const char *const states[] = {"", ", again", ", aborted"};

    for (uint32_t i = 0; i < debug->read_count && debug->with_reads; i++) {
        const spn_debug_read *r = &debug->reads[i];

        if (view_controls_passes(controls, r->path) &&
            overlay_pen_has_room(pen, 1))
            overlay_pen_line(pen, overlay_dim,
                             "read %s groups %u to %u, %.1f kB at %.1f kB, age "
                             "%u%s",
                             view_base_name(r->path), (unsigned)r->first_group,
                             (unsigned)r->last_group, r->bytes / 1e3,
                             (double)r->offset / 1e3, (unsigned)r->age,
                             states[r->state]);
    }
}

void view_snapshot_write(struct overlay_pen *pen,
                         const struct view_facts *facts,
                         const struct view_controls *controls)
{
    write_heap(pen, facts, controls->mouse);
    write_drive(pen, facts);
    write_nodes(pen, facts->debug, controls);
    view_clip_rows_write(pen, facts->debug, facts->clips, facts->clip_count,
                         controls);
    write_reads(pen, facts->debug, controls);
}
