/* codec.h - block codecs: how the blocks of a cache are compressed.
 *
 * A cache is made of blocks of at most 64 KiB, each compressed alone, all by
 * the codec that `spindle compile --codec` was given. libspindle.a decodes
 * "store" and "lz4hc" by itself. Any other codec is a table that the caller
 * registers, so that a game links only what its caches need:
 *
 *   static const spn_codec *const codecs[] = {&spn_codec_deflate};
 *   spn_config config = {..., .codecs = codecs, .codec_count = 1};
 *
 *   cache made with     table               archive               needs
 *   --codec deflate     spn_codec_deflate   libspindle-deflate.a  zlib
 *   --codec zstd        spn_codec_zstd      libspindle-zstd.a     libzstd
 *
 * The order in the array means nothing. spn_memory_needed counts the workspace
 * of each registered table once for each worker, and once more for
 * spn_update's own jobs; decoding takes no other memory. A cache whose
 * codec is not registered is not opened: spn_cache_get_status says
 * SPN_ERR_NO_CODEC, and its fault names the codec.
 *
 * An engine's own decoder of one of these formats (hardware, a system
 * library) is registered the same way, with the number of the format.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_CODEC_H
#define SPINDLE_CODEC_H

#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a block is, by number of its codec. They never change. A deflate block
 * has no head of zlib or gzip; a zstd block is one frame without its magic
 * number, whose first byte is 0: no content size, dictionary or checksum. */
#define SPN_CODEC_STORE 0u
#define SPN_CODEC_LZ4 1u
#define SPN_CODEC_DEFLATE 2u
#define SPN_CODEC_ZSTD 3u

typedef struct spn_codec {
    uint32_t id;              /* SPN_CODEC_DEFLATE ... */
    const char *name;         /* never NULL; "deflate" */
    uint32_t workspace_bytes; /* of all tables together 64 MiB at most */

    /* Decompress one block.
     *
     * source, source_bytes  the compressed block; may be damaged in any way
     * target, target_bytes  decoded to exactly so many bytes, 1 to 65536
     * workspace             workspace_bytes, aligned to 64, that nobody else
     *                       touches: zero at a worker's first call, then as
     *                       its last call left them. NULL or anything when
     *                       workspace_bytes is 0
     *
     * Returns SPN_OK when all of the source gave all of the target, otherwise
     * SPN_ERR_CODEC; what is in the target then does not matter. Reads and
     * writes nothing outside of the three, and allocates nothing.
     * Thread: any number of workers at once. */
    spn_status (*decode)(const void *source, uint32_t source_bytes,
                         void *target, uint32_t target_bytes, void *workspace);
} spn_codec;

/* In libspindle-deflate.a: zlib's inflate, with 64 KiB of workspace. */
extern const spn_codec spn_codec_deflate;

/* In libspindle-zstd.a: libzstd's decoder, with 128 KiB of workspace (192 KiB
 * with a zstd before 1.5.2). */
extern const spn_codec spn_codec_zstd;

#ifdef __cplusplus
}
#endif
#endif
