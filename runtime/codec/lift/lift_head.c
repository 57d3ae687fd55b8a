/* lift_head.c - the head of a payload: read and checked. */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/lift_head.h"

#include "base/endian.h"
#include "base/wire.h"

spn_status spn__lift_head_read(const uint8_t *payload, size_t bytes,
                               uint32_t level_count,
                               struct lift_prediction *out, size_t *used,
                               struct spn_fault *fault)
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
        p.is_far = (payload[0] & LIFT_IS_FAR) != 0;
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
        p.level_weight[l] = payload[at];
        if (p.level_weight[l] > LIFT_LEVEL_WEIGHT_MAX)
            return wire_refuse_wide(fault, "weight of a level", at,
                                    p.level_weight[l]);
    }
    *out = p;
    *used = need;
    return SPN_OK;
}
