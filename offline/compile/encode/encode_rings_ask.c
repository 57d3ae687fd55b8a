/* encode_rings_ask.c - what QTangents of some parts take in some frames, each
 * way.
 *
 * The entropy of what time and space leave over, against that with guesses, and
 * what is stored once. Where UVs move, rings of both kinds are made of few
 * frames first, and a kind that takes clearly more by those is asked no
 * further.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/encode_rings.h"

#include "common/phases.h"
#include "compile/encode/lift/lift_parts.h"
#include "compile/encode/lift/lift_pyramid.h"
#include "compile/encode/lift/lift_train.h"

#include <string.h>

#define FRAMES_ASKED 6u

/* By which kinds are told apart, and what is clear. */
#define KIND_FRAMES 8u
#define KIND_FRAMES_ASKED 3u
#define KIND_CLEAR_ONE_OF 16u

/* Noisy motion is guessed as well by weights that cost little. */
const struct ring_quality rings_qualities[RINGS_QUALITIES] = {
    {RING_WEIGHT_MAX, 16}, {RING_WEIGHT_MAX, 4}, {60, 1}, {6, 1}};

uint32_t rings_count_kinds(const struct encoder *e, uint32_t mesh)
{
    const uint32_t mask = e->clip->meshes[mesh].animated_mask;

    if (e->job->options->is_fast || !(mask & CHANNEL_BIT(CHANNEL_POSITION)))
        return 0;
    return mask & CHANNEL_BIT(CHANNEL_UV) ? RINGS_KINDS : 1;
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

/* -- ways -- */

/* What a part is asked with, as it is stored. */
static void write_asked(const struct rings_choice *c,
                        const struct rings_turn *turn, uint32_t worker,
                        struct rings_asked *a)
{
    struct lift_plan *plan = &c->e->plan;
    const struct lift_plan_mesh *mesh = &plan->meshes[turn->mesh];
    struct arena *arena = &c->e->threads[worker].arena;
    const uint32_t first =
        lift_parts_first(c->e->clip->meshes[turn->mesh].vertex_count,
                         mesh->part_count, turn->part);

    for (uint32_t i = 0; i < RINGS_SHAPES; i++) {
        if (i < 2 * RINGS_KINDS && !turn->has_kind[i / 2])
            continue;
        a->of_shape[i] =
            lift_wire_write(&a->shape[i], mesh->members + first, arena);
        if (c->is_kept)
            a->of_shape[i] = lift_plan_keep(plan, worker, a->of_shape[i]);
    }
    for (uint32_t i = 0; i < RINGS_KINDS * RINGS_QUALITIES; i++) {
        const uint32_t kind = i / RINGS_QUALITIES;
        const uint32_t quality = i % RINGS_QUALITIES;
        struct wire_bytes *out = &a->of_rings[kind][quality];
        struct one_ring_part triangles;

        if (!turn->has_kind[kind])
            continue;
        triangles = lift_part_triangles(c->e->clip, plan, turn->mesh,
                                        turn->part, arena);
        *out =
            lift_wire_write_rings(&a->rings[kind][quality], &triangles, arena);
        if (c->is_kept)
            *out = lift_plan_keep(plan, worker, *out);
    }
}

/* Bits by each quality, of which all that is not a guess is the same. */
static void ask_guesses(const struct lift_target *target,
                        const struct rings_asked *a, uint32_t kind,
                        struct encoder_thread *thread,
                        uint64_t bits[RINGS_QUALITIES])
{
    struct lift_target by = *target;
    struct lift_best frames;

    by.shape = &a->shape[2 * kind];
    by.rings = a->rings[kind];
    lift_search_frames(&by, &thread->lift, &frames);
    for (uint32_t i = 0; i < RINGS_QUALITIES; i++) {
        by.rings = &a->rings[kind][i];
        bits[i] = lift_search_rings(&by, &thread->lift, &frames);
    }
}

/* Bits by what turns the values. */
static void ask_turned(const struct lift_target *target,
                       const struct rings_asked *a, uint32_t kind,
                       struct encoder_thread *thread,
                       uint64_t bits[RINGS_QUALITIES])
{
    const size_t bytes =
        4 * (size_t)target->shape->vertex_count * sizeof(int16_t);
    int16_t *values = arena_alloc(&thread->arena, bytes, 1);
    struct lift_target by = *target;
    struct lift_found found;

    by.shape = &a->shape[2 * kind + 1];
    by.values = by.turned = values;
    for (uint32_t i = 0; i < RINGS_QUALITIES; i++) {
        memcpy(values, target->values, bytes);
        by.rings = &a->rings[kind][i];
        lift_search(&by, &thread->lift, &found);
        bits[i] = lift_found_bits(&by, &thread->lift);
    }
}

/* Bytes of one frame each way. */
static void ask_frame(const struct rings_choice *c,
                      const struct rings_turn *turn,
                      const struct rings_asked *a, uint32_t index,
                      struct encoder_thread *thread, double bytes[RINGS_WAYS])
{
    const struct encoder_place place = {CHANNEL_QTANGENT, turn->mesh,
                                        turn->part};
    uint64_t bits[RINGS_WAYS] = {0};
    struct lift_target target;
    struct lift_found found;

    encoder_take(c->e, c->frames, c->distance, &place, index,
                 turn->has_kind[0] || turn->has_kind[1], thread, &target);
    for (uint32_t kind = 0; kind < RINGS_KINDS; kind++) {
        uint64_t *of_kind = bits + 2 * kind * RINGS_QUALITIES;

        if (!turn->has_kind[kind])
            continue;
        ask_guesses(&target, a, kind, thread, of_kind);
        ask_turned(&target, a, kind, thread, of_kind + RINGS_QUALITIES);
    }
    lift_search(&target, &thread->lift, &found);
    bits[RINGS_BY_TIME] = lift_found_bits(&target, &thread->lift);
    target.shape = &a->shape[rings_way_shape(RINGS_BY_OWN)];
    lift_search(&target, &thread->lift, &found);
    bits[RINGS_BY_OWN] = lift_found_bits(&target, &thread->lift);
    for (uint32_t way = 0; way < RINGS_WAYS; way++)
        bytes[way] += (double)bits[way] / 8;
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
static void ask_frames(const struct rings_choice *c, struct rings_turn *turn,
                       const struct rings_asked *asked_with,
                       struct encoder_thread *thread)
{
    const uint32_t frame_count = c->e->clip->frame_count;
    const uint32_t index_frames = count_index_frames(c);
    const double in_clip[2] = {frame_count - index_frames, index_frames};
    /* Odd, so that all places in a group are asked. */
    const uint32_t stride = (c->frames->count / FRAMES_ASKED) | 1u;
    uint32_t asked[2] = {0, 0};
    double bytes[2][RINGS_WAYS] = {{0}};

    for (uint32_t i = 0;
         i < c->frames->count && asked[0] + asked[1] < FRAMES_ASKED;
         i += stride) {
        const bool is_index = is_index_frame(c, c->frames->numbers[i]);

        if (!is_whole(c, turn->mesh, i))
            continue;
        ask_frame(c, turn, asked_with, i, thread, bytes[is_index]);
        asked[is_index]++;
    }
    for (int k = 0; k < 2; k++)
        for (uint32_t way = 0; way < RINGS_WAYS && asked[k] > 0; way++)
            turn->frames[way] += bytes[k][way] * in_clip[k] / asked[k];
}

/* False: no frame shows the mesh. */
static bool make_asked(const struct rings_choice *c,
                       const struct rings_turn *turn, struct arena *arena,
                       struct rings_asked *a)
{
    const struct lift_plan_mesh *mesh = &c->e->plan.meshes[turn->mesh];
    bool is_good = true;

    for (uint32_t kind = 0; kind < RINGS_KINDS && is_good; kind++)
        if (turn->has_kind[kind])
            is_good =
                rings_train(c, turn, kind, rings_qualities, RINGS_QUALITIES,
                            LIFT_RING_FRAMES_MAX, arena, a->rings[kind]);
    for (uint32_t i = 0; i < 2 * RINGS_KINDS && is_good; i++)
        if (turn->has_kind[i / 2])
            a->shape[i] =
                rings_train_own(c, turn, a->rings[i / 2], i % 2 == 1, arena);
    if (is_good)
        a->shape[rings_way_shape(RINGS_BY_OWN)] =
            rings_train_own(c, turn, NULL, false, arena);
    a->shape[rings_way_shape(RINGS_BY_TIME)] = mesh->parts[turn->part];
    return is_good;
}

/* Beside what frames take, all a vertex. */
static void add_once(const struct rings_choice *c, struct rings_turn *turn,
                     const struct rings_asked *a)
{
    const double vertices =
        c->e->plan.meshes[turn->mesh].parts[turn->part].vertex_count;

    for (uint32_t way = 0; way < RINGS_WAYS; way++) {
        double once = (double)a->of_shape[rings_way_shape(way)].count;

        if (rings_way_has_any(way) && !turn->has_kind[rings_way_kind(way)])
            continue;
        if (rings_way_has_any(way))
            once +=
                (double)a->of_rings[rings_way_kind(way)][way % RINGS_QUALITIES]
                    .count;
        turn->frames[way] /= vertices;
        turn->once[way] = once / vertices;
    }
}

static void ask_turn(void *user, uint32_t number, uint32_t worker)
{
    const struct rings_choice *c = user;
    struct rings_turn *turn = &c->asked[number];
    struct encoder_thread *thread = &c->e->threads[worker];
    struct arena *arena =
        c->is_kept ? &c->e->plan.arenas[worker] : &thread->arena;
    struct rings_asked *a = ARENA_NEW(arena, struct rings_asked, 1);

    phases_enter(PHASE_SEARCH);
    if (make_asked(c, turn, arena, a)) {
        ask_frames(c, turn, a, thread);
        write_asked(c, turn, worker, a);
        add_once(c, turn, a);
        turn->asked = c->is_kept ? a : NULL;
    }
    arena_reset(&thread->arena);
    phases_enter(PHASE_OTHER);
}

/* -- kinds -- */

/* What each takes in few frames, by weights of few frames. */
static void kinds_turn(void *user, uint32_t number, uint32_t worker)
{
    const struct rings_choice *c = user;
    struct rings_turn *turn = &c->asked[number];
    const struct encoder_place place = {CHANNEL_QTANGENT, turn->mesh,
                                        turn->part};
    struct encoder_thread *thread = &c->e->threads[worker];
    const uint32_t stride = (c->frames->count / KIND_FRAMES_ASKED) | 1u;
    struct one_rings rings[RINGS_KINDS];
    bool is_good = rings_count_kinds(c->e, turn->mesh) > 1;

    phases_enter(PHASE_SEARCH);
    for (uint32_t kind = 0; kind < RINGS_KINDS && is_good; kind++)
        is_good = rings_train(c, turn, kind, rings_qualities, 1, KIND_FRAMES,
                              &thread->arena, &rings[kind]);
    for (uint32_t i = 0, asked = 0;
         i < c->frames->count && asked < KIND_FRAMES_ASKED && is_good;
         i += stride) {
        struct lift_target target;
        struct lift_found found;

        if (!is_whole(c, turn->mesh, i))
            continue;
        asked++;
        encoder_take(c->e, c->frames, c->distance, &place, i, true, thread,
                     &target);
        for (uint32_t kind = 0; kind < RINGS_KINDS; kind++) {
            target.rings = &rings[kind];
            lift_search(&target, &thread->lift, &found);
            turn->of_kind[kind] += lift_found_bits(&target, &thread->lift);
        }
    }
    arena_reset(&thread->arena);
    phases_enter(PHASE_OTHER);
}

/* By all parts of a mesh that are asked. */
static void choose_kinds(const struct rings_choice *c, uint32_t mesh)
{
    const uint32_t end = c->first_asked[mesh + 1];
    const uint32_t kinds = rings_count_kinds(c->e, mesh);
    uint64_t bits[RINGS_KINDS] = {0};

    for (uint32_t i = c->first_asked[mesh]; i < end; i++)
        for (uint32_t kind = 0; kind < kinds; kind++)
            bits[kind] += c->asked[i].of_kind[kind];
    for (uint32_t kind = 0; kind < kinds; kind++) {
        const uint64_t other = kinds > 1 ? bits[!kind] : bits[kind];
        const bool has = bits[kind] <= other + other / KIND_CLEAR_ONE_OF;

        for (uint32_t i = c->first_asked[mesh]; i < end; i++)
            c->asked[i].has_kind[kind] = has;
    }
}

void rings_ask(struct rings_choice *c)
{
    workers_run(c->e->workers, rings_asked_count(c), kinds_turn, c);
    for (uint32_t m = 0; m < c->e->clip->mesh_count; m++)
        choose_kinds(c, m);
    workers_run(c->e->workers, rings_asked_count(c), ask_turn, c);
}
