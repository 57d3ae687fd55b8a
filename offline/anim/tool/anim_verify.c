/* anim_verify.c - read both sides and compare poses. */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/anim_verify.h"

#include "anim/encode/anim_encode.h"
#include "anim/tool/clip_file.h"
#include "anim/tool/clip_file_input.h"
#include "anim/tool/file_names.h"
#include "anim/tool/skin_error.h"
#include "anim/tool/source_poses.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct comparison {
    const struct anim_verify_options *options;
    struct diag *diag;
    struct anim_verify_report *report;
    struct arena arena;
    struct clip_file clip;
    struct skeleton_file skeleton_file;
    struct motion motion;
    const struct motion_clip *source;
    double unit_metres;
    struct sample_skeleton skeleton;
    struct sample_grid grid;
    struct dense_clip dense;
    bool are_floats_good; /* so far */
    struct skin_error skin;
    /* Workspace for a pose. */
    spn_anim_transform *decoded;
    float *numbers;
    struct joint_transform *ours;
    struct joint_transform *theirs;
    struct source_poses poses;
};

/* -- the source -- */

/* Could anim_compile have named the file of a clip so? It puts the name of the
 * source before that of the clip where clips of several sources are equal. */
static bool is_named_after(struct arena *arena, const char *stem,
                           const char *source, const char *clip)
{
    const char *name = file_safe_name(arena, clip);

    return strcmp(stem, name) == 0 ||
           strcmp(stem,
                  arena_format(arena, "%s-%s",
                               file_safe_name(arena, file_stem(arena, source)),
                               name)) == 0;
}

static bool find_clip(struct comparison *c, uint32_t *index)
{
    const struct motion *motion = &c->motion;
    const char *name = c->options->name;
    const char *stem = file_stem(&c->arena, c->options->clip);

    for (*index = 0; *index < motion->clip_count; (*index)++) {
        const char *own = motion->clips[*index].name;

        if (name ? own && strcmp(own, name) == 0
                 : is_named_after(
                       &c->arena, stem, c->options->source,
                       own ? own : arena_format(&c->arena, "clip%u", *index)))
            return true;
    }
    *index = 0;
    if (name)
        return diag_refuse(c->diag, c->options->source, DIAG_NO_OFFSET, NULL,
                           "no clip \"%s\"", name);
    return motion->clip_count == 1 ||
           diag_refuse(c->diag, c->options->source, DIAG_NO_OFFSET, NULL,
                       "%u clips, none of them with the name of the file; "
                       "choose one with --clip",
                       motion->clip_count);
}

static bool check_joints(const struct comparison *c)
{
    const struct anim_skeleton *skeleton = &c->skeleton_file.skeleton;

    if (c->dense.joint_count != skeleton->joint_count)
        return diag_refuse(c->diag, c->options->source, DIAG_NO_OFFSET, NULL,
                           "%u joints, but the clip's skeleton has %u",
                           c->dense.joint_count, skeleton->joint_count);
    for (uint32_t i = 0; i < skeleton->joint_count; i++) {
        const char *name = skeleton->names + skeleton->name[i];
        const int32_t parent =
            skeleton->parent[i] == ANIM_NO_PARENT ? -1 : skeleton->parent[i];

        if (strcmp(name, c->dense.joints[i].name) != 0 ||
            parent != c->dense.joints[i].parent)
            return diag_refuse(c->diag, c->options->source, DIAG_NO_OFFSET,
                               c->dense.joints[i].name,
                               "joint %u is another one than that of the "
                               "clip's skeleton, or has another parent",
                               i);
    }
    return true;
}

static bool check_float_names(struct comparison *c)
{
    const char **names = clip_file_float_names(&c->clip, &c->arena);

    for (uint32_t i = 0; i < c->dense.float_track_count; i++)
        if (strcmp(names[i], c->dense.float_track_names[i]) != 0)
            return diag_refuse(c->diag, c->options->source, DIAG_NO_OFFSET,
                               c->dense.float_track_names[i],
                               "float track %u has another name in the clip: "
                               "\"%s\"",
                               i, names[i]);
    return true;
}

