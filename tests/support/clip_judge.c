/* clip_judge.c - frames against samples, corner by corner. */
/* SPDX-License-Identifier: MIT */
#include "support/clip_judge.h"

#include "compile/math/tns.h"
#include "harness.h"
#include "support/abc_world.h"
#include "support/clip_corners.h"

#include <float.h>
#include <math.h>

#define NONE CLIP_CORNER_UNSURE

struct judge {
    struct clip *clip;
    const struct abc_archive *archive;
    const struct compile_options *options;
    struct clip_judged *judged;
    struct expect *expects;            /* of each mesh */
    struct clip_corners *meshes;       /* of each mesh */
    const struct abc_object **objects; /* of each node */
    double (*worlds)[16];              /* of each node, in this frame */
    double size;                       /* largest coordinate, for tolerances */
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

/* As the runtime does it, in single precision. */
static float value_back(uint16_t q, float min, float size, uint32_t bits)
{
    float step = size / (float)((1u << bits) - 1);

    return min + (float)q * step;
}

/* How much an error along each axis of a mesh shows in the world, at most. */
static void mesh_scales(const struct judge *judge, uint32_t m, double scale[3])
{
    for (int i = 0; i < 3; i++)
        scale[i] = 0;
    for (uint32_t n = 0; n < judge->clip->node_count; n++) {
        const double *world = judge->worlds[n];

        for (int i = 0; judge->clip->nodes[n].mesh == (int32_t)m && i < 3; i++)
            scale[i] =
                fmax(scale[i], sqrt(world[4 * i] * world[4 * i] +
                                    world[4 * i + 1] * world[4 * i + 1] +
                                    world[4 * i + 2] * world[4 * i + 2]));
    }
}

static void judge_positions(struct judge *judge, uint32_t m,
                            const uint16_t *stored, const float *positions)
{
    const struct clip_mesh *mesh = &judge->clip->meshes[m];
    const uint32_t *points = judge->meshes[m].points;
    double allowed = judge->options->precision_mm / 2;
    double scale[3];

    mesh_scales(judge, m, scale);
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
            double mm =
                fabs(error) * scale[k] * 1000 * judge->options->unit_metres;

            CHECK_EQ(q >> bits, 0);
            if (!(mm <= within * 1.000001))
                test_fail(__FILE__, __LINE__,
                          "%s: index %u axis %d is %g mm off, allowed %g",
                          mesh->path, i, k, mm, within);
            if (within > 0)
                judge->judged->position_worst =
                    fmax(judge->judged->position_worst, mm / within);
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

static void judge_normals(struct judge *judge, uint32_t m,
                          const int16_t *stored, const float *positions,
                          double time, struct arena *arena)
{
    const struct clip_mesh *mesh = &judge->clip->meshes[m];
    const struct expect *expect = &judge->expects[m];
    const double *smooth =
        expect_smooth_normals(judge->meshes[m].points, mesh->index_count / 3,
                              positions, expect->point_count, arena);
    uint32_t extent = 3;
    const float *given =
        expect_values(expect, &expect->mesh.normals, time, arena, &extent);

    CHECK_EQ_U(extent, 3);
    for (uint32_t i = 0; i < mesh->index_count; i++) {
        const int16_t *q = stored + 4 * (size_t)mesh->indices[i];
        const double *wanted = smooth + 3 * (size_t)judge->meshes[m].points[i];
        uint32_t corner = judge->meshes[m].corners[i];
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
        /* Where triangles cancel, any normal will do. */
        if (!(length_of(wanted) > 1e-9) && wanted != stated)
            continue;
        degrees = degrees_between(normal, wanted);
        if (!(degrees <= 0.5))
            test_fail(__FILE__, __LINE__, "%s: normal of index %u is %g off",
                      mesh->path, i, degrees);
        judge->judged->normal_worst =
            fmax(judge->judged->normal_worst, degrees);
        judge->judged->normal_sum += degrees;
        judge->judged->normals++;
    }
}

/* Texture coordinates, or velocities: a channel that has a range. `param` NULL:
 * none. */
static void judge_values(struct judge *judge, uint32_t m, enum channel channel,
                         const struct abc_param *param, const uint16_t *stored,
                         double time, struct arena *arena)
{
    const struct clip_mesh *mesh = &judge->clip->meshes[m];
    const struct channel_range *range = &mesh->range[channel];
    const uint32_t components = channel_components(channel);
    const bool is_flipped =
        judge->options->flip_v && channel != CHANNEL_VELOCITY;
    uint32_t extent = components;
    const float *given =
        param == NULL
            ? NULL
            : expect_values(&judge->expects[m], param, time, arena, &extent);

    CHECK_EQ(given != NULL, stored != NULL);
    CHECK_EQ_U(extent, components);
    for (uint32_t i = 0; given && i < mesh->index_count; i++)
        for (uint32_t k = 0;
             k < components && judge->meshes[m].corners[i] != NONE; k++) {
            double wanted = given[extent * judge->meshes[m].corners[i] + k];
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

/* Where a step was asked for, no step is wider than it at the mesh's scale. */
static void judge_velocity_steps(const struct judge *judge, uint32_t m)
{
    const struct clip_mesh *mesh = &judge->clip->meshes[m];
    const struct channel_range *range = &mesh->range[CHANNEL_VELOCITY];
    const double asked = judge->options->velocity_precision_mm;
    const double precision =
        asked < 0 ? 24 * judge->options->precision_mm : asked;

    for (int k = 0; k < 3; k++) {
        CHECK(range->bits[k] >= 1 && range->bits[k] <= 16);
        if (precision > 0 && range->bits[k] < 16)
            CHECK((double)range->size[k] / ((1u << range->bits[k]) - 1) *
                      mesh->millimetres[k] <=
                  precision);
    }
}

/* Velocities whose number fits anything else are none. */
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

static void judge_attributes(struct judge *judge, uint32_t m,
                             const struct clip_mesh_frame *frame, double time,
                             struct arena *arena)
{
    const struct clip_mesh *mesh = &judge->clip->meshes[m];
    const struct abc_mesh *source = &judge->expects[m].mesh;
    const char *set = judge->options->second_uv_set;
    const struct abc_param *second =
        set ? abc_param_named(source->uv_sets, source->uv_set_count,
                              set[0] ? set : NULL)
            : NULL;
    const bool has_velocities = judge->options->keeps_velocities &&
                                are_of_points(&judge->expects[m], arena);

    judge_values(judge, m, CHANNEL_UV, &source->uvs,
                 channel(mesh, frame, CHANNEL_UV), time, arena);
    judge_values(judge, m, CHANNEL_SECOND_UV, second,
                 channel(mesh, frame, CHANNEL_SECOND_UV), time, arena);
    judge_values(judge, m, CHANNEL_VELOCITY,
                 has_velocities ? &source->velocities : NULL,
                 channel(mesh, frame, CHANNEL_VELOCITY), time, arena);
    if (channel(mesh, frame, CHANNEL_VELOCITY))
        judge_velocity_steps(judge, m);
    if (channel(mesh, frame, CHANNEL_SECOND_UV))
        CHECK_STR(mesh->second_uv_name, second->name);
}

static void judge_colors(struct judge *judge, uint32_t m, const uint8_t *stored,
                         double time, struct arena *arena)
{
    const struct clip_mesh *mesh = &judge->clip->meshes[m];
    const struct abc_mesh *source = &judge->expects[m].mesh;
    const struct abc_param *param = abc_param_named(
        source->colors, source->color_count, judge->options->color_set);
    uint32_t extent = 4;
    const float *given =
        param == NULL
            ? NULL
            : expect_values(&judge->expects[m], param, time, arena, &extent);

    CHECK_EQ(given != NULL, stored != NULL);
    CHECK(extent == 3 || extent == 4);
    for (uint32_t i = 0; given && i < mesh->index_count; i++)
        for (uint32_t k = 0; k < 4 && judge->meshes[m].corners[i] != NONE;
             k++) {
            double wanted =
                k < extent ? given[extent * judge->meshes[m].corners[i] + k]
                           : 1;

            wanted = 255 * fmax(0, fmin(1, wanted));
            CHECK_NEAR(stored[4 * mesh->indices[i] + k], wanted, 0.5001);
        }
}

static void judge_mesh(struct judge *judge, uint32_t m,
                       const struct clip_mesh_frame *frame, double time)
{
    const struct clip_mesh *mesh = &judge->clip->meshes[m];
    struct arena arena;
    const float *positions;

    arena_init(&arena);
    CHECK_EQ(mesh->static_mask & mesh->animated_mask, 0);
    positions = expect_positions(&judge->expects[m], time, &arena);
    judge_positions(judge, m, channel(mesh, frame, CHANNEL_POSITION),
                    positions);
    judge_normals(judge, m, channel(mesh, frame, CHANNEL_QTANGENT), positions,
                  time, &arena);
    judge_attributes(judge, m, frame, time, &arena);
    judge_colors(judge, m, channel(mesh, frame, CHANNEL_COLOR), time, &arena);
    judge->judged->corners += mesh->index_count;
    arena_free(&arena);
}

/* -- nodes -- */

/* The archive's y is up; turned, its z. */
static void turn_up(double world[16])
{
    for (int i = 0; i < 4; i++) {
        double y = world[4 * i + 1];

        world[4 * i + 1] = -world[4 * i + 2];
        world[4 * i + 2] = y;
    }
}

static void node_world(const struct judge *judge,
                       const struct clip_frame *frame, uint32_t node)
{
    double *out = judge->worlds[node];
    int32_t parent = judge->clip->nodes[node].parent;
    float matrix[12];

    /* As the runtime does it. */
    spn__transform_resolve(&frame->nodes[node].transform, matrix);
    matrix_identity(out);
    for (int i = 0; i < 12; i++) {
        CHECK(isfinite(matrix[i]));
        out[i % 4 * 4 + i / 4] = matrix[i];
    }
    CHECK(parent < (int32_t)node);
    if (parent >= 0)
        matrix_multiply(out, judge->worlds[parent], out);
}

static void judge_nodes(struct judge *judge, const struct clip_frame *frame,
                        double time)
{
    const struct clip *clip = judge->clip;

    for (uint32_t n = 0; n < clip->node_count; n++) {
        const struct abc_object *object = judge->objects[n];
        bool is_visible;
        double wanted[16];

        node_world(judge, frame, n);
        CHECK(world_is_visible(judge->archive, object, time, &is_visible));
        CHECK_EQ(frame->nodes[n].is_visible, is_visible);
        if (clip->nodes[n].mesh < 0 ||
            !expect_is_sampled(judge->archive, object, time))
            continue;
        CHECK(world_matrix(judge->archive, object, time, wanted));
        if (judge->options->up == 'Z')
            turn_up(wanted);
        for (int i = 0; i < 16; i++) {
            const struct clip_mesh *mesh = &clip->meshes[clip->nodes[n].mesh];
            double reach = 1;

            if (i < 12)
                reach =
                    fmax(fabs(mesh->range[CHANNEL_POSITION].min[i / 4]),
                         fabs((double)mesh->range[CHANNEL_POSITION].min[i / 4] +
                              mesh->range[CHANNEL_POSITION].size[i / 4]));
            if (!(fabs(judge->worlds[n][i] - wanted[i]) * reach <=
                  1e-5 * judge->size))
                test_fail(__FILE__, __LINE__,
                          "%s: world[%d] is %.9g, not %.9g at %.6f",
                          object->path, i, judge->worlds[n][i], wanted[i],
                          time);
        }
        judge->judged->worlds++;
    }
}

/* A vertex in the world, as a fill and the matrices give it. */
static void place_vertex(const struct judge *judge, uint32_t node,
                         const uint16_t *stored, double at[3])
{
    const struct clip_mesh *mesh =
        &judge->clip->meshes[judge->clip->nodes[node].mesh];
    const double *world = judge->worlds[node];

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

/* Does a node that was seen vanish with this frame? Frames are a ring. */
static bool has_vanishing(const struct judge *judge,
                          const struct clip_frame *frame)
{
    const struct clip *clip = judge->clip;
    uint32_t before = (frame->number > 0 ? frame->number : clip->frame_count);

    for (uint32_t n = 0; n < clip->node_count; n++) {
        bool was_visible;

        if (clip->nodes[n].mesh < 0 || frame->nodes[n].is_visible)
            continue;
        CHECK(world_is_visible(judge->archive, judge->objects[n],
                               clip->frame_seconds[before - 1], &was_visible));
        if (was_visible)
            return true;
    }
    return false;
}

/* The box of a frame holds its visible vertices, and is no larger unless
 * something vanishes. */
static void judge_box(struct judge *judge, const struct clip_frame *frame)
{
    const struct clip *clip = judge->clip;
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

            place_vertex(judge, n, stored + 3 * (size_t)v, at);
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
        if (has_vanishing(judge, frame))
            continue;
        if (min[k] > max[k]) {
            CHECK(frame->box_min[k] > frame->box_max[k]);
            continue;
        }
        CHECK_NEAR(frame->box_min[k], min[k], 1e-5 * judge->size);
        CHECK_NEAR(frame->box_max[k], max[k], 1e-5 * judge->size);
    }
}

/* -- a clip -- */

static void open_judge(struct judge *judge, struct arena *arena)
{
    struct clip *clip = judge->clip;

    judge->expects = ARENA_NEW(arena, struct expect, clip->mesh_count);
    judge->meshes = ARENA_NEW(arena, struct clip_corners, clip->mesh_count);
    judge->objects =
        ARENA_NEW(arena, const struct abc_object *, clip->node_count);
    judge->worlds = arena_alloc(arena, clip->node_count, sizeof *judge->worlds);
    for (uint32_t m = 0; m < clip->mesh_count; m++) {
        const struct abc_object *object =
            expect_find(judge->archive, clip->meshes[m].path);

        CHECK(object != NULL);
        CHECK(object->source == object);
        expect_open(&judge->expects[m], judge->archive, object, arena);
        clip_corners_find(&judge->meshes[m], clip, m, &judge->expects[m],
                          arena);
        judge->judged->unsure_corners += judge->meshes[m].unsure_count;
    }
    for (uint32_t n = 0; n < clip->node_count; n++) {
        judge->objects[n] = expect_find(judge->archive, clip->nodes[n].path);
        CHECK(judge->objects[n] != NULL);
        if (clip->nodes[n].mesh >= 0)
            CHECK_STR(judge->objects[n]->source->path,
                      clip->meshes[clip->nodes[n].mesh].path);
    }
}

static void grow_size(struct judge *judge, const struct clip_frame *frame)
{
    for (int k = 0; k < 3 && frame->box_min[0] <= frame->box_max[0]; k++) {
        judge->size = fmax(judge->size, fabs(frame->box_min[k]));
        judge->size = fmax(judge->size, fabs(frame->box_max[k]));
    }
}

void judge_clip(struct clip *clip, const struct abc_archive *archive,
                const struct compile_options *options,
                struct clip_judged *judged)
{
    struct judge judge = {
        .clip = clip, .archive = archive, .options = options, .judged = judged};
    struct arena arena;
    struct arena frame_arena;

    arena_init(&arena);
    arena_init(&frame_arena);
    open_judge(&judge, &arena);
    for (uint32_t f = 0; f < clip->frame_count; f++) {
        double time = clip->frame_seconds[f];
        struct clip_frame frame;

        arena_reset(&frame_arena);
        CHECK(clip_frame_produce(clip, f, &frame_arena, &frame));
        CHECK_EQ_U(frame.number, f);
        grow_size(&judge, &frame);
        judge_nodes(&judge, &frame, time);
        judge_box(&judge, &frame);
        for (uint32_t m = 0; m < clip->mesh_count; m++)
            judge_mesh(&judge, m, &frame.meshes[m], time);
        judged->frames++;
    }
    arena_free(&frame_arena);
    arena_free(&arena);
}
