/* clip.c - open a clip: the steps that need all frames.
 *
 * Order: objects and their samples (import), frame times (timeline), nodes
 * (scene), vertices (shape), scaling of the meshes in the world, and from it
 * their ranges and bits. Warnings are printed at the end, so that a refusal has
 * none.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/clip/clip.h"

#include "cache/cache_header.h"
#include "codec/channel.h"
#include "common/phases.h"
#include "compile/clip/clip_frame.h"
#include "compile/clip/clip_nodes.h"
#include "compile/clip/clip_precision.h"
#include "compile/clip/clip_state.h"
#include "compile/clip/world_error.h"
#include "compile/mesh/source_refuse.h"
#include "compile/report/format_value.h"
#include "compile/scene/requested_params.h"
#include "compile/scene/scene_merge.h"

#include <math.h>
#include <stdio.h>

/* -- nodes -- */

static void set_root(struct clip_state *state)
{
    double *m = state->root;

    matrix_identity(m);
    if (state->options.up != 'Z')
        return;
    /* Rotate y to z, and z to -y. */
    m[5] = 0;
    m[6] = 1;
    m[9] = -1;
    m[10] = 0;
}

static bool fold(struct clip *clip)
{
    struct clip_state *state = clip->state;
    const struct scene_import *import = &state->import;

    state->source.matrix = scene_import_matrix;
    state->source.user = &state->import;
    state->source.is_visible = scene_import_is_visible;
    if (!scene_fold(import->parts, import->part_count, &state->source,
                    clip->frame_seconds, clip->frame_count, &state->arena,
                    &state->scene))
        return false;
    if (state->scene.node_count > CACHE_NODES_MAX)
        return compile_refuse(state->archive, REFUSAL_TOO_LARGE, NULL,
                              "%u nodes, at most %u", state->scene.node_count,
                              CACHE_NODES_MAX);
    clip->node_count = state->scene.node_count;
    clip->nodes = ARENA_NEW(&state->arena, struct clip_node, clip->node_count);
    for (uint32_t i = 0; i < clip->node_count; i++) {
        const struct scene_node *node = &state->scene.nodes[i];

        clip->nodes[i].path = import->parts[node->part].path;
        clip->nodes[i].parent = node->parent;
        clip->nodes[i].mesh = node->mesh;
        clip->nodes[i].is_animated = !node->is_constant;
        clip->nodes[i].is_affine = node->is_affine;
    }
    return true;
}

/* -- meshes -- */

/* `unnumbered` is the name of a face set for which no id is left. */
static bool refuse_material(const struct clip *clip,
                            const struct material_names *names,
                            const char *unnumbered)
{
    char name[FORMAT_NAME_BYTES];

    diag_name(unnumbered, name, sizeof name);
    return compile_refuse(clip->state->archive, REFUSAL_TOO_LARGE, NULL,
                          "no material id is left for face set %s: there are "
                          "%u names of face sets, which have all from 1 to %u",
                          name, names->count, MATERIAL_ID_MAX);
}

/* Merge equal shapes. The nodes are folded already, and show what remains. */
static bool merge_shapes(struct clip *clip)
{
    struct clip_state *state = clip->state;
    const uint32_t count = state->import.shape_count;
    int32_t *new_of = ARENA_NEW(&state->arena, int32_t, count);

    if (count < 2)
        return true;
    if (!scene_merge(&state->import, new_of))
        return false;
    clip->merged_mesh_count = count - state->import.shape_count;
    for (uint32_t i = 0; i < clip->node_count; i++)
        if (clip->nodes[i].mesh >= 0) {
            clip->nodes[i].mesh = new_of[clip->nodes[i].mesh];
            state->scene.nodes[i].mesh = clip->nodes[i].mesh;
        }
    return true;
}

static bool build_shapes(struct clip *clip)
{
    struct clip_state *state = clip->state;
    struct scene_import *import = &state->import;
    struct material_names names;
    const char *unnumbered;

    material_names_begin(&names, &state->arena);
    for (uint32_t i = 0; i < import->shape_count; i++)
        if (!shape_face_sets(import->shapes[i], &names, &state->warnings,
                             &state->arena))
            return false;
    if (!material_names_finish(&names, &unnumbered))
        return refuse_material(clip, &names, unnumbered);
    if (!merge_shapes(clip))
        return false;
    for (uint32_t i = 0; i < import->shape_count; i++)
        if (!shape_build(import->shapes[i], &names, clip->frame_seconds,
                         clip->frame_count, &state->warnings, &state->arena))
            return false;
    return true;
}

