/* clip_validate.c - compare frames with samples, corner by corner. */
/* SPDX-License-Identifier: MIT */
#include "support/clip_validate.h"

#include "compile/math/tns.h"
#include "harness.h"
#include "support/abc_world.h"
#include "support/clip_corners.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define NONE CLIP_CORNER_UNSURE

struct comparison {
    struct clip *clip;
    const struct abc_archive *archive;
    const struct compile_options *options;
    struct clip_validated *result;
    struct expect *expects;            /* for each mesh */
    struct clip_corners *meshes;       /* for each mesh */
    const struct abc_object **objects; /* for each node */
    double (*worlds)[16];              /* for each node, in this frame */
    double size;                       /* largest coordinate; scales
                                        * tolerances */
};

/* -- vertices -- */

static const void *channel(const struct clip_mesh *mesh,
                           const struct clip_mesh_frame *frame, int number)
{
    if (mesh->static_mask & CHANNEL_BIT(number))
        return mesh->static_channel[number];
    if (mesh->animated_mask & CHANNEL_BIT(number))
        return frame->channel[number];
    return NULL;
}

/* Dequantize as the runtime does, in single precision. */
static float value_back(uint16_t q, float min, float size, uint32_t bits)
{
    float step = size / (float)((1u << bits) - 1);

    return min + (float)q * step;
}

/* The largest factor by which each axis of a mesh is scaled in the world. */
static void mesh_scales(const struct comparison *comparison, uint32_t m,
                        double scale[3])
{
    for (int i = 0; i < 3; i++)
        scale[i] = 0;
    for (uint32_t n = 0; n < comparison->clip->node_count; n++) {
        const double *world = comparison->worlds[n];

        for (int i = 0; comparison->clip->nodes[n].mesh == (int32_t)m && i < 3;
             i++)
            scale[i] =
                fmax(scale[i], sqrt(world[4 * i] * world[4 * i] +
                                    world[4 * i + 1] * world[4 * i + 1] +
                                    world[4 * i + 2] * world[4 * i + 2]));
    }
}

static void validate_positions(struct comparison *comparison, uint32_t m,
                               const uint16_t *stored, const float *positions)
{
    const struct clip_mesh *mesh = &comparison->clip->meshes[m];
    const uint32_t *points = comparison->meshes[m].points;
    double allowed = comparison->options->precision_mm / 2;
    double scale[3];

    mesh_scales(comparison, m, scale);
    for (int k = 0; k < 3; k++) {
        uint32_t bits = mesh->range[CHANNEL_POSITION].bits[k];
        double within = allowed;

        CHECK(bits >= 1 && bits <= 16);
        CHECK(isfinite(mesh->range[CHANNEL_POSITION].min[k]) &&
              isfinite(mesh->range[CHANNEL_POSITION].size[k]));
        if (mesh->precision_reached_mm[k] > allowed) {
            CHECK_EQ(bits, 16);
            within = mesh->precision_reached_mm[k];
        }
        for (uint32_t i = 0; i < mesh->index_count; i++) {
            uint16_t q = stored[3 * mesh->indices[i] + (uint32_t)k];
            double error =
                value_back(q, mesh->range[CHANNEL_POSITION].min[k],
                           mesh->range[CHANNEL_POSITION].size[k], bits) -
                (double)positions[3 * points[i] + (uint32_t)k];
            double mm = fabs(error) * scale[k] * 1000 *
                        comparison->options->unit_metres;

            CHECK_EQ(q >> bits, 0);
            if (!(mm <= within * 1.000001))
                test_fail(__FILE__, __LINE__,
                          "%s: index %u axis %d is %g mm off, allowed %g",
                          mesh->path, i, k, mm, within);
            if (within > 0)
                comparison->result->position_worst =
                    fmax(comparison->result->position_worst, mm / within);
        }
    }
}

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double degrees_between(const double a[3], const double b[3])
{
    double cross[3];
    double dot = 0;

    for (int i = 0; i < 3; i++) {
        cross[i] =
            a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
        dot += a[i] * b[i];
    }
    return atan2(length_of(cross), dot) * 180 / 3.14159265358979323846;
}

