/* compress_deflate.c - raw deflate, by libdeflate.
 *
 * Estimates use level 1, a greedy matcher; blocks are compressed by the optimal
 * parser. Bytes per frame of a cloth of 30,389 vertices and 61 frames, by the
 * level of the estimate (rows) and of compression (columns). In parentheses:
 * seconds of processor time of the whole compile (x86-64, libdeflate 1.14); all
 * work but estimates and compression takes one second of it.
 *
 *   estimate  level 6     9           10          11           12
 *   1         85,137 (4)  81,227 (8)  74,135 (9)  73,553 (11)  73,380 (11)
 *   2                                                          73,408 (13)
 *   3                                                          73,472 (14)
 *   6                                                          73,402 (21)
 *   9                                                          73,371 (109)
 *
 * The entropy of the bytes as an estimate gives 74,055 (11). It is hardly
 * faster, because most of the time is spent in compression.
 */
/* SPDX-License-Identifier: MIT */
#include "compress/compress.h"

#include <libdeflate.h>
#include <stdlib.h>

#define ESTIMATE_LEVEL 1
#define LEVEL 12

struct levels {
    struct libdeflate_compressor *best;
    struct libdeflate_compressor *quick;
};

static void stop(void *workspace)
{
    struct levels *levels = workspace;

    if (levels->best)
        libdeflate_free_compressor(levels->best);
    if (levels->quick)
        libdeflate_free_compressor(levels->quick);
    free(levels);
}

static void *start(uint32_t level)
{
    struct levels *levels = malloc(sizeof *levels);

    (void)level;
    if (!levels)
        return NULL;
    levels->best = libdeflate_alloc_compressor(LEVEL);
    levels->quick = libdeflate_alloc_compressor(ESTIMATE_LEVEL);
    if (levels->best && levels->quick)
        return levels;
    stop(levels);
    return NULL;
}

/* Compress. Returns 0 when the result would not be smaller than the source. */
static uint32_t compress_by(struct libdeflate_compressor *level,
                            const void *source, uint32_t source_bytes,
                            void *target)
{
    return (uint32_t)libdeflate_deflate_compress(level, source, source_bytes,
                                                 target, source_bytes - 1);
}

static uint32_t compress(const void *source, uint32_t source_bytes,
                         void *target, void *workspace)
{
    const struct levels *levels = workspace;

    return compress_by(levels->best, source, source_bytes, target);
}

static uint32_t estimate(const void *source, uint32_t source_bytes,
                         void *target, void *workspace)
{
    const struct levels *levels = workspace;
    uint32_t bytes = compress_by(levels->quick, source, source_bytes, target);

    return bytes == 0 ? source_bytes : bytes;
}

const struct compressor compressor_deflate = {BLOCK_CODEC_DEFLATE,
                                              "deflate",
                                              0,
                                              start,
                                              stop,
                                              compress,
                                              estimate,
                                              estimate};
