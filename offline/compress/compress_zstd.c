/* compress_zstd.c - zstd frames, by libzstd.
 *
 * A frame has no magic number, content size and checksum: the cache stores the
 * latter two itself. Bytes per frame of a cloth of 30,389 vertices and 61
 * frames, by the level of the estimate (rows) and of compression (columns). In
 * parentheses: seconds of processor time of the whole compile (x86-64, zstd
 * 1.5.4); all work but estimates and compression takes one second of it.
 *
 *   estimate  level 12     15             17             19
 *   -5                                                   74,507 (14)
 *   1         81,517 (6)   75,504 (8)     74,412 (9)     73,015 (15)
 *   3                                                    73,018 (15)
 *   6                                                    72,941 (20)
 *
 * Level 22 gives the same bytes as 19 to four digits.
 *
 * The row-based match finder is disabled: levels 5 to 12 would use it only on
 * processors with vector instructions, and their results would differ between
 * machines. The target buffer must be larger than the source: the library
 * writes bits in words, and if the buffer is narrow, whether it gives up
 * depends on the word size of the machine.
 */
/* SPDX-License-Identifier: MIT */
#include "compress/compress.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Format of frames without a magic number. */
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

#define ESTIMATE_LEVEL 1
#define LEVEL 19
#define LEVEL_MAX 22

struct levels {
    ZSTD_CCtx *best;
    ZSTD_CCtx *quick;
    uint8_t room[ZSTD_COMPRESSBOUND(BLOCK_RAW_BYTES_MAX)];
};

static bool set(ZSTD_CCtx *context, ZSTD_cParameter parameter, int value)
{
    return !ZSTD_isError(ZSTD_CCtx_setParameter(context, parameter, value));
}

static ZSTD_CCtx *context_of(int level)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();

    if (context && set(context, ZSTD_c_compressionLevel, level) &&
        set(context, ZSTD_c_useRowMatchFinder, ZSTD_ps_disable) &&
        set(context, ZSTD_c_format, ZSTD_f_zstd1_magicless) &&
        set(context, ZSTD_c_contentSizeFlag, 0) &&
        set(context, ZSTD_c_checksumFlag, 0) &&
        set(context, ZSTD_c_dictIDFlag, 0))
        return context;
    ZSTD_freeCCtx(context);
    return NULL;
}

static void stop(void *workspace)
{
    struct levels *levels = workspace;

    ZSTD_freeCCtx(levels->best);
    ZSTD_freeCCtx(levels->quick);
    free(levels);
}

static void *start(uint32_t level)
{
    struct levels *levels = malloc(sizeof *levels);

    if (!levels)
        return NULL;
    levels->best = context_of(level > 0 ? (int)level : LEVEL);
    levels->quick = context_of(ESTIMATE_LEVEL);
    if (levels->best && levels->quick)
        return levels;
    stop(levels);
    return NULL;
}

/* Compress to `room`. Returns 0 when the result would not be smaller than the
 * source. */
static uint32_t compress_by(ZSTD_CCtx *level, const void *source,
                            uint32_t source_bytes, struct levels *levels)
{
    const size_t bytes = ZSTD_compress2(
        level, levels->room, sizeof levels->room, source, source_bytes);

    return ZSTD_isError(bytes) || bytes >= source_bytes ? 0 : (uint32_t)bytes;
}

static uint32_t compress(const void *source, uint32_t source_bytes,
                         void *target, void *workspace)
{
    struct levels *levels = workspace;
    const uint32_t bytes =
        compress_by(levels->best, source, source_bytes, levels);

    memcpy(target, levels->room, bytes);
    return bytes;
}

static uint32_t estimate(const void *source, uint32_t source_bytes,
                         void *target, void *workspace)
{
    struct levels *levels = workspace;
    const uint32_t bytes =
        compress_by(levels->quick, source, source_bytes, levels);

    (void)target;
    return bytes == 0 ? source_bytes : bytes;
}

const struct compressor compressor_zstd = {
    BLOCK_CODEC_ZSTD, "zstd",   LEVEL_MAX, start, stop,
    compress,         estimate, estimate};