static void validate_normals(struct comparison *comparison, uint32_t m,
                             const int16_t *stored, const float *positions,
                             double time, struct arena *arena)
{
    const struct clip_mesh *mesh = &comparison->clip->meshes[m];
    const struct expect *expect = &comparison->expects[m];
    const double *smooth = expect_smooth_normals(
        comparison->meshes[m].points, mesh->index_count / 3, positions,
        expect->point_count, arena);
    uint32_t extent = 3;
    const float *given =
        expect_values(expect, &expect->mesh.normals, time, arena, &extent);

    CHECK_EQ_U(extent, 3);
    for (uint32_t i = 0; i < mesh->index_count; i++) {
        const int16_t *q = stored + 4 * (size_t)mesh->indices[i];
        const double *wanted =
            smooth + 3 * (size_t)comparison->meshes[m].points[i];
        uint32_t corner = comparison->meshes[m].corners[i];
        double x = q[0], y = q[1], z = q[2], w = q[3];
        double normal[3] = {2 * (x * z + w * y), 2 * (y * z - w * x),
                            w * w - x * x - y * y + z * z};
        double stated[3];
        double degrees;

        CHECK_NEAR(sqrt(x * x + y * y + z * z + w * w), QTANGENT_ONE, 1.001);
        if (given && corner == NONE)
            continue;
        for (size_t k = 0; given && k < 3; k++)
            stated[k] = given[3 * (size_t)corner + k];
        if (given && length_of(stated) > 0)
            wanted = stated;
        /* Where triangles cancel each other, any normal is right. */
        if (!(length_of(wanted) > 1e-9) && wanted != stated)
            continue;
        degrees = degrees_between(normal, wanted);
        if (!(degrees <= 0.5))
            test_fail(__FILE__, __LINE__, "%s: normal of index %u is %g off",
                      mesh->path, i, degrees);
        comparison->result->normal_worst =
            fmax(comparison->result->normal_worst, degrees);
        comparison->result->normal_sum += degrees;
        comparison->result->normals++;
    }
}

/* Compare a channel with a range: texture coordinates or velocities. `param`
 * NULL: no such parameter. */
static void validate_values(struct comparison *comparison, uint32_t m,
                            enum channel channel, const struct abc_param *param,
                            const uint16_t *stored, double time,
                            struct arena *arena)
{
    const struct clip_mesh *mesh = &comparison->clip->meshes[m];
    const struct channel_range *range = &mesh->range[channel];
    const uint32_t components = channel_components(channel);
    const bool is_flipped =
        comparison->options->flip_v && channel != CHANNEL_VELOCITY;
    uint32_t extent = components;
    const float *given = param == NULL
                             ? NULL
                             : expect_values(&comparison->expects[m], param,
                                             time, arena, &extent);

    CHECK_EQ(given != NULL, stored != NULL);
    CHECK_EQ_U(extent, components);
    for (uint32_t i = 0; given && i < mesh->index_count; i++)
        for (uint32_t k = 0;
             k < components && comparison->meshes[m].corners[i] != NONE; k++) {
            double wanted =
                given[extent * comparison->meshes[m].corners[i] + k];
            double size = range->size[k];
            double at =
                value_back(stored[components * mesh->indices[i] + k],
                           range->min[k], range->size[k], range->bits[k]);

            if (is_flipped && k == 1)
                wanted = 1 - wanted;
            CHECK_NEAR(at, wanted,
                       size / ((1u << range->bits[k]) - 1) / 2 +
                           3e-7 * (fabs(wanted) + size));
        }
}

/* With a requested step, no step of velocities is larger at the mesh's
 * scale. */
static void validate_velocity_steps(const struct comparison *comparison,
                                    uint32_t m)
{
    const struct clip_mesh *mesh = &comparison->clip->meshes[m];
    const struct channel_range *range = &mesh->range[CHANNEL_VELOCITY];
    const double asked = comparison->options->velocity_precision_mm;
    const double precision =
        asked < 0 ? 24 * comparison->options->precision_mm : asked;

    for (int k = 0; k < 3; k++) {
        CHECK(range->bits[k] >= 1 && range->bits[k] <= 16);
        if (precision > 0 && range->bits[k] < 16)
            CHECK((double)range->size[k] / ((1u << range->bits[k]) - 1) *
                      mesh->mm_per_unit[k] <=
                  precision);
    }
}

