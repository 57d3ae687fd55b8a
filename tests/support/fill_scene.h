/* fill_scene.h - random vertices and random layouts for tests of the fill. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_FILL_SCENE_H
#define TESTS_SUPPORT_FILL_SCENE_H

#include "fill/fill.h"

#include <stdbool.h>
#include <stdint.h>

/* Owns its arrays. Each has exactly the needed size, so that a sanitizer sees a
 * read after its end. */
struct fill_scene {
    struct fill_constants constants;
    struct fill_source source;
    spn_vertex_layout layout;
    uint16_t *position[4]; /* floor, ceiling, previous floor, previous
                            * ceiling */
    int16_t *qtangent[2];
    uint16_t *uv[2];        /* NULL: no such channel */
    uint8_t *color[2];      /* NULL: no such channel */
    uint16_t *second_uv[2]; /* NULL: no such channel */
    uint16_t *velocity[2];  /* NULL: velocities are derived from positions */
    uint8_t *reflection;
};

/* The seed determines everything: channels, reflections (none, all, mixed),
 * alpha (0, 1, between), formats, gaps, odd offsets. `is_wild`: QTangents are
 * any 64 bits, also zero. */
void fill_scene_make(struct fill_scene *scene, uint64_t seed, uint32_t count,
                     bool is_wild);
void fill_scene_free(struct fill_scene *scene);

/* Set covered[k] to 1 for each byte k < stride that an attribute covers. */
void fill_scene_cover(const spn_vertex_layout *layout, uint8_t *covered);

#endif
