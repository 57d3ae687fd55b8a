/* lift_validate.c - the door: hierarchies and the heads of payloads.
 *
 * What passes here can be decoded without a further look: every reference is
 * decoded before it is used, and no number leaves its range.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/lift.h"

#include "base/endian.h"
#include "base/wire.h"

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
    /* The padding is read, so it must not lead astray either. */
    for (size_t i = 0; i < LIFT_REFERENCES * LIFT_PADDING; i++) {
        const size_t at = LIFT_REFERENCES * (size_t)hierarchy->vertex_count + i;

        if (hierarchy->references[at] != 0)
            return wire_refuse_wide(fault, "padding", at,
                                    hierarchy->references[at]);
    }
    return SPN_OK;
}

spn_status spn__lift_head(const uint8_t *payload, size_t bytes,
                          uint32_t level_count, struct lift_prediction *out,
                          size_t *used, struct spn_fault *fault)
{
    struct lift_prediction p = {0};
    size_t at = 1;
    size_t need;

    if (bytes < 1)
        return wire_refuse_wide(fault, "head of a prediction", 0, bytes);
    p.weight[0] = INT16_MAX;
    p.has_guess = (payload[0] & LIFT_HAS_GUESS) != 0;
    p.frame_count = payload[0] & LIFT_FRAMES_MASK;
    if (p.has_guess)
        p.sign_aligned = (payload[0] & LIFT_SIGN_ALIGNED) != 0;
    else
        p.is_far = (payload[0] & LIFT_SIGN_ALIGNED) != 0;
    p.fraction_bits =
        payload[0] >> LIFT_FRACTION_SHIFT & LIFT_FRACTION_BITS_MAX;
    if (p.frame_count > LIFT_FRAMES_MAX ||
        (p.has_guess && p.fraction_bits != LIFT_GUESS_BITS) ||
        (p.frame_count == 0 ? payload[0] != 0 : p.fraction_bits == 0))
        return wire_refuse(fault, "frames of a prediction", 0, payload[0]);
    need = p.frame_count == 0
               ? 1
               : 1 + 2 * (size_t)(p.frame_count - 1) + level_count;
    if (bytes < need)
        return wire_refuse_wide(fault, "head of a prediction", 0, bytes);
    for (uint32_t j = 1; j < p.frame_count; j++, at += 2) {
        p.weight[j] = (int16_t)spn_load_u16le(payload + at);
        if (p.weight[j] == INT16_MIN)
            return wire_refuse_wide(fault, "weight of a frame", at, 0x8000);
    }
    for (uint32_t l = 0; p.frame_count > 0 && l < level_count; l++, at++) {
        p.level[l] = payload[at];
        if (p.level[l] > LIFT_SCALE_MAX)
            return wire_refuse_wide(fault, "scale of a level", at, p.level[l]);
    }
    *out = p;
    *used = need;
    return SPN_OK;
}
