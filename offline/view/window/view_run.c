/* view_run.c - the viewer's run: start, the loop of pictures, shutdown.
 *
 * With --frames the playback time advances by 1/60 s a picture, as `spindle
 * play` does; otherwise by the time that has passed.
 */
/* SPDX-License-Identifier: MIT */
#include "view/view.h"

#include "common/system.h"
#include "player/play_damage.h"
#include "view/view_overlay.h"
#include "view/view_tuning.h"
#include "view/window/fill_path.h"
#include "view/window/frame_path.h"
#include "view/window/overlay_draw.h"
#include "view/window/scene_draw.h"
#include "view/window/screenshot.h"
#include "view/window/window.h"

#include <stdio.h>
#include <string.h>

/* Longest wait for the picture of a screenshot. */
#define SHOT_SECONDS 60
#define STEP_S 0.001
/* Longest wait for the first picture of another fill path. */
#define SWITCH_SECONDS 0.5
/* From this width of the picture on a dot of the overlay's font has 2 x 2
 * pixels. */
#define OVERLAY_LARGE_WIDTH 1280u
/* Weight of a picture in the means of the overlay. */
#define MEAN_SHARE 0.05

struct viewer {
    const struct view_options *options;
    struct view_report *report;
    struct arena *arena;
    struct diag *diag;
    struct play_report play_report;
    struct player player;
    struct window window;
    struct programs programs;
    struct overlay_draw overlay_draw;
    struct view_scene scene;
    struct frame_path frames;
    struct view_controls controls;
    struct orbit orbit;
    char up_axis;
    enum view_path path; /* in use; controls.path is wanted */
    bool is_looping;     /* the same */
    int32_t rate_permille;
    struct view_facts facts;
    spn_debug debug;
    double shown_s;             /* when the last picture was shown */
    bool *is_written;           /* by run_frames: each screenshot */
    struct arena picture_arena; /* of one picture */
};

/* -- start -- */

static bool find_up_axis(struct viewer *v)
{
    struct cache_header header;

    v->up_axis = v->options->up_axis;
    /* That of glTF. */
    if (!v->up_axis && v->options->play.file_count == 0)
        v->up_axis = 'Y';
    if (v->up_axis)
        return true;
    if (!play_paks_header(&v->player.paks, 0, &header, v->diag))
        return false;
    v->up_axis = (char)header.up_axis;
    return true;
}

/* The longest cache. */
static struct play_span span_of_caches(const struct viewer *v)
{
    struct play_span longest = {.frame_s = 1};

    for (uint32_t i = 0; i < v->options->play.file_count; i++) {
        const spn_cache_info *info = &v->player.files[i].info;
        const double last_s = (double)info->duration_us * 1e-6;
        const double frame_s =
            info->frame_count > 1 ? last_s / (info->frame_count - 1) : 1;

        if (i == 0 || last_s > longest.last_s)
            longest = (struct play_span){last_s, last_s + frame_s, frame_s};
    }
    return longest;
}

/* Time of the longest clip, and of its frames. */
static void begin_controls(struct viewer *v)
{
    struct play_span span = span_of_caches(v);
    const struct play_span clips = play_clips_span(&v->player.clips);

    if (v->player.clips.character_count > 0 && clips.last_s > span.last_s)
        span = clips;
    view_controls_init(&v->controls, span.last_s, span.frame_s);
    v->controls.loop_s = span.round_s;
    v->is_looping = true;
    view_tuning_read(&v->controls, v->player.rt);
}

static void show_all(struct viewer *v)
{
    float box_min[3];
    float box_max[3];

    view_scene_get_box(&v->scene, box_min, box_max);
    orbit_show(&v->orbit, box_min, box_max, v->up_axis, v->window.width,
               v->window.height);
}

/* The verb has checked that all of them are keys. */
static void press_keys(struct viewer *v)
{
    for (const char *key = v->options->keys; *key; key++)
        (void)view_controls_press(&v->controls, (unsigned char)*key);
}

