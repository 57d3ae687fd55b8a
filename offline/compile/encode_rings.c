/* encode_rings.c - whose QTangents are predicted by the positions of their
 * frame.
 *
 * Of each lifted mesh some parts are asked in some frames: the entropy of what
 * time and space leave over, against that of the guesses with weights of
 * several precisions and what rings cost on the disc. Guesses are slower to
 * decode, so they must save a good part of the frames, and the file must not
 * become larger. Frames hold the sign that is closer
 * to the guess, so a mesh goes one way or the other as a whole.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encoder.h"

#include "common/phases.h"
#include "compile/lift_parts.h"
#include "compile/lift_pyramid.h"
#include "compile/lift_train.h"
#include "compile/lift_wire_write.h"
#include "compile/ring_train.h"

#define PARTS_ASKED 2u
#define FRAMES_ASKED 8u
/* Of the bytes of QTangents in frames, what guesses may take at most. */
#define WORTH 0.85

/* Noisy motion is guessed as well with few steps, which cost little. */
static const double weight_max[] = {RING_WEIGHT_MAX, 48, 12, 4};
#define PRECISIONS (sizeof weight_max / sizeof weight_max[0])

struct turn {
    uint32_t mesh;
    uint32_t part;
    /* bytes a vertex of all frames, and of what is stored once */
    double by_time;
    double by_rings[PRECISIONS];
    double rings[PRECISIONS];
};

struct rings_choice {
    struct encoder *e;
    const struct lift_frames *frames;
    uint32_t distance;
    struct turn *turns;
    double weight_max; /* of those that are trained */
};

/* ---- asking -------------------------------------------------------------- */

static void take(const struct rings_choice *c, const struct turn *turn,
                 enum channel channel, uint32_t index, int16_t *out)
{
    const struct lift_plan_mesh *mesh = &c->e->plan.meshes[turn->mesh];
    const uint32_t vertices = c->e->clip->meshes[turn->mesh].vertex_count;

    lift_plan_numbers(
        channel, lift_frames_values(c->frames, index, turn->mesh, channel),
        mesh->order + lift_parts_first(vertices, mesh->part_count, turn->part),
        mesh->parts[turn->part].vertex_count, out);
}

static uint64_t bits_by_rings(const struct rings_choice *c,
                              const struct turn *turn, uint32_t index,
                              const struct ring_shape *rings,
                              struct encoder_thread *thread)
{
    const struct lift_target target = {
        .channel = CHANNEL_QTANGENT,
        .shape = &c->e->plan.meshes[turn->mesh].parts[turn->part],
        .values = thread->numbers[0]};
    struct lift_found found;

    take(c, turn, CHANNEL_QTANGENT, index, thread->numbers[0]);
    take(c, turn, CHANNEL_POSITION, index, thread->numbers[1]);
    lift_search_rings(&target, rings, thread->numbers[1], thread->numbers[0],
                      &thread->lift, &found);
    return found.bits;
}

/* The frame and all that it refers to are there, and show the mesh. */
static bool is_whole(const struct rings_choice *c, uint32_t mesh,
                     uint32_t index)
{
    uint32_t references[LIFT_FRAMES_MAX];
    const uint32_t count = lift_pyramid_references(c->frames->numbers[index],
                                                   c->e->clip->frame_count,
                                                   c->distance, references);
    bool is_there =
        lift_frames_values(c->frames, index, mesh, CHANNEL_QTANGENT) != NULL;

    for (uint32_t j = 0; j < count && is_there; j++) {
        const uint32_t at = lift_frames_find(c->frames, references[j]);

        is_there = at < c->frames->count &&
                   lift_frames_values(c->frames, at, mesh, CHANNEL_QTANGENT);
    }
    return is_there;
}

static double static_bytes(const struct rings_choice *c,
                           const struct turn *turn,
                           const struct ring_shape *rings,
                           struct encoder_thread *thread)
{
    const struct ring_part_of triangles = lift_part_triangles(
        c->e->clip, &c->e->plan, turn->mesh, turn->part, &thread->arena);
    const struct wire_bytes wire =
        lift_wire_write_rings(rings, &triangles, &thread->arena);

    return (double)wire.count;
}

static void ask_turn(void *user, uint32_t number, uint32_t worker)
{
    const struct rings_choice *c = user;
    struct turn *turn = &c->turns[number];
    struct encoder_thread *thread = &c->e->threads[worker];
    const uint32_t frame_count = c->e->clip->frame_count;
    const double vertices =
        c->e->plan.meshes[turn->mesh].parts[turn->part].vertex_count;
    struct ring_shape rings[PRECISIONS];
    const struct encoder_place in_time = {CHANNEL_QTANGENT, turn->mesh,
                                          turn->part};
    /* Odd, so that all places in a group are asked. */
    const uint32_t stride = (c->frames->count / FRAMES_ASKED) | 1u;
    uint32_t asked = 0;

    phases_enter(PHASE_SEARCH);
    for (size_t k = 0; k < PRECISIONS; k++)
        if (!lift_train_rings(c->e->clip, c->frames, &c->e->plan, turn->mesh,
                              turn->part, weight_max[k], &thread->arena,
                              &rings[k]))
            asked = UINT32_MAX;
    for (uint32_t i = 0; i < c->frames->count && asked < FRAMES_ASKED;
         i += stride) {
        if (!is_whole(c, turn->mesh, i))
            continue;
        asked++;
        turn->by_time +=
            (double)encoder_bits_in_time(c->e, c->frames, c->distance, &in_time,
                                         i, thread) /
            8;
        for (size_t k = 0; k < PRECISIONS; k++)
            turn->by_rings[k] +=
                (double)bits_by_rings(c, turn, i, &rings[k], thread) / 8;
    }
    for (size_t k = 0; k < PRECISIONS && asked > 0 && asked <= FRAMES_ASKED;
         k++) {
        turn->by_rings[k] *= frame_count / (asked * vertices);
        turn->rings[k] = static_bytes(c, turn, &rings[k], thread) / vertices;
    }
    if (asked > 0)
        turn->by_time *= frame_count / (asked * vertices);
    arena_reset(&thread->arena);
    phases_enter(PHASE_OTHER);
}

