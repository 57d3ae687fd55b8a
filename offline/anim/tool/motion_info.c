/* motion_info.c - print what a source file of animation says. */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/motion_info.h"

#include "anim/source/evaluate.h"
#include "common/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NAME_BYTES 256u

/* A clip with its frames. */
struct clip_line {
    const struct motion_clip *clip;
    struct sample_grid grid;
    uint32_t joint_count;         /* that have a channel */
    uint32_t paths[MOTION_PATHS]; /* channels of each path */
    uint32_t interpolations[3];   /* and of each interpolation */
};

struct description {
    const char *path;
    const struct motion_info_options *options;
    struct diag *diag;
    struct arena arena;
    struct motion motion;
    struct clip_line *lines;
    double unit_metres;
};

/* -- the extent -- */

struct box {
    double low[3];
    double high[3];
};

/* Add the point p, in the space of matrix m. */
static void add_point(struct box *box, const double m[16], const double p[3])
{
    for (int r = 0; r < 3; r++) {
        const double value =
            m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r];

        box->low[r] = fmin(box->low[r], value);
        box->high[r] = fmax(box->high[r], value);
    }
}

double motion_info_extent(const struct motion *motion)
{
    static const double origin[3];
    struct box box = {{INFINITY, INFINITY, INFINITY},
                      {-INFINITY, -INFINITY, -INFINITY}};
    struct joint_transform *locals;
    struct arena arena;
    double(*models)[16];
    double extent = 0;

    arena_init(&arena);
    locals = ARENA_NEW(&arena, struct joint_transform, motion->joint_count);
    models = arena_alloc(&arena, motion->joint_count, sizeof *models);
    for (uint32_t i = 0; i < motion->joint_count; i++)
        locals[i] = motion->joints[i].rest;
    evaluate_models(motion, locals, models);
    for (uint32_t i = 0; i < motion->joint_count; i++) {
        const struct motion_joint *joint = &motion->joints[i];

        add_point(&box, models[i], origin);
        for (uint32_t k = 0; k < joint->end_site_count; k++)
            add_point(&box, models[i], joint->end_sites + 3 * (size_t)k);
    }
    for (int i = 0; i < 3 && motion->joint_count > 0; i++)
        extent = fmax(extent, box.high[i] - box.low[i]);
    arena_free(&arena);
    return extent;
}

/* -- clips -- */

static bool describe_clip(struct description *d, uint32_t index,
                          uint8_t *has_channel)
{
    const struct motion_clip *clip = &d->motion.clips[index];
    struct clip_line *line = &d->lines[index];

    line->clip = clip;
    memset(has_channel, 0, d->motion.joint_count);
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const struct motion_channel *channel = &clip->channels[i];

        line->joint_count += !has_channel[channel->joint];
        has_channel[channel->joint] = 1;
        line->paths[channel->path]++;
        line->interpolations[channel->interpolation]++;
    }
    return sample_grid_choose(clip, d->options->sample.rate, &d->arena, d->path,
                              d->diag, &line->grid);
}

static double rate_of(const struct sample_grid *grid)
{
    return (double)grid->rate_numerator / grid->rate_denominator;
}

static const char *clip_name(const struct clip_line *line, uint32_t index,
                             char text[NAME_BYTES])
{
    if (line->clip->name)
        return report_name(line->clip->name, text, NAME_BYTES);
    snprintf(text, NAME_BYTES, "(clip %u)", index);
    return text;
}

/* -- text -- */

static void print_clip(const struct clip_line *line, uint32_t index)
{
    char name[NAME_BYTES];
    char own[32] = "-";

    if (line->grid.own_rate > 0)
        snprintf(own, sizeof own, "%.6g", line->grid.own_rate);
    printf("  %9s %9.6g %7u %9.3f %9.3f %7u %9u  %s\n", own,
           rate_of(&line->grid), line->grid.frame_count, line->clip->start,
           line->clip->end, line->joint_count, line->clip->channel_count,
           clip_name(line, index, name));
}

static void print_joint(const struct motion *motion, uint32_t number,
                        uint32_t depth)
{
    const struct motion_joint *joint = &motion->joints[number];
    char name[NAME_BYTES];

    printf("  %5u  %*s%s\n", number, (int)(2 * (depth < 40 ? depth : 40)), "",
           joint->name ? report_name(joint->name, name, sizeof name) : "-");
}

static void print_tree(struct description *d)
{
    const struct motion *motion = &d->motion;
    uint32_t *depths = ARENA_NEW(&d->arena, uint32_t, motion->joint_count);

    puts("  joint  name");
    for (uint32_t i = 0; i < motion->joint_count; i++) {
        const uint32_t number = motion->order[i];
        const int32_t parent = motion->joints[number].parent;

        depths[number] = parent < 0 ? 0 : depths[parent] + 1;
        print_joint(motion, number, depths[number]);
    }
}

