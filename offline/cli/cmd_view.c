/* cmd_view.c - the verb `view`: play caches and clips in a window. */
/* SPDX-License-Identifier: MIT */
#include "cli/player_options.h"
#include "cli/verbs.h"
#include "common/report.h"
#include "simulate/clips_report.h"
#include "view/view.h"
#include "view/view_controls.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct values {
    struct view_options view;
    const char *size;
    const char *up;
    struct player_texts texts;
    struct option_texts shots;
    bool is_json;
};

#define AT(member) offsetof(struct values, member)
static const struct option options[] = {
    OPTION_STREAMS(AT(view.play.stream_count)),
    OPTION_CHARACTERS(AT(view.play.characters)),
    OPTION_HEAP(AT(view.play.heap_mib)),
    OPTION_WORKERS(AT(view.play.worker_count)),
    OPTION_DRIVE(AT(view.play.drive)),
    OPTION_FAULTS(AT(texts.faults)),
    OPTION_DISC_LAYOUT(AT(view.play.disc_layout)),
    OPTION_PAK(AT(view.play.pak)),
    OPTION_TUNE(AT(texts.tunings)),
    OPTION_TEXT("size", 0, AT(size), "WxH",
                "size of the window in pixels (default 960x720)"),
    OPTION_CHOICE("up", AT(up), "y|z", "y z",
                  "axis that points up (default: that of the first file, else "
                  "y)"),
    OPTION_TEXT("keys", 'k', AT(view.keys), "KEYS",
                "press these keys first, for example wf"),
    OPTION_TEXTS("screenshot", AT(shots), "TIME=OUT.png",
                 "write the picture at this time in seconds, and end; with "
                 "--frames, while it plays; may be repeated"),
    OPTION_WHOLE("frames", 'f', AT(view.frame_count), "N", 1, 1000000,
                 "play N pictures, 60 for each second of the clip, print a "
                 "report, and end"),
    OPTION_VIRTUAL(AT(view.play.is_virtual)),
    OPTION_JSON(AT(is_json), "print the report of --frames as one JSON object"),
};

static const struct values defaults = {
    .view = {.play = PLAYER_DEFAULTS, .keys = ""}, .size = "960x720"};

static bool parse_size(const char *text, uint32_t *width, uint32_t *height)
{
    char rest;

    return strspn(text, "0123456789x") == strlen(text) && strlen(text) < 12 &&
           /* NOLINTNEXTLINE(cert-err34-c): nine digits at most. */
           sscanf(text, "%ux%u%c", width, height, &rest) == 2 && *width >= 64 &&
           *height >= 64 && *width <= 8192 && *height <= 8192;
}

/* Read "TIME=PATH". */
static bool parse_shot(const char *text, struct view_shot *shot)
{
    char *end;

    if (strspn(text, "0123456789.") == 0)
        return false;
    shot->time_s = strtod(text, &end);
    if (*end != '=' || end[1] == '\0' || !(shot->time_s <= 1e9))
        return false;
    shot->path = end + 1;
    return true;
}

static bool parse_shots(const struct verb *verb,
                        const struct option_texts *texts,
                        struct view_shot *shots)
{
    for (uint32_t i = 0; i < texts->count; i++) {
        if (!parse_shot(texts->items[i], &shots[i]))
            return options_refuse(verb->name,
                                  "--screenshot is TIME=OUT.png, the time in "
                                  "seconds; not \"%s\"",
                                  texts->items[i]);
        if (strcmp(shots[i].path, "-") == 0)
            return options_refuse(verb->name,
                                  "--screenshot does not write to stdout");
    }
    return true;
}

static double mean(double sum, uint32_t count)
{
    return count > 0 ? sum / count : 0;
}

static void print_text(const struct view_options *o,
                       const struct view_report *r)
{
    printf("viewed     %u pictures of %ux%u, %s\n"
           "path       %s\n"
           "to the GPU %.1f kB a picture\n"
           "fill       %.3f ms a picture\n"
           "draw       %.3f ms a picture\n"
           "late       %u pictures\n",
           r->picture_count, o->width, o->height, r->renderer,
           r->is_frame_path ? "quantized frames" : "CPU fill",
           mean((double)r->gpu_bytes / 1e3, r->picture_count),
           mean(r->fill_s * 1e3, r->picture_count),
           mean(r->draw_s * 1e3, r->picture_count), r->late_count);
    clips_report_text(&r->clips);
}