/* Which flags the source and the options say. Whether there is scale follows
 * from the poses. */
static uint32_t wanted_flags(struct comparison *c)
{
    const struct anim_verify_options *options = c->options;

    if (options->root_joint)
        c->dense.loop_closes =
            sample_loop_closes(&c->dense, options->root_joint, &c->arena);
    clip_flags_set(c->source, file_stem(&c->arena, options->clip),
                   options->patterns, &c->dense);
    return (c->dense.loops ? CLIP_LOOPS : 0u) |
           (c->dense.loop_closes ? CLIP_LOOP_CLOSES : 0u) |
           (c->dense.is_additive ? CLIP_IS_ADDITIVE : 0u) |
           (c->dense.has_root_motion ? CLIP_HAS_ROOT_MOTION : 0u);
}

static bool check_flags(struct comparison *c)
{
    const uint32_t ours = clip_file_flags(&c->clip.clip) & ~CLIP_HAS_SCALE;
    const uint32_t wanted = wanted_flags(c);

    return ours == wanted ||
           diag_refuse(c->diag, c->options->clip, DIAG_NO_OFFSET, NULL,
                       "flags:%s; of the source and the options:%s",
                       clip_flags_text(ours, &c->arena),
                       clip_flags_text(wanted, &c->arena));
}

static bool read_source(struct comparison *c)
{
    const struct anim_clip_header *header = &c->clip.clip.header;
    struct sample_options sample = c->options->sample;
    uint32_t index;

    if (!find_clip(c, &index))
        return false;
    c->source = &c->motion.clips[index];
    if (sample.rate == 0)
        sample.rate = (double)header->rate_numerator / header->rate_denominator;
    if (sample.unit_metres == 0)
        sample.unit_metres = sample_unit_metres(c->motion.format);
    c->unit_metres = sample.unit_metres;
    if (!sample_skeleton(&c->motion, sample.unit_metres, &c->arena,
                         c->options->source, c->diag, &c->skeleton) ||
        !sample_clip(&c->motion, index, &c->skeleton, &sample, &c->arena,
                     c->options->source, c->diag, &c->grid, &c->dense) ||
        !check_joints(c))
        return false;
    if (c->dense.frame_count != header->frame_count ||
        c->dense.float_track_count != header->float_track_count)
        return diag_refuse(
            c->diag, c->options->source, DIAG_NO_OFFSET, c->dense.name,
            "%u frames and %u float tracks at %.6g frames a second, but the "
            "clip has %u and %u",
            c->dense.frame_count, c->dense.float_track_count, sample.rate,
            header->frame_count, header->float_track_count);
    return check_float_names(c) && check_flags(c);
}

/* -- poses -- */

static void decode_pose(struct comparison *c, uint32_t frame, double u)
{
    clip_file_pose(&c->clip, &c->skeleton_file, frame, (float)u, c->decoded,
                   c->numbers);
    for (uint32_t i = 0; i < c->dense.joint_count; i++) {
        for (int k = 0; k < 4; k++)
            c->ours[i].rotation[k] = (double)c->decoded[i].rotation[k];
        for (int k = 0; k < 3; k++) {
            c->ours[i].translation[k] = (double)c->decoded[i].translation[k];
            c->ours[i].scale[k] = (double)c->decoded[i].scale[k];
        }
    }
}

static void measure(struct comparison *c, uint32_t frame,
                    struct anim_verify_error *error)
{
    uint32_t joint = 0;
    const double metres =
        skin_error_measure(&c->skin, c->ours, c->theirs, &joint);

    if (metres > error->metres)
        *error = (struct anim_verify_error){metres, frame, joint};
}

/* The value of a float track of the sampled source. */
static double float_at(const struct dense_clip *dense, uint32_t track,
                       uint32_t frame, double u)
{
    const uint32_t count = dense->float_track_count;
    const float *at = dense->floats + (size_t)frame * count + track;
    const bool is_held =
        u == 0 || dense->float_is_step[track] ||
        (dense->frame_is_cut && dense->frame_is_cut[frame + 1]);

    return is_held ? (double)at[0]
                   : (1 - u) * (double)at[0] + u * (double)at[count];
}

