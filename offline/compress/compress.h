/* compress.h - the compressors of the block codecs.
 *
 * The runtime has the decoders (spindle/codec.h). The result depends on the
 * source alone, never on the thread, the machine or earlier uses of the
 * workspace. A workspace belongs to one thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPRESS_COMPRESS_H
#define OFFLINE_COMPRESS_COMPRESS_H

#include "base/block_codec.h"

#include <stdint.h>

struct compressor {
    uint32_t id;        /* enum block_codec_id */
    const char *name;   /* the value of --codec */
    uint32_t level_max; /* highest level; 0: no levels */
    /* Create and free a workspace. `level`: the effort of compress,
     * 1..level_max; 0: the level of caches. NULL: no memory. */
    void *(*start)(uint32_t level);
    void (*stop)(void *workspace);
    /* Compress to `target`, which has room for source_bytes
     * (1..BLOCK_RAW_BYTES_MAX). Returns the bytes written; 0: the block would
     * not become smaller, and must be stored raw. */
    uint32_t (*compress)(const void *source, uint32_t source_bytes,
                         void *target, void *workspace);
    /* Estimate the result of `compress`, several times faster: accurate enough
     * to compare residuals. Returns at most source_bytes. May overwrite
     * `target`. */
    uint32_t (*estimate)(const void *source, uint32_t source_bytes,
                         void *target, void *workspace);
    /* A faster estimate. It is as accurate as `estimate` for residuals that are
     * stored as bit planes, where most matches are runs of equal bytes. For
     * other data it is too high. */
    uint32_t (*estimate_fast)(const void *source, uint32_t source_bytes,
                              void *target, void *workspace);
};

/* Find a compressor by number or by name. NULL: this build has none. */
const struct compressor *compressor_find(uint32_t id);
const struct compressor *compressor_named(const char *name);

/* For the table in compress.c. */
extern const struct compressor compressor_deflate;
extern const struct compressor compressor_zstd;

#endif
