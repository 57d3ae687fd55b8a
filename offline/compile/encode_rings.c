/* encode_rings.c - whose QTangents are predicted by the positions of their
 * frame, and whose by weights of their own.
 *
 * Of each lifted mesh some parts are asked in some frames: the entropy of what
 * time and space leave over, against that with guesses by weights of several
 * qualities, and what rings cost on the disc. Guesses are slower to decode, so
 * they must save a part of the frames. Either they are turned, and QTangents
 * are continuous in time; or, where those are too wild, all frames of a mesh
 * hold the signs of the guesses and are predicted by nothing else. Where UVs
 * move, guesses by those are asked, too. Weights of their own cost nothing when
 * decoding: in clips that are not short, guesses have those in time, and
 * without guesses both are asked as rings are.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encoder.h"

#include "common/phases.h"
#include "compile/lift_parts.h"
#include "compile/lift_pyramid.h"
#include "compile/lift_train.h"
#include "compile/lift_wire_write.h"
#include "compile/ring_train.h"

#include <string.h>

#define PARTS_ASKED 2u
#define PARTS_WORTH_TWO 4u /* of fewer one is asked */
/* As many vertices may keep what they are asked with, some 400 bytes each. */
#define VERTICES_KEPT (1u << 16)
#define FRAMES_ASKED 6u
/* Of the bytes of QTangents in frames, what guesses may take at most. */
#define WORTH 0.93
/* Of a byte that is read whenever the clip plays, what one counts that is read
 * when it is opened. */
#define ONCE 0.4

/* Below this, weights for what guesses leave over are not asked. */
#define FRAMES_WORTH_OWN 24u

/* Noisy motion is guessed as well by weights that cost little. */
static const struct ring_quality qualities[] = {
    {RING_WEIGHT_MAX, 16}, {RING_WEIGHT_MAX, 4}, {60, 1}, {6, 1}};
#define QUALITIES (sizeof qualities / sizeof qualities[0])

/* Rings, and rings by UVs. */
#define KINDS 2u

/* Of each kind, by each quality with guesses that are turned as needed; by each
 * with signs that are the guesses'; without rings, by own weights, and without
 * those. */
#define BY_OWN (2u * KINDS * (uint32_t)QUALITIES)
#define BY_TIME (BY_OWN + 1u)
#define WAYS (BY_TIME + 1u)

static bool way_has_rings(uint32_t way)
{
    return way < BY_OWN;
}

static bool way_is_turned(uint32_t way)
{
    return way_has_rings(way) && way / QUALITIES % 2 == 1;
}

static uint32_t way_kind(uint32_t way)
{
    return way / (2 * (uint32_t)QUALITIES);
}

#define SHAPES (2u * KINDS + 2u)

/* What a part is asked with. */
struct asked {
    uint32_t kind_count; /* 0: no rings */
    struct ring_shape rings[KINDS][QUALITIES];
    /* of each kind by guesses, and by guesses that hold their signs; by own
     * weights in time, and without those */
    struct lift_shape shape[SHAPES];
    /* as they are stored */
    struct wire_bytes of_rings[KINDS][QUALITIES];
    struct wire_bytes of_shape[SHAPES];
};

struct turn {
    uint32_t mesh;
    uint32_t part;
    const struct asked *asked; /* kept; NULL: not */
    /* bytes a vertex of all frames, and with what is stored once */
    double frames[WAYS];
    double all[WAYS];
};

struct rings_choice {
    struct encoder *e;
    const struct lift_frames *frames;
    uint32_t distance;
    struct turn *asked; /* parts that are asked, */
    uint32_t asked_count;
    bool is_kept; /* and what they are asked with is kept */
    struct turn *turns;
    uint32_t way; /* of those that are trained */
};

/* Which of the shapes. */
static uint32_t shape_of(uint32_t way)
{
    return way_has_rings(way) ? way / (uint32_t)QUALITIES
                              : way - BY_OWN + 2 * KINDS;
}

static bool is_asked(const struct asked *a, uint32_t way)
{
    return !way_has_rings(way) || way_kind(way) < a->kind_count;
}

/* With weights of its own as the way has them. */
static struct lift_shape train_own(const struct rings_choice *c, uint32_t mesh,
                                   uint32_t part,
                                   const struct ring_shape *rings,
                                   bool is_turned, struct arena *arena)
{
    struct lift_shape shape = c->e->plan.meshes[mesh].parts[part];

    if (rings && c->e->clip->frame_count < FRAMES_WORTH_OWN &&
        !c->e->job->options->guesses_all)
        return shape;
    lift_train_own(c->e->clip, c->frames, &c->e->plan, mesh, part, c->distance,
                   rings, is_turned, arena, shape.own);
    return shape;
}

