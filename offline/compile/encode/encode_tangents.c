/* encode_tangents.c - lists the candidates, chooses one for each mesh and
 * trains it. tangent_cost.c evaluates them.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/encode_tangents.h"

#include "common/phases.h"
#include "compile/encode/lift/lift_train.h"

/* Number of sample parts of a mesh; 1 for fewer parts than PARTS_FOR_TWO. */
#define SAMPLE_PARTS 2u
#define PARTS_FOR_TWO 4u

/* A guess takes time to decode. It is chosen only if its frames take at most
 * this part of the bytes of the best candidate without a guess. */
#define FRAME_BYTES_MAX 0.93
/* Candidates are compared by frame_bytes + STATIC_WEIGHT * static_bytes: a
 * static byte is read once, when a cache is opened, and a frame's byte each
 * time that the clip is played. */
#define STATIC_WEIGHT 0.4
/* A guess must not make the file larger: it is compared once more with this
 * weight of static bytes. It is less than 1 because costs are estimates, and a
 * guess may win if they are about equal. */
#define STATIC_WEIGHT_FILE 0.85

/* In clips of fewer frames, candidates with a guess have no per-channel
 * weights, because those take more bytes than they save. */
#define FRAMES_FOR_CHANNEL_WEIGHTS 24u

/* How precise the weights of the one-rings are. Fine weights suit motion for
 * which the guess is exact; they take the most bytes. Coarse weights guess
 * noisy motion as well as fine ones. */
#define RINGS_FINE                                                             \
    {                                                                          \
        .weight_max = ONE_RING_WEIGHT_MAX, .bits_per_squared_error = 16        \
    }
#define RINGS_MEDIUM                                                           \
    {                                                                          \
        .weight_max = 60, .bits_per_squared_error = 1                          \
    }
#define RINGS_COARSE                                                           \
    {                                                                          \
        .weight_max = 6, .bits_per_squared_error = 1                           \
    }

/* Candidates without a guess come first, then pairs with the same rings. */
#define WITHOUT_GUESS 2u
static const struct tangent_candidate candidates[] = {
    {.mode = TANGENT_SHARED_WEIGHTS},
    {.mode = TANGENT_CHANNEL_WEIGHTS},
    {.mode = TANGENT_GUESS, .quality = RINGS_FINE},
    {.mode = TANGENT_GUESS_SIGNS, .quality = RINGS_FINE},
    {.mode = TANGENT_GUESS, .quality = RINGS_MEDIUM},
    {.mode = TANGENT_GUESS_SIGNS, .quality = RINGS_MEDIUM},
    {.mode = TANGENT_GUESS, .quality = RINGS_COARSE},
    {.mode = TANGENT_GUESS_SIGNS, .quality = RINGS_COARSE},
};
#define CANDIDATES (uint32_t)(sizeof candidates / sizeof candidates[0])

static bool has_tangents(const struct encoder *e, uint32_t mesh)
{
    return e->plan.meshes[mesh].is_lifted &&
           (e->clip->meshes[mesh].animated_mask &
            CHANNEL_BIT(CHANNEL_QTANGENT));
}

static bool may_guess(const struct encoder *e, uint32_t mesh)
{
    return !e->job->options->is_fast && (e->clip->meshes[mesh].animated_mask &
                                         CHANNEL_BIT(CHANNEL_POSITION));
}

/* -- training -- */

/* Return NULL if no training frame shows the mesh. */
static struct one_rings *train_rings(const struct tangent_search *search,
                                     const struct tangent_job *job,
                                     struct arena *arena)
{
    const struct encoder *e = search->e;
    const bool by_uvs =
        e->clip->meshes[job->mesh].animated_mask & CHANNEL_BIT(CHANNEL_UV);
    struct one_rings *rings = ARENA_NEW(arena, struct one_rings, 1);

    return lift_train_one_rings(e->clip, search->frames, &e->plan, job->mesh,
                                job->part, &job->candidates->quality, by_uvs,
                                arena, rings)
               ? rings
               : NULL;
}

/* Return the part's hierarchy with the weights of the mode. */
static struct lift_hierarchy train_weights(const struct tangent_search *search,
                                           const struct tangent_job *job,
                                           enum tangent_mode mode,
                                           const struct one_rings *rings,
                                           struct arena *arena)
{
    const struct encoder *e = search->e;
    struct lift_hierarchy hierarchy =
        e->plan.meshes[job->mesh].parts[job->part];

