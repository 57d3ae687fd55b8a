/* fuzz_motion.c - files of animation: BVH, .gltf and .glb.
 *
 * What is accepted keeps the rules of motion.h, and its poses are finite. The
 * format follows from the content, so that one target has all of them.
 */
/* SPDX-License-Identifier: MIT */
#include "fuzz/fuzz.h"

#include "support/motion_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    motion_try("fuzz", data, size, NULL);
    return 0;
}
