/* lift_model.h - the model of hierarchies, for reading and writing.
 *
 * lift_wire.c includes this file to read, lift_wire_write.c in the compiler to
 * write; number_coder.h explains how. lift_wire.h describes in words what is
 * coded; this file has the order of the numbers and the model of each. To
 * write, the arrays of `s` are filled before the call. To read, the call fills
 * them.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_LIFT_MODEL_H
#define SPN_CODEC_LIFT_LIFT_MODEL_H

#include "codec/lift/lift_wire.h"
#include "codec/lift/number_coder.h"

/* -- layers -- */

/* Code the layer of each member. Layers are counted from the last one, which
 * has the most vertices. */
static bool code_members(struct coder *c, struct wire_hierarchy *s)
{
    const uint32_t last = s->layer_count - 1;
    uint32_t context = 0;

    for (uint32_t i = 0; i < s->vertex_count; i++) {
        const uint32_t above =
            code_number(c, &s->models.layer[context], last - s->layer_of[i]);

        if (above > last)
            return false;
        s->layer_of[i] = (uint16_t)(last - above);
        context = above < LIFT_WIRE_LAYER_CONTEXTS
                      ? above
                      : LIFT_WIRE_LAYER_CONTEXTS - 1;
    }
    return true;
}

/* Compute the first vertex of each layer and the place of each member from
 * `layer_of`. False: a layer is empty. */
static bool place_members(struct wire_hierarchy *s)
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

/* Code where levels begin, and whether the last layer is welded. */
static bool code_levels(struct coder *c, struct wire_hierarchy *s)
{
    uint32_t level = 0;

    s->layers[0].level = 0;
    for (uint32_t l = 1; l < s->layer_count; l++) {
        const uint32_t step = code_number(c, &s->models.is_next_level,
                                          s->layers[l].level > level);

        level += step;
        if (step > 1 || level >= LIFT_LEVELS_MAX)
            return false;
        s->layers[l].level = level;
    }
    s->layers[s->layer_count].level = 0;
    s->level_count = level + 1;
    s->has_welds = code_number(c, &s->models.has_welds, s->has_welds) != 0 &&
                   s->layer_count > 1;
    return true;
}

/* -- references -- */

/* Code the `count` references of member i. */
static bool code_references(struct coder *c, struct wire_hierarchy *s,
                            uint32_t i, uint32_t count)
{
    const uint32_t place = s->place[i];
    const struct lift_layer *layer = &s->layers[s->layer_of[i]];
    const uint32_t coarser = s->level_count - 1 - layer->level;
    struct number_model *models = s->models.offset[coarser < 2 ? coarser : 2];
    uint16_t *r = s->references + LIFT_REFERENCES * (size_t)place;
    uint32_t member = i;

    for (uint32_t j = 0; j < count; j++) {
        /* Sums of damaged numbers wrap around. */
        const uint32_t x = s->member[r[j]];

        member = j == 0
                     ? code_near(c, &models[j], i, x)
                     : member + 1 + code_number(c, &models[j], x - member - 1);
        if (member >= s->vertex_count || s->place[member] >= layer->first)
            return false;
        r[j] = s->place[member];
    }
    return true;
}

/* Code one set of weights of member i. `kind` is the number of the set: 0
 * serves all channels, 1 and 2 QTangents in space and in time. */
static bool code_weights(struct coder *c, struct wire_hierarchy *s, uint32_t i,
                         uint32_t count, uint32_t kind)
{
    const size_t at = LIFT_REFERENCES * (size_t)s->place[i];
    const int32_t step =
        kind == LIFT_CHANNEL_WEIGHTS_TIME ? LIFT_WIRE_CHANNEL_STEP : 1;
    int8_t *const w = s->weights[kind] + at;
    int32_t rest = LIFT_WEIGHT_ONE;

    for (uint32_t j = 0; j < count; j++) {
        /* NOLINTNEXTLINE(clang-analyzer-*): set 0 is never absent. */
        const int32_t base = s->weights[0][at + j];
        int32_t x = kind == 0 ? rest / (int32_t)(count - j) : base / step;

        if (kind == 0 ? j + 1 < count : base != 0)
            x = (int32_t)code_near(c, &s->models.weight[kind][j], (uint32_t)x,
                                   (uint32_t)(w[j] / step));
        if (x < -127 / step || x > 127 / step)
            return false;
        w[j] = (int8_t)(x * step);
        rest -= x;
    }
    return true;
}

/* Code everything. False: the numbers that were read break a rule. */
static bool code_hierarchy(struct coder *c, struct wire_hierarchy *s)
{
    if (!code_levels(c, s) || !code_members(c, s) || !place_members(s))
        return false;
    for (uint32_t i = 0; i < s->vertex_count; i++) {
        const bool is_finest =
            s->layers[s->layer_of[i]].level + 1 == s->level_count;
        uint32_t count = s->count[i];

        count = code_number(c, &s->models.count[is_finest], count);
        s->count[i] = (uint8_t)count;
        if (count > LIFT_REFERENCES || !code_references(c, s, i, count))
            return false;
        for (uint32_t kind = 0; kind < LIFT_WEIGHT_SETS; kind++)
            if (s->weights[kind] && !code_weights(c, s, i, count, kind))
                return false;
    }
    return true;
}

/* -- one-rings: the weights are in one_ring_model.h -- */

/* Code what comes before the weights. */
static void code_one_rings_head(struct coder *c, struct wire_one_rings *r,
                                struct triangle_range *range, uint16_t scale[3])
{
    range->first = code_number(c, &r->range, range->first);
    range->count = code_number(c, &r->range, range->count);
    for (int i = 0; i < 3; i++)
        scale[i] = (uint16_t)code_even(c, 16, scale[i]);
    r->weight_max = (int32_t)code_even(c, 7, (uint32_t)r->weight_max);
}

#endif
