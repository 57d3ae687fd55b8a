/* anim_compile.c - read all inputs, encode all clips in parallel, write all
 * files. */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/anim_compile.h"

#include "anim/tool/file_names.h"
#include "common/fault_text.h"
#include "common/workers.h"
#include "host/host.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An input. */
struct source {
    const char *path;
    struct motion motion;
    struct sample_skeleton skeleton;  /* its own joints */
    uint32_t shared;                  /* index of its skeleton in the report */
    const struct dense_joint *joints; /* those of the shared skeleton */
};

/* A clip to compile, and its memory. */
struct job {
    struct source *source;
    uint32_t index; /* in the motion */
    struct anim_compiled_clip *out;
    struct arena arena; /* of the file */
    bool is_good;
};

struct run {
    const struct anim_compile_options *options;
    struct diag *diag;
    struct anim_compile_report *report;
    struct source *sources;
    uint32_t source_count; /* that are read */
    struct job *jobs;
};

/* -- inputs and skeletons -- */

static bool is_same_tree(const struct dense_joint *a,
                         const struct dense_joint *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (a[i].parent != b[i].parent || strcmp(a[i].name, b[i].name) != 0)
            return false;
    return true;
}

static bool is_file_taken(const struct anim_compile_report *report,
                          const char *file)
{
    for (uint32_t i = 0; i < report->skeleton_count; i++)
        if (file_name_compare(report->skeletons[i].file, file) == 0)
            return true;
    return false;
}

static bool add_skeleton(struct run *run, struct source *source)
{
    struct anim_compile_report *report = run->report;
    struct arena *arena = &report->arena;
    struct anim_compiled_skeleton *out =
        &report->skeletons[report->skeleton_count];
    const uint32_t count = source->motion.joint_count;
    struct joint_transform *locals =
        ARENA_NEW(arena, struct joint_transform, count);
    const char *stem = file_safe_name(arena, file_stem(arena, source->path));
    const char *refusal;
    /* A clip of one frame: the rest pose. */
    const struct dense_clip dense = {
        .name = "",
        .joint_count = count,
        .joints = source->skeleton.joints,
        .frame_count = 1,
        .rate_numerator = 1,
        .rate_denominator = 1,
        .locals = locals,
        .joint_is_step = ARENA_NEW(arena, uint8_t, count),
    };

    for (uint32_t i = 0; i < count; i++)
        locals[i] = dense.joints[i].rest;
    refusal = anim_encode_refusal(&dense, &run->options->encode);
    if (refusal)
        return diag_refuse(run->diag, source->path, DIAG_NO_OFFSET, NULL, "%s",
                           refusal);
    out->file = arena_format(arena, "%s" SKELETON_FILE_END, stem);
    for (uint32_t i = 2; is_file_taken(report, out->file); i++)
        out->file = arena_format(arena, "%s-%u" SKELETON_FILE_END, stem, i);
    out->input = source->path;
    out->joint_count = count;
    out->hash = anim_encode_hash(&dense, arena);
    anim_encode_skeleton(&dense, arena, &out->bytes);
    source->shared = report->skeleton_count++;
    source->joints = dense.joints;
    return true;
}

static bool share_skeleton(struct run *run, struct source *source)
{
    for (const struct source *other = run->sources; other < source; other++)
        if (other->motion.joint_count == source->motion.joint_count &&
            is_same_tree(other->joints, source->skeleton.joints,
                         source->motion.joint_count)) {
            source->shared = other->shared;
            source->joints = other->joints;
            return true;
        }
    return add_skeleton(run, source);
}

static bool check_root_joint(const struct run *run)
{
    const char *name = run->options->root_joint;

    for (uint32_t i = 0; name && i < run->source_count; i++)
        for (uint32_t k = 0; k < run->sources[i].motion.joint_count; k++)
            if (strcmp(run->sources[i].joints[k].name, name) == 0)
                return true;
    return !name ||
           diag_refuse(run->diag, run->options->inputs[0], DIAG_NO_OFFSET,
                       "--root-joint", "no joint \"%s\" in %s", name,
                       run->source_count > 1 ? "these files" : "this file");
}

