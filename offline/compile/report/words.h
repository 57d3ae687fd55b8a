/* words.h - numbers and values as refusals and warnings print them.
 *
 * Everything is short, whatever the file holds, and the same on every machine:
 * what is no number is "nan", "inf" or "-inf".
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_REPORT_WORDS_H
#define OFFLINE_COMPILE_REPORT_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#define WORDS_NUMBER_BYTES 32u
#define WORDS_VALUE_BYTES 160u
#define WORDS_NAME_BYTES 80u /* room for a name, with diag_name */

/* Nine digits: enough to find a float again. */
const char *words_number(double value, char text[WORDS_NUMBER_BYTES]);

/* "3", "(1, nan, 2)"; of more than four numbers the first four and "...". */
const char *words_value(const double *numbers, uint32_t count,
                        char text[WORDS_VALUE_BYTES]);

/* Is it infinite, not a number, or too large for a float? */
bool words_is_odd(double value);

#endif
