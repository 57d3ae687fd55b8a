/* lift_model.h - shapes and rings bit by bit, for both directions.
 *
 * Included once by the file that reads and once by the one that writes; as in
 * number_model.h, on which it stands, this is the one text of the format, and
 * arrays are read here and written there. geom/lift_wire.h says what is coded;
 * here stands how.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_GEOM_LIFT_MODEL_H
#define SPN_GEOM_LIFT_MODEL_H

#include "geom/lift_wire.h"
#include "geom/number_model.h"

/* Numbers behind large ones are large. */
static uint32_t wire_bucket(int32_t x)
{
    const int32_t magnitude = x < 0 ? -x : x;

    return magnitude > 6   ? 4
           : magnitude > 2 ? 3
           : magnitude > 1 ? 2
                           : (uint32_t)magnitude;
}

/* ---- layers -------------------------------------------------------------- */

static bool code_members(struct coder *c, struct wire_shape *s)
{
    struct wire_shape_models *m = &s->models;
    const uint32_t last = s->layer_count - 1;
    uint32_t context = 0;

    for (uint32_t i = 0; i < s->vertex_count; i++) {
        uint32_t above = last - s->layer_of[i];

        above =
            code_tree(c, m->layer[context], LIFT_WIRE_LAYER_BITS,
                      above < LIFT_WIRE_LAYERS ? above : LIFT_WIRE_LAYERS - 1) -
            LIFT_WIRE_LAYERS;
        context = above;
        if (above == LIFT_WIRE_LAYERS - 1)
            above +=
                code_magnitude(c, &m->far_layer, last - s->layer_of[i] - above);
        if (above > last)
            return false;
        s->layer_of[i] = (uint16_t)(last - above);
    }
    return true;
}

/* Layers from the coarsest on, and in each its members as they come. */
static bool place_members(struct wire_shape *s)
{
    for (uint32_t l = 0; l <= s->layer_count; l++)
        s->layers[l].first = 0;
    for (uint32_t i = 0; i < s->vertex_count; i++)
        s->layers[s->layer_of[i] + 1].first++;
    for (uint32_t l = 0; l < s->layer_count; l++) {
        if (s->layers[l + 1].first == 0)
            return false;
        s->layers[l + 1].first += s->layers[l].first;
    }
    for (uint32_t i = 0; i < s->vertex_count; i++) {
        const uint32_t place = s->layers[s->layer_of[i]].first++;

        s->place[i] = (uint16_t)place;
        s->member[place] = (uint16_t)i;
    }
    for (uint32_t l = s->layer_count; l > 0; l--)
        s->layers[l].first = s->layers[l - 1].first;
    s->layers[0].first = 0;
    s->layers[s->layer_count].first = s->vertex_count;
    return true;
}

static bool code_levels(struct coder *c, struct wire_shape *s)
{
    uint32_t level = 0;

    s->layers[0].level = 0;
    for (uint32_t l = 1; l < s->layer_count; l++) {
        level +=
            code_bit(c, &s->models.is_next_level, s->layers[l].level > level);
        if (level >= LIFT_LEVELS_MAX)
            return false;
        s->layers[l].level = level;
    }
    s->layers[s->layer_count].level = 0;
    s->level_count = level + 1;
    s->has_welds =
        code_bit(c, &s->models.has_welds, s->has_welds) && s->layer_count > 1;
    return true;
}

/* ---- references ---------------------------------------------------------- */

/* One of the offsets that were there last, or the step from the one before. */
static int32_t code_offset(struct coder *c, struct wire_shape *s,
                           uint32_t level, uint32_t j, int32_t before,
                           int32_t offset)
{
    const uint32_t kind = level + 1 == s->level_count   ? 0
                          : level + 2 == s->level_count ? 1
                                                        : 2;
    int16_t *recent = s->recent[level][j];
    uint32_t at = 0;

    for (; at < LIFT_WIRE_RECENT; at++)
        if (recent[at] > before &&
            code_bit(c, &s->models.is_recent[kind][j][at],
                     recent[at] == offset)) {
            offset = recent[at];
            break;
        }
    if (at == LIFT_WIRE_RECENT) {
        offset =
            j == 0
                ? code_number(c, &s->models.offset[kind], offset)
                : before + 1 +
                      (int32_t)code_magnitude(c, &s->models.step[kind],
                                              (uint32_t)(offset - before - 1));
        at--;
    }
    for (; at > 0; at--)
        recent[at] = recent[at - 1];
    recent[0] = (int16_t)offset;
    return offset;
}

static bool code_references(struct coder *c, struct wire_shape *s, uint32_t i,
                            uint32_t count)
{
    const uint32_t place = s->place[i];
    const struct lift_layer *layer = &s->layers[s->layer_of[i]];
    uint16_t *r = s->references + LIFT_REFERENCES * (size_t)place;
    int32_t offset = INT16_MIN;

    for (uint32_t j = 0; j < count; j++) {
        int64_t target;

        offset = code_offset(c, s, layer->level, j, offset,
                             (int32_t)s->member[r[j]] - (int32_t)i);
        target = (int64_t)i + offset;
        if (target < 0 || target >= s->vertex_count ||
            s->place[target] >= layer->first)
            return false;
        r[j] = s->place[target];
    }
    return true;
}