static bool start(struct viewer *v)
{
    const struct view_options *o = v->options;
    const char *path = o->play.files[0];
    char title[256];
    bool is_scripted = o->frame_count > 0 || o->shot_count > 0;

    snprintf(title, sizeof title, "%s - spindle view", path);
    if (!sdl_library_load(&v->window.sdl, v->diag) ||
        !player_start(&v->player) || !find_up_axis(v) ||
        !play_clips_begin(&v->player.clips, INT64_MAX))
        return false;
    /* The places of skeletons depend on their first poses. */
    player_update(&v->player);
    play_clips_sample(&v->player.clips);
    begin_controls(v);
    press_keys(v);
    if (!window_open(&v->window, title, o->width, o->height, !is_scripted,
                     v->diag))
        return false;
    snprintf(v->report->renderer, sizeof v->report->renderer, "%s",
             (const char *)v->window.gl.GetString(GL_RENDERER));
    if (!programs_make(&v->programs, &v->window.gl, v->diag))
        return false;
    overlay_draw_open(&v->overlay_draw, &v->window.gl);
    if (!view_scene_open(&v->scene, &v->player, &v->window.gl, v->up_axis))
        return false;
    show_all(v);
    return true;
}

/* -- a picture -- */

static void set_time(struct viewer *v)
{
    int64_t time_us = (int64_t)(v->controls.time_s * 1e6 +
                                (v->controls.time_s < 0 ? -0.5 : 0.5));

    for (uint32_t i = 0; i < v->player.stream_count; i++)
        (void)spn_node_set_playback_time(
            v->player.rt, v->player.streams[i].node,
            v->player.streams[i].start_us + time_us);
    play_clips_set_time(&v->player.clips, time_us, player_now_us(&v->player));
}

static bool are_all_ready(const struct viewer *v)
{
    for (uint32_t i = 0; i < v->player.stream_count; i++) {
        spn_node_state state;

        if (spn_node_get_state(v->player.rt, v->player.streams[i].node,
                               &state) == SPN_OK &&
            !state.is_ready && state.status >= 0)
            return false;
    }
    return play_clips_are_ready(&v->player.clips);
}

/* Wait for the frames at the playback time, until `limit_s` on the clock. */
static void wait_until_ready(struct viewer *v, double limit_s)
{
    while (!are_all_ready(v) && player_now(&v->player) <= limit_s) {
        player_wait_until(&v->player, player_now(&v->player) + STEP_S);
        player_update(&v->player);
    }
}

/* Use the path of the controls. The streams stop for that; wait a little for
 * their pictures, so that the window does not flash. */
static bool switch_path(struct viewer *v)
{
    double limit_s = player_now(&v->player) + SWITCH_SECONDS;

    v->path = v->controls.path;
    if (v->path == VIEW_PATH_FRAMES ? !frame_path_start(&v->frames, &v->scene)
                                    : !frame_path_stop(&v->frames))
        return false;
    set_time(v);
    player_update(&v->player);
    wait_until_ready(v, limit_s);
    return true;
}

/* Make the runtime follow the controls. */
static bool apply_controls(struct viewer *v)
{
    struct player *player = &v->player;
    const struct view_controls *c = &v->controls;
    int32_t rate = view_controls_rate_permille(c);

    view_tuning_write(c, player->rt);
    for (uint32_t i = 0; i < player->stream_count; i++) {
        spn_node node = player->streams[i].node;

        if (c->is_looping != v->is_looping)
            (void)spn_node_set_range(player->rt, node, 0, INT64_MAX,
                                     c->is_looping ? SPN_LOOP : SPN_ONCE);
        if (rate != v->rate_permille)
            (void)spn_node_set_rate(player->rt, node, rate);
    }
    play_clips_set_way(&player->clips,
                       (struct play_way){.is_once = !c->is_looping,
                                         .is_by_frames = !c->is_interpolated,
                                         .direction = c->is_backward ? -1 : 1});
    v->is_looping = c->is_looping;
    v->rate_permille = rate;
    return c->path == v->path || switch_path(v);
}

/* A mean that forgets old pictures. */
static void follow(double *mean, double value)
{
    *mean = *mean <= 0 ? value : *mean + MEAN_SHARE * (value - *mean);
}

static void fill(struct viewer *v)
{
    uint64_t bytes = v->scene.gpu_bytes;
    double start_s = system_seconds();
    double seconds;

    view_scene_update(&v->scene);
    play_clips_show(&v->player.clips, player_now_us(&v->player));
    view_scene_make_bones(&v->scene, &v->controls, &v->picture_arena);
    if (v->path == VIEW_PATH_FRAMES)
        frame_path_show(&v->frames);
    else
        fill_path_show(&v->scene);
    seconds = system_seconds() - start_s;
    v->report->fill_s += seconds;
    follow(&v->facts.fill_ms, seconds * 1e3);
    follow(&v->facts.bytes, (double)(v->scene.gpu_bytes - bytes));
}

