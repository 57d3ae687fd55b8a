/* residual_copy.h - a sample for the training of residual tables. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_RESIDUAL_COPY_H
#define TESTS_SUPPORT_RESIDUAL_COPY_H

#include "compile/encode/entropy/residual_train.h"

/* Copy the residuals of one payload to the arena. The other arguments are those
 * of residual_encode(). */
struct residual_sample residual_copy(struct arena *arena,
                                     const int16_t *residuals,
                                     const int16_t *fourth, uint32_t count);

#endif
