/* abc_world.c - world matrices and visibility as the oracles define them. */
/* SPDX-License-Identifier: MIT */
#include "support/abc_world.h"

#include <string.h>

static void multiply(double m[16], const double right[16])
{
    double product[16];

    for (int i = 0; i < 16; i++) {
        product[i] = 0.0;
        for (int k = 0; k < 4; k++)
            product[i] += m[i / 4 * 4 + k] * right[4 * k + i % 4];
    }
    memcpy(m, product, sizeof product);
}

uint32_t world_near_index(const struct abc_time_sampling *sampling,
                          uint32_t sample_count, double time)
{
    struct abc_bracket bracket = abc_bracket_at(sampling, sample_count, time);
    double before;
    double after;

    if (bracket.floor == bracket.ceil)
        return bracket.floor;
    before = time - abc_sample_time(sampling, bracket.floor);
    after = abc_sample_time(sampling, bracket.ceil) - time;
    return before <= after ? bracket.floor : bracket.ceil;
}

static uint32_t near(const struct abc_archive *archive,
                     const struct abc_property *property, double time)
{
    return world_near_index(&archive->samplings[property->time_sampling],
                            property->sample_count, time);
}

bool world_matrix(const struct abc_archive *archive,
                  const struct abc_object *object, double time,
                  double world[16])
{
    struct arena arena;
    bool is_read = true;

    for (int i = 0; i < 16; i++)
        world[i] = i % 5 == 0;
    arena_init(&arena);
    for (object = object->parent; object && is_read; object = object->parent) {
        struct abc_xform xform;
        double local[16];
        bool inherits;

        if (abc_object_type(object) != ABC_TYPE_XFORM)
            continue;
        is_read = abc_xform_open(archive, object, &arena, &xform) &&
                  abc_xform_local(
                      archive, &xform,
                      xform.values ? near(archive, xform.values, time) : 0,
                      &arena, local) &&
                  abc_xform_inherits(
                      archive, &xform,
                      xform.inherits ? near(archive, xform.inherits, time) : 0,
                      &inherits);
        if (!is_read)
            break;
        multiply(world, local);
        if (!inherits)
            break;
    }
    arena_free(&arena);
    return is_read;
}

bool world_is_visible(const struct abc_archive *archive,
                      const struct abc_object *object, double time,
                      bool *is_visible)
{
    for (; object; object = object->parent) {
        enum abc_visibility value;

        if (!abc_visibility_at(archive, object, time, &value))
            return false;
        if (value != ABC_DEFERRED) {
            *is_visible = value == ABC_VISIBLE;
            return true;
        }
    }
    *is_visible = true;
    return true;
}

bool world_is_constant(const struct abc_archive *archive,
                       const struct abc_object *object)
{
    struct arena arena;
    bool is_constant = true;

    arena_init(&arena);
    for (object = object->parent; object; object = object->parent) {
        struct abc_xform xform;

        if (abc_object_type(object) == ABC_TYPE_XFORM &&
            abc_xform_open(archive, object, &arena, &xform) &&
            !xform.is_constant)
            is_constant = false;
    }
    arena_free(&arena);
    return is_constant;
}