/* Velocities whose number does not match the points are ignored. */
static bool are_of_points(const struct expect *expect, struct arena *arena)
{
    const struct abc_param *param = &expect->mesh.velocities;
    struct abc_param_sample first;

    if (!param->values || param->sample_count == 0)
        return false;
    CHECK(abc_param_read(expect->archive, expect->mesh.object, param, 0, arena,
                         &first));
    return first.count == expect->point_count;
}

static void validate_attributes(struct comparison *comparison, uint32_t m,
                                const struct clip_mesh_frame *frame,
                                double time, struct arena *arena)
{
    const struct clip_mesh *mesh = &comparison->clip->meshes[m];
    const struct abc_mesh *source = &comparison->expects[m].mesh;
    const char *set = comparison->options->second_uv_set;
    const struct abc_param *second =
        set ? abc_param_named(source->uv_sets, source->uv_set_count,
                              set[0] ? set : NULL)
            : NULL;
    const bool has_velocities = comparison->options->keeps_velocities &&
                                are_of_points(&comparison->expects[m], arena);

    validate_values(comparison, m, CHANNEL_UV, &source->uvs,
                    channel(mesh, frame, CHANNEL_UV), time, arena);
    validate_values(comparison, m, CHANNEL_SECOND_UV, second,
                    channel(mesh, frame, CHANNEL_SECOND_UV), time, arena);
    validate_values(comparison, m, CHANNEL_VELOCITY,
                    has_velocities ? &source->velocities : NULL,
                    channel(mesh, frame, CHANNEL_VELOCITY), time, arena);
    if (channel(mesh, frame, CHANNEL_VELOCITY))
        validate_velocity_steps(comparison, m);
    if (channel(mesh, frame, CHANNEL_SECOND_UV))
        CHECK_STR(mesh->second_uv_name, second->name);
}

static void validate_colors(struct comparison *comparison, uint32_t m,
                            const uint8_t *stored, double time,
                            struct arena *arena)
{
    const struct clip_mesh *mesh = &comparison->clip->meshes[m];
    const struct abc_mesh *source = &comparison->expects[m].mesh;
    const struct abc_param *param = abc_param_named(
        source->colors, source->color_count, comparison->options->color_set);
    uint32_t extent = 4;
    const float *given = param == NULL
                             ? NULL
                             : expect_values(&comparison->expects[m], param,
                                             time, arena, &extent);

    CHECK_EQ(given != NULL, stored != NULL);
    CHECK(extent == 3 || extent == 4);
    for (uint32_t i = 0; given && i < mesh->index_count; i++)
        for (uint32_t k = 0; k < 4 && comparison->meshes[m].corners[i] != NONE;
             k++) {
            double wanted =
                k < extent
                    ? given[extent * comparison->meshes[m].corners[i] + k]
                    : 1;

            wanted = 255 * fmax(0, fmin(1, wanted));
            CHECK_NEAR(stored[4 * mesh->indices[i] + k], wanted, 0.5001);
        }
}

static void validate_mesh(struct comparison *comparison, uint32_t m,
                          const struct clip_mesh_frame *frame, double time)
{
    const struct clip_mesh *mesh = &comparison->clip->meshes[m];
    struct arena arena;
    const float *positions;

    arena_init(&arena);
    CHECK_EQ(mesh->static_mask & mesh->animated_mask, 0);
    positions = expect_positions(&comparison->expects[m], time, &arena);
    validate_positions(comparison, m, channel(mesh, frame, CHANNEL_POSITION),
                       positions);
    validate_normals(comparison, m, channel(mesh, frame, CHANNEL_QTANGENT),
                     positions, time, &arena);
    validate_attributes(comparison, m, frame, time, &arena);
    validate_colors(comparison, m, channel(mesh, frame, CHANNEL_COLOR), time,
                    &arena);
    comparison->result->corners += mesh->index_count;
    arena_free(&arena);
}

/* -- nodes -- */

/* The archive's up axis is y; rotate it to z. */
static void turn_up(double world[16])
{
    for (int i = 0; i < 4; i++) {
        double y = world[4 * i + 1];

        world[4 * i + 1] = -world[4 * i + 2];
        world[4 * i + 2] = y;
    }
}