static bool read_sources(struct run *run)
{
    const struct anim_compile_options *options = run->options;
    struct arena *arena = &run->report->arena;

    run->sources = ARENA_NEW(arena, struct source, options->input_count);
    run->report->skeletons =
        ARENA_NEW(arena, struct anim_compiled_skeleton, options->input_count);
    for (uint32_t i = 0; i < options->input_count; i++) {
        struct source *source = &run->sources[i];
        double unit_metres = options->sample.unit_metres;

        source->path = options->inputs[i];
        if (!motion_read(&source->motion, source->path, run->diag))
            return false;
        run->source_count++;
        if (unit_metres == 0)
            unit_metres = sample_unit_metres(source->motion.format);
        if (!sample_skeleton(&source->motion, unit_metres, arena, source->path,
                             run->diag, &source->skeleton) ||
            !share_skeleton(run, source))
            return false;
    }
    return check_root_joint(run);
}

/* -- clips -- */

static bool is_chosen(const struct anim_compile_options *options,
                      const char *name, bool *is_found)
{
    bool is_named = options->clip_count == 0;

    for (uint32_t i = 0; i < options->clip_count; i++)
        if (name && strcmp(options->clips[i], name) == 0) {
            is_found[i] = true;
            is_named = true;
        }
    return is_named;
}

static bool check_found(const struct run *run, const bool *is_found)
{
    for (uint32_t i = 0; i < run->options->clip_count; i++)
        if (!is_found[i])
            return diag_refuse(
                run->diag, run->options->inputs[0], DIAG_NO_OFFSET, "--clip",
                "no clip \"%s\" in %s", run->options->clips[i],
                run->options->input_count > 1 ? "these files" : "this file");
    return run->report->clip_count > 0 ||
           diag_refuse(run->diag, run->options->inputs[0], DIAG_NO_OFFSET, NULL,
                       "there are no clips");
}

static bool check_patterns(const struct run *run)
{
    const struct anim_compile_report *report = run->report;
    const char **names =
        ARENA_NEW(&run->report->arena, const char *, report->clip_count);

    for (uint32_t i = 0; i < report->clip_count; i++)
        names[i] = report->clips[i].name;
    return clip_flags_check(run->options->patterns, names, report->clip_count,
                            run->options->inputs[0], run->diag);
}

static int by_file(const void *a, const void *b)
{
    const struct anim_compiled_clip *const *one = a;
    const struct anim_compiled_clip *const *two = b;
    const int order = file_name_compare((*one)->file, (*two)->file);

    return order != 0 ? order : (*one > *two) - (*one < *two);
}

/* Give clips whose files would have the same name different ones: that of their
 * input before it, and a number behind it. */
static void separate_files(struct anim_compile_report *report)
{
    struct arena *arena = &report->arena;
    struct anim_compiled_clip **sorted =
        ARENA_NEW(arena, struct anim_compiled_clip *, report->clip_count);
    bool is_unique = false;

    for (uint32_t i = 0; i < report->clip_count; i++)
        sorted[i] = &report->clips[i];
    for (uint32_t round = 0; !is_unique; round++) {
        qsort(sorted, report->clip_count, sizeof *sorted, by_file);
        is_unique = true;
        for (uint32_t i = report->clip_count; i-- > 1;) {
            struct anim_compiled_clip *clip = sorted[i];

            if (file_name_compare(clip->file, sorted[i - 1]->file) != 0)
                continue;
            is_unique = false;
            clip->file =
                round == 0
                    ? arena_format(
                          arena, "%s-%s",
                          file_safe_name(arena, file_stem(arena, clip->input)),
                          clip->file)
                    : arena_format(arena, "%u-%s",
                                   (uint32_t)(clip - report->clips),
                                   clip->file);
        }
    }
}

static bool list_clips(struct run *run)
{
    struct anim_compile_report *report = run->report;
    struct arena *arena = &report->arena;
    bool *is_found = ARENA_NEW(arena, bool, run->options->clip_count);
    uint64_t count = 0;

    for (uint32_t i = 0; i < run->source_count; i++)
        count += run->sources[i].motion.clip_count;
    report->clips = ARENA_NEW(arena, struct anim_compiled_clip, count);
    run->jobs = ARENA_NEW(arena, struct job, count);
    for (uint32_t i = 0; i < run->source_count; i++) {
        struct source *source = &run->sources[i];

        for (uint32_t k = 0; k < source->motion.clip_count; k++) {
            const char *name = source->motion.clips[k].name;
            struct anim_compiled_clip *clip =
                &report->clips[report->clip_count];

            if (!is_chosen(run->options, name, is_found))
                continue;
            clip->name = name ? arena_string(arena, name, strlen(name))
                              : arena_format(arena, "clip%u", k);
            clip->file = arena_format(arena, "%s" CLIP_FILE_END,
                                      file_safe_name(arena, clip->name));
            clip->input = source->path;
            clip->skeleton = source->shared;
            run->jobs[report->clip_count++] =
                (struct job){.source = source, .index = k, .out = clip};
        }
    }
    separate_files(report);
    return check_found(run, is_found) && check_patterns(run);
}

