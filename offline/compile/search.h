/* search.h - the coding and the weights that make a stream smallest.
 *
 * For each stream of each frame: plain, spatial, and in B frames temporal
 * with weights a, b, c. Least squares give the first guess, a climb by the
 * compressor's estimate the rest.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_SEARCH_H
#define OFFLINE_COMPILE_SEARCH_H

#include "compile/compress.h"
#include "geom/predict.h"

#include <stdbool.h>

/* Scratch of one thread. */
struct search_scratch {
    void *workspace;    /* the compressor's */
    uint8_t *residuals; /* BLOCK_RAW_BYTES_MAX each */
    uint8_t *target;
};

struct search_result {
    enum coding coding;
    uint8_t a;
    uint8_t b;
    uint8_t c;
    bool is_raw;
    uint32_t stored_bytes;
    const uint8_t *stored; /* in the scratch, until its next use */
};

/* `stream` names channel, count, entries (NULL: no spatial coding) and
 * references (NULL: no temporal coding); coding and weights are found. */
void search_stream(const struct compressor *compressor,
                   const struct predict_stream *stream, const void *values,
                   struct search_scratch *scratch,
                   struct search_result *result);

/* The same for bytes that nothing predicts. */
void search_bytes(const struct compressor *compressor, const void *bytes,
                  uint32_t count, struct search_scratch *scratch,
                  struct search_result *result);

#endif