static void node_world(const struct comparison *comparison,
                       const struct clip_frame *frame, uint32_t node)
{
    double *out = comparison->worlds[node];
    int32_t parent = comparison->clip->nodes[node].parent;
    float matrix[12];

    /* The runtime's own function. */
    spn__transform_resolve(&frame->nodes[node].transform, matrix);
    matrix_identity(out);
    for (int i = 0; i < 12; i++) {
        CHECK(isfinite(matrix[i]));
        out[i % 4 * 4 + i / 4] = matrix[i];
    }
    CHECK(parent < (int32_t)node);
    if (parent >= 0)
        matrix_multiply(out, comparison->worlds[parent], out);
}

static void validate_nodes(struct comparison *comparison,
                           const struct clip_frame *frame, double time)
{
    const struct clip *clip = comparison->clip;

    for (uint32_t n = 0; n < clip->node_count; n++) {
        const struct abc_object *object = comparison->objects[n];
        bool is_visible;
        double wanted[16];

        node_world(comparison, frame, n);
        CHECK(world_is_visible(comparison->archive, object, time, &is_visible));
        CHECK_EQ(frame->nodes[n].is_visible, is_visible);
        if (clip->nodes[n].mesh < 0 ||
            !expect_is_sampled(comparison->archive, object, time))
            continue;
        CHECK(world_matrix(comparison->archive, object, time, wanted));
        if (comparison->options->up == 'Z')
            turn_up(wanted);
        for (int i = 0; i < 16; i++) {
            const struct clip_mesh *mesh = &clip->meshes[clip->nodes[n].mesh];
            double reach = 1;

            if (i < 12)
                reach =
                    fmax(fabs(mesh->range[CHANNEL_POSITION].min[i / 4]),
                         fabs((double)mesh->range[CHANNEL_POSITION].min[i / 4] +
                              mesh->range[CHANNEL_POSITION].size[i / 4]));
            if (!(fabs(comparison->worlds[n][i] - wanted[i]) * reach <=
                  1e-5 * comparison->size))
                test_fail(__FILE__, __LINE__,
                          "%s: world[%d] is %.9g, not %.9g at %.6f",
                          object->path, i, comparison->worlds[n][i], wanted[i],
                          time);
        }
        comparison->result->worlds++;
    }
}

/* A vertex in world space, from dequantized values and matrices. */
static void place_vertex(const struct comparison *comparison, uint32_t node,
                         const uint16_t *stored, double at[3])
{
    const struct clip_mesh *mesh =
        &comparison->clip->meshes[comparison->clip->nodes[node].mesh];
    const double *world = comparison->worlds[node];

    for (int k = 0; k < 3; k++)
        at[k] = world[12 + k];
    for (int i = 0; i < 3; i++) {
        /* -fanalyzer: what is seen has positions. */
        double p = value_back(stored[i], mesh->range[CHANNEL_POSITION].min[i],
                              mesh->range[CHANNEL_POSITION].size[i],
                              mesh->range[CHANNEL_POSITION].bits[i]);

        for (int k = 0; k < 3; k++)
            at[k] += p * world[4 * i + k];
    }
}

/* Whether a visible node vanishes after this frame. The clip loops. */
static bool has_vanishing(const struct comparison *comparison,
                          const struct clip_frame *frame)
{
    const struct clip *clip = comparison->clip;
    uint32_t before = (frame->number > 0 ? frame->number : clip->frame_count);

    for (uint32_t n = 0; n < clip->node_count; n++) {
        bool was_visible;

        if (clip->nodes[n].mesh < 0 || frame->nodes[n].is_visible)
            continue;
        CHECK(world_is_visible(comparison->archive, comparison->objects[n],
                               clip->frame_seconds[before - 1], &was_visible));
        if (was_visible)
            return true;
    }
    return false;
}

/* The box of a frame contains its visible vertices. It is tight unless a node
 * vanishes. */
