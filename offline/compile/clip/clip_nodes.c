/* clip_nodes.c - every node in every frame: is it finite, how large is its mesh
 * in the world, does it ever appear or vanish, and is it where it should be?
 *
 * Frames are validated in runs, on all jobs. Sums are such that their order
 * does not matter, and of what is wrong the earliest is told.
 */
/* SPDX-License-Identifier: MIT */
#include "common/phases.h"
#include "common/workers.h"
#include "compile/clip/clip_private.h"
#include "compile/clip/clip_worlds.h"
#include "compile/report/format_value.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A run costs a thread some memory for all nodes. */
#define RUN_FRAMES_MIN 16u
#define RUNS_PER_JOB 4u

enum fault { FAULT_NONE, FAULT_TRANSFORM, FAULT_WORLD, FAULT_TOLD };

/* Some frames after each other. */
struct run {
    struct mesh_world *meshes;
    bool *is_changed; /* of each node: visibility */
    struct worlds worlds;
    enum fault fault; /* the first, which ends the run */
    uint32_t node;
    uint32_t frame;
};

struct survey {
    const struct clip *clip;
    uint32_t frames; /* of each run but the last */
    struct run *runs;
};

/* How far the node's mesh gets along an axis of the world, by its box over all
 * frames. */
static double reach_of(const struct clip *clip, uint32_t node,
                       const double world[16], int axis)
{
    const struct scene_import *import = &clip->private->import;
    const struct quantize_range *box =
        import->shapes[clip->nodes[node].mesh]->source.box;
    double reach = fabs(world[12 + axis]);

    for (int k = 0; k < 3; k++)
        reach += fmax(fabs(box[k].min), fabs(box[k].max)) *
                 fabs(world[4 * k + axis]);
    return reach;
}

/* Does the node's mesh stay within single precision? */
static bool is_in_reach(const struct clip *clip, uint32_t node,
                        const double world[16])
{
    if (clip->nodes[node].mesh < 0)
        return true;
    for (int i = 0; i < 3; i++)
        if (!(reach_of(clip, node, world, i) < FLT_MAX))
            return false;
    return true;
}

/* Largest length of each mesh's axes in the world, over all frames. */
static void grow_scales(const double world[16], double scales[3])
{
    for (int i = 0; i < 3; i++) {
        const double *axis = world + 4 * i;
        double length =
            sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);

        scales[i] = length > scales[i] ? length : scales[i];
    }
}

static void grow_stretch(const double world[16], uint32_t node, uint32_t frame,
                         struct mesh_world *mesh)
{
    double cofactors[9];
    double stretch = matrix_stretch(world, cofactors);

    if (!(stretch > MESH_STRETCH_MIN && stretch > mesh->stretch))
        return;
    mesh->stretch = stretch;
    mesh->node = node;
    mesh->frame = frame;
}

static enum fault validate_node(const struct clip *clip, uint32_t node,
                                uint32_t frame,
                                const struct node_matrices *matrices,
                                struct mesh_world *meshes)
{
    const struct clip_node *at = &clip->nodes[node];
    bool is_good = matrix_is_finite(matrices->world);
    struct tns tns;

    /* What fits as a scale fits as a matrix. */
    tns_split(matrices->local, &tns);
    for (int i = 0; i < 3; i++)
        is_good = is_good && fabs(tns.scale[i]) <= FLT_MAX &&
                  fabs(tns.translation[i]) <= FLT_MAX;
    if (!is_good)
        return FAULT_TRANSFORM;
    if (!is_in_reach(clip, node, matrices->world))
        return FAULT_WORLD;
    if (at->mesh >= 0) {
        grow_scales(matrices->world, meshes[at->mesh].scale);
        grow_stretch(matrices->world, node, frame, &meshes[at->mesh]);
    }
    return FAULT_NONE;
}

static bool read_visible(const struct clip *clip, double time, bool *visible)
{
    const struct clip_private *private = clip->private;

    for (uint32_t i = 0; i < clip->node_count; i++)
        if (!scene_import_is_visible(&private->import,
                                     private->scene.nodes[i].part, time,
                                     &visible[i]))
            return false;
    return true;
}

static void validate_frame(const struct clip *clip, uint32_t frame,
                           struct node_matrices *matrices, struct run *run)
{
    run->frame = frame;
    if (!clip_node_matrices(clip, clip->frame_seconds[frame], matrices))
        run->fault = FAULT_TOLD;
    for (uint32_t i = 0; i < clip->node_count && !run->fault; i++) {
        run->node = i;
        run->fault = validate_node(clip, i, frame, &matrices[i], run->meshes);
    }
}

static void run_turn(void *user, uint32_t number, uint32_t worker)
{
    const struct survey *survey = user;
    const struct clip *clip = survey->clip;
    struct run *run = &survey->runs[number];
    enum phase before = phases_enter(PHASE_NODES);
    uint32_t first = number * survey->frames;
    uint32_t limit = clip->frame_count - first > survey->frames
                         ? first + survey->frames
                         : clip->frame_count;
    struct node_matrices *matrices;
    struct frame_place *places;
    struct arena arena;
    bool *visible[2];

    (void)worker;
    arena_init(&arena);
    matrices = ARENA_NEW(&arena, struct node_matrices, clip->node_count);
    places = ARENA_NEW(&arena, struct frame_place, clip->node_count);
    for (int i = 0; i < 2; i++)
        visible[i] = ARENA_NEW(&arena, bool, clip->node_count);
    /* The first is compared with the last of the run before. */
    if (!read_visible(clip, clip->frame_seconds[first > 0 ? first - 1 : 0],
                      visible[0]))
        run->fault = FAULT_TOLD;
    for (uint32_t f = first; f < limit && !run->fault; f++) {
        bool *now = visible[(f - first + 1) % 2];
        const bool *last = visible[(f - first) % 2];

        validate_frame(clip, f, matrices, run);
        if (!run->fault && !read_visible(clip, clip->frame_seconds[f], now))
            run->fault = FAULT_TOLD;
        for (uint32_t i = 0; i < clip->node_count && !run->fault; i++)
            run->is_changed[i] |= now[i] != last[i];
        if (!run->fault)
            worlds_look(&run->worlds, clip, matrices, now, places);
    }
    arena_free(&arena);
    phases_enter(before);
}

