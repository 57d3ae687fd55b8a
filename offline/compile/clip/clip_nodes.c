/* clip_nodes.c - validate runs of frames in parallel.
 *
 * A run is a range of frames; each run has results of its own. They are merged
 * in order: maxima do not depend on the split into runs, and of several faults
 * the earliest frame is refused.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/clip/clip_nodes.h"

#include "common/phases.h"
#include "common/workers.h"
#include "compile/report/format_value.h"

#include <float.h>
#include <math.h>

/* A run allocates memory for all nodes: short runs would waste it. */
#define RUN_FRAMES_MIN 16u
#define RUNS_PER_JOB 4u

enum fault {
    FAULT_NONE,
    FAULT_TRANSFORM, /* a matrix exceeds single precision */
    FAULT_EXTENT,    /* a mesh in the world does */
    FAULT_REFUSED    /* of the archive; already reported */
};

/* Consecutive frames, and their results. Owned by the thread that runs them. */
struct run {
    struct mesh_scaling *scalings; /* of each mesh */
    bool *is_changed;              /* of each node: its visibility changes */
    struct world_errors errors;
    enum fault fault; /* the first one; it ends the run */
    uint32_t node;    /* of the fault */
    uint32_t frame;
};

struct validation {
    const struct clip *clip;
    uint32_t frames; /* in each run but the last */
    struct run *runs;
};

/* A bound of the absolute world coordinates of the node's mesh along an axis,
 * from the mesh's box over all frames. */
static double extent_of(const struct clip *clip, uint32_t node,
                        const double world[16], int axis)
{
    const struct scene_import *import = &clip->state->import;
    const struct quantize_range *box =
        import->shapes[clip->nodes[node].mesh]->source.box;
    double extent = fabs(world[12 + axis]);

    for (int k = 0; k < 3; k++)
        extent += fmax(fabs(box[k].min), fabs(box[k].max)) *
                  fabs(world[4 * k + axis]);
    return extent;
}

/* Are the world coordinates of the node's mesh finite in single precision? */
static bool fits_float(const struct clip *clip, uint32_t node,
                       const double world[16])
{
    if (clip->nodes[node].mesh < 0)
        return true;
    for (int i = 0; i < 3; i++)
        if (!(extent_of(clip, node, world, i) < FLT_MAX))
            return false;
    return true;
}

/* Enlarge the scales to the lengths of the axes in the world. */
static void add_scales(const double world[16], double scales[3])
{
    for (int i = 0; i < 3; i++) {
        const double *axis = world + 4 * i;
        double length =
            sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);

        scales[i] = length > scales[i] ? length : scales[i];
    }
}

static void add_stretch(const double world[16], uint32_t node, uint32_t frame,
                        struct mesh_scaling *scaling)
{
    double cofactors[9];
    double stretch = matrix_stretch(world, cofactors);

    if (!(stretch > MESH_STRETCH_MIN && stretch > scaling->stretch))
        return;
    scaling->stretch = stretch;
    scaling->node = node;
    scaling->frame = frame;
}

static enum fault validate_node(const struct clip *clip, uint32_t node,
                                uint32_t frame,
                                const struct node_matrices *matrices,
                                struct mesh_scaling *scalings)
{
    const struct clip_node *at = &clip->nodes[node];
    bool is_good = matrix_is_finite(matrices->world);
    struct tns tns;

    /* Scales bound the numbers of a matrix too. */
    tns_split(matrices->local, &tns);
    for (int i = 0; i < 3; i++)
        is_good = is_good && fabs(tns.scale[i]) <= FLT_MAX &&
                  fabs(tns.translation[i]) <= FLT_MAX;
    if (!is_good)
        return FAULT_TRANSFORM;
    if (!fits_float(clip, node, matrices->world))
        return FAULT_EXTENT;
    if (at->mesh >= 0) {
        add_scales(matrices->world, scalings[at->mesh].scale);
        add_stretch(matrices->world, node, frame, &scalings[at->mesh]);
    }
    return FAULT_NONE;
}

static bool read_visible(const struct clip *clip, double time, bool *visible)
{
    const struct clip_state *state = clip->state;

    for (uint32_t i = 0; i < clip->node_count; i++)
        if (!scene_import_is_visible(&state->import, state->scene.nodes[i].part,
                                     time, &visible[i]))
            return false;
    return true;
}

static void validate_frame(const struct clip *clip, uint32_t frame,
                           struct node_matrices *matrices, struct run *run)
{
    run->frame = frame;
    if (!clip_node_matrices(clip, clip->frame_seconds[frame], matrices))
        run->fault = FAULT_REFUSED;
    for (uint32_t i = 0; i < clip->node_count && !run->fault; i++) {
        run->node = i;
        run->fault = validate_node(clip, i, frame, &matrices[i], run->scalings);
    }
}

