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
#include "compile/encode/encode_rings.h"

#include "common/phases.h"
#include "compile/encode/lift/lift_train.h"

#define PARTS_ASKED 2u
#define PARTS_WORTH_TWO 4u /* of fewer one is asked */
/* As many vertices may keep what they are asked with, some 400 bytes each. */
#define VERTICES_KEPT (1u << 16)
/* Of the bytes of QTangents in frames, what guesses may take at most. */
#define WORTH 0.93
/* Of a byte that is read whenever the clip plays, what one counts that is read
 * when it is opened. */
#define ONCE 0.4
/* And what one counts where guesses must not make the file larger: frames are
 * estimated by few of them, and where that leaves it open, guesses are taken.
 */
#define ONCE_IN_FILE 0.85

/* Below this, weights for what guesses leave over are not asked. */
#define FRAMES_WORTH_OWN 24u

/* -- training -- */

bool rings_train(const struct rings_choice *c, const struct rings_turn *turn,
                 uint32_t kind, const struct ring_quality *qualities,
                 uint32_t quality_count, uint32_t frames_max,
                 struct arena *arena, struct one_rings *out)
{
    return lift_train_rings(c->e->clip, c->frames, &c->e->plan, turn->mesh,
                            turn->part, qualities, quality_count, kind == 1,
                            frames_max, arena, out);
}

struct lift_hierarchy rings_train_own(const struct rings_choice *c,
                                      const struct rings_turn *turn,
                                      const struct one_rings *rings,
                                      bool has_guess_signs, struct arena *arena)
{
    struct lift_hierarchy shape =
        c->e->plan.meshes[turn->mesh].parts[turn->part];

    if (rings && c->e->clip->frame_count < FRAMES_WORTH_OWN &&
        !c->e->job->options->guesses_all)
        return shape;
    lift_train_own(c->e->clip, c->frames, &c->e->plan, turn->mesh, turn->part,
                   c->distance, rings, has_guess_signs, arena,
                   shape.channel_weights);
    return shape;
}

/* NULL: the part was not asked, or it is not kept. */
static const struct rings_asked *find_asked(const struct rings_choice *c,
                                            const struct rings_turn *turn)
{
    for (uint32_t i = c->first_asked[turn->mesh];
         c->is_kept && i < c->first_asked[turn->mesh + 1]; i++)
        if (c->asked[i].part == turn->part)
            return c->asked[i].asked;
    return NULL;
}

static void train_turn(void *user, uint32_t number, uint32_t worker)
{
    const struct rings_choice *c = user;
    const struct rings_turn *turn = &c->turns[number];
    const struct rings_asked *asked = find_asked(c, turn);
    const uint32_t quality = c->way % RINGS_QUALITIES;
    struct lift_plan *plan = &c->e->plan;
    struct lift_plan_mesh *mesh = &plan->meshes[turn->mesh];
    struct arena *arena = &plan->arenas[worker];
    struct lift_plan_wires *wires = &mesh->wires[turn->part];
    struct one_rings *rings = NULL;

    phases_enter(PHASE_SEARCH);
    if (rings_way_has_any(c->way)) {
        rings = &mesh->rings[turn->part];
        if (asked) {
            *rings = asked->rings[rings_way_kind(c->way)][quality];
            wires->rings = asked->of_rings[rings_way_kind(c->way)][quality];
        } else {
            (void)rings_train(c, turn, rings_way_kind(c->way),
                              &rings_qualities[quality], 1,
                              LIFT_RING_FRAMES_MAX, arena, rings);
        }
    }
    /* All qualities are asked with what suits the first. */
    if (asked && (!rings || quality == 0)) {
        mesh->parts[turn->part] = asked->shape[rings_way_shape(c->way)];
        wires->shape = asked->of_shape[rings_way_shape(c->way)];
    } else {
        mesh->parts[turn->part] =
            rings_train_own(c, turn, rings, mesh->has_guess_signs, arena);
    }
    phases_enter(PHASE_OTHER);
}

static void train_mesh(struct rings_choice *c, uint32_t mesh, uint32_t way)
{
    struct encoder *e = c->e;
    struct lift_plan_mesh *lifted = &e->plan.meshes[mesh];
    struct arena scratch;

    arena_init(&scratch);
    if (rings_way_has_any(way))
        lifted->rings =
            ARENA_NEW(&e->arena, struct one_rings, lifted->part_count);
    c->turns = ARENA_NEW(&scratch, struct rings_turn, lifted->part_count);
    for (uint32_t p = 0; p < lifted->part_count; p++)
        c->turns[p] = (struct rings_turn){.mesh = mesh, .part = p};
    lifted->has_guess_signs = rings_way_has_guess_signs(way);
    c->way = way;
    workers_run(e->workers, lifted->part_count, train_turn, c);
    arena_free(&scratch);
}

