/* fill_scene.h - random vertices and random layouts for the fill. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_FILL_SCENE_H
#define TESTS_SUPPORT_FILL_SCENE_H

#include "fill/fill.h"

#include <stdbool.h>
#include <stdint.h>

/* Owns its arrays, each exactly as large as needed, so that a sanitizer sees
 * the first byte read too much. */
struct fill_scene {
    struct fill_constants constants;
    struct fill_source source;
    spn_vertex_layout layout;
    uint16_t *position[4]; /* floor, ceil, previous floor, previous ceil */
    int16_t *qtangent[2];
    uint16_t *uv[2];        /* NULL: none */
    uint8_t *color[2];      /* NULL: none */
    uint16_t *second_uv[2]; /* NULL: none */
    uint16_t *velocity[2];  /* NULL: they follow from positions */
    uint8_t *reflection;
};

/* Everything follows from the seed: which channels there are, reflections
 * none, all or mixed, alpha 0, 1 or between, formats, gaps, odd offsets.
 * `is_wild`: QTangents of any 64 bits, zeros among them. */
void fill_scene_make(struct fill_scene *scene, uint64_t seed, uint32_t count,
                     bool is_wild);
void fill_scene_free(struct fill_scene *scene);

/* Set covered[k] to 1 for each byte k < stride that an attribute covers. */
void fill_scene_cover(const spn_vertex_layout *layout, uint8_t *covered);

#endif
