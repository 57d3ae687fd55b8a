/* digits.h - decimal numbers in texts. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMMON_DIGITS_H
#define OFFLINE_COMMON_DIGITS_H

#include <stdbool.h>
#include <stdint.h>

/* Parse the digits at *text and move *text behind them. Returns false, with
 * both unchanged, if there is no digit or the number is above `high`. */
bool digits_parse(const char **text, uint64_t high, uint64_t *out);

#endif
