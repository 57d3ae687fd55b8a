/* anim_export.c - nodes and animations of a .glb file. */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/anim_export.h"

#include "anim/encode/affine.h"
#include "anim/tool/clip_file.h"
#include "anim/tool/file_names.h"
#include "anim/tool/glb_writer.h"
#include "anim/tool/weight_meshes.h"
#include "common/report.h"
#include "host/host.h"

#include <math.h>
#include <string.h>

/* The key before a cut stands this part of a frame before it. */
#define CUT_PART (1.0 / 64)

enum part { PART_ROTATION, PART_TRANSLATION, PART_SCALE, PARTS };
static const char *const part_names[PARTS] = {"rotation", "translation",
                                              "scale"};
static const uint32_t part_widths[PARTS] = {4, 3, 3};

/* The keys of a clip: a key for each frame, and one before each cut. */
struct keys {
    uint32_t count;
    float *times;
    uint32_t *frames;           /* whose pose the key has */
    spn_anim_transform *locals; /* [frame][joint] */
    uint8_t *is_step;           /* [joint]: a bit for each part */
    float *numbers;             /* [frame][float track] */
    bool *is_float_step;        /* [float track] */
};

struct export_run {
    const struct anim_export_options *options;
    struct diag *diag;
    struct glb_writer writer;
    struct anim_export_report *report;
    struct skeleton_file skeleton;
    struct weight_meshes meshes;
    cJSON *animations;
};

/* -- nodes -- */

static void add_nodes(struct export_run *run)
{
    const struct anim_skeleton *s = &run->skeleton.skeleton;
    cJSON **children = ARENA_NEW(&run->writer.arena, cJSON *, s->joint_count);
    cJSON **items = ARENA_NEW(&run->writer.arena, cJSON *, s->joint_count);
    cJSON *nodes = report_array(run->writer.json, "nodes");
    cJSON *scene;
    cJSON *roots;

    report_number(run->writer.json, "scene", 0);
    scene = report_item(report_array(run->writer.json, "scenes"));
    roots = report_array(scene, "nodes");
    for (uint32_t i = 0; i < s->joint_count; i++) {
        const spn_anim_transform *rest = &s->rest[i];

        items[i] = report_item(nodes);
        report_text(items[i], "name", s->names + s->name[i]);
        report_floats(items[i], "rotation", rest->rotation, 4);
        report_floats(items[i], "translation", rest->translation, 3);
        report_floats(items[i], "scale", rest->scale, 3);
        if (s->parent[i] == ANIM_NO_PARENT) {
            report_add_number(roots, i);
            continue;
        }
        if (!children[s->parent[i]])
            children[s->parent[i]] =
                report_array(items[s->parent[i]], "children");
        report_add_number(children[s->parent[i]], i);
    }
    weight_meshes_init(&run->meshes, &run->writer, items, s->joint_count);
}

/* -- keys -- */

static void mark_steps(const struct anim_list *list, enum part part,
                       uint8_t *is_step)
{
    for (uint32_t i = list->linear_count; i < list->count; i++)
        is_step[list->joint[i]] |= (uint8_t)(1u << part);
}

static bool is_cut(const struct clip_file *clip, uint32_t frame)
{
    const struct anim_window *window;

    if (!clip->clip.header.has_cuts || clip->clip.header.segment_count == 0)
        return false;
    window = &clip->windows.windows[frame / clip->windows.segment_frames];
    return window->cuts >> (frame - window->first_frame) & 1;
}

static void make_keys(const struct export_run *run,
                      const struct clip_file *clip, struct arena *arena,
                      struct keys *keys)
{
    const struct anim_clip_header *h = &clip->clip.header;
    const struct anim_tracks *tracks = &clip->clip.tracks;
    const double step = (double)h->rate_denominator / h->rate_numerator;

