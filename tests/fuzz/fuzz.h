/* fuzz.h - what the fuzz targets share.
 *
 * A target is one file, fuzz_NAME.c, with libFuzzer's entry. It takes any
 * bytes, keeps to a bound of time and memory, and ends the program when a
 * promise is broken: by a sanitizer, an assert or a CHECK of harness.h. The
 * same file with replay_main.c is a program that any compiler can build and
 * that runs a corpus once.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include "harness.h"

#include <spindle/status.h>
#include <stddef.h>
#include <stdint.h>

/* The target's. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t size_max,
                               unsigned seed);
/* libFuzzer's, for mutators. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t size_max);

/* A block of exactly this size, to be freed: a sanitizer sees the first byte
 * beyond. Of no bytes it is one, that nobody may read. */
uint8_t *fuzz_copy(const uint8_t *data, size_t size);

/* An input read number by number, low byte first; zeros after its end. */
struct fuzz_input {
    const uint8_t *data;
    size_t left;
};
uint8_t fuzz_u8(struct fuzz_input *input);
uint16_t fuzz_u16(struct fuzz_input *input);
uint32_t fuzz_u32(struct fuzz_input *input);

/* The sets of instructions to compare, each as a mask for spn__..._ops_init:
 * the first is 0, the scalar code; then each that this processor has, alone,
 * where no newer one hides its kernels. */
#define FUZZ_LEVELS_MAX 4u
uint32_t fuzz_levels(uint32_t levels[FUZZ_LEVELS_MAX]);

/* Are these the same refusal? */
bool fuzz_is_same_fault(const struct spn_fault *a, const struct spn_fault *b);

/* For mutators: change some of [first, limit), and nothing's place. */
void fuzz_mutate_inside(uint8_t *data, size_t first, size_t limit);
/* A number below `limit`, which is not 0, from a mutator's seed. */
uint32_t fuzz_pick(unsigned *seed, uint32_t limit);

#endif
