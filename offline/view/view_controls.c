/* view_controls.c - one table of keys: name, effect, action. */
/* SPDX-License-Identifier: MIT */
#include "view/view_controls.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

void view_controls_init(struct view_controls *controls, double duration_s,
                        double frame_s)
{
    *controls = (struct view_controls){
        .duration_s = duration_s,
        .frame_s = frame_s,
        .loop_s = duration_s + frame_s,
        .rate = 1,
        .is_playing = true,
        .is_looping = true,
        .is_interpolated = true,
        .has_overlay = true,
        .mouse = {-1, -1},
    };
}

/* -- actions -- */

static void play(struct view_controls *c)
{
    bool is_over =
        !c->is_looping &&
        (c->is_backward ? c->time_s <= 0 : c->time_s >= c->duration_s);

    if (!c->is_playing && is_over)
        c->time_s = c->is_backward ? c->duration_s : 0;
    c->is_playing = !c->is_playing;
}

static void step(struct view_controls *c, double frames)
{
    c->is_playing = false;
    c->time_s += frames * c->frame_s;
    if (!c->is_looping)
        c->time_s = fmax(0, fmin(c->duration_s, c->time_s));
}

static void step_back(struct view_controls *c)
{
    step(c, -1);
}

static void step_on(struct view_controls *c)
{
    step(c, 1);
}

static void go_first(struct view_controls *c)
{
    view_controls_scrub(c, 0);
}

static void go_last(struct view_controls *c)
{
    view_controls_scrub(c, 1);
}

static void faster(struct view_controls *c)
{
    c->rate = fmin(c->rate * 2, VIEW_RATE_MAX);
}

static void slower(struct view_controls *c)
{
    c->rate = fmax(c->rate / 2, VIEW_RATE_MIN);
}

static void reverse(struct view_controls *c)
{
    c->is_backward = !c->is_backward;
}

static void loop(struct view_controls *c)
{
    c->is_looping = !c->is_looping;
    if (!c->is_looping)
        c->time_s = fmax(0, fmin(c->duration_s, c->time_s));
}

static void interpolate(struct view_controls *c)
{
    c->is_interpolated = !c->is_interpolated;
}

static void wire(struct view_controls *c)
{
    c->wire = (enum view_wire)((c->wire + 1) % VIEW_WIRES);
}

static void normals(struct view_controls *c)
{
    c->has_normals = !c->has_normals;
}

static void colors(struct view_controls *c)
{
    c->colors = (enum view_colors)((c->colors + 1) % VIEW_COLORS);
}

static void all_meshes(struct view_controls *c)
{
    c->meshes = VIEW_MESHES_ALL;
}

static void animated(struct view_controls *c)
{
    c->meshes = VIEW_MESHES_ANIMATED;
}

static void unanimated(struct view_controls *c)
{
    c->meshes = VIEW_MESHES_STATIC;
}

static void same_color(struct view_controls *c)
{
    c->meshes = VIEW_MESHES_SAME_COLOR;
}

static void path(struct view_controls *c)
{
    c->path = (enum view_path)((c->path + 1) % VIEW_PATHS);
}

static void overlay(struct view_controls *c)
{
    c->has_overlay = !c->has_overlay;
}

static void filter(struct view_controls *c)
{
    c->is_typing = true;
    c->filter[0] = '\0';
}

static void camera(struct view_controls *c)
{
    c->wants_camera = true;
}

static void help(struct view_controls *c)
{
    c->has_help = !c->has_help;
}

static void end(struct view_controls *c)
{
    c->wants_end = true;
}

