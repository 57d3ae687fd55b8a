/* fuzz.h - functions for all fuzz targets.
 *
 * A target is one file, fuzz_NAME.c, with libFuzzer's entry point. It takes any
 * bytes, uses bounded time and memory, and ends the program when a guarantee is
 * broken: by a sanitizer, an assertion or a CHECK of harness.h. With
 * replay_main.c the same file is a program that any compiler can build and that
 * runs a corpus once.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include "harness.h"

#include <spindle/status.h>
#include <stddef.h>
#include <stdint.h>

/* Defined by the target. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t size_max,
                               unsigned seed);
/* Defined by libFuzzer, for mutators. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t size_max);

/* A heap block of exactly this size, so that a sanitizer sees an access after
 * its end; the caller frees it. For 0 bytes it is a valid block that must not
 * be read. */
uint8_t *fuzz_copy(const uint8_t *data, size_t size);

/* Read an input number by number, in little-endian order; zeros after its
 * end. */
struct fuzz_input {
    const uint8_t *data;
    size_t left;
};
uint8_t fuzz_u8(struct fuzz_input *input);
uint16_t fuzz_u16(struct fuzz_input *input);
uint32_t fuzz_u32(struct fuzz_input *input);

/* The instruction sets to compare, as masks for spn__..._ops_init. The first is
 * 0, the scalar code. Then each set of this processor alone, without newer sets
 * that would replace its kernels. */
#define FUZZ_LEVELS_MAX 4u
uint32_t fuzz_levels(uint32_t levels[FUZZ_LEVELS_MAX]);

/* Whether two refusals are equal. */
bool fuzz_is_same_fault(const struct spn_fault *a, const struct spn_fault *b);

/* For mutators: change bytes within [first, limit) without moving any. */
void fuzz_mutate_inside(uint8_t *data, size_t first, size_t limit);
/* A number below `limit`, which is not 0, from a mutator's seed. */
uint32_t fuzz_pick(unsigned *seed, uint32_t limit);

#endif
