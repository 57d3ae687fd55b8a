/* view_controls.h - what the viewer shows, and the keys that change it.
 *
 * Keys are ASCII codes in lower case, or one of enum view_key. The window
 * (window.h) translates the events of the system. One thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VIEW_VIEW_CONTROLS_H
#define OFFLINE_VIEW_VIEW_CONTROLS_H

#include <stdbool.h>
#include <stdint.h>

/* Keys without a character. */
enum view_key {
    VIEW_KEY_BACKSPACE = 8,
    VIEW_KEY_ENTER = 13,
    VIEW_KEY_ESCAPE = 27,
    VIEW_KEY_LEFT = 256,
    VIEW_KEY_RIGHT,
    VIEW_KEY_UP,
    VIEW_KEY_DOWN,
    VIEW_KEY_HOME,
    VIEW_KEY_END
};

enum view_wire { VIEW_WIRE_OFF, VIEW_WIRE_OVER, VIEW_WIRE_ONLY };
#define VIEW_WIRES (VIEW_WIRE_ONLY + 1)

/* What decides the colour of a surface. */
enum view_colors {
    VIEW_COLORS_OWN, /* vertex colours; without them a tone for each mesh */
    VIEW_COLORS_MATERIAL, /* the material range */
    VIEW_COLORS_NORMAL,   /* the direction of the normal */
    VIEW_COLORS_LEVEL     /* the frames that the node leaves out */
};
#define VIEW_COLORS (VIEW_COLORS_LEVEL + 1)

/* Which meshes are drawn, and how: the draw modes of the keys 0 to 3. */
enum view_meshes {
    VIEW_MESHES_ALL,
    VIEW_MESHES_ANIMATED,
    VIEW_MESHES_STATIC,
    VIEW_MESHES_SAME_COLOR /* all; each mesh has one colour, wherever it is */
};

enum view_path {
    VIEW_PATH_FILL,  /* the CPU fills mapped vertex buffers */
    VIEW_PATH_FRAMES /* quantized frames; the vertex shader does the rest */
};
#define VIEW_PATHS (VIEW_PATH_FRAMES + 1)

#define VIEW_FILTER_BYTES 64u
#define VIEW_RATE_MIN 0.125
#define VIEW_RATE_MAX 8.0

struct view_controls {
    /* set by the owner */
    double duration_s; /* of the longest clip */
    double frame_s;    /* typical time between two frames, > 0 */
    double loop_s;     /* from the start of the longest clip to its next start;
                        * duration_s + frame_s after view_controls_init */

    double time_s; /* of playback; runs on over the ends while it loops */
    double rate;   /* VIEW_RATE_MIN..VIEW_RATE_MAX */
    bool is_playing;
    bool is_backward;
    bool is_looping;
    bool is_interpolated;
    bool has_normals; /* draw them as lines */
    bool has_help;
    bool has_overlay;
    bool is_typing;    /* keys go to the filter */
    bool wants_camera; /* show all; the owner clears it */
    bool wants_end;
    float mouse[2]; /* pixels of the picture; below 0: not in it yet */
    enum view_wire wire;
    enum view_colors colors;
    enum view_meshes meshes;
    enum view_path path;
    char filter[VIEW_FILTER_BYTES]; /* part of the names in the overlay */
};

/* Looping, at normal speed, with overlay. */
void view_controls_init(struct view_controls *controls, double duration_s,
                        double frame_s);

/* Press a key. Returns false for a key without a meaning. */
bool view_controls_press(struct view_controls *controls, int key);

/* Let `seconds` of the clock pass. Without looping, playback stops at the
 * ends. */
void view_controls_advance(struct view_controls *controls, double seconds);

/* Jump to a share of the longest clip, 0..1, and pause. */
void view_controls_scrub(struct view_controls *controls, double share);

/* Playback speed for spn_node_set_rate: thousandths, negative for backward. */
int32_t view_controls_rate_permille(const struct view_controls *controls);

/* The table of keys, for the help: the name and the effect of key `index`; the
 * name is NULL after the last. */
struct view_key_help {
    const char *name;
    const char *effect;
};
struct view_key_help view_controls_help(uint32_t index);

/* Does a name contain the filter? Letters of both cases are equal. */
bool view_controls_passes(const struct view_controls *controls,
                          const char *name);

#endif