static void validate_box(struct comparison *comparison,
                         const struct clip_frame *frame)
{
    const struct clip *clip = comparison->clip;
    double min[3] = {DBL_MAX, DBL_MAX, DBL_MAX};
    double max[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};

    for (uint32_t n = 0; n < clip->node_count; n++) {
        int32_t m = clip->nodes[n].mesh;
        const uint16_t *stored;

        if (m < 0 || !frame->nodes[n].is_visible)
            continue;
        stored = channel(&clip->meshes[m], &frame->meshes[m], CHANNEL_POSITION);
        for (uint32_t v = 0; v < clip->meshes[m].vertex_count; v++) {
            double at[3];

            place_vertex(comparison, n, stored + 3 * (size_t)v, at);
            for (int k = 0; k < 3; k++) {
                min[k] = fmin(min[k], at[k]);
                max[k] = fmax(max[k], at[k]);
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        CHECK(isfinite(frame->box_min[k]) && isfinite(frame->box_max[k]));
        if (min[k] <= max[k]) {
            CHECK(frame->box_min[k] <= min[k] && frame->box_max[k] >= max[k]);
        }
        if (has_vanishing(comparison, frame))
            continue;
        if (min[k] > max[k]) {
            CHECK(frame->box_min[k] > frame->box_max[k]);
            continue;
        }
        CHECK_NEAR(frame->box_min[k], min[k], 1e-5 * comparison->size);
        CHECK_NEAR(frame->box_max[k], max[k], 1e-5 * comparison->size);
    }
}

/* -- a clip -- */

static void open_comparison(struct comparison *comparison, struct arena *arena)
{
    struct clip *clip = comparison->clip;
    uint32_t merged = 0;

    comparison->expects = ARENA_NEW(arena, struct expect, clip->mesh_count);
    comparison->meshes =
        ARENA_NEW(arena, struct clip_corners, clip->mesh_count);
    comparison->objects =
        ARENA_NEW(arena, const struct abc_object *, clip->node_count);
    comparison->worlds =
        arena_alloc(arena, clip->node_count, sizeof *comparison->worlds);
    for (uint32_t m = 0; m < clip->mesh_count; m++) {
        const struct abc_object *object =
            expect_find(comparison->archive, clip->meshes[m].path);

        CHECK(object != NULL);
        CHECK(object->source == object);
        expect_open(&comparison->expects[m], comparison->archive, object,
                    arena);
        clip_corners_find(&comparison->meshes[m], clip, m,
                          &comparison->expects[m], arena);
        comparison->result->unsure_corners +=
            comparison->meshes[m].unsure_count;
    }
    for (uint32_t n = 0; n < clip->node_count; n++) {
        const struct abc_object *object =
            expect_find(comparison->archive, clip->nodes[n].path);

        comparison->objects[n] = object;
        CHECK(object != NULL);
        if (clip->nodes[n].mesh >= 0 && object->source == object)
            merged += strcmp(object->path,
                             clip->meshes[clip->nodes[n].mesh].path) != 0;
    }
    /* verify compares their values. */
    CHECK(merged <= clip->merged_mesh_count);
}

static void grow_size(struct comparison *comparison,
                      const struct clip_frame *frame)
{
    for (int k = 0; k < 3 && frame->box_min[0] <= frame->box_max[0]; k++) {
        comparison->size = fmax(comparison->size, fabs(frame->box_min[k]));
        comparison->size = fmax(comparison->size, fabs(frame->box_max[k]));
    }
}

void validate_clip(struct clip *clip, const struct abc_archive *archive,
                   const struct compile_options *options,
                   struct clip_validated *result)
{
    struct comparison comparison = {
        .clip = clip, .archive = archive, .options = options, .result = result};
    struct arena arena;
    struct arena frame_arena;

    arena_init(&arena);
    arena_init(&frame_arena);
    open_comparison(&comparison, &arena);
    for (uint32_t f = 0; f < clip->frame_count; f++) {
        double time = clip->frame_seconds[f];
        struct clip_frame frame;

        arena_reset(&frame_arena);
        CHECK(clip_frame_produce(clip, f, &frame_arena, &frame));
        CHECK_EQ_U(frame.number, f);
        grow_size(&comparison, &frame);
        validate_nodes(&comparison, &frame, time);
        validate_box(&comparison, &frame);
        for (uint32_t m = 0; m < clip->mesh_count; m++)
            validate_mesh(&comparison, m, &frame.meshes[m], time);
        result->frames++;
    }
    arena_free(&frame_arena);
    arena_free(&arena);
}
