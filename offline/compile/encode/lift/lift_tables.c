/* lift_tables.c - trains the Huffman tables of a channel on the clip's
 * residuals.
 *
 * The residuals of the predictions that the encoder will use are the training
 * data. Where vertices and frames are many, an even sample of them is used.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/lift/lift_train.h"

#include "cache/cache_header.h"
#include "codec/channel.h"
#include "common/phases.h"
#include "compile/encode/entropy/residual_train.h"
#include "compile/encode/lift/lift_pyramid.h"
#include "compile/encode/lift/lift_search.h"

#include <string.h>

/* Enough vertices to train a channel, counted over all frames. */
#define SAMPLE_VERTICES (UINT64_C(1) << 20)

struct table_job {
    uint32_t mesh;
    uint32_t part;
    uint32_t index; /* of the frame; 0 for a static channel */
};

struct thread {
    struct lift_scratch scratch;
    int16_t *numbers[1 + LIFT_FRAMES_MAX];
    int16_t *positions;
    struct arena arena; /* of the samples */
};

struct table_loop {
    const struct clip *clip;
    const struct lift_frames *frames;
    const struct lift_plan *plan;
    uint32_t distance;
    enum channel channel;
    struct table_job *jobs;
    struct residual_sample *samples;
    struct thread *threads;
};

/* Load the values of a part in the order of the part. */
static void load_numbers(const struct table_loop *loop,
                         const struct table_job *job, enum channel channel,
                         uint32_t index, int16_t *out)
{
    const struct clip_mesh *m = &loop->clip->meshes[job->mesh];
    const bool is_static = m->static_mask & CHANNEL_BIT(channel);

    lift_plan_numbers(
        channel,
        is_static ? m->static_channel[channel]
                  : lift_frames_values(loop->frames, index, job->mesh, channel),
        lift_plan_order(loop->clip, loop->plan, job->mesh, job->part),
        loop->plan->meshes[job->mesh].parts[job->part].vertex_count, out);
}

static const int16_t *copy(struct arena *arena, const int16_t *numbers,
                           size_t count)
{
    int16_t *to = ARENA_NEW(arena, int16_t, count);

    memcpy(to, numbers, count * sizeof *to);
    return to;
}

static void search_job(void *user, uint32_t number, uint32_t worker)
{
    const struct table_loop *loop = user;
    const struct table_job *job = &loop->jobs[number];
    struct thread *thread = &loop->threads[worker];
    const struct clip_mesh *m = &loop->clip->meshes[job->mesh];
    const struct lift_hierarchy *hierarchy =
        &loop->plan->meshes[job->mesh].parts[job->part];
    struct residual_sample *sample = &loop->samples[number];
    struct lift_target target = {.channel = loop->channel,
                                 .hierarchy = hierarchy,
                                 .values = thread->numbers[0]};
    const struct one_rings *rings = loop->plan->meshes[job->mesh].rings;
    struct lift_prediction **known = lift_plan_found(
        &loop->plan->meshes[job->mesh], loop->channel, job->index, job->part);
    uint32_t references[LIFT_FRAMES_MAX];
    struct lift_found found;
    size_t stripes;

    phases_enter(PHASE_SEARCH);
    load_numbers(loop, job, loop->channel, job->index, thread->numbers[0]);
    if (!(m->static_mask & CHANNEL_BIT(loop->channel)))
        target.from_count = lift_pyramid_references(
            loop->frames->numbers[job->index], loop->clip->frame_count,
            loop->distance, references);
    for (uint32_t j = 0; j < target.from_count; j++) {
        load_numbers(loop, job, loop->channel,
                     lift_frames_find(loop->frames, references[j]),
                     thread->numbers[1 + j]);
        target.from[j] = thread->numbers[1 + j];
    }
    if (loop->channel == CHANNEL_QTANGENT && rings) {
        load_numbers(loop, job, CHANNEL_POSITION, job->index,
                     thread->positions);
        if (rings[job->part].by_uvs)
            lift_plan_add_v(
                lift_frames_values(loop->frames, job->index, job->mesh,
                                   CHANNEL_UV),
                lift_plan_order(loop->clip, loop->plan, job->mesh, job->part),
                hierarchy->vertex_count, thread->positions);
        target.rings = &rings[job->part];
        target.positions = thread->positions;
        if (loop->plan->meshes[job->mesh].has_guess_signs)
            target.aligned_values = thread->numbers[0];
    }
    if (known && *known)
        lift_search_again(&target, *known, &thread->scratch, &found);
    else
        lift_search(&target, &thread->scratch, &found);
    if (known && !*known) {
        *known =
            ARENA_NEW(&loop->plan->arenas[worker], struct lift_prediction, 1);
        **known = found.prediction;
    }
    stripes = (hierarchy->vertex_count + RESIDUAL_STRIPE - 1) / RESIDUAL_STRIPE;
    sample->run_count = (uint32_t)stripes * RESIDUAL_STREAMS;
    sample->residuals =
        copy(&thread->arena, found.residuals, 4 * RESIDUAL_STRIPE * stripes);
    sample->fourth = found.fourth ? copy(&thread->arena, found.fourth,
                                         RESIDUAL_STRIPE * stripes)
                                  : NULL;
    phases_enter(PHASE_OTHER);
}

