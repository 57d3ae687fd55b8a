/* drive_sources.h - where the constants of the built-in drives come from. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_DRIVES_DRIVE_SOURCES_H
#define OFFLINE_DRIVES_DRIVE_SOURCES_H

#include <spindle/drive_profile.h>
#include <stddef.h>

struct drive_source {
    size_t offset;    /* of the constant in spn_drive_profile */
    const char *mark; /* "F": a fact, "A": an assumption */
    const char *text;
};

/* Of the constant at `offset` of a built-in drive; NULL: nobody has said. */
const struct drive_source *drive_source_find(const char *drive, size_t offset);

#endif
