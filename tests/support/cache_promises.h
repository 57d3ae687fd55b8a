/* cache_promises.h - invariants of a cache that runtime/cache has validated.
 *
 * Decoders index arrays by these values without further checks. Each function
 * fails the claim when an invariant does not hold.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_CACHE_PROMISES_H
#define TESTS_SUPPORT_CACHE_PROMISES_H

#include "cache/decoder.h"

#include <stdint.h>

/* `size` is the file's size. */
void promises_check_frames(const struct cache_header *h, uint64_t size,
                           const struct cache_frame *frames,
                           const struct cache_group *groups);
void promises_check_tables(const struct cache_header *h,
                           const struct cache_tables *tables);
/* Requires that the blob has been decoded. */
void promises_check_blob(const struct cache_decoder *c, uint32_t blob);

#endif
