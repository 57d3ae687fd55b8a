/* view_clip_rows.c - a line, then a bar and a text for each character. */
/* SPDX-License-Identifier: MIT */
#include "view/view_clip_rows.h"

#include "view/view_rows.h"

#include <string.h>

/* Frames of a window. */
#define WINDOW_FRAMES 16u

static const uint8_t now_rgba[4] = {255, 255, 255, 255};

static double share_of(uint32_t part, uint32_t whole)
{
    return whole > 0 ? (double)part / whole : 0;
}

static void draw_bar(struct overlay_pen *pen,
                     const struct character_state *clip)
{
    const float width = pen->width * VIEW_ROW_BAR;
    const float height = VIEW_ROW_HEIGHT;
    const uint32_t first = clip->frame - clip->frame % WINDOW_FRAMES;
    const uint32_t rest = clip->frame_count - first;
    const uint32_t count = rest < WINDOW_FRAMES ? rest : WINDOW_FRAMES;

    overlay_pen_bar(pen, pen->x, width, height, 0, 1, overlay_trough);
    if (clip->is_loaded)
        overlay_pen_bar(pen, pen->x, width, height, 0, 1,
                        view_kind_rgba(SPN_DEBUG_STATIC));
    else if (clip->is_ready)
        overlay_pen_bar(pen, pen->x, width, height, 0,
                        share_of(clip->first_bytes, clip->bytes),
                        view_kind_rgba(SPN_DEBUG_STATIC));
    if (clip->pose == PLAY_POSE_SAMPLED)
        overlay_pen_bar(pen, pen->x, width, height,
                        share_of(first, clip->frame_count),
                        share_of(count, clip->frame_count),
                        view_kind_rgba(SPN_DEBUG_DECODED));
    overlay_pen_bar(pen, pen->x, width, height,
                    share_of(clip->frame, clip->frame_count),
                    share_of(1, clip->frame_count), now_rgba);
}

static void write_clip(struct overlay_pen *pen,
                       const struct character_state *clip, uint32_t index)
{
    struct overlay_pen text = *pen;
    const float bar = pen->width * VIEW_ROW_BAR;

    draw_bar(pen, clip);
    text.x += bar + OVERLAY_MARGIN;
    text.width -= bar + OVERLAY_MARGIN;
    overlay_pen_line(
        &text, clip->pose == PLAY_POSE_SAMPLED ? overlay_ink : overlay_alarm,
        "%s %u frame %u %s glitches %u held %u%s%s", view_base_name(clip->name),
        (unsigned)index, (unsigned)clip->frame, character_state_text(clip),
        (unsigned)clip->glitches, (unsigned)clip->held,
        clip->status < SPN_OK ? " " : "",
        clip->status < SPN_OK ? spn_status_text(clip->status) : "");
    overlay_pen_next(pen);
}

void view_clip_rows_write(struct overlay_pen *pen, const spn_debug *debug,
                          const struct character_state *clips,
                          uint32_t clip_count,
                          const struct view_controls *controls)
{
    const spn_debug_anim *anim = &debug->anim;
    const double page_kib = debug->heap.page_bytes / 1024.0;
    uint32_t left_out = 0;

    if (clip_count == 0)
        return;
    overlay_pen_line(pen, overlay_ink,
                     "clips: %u known, %u loaded (%.0f KiB, idle %.0f), %u "
                     "loading, %u play",
                     (unsigned)anim->clip_count, (unsigned)anim->loaded,
                     anim->pages * page_kib, anim->idle_pages * page_kib,
                     (unsigned)anim->loading, (unsigned)anim->plays);
    for (uint32_t i = 0; i < clip_count; i++) {
        if (!view_controls_passes(controls, clips[i].name))
            continue;
        if (overlay_pen_has_room(pen, 2))
            write_clip(pen, &clips[i], i);
        else
            left_out++;
    }
    if (left_out > 0)
        overlay_pen_line(pen, overlay_dim, "and %u more clips",
                         (unsigned)left_out);
}
