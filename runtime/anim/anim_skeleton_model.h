/* anim_skeleton_model.h - the models with which bodies of skeletons are coded.
 *
 * anim_skeleton.c includes it to read, head_writer.c of the compiler to write;
 * number_coder.h explains how.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_ANIM_SKELETON_MODEL_H
#define SPN_ANIM_ANIM_SKELETON_MODEL_H

#include "anim/anim_model.h"
#include "anim/anim_skeleton.h"
#include "base/checksum.h"
#include "base/endian.h"

/* The bits of a pose's floats. */
struct anim_rest_bits {
    uint32_t is_unrotated;
    uint32_t largest; /* component that is left out */
    uint32_t rotation[3];
    uint32_t translation[3];
    uint32_t is_unscaled;
    uint32_t scale[3];
};

/* Add the bits of a joint to the hash of a rest pose (anim_skeleton.h). Bits
 * that are not coded are ignored. */
static inline void hash_rest(struct checksum *sum,
                             const struct anim_rest_bits *r)
{
    const uint32_t simple = r->is_unrotated | r->is_unscaled << 1;
    uint8_t bytes[1 + 9 * 4] = {
        (uint8_t)(simple | (r->is_unrotated ? 0 : r->largest << 2))};
    uint32_t count = 1;

    for (int k = 0; !r->is_unrotated && k < 3; k++, count += 4)
        spn_store_u32le(bytes + count, r->rotation[k]);
    for (int k = 0; k < 3; k++, count += 4)
        spn_store_u32le(bytes + count, r->translation[k]);
    for (int k = 0; !r->is_unscaled && k < 3; k++, count += 4)
        spn_store_u32le(bytes + count, r->scale[k]);
    spn__checksum_add(sum, bytes, count);
}

static inline void code_rest(struct coder *c, struct anim_skeleton_models *m,
                             struct anim_rest_bits *r)
{
    r->is_unrotated = code_bit(c, &m->is_simple[0], r->is_unrotated);
    if (!r->is_unrotated) {
        r->largest = code_tree(c, m->largest, 2, r->largest);
        for (int k = 0; k < 3; k++)
            r->rotation[k] = code_float(c, &m->high[0], r->rotation[k]);
    }
    for (int k = 0; k < 3; k++)
        r->translation[k] = code_float(c, &m->high[1], r->translation[k]);
    r->is_unscaled = code_bit(c, &m->is_simple[1], r->is_unscaled);
    for (int k = 0; !r->is_unscaled && k < 3; k++)
        r->scale[k] = code_float(c, &m->high[2], r->scale[k]);
}

#endif
