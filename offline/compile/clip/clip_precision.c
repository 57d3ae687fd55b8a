/* clip_precision.c - ranges and bits of each channel, and warnings where they
 * are too coarse. */
/* SPDX-License-Identifier: MIT */
#include "compile/clip/clip_precision.h"

#include "cache/cache_box.h"
#include "compile/math/quantize.h"
#include "compile/mesh/source_refuse.h"
#include "compile/report/format_value.h"

#include <float.h>
#include <math.h>

#define TEXTURE_TEXELS 2048.0
#define TEXELS_MAX 0.5

/* Warn of components of texture coordinates whose error may exceed half a texel
 * of a texture of 2048 x 2048 texels. They always have 16 bits: enough for a
 * range of 31 such textures side by side. */
static void warn_of_uvs(struct clip_state *state, const struct clip_mesh *mesh,
                        enum channel channel)
{
    char number[2][FORMAT_NUMBER_BYTES];

    for (int i = 0; i < 2; i++) {
        float min = mesh->range[channel].min[i];
        float size = mesh->range[channel].size[i];
        double texels = TEXTURE_TEXELS *
                        quantize_error(min, size, mesh->range[channel].bits[i]);

        if (texels <= TEXELS_MAX)
            continue;
        warnings_add(&state->warnings, WARNING_PRECISION, mesh->path,
                     arena_format(&state->arena,
                                  "%c goes from %s to %s: off by %.3g texels "
                                  "of a texture of %g, not by %g",
                                  "uv"[i], format_number(min, number[0]),
                                  format_number((double)min + size, number[1]),
                                  texels, TEXTURE_TEXELS, TEXELS_MAX));
    }
}

static bool measure_positions(struct clip *clip, uint32_t number,
                              const struct mesh_scaling *world)
{
    struct clip_state *state = clip->state;
    const struct source *source = &state->import.shapes[number]->source;
    struct clip_mesh *mesh = &clip->meshes[number];
    double precision = state->options.precision_mm;
    double worst = 0;
    bool is_reached = true;

    for (int i = 0; i < 3; i++) {
        double mm_per_unit =
            world->scale[i] * state->options.unit_metres * 1000;
        bool is_axis_reached;

        mesh->mm_per_unit[i] = mm_per_unit;
        mesh->range[CHANNEL_POSITION].min[i] = source->box[i].min;
        if (!quantize_size(&source->box[i],
                           &mesh->range[CHANNEL_POSITION].size[i]))
            return source_refuse_box(source, i);
        mesh->range[CHANNEL_POSITION].bits[i] = (uint8_t)quantize_bits(
            mesh->range[CHANNEL_POSITION].min[i],
            mesh->range[CHANNEL_POSITION].size[i],
            mm_per_unit > 0 ? precision / 2 / mm_per_unit : DBL_MAX,
            &is_axis_reached);
        if (!(precision > 0)) {
            is_axis_reached = true;
            mesh->range[CHANNEL_POSITION].bits[i] =
                mesh->range[CHANNEL_POSITION].size[i] > 0 ? 16 : 1;
        }
        mesh->precision_reached_mm[i] =
            mm_per_unit * quantize_error(mesh->range[CHANNEL_POSITION].min[i],
                                         mesh->range[CHANNEL_POSITION].size[i],
                                         mesh->range[CHANNEL_POSITION].bits[i]);
        is_reached = is_reached && is_axis_reached;
        if (mesh->precision_reached_mm[i] > worst)
            worst = mesh->precision_reached_mm[i];
    }
    if (!is_reached)
        warnings_add(&state->warnings, WARNING_PRECISION, mesh->path,
                     arena_format(&state->arena, "%.3g mm instead of %.3g",
                                  2 * worst, precision));
    return true;
}

/* A box may be larger than its mesh by this part of the mesh's extent, at each
 * of its sides. */
#define BOX_SLACK (1.0 / 64)

/* Choose how many low bits the boxes of the mesh leave out. The ranges of the
 * positions must be set. */
static void choose_box_shift(struct clip_mesh *mesh,
                             const struct source *source)
{
    const struct channel_range *range = &mesh->range[CHANNEL_POSITION];
    double step = 0;

    for (int i = 0; i < 3; i++)
        step =
            fmax(step, (double)range->size[i] / ((1u << range->bits[i]) - 1));
    if (!source->is_moving || !(step > 0))
        return;
    while (mesh->box_shift < CACHE_BOX_SHIFT_MAX &&
           ldexp(step, mesh->box_shift + 1) <= source->extent_min * BOX_SLACK)
        mesh->box_shift++;
}

static bool measure_uvs(struct clip *clip, uint32_t number,
                        enum channel channel, const struct source_param *param)
{
    struct clip_state *state = clip->state;
    const struct source *source = &state->import.shapes[number]->source;
    struct clip_mesh *mesh = &clip->meshes[number];
    struct channel_range *range = &mesh->range[channel];

    if (!param->param)
        return true;
    for (int i = 0; i < 2; i++) {
        range->min[i] = param->range[i].min;
        range->bits[i] = 16;
        if (!quantize_size(&param->range[i], &range->size[i]))
            return source_refuse_value_range(source, param, i);
    }
    warn_of_uvs(state, mesh, channel);
    return true;
}

