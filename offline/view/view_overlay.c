/* view_overlay.c - one function for each part of the overlay. */
/* SPDX-License-Identifier: MIT */
#include "view/view_overlay.h"

#include "render/bitmap_font.h"
#include "view/view_snapshot.h"

#include <math.h>
#include <string.h>

#define MARGIN OVERLAY_MARGIN
#define TIME_BAR 18.0f   /* height */
#define PANEL_COLUMNS 96 /* letters in a line */

static const uint8_t panel[4] = {20, 24, 30, 190};
static const uint8_t opaque[4] = {20, 24, 30, 245};
static const uint8_t played[4] = {90, 150, 230, 255};

/* -- time -- */

static void find_time_bar(uint32_t width, uint32_t height, float box[4])
{
    box[0] = MARGIN;
    box[1] = (float)height - MARGIN - TIME_BAR;
    box[2] = (float)width - 2 * MARGIN;
    box[3] = TIME_BAR;
}

bool view_overlay_time_at(uint32_t width, uint32_t height, float x, float y,
                          double *share)
{
    float box[4];

    find_time_bar(width, height, box);
    *share = fmax(0, fmin(1, (double)((x - box[0]) / box[2])));
    return x >= box[0] && x < box[0] + box[2] && y >= box[1] &&
           y < box[1] + box[3];
}

/* The time within the longest clip. */
static double clip_time(const struct view_controls *c)
{
    double time_s = c->time_s;

    if (c->is_looping && c->loop_s > 0)
        time_s -= floor(time_s / c->loop_s) * c->loop_s;
    return fmin(time_s, c->duration_s);
}

static void draw_time(struct overlay *overlay, const struct view_controls *c,
                      uint32_t width, uint32_t height)
{
    float box[4];
    float share = c->duration_s > 0 ? (float)(clip_time(c) / c->duration_s) : 0;

    find_time_bar(width, height, box);
    overlay_box(overlay, box[0], box[1], box[2], box[3], panel);
    overlay_box(overlay, box[0], box[1], box[2] * share, box[3], played);
    overlay_text(overlay, box[0] + 4, box[1] + 2, overlay_ink,
                 "%.2f of %.2f s  x%g%s%s%s", clip_time(c), c->duration_s,
                 c->rate, c->is_backward ? " backward" : "",
                 c->is_looping ? " loop" : " once",
                 c->is_playing ? "" : " paused");
}

/* -- the panel -- */

static void write_path(struct overlay_pen *pen, const struct view_facts *facts,
                       const struct view_controls *c)
{
    overlay_pen_line(pen, overlay_ink, "%s: %.1f kB to the GPU a picture",
                     c->path == VIEW_PATH_FRAMES ? "quantized frames"
                                                 : "CPU fill",
                     facts->bytes / 1e3);
    overlay_pen_line(
        pen, overlay_ink,
        "fill %.2f ms  update %.2f ms  draw %.2f ms  %.0f pictures/s",
        facts->fill_ms, facts->update_ms, facts->draw_ms,
        facts->pictures_per_s);
}

static void write_modes(struct overlay_pen *pen, const struct view_controls *c)
{
    static const char *const colors[VIEW_COLORS] = {"own", "material", "normal",
                                                    "level"};
    static const char *const meshes[] = {"all", "animated", "static",
                                         "same mesh, same colour"};

    overlay_pen_line(pen, overlay_dim, "meshes %s  colours %s%s%s%s",
                     meshes[c->meshes], colors[c->colors],
                     c->is_interpolated ? "" : "  no interpolation",
                     c->has_normals ? "  normals" : "",
                     c->wire != VIEW_WIRE_OFF ? "  wireframe" : "");
    if (c->is_typing || c->filter[0])
        overlay_pen_line(pen, overlay_dim, "names with: %s%s", c->filter,
                         c->is_typing ? "_" : "");
}

static void write_panel(struct overlay *overlay, const struct view_facts *facts,
                        const struct view_controls *c, uint32_t width,
                        uint32_t height)
{
    float inside = fminf((float)width - 4 * MARGIN,
                         PANEL_COLUMNS * BITMAP_FONT_ADVANCE * overlay->scale);
    struct overlay_pen pen = {overlay, 2 * MARGIN, 2 * MARGIN, inside,
                              (float)height - 3 * MARGIN - TIME_BAR};
    uint64_t first = overlay->count;
    uint64_t count;

    /* The panel's height is known at the end: its box is written again. */
    overlay_box(overlay, 0, 0, 0, 0, panel);
    write_path(&pen, facts, c);
    write_modes(&pen, c);
    if (facts->debug)
        view_snapshot_write(&pen, facts, c);
    count = overlay->count;
    overlay->count = first;
    overlay_box(overlay, MARGIN, MARGIN, inside + 2 * MARGIN, pen.y, panel);
    overlay->count = count;
}

/* -- help -- */

/* Count the keys, and measure the longest text about one in letters. */
static uint32_t count_keys(size_t *longest)
{
    uint32_t count = 0;

    *longest = 0;
    for (; view_controls_help(count).name; count++) {
        size_t length = strlen(view_controls_help(count).effect);

        *longest = length > *longest ? length : *longest;
    }
    return count;
}

static void write_help(struct overlay *overlay, uint32_t width, uint32_t height)
{
    static const char mouse[][48] = {"drag: turn; right button: move",
                                     "wheel: nearer or farther",
                                     "drag on the time bar: scrub"};
    size_t longest;
    uint32_t count = count_keys(&longest);
    float letter = BITMAP_FONT_ADVANCE * overlay->scale;
    float column = 7 * letter;
    float inside = (float)longest * letter + column;
    float x = (float)width - 2 * MARGIN - inside;
    struct overlay_pen pen = {overlay, x, 2 * MARGIN, inside,
                              (float)height - 2 * MARGIN};

    overlay_box(overlay, x - MARGIN, MARGIN, inside + 2 * MARGIN,
                fminf((float)(count + 4) * overlay_pen_height(&pen) + MARGIN,
                      (float)height - 2 * MARGIN),
                opaque);
    for (uint32_t i = 0; i < count && overlay_pen_has_room(&pen, 1); i++) {
        struct view_key_help key = view_controls_help(i);

        overlay_text(overlay, x + column, pen.y, overlay_dim, "%s", key.effect);
        overlay_pen_line(&pen, overlay_ink, "%s", key.name);
    }
    overlay_pen_next(&pen);
    for (size_t i = 0; i < sizeof mouse / sizeof mouse[0]; i++)
        overlay_pen_line(&pen, overlay_dim, "%s", mouse[i]);
}

void view_overlay_write(struct overlay *overlay, const struct view_facts *facts,
                        const struct view_controls *controls, uint32_t width,
                        uint32_t height)
{
    if (controls->has_overlay) {
        write_panel(overlay, facts, controls, width, height);
        draw_time(overlay, controls, width, height);
    }
    if (controls->has_help)
        write_help(overlay, width, height);
}
