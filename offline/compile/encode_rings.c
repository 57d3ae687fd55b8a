/* encode_rings.c - whose QTangents are predicted by the positions of their
 * frame.
 *
 * Of each lifted mesh some parts are asked in some frames: the entropy of what
 * time and space leave over, against that with guesses by weights of several
 * qualities, and what rings cost on the disc. Guesses are slower to decode, so
 * they must save a part of the frames. Either they are turned, and QTangents
 * are continuous in time; or, where those are too wild, all frames of a mesh
 * hold the signs of the guesses and are predicted by nothing else.
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
#define FRAMES_ASKED 6u
/* Of the bytes of QTangents in frames, what guesses may take at most. */
#define WORTH 0.93
/* Of a byte that is read whenever the clip plays, what one counts that is read
 * when it is opened. */
#define ONCE 0.5

/* Noisy motion is guessed as well by weights that cost little. */
static const struct ring_quality qualities[] = {
    {RING_WEIGHT_MAX, 16}, {RING_WEIGHT_MAX, 4}, {60, 1}, {6, 1}};
#define QUALITIES (sizeof qualities / sizeof qualities[0])

/* By each quality with guesses that are turned as needed; by each with signs
 * that are the guesses'; and without rings. */
#define WAYS (2u * (uint32_t)QUALITIES + 1u)
#define BY_TIME (WAYS - 1u)

struct turn {
    uint32_t mesh;
    uint32_t part;
    /* bytes a vertex of all frames, and with what is stored once */
    double frames[WAYS];
    double all[WAYS];
};

struct rings_choice {
    struct encoder *e;
    const struct lift_frames *frames;
    uint32_t distance;
    struct turn *turns;
    struct ring_quality quality; /* of those that are trained */
};

/* ---- asking -------------------------------------------------------------- */

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

/* Bytes of one frame each way. */
static void ask_frame(const struct rings_choice *c, const struct turn *turn,
                      const struct ring_shape *rings, uint32_t index,
                      struct encoder_thread *thread, double bytes[WAYS])
{
    const struct encoder_place place = {CHANNEL_QTANGENT, turn->mesh,
                                        turn->part};

    for (uint32_t way = 0; way < WAYS; way++)
        bytes[way] += (double)encoder_bits(
                          c->e, c->frames, c->distance, &place, index,
                          way == BY_TIME ? NULL : &rings[way % QUALITIES],
                          way >= QUALITIES && way != BY_TIME, thread) /
                      8;
}

static bool is_index_frame(const struct rings_choice *c, uint32_t number)
{
    uint32_t references[LIFT_FRAMES_MAX];

    return lift_pyramid_references(number, c->e->clip->frame_count, c->distance,
                                   references) == 0;
}

static uint32_t count_index_frames(const struct rings_choice *c)
{
    uint32_t count = 0;

    for (uint32_t f = 0; f < c->e->clip->frame_count; f++)
        count += is_index_frame(c, f);
    return count;
}

/* Index frames stand for those of the clip, and others for the others. */
static void ask_frames(const struct rings_choice *c, struct turn *turn,
                       const struct ring_shape *rings,
                       struct encoder_thread *thread)
{
    const uint32_t frame_count = c->e->clip->frame_count;
    const uint32_t index_frames = count_index_frames(c);
    const double in_clip[2] = {frame_count - index_frames, index_frames};
    /* Odd, so that all places in a group are asked. */
    const uint32_t stride = (c->frames->count / FRAMES_ASKED) | 1u;
    uint32_t asked[2] = {0, 0};
    double bytes[2][WAYS] = {{0}};

    for (uint32_t i = 0;
         i < c->frames->count && asked[0] + asked[1] < FRAMES_ASKED;
         i += stride) {
        const bool is_index = is_index_frame(c, c->frames->numbers[i]);

        if (!is_whole(c, turn->mesh, i))
            continue;
        ask_frame(c, turn, rings, i, thread, bytes[is_index]);
        asked[is_index]++;
    }
    for (int k = 0; k < 2; k++)
        for (uint32_t way = 0; way < WAYS && asked[k] > 0; way++)
            turn->frames[way] += bytes[k][way] * in_clip[k] / asked[k];
}

static void ask_turn(void *user, uint32_t number, uint32_t worker)
{
    const struct rings_choice *c = user;
    struct turn *turn = &c->turns[number];
    struct encoder_thread *thread = &c->e->threads[worker];
    const double vertices =
        c->e->plan.meshes[turn->mesh].parts[turn->part].vertex_count;
    struct ring_shape rings[QUALITIES];
    bool is_good = true;

    phases_enter(PHASE_SEARCH);
    for (size_t k = 0; k < QUALITIES && is_good; k++)
        is_good = lift_train_rings(c->e->clip, c->frames, &c->e->plan,
                                   turn->mesh, turn->part, qualities[k],
                                   &thread->arena, &rings[k]);
    if (is_good)
        ask_frames(c, turn, rings, thread);
    for (uint32_t way = 0; way < WAYS && is_good; way++) {
        turn->frames[way] /= vertices;
        turn->all[way] = turn->frames[way];
        if (way != BY_TIME)
            turn->all[way] +=
                ONCE * static_bytes(c, turn, &rings[way % QUALITIES], thread) /
                vertices;
    }
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
                           c->quality, &plan->arenas[worker],
                           &plan->meshes[turn->mesh].rings[turn->part]);
    phases_enter(PHASE_OTHER);
}

static void train_mesh(struct rings_choice *c, uint32_t mesh, uint32_t way)
{
    struct encoder *e = c->e;
    struct lift_plan_mesh *lifted = &e->plan.meshes[mesh];
    struct arena scratch;

    arena_init(&scratch);
    lifted->rings = ARENA_NEW(&e->arena, struct ring_shape, lifted->part_count);
    c->turns = ARENA_NEW(&scratch, struct turn, lifted->part_count);
    for (uint32_t p = 0; p < lifted->part_count; p++)
        c->turns[p] = (struct turn){.mesh = mesh, .part = p};
    lifted->is_turned = way >= QUALITIES;
    c->quality = qualities[way % QUALITIES];
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

/* The way that suits a mesh. */
static uint32_t decide(const struct turn *turns, uint32_t count, uint32_t mesh)
{
    double frames[WAYS] = {0};
    double all[WAYS] = {0};
    uint32_t best = BY_TIME;

    for (uint32_t i = 0; i < count; i++)
        for (uint32_t way = 0; way < WAYS && turns[i].mesh == mesh; way++) {
            frames[way] += turns[i].frames[way];
            all[way] += turns[i].all[way];
        }
    for (uint32_t way = 0; way < BY_TIME; way++)
        if (frames[way] < WORTH * frames[BY_TIME] && all[way] < all[best])
            best = way;
    return best;
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
        /* One mesh each way. */
        const uint32_t way =
            guesses_all ? m % 2 * (uint32_t)QUALITIES : decide(turns, count, m);

        if (may_have_rings(e, m) && way != BY_TIME) {
            train_mesh(&choice, m, way);
            has_rings = true;
        }
    }
    arena_free(&arena);
    if (has_rings)
        encoder_train_tables(e, frames, distance);
    return !diag_has_failed(e->diag);
}