static bool measure(const struct run *run, const struct job *job,
                    const struct dense_clip *dense, struct arena *arena)
{
    struct anim_compiled_clip *out = job->out;
    spn_fault fault = {0};

    return clip_error_measure(
               dense, &run->report->skeletons[out->skeleton].bytes, &out->bytes,
               arena, &out->error, &fault) == SPN_OK ||
           fault_refuse(run->diag, out->file, FAULT_NO_FRAME, &fault);
}

/* Measure what is lost of cubic curves. */
static void measure_curves(const struct run *run, const struct job *job,
                           const struct sample_grid *grid,
                           const struct dense_clip *dense, struct arena *arena)
{
    const struct motion *motion = &job->source->motion;
    const double unit_metres = run->options->sample.unit_metres;
    struct source_poses poses = {
        .motion = motion,
        .clip = &motion->clips[job->index],
        .skeleton = &job->source->skeleton,
        .unit_metres =
            unit_metres > 0 ? unit_metres : sample_unit_metres(motion->format),
        .grid = grid,
        .dense = dense,
    };

    if (!source_has_curves(poses.clip))
        return;
    source_poses_init(&poses, arena);
    job->out->curves_lost = source_poses_lost(&poses, arena);
}

/* What sampling may lose of cubic curves. */
static struct source_loss loss_limit(const struct run *run)
{
    return (struct source_loss){run->options->encode.precision,
                                run->options->encode.float_precision};
}

static bool encode(const struct run *run, struct job *job,
                   struct arena *scratch)
{
    const struct source *source = job->source;
    struct anim_compiled_clip *out = job->out;
    const struct source_loss limit = loss_limit(run);
    struct sample_options sample = run->options->sample;
    struct sample_grid grid;
    struct dense_clip dense;
    struct anim_file file;
    const char *refusal;

    if (!run->options->keeps_rate && sample.rate == 0 &&
        !source_follow_rate(&source->motion, job->index, &source->skeleton,
                            &sample, &limit, source->path, run->diag,
                            &sample.rate))
        return false;
    if (!sample_clip(&source->motion, job->index, &source->skeleton, &sample,
                     scratch, source->path, run->diag, &grid, &dense))
        return false;
    measure_curves(run, job, &grid, &dense, scratch);
    dense.joints = source->joints;
    if (run->options->root_joint)
        dense.loop_closes =
            sample_loop_closes(&dense, run->options->root_joint, scratch);
    clip_flags_set(&source->motion.clips[job->index], out->name,
                   run->options->patterns, &dense);
    refusal = anim_encode_refusal(&dense, &run->options->encode);
    if (refusal)
        return diag_refuse(run->diag, source->path, DIAG_NO_OFFSET, out->name,
                           "%s", refusal);
    anim_encode_clip(&dense, &run->options->encode, scratch, &file);
    out->bytes.size = file.size;
    out->bytes.bytes = ARENA_NEW(&job->arena, uint8_t, file.size);
    memcpy(out->bytes.bytes, file.bytes, file.size);
    out->frame_count = dense.frame_count;
    out->rate_numerator = dense.rate_numerator;
    out->rate_denominator = dense.rate_denominator;
    out->float_track_count = dense.float_track_count;
    out->loop_closes = dense.loop_closes;
    out->has_cuts = dense.frame_is_cut != NULL;
    out->loops = dense.loops;
    out->is_additive = dense.is_additive;
    out->has_root_motion = dense.has_root_motion;
    return measure(run, job, &dense, scratch);
}

static void run_job(void *user, uint32_t index, uint32_t worker)
{
    struct run *run = user;
    struct job *job = &run->jobs[index];
    struct arena scratch;

    (void)worker;
    arena_init(&job->arena);
    arena_init(&scratch);
    job->is_good = !diag_has_failed(run->diag) && encode(run, job, &scratch);
    arena_free(&scratch);
}

/* A loss in units of the limit. */
static double excess(const struct source_loss *loss,
                     const struct source_loss *limit)
{
    return fmax(loss->metres / limit->metres, loss->floats / limit->floats);
}

