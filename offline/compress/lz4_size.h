/* lz4_size.h - estimates the size of a block compressed by LZ4, with the same
 * result on every machine.
 *
 * The encoder chooses between residuals by such estimates, so they must not
 * depend on the machine. The library's fast modes do: they hash words in the
 * byte order of the machine and stop after a few candidate matches. The
 * functions here find matches in the same manner, but read words lowest byte
 * first, and count the bytes of the result without writing it. The library's
 * level 12 examines all candidates and does not depend on the byte order, but
 * as an estimate it makes a compile of tests/data/demo.abc by lz4hc take 2.8
 * times the processor time.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPRESS_LZ4_SIZE_H
#define OFFLINE_COMPRESS_LZ4_SIZE_H

#include <stdint.h>

#define LZ4_SIZE_SOURCE_MAX 65536u

/* Bytes of the workspace of either function, aligned as malloc's memory. */
#define LZ4_SIZE_WORKSPACE_BYTES (2u * 65536u + 2u * 32768u)

/* Estimate with one candidate per position, as in LZ4_compress_fast with a
 * target of one byte less than the source. The result equals the library's on
 * 64-bit x86. Both functions return at most source_bytes, which must be
 * 1..LZ4_SIZE_SOURCE_MAX. */
uint32_t lz4_size_fast(const void *source, uint32_t source_bytes,
                       void *workspace);

/* Estimate with four candidates per position, which finds longer matches. */
uint32_t lz4_size_chain(const void *source, uint32_t source_bytes,
                        void *workspace);

#endif
