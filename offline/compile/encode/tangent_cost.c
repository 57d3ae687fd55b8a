/* tangent_cost.c - the estimated bytes of QTangents by one candidate.
 *
 * The estimate is the entropy of the residuals of a few training frames, and
 * the bytes of the hierarchy and the rings as they are stored.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/encode_tangents.h"

#include "compile/encode/encode_distance.h"
#include "compile/encode/lift/lift_parts.h"
#include "compile/encode/lift/lift_pyramid.h"
#include "compile/encode/lift/lift_train.h"
#include "compile/encode/lift/lift_wire_write.h"

#define SAMPLE_FRAMES 6u

/* Are training frame `index` and all frames that it refers to there, and do
 * they show the mesh? */
static bool has_references(const struct tangent_search *search, uint32_t mesh,
                           uint32_t index)
{
    const struct lift_frames *frames = search->frames;
    uint32_t references[LIFT_FRAMES_MAX];
    const uint32_t count = lift_pyramid_references(
        frames->numbers[index], search->e->clip->frame_count,
        search->index_distance, references);
    bool is_there =
        lift_frames_values(frames, index, mesh, CHANNEL_QTANGENT) != NULL;

    for (uint32_t j = 0; j < count && is_there; j++) {
        const uint32_t at = lift_frames_find(frames, references[j]);

        is_there = at < frames->count &&
                   lift_frames_values(frames, at, mesh, CHANNEL_QTANGENT);
    }
    return is_there;
}

static bool is_index_frame(const struct tangent_search *search, uint32_t number)
{
    uint32_t references[LIFT_FRAMES_MAX];

    return lift_pyramid_references(number, search->e->clip->frame_count,
                                   search->index_distance, references) == 0;
}

static double estimate_frame(const struct tangent_search *search,
                             const struct tangent_job *job,
                             const struct tangent_candidate *candidate,
                             const struct lift_hierarchy *hierarchy,
                             const struct one_rings *rings, uint32_t index,
                             struct encoder_thread *thread)
{
    const struct encoder_place place = {CHANNEL_QTANGENT, job->mesh, job->part};
    struct lift_target target;
    struct lift_found found;

    encoder_load_target(search->e, search->frames, search->index_distance,
                        &place, index, rings != NULL, thread, &target);
    target.hierarchy = hierarchy;
    target.rings = rings;
    if (candidate->mode == TANGENT_GUESS_SIGNS)
        target.aligned_values = thread->numbers[0];
    lift_search(&target, &thread->lift, &found);
    return (double)lift_found_bits(&target, &thread->lift) / 8;
}

/* Estimate the bytes of all frames of the clip. Sampled index frames represent
 * all index frames, and the other samples all other frames. */
static double estimate_frames(const struct tangent_search *search,
                              const struct tangent_job *job,
                              const struct tangent_candidate *candidate,
                              const struct lift_hierarchy *hierarchy,
                              const struct one_rings *rings,
                              struct encoder_thread *thread)
{
    const struct lift_frames *frames = search->frames;
    /* An odd stride varies the index of the samples within their groups. */
    const uint32_t stride = (frames->count / SAMPLE_FRAMES) | 1u;
    /* [0]: B frames, [1]: index frames */
    uint32_t in_clip[2] = {0, 0};
    uint32_t samples[2] = {0, 0};
    double bytes[2] = {0, 0};
    double sum = 0;

    for (uint32_t f = 0; f < search->e->clip->frame_count; f++)
        in_clip[is_index_frame(search, f)]++;
    for (uint32_t i = 0;
         i < frames->count && samples[0] + samples[1] < SAMPLE_FRAMES;
         i += stride) {
        const bool is_index = is_index_frame(search, frames->numbers[i]);

        if (!has_references(search, job->mesh, i))
            continue;
        bytes[is_index] +=
            estimate_frame(search, job, candidate, hierarchy, rings, i, thread);
        samples[is_index]++;
    }
    for (int k = 0; k < 2; k++)
        if (samples[k] > 0)
            sum += bytes[k] * in_clip[k] / samples[k];
    return sum;
}

static double count_static(const struct tangent_search *search,
                           const struct tangent_job *job,
                           const struct lift_hierarchy *hierarchy,
                           const struct one_rings *rings, struct arena *arena)
{
    const struct clip *clip = search->e->clip;
    const struct lift_plan_mesh *mesh = &search->e->plan.meshes[job->mesh];
    const uint32_t first = lift_parts_first(
        clip->meshes[job->mesh].vertex_count, mesh->part_count, job->part);
    double bytes = (double)lift_wire_write_hierarchy(
                       hierarchy, mesh->member_at + first, arena)
                       .count;

    if (rings) {
        const struct one_ring_part triangles = lift_part_triangles(
            clip, &search->e->plan, job->mesh, job->part, arena);

        bytes +=
            (double)lift_wire_write_one_rings(rings, &triangles, arena).count;
    }
    return bytes;
}

struct tangent_cost tangent_estimate(const struct tangent_search *search,
                                     const struct tangent_job *job,
                                     const struct tangent_candidate *candidate,
                                     const struct lift_hierarchy *hierarchy,
                                     const struct one_rings *rings,
                                     struct encoder_thread *thread)
{
    return (struct tangent_cost){
        .frame_bytes =
            estimate_frames(search, job, candidate, hierarchy, rings, thread),
        .static_bytes =
            count_static(search, job, hierarchy, rings, &thread->arena),
    };
}
