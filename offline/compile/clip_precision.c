/* clip_precision.c - compares what quantization keeps with what is seen. */
/* SPDX-License-Identifier: MIT */
#include "compile/clip_precision.h"

#include "compile/words.h"

#define TEXTURE_TEXELS 2048.0
#define TEXELS_MAX 0.5

void clip_warn_of_uvs(struct clip_private *private,
                      const struct clip_mesh *mesh, enum channel channel)
{
    char number[2][WORDS_NUMBER_BYTES];

    for (int i = 0; i < 2; i++) {
        float min = mesh->range[channel].min[i];
        float size = mesh->range[channel].size[i];
        double texels = TEXTURE_TEXELS *
                        quantize_error(min, size, mesh->range[channel].bits[i]);

        if (texels <= TEXELS_MAX)
            continue;
        warnings_add(&private->warnings, WARNING_PRECISION, mesh->path,
                     arena_format(&private->arena,
                                  "%c goes from %s to %s: off by %.3g texels "
                                  "of a texture of %g, not by %g",
                                  "uv"[i], words_number(min, number[0]),
                                  words_number((double)min + size, number[1]),
                                  texels, TEXTURE_TEXELS, TEXELS_MAX));
    }
}

/* ---- normals ---------------------------------------------------------------
 */

/* Of one node, not turned by --up, which stretches nothing. */
static bool world_of(const struct clip *clip, uint32_t node, double time,
                     double world[16])
{
    const struct clip_private *private = clip->private;
    int32_t at = (int32_t)node;

    matrix_identity(world);
    for (; at >= 0; at = private->scene.nodes[at].parent) {
        double local[16];

        if (!scene_node_matrix(&private->scene.nodes[at], &private->locals,
                               time, local))
            return false;
        matrix_multiply(world, local, world);
    }
    return true;
}

/* Degrees of the normal that is farthest off in the world. */
static bool worst_normal(const struct shape *shape, const double cofactors[9],
                         double time, double *worst)
{
    struct shape_frame fill;
    struct arena arena;
    bool is_good;

    *worst = 0;
    arena_init(&arena);
    is_good = shape_fill(shape, time, true, false, &arena, &fill);
    for (uint32_t v = 0; is_good && v < shape->vertex_count; v++) {
        int16_t packed[4];
        double angle;

        tangents_pack_stretched(fill.normals[v], fill.tangents[v], cofactors,
                                packed);
        angle = tangents_world_angle(cofactors, fill.normals[v],
                                     tangents_normal(packed));
        *worst = angle > *worst ? angle : *worst;
    }
    arena_free(&arena);
    return is_good;
}

bool clip_judge_normals(struct clip *clip, uint32_t number,
                        const struct mesh_world *world)
{
    struct clip_private *private = clip->private;
    struct clip_mesh *mesh = &clip->meshes[number];
    char seconds[WORDS_NUMBER_BYTES];
    char name[WORDS_NAME_BYTES];
    double matrix[16];
    double worst;
    double time;

    mesh->is_stretched = world->stretch > 0;
    if (!mesh->is_stretched)
        return true;
    time = clip->frame_seconds[world->frame];
    if (!world_of(clip, world->node, time, matrix))
        return false;
    matrix_stretch(matrix, mesh->cofactors);
    if (!worst_normal(private->gather.shapes[number], mesh->cofactors, time,
                      &worst))
        return false;
    if (worst <= TANGENTS_WORLD_DEGREES)
        return true;
    diag_name(clip->nodes[world->node].path, name, sizeof name);
    warnings_add(&private->warnings, WARNING_STRETCHED_NORMALS, mesh->path,
                 arena_format(&private->arena,
                              "by %.3g degrees instead of %.3g, stretched by "
                              "%s at %s s",
                              worst, TANGENTS_WORLD_DEGREES, name,
                              words_number(time, seconds)));
    return true;
}