static void set_masks(struct clip_mesh *mesh, const struct source *source)
{
    const struct {
        enum channel channel;
        bool is_present;
        bool is_animated;
    } channels[] = {
        {CHANNEL_POSITION, true, source->is_moving},
        {CHANNEL_QTANGENT, true,
         source->is_moving || source->normals.is_animated ||
             source->uvs.is_animated},
        {CHANNEL_UV, source->uvs.param, source->uvs.is_animated},
        {CHANNEL_COLOR, source->colors.param, source->colors.is_animated},
        {CHANNEL_SECOND_UV, source->second_uvs.param,
         source->second_uvs.is_animated},
        {CHANNEL_VELOCITY, source->velocities.param,
         source->velocities.is_animated},
    };

    for (size_t i = 0; i < sizeof channels / sizeof channels[0]; i++) {
        uint8_t *mask =
            channels[i].is_animated ? &mesh->animated_mask : &mesh->static_mask;

        if (channels[i].is_present)
            *mask = (uint8_t)(*mask | CHANNEL_BIT(channels[i].channel));
    }
    if (source->second_uvs.param)
        mesh->second_uv_name = source->second_uvs.param->name;
}

static void set_materials(struct clip_mesh *mesh, const struct shape *shape,
                          struct arena *arena)
{
    mesh->material_count = shape->range_count;
    mesh->materials =
        ARENA_NEW(arena, struct clip_material, shape->range_count);
    for (uint32_t i = 0; i < shape->range_count; i++) {
        const struct material_range *range = &shape->ranges[i];
        struct clip_material *material = &mesh->materials[i];

        material->name = "";
        if (range->set != MATERIAL_NONE) {
            material->name = shape->sets[range->set].name;
            material->id = shape->sets[range->set].id;
        }
        material->first_index = 3 * range->first_triangle;
        material->index_count = 3 * range->triangle_count;
    }
}

/* Produce the channels that never change. */
static bool fill_static(struct clip *clip, uint32_t number)
{
    struct clip_state *state = clip->state;
    const struct shape *shape = state->import.shapes[number];
    struct clip_mesh *mesh = &clip->meshes[number];
    struct arena *arena = &state->arena;
    struct shape_frame values;
    struct arena scratch;
    bool is_good;

    arena_init(&scratch);
    is_good = shape_fill(shape, clip->frame_seconds[0], ~0u, &scratch, &values);
    for (int c = 0; is_good && c < CHANNEL_COUNT; c++)
        if (mesh->static_mask & CHANNEL_BIT(c))
            mesh->static_channel[c] =
                clip_pack_channel(clip, mesh, (enum channel)c, &values, arena,
                                  &mesh->static_error[c]);
    if (is_good && mesh->static_channel[CHANNEL_QTANGENT])
        clip_align_signs(mesh->static_channel[CHANNEL_QTANGENT], NULL,
                         shape->earlier_neighbour, mesh->vertex_count);
    arena_free(&scratch);
    return is_good;
}

static bool make_meshes(struct clip *clip, const struct mesh_scaling *scalings)
{
    struct clip_state *state = clip->state;
    struct arena *arena = &state->arena;

    clip->mesh_count = state->import.shape_count;
    clip->meshes = ARENA_NEW(arena, struct clip_mesh, clip->mesh_count);
    for (uint32_t i = 0; i < clip->mesh_count; i++) {
        const struct shape *shape = state->import.shapes[i];
        struct clip_mesh *mesh = &clip->meshes[i];

        mesh->path = shape->source.path;
        mesh->vertex_count = shape->vertex_count;
        mesh->index_count = 3 * shape->triangle_count;
        mesh->indices = shape->indices;
        mesh->reflection = shape->reflection;
        set_masks(mesh, &shape->source);
        set_materials(mesh, shape, arena);
        if (!clip_choose_ranges(clip, i, &scalings[i]) ||
            !clip_validate_normals(clip, i, &scalings[i]) ||
            !fill_static(clip, i))
            return false;
    }
    return true;
}

/* -- open -- */

/* CACHE_DURATION_US_MAX, less a margin for rounding. */
#define SPAN_SECONDS_MAX 1.15e12

static bool refuse_frames(const struct abc_archive *archive,
                          const struct timeline *timeline)
{
    uint32_t sample_count;
    const struct abc_property *busiest =
        timeline_busiest(timeline, &sample_count);

    return compile_refuse(
        archive, REFUSAL_TOO_LARGE,
        busiest ? abc_property_path(busiest, timeline->arena) : NULL,
        "%s%u frames, at most %u; it has %u samples, the most of "
        "all that moves",
        timeline->is_counted ? "" : "at least ", timeline->count,
        CACHE_FRAMES_MAX, sample_count);
}

static bool refuse_span(const struct abc_archive *archive,
                        const struct timeline *timeline, double span)
{
    bool is_finite = isfinite(span);
    char text[2][FORMAT_NUMBER_BYTES];
    char limit[48] = "";
    uint32_t sample;
    double time;
    const struct abc_property *farthest =
        timeline_farthest(timeline, &sample, &time);

    if (is_finite)
        snprintf(limit, sizeof limit, ", at most %g", SPAN_SECONDS_MAX);
    return compile_refuse(
        archive, is_finite ? REFUSAL_TOO_LARGE : REFUSAL_NOT_FINITE,
        farthest ? abc_property_path(farthest, timeline->arena) : NULL,
        "sample %u is at %s s; from the first frame to the last it "
        "is %s s%s",
        sample, format_number(time, text[0]), format_number(span, text[1]),
        limit);
}

