/* encode_choice.c - decides which meshes are lifted: those that become smaller.
 *
 * Some parts of each mesh are encoded by both codecs, in the frames of one
 * group. The index frame and a few others are samples of all such frames.
 * Data that is stored once is added, so short clips often stay classic. The
 * classic blocks and indices are counted as in a cache without lifted meshes.
 * They are estimated first, because compressing them takes most of the time.
 * They are compressed only where the estimate does not decide.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/encode_choice.h"

#include "common/phases.h"
#include "compile/encode/classic/predictor.h"
#include "compile/encode/encode_lift.h"
#include "compile/encode/encode_static.h"
#include "compile/encode/lift/lift_parts.h"
#include "compile/encode/lift/lift_pyramid.h"
#include "compile/encode/lift/lift_train.h"

#include <string.h>

#define SAMPLE_PARTS 4u  /* two, and two more if those are close */
#define SAMPLE_FRAMES 3u /* of a group, beside its index frame */
/* The estimate of classic bytes is seldom too low, and at most a tenth too
 * high. If the ratio of lifted bytes to it is between these two limits, the
 * classic blocks are compressed. */
#define UNSURE_FROM 0.7
#define UNSURE_TO 1.05
/* In clips of fewer frames the static data decides, so classic blocks are
 * always compressed. */
#define FRAMES_ESTIMATED 16u
/* Buffers for values of a part: a frame, its references, positions and UVs. */
#define BUFFERS (3u + CACHE_REFERENCES_MAX)

/* Estimated bytes of the sample parts in all frames, by both codecs. */
struct sizes {
    double lifted;
    double classic;
    uint32_t parts;
};

struct choice_job {
    uint32_t mesh;
    uint32_t part;
    struct sizes sizes;
};

struct choice {
    struct encoder *e;
    const struct lift_frames *frames;
    uint32_t distance;
    uint32_t index_frames; /* of the clip */
    struct choice_job *jobs;
    uint8_t **buffers; /* BUFFERS of each thread */
};

/* A sample part while a job measures it. */
struct sample_part {
    const struct choice *choice;
    struct encoder_thread *thread;
    uint8_t **buffers;
    const struct choice_job *job;
    const struct clip_mesh *mesh;
    const struct lift_hierarchy *hierarchy;
    const uint32_t *order;
    uint32_t first;  /* vertex */
    uint32_t anchor; /* of its group */
    uint32_t count;  /* frames behind it */
    struct predict_entry *entries;
    struct compressor compressor; /* of classic blocks */
};

/* -- one channel -- */

static const uint8_t *mesh_values(const struct sample_part *a,
                                  enum channel channel, uint32_t slot)
{
    return a->mesh->static_mask & CHANNEL_BIT(channel)
               ? a->mesh->static_channel[channel]
               : lift_frames_values(
                     a->choice->frames,
                     lift_frames_find(a->choice->frames, a->anchor + slot),
                     a->job->mesh, channel);
}

static const void *classic_values(const struct sample_part *a,
                                  enum channel channel, uint32_t slot)
{
    return mesh_values(a, channel, slot) +
           (size_t)a->first * channel_vertex_bytes(channel);
}

static const void *lifted_values(const struct sample_part *a,
                                 enum channel channel, uint32_t slot,
                                 uint8_t *buffer)
{
    const size_t bytes = channel_vertex_bytes(channel);
    const uint8_t *from = mesh_values(a, channel, slot);

    for (uint32_t i = 0; i < a->hierarchy->vertex_count; i++)
        memcpy(buffer + i * bytes, from + a->order[i] * bytes, bytes);
    return buffer;
}

static uint32_t lifted_bytes(const struct sample_part *a, enum channel channel,
                             uint32_t slot)
{
    const struct encoder *e = a->choice->e;
    const struct one_rings *rings = e->plan.meshes[a->job->mesh].rings;
    struct encoder_lifted_input input = {.channel = channel,
                                         .hierarchy = a->hierarchy};
    uint32_t references[LIFT_FRAMES_MAX] = {0};
    struct lift_prediction **known = lift_plan_found(
        &e->plan.meshes[a->job->mesh], channel, a->anchor + slot, a->job->part);
    bool is_temporal;

    input.found = known ? *known : NULL;
    input.values = lifted_values(a, channel, slot, a->buffers[0]);
    if (channel == CHANNEL_QTANGENT && rings) {
        input.rings = &rings[a->job->part];
        input.has_guess_signs = e->plan.meshes[a->job->mesh].has_guess_signs;
        input.positions =
            lifted_values(a, CHANNEL_POSITION, slot, a->buffers[BUFFERS - 1]);
        if (input.rings->by_uvs)
            input.uvs =
                lifted_values(a, CHANNEL_UV, slot, a->buffers[BUFFERS - 2]);
    }
    if (a->mesh->animated_mask & CHANNEL_BIT(channel))
        input.from_count =
            lift_pyramid_references(a->anchor + slot, e->clip->frame_count,
                                    a->choice->distance, references);
    for (uint32_t k = 0; k < input.from_count; k++)
        input.from[k] = lifted_values(a, channel, references[k] - a->anchor,
                                      a->buffers[1 + k]);
    return encoder_payload(e, a->thread, &input, &is_temporal);
}