/* A float track may differ by its precision and by two roundings to float. */
static void compare_floats(struct comparison *c, uint32_t frame, double u)
{
    double *largest = u == 0 ? &c->report->floats : &c->report->floats_between;

    for (uint32_t i = 0; i < c->dense.float_track_count; i++) {
        const double wanted = float_at(&c->dense, i, frame, u);
        const double error = fabs((double)c->numbers[i] - wanted);
        const double limit =
            ANIM_FLOAT_PRECISION + 2 * (double)FLT_EPSILON * fabs(wanted);

        *largest = fmax(*largest, error);
        c->are_floats_good = c->are_floats_good && error <= limit;
    }
}

static void compare(struct comparison *c)
{
    struct anim_verify_report *report = c->report;
    const uint32_t joints = c->dense.joint_count;

    c->are_floats_good = true;
    c->decoded = ARENA_NEW(&c->arena, spn_anim_transform, joints);
    c->numbers = ARENA_NEW(&c->arena, float, c->dense.float_track_count + 1);
    c->ours = ARENA_NEW(&c->arena, struct joint_transform, joints);
    c->theirs = ARENA_NEW(&c->arena, struct joint_transform, joints);
    c->poses = (struct source_poses){
        .motion = &c->motion,
        .clip = c->source,
        .skeleton = &c->skeleton,
        .unit_metres = c->unit_metres,
        .grid = &c->grid,
        .dense = &c->dense,
    };
    source_poses_init(&c->poses, &c->arena);
    skin_error_init(&c->skin, c->dense.joints, joints, &c->arena);
    for (uint32_t f = 0; f < c->dense.frame_count; f++) {
        decode_pose(c, f, 0);
        source_poses_sampled(&c->poses, f, 0, c->theirs);
        measure(c, f, &report->at_frames);
        compare_floats(c, f, 0);
        for (int i = 1; i < 4 && f + 1 < c->dense.frame_count; i++) {
            decode_pose(c, f, i / 4.0);
            source_poses_sampled(&c->poses, f, i / 4.0, c->theirs);
            measure(c, f, &report->between);
            compare_floats(c, f, i / 4.0);
            source_poses_curve(&c->poses, f, i / 4.0, c->theirs);
            measure(c, f, &report->curves);
        }
    }
}

static void conclude(struct comparison *c)
{
    struct anim_verify_report *report = c->report;
    const uint32_t joints[3] = {report->at_frames.joint, report->between.joint,
                                report->curves.joint};

    report->is_compared = true;
    report->has_passed =
        c->are_floats_good &&
        report->at_frames.metres <= c->options->precision &&
        report->between.metres <= ANIM_BETWEEN_FACTOR * c->options->precision;
    for (int i = 0; i < 3; i++)
        diag_name(c->dense.joints[joints[i]].name, report->joints[i],
                  sizeof report->joints[i]);
}

bool anim_verify(const struct anim_verify_options *options, struct diag *diag,
                 struct anim_verify_report *report)
{
    struct comparison c = {.options = options, .diag = diag, .report = report};
    bool is_good;

    memset(report, 0, sizeof *report);
    arena_init(&c.arena);
    is_good = clip_file_open(&c.clip, options->clip, &c.arena, diag);
    if (is_good) {
        report->frame_count = c.clip.clip.header.frame_count;
        report->joint_count = c.clip.clip.header.joint_count;
        report->has_passed = true;
    }
    if (is_good && options->source) {
        is_good = clip_file_skeleton(&c.clip, options->skeleton,
                                     &c.skeleton_file, &c.arena, diag) &&
                  motion_read(&c.motion, options->source, diag);
        if (is_good) {
            is_good = read_source(&c);
            if (is_good) {
                compare(&c);
                conclude(&c);
            }
            motion_free(&c.motion);
        }
    }
    arena_free(&c.arena);
    return is_good;
}