/* Take a snapshot of the runtime, in memory of the picture. */
static void collect_facts(struct viewer *v)
{
    struct view_facts *facts = &v->facts;
    const struct player *player = &v->player;
    uint64_t bytes;

    facts->debug = NULL;
    if (!v->controls.has_overlay)
        return;
    bytes = spn_debug_bytes_needed(player->rt);
    if (spn_debug_snapshot(player->rt, arena_alloc(&v->picture_arena, bytes, 1),
                           bytes, &v->debug) == SPN_OK)
        facts->debug = &v->debug;
    (void)spn_io_get_medium_stats(player->rt, SPN_MEDIUM_OPTICAL,
                                  &facts->reads);
    facts->drive = player->drive.emulator ? &player->drive.profile : NULL;
    view_skeletons_describe(&v->scene.skeletons);
    facts->clips = v->scene.skeletons.facts;
    facts->clip_count = player->clips.character_count;
}

static void draw_overlay(struct viewer *v, struct overlay *overlay)
{
    overlay_draw(&v->overlay_draw, &v->window.gl, &v->programs.overlay, overlay,
                 v->window.width, v->window.height);
}

static void draw(struct viewer *v)
{
    static const uint8_t top[4] = {236, 240, 245, 255};
    static const uint8_t bottom[4] = {176, 186, 198, 255};
    const struct gl_library *gl = &v->window.gl;
    uint32_t width = v->window.width;
    uint32_t height = v->window.height;
    double start_s = system_seconds();
    struct overlay overlay;
    double seconds;

    arena_reset(&v->picture_arena);
    gl->Viewport(0, 0, (GLsizei)width, (GLsizei)height);
    gl->Clear(GL_DEPTH_BUFFER_BIT);
    overlay_init(&overlay, 1, &v->picture_arena);
    overlay_gradient(&overlay, 0, 0, (float)width, (float)height, top, bottom);
    draw_overlay(v, &overlay);
    scene_draw(&v->scene, &v->programs, &v->controls, &v->orbit, width, height);
    collect_facts(v);
    overlay_init(&overlay, width >= OVERLAY_LARGE_WIDTH ? 2 : 1,
                 &v->picture_arena);
    view_overlay_write(&overlay, &v->facts, &v->controls, width, height);
    draw_overlay(v, &overlay);
    seconds = system_seconds() - start_s;
    v->report->draw_s += seconds;
    follow(&v->facts.draw_ms, seconds * 1e3);
}

/* Update the runtime, fill and draw. */
static bool make_picture(struct viewer *v)
{
    double before_s = v->player.update_s;

    window_poll(&v->window, &v->controls, &v->orbit);
    if (v->controls.wants_camera)
        show_all(v);
    v->controls.wants_camera = false;
    if (!apply_controls(v))
        return false;
    set_time(v);
    player_update(&v->player);
    follow(&v->facts.update_ms, (v->player.update_s - before_s) * 1e3);
    fill(v);
    draw(v);
    v->report->picture_count++;
    v->report->late_count += view_scene_is_late(&v->scene);
    return true;
}

static void show_picture(struct viewer *v)
{
    double now_s;

    window_swap(&v->window);
    now_s = system_seconds();
    if (v->shown_s > 0 && now_s > v->shown_s)
        follow(&v->facts.pictures_per_s, 1 / (now_s - v->shown_s));
    v->shown_s = now_s;
}

/* -- runs -- */

/* Write the screenshots whose time playback has reached. Its time is a sum, and
 * the runtime gets it in microseconds. */
static bool write_due_shots(struct viewer *v)
{
    const double time_s = v->controls.time_s + 0.5e-6;

    for (uint32_t i = 0; i < v->options->shot_count; i++) {
        const struct view_shot *shot = &v->options->shots[i];

        if (v->is_written[i] || shot->time_s > time_s)
            continue;
        if (!screenshot_write(&v->window, shot->path, v->diag))
            return false;
        v->is_written[i] = true;
    }
    return true;
}

/* Refuse the first screenshot that is not written. */
static bool check_shots(const struct viewer *v)
{
    for (uint32_t i = 0; i < v->options->shot_count; i++)
        if (!v->is_written[i])
            return diag_io(v->diag, v->options->shots[i].path, 0,
                           "playback ended at %g s, before %g s",
                           v->controls.time_s, v->options->shots[i].time_s);
    return true;
}

