/* mutate_cache.h - the mutator of the targets that take a whole cache. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_MUTATE_CACHE_H
#define TESTS_FUZZ_MUTATE_CACHE_H

#include <stddef.h>
#include <stdint.h>

/* As LLVMFuzzerCustomMutator. One part of the cache is changed, so that the
 * others keep their places; most results have the right checksums. */
size_t mutate_cache(uint8_t *data, size_t size, size_t size_max, unsigned seed);

#endif
