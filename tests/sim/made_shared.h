/* made_shared.h - caches with static meshes that other caches have, too. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_MADE_SHARED_H
#define TESTS_SIM_MADE_SHARED_H

#include "sim/made_disc.h"

/* Make the files from MADE_SHARED on, and what is in them. */
void made_shared_make(struct made_disc *disc);

/* Hash of 16-bit values, the same for each byte order. */
uint64_t made_shared_index_hash(const uint16_t *indices, uint32_t count);

#endif
