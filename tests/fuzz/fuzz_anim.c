/* fuzz_anim.c - animation clips and skeletons: the signature says which.
 *
 * An accepted file is decoded and sampled as a whole (anim_walk.h). The mutator
 * repairs checksums, so that changes get past them.
 */
/* SPDX-License-Identifier: MIT */
#include "fuzz/fuzz.h"

#include "anim/anim_wire.h"
#include "support/anim_walk.h"

#include <stdlib.h>
#include <string.h>

static bool is_skeleton(const uint8_t *data, size_t size)
{
    return size >= 8 && memcmp(data, ANIM_SKELETON_SIGNATURE, 8) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct spn_fault fault = {0};
    uint8_t *copy = fuzz_copy(data, size);
    const spn_status status = is_skeleton(data, size)
                                  ? anim_walk_skeleton(copy, size, &fault)
                                  : anim_walk_clip(copy, size, NULL, &fault);

    CHECK(status == SPN_OK || fault.what != NULL);
    free(copy);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t size_max,
                               unsigned seed)
{
    const bool skeleton = is_skeleton(data, size);

    (void)seed;
    size = LLVMFuzzerMutate(data, size, size_max);
    if (skeleton)
        anim_mend_skeleton(data, size);
    else
        anim_mend_clip(data, size);
    return size;
}
