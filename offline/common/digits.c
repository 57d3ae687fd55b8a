/* digits.c - parse a decimal number without overflow. */
/* SPDX-License-Identifier: MIT */
#include "common/digits.h"

bool digits_parse(const char **text, uint64_t high, uint64_t *out)
{
    const char *at = *text;
    uint64_t value = 0;

    for (; *at >= '0' && *at <= '9'; at++) {
        uint64_t digit = (uint64_t)(*at - '0');

        if (value > high / 10 || digit > high - value * 10)
            return false;
        value = value * 10 + digit;
    }
    if (at == *text)
        return false;
    *text = at;
    *out = value;
    return true;
}
