/* text.h - what strcmp would say, where there is no C library. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_TEXT_H
#define SPN_BASE_TEXT_H

#include <stdbool.h>

/* Byte by byte the same, to the NUL. */
bool spn__text_is_same(const char *a, const char *b);

#endif
