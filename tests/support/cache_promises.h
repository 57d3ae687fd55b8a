/* cache_promises.h - what runtime/cache promises of a cache that it accepts.
 *
 * The code behind validation indexes arrays by these values without looking.
 * Each function fails the test if a condition does not hold.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_CACHE_PROMISES_H
#define TESTS_SUPPORT_CACHE_PROMISES_H

#include "cache/decoder.h"

#include <stdint.h>

/* `size` is that of the file. */
void promises_check_frames(const struct cache_header *h, uint64_t size,
                           const struct cache_frame *frames,
                           const struct cache_group *groups);
void promises_check_tables(const struct cache_header *h,
                           const struct cache_tables *tables);
/* The blob is decoded. */
void promises_check_blob(const struct cache_decoder *c, uint32_t blob);

#endif