/* The largest quantization step of velocities, in millimetres per second in the
 * world. */
static double velocity_precision(const struct compile_options *options)
{
    return options->velocity_precision_mm < 0 ? options->precision_mm * 24
                                              : options->velocity_precision_mm;
}

/* Choose range and bits of the velocities. `mm_per_unit` of the mesh must be
 * set. */
static bool measure_velocities(struct clip *clip, uint32_t number)
{
    struct clip_state *state = clip->state;
    const struct source *source = &state->import.shapes[number]->source;
    const struct source_param *param = &source->velocities;
    struct clip_mesh *mesh = &clip->meshes[number];
    struct channel_range *range = &mesh->range[CHANNEL_VELOCITY];
    double precision = velocity_precision(&state->options);
    double worst = 0;

    for (int i = 0; param->param && i < 3; i++) {
        double mm_per_unit = mesh->mm_per_unit[i];
        bool is_reached = true;

        range->min[i] = param->range[i].min;
        if (!quantize_size(&param->range[i], &range->size[i]))
            return source_refuse_value_range(source, param, i);
        range->bits[i] = range->size[i] > 0 ? 16 : 1;
        if (precision > 0)
            range->bits[i] = (uint8_t)quantize_bits(
                range->min[i], range->size[i],
                mm_per_unit > 0 ? precision / 2 / mm_per_unit : DBL_MAX,
                &is_reached);
        if (!is_reached)
            worst =
                fmax(worst, mm_per_unit * quantize_error(range->min[i],
                                                         range->size[i], 16));
    }
    if (worst > 0)
        warnings_add(&state->warnings, WARNING_PRECISION, mesh->path,
                     arena_format(&state->arena,
                                  "velocities: %.3g mm/s instead of %.3g",
                                  2 * worst, precision));
    return true;
}

bool clip_choose_ranges(struct clip *clip, uint32_t number,
                        const struct mesh_scaling *world)
{
    const struct source *source = &clip->state->import.shapes[number]->source;

    if (!measure_positions(clip, number, world))
        return false;
    choose_box_shift(&clip->meshes[number], source);
    return measure_uvs(clip, number, CHANNEL_UV, &source->uvs) &&
           measure_uvs(clip, number, CHANNEL_SECOND_UV, &source->second_uvs) &&
           measure_velocities(clip, number);
}

/* -- normals -- */

/* Compute the world matrix of a node, without the rotation of --up, which does
 * not change the stretch. */
static bool world_of(const struct clip *clip, uint32_t node, double time,
                     double world[16])
{
    const struct clip_state *state = clip->state;
    int32_t at = (int32_t)node;

    matrix_identity(world);
    for (; at >= 0; at = state->scene.nodes[at].parent) {
        double local[16];

        if (!scene_node_matrix(&state->scene.nodes[at], &state->source, time,
                               local))
            return false;
        matrix_multiply(world, local, world);
    }
    return true;
}

/* Find the largest error of a normal in the world, in degrees. */
static bool worst_normal(const struct shape *shape, const double cofactors[9],
                         double time, double *worst)
{
    struct shape_frame fill;
    struct arena arena;
    bool is_good;

    *worst = 0;
    arena_init(&arena);
    is_good =
        shape_fill(shape, time, CHANNEL_BIT(CHANNEL_QTANGENT), &arena, &fill);
    for (uint32_t v = 0; is_good && v < shape->vertex_count; v++) {
        int16_t packed[4];
        double angle;

        tangents_pack_stretched(fill.normals[v], fill.tangents[v], cofactors,
                                packed);
        angle = tangents_world_angle(cofactors, fill.normals[v],
                                     tangents_normal(packed));
        *worst = angle > *worst ? angle : *worst;
    }
    arena_free(&arena);
    return is_good;
}

bool clip_validate_normals(struct clip *clip, uint32_t number,
                           const struct mesh_scaling *world)
{
    struct clip_state *state = clip->state;
    struct clip_mesh *mesh = &clip->meshes[number];
    char seconds[FORMAT_NUMBER_BYTES];
    char name[FORMAT_NAME_BYTES];
    double matrix[16];
    double worst;
    double time;

    mesh->is_stretched = world->stretch > 0;
    if (!mesh->is_stretched)
        return true;
    time = clip->frame_seconds[world->frame];
    if (!world_of(clip, world->node, time, matrix))
        return false;
    matrix_stretch(matrix, mesh->cofactors);
    if (!worst_normal(state->import.shapes[number], mesh->cofactors, time,
                      &worst))
        return false;
    if (worst <= TANGENTS_WORLD_DEGREES)
        return true;
    diag_name(clip->nodes[world->node].path, name, sizeof name);
    warnings_add(&state->warnings, WARNING_STRETCHED_NORMALS, mesh->path,
                 arena_format(&state->arena,
                              "by %.3g degrees instead of %.3g, stretched by "
                              "%s at %s s",
                              worst, TANGENTS_WORLD_DEGREES, name,
                              format_number(time, seconds)));
    return true;
}
