/* format_value.h - formats numbers and values for refusals and warnings.
 *
 * The text has a bounded length for every input, and is the same on every
 * machine: not-a-number and the infinities are "nan", "inf" and "-inf".
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_REPORT_FORMAT_VALUE_H
#define OFFLINE_COMPILE_REPORT_FORMAT_VALUE_H

#include "abc/sampling.h"

#include <stdbool.h>
#include <stdint.h>

#define FORMAT_NUMBER_BYTES ABC_NUMBER_BYTES
#define FORMAT_VALUE_BYTES 160u
#define FORMAT_NAME_BYTES 80u /* of a name formatted by diag_name */

/* Nine significant digits, which identify a float. Returns `text`. */
const char *format_number(double value, char text[FORMAT_NUMBER_BYTES]);

/* "3", "(1, nan, 2)"; only the first four of more numbers, then "...". Returns
 * `text`. */
const char *format_value(const double *numbers, uint32_t count,
                         char text[FORMAT_VALUE_BYTES]);

/* Is the value not a number, infinite, or out of the range of a float? */
bool format_exceeds_float(double value);

#endif