/* -- all -- */

static bool may_have_own(const struct encoder *e, uint32_t mesh)
{
    return e->plan.meshes[mesh].is_lifted &&
           (e->clip->meshes[mesh].animated_mask &
            CHANNEL_BIT(CHANNEL_QTANGENT));
}

/* Lists what is asked; its vertices. */
static uint64_t list_asked(struct rings_choice *c)
{
    const struct encoder *e = c->e;
    uint64_t vertices = 0;
    uint32_t count = 0;

    for (uint32_t m = 0; m < e->clip->mesh_count; m++) {
        const uint32_t parts = e->plan.meshes[m].part_count;
        const uint32_t asked = parts < PARTS_WORTH_TWO ? 1 : PARTS_ASKED;

        c->first_asked[m] = count;
        for (uint32_t i = 0; may_have_own(e, m) && i < asked; i++) {
            const uint32_t part = (uint32_t)((uint64_t)parts * i / asked);

            c->asked[count++] = (struct rings_turn){.mesh = m, .part = part};
            vertices += e->plan.meshes[m].parts[part].vertex_count;
        }
    }
    c->first_asked[e->clip->mesh_count] = count;
    return vertices;
}

/* What the way takes, where a byte that is stored once counts `once`. */
static double weigh(const struct rings_turn *sum, uint32_t way, double once)
{
    return sum->frames[way] + once * sum->once[way];
}

/* The way that suits a mesh. Ways that were not asked take nothing. Guesses
 * must make frames smaller, and not the file larger. */
static uint32_t decide(const struct rings_choice *c, uint32_t mesh)
{
    struct rings_turn sum = {.mesh = mesh};
    uint32_t without = RINGS_BY_TIME;
    uint32_t best;

    for (uint32_t i = c->first_asked[mesh]; i < c->first_asked[mesh + 1]; i++)
        for (uint32_t way = 0; way < RINGS_WAYS; way++) {
            sum.frames[way] += c->asked[i].frames[way];
            sum.once[way] += c->asked[i].once[way];
        }
    if (weigh(&sum, RINGS_BY_OWN, ONCE) < weigh(&sum, without, ONCE))
        without = RINGS_BY_OWN;
    best = without;
    for (uint32_t way = 0; way < RINGS_BY_OWN; way++)
        if (sum.once[way] > 0 &&
            sum.frames[way] < WORTH * sum.frames[without] &&
            weigh(&sum, way, ONCE_IN_FILE) <
                weigh(&sum, without, ONCE_IN_FILE) &&
            weigh(&sum, way, ONCE) < weigh(&sum, best, ONCE))
            best = way;
    return best;
}

/* For tests: one mesh each way, by UVs where those move. */
static uint32_t forced_way(const struct encoder *e, uint32_t mesh)
{
    const uint32_t kinds = rings_count_kinds(e, mesh);

    return kinds > 0 && e->job->options->guesses_all
               ? (2 * (kinds - 1) + mesh % 2) * RINGS_QUALITIES
               : RINGS_BY_OWN;
}

void encoder_choose_rings(struct encoder *e, const struct lift_frames *frames,
                          uint32_t distance)
{
    struct rings_choice choice = {
        .e = e, .frames = frames, .distance = distance};
    const bool is_forced =
        e->job->options->guesses_all || e->job->options->lifts_all;
    struct arena arena;

    arena_init(&arena);
    choice.asked = ARENA_NEW(&arena, struct rings_turn,
                             (size_t)e->clip->mesh_count * PARTS_ASKED);
    choice.first_asked =
        ARENA_NEW(&arena, uint32_t, (size_t)e->clip->mesh_count + 1);
    choice.is_kept =
        list_asked(&choice) <= VERTICES_KEPT && !e->job->options->is_sparing;
    if (!is_forced)
        rings_ask(&choice);
    for (uint32_t m = 0; m < e->clip->mesh_count; m++) {
        const uint32_t way = is_forced ? forced_way(e, m) : decide(&choice, m);

        if (may_have_own(e, m) && way != RINGS_BY_TIME)
            train_mesh(&choice, m, way);
    }
    arena_free(&arena);
}