static void warn_of_curves(const struct run *run)
{
    const struct source_loss limit = loss_limit(run);
    const struct anim_compiled_clip *worst = NULL;
    uint32_t count = 0;

    for (uint32_t i = 0; i < run->report->clip_count; i++) {
        const struct anim_compiled_clip *clip = &run->report->clips[i];

        if (!source_loss_exceeds(&clip->curves_lost, &limit))
            continue;
        count++;
        if (!worst || excess(&clip->curves_lost, &limit) >
                          excess(&worst->curves_lost, &limit))
            worst = clip;
    }
    if (worst)
        diag_warn(run->diag, worst->input, worst->name,
                  "its frames are up to %.4g mm off its cubic curves, and "
                  "float tracks up to %.4g (clips above the precision: %u); a "
                  "higher --rate follows them better",
                  worst->curves_lost.metres * 1000, worst->curves_lost.floats,
                  count);
}

/* The larger error at the skin in units of its limit: the precision at frames,
 * ANIM_BETWEEN_FACTOR times as much between them. */
static double relative_error(const struct run *run,
                             const struct anim_compiled_clip *clip)
{
    return fmax(clip->error.at_frames,
                clip->error.between / ANIM_BETWEEN_FACTOR) /
           run->options->encode.precision;
}

static void warn_of_errors(const struct run *run)
{
    const struct anim_compiled_clip *worst = NULL;
    uint32_t count = 0;

    for (uint32_t i = 0; i < run->report->clip_count; i++) {
        const struct anim_compiled_clip *clip = &run->report->clips[i];

        if (relative_error(run, clip) <= 1)
            continue;
        count++;
        if (!worst || relative_error(run, clip) > relative_error(run, worst))
            worst = clip;
    }
    if (worst)
        diag_warn(run->diag, worst->input, worst->name,
                  "its error is %.4g mm at frames and %.4g mm between them, "
                  "above the precision (such clips: %u): it moves too far for "
                  "the format's steps",
                  worst->error.at_frames * 1000, worst->error.between * 1000,
                  count);
}

static bool encode_all(struct run *run)
{
    struct anim_compile_report *report = run->report;
    struct workers *workers = workers_create(run->options->jobs);
    bool is_good = true;

    workers_run(workers, report->clip_count, run_job, run);
    workers_destroy(workers);
    for (uint32_t i = 0; i < report->clip_count; i++) {
        struct anim_file *file = &report->clips[i].bytes;

        is_good = is_good && run->jobs[i].is_good;
        if (is_good) {
            uint8_t *copy = ARENA_NEW(&report->arena, uint8_t, file->size);

            memcpy(copy, file->bytes, file->size);
            file->bytes = copy;
            report->bytes += file->size;
        }
        arena_free(&run->jobs[i].arena);
    }
    for (uint32_t i = 0; i < report->skeleton_count; i++)
        report->bytes += report->skeletons[i].bytes.size;
    return is_good;
}

/* -- output -- */

static bool write_file(struct host_tree *tree, const char *name,
                       const struct anim_file *file, struct diag *diag)
{
    struct host_output *output = host_tree_output(tree, name, diag);

    return output &&
           host_output_finish(
               output, host_output_append(output, file->bytes, file->size));
}

static bool write_all(const struct run *run)
{
    const struct anim_compile_report *report = run->report;
    struct host_tree *tree = host_tree_open(run->options->folder, run->diag);
    bool is_good = tree != NULL;

    for (uint32_t i = 0; is_good && i < report->skeleton_count; i++)
        is_good = write_file(tree, report->skeletons[i].file,
                             &report->skeletons[i].bytes, run->diag);
    for (uint32_t i = 0; is_good && i < report->clip_count; i++)
        is_good = write_file(tree, report->clips[i].file,
                             &report->clips[i].bytes, run->diag);
    is_good = is_good && host_tree_sync(tree, run->diag);
    host_tree_close(tree);
    return is_good;
}

bool anim_compile(const struct anim_compile_options *options, struct diag *diag,
                  struct anim_compile_report *report)
{
    struct run run = {.options = options, .diag = diag, .report = report};
    bool is_good;

    memset(report, 0, sizeof *report);
    arena_init(&report->arena);
    is_good = read_sources(&run) && list_clips(&run) && encode_all(&run);
    if (is_good) {
        warn_of_errors(&run);
        warn_of_curves(&run);
    }
    is_good = is_good && write_all(&run);
    for (uint32_t i = 0; i < run.source_count; i++)
        motion_free(&run.sources[i].motion);
    return is_good;
}
