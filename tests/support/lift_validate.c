/* lift_validate.c - check the rules of hierarchies and one-rings. */
/* SPDX-License-Identifier: MIT */
#include "support/lift_validate.h"

#include "base/wire.h"

#include <stdbool.h>
#include <stddef.h>

/* -- hierarchies -- */

static spn_status validate_layers(const struct lift_hierarchy *hierarchy,
                                  struct spn_fault *fault)
{
    const struct lift_layer *layers = hierarchy->layers;

    if (hierarchy->vertex_count < 1 ||
        hierarchy->vertex_count > LIFT_VERTICES_MAX)
        return wire_refuse(fault, "vertices of a hierarchy", 0,
                           hierarchy->vertex_count);
    if (hierarchy->level_count < 1 || hierarchy->level_count > LIFT_LEVELS_MAX)
        return wire_refuse(fault, "levels of a hierarchy", 0,
                           hierarchy->level_count);
    if (hierarchy->layer_count < 1 ||
        hierarchy->layer_count > hierarchy->vertex_count)
        return wire_refuse(fault, "layers of a hierarchy", 0,
                           hierarchy->layer_count);
    if (layers[0].first != 0 || layers[0].level != 0)
        return wire_refuse(fault, "first layer", 0, layers[0].first);
    for (uint32_t l = 0; l < hierarchy->layer_count; l++) {
        if (layers[l + 1].first <= layers[l].first ||
            layers[l + 1].first > hierarchy->vertex_count)
            return wire_refuse(fault, "layer", l, layers[l + 1].first);
        if (layers[l].level >= hierarchy->level_count ||
            (l > 0 && layers[l].level < layers[l - 1].level))
            return wire_refuse(fault, "level of a layer", l, layers[l].level);
    }
    if (hierarchy->weld_first != hierarchy->vertex_count &&
        hierarchy->weld_first != layers[hierarchy->layer_count - 1].first)
        return wire_refuse(fault, "first welded vertex", 0,
                           hierarchy->weld_first);
    if (layers[hierarchy->layer_count].first != hierarchy->vertex_count)
        return wire_refuse(fault, "end of the layers", hierarchy->layer_count,
                           layers[hierarchy->layer_count].first);
    return SPN_OK;
}

static bool are_channel_weights_good(const struct lift_hierarchy *hierarchy,
                                     uint32_t v)
{
    for (size_t i = LIFT_REFERENCES * (size_t)v; i / LIFT_REFERENCES == v; i++)
        for (int k = 0; k < 2; k++)
            if (hierarchy->channel_weights[k] &&
                hierarchy->channel_weights[k][i] != 0 &&
                (hierarchy->channel_weights[k][i] == INT8_MIN ||
                 hierarchy->weights[i] == 0))
                return false;
    return true;
}

spn_status lift_validate(const struct lift_hierarchy *hierarchy,
                         struct spn_fault *fault)
{
    spn_status status = validate_layers(hierarchy, fault);

    if (status != SPN_OK)
        return status;
    for (uint32_t l = 0; l < hierarchy->layer_count; l++) {
        const uint32_t first = hierarchy->layers[l].first;

        for (uint32_t v = first; v < hierarchy->layers[l + 1].first; v++) {
            const uint16_t *r =
                hierarchy->references + LIFT_REFERENCES * (size_t)v;
            const int8_t *w = hierarchy->weights + LIFT_REFERENCES * (size_t)v;
            int32_t sum = 0;
            bool is_root = true;

            for (uint32_t j = 0; j < LIFT_REFERENCES; j++) {
                if (r[j] >= first && r[j] != 0)
                    return wire_refuse(fault, "reference", v, r[j]);
                if (w[j] == INT8_MIN)
                    return wire_refuse(fault, "weight", v, 128);
                sum += w[j];
                is_root = is_root && w[j] == 0;
            }
            if (is_root ? false : sum != LIFT_WEIGHT_ONE || l == 0)
                return wire_refuse(fault, "weights", v, (uint32_t)sum);
            if (!are_channel_weights_good(hierarchy, v))
                return wire_refuse(fault, "weights of QTangents", v, 0);
        }
    }
    /* Kernels also read the padding. */
    for (size_t i = 0; i < LIFT_REFERENCES * LIFT_PADDING; i++) {
        const size_t at = LIFT_REFERENCES * (size_t)hierarchy->vertex_count + i;

        if (hierarchy->references[at] != 0)
            return wire_refuse_wide(fault, "padding", at,
                                    hierarchy->references[at]);
    }
    return SPN_OK;
}

/* -- one-rings -- */

static uint32_t size_of(int8_t x)
{
    return (uint32_t)(x < 0 ? -x : x);
}

spn_status one_rings_validate(const struct one_rings *rings,
                              struct spn_fault *fault)
{
    const uint32_t batches = one_ring_batch_count(rings->vertex_count);

    if (rings->vertex_count < 1 || rings->vertex_count > ONE_RING_VERTICES_MAX)
        return wire_refuse(fault, "vertices with rings", 0,
                           rings->vertex_count);
    for (uint32_t i = 0; i < 3; i++)
        if (rings->scale[i] > ONE_RING_SCALE_ONE)
            return wire_refuse(fault, "scale of an axis", i, rings->scale[i]);
    if (rings->first_slot[0] != 0)
        return wire_refuse(fault, "first ring", 0, rings->first_slot[0]);
    for (uint32_t b = 0; b < batches; b++)
        if (rings->first_slot[b + 1] < rings->first_slot[b] ||
            rings->first_slot[b + 1] - rings->first_slot[b] >
                ONE_RING_SLOTS_MAX)
            return wire_refuse(fault, "slots of a ring", b,
                               rings->first_slot[b + 1]);
    for (uint32_t b = 0; rings->by_uvs && b < batches; b++)
        for (uint32_t i = 0; i < ONE_RING_LANES; i++)
            if (rings->first_slot[b] < rings->first_slot[b + 1] &&
                size_of(
                    rings->slots[rings->first_slot[b]].neighbour_weight[i]) > 1)
                return wire_refuse(fault, "sign of a ring", b, i);
    for (uint32_t s = 0; s < rings->first_slot[batches]; s++)
        for (uint32_t i = 0; i < ONE_RING_LANES; i++)
            if (rings->slots[s].neighbour[i] >= rings->vertex_count)
                return wire_refuse(fault, "neighbour in a ring", s,
                                   rings->slots[s].neighbour[i]);
    return SPN_OK;
}
