/* mutate_cache.h - the mutator of the targets whose input is a whole cache. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_MUTATE_CACHE_H
#define TESTS_FUZZ_MUTATE_CACHE_H

#include <stddef.h>
#include <stdint.h>

/* An LLVMFuzzerCustomMutator. Changes one part of the cache, so that the others
 * keep their places. Most results have correct checksums. */
size_t mutate_cache(uint8_t *data, size_t size, size_t size_max, unsigned seed);

#endif