    keys->count = 0;
    keys->times = ARENA_NEW(arena, float, 2 * (uint64_t)h->frame_count);
    keys->frames = ARENA_NEW(arena, uint32_t, 2 * (uint64_t)h->frame_count);
    keys->locals = ARENA_NEW(arena, spn_anim_transform,
                             (uint64_t)h->frame_count * h->joint_count);
    keys->is_step = ARENA_NEW(arena, uint8_t, h->joint_count);
    keys->numbers = ARENA_NEW(
        arena, float, (uint64_t)h->frame_count * h->float_track_count + 1);
    keys->is_float_step = ARENA_NEW(arena, bool, h->float_track_count);
    for (uint32_t i = tracks->floats.linear_count; i < tracks->floats.count;
         i++)
        keys->is_float_step[tracks->floats.joint[i]] = true;
    mark_steps(&tracks->rotations, PART_ROTATION, keys->is_step);
    mark_steps(&tracks->translations, PART_TRANSLATION, keys->is_step);
    mark_steps(&tracks->wide_translations, PART_TRANSLATION, keys->is_step);
    mark_steps(&tracks->scales, PART_SCALE, keys->is_step);
    for (uint32_t f = 0; f < h->frame_count; f++) {
        if (f > 0 && is_cut(clip, f)) {
            keys->times[keys->count] = (float)((f - CUT_PART) * step);
            keys->frames[keys->count++] = f - 1;
        }
        keys->times[keys->count] = (float)(f * step);
        keys->frames[keys->count++] = f;
        clip_file_pose(clip, &run->skeleton, f, 0,
                       keys->locals + (size_t)f * h->joint_count,
                       keys->numbers + (size_t)f * h->float_track_count);
    }
}

/* -- half turns -- */

/* Near a half turn, readers of glTF choose the arc by the sign of the product
 * of both quaternions, which rounding could change. */
#define HALF_TURN_PRODUCT 0.0625
/* The least product that readers with single precision see as positive. */
#define PRODUCT_MIN 1e-6

static double product(const float a[4], const float b[4])
{
    double sum = 0;

    for (int k = 0; k < 4; k++)
        sum += (double)a[k] * (double)b[k];
    return sum;
}

/* Turn `b` a little towards `a`, so that the shorter arc between them is the
 * one through `middle`. */
static void keep_arc(const float a[4], const float middle[4], float b[4])
{
    const double c = product(a, b);
    const double sign = product(middle, a) * product(middle, b) < 0 ? -1 : 1;
    double turned[4];

    if (sign * c >= PRODUCT_MIN)
        return;
    for (int k = 0; k < 4; k++)
        turned[k] = (double)b[k] + (sign * PRODUCT_MIN - c) * (double)a[k];
    quaternion_normalize(turned);
    for (int k = 0; k < 4; k++)
        b[k] = (float)turned[k];
}

static void keep_arcs(const struct export_run *run,
                      const struct clip_file *clip, struct arena *arena,
                      const struct keys *keys)
{
    const struct anim_clip_header *h = &clip->clip.header;
    const struct anim_list *list = &clip->clip.tracks.rotations;
    spn_anim_transform *middle =
        ARENA_NEW(arena, spn_anim_transform, h->joint_count);

    for (uint32_t f = 1; f < h->frame_count; f++) {
        spn_anim_transform *b = keys->locals + (size_t)f * h->joint_count;
        const spn_anim_transform *a = b - h->joint_count;
        bool is_sampled = false;

        for (uint32_t i = 0; !is_cut(clip, f) && i < list->linear_count; i++) {
            const uint32_t j = list->joint[i];

            if (fabs(product(a[j].rotation, b[j].rotation)) >=
                HALF_TURN_PRODUCT)
                continue;
            if (!is_sampled)
                clip_file_pose(clip, &run->skeleton, f - 1, 0.5f, middle, NULL);
            is_sampled = true;
            keep_arc(a[j].rotation, middle[j].rotation, b[j].rotation);
        }
    }
}

/* -- channels -- */

static const float *part_of(const spn_anim_transform *local, enum part part)
{
    return part == PART_ROTATION      ? local->rotation
           : part == PART_TRANSLATION ? local->translation
                                      : local->scale;
}

/* The number of different values of a part that must be written: 0 if it is at
 * rest, 1 if it is constant, 2 if it changes. */
