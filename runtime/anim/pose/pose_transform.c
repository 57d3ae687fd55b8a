/* pose_transform.c - transforms of single joints. */
/* SPDX-License-Identifier: MIT */
#include "anim/pose/pose_transform.h"

#include "anim/pose/anim_reference.h"

static void cross(const float a[3], const float b[3], float product[3])
{
    product[0] = a[1] * b[2] - a[2] * b[1];
    product[1] = a[2] * b[0] - a[0] * b[2];
    product[2] = a[0] * b[1] - a[1] * b[0];
}

void spn__joint_rotate(const float rotation[4], const float v[3],
                       float result[3])
{
    float once[3];
    float twice[3];

    cross(rotation, v, once);
    for (int k = 0; k < 3; k++)
        once[k] = once[k] + once[k];
    cross(rotation, once, twice);
    for (int k = 0; k < 3; k++)
        result[k] = (v[k] + rotation[3] * once[k]) + twice[k];
}

void spn__joint_multiply(const spn_anim_transform *parent,
                         const spn_anim_transform *child,
                         spn_anim_transform *out)
{
    spn_anim_transform product;
    float scaled[3];

    for (int k = 0; k < 3; k++) {
        scaled[k] = parent->scale[k] * child->translation[k];
        product.scale[k] = parent->scale[k] * child->scale[k];
    }
    spn__joint_rotate(parent->rotation, scaled, scaled);
    for (int k = 0; k < 3; k++)
        product.translation[k] = parent->translation[k] + scaled[k];
    spn__anim_multiply(parent->rotation, child->rotation, product.rotation);
    *out = product;
}

void spn__pose_get(const spn_anim_pose *pose, uint32_t joint,
                   spn_anim_transform *out)
{
    const float *v = pose->values + joint;
    const size_t n = pose->stride;

    for (size_t k = 0; k < 4; k++)
        out->rotation[k] = v[(ANIM_POSE_ROTATION + k) * n];
    for (size_t k = 0; k < 3; k++) {
        out->translation[k] = v[(ANIM_POSE_TRANSLATION + k) * n];
        out->scale[k] = v[(ANIM_POSE_SCALE + k) * n];
    }
}

void spn__pose_set(const spn_anim_pose *pose, uint32_t joint,
                   const spn_anim_transform *transform)
{
    float *v = pose->values + joint;
    const size_t n = pose->stride;

    for (size_t k = 0; k < 4; k++)
        v[(ANIM_POSE_ROTATION + k) * n] = transform->rotation[k];
    for (size_t k = 0; k < 3; k++) {
        v[(ANIM_POSE_TRANSLATION + k) * n] = transform->translation[k];
        v[(ANIM_POSE_SCALE + k) * n] = transform->scale[k];
    }
}
