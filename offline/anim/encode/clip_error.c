/* clip_error.c - decodes, samples and compares. */
/* SPDX-License-Identifier: MIT */
#include "anim/encode/clip_error.h"

#include "anim/anim_skeleton.h"
#include "anim/encode/affine.h"
#include "anim/encode/between.h"
#include "anim/encode/clip_windows.h"
#include "anim/encode/lattice.h"

#include <math.h>
#include <string.h>

struct decoded_clip {
    struct anim_clip clip;
    struct anim_skeleton skeleton;
    struct clip_windows windows;
};

static spn_status open_skeleton(const struct anim_file *file,
                                struct arena *arena,
                                struct anim_skeleton *skeleton,
                                spn_fault *fault)
{
    struct anim_skeleton_models *models =
        ARENA_NEW(arena, struct anim_skeleton_models, 1);
    struct anim_skeleton_header header;
    const spn_status status =
        spn__anim_skeleton_read_header(file->bytes, &header, fault);

    if (status != SPN_OK)
        return status;
    return spn__anim_skeleton_open(
        &header, file->bytes, models,
        arena_alloc(arena, spn__anim_skeleton_bytes(&header), 1), skeleton,
        fault);
}

static spn_status decode(const struct anim_file *skeleton,
                         const struct anim_file *file, struct arena *arena,
                         struct decoded_clip *d, struct clip_error *error,
                         spn_fault *fault)
{
    struct anim_clip_header header;
    size_t memory = 0;
    spn_status status = open_skeleton(skeleton, arena, &d->skeleton, fault);

    if (status == SPN_OK)
        status = spn__anim_clip_read_header(file->bytes, &header, fault);
    if (status == SPN_OK)
        status = clip_windows_open(&header, file->bytes, arena, &d->clip,
                                   &memory, fault);
    if (status != SPN_OK)
        return status;
    error->memory =
        sizeof d->clip + memory +
        2 * (sizeof(struct anim_window) +
             spn__anim_window_bytes(&d->clip.tracks, header.segment_frames));
    status =
        clip_windows_decode(&d->clip, file->bytes, arena, &d->windows, fault);
    error->segments = d->windows.segment_count;
    error->segment_bytes_max = d->windows.segment_bytes_max;
    return status;
}

/* Two hierarchies to compare. */
struct comparison {
    const struct dense_clip *clip;
    const struct decoded_clip *decoded;
    spn_anim_transform *locals; /* [joint] */
    float *numbers;             /* [float track] */
    struct affine *a;           /* [joint]: original */
    struct affine *b;           /* [joint]: decoded */
    uint32_t joint;             /* with the largest error */
};

/* The largest distance of a virtual vertex at a time. */
static double compare(struct comparison *c, uint32_t frame, double u)
{
    const struct decoded_clip *d = c->decoded;
    const uint32_t next = u > 0 ? frame + 1 : frame;
    double largest = 0;

    for (uint32_t j = 0; j < c->clip->joint_count; j++)
        c->locals[j] = d->skeleton.rest[j];
    spn__anim_pose(&d->clip.tracks, clip_windows_frame(&d->windows, frame),
                   clip_windows_frame(&d->windows, next), (float)u, c->locals,
                   c->numbers);
    for (uint32_t j = 0; j < c->clip->joint_count; j++) {
        struct joint_transform t =
            c->clip->locals[(size_t)frame * c->clip->joint_count + j];
        struct affine local;
        double distance;

        if (u > 0)
            between_original(c->clip, frame, j, u, &t);
        affine_make(&local, t.rotation, t.translation, t.scale);
        between_to_model(c->clip, j, &local, c->a);
        affine_of_transform(&local, &c->locals[j]);
        between_to_model(c->clip, j, &local, c->b);
        distance = between_distance(&c->a[j], &c->b[j]);
        if (distance > largest) {
            largest = distance;
            c->joint = j;
        }
    }
    return largest;
}

static double compare_floats(const struct comparison *c, uint32_t frame)
{
    double largest = 0;

    for (uint32_t i = 0; i < c->clip->float_track_count; i++)
        largest = fmax(
            largest,
            fabs((double)c->numbers[i] -
                 (double)c->clip
                     ->floats[(size_t)frame * c->clip->float_track_count + i]));
    return largest;
}

spn_status clip_error_measure(const struct dense_clip *clip,
                              const struct anim_file *skeleton,
                              const struct anim_file *file, struct arena *arena,
                              struct clip_error *error, spn_fault *fault)
{
    struct decoded_clip d;
    struct comparison c = {
        .clip = clip,
        .decoded = &d,
        .locals = ARENA_NEW(arena, spn_anim_transform, clip->joint_count),
        .numbers = ARENA_NEW(arena, float, clip->float_track_count + 1),
        .a = ARENA_NEW(arena, struct affine, clip->joint_count),
        .b = ARENA_NEW(arena, struct affine, clip->joint_count),
    };
    spn_status status;

    memset(&d, 0, sizeof d);
    *error = (struct clip_error){0};
    status = decode(skeleton, file, arena, &d, error, fault);
    if (status != SPN_OK)
        return status;
    for (uint32_t f = 0; f < clip->frame_count; f++) {
        const double at_frame = compare(&c, f, 0);

        if (at_frame > error->at_frames) {
            error->at_frames = at_frame;
            error->frame = f;
            error->joint = c.joint;
        }
        error->floats = fmax(error->floats, compare_floats(&c, f));
        for (int i = 1; i < 4 && f + 1 < clip->frame_count; i++)
            error->between = fmax(error->between, compare(&c, f, i / 4.0));
    }
    return SPN_OK;
}
