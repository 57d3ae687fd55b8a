/* motion_check.h - the rules of motion.h, for motions read from any bytes. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_MOTION_CHECK_H
#define TESTS_SUPPORT_MOTION_CHECK_H

#include "anim/source/motion.h"

/* Fail the claim if a rule is broken, or if a pose at, between, before or after
 * keys is not finite or has a rotation of another length than 1. At most
 * `pose_max` poses are computed. */
void motion_check(const struct motion *motion, uint32_t pose_max);

/* Fail the claim unless the text of a refusal begins with the path and a place:
 * line and column, an offset, or the path of a JSON value. */
void motion_check_refusal(const char *text, const char *path);

/* Read a file from memory, check what was read and release it. Checks also that
 * a refusal names file and place. The bytes are copied to a block of exactly
 * their size. Returns whether the file was accepted; otherwise `message`, which
 * has DIAG_TEXT_BYTES, has the refusal unless it is NULL. */
bool motion_try(const char *path, const void *bytes, size_t size,
                char *message);

#endif
