/* compress.c - store and LZ4HC, and the table of all compressors.
 *
 * Blocks are independent: each starts with a fresh state. LZ4 blocks are
 * compressed by the optimal parser of the library (level 12). It examines all
 * candidate matches, so that its result does not depend on the byte order of
 * the machine. The estimate is a hash chain of small depth, the fast estimate a
 * matcher like the library's fast mode (lz4_size.h).
 *
 * Bytes per frame of two cloths of 30,389 and 31,146 vertices, by the form of
 * the residuals and the level of compression. In parentheses: seconds of
 * processor time of the whole compile (x86-64, lz4 1.9.4).
 *
 *                  9               11              12
 *   planes         65,043          64,973 (3.1)    64,947 (2.5)
 *                  114,032 (2.1)   113,942 (3.4)   113,845 (2.8)
 *   interleaved    119,884         111,592 (18)    109,282 (31)
 *
 * For interleaved residuals the fast estimate gives 4 to 10 % more bytes at the
 * same levels: it misses the long matches of good residuals, so that the
 * encoder chooses worse ones. For bit planes both estimates choose the same.
 */
/* SPDX-License-Identifier: MIT */
#include "compress/compress.h"

#include "compress/lz4_size.h"

#include <lz4hc.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* -- store -- */

static void *store_start(uint32_t level)
{
    (void)level;
    return malloc(1);
}

static uint32_t store(const void *source, uint32_t source_bytes, void *target,
                      void *workspace)
{
    (void)source;
    (void)source_bytes;
    (void)target;
    (void)workspace;
    return 0;
}

static uint32_t all_bytes(const void *source, uint32_t source_bytes,
                          void *target, void *workspace)
{
    (void)source;
    (void)target;
    (void)workspace;
    return source_bytes;
}

/* -- LZ4HC -- */

#define LEVEL 12

static void *lz4_start(uint32_t level)
{
    const size_t bytes = (size_t)LZ4_sizeofStateHC();

    (void)level;
    return malloc(bytes > LZ4_SIZE_WORKSPACE_BYTES ? bytes
                                                   : LZ4_SIZE_WORKSPACE_BYTES);
}

static uint32_t lz4_bytes(const void *source, uint32_t source_bytes,
                          void *target, void *workspace)
{
    if (source_bytes < 2)
        return 0;
    return (uint32_t)LZ4_compress_HC_extStateHC(workspace, source, target,
                                                (int)source_bytes,
                                                (int)source_bytes - 1, LEVEL);
}

static uint32_t lz4_estimate(const void *source, uint32_t source_bytes,
                             void *target, void *workspace)
{
    (void)target;
    return lz4_size_chain(source, source_bytes, workspace);
}

static uint32_t lz4_estimate_fast(const void *source, uint32_t source_bytes,
                                  void *target, void *workspace)
{
    (void)target;
    return lz4_size_fast(source, source_bytes, workspace);
}

/* -- the table -- */

static const struct compressor compressor_store = {
    BLOCK_CODEC_STORE, "store",  0, store_start, free, store,
    all_bytes,         all_bytes};
static const struct compressor compressor_lz4 = {
    BLOCK_CODEC_LZ4, "lz4hc",          0, lz4_start, free, lz4_bytes,
    lz4_estimate,    lz4_estimate_fast};

static const struct compressor *const compressors[] = {
    &compressor_store, &compressor_lz4, &compressor_deflate, &compressor_zstd};

#define COMPRESSOR_COUNT (sizeof compressors / sizeof compressors[0])

const struct compressor *compressor_find(uint32_t id)
{
    for (size_t i = 0; i < COMPRESSOR_COUNT; i++)
        if (compressors[i]->id == id)
            return compressors[i];
    return NULL;
}

const struct compressor *compressor_named(const char *name)
{
    for (size_t i = 0; i < COMPRESSOR_COUNT; i++)
        if (strcmp(compressors[i]->name, name) == 0)
            return compressors[i];
    return NULL;
}