/* -- what is wrong -- */

/* The number that a transform cannot have, and what it is. */
static const char *odd_number(const struct node_matrices *matrices,
                              double *number)
{
    static const char *const translations[] = {
        "translation along x", "translation along y", "translation along z"};
    static const char *const scales[] = {"scale along x", "scale along y",
                                         "scale along z"};
    struct tns tns;

    tns_split(matrices->local, &tns);
    for (int i = 0; i < 3; i++) {
        *number = tns.translation[i];
        if (format_exceeds_float(*number))
            return translations[i];
    }
    for (int i = 0; i < 3; i++) {
        *number = tns.scale[i];
        if (format_exceeds_float(*number))
            return scales[i];
    }
    for (int i = 0; i < 16; i++) {
        *number = matrices->world[i];
        if (!isfinite(*number))
            break;
    }
    return "matrix in the world";
}

static const char *odd_reach(const struct clip *clip, uint32_t node,
                             const double world[16], double *number)
{
    static const char *const axes[] = {"reach along x in the world",
                                       "reach along y in the world",
                                       "reach along z in the world"};
    int axis = 0;

    *number = reach_of(clip, node, world, axis);
    while (axis < 2 && *number < FLT_MAX)
        *number = reach_of(clip, node, world, ++axis);
    return axes[axis];
}

static bool warn_of_run(const struct clip *clip, const struct run *run)
{
    double seconds = clip->frame_seconds[run->frame];
    char text[2][FORMAT_NUMBER_BYTES];
    struct node_matrices *matrices;
    struct arena arena;
    const char *what;
    double number;

    if (run->fault == FAULT_NONE || run->fault == FAULT_TOLD)
        return run->fault == FAULT_NONE;
    arena_init(&arena);
    matrices = ARENA_NEW(&arena, struct node_matrices, clip->node_count);
    if (clip_node_matrices(clip, seconds, matrices)) {
        if (run->fault == FAULT_WORLD)
            what =
                odd_reach(clip, run->node, matrices[run->node].world, &number);
        else
            what = odd_number(&matrices[run->node], &number);
        compile_refuse(
            clip->private->archive, REFUSAL_NOT_FINITE,
            clip->nodes[run->node].path, "its %s at %s s (frame %u) is %s%s",
            what, format_number(seconds, text[0]), run->frame,
            format_number(number, text[1]),
            isfinite(number) ? ", more than single precision holds" : "");
    }
    arena_free(&arena);
    return false;
}

static void merge(struct clip *clip, const struct run *run,
                  struct mesh_world *meshes, struct worlds *worlds)
{
    for (uint32_t i = 0; i < clip->private->import.shape_count; i++) {
        const struct mesh_world *more = &run->meshes[i];

        for (int k = 0; k < 3; k++)
            if (more->scale[k] > meshes[i].scale[k])
                meshes[i].scale[k] = more->scale[k];
        if (more->stretch > meshes[i].stretch) {
            meshes[i].stretch = more->stretch;
            meshes[i].node = more->node;
            meshes[i].frame = more->frame;
        }
    }
    for (uint32_t i = 0; i < clip->node_count; i++)
        if (run->is_changed[i])
            clip->nodes[i].is_animated = true;
    worlds_merge(worlds, &run->worlds, clip->node_count);
}

bool clip_validate_nodes(struct clip *clip, struct mesh_world *meshes,
                         struct worlds *worlds)
{
    uint32_t jobs = clip->private->options.jobs;
    uint32_t wanted = jobs > 1 ? jobs * RUNS_PER_JOB : 1;
    struct survey survey = {.clip = clip};
    struct workers *workers;
    struct arena arena;
    uint32_t count;
    bool is_good = true;

    survey.frames = (clip->frame_count + wanted - 1) / wanted;
    if (survey.frames < RUN_FRAMES_MIN)
        survey.frames = RUN_FRAMES_MIN;
    count = (clip->frame_count + survey.frames - 1) / survey.frames;
    arena_init(&arena);
    survey.runs = ARENA_NEW(&arena, struct run, count);
    for (uint32_t i = 0; i < count; i++) {
        survey.runs[i].meshes = ARENA_NEW(&arena, struct mesh_world,
                                          clip->private->import.shape_count);
        survey.runs[i].is_changed = ARENA_NEW(&arena, bool, clip->node_count);
        worlds_begin(&survey.runs[i].worlds, clip->node_count, &arena);
    }
    /* Nodes of an earlier round have other numbers. */
    for (uint32_t i = 0; i < clip->private->import.shape_count; i++)
        meshes[i].stretch = 0;
    worlds_begin(worlds, clip->node_count, &clip->private->arena);
    workers = workers_create(count > 1 ? jobs : 1);
    workers_run(workers, count, run_turn, &survey);
    workers_destroy(workers);
    for (uint32_t i = 0; i < count && is_good; i++) {
        is_good = warn_of_run(clip, &survey.runs[i]);
        if (is_good)
            merge(clip, &survey.runs[i], meshes, worlds);
    }
    arena_free(&arena);
    return is_good;
}
