/* root.c - one copy of the root. */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/root.h"

float spn__float_root(float x)
{
    return root_of_normal(x);
}
