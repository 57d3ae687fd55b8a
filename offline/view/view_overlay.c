/* view_overlay.c - one function for each part of the overlay. */
/* SPDX-License-Identifier: MIT */
#include "view/view_overlay.h"

#include "render/bitmap_font.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MARGIN 12.0f
#define TIME_BAR 18.0f /* height */
#define MIB 1048576.0
/* Length of the bar of what a node has buffered. */
#define AHEAD_S 5.0

static const uint8_t ink[4] = {235, 240, 245, 255};
static const uint8_t dim[4] = {165, 175, 185, 255};
static const uint8_t panel[4] = {20, 24, 30, 190};
static const uint8_t opaque[4] = {20, 24, 30, 245};
static const uint8_t trough[4] = {60, 66, 75, 255};
static const uint8_t alarm_rgba[4] = {255, 110, 90, 255};

/* Owners of the heap, and the colours of their parts. */
static const uint8_t owner_colors[4][4] = {
    {120, 130, 145, 255}, /* static data */
    {90, 150, 230, 255},  /* decoded frames */
    {230, 170, 70, 255},  /* compressed bytes */
    {150, 110, 200, 255}, /* blocks of the game */
};

/* Where the next line goes. */
struct pen {
    struct overlay *overlay;
    float x;
    float y;
    float width; /* of the panel's inside */
};

static float line_height(const struct overlay *overlay)
{
    return BITMAP_FONT_LINE * overlay->scale;
}

static float text_width(const struct overlay *overlay, const char *text)
{
    return (float)strlen(text) * BITMAP_FONT_ADVANCE * overlay->scale;
}

static void next_line(struct pen *pen)
{
    pen->y += line_height(pen->overlay);
}

static void draw_line(struct pen *pen, const uint8_t rgba[4], const char *text)
{
    overlay_text(pen->overlay, pen->x, pen->y, rgba, "%s", text);
    next_line(pen);
}

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
    double loop_s = c->duration_s + c->frame_s;
    double time_s = c->time_s;

    if (c->is_looping && loop_s > 0)
        time_s -= floor(time_s / loop_s) * loop_s;
    return fmin(time_s, c->duration_s);
}

static void draw_time(struct overlay *overlay, const struct view_controls *c,
                      uint32_t width, uint32_t height)
{
    float box[4];
    float share = c->duration_s > 0 ? (float)(clip_time(c) / c->duration_s) : 0;

    find_time_bar(width, height, box);
    overlay_box(overlay, box[0], box[1], box[2], box[3], panel);
    overlay_box(overlay, box[0], box[1], box[2] * share, box[3],
                owner_colors[1]);
    overlay_text(
        overlay, box[0] + 4, box[1] + 2, ink, "%.2f of %.2f s  x%g%s%s%s",
        clip_time(c), c->duration_s, c->rate, c->is_backward ? " backward" : "",
        c->is_looping ? " loop" : " once", c->is_playing ? "" : " paused");
}

/* -- the panel -- */

static void write_path(struct pen *pen, const struct view_facts *facts,
                       const struct view_controls *c)
{
    char text[160];

    snprintf(text, sizeof text, "%s: %.1f kB to the GPU a picture",
             c->path == VIEW_PATH_FRAMES ? "quantized frames" : "CPU fill",
             facts->bytes / 1e3);
    draw_line(pen, ink, text);
    snprintf(text, sizeof text,
             "fill %.2f ms  update %.2f ms  draw %.2f ms  %.0f pictures/s",
             facts->fill_ms, facts->update_ms, facts->draw_ms,
             facts->pictures_per_s);
    draw_line(pen, ink, text);
}

static void write_modes(struct pen *pen, const struct view_controls *c)
{
    static const char *const colors[VIEW_COLORS] = {"own", "material", "normal",
                                                    "level"};
    static const char *const meshes[] = {"all", "animated", "static",
                                         "same mesh, same colour"};
    char text[160];

    snprintf(text, sizeof text, "meshes %s  colours %s%s%s%s",
             meshes[c->meshes], colors[c->colors],
             c->is_interpolated ? "" : "  no interpolation",
             c->has_normals ? "  normals" : "",
             c->wire != VIEW_WIRE_OFF ? "  wireframe" : "");
    draw_line(pen, dim, text);
}

static void write_heap(struct pen *pen, const spn_heap_stats *heap)
{
    const uint64_t parts[4] = {heap->static_bytes, heap->decoded_bytes,
                               heap->compressed_bytes, heap->block_bytes};
    float height = line_height(pen->overlay) * 0.7f;
    float x = pen->x;
    char text[160];

    snprintf(text, sizeof text,
             "heap %.1f of %.0f MiB: static %.1f, decoded %.1f, compressed "
             "%.1f",
             (double)heap->live_bytes / MIB, (double)heap->bytes / MIB,
             (double)parts[0] / MIB, (double)parts[1] / MIB,
             (double)parts[2] / MIB);
    draw_line(pen, ink, text);
    overlay_box(pen->overlay, pen->x, pen->y, pen->width, height, trough);
    for (int i = 0; i < 4 && heap->bytes > 0; i++) {
        float part =
            pen->width * (float)((double)parts[i] / (double)heap->bytes);

        overlay_box(pen->overlay, x, pen->y, part, height, owner_colors[i]);
        x += part;
    }
    next_line(pen);
}