static uint32_t classic_bytes(const struct sample_part *a, enum channel channel,
                              uint32_t slot)
{
    const struct encoder *e = a->choice->e;
    struct predict_stream stream = {.channel = channel,
                                    .count = a->hierarchy->vertex_count,
                                    .entries = a->entries};
    struct search_result found;

    if ((a->mesh->animated_mask & CHANNEL_BIT(channel)) && slot > 0 &&
        slot < a->count && a->choice->distance > 1) {
        stream.floor_index = classic_values(a, channel, 0);
        stream.ceil_index = classic_values(a, channel, a->count);
        stream.previous = classic_values(a, channel, slot - 1);
        stream.previous_two =
            classic_values(a, channel, slot >= 2 ? slot - 2 : 0);
    }
    search_stream(&a->compressor, e->job->options->orders, &stream,
                  classic_values(a, channel, slot), &a->thread->search_scratch,
                  &found);
    return found.stored_bytes;
}

/* Return the number of sample frames of a group. In a group of 8 these are
 * frames 1, 4 and 7, mostly of the finest level of the pyramid. */
static uint32_t sample_count(const struct sample_part *a)
{
    return a->count - 1 < SAMPLE_FRAMES ? a->count - 1 : SAMPLE_FRAMES;
}

static uint32_t sample_slot(const struct sample_part *a, uint32_t i)
{
    const uint32_t samples = sample_count(a);

    return 1 + (samples > 1 ? i * (a->count - 2) / (samples - 1) : 0);
}

typedef uint32_t (*bytes_of)(const struct sample_part *a, enum channel channel,
                             uint32_t slot);

/* Estimate the bytes of a channel in all frames. The anchor represents all
 * index frames, and the sample frames all other frames. */
static double channel_bytes(const struct sample_part *a, enum channel channel,
                            bytes_of bytes)
{
    const struct choice *c = a->choice;
    const uint32_t frame_count = c->e->clip->frame_count;
    const bool is_static = a->mesh->static_mask & CHANNEL_BIT(channel);
    double sum =
        (is_static ? 1 : c->index_frames) * (double)bytes(a, channel, 0);
    const uint32_t samples = sample_count(a);

    if (is_static || frame_count == c->index_frames)
        return sum;
    for (uint32_t i = 0; i < samples; i++)
        sum += (double)(frame_count - c->index_frames) / samples *
               bytes(a, channel, sample_slot(a, i));
    return sum;
}

static double all_bytes(const struct sample_part *a, bytes_of bytes)
{
    const uint32_t mask = a->mesh->static_mask | a->mesh->animated_mask;
    double sum = 0;

    for (uint32_t c = 0; c < CHANNEL_COUNT; c++)
        if (mask & CHANNEL_BIT(c))
            sum += channel_bytes(a, (enum channel)c, bytes);
    return sum;
}

/* -- one part -- */

static void find_entries(struct sample_part *a)
{
    struct predictor_part part = {
        .first_vertex = a->first,
        .vertex_count = a->hierarchy->vertex_count,
        .indices = a->mesh->indices,
        .index_count = a->mesh->index_count,
        .sample_count = 1,
    };

    for (uint32_t c = 0; c < CHANNEL_COUNT; c++)
        if ((a->mesh->static_mask | a->mesh->animated_mask) & CHANNEL_BIT(c))
            part.sample[0][c] = mesh_values(a, (enum channel)c, 0);
    a->entries = ARENA_NEW(&a->thread->arena, struct predict_entry,
                           a->hierarchy->vertex_count);
    predictor_search(&part, &a->thread->arena, a->entries);
}

/* Return the bytes of the lifted part, including its static data. */
static double measure_lifted(const struct sample_part *a)
{
    struct encoder *e = a->choice->e;
    const uint32_t mesh = a->job->mesh;
    const uint32_t part = a->job->part;
    double sum = (double)encoder_hierarchy_wire(e, a->thread, mesh, part).count;

    if (e->plan.meshes[mesh].rings)
        sum += (double)encoder_one_rings_wire(e, a->thread, mesh, part).count;
    return sum + all_bytes(a, lifted_bytes);
}

static double measure_classic(const struct sample_part *a)
{
    struct search_result entries;

    search_bytes(&a->compressor, (const uint8_t *)a->entries,
                 a->hierarchy->vertex_count *
                     (uint32_t)sizeof(struct predict_entry),
                 &a->thread->search_scratch, &entries);
    return entries.stored_bytes + all_bytes(a, classic_bytes);
}

