/* cmd_render.c - the verb `render`: draw a contact sheet of some frames. */
/* SPDX-License-Identifier: MIT */
#include "cli/animation_file.h"
#include "cli/clip_picture.h"
#include "cli/verbs.h"
#include "host/host.h"
#include "info/info.h"
#include "render/cache_surface.h"
#include "render/clip_surface.h"
#include "render/png.h"
#include "render/raster.h"
#include "render/scene_view.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define FRAMES_MAX 256u
#define GAP 4u

struct values {
    const char *output;
    const char *frames;
    const char *size;
    const char *view;
    const char *up;
};

#define AT(member) offsetof(struct values, member)
static const struct option options[] = {
    OPTION_OUTPUT(AT(output), "FILE",
                  "the PNG file to write, or - for stdout; it appears "
                  "complete or not at all",
                  "an output: -o OUT.png", NULL),
    OPTION_TEXT("frames", 'f', AT(frames), "N,N,...",
                "frame numbers, from 0 (default 0)"),
    OPTION_TEXT("size", 0, AT(size), "WxH",
                "size of one picture in pixels (default 480x360)"),
    OPTION_CHOICE("view", AT(view), "picture|clip", "picture clip",
                  "fit each picture to its own content (default), or to the "
                  "bounds of the whole clip, so that pictures can be overlaid"),
    OPTION_CHOICE("up", AT(up), "y|z", "y z",
                  "axis that points up (default: that of the file, else y)"),
};

/* The input: a cache, an archive, or an animation clip; the other pointers are
 * NULL. */
struct source {
    struct cache_reader *reader;
    struct abc_archive *archive;
    struct clip *clip;
    struct clip_picture *bones;
    struct arena arena; /* of `bones` */
    uint32_t frame_count;
    char up_axis;
    bool is_framed_by_clip;
    float box_min[3]; /* the box that the camera shows */
    float box_max[3];
};

struct sheet {
    uint32_t frames[FRAMES_MAX];
    uint32_t count;
    uint32_t width; /* for one picture */
    uint32_t height;
    uint32_t columns;
};

static bool open_cache(struct source *source, const char *path,
                       struct diag *diag)
{
    const struct cache_header *header;

    source->reader = cache_reader_open(path, diag);
    if (!source->reader)
        return false;
    header = cache_reader_header(source->reader);
    source->frame_count = header->frame_count;
    source->up_axis = (char)header->up_axis;
    memcpy(source->box_min, header->box_min, sizeof source->box_min);
    memcpy(source->box_max, header->box_max, sizeof source->box_max);
    return true;
}

static bool open_archive(struct source *source, const char *path,
                         struct diag *diag)
{
    struct compile_options settings;

    compile_options_default(&settings);
    settings.input = path;
    settings.precision_mm = 0; /* 16 bits */
    settings.allows_empty = true;
    source->archive = abc_open(path, diag);
    if (!source->archive)
        return false;
    source->clip = clip_open(source->archive, &settings);
    if (!source->clip)
        return false;
    source->frame_count = source->clip->frame_count;
    source->up_axis = source->clip->up_axis;
    /* The box of all frames. */
    return !source->is_framed_by_clip ||
           clip_surface_box(source->clip, source->box_min, source->box_max);
}

static bool open_bones(struct source *source, const char *path,
                       struct diag *diag)
{
    source->bones = ARENA_NEW(&source->arena, struct clip_picture, 1);
    if (!clip_picture_open(source->bones, path, &source->arena, diag))
        return false;
    source->frame_count = source->bones->clip.clip.header.frame_count;
    source->up_axis = 'Y';
    clip_picture_box(source->bones, source->box_min, source->box_max);
    return true;
}

static bool open_source(struct source *source, const char *path,
                        struct diag *diag)
{
    enum anim_file_kind kind;

    if (!anim_file_kind(path, &kind, diag))
        return false;
    if (kind == ANIM_FILE_CLIP)
        return open_bones(source, path, diag);
    if (!animation_file_refuse(path, "info", diag))
        return false;
    if (info_is_cache(path, diag))
        return open_cache(source, path, diag);
    return !diag_has_failed(diag) && open_archive(source, path, diag);
}

static bool list_frame(struct source *source, uint32_t frame,
                       struct arena *arena, struct surface_list *list)
{
    static const struct cache_surface_choice all = {NULL, false};

    if (source->clip)
        return clip_surface_list(source->clip, frame, arena, list);
    if (source->reader)
        return cache_surface_list(source->reader, frame, &all, true, arena,
                                  list);
    clip_picture_list(source->bones, frame, arena, list);
    return true;
}

static void close_source(struct source *source)
{
    arena_free(&source->arena);
    cache_reader_close(source->reader);
    clip_close(source->clip);
    abc_close(source->archive);
}

static bool draw_frame(struct source *source, const struct sheet *sheet,
                       uint32_t index, struct raster *target,
                       struct raster *large, struct arena *arena)
{
    static const uint8_t top[3] = {236, 240, 245};
    static const uint8_t bottom[3] = {176, 186, 198};
    static const uint8_t ink[3] = {40, 46, 54};
    uint32_t frame = sheet->frames[index];
    struct scene_view view;
    struct surface_list list;
    char label[32];