/* Do the frame and all its references show the mesh? */
static bool is_whole(const struct table_loop *loop, uint32_t mesh,
                     uint32_t index)
{
    uint32_t references[LIFT_FRAMES_MAX];
    const uint32_t count = lift_pyramid_references(loop->frames->numbers[index],
                                                   loop->clip->frame_count,
                                                   loop->distance, references);

    if (!lift_frames_values(loop->frames, index, mesh, loop->channel))
        return false;
    for (uint32_t j = 0; j < count; j++) {
        const uint32_t at = lift_frames_find(loop->frames, references[j]);

        if (at == loop->frames->count ||
            !lift_frames_values(loop->frames, at, mesh, loop->channel))
            return false;
    }
    return true;
}

/* List every `stride`-th job of the channel. Return their number. If loop->jobs
 * is NULL, only count them. */
static uint32_t list_jobs(struct table_loop *loop, uint32_t stride,
                          uint64_t *vertices)
{
    const uint32_t bit = CHANNEL_BIT(loop->channel);
    uint32_t seen = 0;
    uint32_t count = 0;

    *vertices = 0;
    for (uint32_t m = 0; m < loop->clip->mesh_count; m++) {
        const struct clip_mesh *mesh = &loop->clip->meshes[m];
        const struct lift_plan_mesh *plan = &loop->plan->meshes[m];
        const uint32_t frames = mesh->animated_mask & bit
                                    ? loop->frames->count
                                    : (mesh->static_mask & bit) != 0;

        for (uint32_t i = 0; plan->is_lifted && i < frames; i++)
            for (uint32_t p = 0; p < plan->part_count; p++) {
                if ((mesh->animated_mask & bit) && !is_whole(loop, m, i))
                    continue;
                if (seen++ % stride != 0)
                    continue;
                *vertices += plan->parts[p].vertex_count;
                if (loop->jobs)
                    loop->jobs[count] = (struct table_job){m, p, i};
                count++;
            }
    }
    return count;
}

static void train_channel(struct table_loop *loop, struct workers *workers,
                          struct arena *arena, struct residual_encoder **coder)
{
    struct arena scratch;
    uint64_t vertices;
    uint32_t stride;
    uint32_t count;

    loop->jobs = NULL;
    (void)list_jobs(loop, 1, &vertices);
    stride = (uint32_t)(vertices / SAMPLE_VERTICES) + 1;
    /* An even stride would sample the same frames of every group. */
    stride |= stride > 1;
    arena_init(&scratch);
    count = list_jobs(loop, stride, &vertices);
    loop->jobs = ARENA_NEW(&scratch, struct table_job, count);
    loop->samples = ARENA_NEW(&scratch, struct residual_sample, count);
    (void)list_jobs(loop, stride, &vertices);
    workers_run(workers, count, search_job, loop);
    *coder = ARENA_NEW(arena, struct residual_encoder, 1);
    residual_train(loop->samples, count, &scratch, *coder);
    for (uint32_t i = 0; i < workers_count(workers); i++)
        arena_reset(&loop->threads[i].arena);
    arena_free(&scratch);
}

/* If the encoder will encode the training frames (frames->all_frames), allocate
 * room for the predictions that the training finds. */
static void make_found(const struct table_loop *loop, struct arena *arena)
{
    const struct clip *clip = loop->clip;

    for (uint32_t m = 0; m < clip->mesh_count; m++) {
        struct lift_plan_mesh *mesh = &loop->plan->meshes[m];

        for (uint32_t c = 0; mesh->is_lifted && c < CHANNEL_COUNT; c++)
            if ((clip->meshes[m].animated_mask & CHANNEL_BIT(c)) &&
                loop->frames->all_frames && !mesh->found[c])
                mesh->found[c] =
                    ARENA_NEW(arena, struct lift_prediction *,
                              (size_t)clip->frame_count * mesh->part_count);
    }
}

/* Does a lifted mesh have this channel? Then it has tables, which can code any
 * residuals even without training data. */
static bool has_channel(const struct clip *clip, const struct lift_plan *plan,
                        uint32_t bit)
{
    for (uint32_t m = 0; m < clip->mesh_count; m++)
        if (plan->meshes[m].is_lifted &&
            ((clip->meshes[m].static_mask | clip->meshes[m].animated_mask) &
             bit))
            return true;
    return false;
}

void lift_train_tables(const struct clip *clip,
                       const struct lift_frames *frames, uint32_t distance,
                       struct workers *workers, struct arena *arena,
                       struct lift_plan *plan)
{
    const uint32_t thread_count = workers_count(workers);
    const size_t numbers = 4 * (size_t)(CACHE_TILE_VERTICES_MAX + LIFT_PADDING);
    struct table_loop loop = {
        .clip = clip, .frames = frames, .plan = plan, .distance = distance};
    struct arena scratch;

    make_found(&loop, arena);
    arena_init(&scratch);
    loop.threads = ARENA_NEW(&scratch, struct thread, thread_count);
    for (uint32_t i = 0; i < thread_count; i++) {
        struct thread *t = &loop.threads[i];

        arena_init(&t->arena);
        lift_scratch_make(&t->scratch, CACHE_TILE_VERTICES_MAX, &scratch);
        for (uint32_t j = 0; j <= LIFT_FRAMES_MAX; j++)
            t->numbers[j] = ARENA_NEW(&scratch, int16_t, numbers);
        t->positions = ARENA_NEW(&scratch, int16_t, numbers);
    }
    for (uint32_t c = 0; c < CHANNEL_COUNT; c++) {
        plan->coder[c] = NULL;
        if (!has_channel(clip, plan, CHANNEL_BIT(c)))
            continue;
        loop.channel = (enum channel)c;
        train_channel(&loop, workers, arena, &plan->coder[c]);
    }
    for (uint32_t i = 0; i < thread_count; i++)
        arena_free(&loop.threads[i].arena);
    arena_free(&scratch);
}
