/* drive_names.c - list the names of the built-in drives. */
/* SPDX-License-Identifier: MIT */
#include "drives/drive_names.h"

#include <spindle/drive_profile.h>

#include <stdint.h>
#include <stdio.h>

const char *drive_names_list(char out[DRIVE_NAMES_BYTES])
{
    size_t used = 0;

    out[0] = 0;
    for (uint32_t i = 0; spn_drive_profile_at(i); i++) {
        int length = snprintf(out + used, DRIVE_NAMES_BYTES - used, "%s%s",
                              i > 0 ? ", " : "", spn_drive_profile_at(i)->name);

        if (length < 0 || (size_t)length >= DRIVE_NAMES_BYTES - used)
            break;
        used += (size_t)length;
    }
    return out;
}
