/* skin_error.c - model matrices of two poses, and their vertices. */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/skin_error.h"

#include "anim/source/rotation.h"

#include <math.h>
#include <string.h>

void skin_error_init(struct skin_error *skin, const struct dense_joint *joints,
                     uint32_t joint_count, struct arena *arena)
{
    skin->joint_count = joint_count;
    skin->joints = joints;
    skin->a = arena_alloc(arena, joint_count, sizeof *skin->a);
    skin->b = arena_alloc(arena, joint_count, sizeof *skin->b);
}

static void to_model(const struct dense_joint *joints, uint32_t joint,
                     const struct joint_transform *local, double (*models)[16])
{
    const int32_t parent = joints[joint].parent;
    double matrix[16];

    rotation_compose(local, matrix);
    if (parent < 0)
        memcpy(models[joint], matrix, sizeof matrix);
    else
        rotation_matrix_multiply(models[parent], matrix, models[joint]);
}

/* The distance of the vertex on an axis. */
static double vertex_distance(const double a[16], const double b[16], int axis)
{
    double sum = 0;

    for (int r = 0; r < 3; r++) {
        const double difference =
            SKIN_SHELL_METRES * (a[4 * axis + r] - b[4 * axis + r]) +
            (a[12 + r] - b[12 + r]);

        sum += difference * difference;
    }
    return sqrt(sum);
}

double skin_error_measure(struct skin_error *skin,
                          const struct joint_transform *a,
                          const struct joint_transform *b, uint32_t *joint)
{
    double largest = 0;

    for (uint32_t i = 0; i < skin->joint_count; i++) {
        to_model(skin->joints, i, &a[i], skin->a);
        to_model(skin->joints, i, &b[i], skin->b);
        for (int axis = 0; axis < 3; axis++) {
            const double distance =
                vertex_distance(skin->a[i], skin->b[i], axis);

            if (distance > largest) {
                largest = distance;
                *joint = i;
            }
        }
    }
    return largest;
}
