/* drive_table.c - the built-in profiles: the numbers of drive_constants.h. */
/* SPDX-License-Identifier: MIT */
#include <spindle/drive_profile.h>

#include "disc/drive_zones.h"

#include <stddef.h>

#define DRIVE(drive_name, drive_about, ...)                                    \
    {.name = drive_name, .about = drive_about, __VA_ARGS__},
#define FACT(field, source, ...) .field = __VA_ARGS__
#define ASSUMED FACT

static const spn_drive_profile profiles[] = {
#include "disc/drive_constants.h"
};

const spn_drive_profile *spn_drive_profile_at(uint32_t index)
{
    return index < sizeof profiles / sizeof profiles[0] ? &profiles[index]
                                                        : NULL;
}