    if (mode == TANGENT_SHARED_WEIGHTS ||
        (rings && e->clip->frame_count < FRAMES_FOR_CHANNEL_WEIGHTS &&
         !e->job->options->guesses_all))
        return hierarchy;
    lift_train_channel_weights(e->clip, search->frames, &e->plan, job->mesh,
                               job->part, search->index_distance, rings,
                               mode == TANGENT_GUESS_SIGNS, arena,
                               hierarchy.channel_weights);
    return hierarchy;
}

/* Step 4 for one part. */
static void train_job(void *user, uint32_t number, uint32_t worker)
{
    const struct tangent_search *search = user;
    const struct tangent_job *job = &search->jobs[number];
    struct lift_plan *plan = &search->e->plan;
    struct lift_plan_mesh *mesh = &plan->meshes[job->mesh];
    struct arena *arena = &plan->arenas[worker];
    struct one_rings *rings = NULL;

    phases_enter(PHASE_SEARCH);
    if (mesh->rings && (rings = train_rings(search, job, arena)) != NULL)
        mesh->rings[job->part] = *rings;
    mesh->parts[job->part] =
        train_weights(search, job, job->candidates->mode, rings, arena);
    phases_enter(PHASE_OTHER);
}

/* Step 4. chosen: the candidate of each mesh; NULL: the mesh has no QTangents
 * to predict. */
static void train_all(struct tangent_search *search,
                      const struct tangent_candidate *const *chosen,
                      struct arena *arena)
{
    struct encoder *e = search->e;
    uint32_t part_count = 0;

    for (uint32_t m = 0; m < e->clip->mesh_count; m++)
        part_count += chosen[m] ? e->plan.meshes[m].part_count : 0;
    search->jobs = ARENA_NEW(arena, struct tangent_job, part_count);
    search->job_count = 0;
    for (uint32_t m = 0; m < e->clip->mesh_count; m++) {
        struct lift_plan_mesh *mesh = &e->plan.meshes[m];

        if (!chosen[m])
            continue;
        if (tangent_has_guess(chosen[m]))
            mesh->rings =
                ARENA_NEW(&e->arena, struct one_rings, mesh->part_count);
        mesh->has_guess_signs = chosen[m]->mode == TANGENT_GUESS_SIGNS;
        for (uint32_t p = 0; p < mesh->part_count; p++)
            search->jobs[search->job_count++] =
                (struct tangent_job){.mesh = m,
                                     .part = p,
                                     .candidates = chosen[m],
                                     .candidate_count = 1};
    }
    workers_run(e->workers, search->job_count, train_job, search);
}

/* -- choice -- */

/* List the jobs of a sample part. Return their number. */
static uint32_t list_part(const struct encoder *e, uint32_t mesh, uint32_t part,
                          struct tangent_job *jobs)
{
    const uint32_t limit = may_guess(e, mesh) ? CANDIDATES : WITHOUT_GUESS;
    uint32_t count = 0;

    for (uint32_t c = 0; c < limit; c += jobs[count++].candidate_count)
        jobs[count] = (struct tangent_job){
            .mesh = mesh,
            .part = part,
            .candidates = &candidates[c],
            .candidate_count = c < WITHOUT_GUESS ? 1 : 2,
        };
    return count;
}

/* Step 1. Return the number of jobs. */
static uint32_t list_jobs(const struct encoder *e, struct tangent_job *jobs)
{
    uint32_t count = 0;

    for (uint32_t m = 0; m < e->clip->mesh_count; m++) {
        const uint32_t parts = e->plan.meshes[m].part_count;
        const uint32_t samples = parts < PARTS_FOR_TWO ? 1 : SAMPLE_PARTS;

        for (uint32_t i = 0; has_tangents(e, m) && i < samples; i++)
            count += list_part(e, m, (uint32_t)((uint64_t)parts * i / samples),
                               jobs + count);
    }
    return count;
}

