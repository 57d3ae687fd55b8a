/* compress.h - the other half of the block codecs: how blocks are made.
 *
 * A table per codec; the decoders are the runtime's (spindle/codec.h). The
 * result depends on the source alone, never on the thread or on what the
 * workspace was used for before.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPRESS_COMPRESS_H
#define OFFLINE_COMPRESS_COMPRESS_H

#include "base/block_codec.h"

#include <stdint.h>

struct compressor {
    uint32_t id;        /* enum block_codec_id */
    const char *name;   /* as the command line has it */
    uint32_t level_max; /* of the codec; 0: this one has no levels */
    /* Make and unmake a thread's workspace. `level`: how much effort compress
     * takes, 1..level_max, or 0: as much as a cache is worth. NULL: no memory.
     */
    void *(*start)(uint32_t level);
    void (*stop)(void *workspace);
    /* Bytes written to `target`, or 0 when the block would not be smaller
     * than its source: it is then stored raw. `target` has room for
     * source_bytes, 1 to BLOCK_RAW_BYTES_MAX. */
    uint32_t (*compress)(const void *source, uint32_t source_bytes,
                         void *target, void *workspace);
    /* About how many bytes that would be, several times faster: good for
     * telling better residuals from worse. Never more than source_bytes; what
     * is in `target` then does not matter. Same arguments. */
    uint32_t (*estimate)(const void *source, uint32_t source_bytes,
                         void *target, void *workspace);
    /* The same with less effort, which says as much of residuals as planes:
     * their matches are runs. Of others it says that they are larger than
     * they are. */
    uint32_t (*glance)(const void *source, uint32_t source_bytes, void *target,
                       void *workspace);
};

/* By number or by name; NULL when this build cannot make such blocks. */
const struct compressor *compressor_find(uint32_t id);
const struct compressor *compressor_named(const char *name);

/* Each in a file of its own, found by the two above. */
extern const struct compressor compressor_deflate;
extern const struct compressor compressor_zstd;

#endif
