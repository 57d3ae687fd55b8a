/* training_add.h - adds residuals to a training of residual tables. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_TRAINING_ADD_H
#define TESTS_SUPPORT_TRAINING_ADD_H

#include "compile/encode/entropy/residual_train.h"

/* Add a copy of the residuals of one payload. The arguments are those of
 * residual_encode(). */
void training_add(struct residual_training *training, const int16_t *residuals,
                  const int16_t *fourth, uint32_t count);

#endif