static void validate_run(void *user, uint32_t number, uint32_t worker)
{
    const struct validation *validation = user;
    const struct clip *clip = validation->clip;
    struct run *run = &validation->runs[number];
    enum phase before = phases_enter(PHASE_NODES);
    uint32_t first = number * validation->frames;
    uint32_t limit = clip->frame_count - first > validation->frames
                         ? first + validation->frames
                         : clip->frame_count;
    struct node_matrices *matrices;
    struct node_world *worlds;
    struct arena arena;
    bool *visible[2];

    (void)worker;
    arena_init(&arena);
    matrices = ARENA_NEW(&arena, struct node_matrices, clip->node_count);
    worlds = ARENA_NEW(&arena, struct node_world, clip->node_count);
    for (int i = 0; i < 2; i++)
        visible[i] = ARENA_NEW(&arena, bool, clip->node_count);
    /* Compare the first frame with the last frame of the run before. */
    if (!read_visible(clip, clip->frame_seconds[first > 0 ? first - 1 : 0],
                      visible[0]))
        run->fault = FAULT_REFUSED;
    for (uint32_t f = first; f < limit && !run->fault; f++) {
        bool *now = visible[(f - first + 1) % 2];
        const bool *last = visible[(f - first) % 2];

        validate_frame(clip, f, matrices, run);
        if (!run->fault && !read_visible(clip, clip->frame_seconds[f], now))
            run->fault = FAULT_REFUSED;
        for (uint32_t i = 0; i < clip->node_count && !run->fault; i++)
            run->is_changed[i] |= now[i] != last[i];
        if (!run->fault)
            world_errors_add_frame(&run->errors, clip, matrices, now, worlds);
    }
    arena_free(&arena);
    phases_enter(before);
}

/* -- refusals -- */

/* Find the number of a node's matrices that exceeds single precision; return
 * its name. */
static const char *bad_number(const struct node_matrices *matrices,
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

static const char *bad_extent(const struct clip *clip, uint32_t node,
                              const double world[16], double *number)
{
    static const char *const axes[] = {"reach along x in the world",
                                       "reach along y in the world",
                                       "reach along z in the world"};
    int axis = 0;

    *number = extent_of(clip, node, world, axis);
    while (axis < 2 && *number < FLT_MAX)
        *number = extent_of(clip, node, world, ++axis);
    return axes[axis];
}

static bool refuse_fault(const struct clip *clip, const struct run *run)
{
    double seconds = clip->frame_seconds[run->frame];
    char text[2][FORMAT_NUMBER_BYTES];
    struct node_matrices *matrices;
    struct arena arena;
    const char *what;
    double number;

    if (run->fault == FAULT_NONE || run->fault == FAULT_REFUSED)
        return run->fault == FAULT_NONE;
    arena_init(&arena);
    matrices = ARENA_NEW(&arena, struct node_matrices, clip->node_count);
    if (clip_node_matrices(clip, seconds, matrices)) {
        if (run->fault == FAULT_EXTENT)
            what =
                bad_extent(clip, run->node, matrices[run->node].world, &number);
        else
            what = bad_number(&matrices[run->node], &number);
        compile_refuse(
            clip->state->archive, REFUSAL_NOT_FINITE,
            clip->nodes[run->node].path, "its %s at %s s (frame %u) is %s%s",
            what, format_number(seconds, text[0]), run->frame,
            format_number(number, text[1]),
            isfinite(number) ? ", more than single precision holds" : "");
    }
    arena_free(&arena);
    return false;
}

static void merge(struct clip *clip, const struct run *run,
                  struct mesh_scaling *scalings, struct world_errors *errors)
{
    for (uint32_t i = 0; i < clip->state->import.shape_count; i++) {
        const struct mesh_scaling *more = &run->scalings[i];

        for (int k = 0; k < 3; k++)
            if (more->scale[k] > scalings[i].scale[k])
                scalings[i].scale[k] = more->scale[k];
        if (more->stretch > scalings[i].stretch) {
            scalings[i].stretch = more->stretch;
            scalings[i].node = more->node;
            scalings[i].frame = more->frame;
        }
    }
    for (uint32_t i = 0; i < clip->node_count; i++)
        if (run->is_changed[i])
            clip->nodes[i].is_animated = true;
    world_errors_merge(errors, &run->errors, clip->node_count);
}

bool clip_validate_nodes(struct clip *clip, struct mesh_scaling *scalings,
                         struct world_errors *errors)
{
    uint32_t jobs = clip->state->options.jobs;
    uint32_t wanted = jobs > 1 ? jobs * RUNS_PER_JOB : 1;
    struct validation validation = {.clip = clip};
    struct workers *workers;
    struct arena arena;
    uint32_t count;
    bool is_good = true;

    validation.frames = (clip->frame_count + wanted - 1) / wanted;
    if (validation.frames < RUN_FRAMES_MIN)
        validation.frames = RUN_FRAMES_MIN;
    count = (clip->frame_count + validation.frames - 1) / validation.frames;
    arena_init(&arena);
    validation.runs = ARENA_NEW(&arena, struct run, count);
    for (uint32_t i = 0; i < count; i++) {
        validation.runs[i].scalings = ARENA_NEW(
            &arena, struct mesh_scaling, clip->state->import.shape_count);
        validation.runs[i].is_changed =
            ARENA_NEW(&arena, bool, clip->node_count);
        world_errors_init(&validation.runs[i].errors, clip->node_count, &arena);
    }
    /* After another fold, nodes have other indices. */
    for (uint32_t i = 0; i < clip->state->import.shape_count; i++)
        scalings[i].stretch = 0;
    world_errors_init(errors, clip->node_count, &clip->state->arena);
    workers = workers_create(count > 1 ? jobs : 1);
    workers_run(workers, count, validate_run, &validation);
    workers_destroy(workers);
    for (uint32_t i = 0; i < count && is_good; i++) {
        is_good = refuse_fault(clip, &validation.runs[i]);
        if (is_good)
            merge(clip, &validation.runs[i], scalings, errors);
    }
    arena_free(&arena);
    return is_good;
}
