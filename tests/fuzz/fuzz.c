/* fuzz.c - functions for all fuzz targets. */
/* SPDX-License-Identifier: MIT */
#include "fuzz/fuzz.h"

#include "base/cpu.h"

#include <stdlib.h>
#include <string.h>

uint8_t *fuzz_copy(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);

    CHECK(copy != NULL);
    if (size > 0)
        memcpy(copy, data, size);
    return copy;
}

uint8_t fuzz_u8(struct fuzz_input *input)
{
    if (input->left == 0)
        return 0;
    input->left--;
    return *input->data++;
}

uint16_t fuzz_u16(struct fuzz_input *input)
{
    uint16_t low = fuzz_u8(input);

    return (uint16_t)(low | fuzz_u8(input) << 8);
}

uint32_t fuzz_u32(struct fuzz_input *input)
{
    uint32_t low = fuzz_u16(input);

    return low | (uint32_t)fuzz_u16(input) << 16;
}

uint32_t fuzz_levels(uint32_t levels[FUZZ_LEVELS_MAX])
{
    static const uint32_t sets[] = {SPN_CPU_SSE41, SPN_CPU_AVX2, SPN_CPU_NEON};
    const uint32_t cpu = spn__cpu_detect();
    uint32_t count = 0;

    levels[count++] = 0;
    for (uint32_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        if (cpu & sets[i])
            levels[count++] = sets[i];
    return count;
}

bool fuzz_is_same_fault(const struct spn_fault *a, const struct spn_fault *b)
{
    if (a->status != b->status || a->offset != b->offset ||
        a->value != b->value || (a->what == NULL) != (b->what == NULL))
        return false;
    return a->what == NULL || strcmp(a->what, b->what) == 0;
}

void fuzz_mutate_inside(uint8_t *data, size_t first, size_t limit)
{
    const size_t size = limit - first;
    uint8_t *part;
    size_t made;

    if (first >= limit)
        return;
    part = malloc(size);
    CHECK(part != NULL);
    memcpy(part, data + first, size);
    made = LLVMFuzzerMutate(part, size, size);
    memcpy(data + first, part, made);
    free(part);
}

uint32_t fuzz_pick(unsigned *seed, uint32_t limit)
{
    struct test_random random = {*seed};
    const uint64_t drawn = test_random_u64(&random);

    *seed = (unsigned)(drawn >> 32);
    return (uint32_t)drawn % limit;
}