/* ---- training ------------------------------------------------------------ */

static void train_turn(void *user, uint32_t number, uint32_t worker)
{
    const struct rings_choice *c = user;
    const struct turn *turn = &c->turns[number];
    struct lift_plan *plan = &c->e->plan;

    phases_enter(PHASE_SEARCH);
    (void)lift_train_rings(c->e->clip, c->frames, plan, turn->mesh, turn->part,
                           c->weight_max, &plan->arenas[worker],
                           &plan->meshes[turn->mesh].rings[turn->part]);
    phases_enter(PHASE_OTHER);
}

static void train_mesh(struct rings_choice *c, uint32_t mesh, double best)
{
    struct encoder *e = c->e;
    struct lift_plan_mesh *lifted = &e->plan.meshes[mesh];
    struct arena scratch;

    arena_init(&scratch);
    lifted->rings = ARENA_NEW(&e->arena, struct ring_shape, lifted->part_count);
    c->turns = ARENA_NEW(&scratch, struct turn, lifted->part_count);
    for (uint32_t p = 0; p < lifted->part_count; p++)
        c->turns[p] = (struct turn){.mesh = mesh, .part = p};
    c->weight_max = best;
    workers_run(e->workers, lifted->part_count, train_turn, c);
    arena_free(&scratch);
}

/* ---- all ----------------------------------------------------------------- */

static bool may_have_rings(const struct encoder *e, uint32_t mesh)
{
    const uint32_t needed =
        CHANNEL_BIT(CHANNEL_POSITION) | CHANNEL_BIT(CHANNEL_QTANGENT);

    return e->plan.meshes[mesh].is_lifted &&
           (e->clip->meshes[mesh].animated_mask & needed) == needed;
}

static uint32_t list_turns(const struct encoder *e, struct turn *turns)
{
    uint32_t count = 0;

    for (uint32_t m = 0; m < e->clip->mesh_count; m++) {
        const uint32_t parts = e->plan.meshes[m].part_count;
        const uint32_t asked = parts < PARTS_ASKED ? parts : PARTS_ASKED;

        for (uint32_t i = 0; may_have_rings(e, m) && i < asked; i++)
            turns[count++] = (struct turn){
                .mesh = m, .part = (uint32_t)((uint64_t)parts * i / asked)};
    }
    return count;
}

/* The precision that suits a mesh; 0: by time. */
static double decide(const struct turn *turns, uint32_t count, uint32_t mesh)
{
    double frames[PRECISIONS] = {0};
    double all[PRECISIONS] = {0};
    double by_time = 0;
    size_t best = 0;

    for (uint32_t i = 0; i < count; i++) {
        if (turns[i].mesh != mesh)
            continue;
        by_time += turns[i].by_time;
        for (size_t k = 0; k < PRECISIONS; k++) {
            frames[k] += turns[i].by_rings[k];
            all[k] += turns[i].by_rings[k] + turns[i].rings[k];
        }
    }
    for (size_t k = 1; k < PRECISIONS; k++)
        if (all[k] < all[best])
            best = k;
    return frames[best] > 0 && frames[best] < WORTH * by_time &&
                   all[best] <= by_time
               ? weight_max[best]
               : 0;
}

bool encoder_choose_rings(struct encoder *e, const struct lift_frames *frames,
                          uint32_t distance)
{
    struct rings_choice choice = {
        .e = e, .frames = frames, .distance = distance};
    const bool guesses_all = e->job->options->guesses_all;
    struct turn *turns;
    struct arena arena;
    bool has_rings = false;
    uint32_t count;

    arena_init(&arena);
    turns = ARENA_NEW(&arena, struct turn,
                      (size_t)e->clip->mesh_count * PARTS_ASKED);
    choice.turns = turns;
    count = list_turns(e, turns);
    if (!guesses_all)
        workers_run(e->workers, count, ask_turn, &choice);
    for (uint32_t m = 0; m < e->clip->mesh_count; m++) {
        const double best =
            guesses_all ? weight_max[0] : decide(turns, count, m);

        if (may_have_rings(e, m) && best > 0) {
            train_mesh(&choice, m, best);
            has_rings = true;
        }
    }
    arena_free(&arena);
    if (has_rings)
        encoder_train_tables(e, frames, distance);
    return !diag_has_failed(e->diag);
}