static void print_json(const struct view_report *r, struct diag *diag)
{
    cJSON *json = report_begin("view");

    report_number(json, "pictures", r->picture_count);
    report_text(json, "renderer", r->renderer);
    report_text(json, "path", r->is_frame_path ? "frames" : "fill");
    report_number(json, "time_s", r->time_s);
    report_number(json, "gpu_bytes", (double)r->gpu_bytes);
    report_number(json, "fill_s", r->fill_s);
    report_number(json, "draw_s", r->draw_s);
    report_number(json, "pictures_late", r->late_count);
    clips_report_json(&r->clips, json);
    (void)report_end(json, diag);
}

/* Press the keys of --keys on controls that nothing shows. */
static bool check_keys(const struct verb *verb, const char *keys)
{
    struct view_controls controls;

    view_controls_init(&controls, 1, 1);
    for (const char *key = keys; *key; key++)
        if (!view_controls_press(&controls, (unsigned char)*key))
            return options_refuse(verb->name,
                                  "--keys: the first letter of \"%s\" is no "
                                  "key; h shows the keys",
                                  key);
    return true;
}

static bool run_view(const struct verb_call *call)
{
    struct values *values = call->values;
    struct view_options *o = &values->view;
    struct fault_spec faults[OPTION_TEXTS_MAX];
    struct view_shot shots[OPTION_TEXTS_MAX];
    /* The overlay is on unless an option says otherwise. */
    const char *tunings[OPTION_TEXTS_MAX + 1] = {"debug=1"};
    struct view_report report;

    if (!parse_size(values->size, &o->width, &o->height))
        return options_refuse(call->verb->name,
                              "--size is like 960x720, 64 to 8192; not \"%s\"",
                              values->size);
    if (values->is_json && o->frame_count == 0)
        return options_refuse(call->verb->name, "--json of which --frames?");
    if (!player_options_finish(call, &values->texts, faults, &o->play) ||
        !parse_shots(call->verb, &values->shots, shots) ||
        !check_keys(call->verb, o->keys))
        return false;
    memcpy(tunings + 1, o->play.tunings,
           o->play.tuning_count * sizeof *tunings);
    o->play.tunings = tunings;
    o->play.tuning_count++;
    o->shots = shots;
    o->shot_count = values->shots.count;
    if (values->up)
        o->up_axis = values->up[0] == 'z' ? 'Z' : 'Y';
    if (!view_run(o, call->arena, call->diag, &report) || o->frame_count == 0)
        return true;
    if (values->is_json)
        print_json(&report, call->diag);
    else
        print_text(o, &report);
    return true;
}

static const char notes[] =
    "Keys: h shows them. Drag with the left button to turn, with the right\n"
    "one to move, turn the wheel to come nearer; drag on the time bar to\n"
    "scrub.\n"
    "\n"
    "The vertices of a picture come on one of two paths, which the key f\n"
    "switches. CPU fill: the runtime's workers write interpolated numbers\n"
    "into mapped vertex buffers, for each picture. Quantized frames: they\n"
    "write each stored frame once, as integers, and the vertex shader\n"
    "converts and interpolates; offline/view/shaders/quantized.vert is made\n"
    "to be taken into an engine.\n"
    "\n"
    "Clips (.sac) and all clips of an image (.sai) play as in spindle play,\n"
    "beside the caches, as skeletons: green with the pose of now, yellow with\n"
    "an earlier one, grey without one yet, red if the clip failed.\n"
    "\n"
    "The camera, the light and the colours are those of spindle render\n"
    "--view clip.\n";

const struct verb verb_view = {
    .name = "view",
    .operands = "FILE.sgc|CLIP.sac|IMAGE.sai[:CLIP]|PAK.spk:NAME...",
    .summary = "play caches and clips in a window",
    .examples = "  spindle view sail.sgc\n"
                "  spindle view a.sgc b.sgc --drive x360_dvd12x\n"
                "  spindle view sail.sgc --streams 16 --keys f\n"
                "  spindle view sail.sgc --screenshot 1.5=sail.png --keys o\n"
                "  spindle view sail.sgc --frames 600 --virtual --json\n"
                "  spindle view sail.sgc anims/walk.sac anims/run.sac\n"
                "  spindle view game/animations.sai anims/hero.sas "
                "--characters 4\n",
    .notes = notes,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .operand_min = 1,
    .operand_max = 4096,
    .defaults = &defaults,
    .values_bytes = sizeof(struct values),
    .run = run_view,
};
