/* compress.c - store and LZ4HC.
 *
 * Blocks are independent, so each starts with a fresh state. The estimate of
 * LZ4 is LZ4's own fast mode: its matches are those of the slow one, only
 * fewer of them are found, so what is smaller by it is nearly always smaller
 * in the end.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/compress.h"

#include <lz4.h>
#include <lz4hc.h>
#include <stddef.h>

static uint32_t store(const void *source, uint32_t source_bytes, void *target,
                      void *workspace)
{
    (void)source;
    (void)source_bytes;
    (void)target;
    (void)workspace;
    return 0;
}

static uint32_t lz4_hc(const void *source, uint32_t source_bytes, void *target,
                       void *workspace)
{
    if (source_bytes < 2)
        return 0;
    return (uint32_t)LZ4_compress_HC_extStateHC(
        workspace, source, target, (int)source_bytes, (int)source_bytes - 1,
        LZ4HC_CLEVEL_DEFAULT);
}

static uint32_t lz4_fast(const void *source, uint32_t source_bytes,
                         void *target, void *workspace)
{
    uint32_t bytes;

    if (source_bytes < 2)
        return source_bytes;
    bytes = (uint32_t)LZ4_compress_fast_extState(
        workspace, source, target, (int)source_bytes, (int)source_bytes - 1, 1);
    return bytes == 0 ? source_bytes : bytes;
}

static uint32_t all_bytes(const void *source, uint32_t source_bytes,
                          void *target, void *workspace)
{
    (void)source;
    (void)target;
    (void)workspace;
    return source_bytes;
}

/* The states of both modes are opaque; these bounds of theirs are public and
 * checked in the tests of this module. */
#define LZ4_WORKSPACE_BYTES (1u << 19)

static const struct compressor compressors[] = {
    {BLOCK_CODEC_STORE, "store", 0, store, all_bytes},
    {BLOCK_CODEC_LZ4, "lz4hc", LZ4_WORKSPACE_BYTES, lz4_hc, lz4_fast},
};

const struct compressor *compressor_find(uint32_t id)
{
    for (size_t i = 0; i < sizeof compressors / sizeof compressors[0]; i++)
        if (compressors[i].id == id)
            return &compressors[i];
    return NULL;
}
