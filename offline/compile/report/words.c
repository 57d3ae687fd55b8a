/* words.c - numbers and values as text. */
/* SPDX-License-Identifier: MIT */
#include "compile/report/words.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#define VALUE_NUMBERS_MAX 4u

/* printf writes the sign of what is not a number on some machines. */
const char *words_number(double value, char text[WORDS_NUMBER_BYTES])
{
    if (isnan(value))
        return "nan";
    if (isinf(value))
        return value > 0 ? "inf" : "-inf";
    snprintf(text, WORDS_NUMBER_BYTES, "%.9g", value);
    return text;
}

const char *words_value(const double *numbers, uint32_t count,
                        char text[WORDS_VALUE_BYTES])
{
    char number[WORDS_NUMBER_BYTES];
    int at = 0;

    if (count == 1) {
        snprintf(text, WORDS_VALUE_BYTES, "%s",
                 words_number(numbers[0], number));
        return text;
    }
    for (uint32_t i = 0; i < count && i < VALUE_NUMBERS_MAX; i++)
        at += snprintf(text + at, WORDS_VALUE_BYTES - (size_t)at, "%s%s",
                       i == 0 ? "(" : ", ", words_number(numbers[i], number));
    snprintf(text + at, WORDS_VALUE_BYTES - (size_t)at,
             count > VALUE_NUMBERS_MAX ? ", ...)" : ")");
    return text;
}

bool words_is_odd(double value)
{
    return !(fabs(value) <= FLT_MAX);
}
