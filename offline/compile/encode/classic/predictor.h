/* predictor.h - chooses the spatial predictor of each vertex for the classic
 * codec.
 *
 * The format (codec/classic/predict.h) predicts a vertex from up to three
 * earlier vertices of the part, at most 4096 before it. The candidates come
 * from the mesh: parallelograms across an edge or a corner, the line through a
 * neighbour, a neighbour alone, and a vertex at the same position (the other
 * side of a UV seam). The one with the fewest bits over the sample frames is
 * chosen. Any thread may call it.
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
    /* Values of the whole mesh in each sample frame; NULL: ignore the channel.
     */
    const void *sample[PREDICTOR_SAMPLES_MAX][CHANNEL_COUNT];
};

/* Fill vertex_count entries. `scratch` may be reset afterwards. */
void predictor_search(const struct predictor_part *part, struct arena *scratch,
                      struct predict_entry *entries);

#endif