/* Measure the part with both codecs. */
static void measure_part(struct sample_part *a, struct sizes *out)
{
    const struct encoder *e = a->choice->e;

    a->compressor = *e->compressor;
    a->compressor.compress = e->compressor->estimate;
    out->lifted = measure_lifted(a);
    out->classic = measure_classic(a);
    if (e->clip->frame_count >= FRAMES_ESTIMATED &&
        (out->lifted < UNSURE_FROM * out->classic ||
         out->lifted > UNSURE_TO * out->classic))
        return;
    a->compressor = *e->compressor;
    out->classic = measure_classic(a);
}

/* Is the frame a sample, or one of the two frames before one? */
static bool is_sample_or_reference(const struct sample_part *a, uint32_t slot)
{
    bool is_so = false;

    for (uint32_t i = 0; i < sample_count(a); i++)
        is_so = is_so ||
                (slot <= sample_slot(a, i) && sample_slot(a, i) - slot <= 2);
    return is_so;
}

/* Is the frame a training frame that shows the mesh, or is it not needed? */
static bool is_good_slot(const struct sample_part *a, uint32_t slot)
{
    const struct lift_frames *frames = a->choice->frames;
    const uint32_t at = lift_frames_find(frames, a->anchor + slot);
    bool is_shown = true;

    if (at == frames->count)
        return slot > 0 && slot < a->count && !is_sample_or_reference(a, slot);
    for (uint32_t c = 0; c < CHANNEL_COUNT; c++)
        is_shown =
            is_shown && (!(a->mesh->animated_mask & CHANNEL_BIT(c)) ||
                         lift_frames_values(frames, at, a->job->mesh, c));
    return is_shown;
}

/* Are all frames of the group good? */
static bool is_whole(const struct sample_part *a)
{
    for (uint32_t k = 0; k <= a->count; k++)
        if (!is_good_slot(a, k))
            return false;
    return true;
}

/* Find a group whose frames all show the mesh, from the middle of the clip on.
 * Return false if there is none. A group with at most SAMPLE_FRAMES frames, at
 * the end of the clip, is taken only if there is no other. One frame may be
 * missing if no other frame refers to it (lift_frames.h). */
static bool find_group(struct sample_part *a)
{
    const struct lift_frames *frames = a->choice->frames;
    const uint32_t distance = a->choice->distance;
    const uint32_t last = a->choice->e->clip->frame_count - 1;
    struct sample_part longest = *a;
    bool is_found = false;

    for (uint32_t i = 0; i < frames->count; i++) {
        a->anchor = frames->numbers[(frames->count / 2 + i) % frames->count];
        a->count = last - a->anchor < distance ? last - a->anchor : distance;
        if (a->anchor % distance != 0 || (a->anchor == last && last != 0) ||
            (is_found && a->count <= longest.count) || !is_whole(a))
            continue;
        longest = *a;
        is_found = true;
        if (a->count > SAMPLE_FRAMES)
            break;
    }
    *a = longest;
    return is_found;
}

static void measure_job(void *user, uint32_t number, uint32_t worker)
{
    struct choice *choice = user;
    struct choice_job *job = &choice->jobs[number];
    struct encoder *e = choice->e;
    const struct lift_plan_mesh *plan = &e->plan.meshes[job->mesh];
    struct sample_part a = {.choice = choice,
                            .thread = &e->threads[worker],
                            .buffers = choice->buffers + worker * BUFFERS,
                            .job = job,
                            .mesh = &e->clip->meshes[job->mesh],
                            .hierarchy = &plan->parts[job->part]};

    phases_enter(PHASE_SEARCH);
    a.first =
        lift_parts_first(a.mesh->vertex_count, plan->part_count, job->part);
    a.order = plan->vertex_at + a.first;
    if (find_group(&a)) {
        find_entries(&a);
        measure_part(&a, &job->sizes);
    }
    arena_reset(&a.thread->arena);
    phases_enter(PHASE_OTHER);
}

/* -- all -- */

/* Does lifting save so little that more parts must be measured? */
static bool is_close(const struct sizes *s)
{
    return s->lifted > 0.8 * s->classic;
}

/* List the sample parts: at most SAMPLE_PARTS of each mesh, evenly spaced.
 * Round 0 lists every other of these. Round 1 lists the rest of the meshes
 * whose result is close. */
