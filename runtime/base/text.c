/* text.c - compares texts. */
/* SPDX-License-Identifier: MIT */
#include "base/text.h"

bool spn__text_is_same(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}