/* ---- asking -------------------------------------------------------------- */

/* Of rings. */
static uint32_t count_kinds(const struct encoder *e, uint32_t mesh)
{
    const uint32_t mask = e->clip->meshes[mesh].animated_mask;

    if (e->job->options->is_fast || !(mask & CHANNEL_BIT(CHANNEL_POSITION)))
        return 0;
    return mask & CHANNEL_BIT(CHANNEL_UV) ? KINDS : 1;
}

static bool may_have_own(const struct encoder *e, uint32_t mesh)
{
    return e->plan.meshes[mesh].is_lifted &&
           (e->clip->meshes[mesh].animated_mask &
            CHANNEL_BIT(CHANNEL_QTANGENT));
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

/* What a part is asked with, as it is stored. */
static void write_asked(const struct rings_choice *c, const struct turn *turn,
                        uint32_t worker, struct asked *a)
{
    struct lift_plan *plan = &c->e->plan;
    const struct lift_plan_mesh *mesh = &plan->meshes[turn->mesh];
    struct arena *arena = &c->e->threads[worker].arena;
    const uint32_t first =
        lift_parts_first(c->e->clip->meshes[turn->mesh].vertex_count,
                         mesh->part_count, turn->part);

    for (uint32_t i = 0; i < SHAPES; i++) {
        if (i >= 2 * a->kind_count && i < shape_of(BY_OWN))
            continue;
        a->of_shape[i] =
            lift_wire_write(&a->shape[i], mesh->members + first, arena);
        if (c->is_kept)
            a->of_shape[i] = lift_plan_keep(plan, worker, a->of_shape[i]);
    }
    for (uint32_t i = 0; i < QUALITIES * a->kind_count; i++) {
        const struct ring_part_of triangles = lift_part_triangles(
            c->e->clip, plan, turn->mesh, turn->part, arena);
        struct wire_bytes *out = &a->of_rings[i / QUALITIES][i % QUALITIES];

        *out = lift_wire_write_rings(&a->rings[i / QUALITIES][i % QUALITIES],
                                     &triangles, arena);
        if (c->is_kept)
            *out = lift_plan_keep(plan, worker, *out);
    }
}

/* Bits by each quality, of which all that is not a guess is the same. */
static void ask_guesses(const struct lift_target *target, const struct asked *a,
                        uint32_t kind, struct encoder_thread *thread,
                        uint64_t bits[QUALITIES])
{
    struct lift_target by = *target;
    struct lift_best frames;

    by.shape = &a->shape[2 * kind];
    by.rings = a->rings[kind];
    lift_search_frames(&by, &thread->lift, &frames);
    for (uint32_t i = 0; i < QUALITIES; i++) {
        by.rings = &a->rings[kind][i];
        bits[i] = lift_search_rings(&by, &thread->lift, &frames);
    }
}

/* Bits by what turns the values. */
static void ask_turned(const struct lift_target *target, const struct asked *a,
                       uint32_t kind, struct encoder_thread *thread,
                       uint64_t bits[QUALITIES])
{
    const size_t bytes =
        4 * (size_t)target->shape->vertex_count * sizeof(int16_t);
    int16_t *values = arena_alloc(&thread->arena, bytes, 1);
    struct lift_target by = *target;
    struct lift_found found;

    by.shape = &a->shape[2 * kind + 1];
    by.values = by.turned = values;
    for (uint32_t i = 0; i < QUALITIES; i++) {
        memcpy(values, target->values, bytes);
        by.rings = &a->rings[kind][i];
        lift_search(&by, &thread->lift, &found);
        bits[i] = lift_found_bits(&by, &thread->lift);
    }
}

/* Bytes of one frame each way. */
static void ask_frame(const struct rings_choice *c, const struct turn *turn,
                      const struct asked *a, uint32_t index,
                      struct encoder_thread *thread, double bytes[WAYS])
{
    const struct encoder_place place = {CHANNEL_QTANGENT, turn->mesh,
                                        turn->part};
    uint64_t bits[WAYS] = {0};
    struct lift_target target;
    struct lift_found found;

    encoder_take(c->e, c->frames, c->distance, &place, index, a->kind_count > 0,
                 thread, &target);
    for (uint32_t kind = 0; kind < a->kind_count; kind++) {
        uint64_t *of_kind = bits + 2 * kind * QUALITIES;

        ask_guesses(&target, a, kind, thread, of_kind);
        ask_turned(&target, a, kind, thread, of_kind + QUALITIES);
    }
    lift_search(&target, &thread->lift, &found);
    bits[BY_TIME] = lift_found_bits(&target, &thread->lift);
    target.shape = &a->shape[shape_of(BY_OWN)];
    lift_search(&target, &thread->lift, &found);
    bits[BY_OWN] = lift_found_bits(&target, &thread->lift);
    for (uint32_t way = 0; way < WAYS; way++)
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
static void ask_frames(const struct rings_choice *c, struct turn *turn,
                       const struct asked *asked_with,
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
        ask_frame(c, turn, asked_with, i, thread, bytes[is_index]);
        asked[is_index]++;
    }
    for (int k = 0; k < 2; k++)
        for (uint32_t way = 0; way < WAYS && asked[k] > 0; way++)
            turn->frames[way] += bytes[k][way] * in_clip[k] / asked[k];
}

/* False: no frame shows the mesh. */
static bool make_asked(const struct rings_choice *c, const struct turn *turn,
                       struct arena *arena, struct asked *a)
{
    bool is_good = true;

    a->kind_count = count_kinds(c->e, turn->mesh);
    for (uint32_t kind = 0; kind < a->kind_count && is_good; kind++)
        is_good = lift_train_rings(c->e->clip, c->frames, &c->e->plan,
                                   turn->mesh, turn->part, qualities, QUALITIES,
                                   kind == 1, arena, a->rings[kind]);
    for (uint32_t i = 0; i < 2 * a->kind_count && is_good; i++)
        a->shape[i] = train_own(c, turn->mesh, turn->part, a->rings[i / 2],
                                i % 2 == 1, arena);
    if (is_good)
        a->shape[shape_of(BY_OWN)] =
            train_own(c, turn->mesh, turn->part, NULL, false, arena);
    a->shape[shape_of(BY_TIME)] =
        c->e->plan.meshes[turn->mesh].parts[turn->part];
    return is_good;
}

/* To what frames take, all a vertex. */
static void add_once(const struct rings_choice *c, struct turn *turn,
                     const struct asked *a)
{
    const double vertices =
        c->e->plan.meshes[turn->mesh].parts[turn->part].vertex_count;

    for (uint32_t way = 0; way < WAYS; way++) {
        double once = (double)a->of_shape[shape_of(way)].count;

        if (!is_asked(a, way))
            continue;
        if (way_has_rings(way))
            once += (double)a->of_rings[way_kind(way)][way % QUALITIES].count;
        turn->frames[way] /= vertices;
        turn->all[way] = turn->frames[way] + ONCE * once / vertices;
    }
}

static void ask_turn(void *user, uint32_t number, uint32_t worker)
{
    const struct rings_choice *c = user;
    struct turn *turn = &c->asked[number];
    struct encoder_thread *thread = &c->e->threads[worker];
    struct arena *arena =
        c->is_kept ? &c->e->plan.arenas[worker] : &thread->arena;
    struct asked *a = ARENA_NEW(arena, struct asked, 1);

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

/* ---- training ------------------------------------------------------------ */

/* NULL: the part was not asked, or it is not kept. */
static const struct asked *find_asked(const struct rings_choice *c,
                                      const struct turn *turn)
{
    for (uint32_t i = 0; c->is_kept && i < c->asked_count; i++)
        if (c->asked[i].mesh == turn->mesh && c->asked[i].part == turn->part)
            return c->asked[i].asked;
    return NULL;
}

static void train_turn(void *user, uint32_t number, uint32_t worker)
{
    const struct rings_choice *c = user;
    const struct turn *turn = &c->turns[number];
    const struct asked *asked = find_asked(c, turn);
    const uint32_t quality = c->way % QUALITIES;
    struct lift_plan *plan = &c->e->plan;
    struct lift_plan_mesh *mesh = &plan->meshes[turn->mesh];
    struct arena *arena = &plan->arenas[worker];
    struct lift_plan_wires *wires = &mesh->wires[turn->part];
    struct ring_shape *rings = NULL;

    phases_enter(PHASE_SEARCH);
    if (way_has_rings(c->way)) {
        rings = &mesh->rings[turn->part];
        if (asked) {
            *rings = asked->rings[way_kind(c->way)][quality];
            wires->rings = asked->of_rings[way_kind(c->way)][quality];
        } else {
            (void)lift_train_rings(c->e->clip, c->frames, plan, turn->mesh,
                                   turn->part, &qualities[quality], 1,
                                   way_kind(c->way) == 1, arena, rings);
        }
    }
    /* All qualities are asked with what suits the first. */
    if (asked && (!rings || quality == 0)) {
        mesh->parts[turn->part] = asked->shape[shape_of(c->way)];
        wires->shape = asked->of_shape[shape_of(c->way)];
    } else {
        mesh->parts[turn->part] =
            train_own(c, turn->mesh, turn->part, rings, mesh->is_turned, arena);
    }
    phases_enter(PHASE_OTHER);
}

static void train_mesh(struct rings_choice *c, uint32_t mesh, uint32_t way)
{
    struct encoder *e = c->e;
    struct lift_plan_mesh *lifted = &e->plan.meshes[mesh];
    struct arena scratch;

    arena_init(&scratch);
    if (way_has_rings(way))
        lifted->rings =
            ARENA_NEW(&e->arena, struct ring_shape, lifted->part_count);
    c->turns = ARENA_NEW(&scratch, struct turn, lifted->part_count);
    for (uint32_t p = 0; p < lifted->part_count; p++)
        c->turns[p] = (struct turn){.mesh = mesh, .part = p};
    lifted->is_turned = way_is_turned(way);
    c->way = way;
    workers_run(e->workers, lifted->part_count, train_turn, c);
    arena_free(&scratch);
}

/* ---- all ----------------------------------------------------------------- */

static uint32_t list_turns(const struct encoder *e, struct turn *turns,
                           uint64_t *vertices)
{
    uint32_t count = 0;

    *vertices = 0;
    for (uint32_t m = 0; m < e->clip->mesh_count; m++) {
        const uint32_t parts = e->plan.meshes[m].part_count;
        const uint32_t asked = parts < PARTS_WORTH_TWO ? 1 : PARTS_ASKED;

        for (uint32_t i = 0; may_have_own(e, m) && i < asked; i++) {
            const uint32_t part = (uint32_t)((uint64_t)parts * i / asked);

            turns[count++] = (struct turn){.mesh = m, .part = part};
            *vertices += e->plan.meshes[m].parts[part].vertex_count;
        }
    }
    return count;
}

/* The way that suits a mesh. Ways that were not asked take nothing. */
static uint32_t decide(const struct turn *turns, uint32_t count, uint32_t mesh)
{
    double frames[WAYS] = {0};
    double all[WAYS] = {0};
    uint32_t best;

    for (uint32_t i = 0; i < count; i++)
        for (uint32_t way = 0; way < WAYS && turns[i].mesh == mesh; way++) {
            frames[way] += turns[i].frames[way];
            all[way] += turns[i].all[way];
        }
    best = all[BY_OWN] < all[BY_TIME] ? BY_OWN : BY_TIME;
    for (uint32_t way = 0, time = best; way < BY_OWN; way++)
        if (all[way] > 0 && frames[way] < WORTH * frames[time] &&
            all[way] < all[best])
            best = way;
    return best;
}

/* For tests: one mesh each way, by UVs where those move. */
static uint32_t forced_way(const struct encoder *e, uint32_t mesh)
{
    const uint32_t kinds = count_kinds(e, mesh);

    return kinds > 0 && e->job->options->guesses_all
               ? (2 * (kinds - 1) + mesh % 2) * (uint32_t)QUALITIES
               : BY_OWN;
}

void encoder_choose_rings(struct encoder *e, const struct lift_frames *frames,
                          uint32_t distance)
{
    struct rings_choice choice = {
        .e = e, .frames = frames, .distance = distance};
    const bool is_forced =
        e->job->options->guesses_all || e->job->options->lifts_all;
    struct arena arena;
    uint64_t vertices;

    arena_init(&arena);
    choice.asked = ARENA_NEW(&arena, struct turn,
                             (size_t)e->clip->mesh_count * PARTS_ASKED);
    choice.asked_count = list_turns(e, choice.asked, &vertices);
    choice.is_kept = vertices <= VERTICES_KEPT;
    if (!is_forced)
        workers_run(e->workers, choice.asked_count, ask_turn, &choice);
    for (uint32_t m = 0; m < e->clip->mesh_count; m++) {
        const uint32_t way = is_forced
                                 ? forced_way(e, m)
                                 : decide(choice.asked, choice.asked_count, m);

        if (may_have_own(e, m) && way != BY_TIME)
            train_mesh(&choice, m, way);
    }
    arena_free(&arena);
}