static bool run_frames(struct viewer *v)
{
    double start_s = player_now(&v->player);

    v->is_written = ARENA_NEW(v->arena, bool, v->options->shot_count);
    for (uint32_t k = 0; k < v->options->frame_count && !v->controls.wants_end;
         k++) {
        player_wait_until(&v->player,
                          start_s + (double)k / VIEW_PICTURES_PER_S);
        if (!make_picture(v) || !write_due_shots(v))
            return false;
        show_picture(v);
        view_controls_advance(&v->controls, 1.0 / VIEW_PICTURES_PER_S);
    }
    return check_shots(v) && gl_library_check(&v->window.gl, "view", v->diag);
}

static bool run_window(struct viewer *v)
{
    double last_s = player_now(&v->player);

    while (!v->controls.wants_end) {
        double now_s = player_now(&v->player);

        view_controls_advance(&v->controls, now_s - last_s);
        last_s = now_s;
        if (!make_picture(v))
            return false;
        show_picture(v);
        if (v->options->play.is_virtual)
            player_wait_until(&v->player, now_s + 1.0 / VIEW_PICTURES_PER_S);
    }
    return true;
}

/* -- screenshots -- */

/* Are all nodes shown as they should be, apart from damaged frames? */
static bool is_settled(const struct viewer *v)
{
    for (uint32_t i = 0; i < v->player.stream_count; i++)
        if (v->scene.nodes[i].state.status >= 0 &&
            (!v->scene.nodes[i].state.is_ready || v->scene.nodes[i].is_late))
            return false;
    return !view_skeletons_are_late(&v->scene.skeletons);
}

static bool take_shot(struct viewer *v, const struct view_shot *shot)
{
    double limit_s = player_now(&v->player) + SHOT_SECONDS;

    v->controls.is_playing = false;
    v->controls.time_s = shot->time_s;
    for (;;) {
        set_time(v);
        player_update(&v->player);
        wait_until_ready(v, limit_s);
        if (!make_picture(v))
            return false;
        if (v->controls.wants_end)
            return diag_io(v->diag, shot->path, 0,
                           "the window was closed before the picture at %g s",
                           shot->time_s);
        if (is_settled(v))
            break;
        if (player_now(&v->player) > limit_s)
            return diag_io(v->diag, shot->path, 0,
                           "the picture at %g s is not there after %d s",
                           shot->time_s, SHOT_SECONDS);
        player_wait_until(&v->player,
                          player_now(&v->player) + 1.0 / VIEW_PICTURES_PER_S);
    }
    if (!screenshot_write(&v->window, shot->path, v->diag))
        return false;
    show_picture(v);
    return true;
}

static bool run(struct viewer *v)
{
    if (v->options->frame_count > 0)
        return run_frames(v);
    for (uint32_t i = 0; i < v->options->shot_count; i++)
        if (!take_shot(v, &v->options->shots[i]))
            return false;
    return v->options->shot_count > 0 || run_window(v);
}

bool view_run(const struct view_options *options, struct arena *arena,
              struct diag *diag, struct view_report *report)
{
    struct viewer v = {
        .options = options, .report = report, .arena = arena, .diag = diag};
    bool is_good;

    *report = (struct view_report){0};
    arena_init(&v.picture_arena);
    player_init(&v.player, &options->play, arena, diag, &v.play_report);
    is_good = start(&v) && run(&v);
    if (is_good) {
        play_damage_collect(&v.player);
        play_clips_collect(&v.player.clips);
    }
    report->clips = v.play_report.clips;
    report->gpu_bytes = v.scene.gpu_bytes;
    report->is_frame_path = v.path == VIEW_PATH_FRAMES;
    report->time_s = v.controls.time_s;
    /* The runtime releases frame buffers, so the context outlives it. */
    player_finish(&v.player);
    frame_path_free(&v.frames);
    view_scene_close(&v.scene);
    if (v.overlay_draw.array)
        overlay_draw_close(&v.overlay_draw, &v.window.gl);
    if (v.programs.surface[0].id)
        programs_free(&v.programs, &v.window.gl);
    window_close(&v.window);
    play_report_free(&v.play_report);
    arena_free(&v.picture_arena);
    return is_good;
}
