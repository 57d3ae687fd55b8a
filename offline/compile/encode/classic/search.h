/* search.h - the order, the coding and the weights that make a stream smallest.
 *
 * For each stream of each frame: as planes or interleaved; plain, spatial, and
 * in B frames temporal with weights a, b, c. Least squares give the first
 * guess, a climb by the compressor's estimate the rest.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_CLASSIC_SEARCH_H
#define OFFLINE_COMPILE_ENCODE_CLASSIC_SEARCH_H

#include "codec/classic/planes.h"
#include "codec/classic/predict.h"
#include "compress/compress.h"

#include <stdbool.h>

/* Scratch of one thread. */
struct search_scratch {
    void *workspace;    /* the compressor's */
    uint8_t *residuals; /* BLOCK_RAW_BYTES_MAX each */
    uint8_t *bytes;
    uint8_t *target;
};

struct search_result {
    enum coding coding;
    enum residual_order order;
    uint8_t a;
    uint8_t b;
    uint8_t c;
    bool is_raw;
    uint32_t stored_bytes;
    const uint8_t *stored; /* in the scratch, until its next use */
};

/* `stream` names channel, count, entries (NULL: no spatial coding) and
 * references (NULL: no temporal coding); order, coding and weights are found.
 * `orders`: those that may be chosen, by their bits. A block that does not
 * compress is plain and interleaved, whatever they are. */
#define ORDER_BIT(order) (1u << (order))
#define ORDERS_ALL (ORDER_BIT(ORDER_COUNT) - 1u)
void search_stream(const struct compressor *compressor, uint32_t orders,
                   const struct predict_stream *stream, const void *values,
                   struct search_scratch *scratch,
                   struct search_result *result);

/* The same for bytes that nothing predicts. */
void search_bytes(const struct compressor *compressor, const void *bytes,
                  uint32_t count, struct search_scratch *scratch,
                  struct search_result *result);

#endif
