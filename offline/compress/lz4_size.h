/* lz4_size.h - about how many bytes LZ4 makes of a block, on every machine.
 *
 * The library's quick modes hash words in the order in which the machine reads
 * them, give up after a few candidates, and so find other matches where bytes
 * are ordered otherwise. What decides between residuals must not depend on
 * that: these count what such matchers would write, reading lowest byte first.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPRESS_LZ4_SIZE_H
#define OFFLINE_COMPRESS_LZ4_SIZE_H

#include <stdint.h>

#define LZ4_SIZE_SOURCE_MAX 65536u

/* Room for either, aligned as malloc does. */
#define LZ4_SIZE_WORKSPACE_BYTES (2u * 65536u + 2u * 32768u)

/* One candidate a position, in the manner of LZ4_compress_fast with a target
 * of one byte less than the source: the same number as 64-bit x86 gets. */
uint32_t lz4_size_fast(const void *source, uint32_t source_bytes,
                       void *workspace);

/* Four candidates a position, which finds long matches. Both: never more than
 * source_bytes, which are 1 to LZ4_SIZE_SOURCE_MAX. */
uint32_t lz4_size_chain(const void *source, uint32_t source_bytes,
                        void *workspace);

#endif
