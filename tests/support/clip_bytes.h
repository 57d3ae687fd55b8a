/* clip_bytes.h - the compressed bytes of a clip that is in memory, for tests
 * that compare them with those of its file. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_CLIP_BYTES_H
#define TESTS_SUPPORT_CLIP_BYTES_H

#include <spindle/anim_refs.h>
#include <spindle/status.h>
#include <stdint.h>

/* Find a range of the bytes of a clip, which is wanted.
 *
 * bounce  `bytes` of memory, for a range that is not contiguous in the heap
 * out     output: the bytes, in the heap or in `bounce`
 *
 * Returns SPN_PENDING if they are not in memory yet; SPN_ERR_RANGE if they lie
 * beyond the end of the clip. */
spn_status clip_bytes(const spn_runtime *rt, spn_anim anim, uint32_t offset,
                      uint32_t bytes, void *bounce, const void **out);

#endif
