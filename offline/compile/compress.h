/* compress.h - the other half of the block codecs: how blocks are made.
 *
 * A table per codec; the decoders are the runtime's (geom/block_codec.h). The
 * result depends on the source alone, never on the thread or on what the
 * workspace held.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_COMPRESS_H
#define OFFLINE_COMPILE_COMPRESS_H

#include "geom/block_codec.h"

#include <stdint.h>

struct compressor {
    uint32_t id; /* enum block_codec_id */
    const char *name;
    uint32_t workspace_bytes; /* per thread, aligned to 8 */
    /* Bytes written to `target`, or 0 when the block would not be smaller
     * than its source: it is then stored raw. `target` has room for
     * source_bytes, at most BLOCK_RAW_BYTES_MAX. */
    uint32_t (*compress)(const void *source, uint32_t source_bytes,
                         void *target, void *workspace);
    /* About how many bytes that would be, several times faster: good for
     * telling better residuals from worse. Same arguments. */
    uint32_t (*estimate)(const void *source, uint32_t source_bytes,
                         void *target, void *workspace);
};

/* NULL when this build cannot make blocks of that codec. */
const struct compressor *compressor_find(uint32_t id);

#endif