    arena_reset(arena);
    if (!list_frame(source, frame, arena, &list))
        return false;
    if (!source->is_framed_by_clip)
        surface_list_box(&list, source->box_min, source->box_max);
    scene_view_frame(&view, source->box_min, source->box_max, source->up_axis,
                     large->width, large->height);
    raster_clear(large, top, bottom);
    scene_view_draw(&view, large, &list, arena);
    snprintf(label, sizeof label, "frame %u", frame);
    raster_text(large, 16, 16, 4, ink, label);
    raster_shrink(target, GAP + index % sheet->columns * (sheet->width + GAP),
                  GAP + index / sheet->columns * (sheet->height + GAP), large);
    return true;
}

static bool draw_sheet(struct source *source, const struct sheet *sheet,
                       struct host_output *output, struct diag *diag)
{
    static const uint8_t paper[3] = {255, 255, 255};
    uint32_t rows = (sheet->count + sheet->columns - 1) / sheet->columns;
    struct raster target;
    struct raster large;
    struct arena pictures;
    struct arena arena;
    bool is_good = true;

    arena_init(&pictures);
    arena_init(&arena);
    raster_init(&target, GAP + sheet->columns * (sheet->width + GAP),
                GAP + rows * (sheet->height + GAP), &pictures);
    raster_init(&large, sheet->width * 2, sheet->height * 2, &pictures);
    raster_clear(&target, paper, paper);
    for (uint32_t i = 0; i < sheet->count && is_good; i++)
        is_good = draw_frame(source, sheet, i, &target, &large, &arena);
    is_good = is_good && png_write(output, &target, diag);
    arena_free(&arena);
    arena_free(&pictures);
    return is_good;
}

static bool render(const struct values *values, const char *input,
                   const struct sheet *sheet, struct host_output *output,
                   struct diag *diag)
{
    struct source source = {.is_framed_by_clip =
                                strcmp(values->view, "clip") == 0};
    bool is_good;

    arena_init(&source.arena);
    is_good = open_source(&source, input, diag);
    for (uint32_t i = 0; i < sheet->count && is_good; i++)
        if (sheet->frames[i] >= source.frame_count)
            is_good = diag_refuse(diag, input, DIAG_NO_OFFSET, "--frames",
                                  "%u, but frames are 0 to %u",
                                  sheet->frames[i], source.frame_count - 1);
    if (values->up)
        source.up_axis = values->up[0] == 'z' ? 'Z' : 'Y';
    is_good = is_good && draw_sheet(&source, sheet, output, diag);
    close_source(&source);
    return is_good;
}

static const struct values defaults = {
    .frames = "0", .size = "480x360", .view = "picture"};

static bool parse_size(const char *text, uint32_t *width, uint32_t *height)
{
    char rest;

    return strspn(text, "0123456789x") == strlen(text) && strlen(text) < 12 &&
           /* NOLINTNEXTLINE(cert-err34-c): nine digits at most. */
           sscanf(text, "%ux%u%c", width, height, &rest) == 2 && *width >= 8 &&
           *height >= 8 && *width <= 4096 && *height <= 4096;
}

static bool make_sheet(const struct verb *verb, const struct values *values,
                       struct sheet *sheet)
{
    uint32_t rows;

    if (!options_parse_list(values->frames, sheet->frames, FRAMES_MAX,
                            &sheet->count))
        return options_refuse(verb->name,
                              "--frames is a list like 0,50,99 of at most %u "
                              "numbers; not \"%s\"",
                              FRAMES_MAX, values->frames);
    if (!parse_size(values->size, &sheet->width, &sheet->height))
        return options_refuse(verb->name,
                              "--size is like 480x360, 8 to 4096; not \"%s\"",
                              values->size);
    sheet->columns = 1;
    while (sheet->columns * sheet->columns < sheet->count)
        sheet->columns++;
    rows = (sheet->count + sheet->columns - 1) / sheet->columns;
    if (GAP + sheet->columns * (sheet->width + GAP) > RASTER_SIDE_MAX ||
        GAP + rows * (sheet->height + GAP) > RASTER_SIDE_MAX)
        return options_refuse(verb->name,
                              "%u pictures of %ux%u make too large a sheet",
                              sheet->count, sheet->width, sheet->height);
    return true;
}

static bool run_render(const struct verb_call *call)
{
    const struct values *values = call->values;
    const char *input = call->operands[0];
    struct diag *diag = call->diag;
    struct host_output *output;
    struct sheet sheet;

    if (!make_sheet(call->verb, values, &sheet))
        return false;
    output = host_output_differs(values->output, input, diag)
                 ? host_output_open(values->output, diag)
                 : NULL;
    if (output)
        host_output_finish(output, render(values, input, &sheet, output, diag));
    return true;
}

const struct verb verb_render = {
    .name = "render",
    .operands = "FILE.sgc|FILE.abc|CLIP.sac -o OUT.png",
    .summary = "draw frames on a contact sheet",
    .examples = "  spindle render sail.sgc --frames 0,30,60 -o sheet.png\n"
                "  spindle render sail.abc -f 0 --size 960x540 -o sail.png\n"
                "  spindle render ship.sgc -f 0,99 --view clip -o way.png\n"
                "  spindle render walk.sac -f 0,8,16 --view clip -o walk.png\n",
    .notes = "An animation clip is drawn as its skeleton, which lies beside "
             "it (.sas).\n"
             "Frames of an archive are numbered in the union of all sample "
             "times, as\n"
             "info prints them.\n",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .operand_min = 1,
    .operand_max = 1,
    .defaults = &defaults,
    .values_bytes = sizeof(struct values),
    .run = run_render,
};
