/* lz4_size.h - estimates the bytes that LZ4 makes of a block, alike on every
 * machine.
 *
 * The library's fast modes hash words in the byte order of the machine and stop
 * after a few candidates, so on machines of the other byte order they find
 * other matches and other sizes. The choice between residuals must not depend
 * on that. The functions here count what such matchers would write, reading
 * words lowest byte first. The library's level 12 looks at all candidates and
 * does not depend on the byte order, but as an estimate it makes a compile of
 * tests/data/demo.abc by lz4hc take 2.8 times the processor time.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPRESS_LZ4_SIZE_H
#define OFFLINE_COMPRESS_LZ4_SIZE_H

#include <stdint.h>

#define LZ4_SIZE_SOURCE_MAX 65536u

/* Bytes of the workspace of either function, aligned as malloc's memory. */
#define LZ4_SIZE_WORKSPACE_BYTES (2u * 65536u + 2u * 32768u)

/* One candidate per position, as in LZ4_compress_fast with a target of one byte
 * less than the source. The size is that of the library on 64-bit x86. Both
 * functions return at most source_bytes, which is 1..LZ4_SIZE_SOURCE_MAX. */
uint32_t lz4_size_fast(const void *source, uint32_t source_bytes,
                       void *workspace);

/* Four candidates per position, which finds longer matches. */
uint32_t lz4_size_chain(const void *source, uint32_t source_bytes,
                        void *workspace);

#endif