/* Each by what an even share of the rest would be. */
static bool code_weights(struct coder *c, struct wire_shape *s, uint32_t i,
                         uint32_t count)
{
    int8_t *w = s->weights + LIFT_REFERENCES * (size_t)s->place[i];
    const bool is_finest =
        s->layers[s->layer_of[i]].level + 1 == s->level_count;
    int32_t rest = LIFT_WEIGHT_ONE;

    for (uint32_t j = 0; j + 1 < count; j++) {
        const int32_t share = rest / (int32_t)(count - j);
        struct wire_number *m =
            &s->models
                 .weight[count - 2][j][is_finest][wire_bucket(s->last_weight)];
        int32_t x;

        s->last_weight = code_number(c, m, w[j] - share);
        x = share + s->last_weight;
        if (x < -127 || x > 127)
            return false;
        w[j] = (int8_t)x;
        rest -= x;
    }
    if (rest < -127 || rest > 127)
        return false;
    w[count - 1] = (int8_t)rest;
    return true;
}

static bool code_shape(struct coder *c, struct wire_shape *s)
{
    if (!code_levels(c, s) || !code_members(c, s) || !place_members(s))
        return false;
    for (uint32_t i = 0; i < s->vertex_count; i++) {
        const bool is_finest =
            s->layers[s->layer_of[i]].level + 1 == s->level_count;
        uint32_t count = s->count[i];

        count = code_tree(c, s->models.count[is_finest], 3, count) - 8;
        s->count[i] = (uint8_t)count;
        if (count > LIFT_REFERENCES || !code_references(c, s, i, count))
            return false;
        if (count > 0 && !code_weights(c, s, i, count))
            return false;
    }
    return true;
}

/* ---- rings --------------------------------------------------------------- */

/* 2 cos(360 degrees / n) in 32nds: neighbours stand around a vertex evenly,
 * and weights along a direction are a wave around it. */
static int32_t wire_wave(const struct ring_around *ring)
{
    static const int8_t wave[] = {0,  0,  -32, -32, 0,  20,
                                  32, 40, 45,  49,  52, 54};
    const uint32_t n = ring->is_gap[0] ? 2 * (ring->count - 1) : ring->count;

    return n < sizeof wave ? wave[n] : 58;
}

/* What was less wrong of late: the ring itself, or the last one with as many
 * slots. */
static int32_t wire_better(const struct wire_ring_kind *kind, int32_t guess,
                           int32_t before)
{
    return kind->error[1] < kind->error[0] ? before : guess;
}

static void wire_judge_guesses(struct wire_ring_kind *kind, int32_t x,
                               int32_t guess, int32_t before)
{
    const int32_t wrong[2] = {x - guess, x - before};

    for (int i = 0; i < 2; i++)
        kind->error[i] +=
            (16 * (wrong[i] < 0 ? -wrong[i] : wrong[i])) - kind->error[i] / 16;
}

static bool code_weight(struct coder *c, const struct wire_rings *r,
                        struct wire_ring_kind *kind, uint32_t place,
                        int32_t guess, int8_t *before, int8_t *weight)
{
    struct wire_number *models = kind->number[place];
    int32_t better;
    int32_t x;

    guess = guess > r->weight_max    ? r->weight_max
            : guess < -r->weight_max ? -r->weight_max
                                     : guess;
    better = wire_better(kind, guess, *before);
    kind->last =
        code_number(c, &models[wire_bucket(kind->last)], *weight - better);
    x = better + kind->last;
    if (x < -127 || x > 127)
        return false;
    wire_judge_guesses(kind, x, guess, *before);
    *weight = (int8_t)x;
    *before = (int8_t)x;
    return true;
}

static bool code_ring(struct coder *c, struct wire_rings *r,
                      const struct ring_around *ring, int8_t *sectors,
                      int8_t *along)
{
    const int32_t wave = ring->count > 0 ? wire_wave(ring) : 0;
    int8_t(*before)[RINGS_SLOTS_MAX] = r->before[ring->count];
    int32_t sector = r->weight_max;
    uint32_t n = 0;

    for (uint32_t k = 0; k < ring->count; k++) {
        sectors[k] = ring->is_gap[k] ? 0 : sectors[k];
        if (ring->is_gap[k])
            continue;
        if (!code_weight(c, r, &r->sector, 0, sector, &before[0][k],
                         &sectors[k]))
            return false;
        sector = sectors[k];
    }
    for (uint32_t k = 0; k < ring->count; k++) {
        int32_t guess = 0;

        along[k] = ring->is_again[k] ? 0 : along[k];
        if (ring->is_again[k])
            continue;
        if (k >= 2)
            guess = (wave * along[k - 1] - 32 * along[k - 2]) / 32;
        if (!code_weight(c, r, &r->along, n < 2 ? n : 2, guess, &before[1][k],
                         &along[k]))
            return false;
        n++;
    }
    return true;
}

static void code_rings_head(struct coder *c, struct wire_rings *r,
                            struct ring_range *range, uint16_t scale[3])
{
    range->first = code_even_32(c, range->first);
    range->count = code_even_32(c, range->count);
    for (int i = 0; i < 3; i++)
        scale[i] = (uint16_t)code_even(c, 16, scale[i]);
    r->weight_max = (int32_t)code_even(c, 7, (uint32_t)r->weight_max);
}

#endif
