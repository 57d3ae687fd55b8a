/* encode_distance.c - chooses the distance of index frames in lifted files.
 *
 * Long groups have fewer index frames, but take more memory to play. The long
 * distance, twice the short one, is therefore chosen only if it saves a good
 * part of the bytes. Some parts of each mesh are measured in one long group:
 * all frames whose references differ between the distances, and one other frame
 * as a sample of the rest.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/encode_distance.h"

#include "common/phases.h"
#include "compile/encode/lift/lift_pyramid.h"

#define SAMPLE_PARTS 2u
/* The long distance is chosen only if its groups take at most this part of the
 * bits. */
#define LONG_BITS_MAX 0.97
#define SHORT LIFT_DISTANCE
#define LONG (2 * LIFT_DISTANCE)

struct distance_job {
    struct encoder_place place;
    double bits[2]; /* [0]: short groups; [1]: the long group */
};

struct distance_choice {
    struct encoder *e;
    const struct lift_frames *frames;
    struct distance_job *jobs;
};

/* -- one frame -- */

static void load_numbers(const struct encoder *e,
                         const struct lift_frames *frames,
                         const struct encoder_place *at, enum channel channel,
                         uint32_t index, int16_t *out)
{
    lift_plan_numbers(
        channel, lift_frames_values(frames, index, at->mesh, channel),
        lift_plan_order(e->clip, &e->plan, at->mesh, at->part),
        e->plan.meshes[at->mesh].parts[at->part].vertex_count, out);
}

void encoder_load_target(const struct encoder *e,
                         const struct lift_frames *frames, uint32_t distance,
                         const struct encoder_place *at, uint32_t index,
                         bool has_positions, struct encoder_thread *thread,
                         struct lift_target *target)
{
    uint32_t references[LIFT_FRAMES_MAX];

    *target = (struct lift_target){
        .channel = at->channel,
        .hierarchy = &e->plan.meshes[at->mesh].parts[at->part],
        .values = thread->numbers[0]};
    load_numbers(e, frames, at, at->channel, index, thread->numbers[0]);
    if (has_positions)
        load_numbers(e, frames, at, CHANNEL_POSITION, index, thread->positions);
    if (has_positions &&
        (e->clip->meshes[at->mesh].animated_mask & CHANNEL_BIT(CHANNEL_UV)))
        lift_plan_add_v(lift_frames_values(frames, index, at->mesh, CHANNEL_UV),
                        lift_plan_order(e->clip, &e->plan, at->mesh, at->part),
                        target->hierarchy->vertex_count, thread->positions);
    target->positions = has_positions ? thread->positions : NULL;
    target->from_count = lift_pyramid_references(
        frames->numbers[index], e->clip->frame_count, distance, references);
    for (uint32_t j = 0; j < target->from_count; j++) {
        load_numbers(e, frames, at, at->channel,
                     lift_frames_find(frames, references[j]),
                     thread->numbers[1 + j]);
        target->from[j] = thread->numbers[1 + j];
    }
}

static uint64_t bits_of(const struct distance_choice *c, uint32_t distance,
                        const struct encoder_place *at, uint32_t index,
                        struct encoder_thread *thread)
{
    struct lift_target target;
    struct lift_found found;

    encoder_load_target(c->e, c->frames, distance, at, index, false, thread,
                        &target);
    lift_search(&target, &thread->lift, &found);
    return lift_found_bits(&target, &thread->lift);
}

/* -- one part -- */

/* Return the index of the anchor of a long group whose frames are all training
 * frames and show the mesh. The search starts in the middle of the clip. Return
 * frames->count if there is none. */
static uint32_t find_group(const struct distance_choice *c, uint32_t mesh)
{
    const struct lift_frames *frames = c->frames;

    for (uint32_t i = 0; i < frames->count; i++) {
        const uint32_t at = (frames->count / 2 + i) % frames->count;
        bool is_whole =
            frames->numbers[at] % LONG == 0 && frames->count - at > LONG &&
            frames->numbers[at + LONG] == frames->numbers[at] + LONG;

        for (uint32_t k = 0; is_whole && k <= LONG; k++)
            is_whole =
                lift_frames_values(frames, at + k, mesh, CHANNEL_POSITION);
        if (is_whole)
            return at;
    }
    return frames->count;
}

static void measure_job(void *user, uint32_t number, uint32_t worker)
{
    static const uint32_t slots[] = {4, 6, 8, 10, 12};
    const struct distance_choice *c = user;
    struct distance_job *job = &c->jobs[number];
    struct encoder_thread *thread = &c->e->threads[worker];
    const uint32_t anchor = find_group(c, job->place.mesh);
    double same;

    if (anchor == c->frames->count)
        return;
    phases_enter(PHASE_SEARCH);
    /* Ten other frames have the same references with both distances. The third
     * frame is a sample of them. */
    same = 10 * (double)bits_of(c, SHORT, &job->place, anchor + 3, thread);
    for (int is_long = 0; is_long < 2; is_long++)
        for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++) {
            const double bits =
                (double)bits_of(c, is_long ? LONG : SHORT, &job->place,
                                anchor + slots[i], thread);

            job->bits[is_long] += bits;
            /* Both distances have an index frame at the end of the long group.
             * The one in the middle is a sample of it. */
            if (!is_long && slots[i] == SHORT)
                same += bits;
        }
    job->bits[0] += same;
    job->bits[1] += same;
    phases_enter(PHASE_OTHER);
}

/* -- all -- */

static uint32_t list_jobs(const struct encoder *e, struct distance_job *jobs)
{
    uint32_t count = 0;

    for (uint32_t m = 0; m < e->clip->mesh_count; m++) {
        const struct lift_plan_mesh *mesh = &e->plan.meshes[m];
        const uint32_t parts =
            mesh->part_count < SAMPLE_PARTS ? mesh->part_count : SAMPLE_PARTS;

        for (uint32_t i = 0; mesh->is_lifted && i < parts; i++)
            for (uint32_t c = 0; c < CHANNEL_COUNT; c++)
                if (e->clip->meshes[m].animated_mask & CHANNEL_BIT(c) &
                    (CHANNEL_BIT(CHANNEL_POSITION) |
                     CHANNEL_BIT(CHANNEL_QTANGENT)))
                    jobs[count++] = (struct distance_job){
                        .place = {.channel = (enum channel)c,
                                  .mesh = m,
                                  .part =
                                      (uint32_t)((uint64_t)mesh->part_count *
                                                 i / parts)}};
    }
    return count;
}

uint32_t encoder_choose_distance(struct encoder *e,
                                 const struct lift_frames *frames)
{
    struct distance_choice choice = {.e = e, .frames = frames};
    double bits[2] = {0, 0};
    struct arena arena;
    uint32_t count;

    if (e->clip->frame_count <= LONG)
        return SHORT;
    arena_init(&arena);
    choice.jobs =
        ARENA_NEW(&arena, struct distance_job,
                  (size_t)e->clip->mesh_count * SAMPLE_PARTS * CHANNEL_COUNT);
    count = list_jobs(e, choice.jobs);
    workers_run(e->workers, count, measure_job, &choice);
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++) {
            const struct encoder_place *at = &choice.jobs[i].place;

            bits[k] +=
                choice.jobs[i].bits[k] * e->plan.meshes[at->mesh].part_count;
        }
    arena_free(&arena);
    return bits[1] < LONG_BITS_MAX * bits[0] ? LONG : SHORT;
}
