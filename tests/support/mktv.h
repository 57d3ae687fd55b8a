/* mktv.h - reference tangents of the assets: the output of MikkTSpace's own
 * code for each corner of a mesh. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_MKTV_H
#define TESTS_SUPPORT_MKTV_H

#include "common/arena.h"

#include <stdint.h>

struct mktv {
    uint32_t corners; /* three for each triangle */
    float *positions;
    float *normals;
    float *uvs;
    float *tangents;
    float *signs;
};

#define MKTV_COUNT 8
extern const char *const mktv_names[MKTV_COUNT];

/* Skips the running claim when there are no assets. */
void mktv_read(const char *name, struct arena *arena, struct mktv *out);

#endif