static void print_text(struct description *d)
{
    const struct motion *motion = &d->motion;
    const double extent = motion_info_extent(motion);

    printf("%s: %s; joints %u, skins %u, clips %u\n", d->path,
           motion_format_name(motion->format), motion->joint_count,
           motion->skin_count, motion->clip_count);
    printf("  rest pose   %.6g units; %.4g m with --unit-metres %.6g\n", extent,
           extent * d->unit_metres, d->unit_metres);
    if (motion->clip_count > 0)
        puts("   own rate      rate  frames     start       end  joints  "
             "channels  clip");
    for (uint32_t i = 0; i < motion->clip_count; i++)
        print_clip(&d->lines[i], i);
    if (d->options->is_tree)
        print_tree(d);
}

/* -- JSON -- */

static void add_text_or_null(cJSON *object, const char *name, const char *text)
{
    if (text)
        report_text(object, name, text);
    else
        report_number(object, name, NAN);
}

static void add_joints(cJSON *json, const struct motion *motion)
{
    cJSON *joints = report_array(json, "joints");
    cJSON *skins;

    for (uint32_t i = 0; i < motion->joint_count; i++) {
        cJSON *item = report_item(joints);

        add_text_or_null(item, "name", motion->joints[i].name);
        report_number(item, "parent", motion->joints[i].parent);
    }
    skins = report_array(json, "skins");
    for (uint32_t i = 0; i < motion->skin_count; i++) {
        const struct motion_skin *skin = &motion->skins[i];
        cJSON *item = report_item(skins);
        cJSON *list;

        add_text_or_null(item, "name", skin->name);
        list = report_array(item, "joints");
        for (uint32_t k = 0; k < skin->joint_count; k++)
            report_add_number(list, skin->joints[k]);
    }
}

static void add_channels(cJSON *item, const struct clip_line *line)
{
    cJSON *paths = report_object(item, "channels");
    cJSON *interpolations;

    for (int i = 0; i < (int)MOTION_PATHS; i++)
        report_number(paths, motion_path_name((enum motion_path)i),
                      line->paths[i]);
    interpolations = report_object(item, "interpolations");
    for (int i = 0; i < 3; i++)
        report_number(interpolations,
                      motion_interpolation_name((enum motion_interpolation)i),
                      line->interpolations[i]);
}

static void add_clip(cJSON *clips, const struct clip_line *line)
{
    const struct sample_grid *grid = &line->grid;
    cJSON *item = report_item(clips);

    add_text_or_null(item, "name", line->clip->name);
    report_number(item, "start_s", line->clip->start);
    report_number(item, "end_s", line->clip->end);
    report_number(item, "own_rate", grid->own_rate > 0 ? grid->own_rate : NAN);
    report_number(item, "own_frames",
                  grid->own_rate > 0 ? (double)grid->own_frame_count
                                     : (double)NAN);
    report_number(item, "rate", rate_of(grid));
    report_number(item, "rate_numerator", grid->rate_numerator);
    report_number(item, "rate_denominator", grid->rate_denominator);
    report_number(item, "frames", grid->frame_count);
    report_number(item, "joints", line->joint_count);
    add_channels(item, line);
}

static void add_all(const struct description *d)
{
    const struct motion *motion = &d->motion;
    cJSON *json = d->options->json;
    cJSON *clips;

    report_text(json, "kind", "motion");
    report_text(json, "file", d->path);
    report_text(json, "format", motion_format_name(motion->format));
    report_number(json, "rest_extent", motion_info_extent(motion));
    report_number(json, "unit_metres", d->unit_metres);
    add_joints(json, motion);
    clips = report_array(json, "clips");
    for (uint32_t i = 0; i < motion->clip_count; i++)
        add_clip(clips, &d->lines[i]);
}

bool motion_info(const char *path, const struct motion_info_options *options,
                 struct diag *diag)
{
    struct description d = {.path = path, .options = options, .diag = diag};
    bool is_good = true;
    uint8_t *has_channel;

    if (!motion_read(&d.motion, path, diag))
        return false;
    arena_init(&d.arena);
    d.unit_metres = options->sample.unit_metres > 0
                        ? options->sample.unit_metres
                        : sample_unit_metres(d.motion.format);
    d.lines = ARENA_NEW(&d.arena, struct clip_line, d.motion.clip_count);
    has_channel = ARENA_NEW(&d.arena, uint8_t, d.motion.joint_count);
    for (uint32_t i = 0; is_good && i < d.motion.clip_count; i++)
        is_good = describe_clip(&d, i, has_channel);
    if (is_good && options->json)
        add_all(&d);
    else if (is_good)
        print_text(&d);
    arena_free(&d.arena);
    motion_free(&d.motion);
    return is_good;
}
