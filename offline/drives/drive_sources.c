/* drive_sources.c - marks and sources from disc/drive_constants.h. Games do not
 * contain this table.
 */
/* SPDX-License-Identifier: MIT */
#include "drives/drive_sources.h"

#include <string.h>

#define CONSTANTS_MAX 32u

#define SOURCE(field, mark, source)                                            \
    {                                                                          \
        offsetof(spn_drive_profile, field), mark, source                       \
    }
#define DRIVE(name, about, ...) {name, {__VA_ARGS__}},
#define FACT(field, source, ...) SOURCE(field, "F", source)
#define ASSUMED(field, source, ...) SOURCE(field, "A", source)

static const struct drive_sources {
    const char *drive;
    struct drive_source sources[CONSTANTS_MAX];
} drives[] = {
#include "disc/drive_constants.h"
};

const struct drive_source *drive_source_find(const char *drive, size_t offset)
{
    for (size_t i = 0; i < sizeof drives / sizeof drives[0]; i++) {
        const struct drive_source *at = drives[i].sources;

        if (strcmp(drives[i].drive, drive) != 0)
            continue;
        for (; at->text; at++)
            if (at->offset == offset)
                return at;
    }
    return NULL;
}