static bool finish_timeline(const struct scene_import *import,
                            struct timeline *timeline)
{
    const struct abc_archive *archive = import->archive;
    double fallback = 0;
    double span;

    if (import->shape_count > 0) {
        const struct abc_property *first =
            import->shapes[0]->source.mesh.positions;

        fallback =
            abc_sample_time(&archive->samplings[first->time_sampling], 0);
    }
    if (!timeline_finish(timeline, fallback, CACHE_FRAMES_MAX))
        return refuse_frames(archive, timeline);
    span = timeline->times[timeline->count - 1] - timeline->times[0];
    /* The negation refuses NaN too. */
    if (!(span < SPAN_SECONDS_MAX))
        return refuse_span(archive, timeline, span);
    return true;
}

static void warn_merged(struct clip_state *state)
{
    const struct abc_property *property;
    uint32_t sample_count;
    uint32_t merged;
    uint32_t next = 0;

    while (timeline_next_merged(&state->timeline, &next, &property,
                                &sample_count, &merged))
        warnings_add(&state->warnings, WARNING_MERGED,
                     abc_property_path(property, &state->arena),
                     arena_format(&state->arena,
                                  "%u of %u have no frame of their own", merged,
                                  sample_count));
}

static bool find_times(struct clip *clip)
{
    struct clip_state *state = clip->state;

    timeline_begin(&state->timeline, &state->arena);
    if (!scene_import_times(&state->import, &state->timeline) ||
        !finish_timeline(&state->import, &state->timeline))
        return false;
    clip->frame_count = state->timeline.count;
    clip->frame_seconds = state->timeline.times;
    warn_merged(state);
    return true;
}

bool clip_times(const struct abc_archive *archive,
                const struct compile_options *options, struct arena *arena,
                const double **frame_seconds, uint32_t *frame_count)
{
    struct timeline timeline;
    struct scene_import import;

    timeline_begin(&timeline, arena);
    if (!scene_import_survey(&import, archive, options, &timeline, arena) ||
        !finish_timeline(&import, &timeline))
        return false;
    *frame_seconds = timeline.times;
    *frame_count = timeline.count;
    return true;
}

/* Validate all nodes, and fold again while errors of single precision can be
 * corrected. */
static bool correct_nodes(struct clip *clip, struct mesh_scaling *scalings)
{
    struct world_errors errors;

    for (uint32_t round = 0;; round++) {
        if (!clip_validate_nodes(clip, scalings, &errors))
            return false;
        if (!world_errors_correct(&errors, clip, round))
            break;
        if (!fold(clip))
            return false;
    }
    world_errors_warn(&errors, clip);
    return true;
}

static bool open_clip(struct clip *clip)
{
    struct clip_state *state = clip->state;
    struct mesh_scaling *scalings;

    phases_enter(PHASE_READ);
    if (!scene_import_open(&state->import, state->archive, &state->options,
                           &state->warnings, &state->arena))
        return false;
    clip->user_property_count = state->warnings.user_property_count;
    if (!requested_params_validate(&state->import, &state->options,
                                   &state->warnings, &state->arena))
        return false;
    phases_enter(PHASE_NODES);
    if (!find_times(clip) || !fold(clip))
        return false;
    phases_enter(PHASE_SPLIT);
    if (!build_shapes(clip))
        return false;
    phases_enter(PHASE_NODES);
    scalings = ARENA_NEW(&state->arena, struct mesh_scaling,
                         state->import.shape_count);
    if (!correct_nodes(clip, scalings))
        return false;
    phases_enter(PHASE_OTHER);
    return make_meshes(clip, scalings) &&
           warnings_flush(&state->warnings, state->archive, &state->options);
}

struct clip *clip_open(struct abc_archive *archive,
                       const struct compile_options *options)
{
    enum phase before = phases_enter(PHASE_OTHER);
    struct arena arena;
    struct clip *clip;
    bool is_open;

    arena_init(&arena);
    clip = ARENA_NEW(&arena, struct clip, 1);
    clip->state = ARENA_NEW(&arena, struct clip_state, 1);
    clip->state->arena = arena;
    clip->state->archive = archive;
    clip->state->options = *options;
    clip->file_name = archive->file_name;
    clip->up_axis = options->up;
    set_root(clip->state);
    is_open = open_clip(clip);
    phases_enter(before);
    if (is_open)
        return clip;
    clip_close(clip);
    return NULL;
}

void clip_close(struct clip *clip)
{
    struct arena arena;

    if (!clip)
        return;
    arena = clip->state->arena;
    arena_free(&arena);
}