static uint32_t list_jobs(const struct encoder *e, const struct sizes *sizes,
                          uint32_t round, struct choice_job *jobs)
{
    uint32_t count = 0;

    for (uint32_t m = 0; m < e->clip->mesh_count; m++) {
        const struct lift_plan_mesh *mesh = &e->plan.meshes[m];
        const uint32_t samples =
            mesh->part_count < SAMPLE_PARTS ? mesh->part_count : SAMPLE_PARTS;

        if (!mesh->is_lifted || (round > 0 && !is_close(&sizes[m])))
            continue;
        for (uint32_t i = round; i < samples; i += 2)
            jobs[count++] = (struct choice_job){
                .mesh = m,
                .part = (uint32_t)((uint64_t)mesh->part_count * i / samples)};
    }
    return count;
}

static void measure_round(struct choice *choice, uint32_t round,
                          struct sizes *sizes)
{
    struct encoder *e = choice->e;
    const uint32_t count = list_jobs(e, sizes, round, choice->jobs);

    workers_run(e->workers, count, measure_job, choice);
    for (uint32_t i = 0; i < count; i++) {
        const struct choice_job *t = &choice->jobs[i];
        struct sizes *sum = &sizes[t->mesh];

        sum->lifted += t->sizes.lifted;
        sum->classic += t->sizes.classic;
        sum->parts++;
    }
}

static void drop(struct encoder *e, uint32_t mesh)
{
    e->plan.meshes[mesh].is_lifted = false;
    e->plan.meshes[mesh].vertex_at = NULL;
    e->plan.lifted_count--;
}

/* Return the lifted mesh that saves most, or costs least. Return the number of
 * meshes if a mesh was not measured: it stays lifted in any case. */
static uint32_t find_best(const struct encoder *e, const struct sizes *sizes)
{
    uint32_t best = e->clip->mesh_count;

    for (uint32_t m = 0; m < e->clip->mesh_count; m++) {
        if (!e->plan.meshes[m].is_lifted)
            continue;
        if (sizes[m].classic <= 0)
            return e->clip->mesh_count;
        if (best == e->clip->mesh_count ||
            sizes[m].classic - sizes[m].lifted >
                sizes[best].classic - sizes[best].lifted)
            best = m;
    }
    return best;
}

/* Drop the meshes that lifting makes larger, but keep the best one: one lifted
 * mesh is enough for all indices to be coded. Drop all meshes if the tables
 * cost more than meshes and indices save. Indices are measured only if they
 * decide. */
static void decide(const struct choice *choice, const struct sizes *sizes)
{
    struct encoder *e = choice->e;
    const uint32_t best = find_best(e, sizes);
    double saved = 0;

    for (uint32_t c = 0; c < CHANNEL_COUNT; c++) {
        struct search_result found;

        if (!e->plan.coder[c])
            continue;
        search_bytes(e->compressor, e->plan.coder[c]->wire,
                     RESIDUAL_TABLES_BYTES, &e->threads[0].search_scratch,
                     &found);
        saved -= found.stored_bytes;
    }
    for (uint32_t m = 0; m < e->clip->mesh_count; m++) {
        if (!e->plan.meshes[m].is_lifted)
            continue;
        if (sizes[m].lifted >= sizes[m].classic && sizes[m].classic > 0 &&
            m != best)
            drop(e, m);
        else
            saved += sizes[m].classic - sizes[m].lifted;
    }
    if (saved <= 0)
        saved += (double)encoder_indices_saved(e);
    for (uint32_t m = 0; saved <= 0 && m < e->clip->mesh_count; m++)
        if (e->plan.meshes[m].is_lifted)
            drop(e, m);
}

bool encoder_choose_lifted(struct encoder *e, const struct lift_frames *frames,
                           uint32_t distance)
{
    const uint32_t last = e->clip->frame_count - 1;
    struct choice choice = {.e = e, .frames = frames, .distance = distance};
    struct arena arena;
    struct sizes *sizes;

    arena_init(&arena);
    choice.index_frames = 1 + last / distance + (last % distance != 0 ? 1 : 0);
    choice.jobs = ARENA_NEW(&arena, struct choice_job,
                            (size_t)e->clip->mesh_count * SAMPLE_PARTS);
    choice.buffers =
        ARENA_NEW(&arena, uint8_t *, workers_count(e->workers) * BUFFERS);
    for (uint32_t i = 0; i < workers_count(e->workers) * BUFFERS; i++)
        choice.buffers[i] = ARENA_NEW(&arena, uint8_t, BLOCK_RAW_BYTES_MAX);
    sizes = ARENA_NEW(&arena, struct sizes, e->clip->mesh_count);
    for (uint32_t round = 0; round < 2; round++)
        measure_round(&choice, round, sizes);
    for (uint32_t m = 0; m < e->clip->mesh_count; m++)
        if (sizes[m].parts > 0) {
            const double all =
                (double)e->plan.meshes[m].part_count / sizes[m].parts;

            sizes[m].lifted *= all;
            sizes[m].classic *= all;
        }
    decide(&choice, sizes);
    arena_free(&arena);
    return !diag_has_failed(e->diag);
}
