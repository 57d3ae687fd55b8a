/* codec.h - block codecs: decompressors for the blocks of caches and paks.
 *
 * The data of caches and paks is stored in *blocks* of at most 64 KiB, which
 * are compressed independently of each other. All blocks of a cache use the
 * codec that `spindle compile --codec` was given; the entries of a pak may have
 * different codecs (`spindle pack --codec`, `--codec-for`). libspindle.a itself
 * decompresses "store" (not compressed) and "lz4hc". Other codecs are
 * registered in spn_config, so that a game links only those that its files
 * need:
 *
 *   static const spn_codec *const codecs[] = {&spn_codec_deflate};
 *   spn_config config = {..., .codecs = codecs, .codec_count = 1};
 *
 *   made with           spn_codec           library               needs
 *   --codec deflate     spn_codec_deflate   libspindle-deflate.a  zlib
 *   --codec zstd        spn_codec_zstd      libspindle-zstd.a     libzstd
 *
 * The order in the array does not matter. An engine that has a decoder of its
 * own for one of these formats, e.g. in hardware, registers it in the same way,
 * with the id of the format.
 *
 * spn_memory_needed includes the workspace of each registered codec, once for
 * each worker and once for spn_update. Decoding uses no other memory.
 *
 * A cache whose codec is not registered cannot be opened: spn_cache_get_status
 * returns SPN_ERR_NO_CODEC, and the fault names the codec.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_CODEC_H
#define SPINDLE_CODEC_H

#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Ids of the formats of blocks; they never change. Deflate blocks have no zlib
 * or gzip header. A zstd block is one frame without its magic number; the first
 * byte of its header is 0, so it has no content size, dictionary id or
 * checksum. */
#define SPN_CODEC_STORE 0u
#define SPN_CODEC_LZ4 1u
#define SPN_CODEC_DEFLATE 2u
#define SPN_CODEC_ZSTD 3u

typedef struct spn_codec {
    uint32_t id;              /* SPN_CODEC_DEFLATE ... */
    const char *name;         /* e.g. "deflate"; must not be NULL */
    uint32_t workspace_bytes; /* memory that one call needs; the sum of all
                               * registered codecs is at most 64 MiB */

    /* Decompress one block.
     *
     * source     the compressed block, source_bytes long. It may be damaged in
     *            any way
     * target     where to write; the block must give exactly target_bytes, 1 to
     *            65536
     * workspace  workspace_bytes, aligned to 64. Each worker has its own: it is
     *            zero at the worker's first call, and later contains what the
     *            worker's last call left. Do not use it if workspace_bytes is 0
     *
     * Returns SPN_OK if the whole source was used and gave the whole target;
     * otherwise SPN_ERR_CODEC, and the target may have any contents. Must not
     * access memory outside of these three, and must not allocate. Thread: any
     * number of workers at the same time. */
    spn_status (*decode)(const void *source, uint32_t source_bytes,
                         void *target, uint32_t target_bytes, void *workspace);
} spn_codec;

/* In libspindle-deflate.a: calls zlib's inflate; 64 KiB of workspace. */
extern const spn_codec spn_codec_deflate;

/* In libspindle-zstd.a: calls libzstd; 128 KiB of workspace (192 KiB with
 * versions before 1.5.2). */
extern const spn_codec spn_codec_zstd;

#ifdef __cplusplus
}
#endif
#endif