static uint32_t value_count(const struct export_run *run,
                            const struct keys *keys, uint32_t frames,
                            uint32_t joint, enum part part)
{
    const struct anim_skeleton *s = &run->skeleton.skeleton;
    const size_t bytes = part_widths[part] * sizeof(float);
    const float *first = part_of(&keys->locals[joint], part);

    for (uint32_t f = 1; f < frames; f++)
        if (memcmp(part_of(&keys->locals[(size_t)f * s->joint_count + joint],
                           part),
                   first, bytes) != 0)
            return 2;
    return memcmp(first, part_of(&s->rest[joint], part), bytes) != 0;
}

static bool has_changes(const struct export_run *run, const struct keys *keys,
                        uint32_t frames)
{
    for (uint32_t i = 0; i < run->skeleton.skeleton.joint_count; i++)
        for (int part = 0; part < PARTS; part++)
            if (value_count(run, keys, frames, i, (enum part)part) > 1)
                return true;
    return false;
}

/* An animation while it is written. */
struct animation {
    cJSON *samplers;
    cJSON *channels;
    uint32_t sampler_count;
    uint32_t all_times; /* accessors */
    uint32_t first_time;
};

/* `output` is the accessor of the values. */
static void add_sampler(struct export_run *run, struct animation *animation,
                        uint32_t key_count, uint32_t output, bool is_step,
                        uint32_t node, const char *path)
{
    cJSON *sampler = report_item(animation->samplers);
    cJSON *channel = report_item(animation->channels);
    cJSON *target;

    run->report->channel_count++;
    run->report->key_count += key_count;
    report_number(sampler, "input",
                  key_count > 1 ? animation->all_times : animation->first_time);
    report_number(sampler, "output", output);
    report_text(sampler, "interpolation", is_step ? "STEP" : "LINEAR");
    report_number(channel, "sampler", animation->sampler_count++);
    target = report_object(channel, "target");
    report_number(target, "node", node);
    report_text(target, "path", path);
}

static void add_channel(struct export_run *run, struct animation *animation,
                        const struct keys *keys, uint32_t key_count,
                        uint32_t joint, enum part part, float *values)
{
    const uint32_t joint_count = run->skeleton.skeleton.joint_count;
    const uint32_t width = part_widths[part];

    for (uint32_t i = 0; i < key_count; i++)
        memcpy(values + (size_t)width * i,
               part_of(
                   &keys->locals[(size_t)keys->frames[i] * joint_count + joint],
                   part),
               width * sizeof *values);
    add_sampler(run, animation, key_count,
                glb_writer_add(&run->writer, values, key_count, width, false),
                keys->is_step[joint] >> part & 1, joint, part_names[part]);
}

/* -- weights -- */

/* Write `width` float tracks from `first` on as the weights of a node. */
static void add_weights(struct export_run *run, struct animation *animation,
                        const struct keys *keys, uint32_t first, uint32_t width,
                        uint32_t track_count, uint32_t node,
                        struct arena *arena)
{
    float *values = ARENA_NEW(arena, float, (uint64_t)width * keys->count);

    for (uint32_t i = 0; i < keys->count; i++)
        memcpy(values + (size_t)width * i,
               keys->numbers + (size_t)keys->frames[i] * track_count + first,
               width * sizeof *values);
    add_sampler(
        run, animation, keys->count,
        glb_writer_add(&run->writer, values, width * keys->count, 1, false),
        keys->is_float_step[first], node, "weights");
}

/* Tracks that follow each other with the same interpolation have a channel, so
 * that their order stays. */
static void add_floats(struct export_run *run, struct animation *animation,
                       const struct clip_file *clip, const struct keys *keys,
                       struct arena *arena)
{
    const struct anim_clip_header *h = &clip->clip.header;
    const char **names = clip_file_float_names(clip, arena);
    bool *is_used = ARENA_NEW(arena, bool, h->joint_count);
    uint32_t lost = 0;
    uint32_t width;

    for (uint32_t first = 0; first < h->float_track_count; first += width) {
        uint32_t node;

        width = 1;
        while (first + width < h->float_track_count &&
               keys->is_float_step[first + width] == keys->is_float_step[first])
            width++;
        node = weight_meshes_node(&run->meshes, names + first, width, is_used);
        if (node == WEIGHT_NODE_NONE)
            lost += width;
        else
            add_weights(run, animation, keys, first, width,
                        h->float_track_count, node, arena);
    }
    if (lost > 0)
        diag_warn(run->diag, clip->path, NULL,
                  "%u float tracks are not exported: there are too few joints "
                  "for their meshes",
                  lost);
}

