/* predictor.h - for each vertex, the decoded ones that predict it best.
 *
 * The format allows any three earlier vertices of the part at most 4096 back.
 * Looked at are those that the mesh suggests: parallelograms across an edge
 * or a corner, a straight line through a neighbour, a neighbour alone, and a
 * vertex at the same place (the other side of a UV seam). The least cost in
 * bits over several frames wins.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_CLASSIC_PREDICTOR_H
#define OFFLINE_COMPILE_ENCODE_CLASSIC_PREDICTOR_H

#include "codec/channel.h"
#include "codec/classic/predict.h"
#include "common/arena.h"

#include <stdint.h>

#define PREDICTOR_SAMPLES_MAX 8u

struct predictor_part {
    uint32_t first_vertex; /* of the part, in the mesh */
    uint32_t vertex_count;
    const uint32_t *indices; /* of the whole mesh */
    uint32_t index_count;
    uint32_t sample_count; /* 1..PREDICTOR_SAMPLES_MAX */
    /* values of the whole mesh in some frames; NULL: a channel that does not
     * count */
    const void *sample[PREDICTOR_SAMPLES_MAX][CHANNEL_COUNT];
};

/* Fill vertex_count entries. Everything in `scratch` may be reset after. */
void predictor_search(const struct predictor_part *part, struct arena *scratch,
                      struct predict_entry *entries);

#endif
