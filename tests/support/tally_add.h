/* tally_add.h - adds the tallies of several runs. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_TALLY_ADD_H
#define TESTS_SUPPORT_TALLY_ADD_H

#include "simulate/tally.h"

/* Add all numbers of `more` to `tally`. */
void tally_add(struct tally *tally, const struct tally *more);

#endif