/* As compile reads them. */
static void add_extras(cJSON *animation, const struct anim_clip_header *h)
{
    cJSON *extras = report_object(animation, "extras");

    report_bool(extras, "loop", h->loops);
    report_bool(extras, "closes", h->loop_closes);
    report_bool(extras, "additive", h->is_additive);
    report_bool(extras, "root_motion", h->has_root_motion);
}

static void add_animation(struct export_run *run, const struct clip_file *clip,
                          struct arena *arena)
{
    const struct anim_clip_header *h = &clip->clip.header;
    struct animation animation = {0};
    cJSON *item = report_item(run->animations);
    struct keys keys;
    bool is_still;
    float *values;

    make_keys(run, clip, arena, &keys);
    keep_arcs(run, clip, arena, &keys);
    values = ARENA_NEW(arena, float, 4 * (uint64_t)keys.count);
    report_text(item, "name", file_stem(arena, clip->path));
    add_extras(item, h);
    animation.samplers = report_array(item, "samplers");
    animation.channels = report_array(item, "channels");
    animation.all_times =
        glb_writer_add(&run->writer, keys.times, keys.count, 1, true);
    animation.first_time =
        keys.count > 1 ? glb_writer_add(&run->writer, keys.times, 1, 1, true)
                       : animation.all_times;
    add_floats(run, &animation, clip, &keys, arena);
    is_still = animation.sampler_count == 0 &&
               !has_changes(run, &keys, h->frame_count);
    for (uint32_t i = 0; i < h->joint_count; i++)
        for (int part = 0; part < PARTS; part++) {
            uint32_t count =
                value_count(run, &keys, h->frame_count, i, (enum part)part);

            /* One channel has all times, so that the clip keeps its length. */
            if (is_still && i == 0 && part == PART_TRANSLATION)
                count = 2;
            if (count > 0)
                add_channel(run, &animation, &keys, count == 1 ? 1 : keys.count,
                            i, (enum part)part, values);
        }
}

static bool export_clip(struct export_run *run, uint32_t index)
{
    const char *path = run->options->clips[index];
    struct clip_file clip;
    struct arena arena;
    bool is_good;

    arena_init(&arena);
    is_good = host_output_differs(run->options->output, path, run->diag) &&
              clip_file_open(&clip, path, &arena, run->diag);
    if (is_good && index == 0) {
        is_good =
            clip_file_skeleton(&clip, run->options->skeleton, &run->skeleton,
                               &run->writer.arena, run->diag);
        if (is_good) {
            add_nodes(run);
            run->animations = report_array(run->writer.json, "animations");
        }
    } else if (is_good &&
               clip.clip.header.skeleton != run->skeleton.skeleton.hash) {
        is_good = diag_refuse(run->diag, path, DIAG_NO_OFFSET, NULL,
                              "another skeleton than that of %s",
                              run->options->clips[0]);
    } else if (is_good && clip.clip.header.rest_pose_hash !=
                              run->skeleton.skeleton.rest_pose_hash) {
        is_good = diag_refuse(run->diag, path, DIAG_NO_OFFSET, NULL,
                              "another rest pose than that of %s",
                              run->options->clips[0]);
    }
    if (is_good)
        add_animation(run, &clip, &arena);
    arena_free(&arena);
    return is_good;
}

bool anim_export(const struct anim_export_options *options, struct diag *diag,
                 struct anim_export_report *report)
{
    struct export_run run = {
        .options = options, .diag = diag, .report = report};
    bool is_good = true;

    memset(report, 0, sizeof *report);
    glb_writer_init(&run.writer);
    for (uint32_t i = 0; is_good && i < options->clip_count; i++)
        is_good = export_clip(&run, i);
    is_good = is_good && glb_writer_write(&run.writer, options->output, diag);
    if (is_good) {
        report->joint_count = run.skeleton.skeleton.joint_count;
        report->bytes = run.writer.bytes;
    }
    glb_writer_free(&run.writer);
    return is_good;
}
