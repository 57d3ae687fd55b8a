/* encode_rings.h - the ways in which QTangents may be predicted, and what a
 * part is asked with.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENCODE_RINGS_H
#define OFFLINE_COMPILE_ENCODE_ENCODE_RINGS_H

#include "compile/encode/encoder.h"
#include "compile/encode/lift/lift_wire_write.h"
#include "compile/encode/lift/ring_train.h"

#define RINGS_QUALITIES 4u
extern const struct ring_quality rings_qualities[RINGS_QUALITIES];

/* Rings, and rings by UVs. */
#define RINGS_KINDS 2u

/* Of each kind, by each quality with guesses that are turned as needed; by each
 * with signs that are the guesses'; without rings, by own weights, and without
 * those. */
#define RINGS_BY_OWN (2u * RINGS_KINDS * RINGS_QUALITIES)
#define RINGS_BY_TIME (RINGS_BY_OWN + 1u)
#define RINGS_WAYS (RINGS_BY_TIME + 1u)

static inline bool rings_way_has_any(uint32_t way)
{
    return way < RINGS_BY_OWN;
}

static inline bool rings_way_has_guess_signs(uint32_t way)
{
    return rings_way_has_any(way) && way / RINGS_QUALITIES % 2 == 1;
}

static inline uint32_t rings_way_kind(uint32_t way)
{
    return way / (2 * RINGS_QUALITIES);
}

/* Of each kind by guesses, and by guesses that hold their signs, with own
 * weights in time; without rings, with own weights in space and in time, and
 * without those. */
#define RINGS_SHAPES (2u * RINGS_KINDS + 2u)

static inline uint32_t rings_way_shape(uint32_t way)
{
    return rings_way_has_any(way) ? way / RINGS_QUALITIES
                                  : way - RINGS_BY_OWN + 2 * RINGS_KINDS;
}

/* What a part is asked with. */
struct rings_asked {
    struct one_rings rings[RINGS_KINDS][RINGS_QUALITIES];
    struct lift_hierarchy shape[RINGS_SHAPES];
    /* as they are stored */
    struct wire_bytes of_rings[RINGS_KINDS][RINGS_QUALITIES];
    struct wire_bytes of_shape[RINGS_SHAPES];
};

struct rings_turn {
    uint32_t mesh;
    uint32_t part;
    bool has_kind[RINGS_KINDS]; /* is to be asked; the same in all of a mesh */
    uint64_t of_kind[RINGS_KINDS];   /* bits in few frames */
    const struct rings_asked *asked; /* kept; NULL: not */
    /* bytes a vertex of all frames, and of what is stored once; 0: not asked */
    double frames[RINGS_WAYS];
    double once[RINGS_WAYS];
};

struct rings_choice {
    struct encoder *e;
    const struct lift_frames *frames;
    uint32_t distance;
    struct rings_turn *asked; /* parts that are asked, by meshes, */
    uint32_t *first_asked;    /* where those of each begin, and their count */
    bool is_kept;             /* and what they are asked with is kept */
    struct rings_turn *turns;
    uint32_t way; /* of those that are trained */
};

static inline uint32_t rings_asked_count(const struct rings_choice *c)
{
    return c->first_asked[c->e->clip->mesh_count];
}

/* Of rings that may predict the mesh; the first, or both. */
uint32_t rings_count_kinds(const struct encoder *e, uint32_t mesh);

/* Of one kind, by so many of the qualities from the first on and as many
 * frames. False: no frame shows the mesh. */
bool rings_train(const struct rings_choice *c, const struct rings_turn *turn,
                 uint32_t kind, const struct ring_quality *qualities,
                 uint32_t quality_count, uint32_t frames_max,
                 struct arena *arena, struct one_rings *out);

/* The turn's shape, with weights of its own as the way has them. */
struct lift_hierarchy rings_train_own(const struct rings_choice *c,
                                      const struct rings_turn *turn,
                                      const struct one_rings *rings,
                                      bool has_guess_signs,
                                      struct arena *arena);

/* Ask the parts that are asked. */
void rings_ask(struct rings_choice *c);

#endif