static void write_drive(struct pen *pen, const struct view_facts *facts)
{
    char text[160];

    if (!facts->drive)
        return;
    snprintf(text, sizeof text,
             "%s: busy %u %%, %u waiting, %llu reads, %llu seeks, %.1f MB",
             facts->drive, (unsigned)(facts->reads.second.busy_permille / 10),
             (unsigned)facts->reads.waiting,
             (unsigned long long)facts->drive_stats.reads,
             (unsigned long long)facts->drive_stats.seeks,
             (double)facts->drive_stats.bytes / 1e6);
    draw_line(pen, ink, text);
}

/* -- nodes -- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* A bar of what is read and, over it, of what is decoded ahead. */
static void draw_ahead(struct pen *pen, const spn_node_state *state, float x,
                       float width)
{
    const int64_t times[2] = {state->buffered_us, state->precached_us};
    float height = line_height(pen->overlay) * 0.6f;

    overlay_box(pen->overlay, x, pen->y, width, height, trough);
    for (int i = 0; i < 2; i++) {
        float share = (float)((double)times[i] * 1e-6 / AHEAD_S);

        overlay_box(pen->overlay, x, pen->y, width * fmaxf(0, fminf(1, share)),
                    height, owner_colors[2 - i]);
    }
}

static void write_node(struct pen *pen, const struct view_node_facts *node)
{
    const spn_node_state *state = &node->state;
    float bar = pen->width * 0.25f;
    char text[160];

    draw_ahead(pen, state, pen->x, bar);
    snprintf(text, sizeof text, "%s%s%.0u frame %d, %u late, level %u/%u%s%s",
             base_name(node->name), node->copy > 0 ? " " : "",
             (unsigned)node->copy,
             state->shown_frame == UINT32_MAX ? -1 : (int)state->shown_frame,
             (unsigned)state->frames_late, (unsigned)state->level,
             (unsigned)state->level_max, state->status != SPN_OK ? ", " : "",
             state->status != SPN_OK ? spn_status_text(state->status) : "");
    overlay_text(pen->overlay, pen->x + bar + MARGIN, pen->y,
                 node->is_late || state->status != SPN_OK ? alarm_rgba : ink,
                 "%s", text);
    next_line(pen);
}

static void write_nodes(struct pen *pen, const struct view_facts *facts,
                        const struct view_controls *c, float bottom)
{
    uint32_t left_out = 0;
    char text[160];

    if (c->is_typing || c->filter[0]) {
        snprintf(text, sizeof text, "names with: %s%s", c->filter,
                 c->is_typing ? "_" : "");
        draw_line(pen, dim, text);
    }
    for (uint32_t i = 0; i < facts->node_count; i++) {
        if (!view_controls_passes(c, facts->nodes[i].name))
            continue;
        if (pen->y + 2 * line_height(pen->overlay) > bottom)
            left_out++;
        else
            write_node(pen, &facts->nodes[i]);
    }
    if (left_out > 0) {
        snprintf(text, sizeof text, "and %u more", (unsigned)left_out);
        draw_line(pen, dim, text);
    }
}

static void write_panel(struct overlay *overlay, const struct view_facts *facts,
                        const struct view_controls *c, uint32_t width,
                        uint32_t height)
{
    float inside = fminf((float)width - 4 * MARGIN,
                         74 * BITMAP_FONT_ADVANCE * overlay->scale);
    struct pen pen = {overlay, 2 * MARGIN, 2 * MARGIN, inside};
    uint64_t first = overlay->count;
    uint64_t count;

    /* The panel's height is known at the end: its box is written again. */
    overlay_box(overlay, 0, 0, 0, 0, panel);
    write_path(&pen, facts, c);
    write_modes(&pen, c);
    write_heap(&pen, &facts->heap);
    write_drive(&pen, facts);
    write_nodes(&pen, facts, c, (float)height - 4 * MARGIN - TIME_BAR);
    count = overlay->count;
    overlay->count = first;
    overlay_box(overlay, MARGIN, MARGIN, inside + 2 * MARGIN, pen.y, panel);
    overlay->count = count;
}

/* -- help -- */

static void write_help(struct overlay *overlay, uint32_t width)
{
    static const char mouse[][48] = {"drag: turn; right button: move",
                                     "wheel: nearer or farther",
                                     "drag on the time bar: scrub"};
    float column = 7 * BITMAP_FONT_ADVANCE * overlay->scale;
    float inside =
        text_width(overlay, "colours: own, material, normal, level") + column;
    float x = (float)width - 2 * MARGIN - inside;
    uint32_t count = 0;
    struct pen pen;

    while (view_controls_help(count).name)
        count++;
    pen = (struct pen){overlay, x, 2 * MARGIN, inside};
    overlay_box(overlay, x - MARGIN, MARGIN, inside + 2 * MARGIN,
                (float)(count + 4) * line_height(overlay) + MARGIN, opaque);
    for (uint32_t i = 0; i < count; i++) {
        struct view_key_help key = view_controls_help(i);

        overlay_text(overlay, x + column, pen.y, dim, "%s", key.effect);
        draw_line(&pen, ink, key.name);
    }
    next_line(&pen);
    for (size_t i = 0; i < sizeof mouse / sizeof mouse[0]; i++)
        draw_line(&pen, dim, mouse[i]);
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
        write_help(overlay, width);
}