/* Step 2 for one job. */
static void evaluate_job(void *user, uint32_t number, uint32_t worker)
{
    const struct tangent_search *search = user;
    struct tangent_job *job = &search->jobs[number];
    struct encoder_thread *thread = &search->e->threads[worker];
    const bool has_guess = tangent_has_guess(job->candidates);
    struct one_rings *rings = NULL;

    phases_enter(PHASE_SEARCH);
    if (has_guess)
        rings = train_rings(search, job, &thread->arena);
    for (uint32_t c = 0;
         c < job->candidate_count && has_guess == (rings != NULL); c++) {
        const struct tangent_candidate *candidate = &job->candidates[c];
        const struct lift_hierarchy hierarchy =
            train_weights(search, job, candidate->mode, rings, &thread->arena);

        job->costs[c] =
            tangent_estimate(search, job, candidate, &hierarchy, rings, thread);
    }
    arena_reset(&thread->arena);
    phases_enter(PHASE_OTHER);
}

static double weigh(const struct tangent_cost *cost, double static_weight)
{
    return cost->frame_bytes + static_weight * cost->static_bytes;
}

/* Step 3 for one mesh. costs: of each candidate; with 0 frame bytes, it was not
 * evaluated. */
static const struct tangent_candidate *choose(
    const struct tangent_cost costs[CANDIDATES])
{
    size_t without = 0;
    size_t best;

    for (size_t c = 1; c < WITHOUT_GUESS; c++)
        if (weigh(&costs[c], STATIC_WEIGHT) <
            weigh(&costs[without], STATIC_WEIGHT))
            without = c;
    best = without;
    for (size_t c = WITHOUT_GUESS; c < CANDIDATES; c++)
        if (costs[c].frame_bytes > 0 &&
            costs[c].frame_bytes <
                FRAME_BYTES_MAX * costs[without].frame_bytes &&
            weigh(&costs[c], STATIC_WEIGHT_FILE) <
                weigh(&costs[without], STATIC_WEIGHT_FILE) &&
            weigh(&costs[c], STATIC_WEIGHT) <
                weigh(&costs[best], STATIC_WEIGHT))
            best = c;
    return &candidates[best];
}

static void choose_all(const struct tangent_search *search,
                       const struct tangent_candidate **chosen)
{
    uint32_t i = 0;

    while (i < search->job_count) {
        const uint32_t mesh = search->jobs[i].mesh;
        struct tangent_cost costs[CANDIDATES] = {{0}};

        for (; i < search->job_count && search->jobs[i].mesh == mesh; i++) {
            const struct tangent_job *job = &search->jobs[i];
            struct tangent_cost *sums = &costs[job->candidates - candidates];

            for (uint32_t c = 0; c < job->candidate_count; c++) {
                sums[c].frame_bytes += job->costs[c].frame_bytes;
                sums[c].static_bytes += job->costs[c].static_bytes;
            }
        }
        chosen[mesh] = choose(costs);
    }
}

/* For tests: choose without an evaluation. Meshes that may have a guess get the
 * two modes with a guess alternately, the others per-channel weights. */
static void choose_forced(const struct encoder *e,
                          const struct tangent_candidate **chosen)
{
    for (uint32_t m = 0; m < e->clip->mesh_count; m++) {
        size_t c = TANGENT_CHANNEL_WEIGHTS;

        if (e->job->options->guesses_all && may_guess(e, m))
            c = m % 2 ? TANGENT_GUESS_SIGNS : TANGENT_GUESS;
        for (size_t i = CANDIDATES; i-- > 0 && has_tangents(e, m);)
            if (candidates[i].mode == (enum tangent_mode)c)
                chosen[m] = &candidates[i];
    }
}

void encoder_choose_tangents(struct encoder *e,
                             const struct lift_frames *frames,
                             uint32_t index_distance)
{
    struct tangent_search search = {
        .e = e, .frames = frames, .index_distance = index_distance};
    const struct tangent_candidate **chosen;
    struct arena arena;

    arena_init(&arena);
    chosen = ARENA_NEW(&arena, const struct tangent_candidate *,
                       e->clip->mesh_count);
    if (e->job->options->guesses_all || e->job->options->lifts_all) {
        choose_forced(e, chosen);
    } else {
        search.jobs =
            ARENA_NEW(&arena, struct tangent_job,
                      (size_t)e->clip->mesh_count * SAMPLE_PARTS * CANDIDATES);
        search.job_count = list_jobs(e, search.jobs);
        workers_run(e->workers, search.job_count, evaluate_job, &search);
        choose_all(&search, chosen);
    }
    train_all(&search, chosen, &arena);
    arena_free(&arena);
}