static const struct {
    int key;
    struct view_key_help help;
    void (*action)(struct view_controls *controls);
} keys[] = {
    {' ', {"space", "play or pause"}, play},
    {VIEW_KEY_LEFT, {"left", "one frame back"}, step_back},
    {VIEW_KEY_RIGHT, {"right", "one frame on"}, step_on},
    {VIEW_KEY_HOME, {"home", "to the first frame"}, go_first},
    {VIEW_KEY_END, {"end", "to the last frame"}, go_last},
    {VIEW_KEY_UP, {"up", "twice as fast"}, faster},
    {VIEW_KEY_DOWN, {"down", "half as fast"}, slower},
    {'r', {"r", "reverse"}, reverse},
    {'l', {"l", "loop on or off"}, loop},
    {'i', {"i", "interpolation on or off"}, interpolate},
    {'w', {"w", "wireframe over, alone, off"}, wire},
    {'n', {"n", "normals on or off"}, normals},
    {'c', {"c", "colours: own, material, normal, level"}, colors},
    {'0', {"0", "all meshes"}, all_meshes},
    {'1', {"1", "only animated meshes"}, animated},
    {'2', {"2", "only static meshes"}, unanimated},
    {'3', {"3", "same mesh, same colour"}, same_color},
    {'f', {"f", "CPU fill, or frames to the GPU"}, path},
    {'o', {"o", "overlay on or off"}, overlay},
    {'/', {"/", "type a part of names to list"}, filter},
    {'a', {"a", "show all"}, camera},
    {'h', {"h", "this help"}, help},
    {'q', {"q", "quit"}, end},
};

/* A key while the filter is typed. */
static bool type(struct view_controls *c, int key)
{
    size_t length = strlen(c->filter);

    switch (key) {
    case VIEW_KEY_ESCAPE:
        c->filter[0] = '\0';
        c->is_typing = false;
        return true;
    case VIEW_KEY_ENTER:
        c->is_typing = false;
        return true;
    case VIEW_KEY_BACKSPACE:
        if (length > 0)
            c->filter[length - 1] = '\0';
        return true;
    default:
        if (key < ' ' || key > '~' || length + 1 >= sizeof c->filter)
            return false;
        c->filter[length] = (char)key;
        c->filter[length + 1] = '\0';
        return true;
    }
}

bool view_controls_press(struct view_controls *controls, int key)
{
    if (controls->is_typing)
        return type(controls, key);
    if (key == VIEW_KEY_ESCAPE)
        key = 'q';
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i].key == key) {
            keys[i].action(controls);
            return true;
        }
    return false;
}

struct view_key_help view_controls_help(uint32_t index)
{
    if (index < sizeof keys / sizeof keys[0])
        return keys[index].help;
    return (struct view_key_help){NULL, NULL};
}

/* -- time -- */

void view_controls_advance(struct view_controls *controls, double seconds)
{
    double time_s;

    if (!controls->is_playing)
        return;
    time_s =
        controls->time_s +
        seconds * (controls->is_backward ? -controls->rate : controls->rate);
    if (!controls->is_looping &&
        (time_s < 0 || time_s > controls->duration_s)) {
        time_s = time_s < 0 ? 0 : controls->duration_s;
        controls->is_playing = false;
    }
    controls->time_s = time_s;
}

void view_controls_scrub(struct view_controls *controls, double share)
{
    controls->is_playing = false;
    controls->time_s = controls->duration_s * fmax(0, fmin(1, share));
}

int32_t view_controls_rate_permille(const struct view_controls *controls)
{
    double rate = controls->rate * 1000;

    return (int32_t)(controls->is_backward ? -rate : rate);
}

/* -- filter -- */

static char lower(char letter)
{
    return (char)(letter >= 'A' && letter <= 'Z' ? letter + ('a' - 'A')
                                                 : letter);
}

bool view_controls_passes(const struct view_controls *controls,
                          const char *name)
{
    const char *filter_text = controls->filter;

    for (;; name++) {
        size_t i = 0;

        while (filter_text[i] && lower(name[i]) == lower(filter_text[i]))
            i++;
        if (!filter_text[i])
            return true;
        if (!*name)
            return false;
    }
}
