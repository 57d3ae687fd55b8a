/* check_boxes.h - are all vertices in the boxes of their parts? */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_CHECK_BOXES_H
#define OFFLINE_VERIFY_CHECK_BOXES_H

#include "verify/check.h"

/* Compare the positions of each mesh that the frame contains with its boxes
 * (cache/cache_box.h). Needs no archive. Returns false after a refusal. */
bool check_boxes(struct check *check, uint32_t frame);

#endif
