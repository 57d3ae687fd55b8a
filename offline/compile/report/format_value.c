/* format_value.c - numbers and values as text. */
/* SPDX-License-Identifier: MIT */
#include "compile/report/format_value.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#define VALUE_NUMBERS_MAX 4u

const char *format_number(double value, char text[FORMAT_NUMBER_BYTES])
{
    return abc_number_text(value, 9, text);
}

const char *format_value(const double *numbers, uint32_t count,
                         char text[FORMAT_VALUE_BYTES])
{
    char number[FORMAT_NUMBER_BYTES];
    int at = 0;

    if (count == 1) {
        snprintf(text, FORMAT_VALUE_BYTES, "%s",
                 format_number(numbers[0], number));
        return text;
    }
    for (uint32_t i = 0; i < count && i < VALUE_NUMBERS_MAX; i++)
        at += snprintf(text + at, FORMAT_VALUE_BYTES - (size_t)at, "%s%s",
                       i == 0 ? "(" : ", ", format_number(numbers[i], number));
    snprintf(text + at, FORMAT_VALUE_BYTES - (size_t)at,
             count > VALUE_NUMBERS_MAX ? ", ...)" : ")");
    return text;
}

bool format_exceeds_float(double value)
{
    return !(fabs(value) <= FLT_MAX);
}
