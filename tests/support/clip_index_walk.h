/* clip_index_walk.h - validates an image or a clip database as the runtime
 * does, and reads all that an accepted one refers to. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_CLIP_INDEX_WALK_H
#define TESTS_CLIP_INDEX_WALK_H

#include "anim/clip_index.h"

#include <spindle/status.h>
#include <stddef.h>
#include <stdint.h>

spn_status clip_index_validate(const uint8_t *bytes, size_t size,
                               enum clip_index_type type,
                               struct clip_index *index, spn_fault *fault);

/* Check that every number of an accepted index leads to something within a file
 * of `size` bytes, and that every name finds its clip or database. */
void clip_index_walk(const struct clip_index *index, size_t size);

#endif
