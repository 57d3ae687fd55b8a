/* lift_hierarchy.c - the check of a hierarchy.
 *
 * The kernels trust a hierarchy that passes: every reference is decoded before
 * it is used, and no sum of products leaves 32 bits.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/lift_hierarchy.h"

#include "base/wire.h"

#include <stdbool.h>
#include <stddef.h>

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

spn_status spn__lift_validate(const struct lift_hierarchy *hierarchy,
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
    /* Kernels read the padding, too. */
    for (size_t i = 0; i < LIFT_REFERENCES * LIFT_PADDING; i++) {
        const size_t at = LIFT_REFERENCES * (size_t)hierarchy->vertex_count + i;

        if (hierarchy->references[at] != 0)
            return wire_refuse_wide(fault, "padding", at,
                                    hierarchy->references[at]);
    }
    return SPN_OK;
}
