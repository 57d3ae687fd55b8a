/* drive_sources.h - the source of each constant of the built-in drives.
 *
 * The table is runtime/disc/drive_constants.h. drive_file.h prints it.
 */
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

/* Find the source of the field at `offset` of a built-in drive. NULL: the table
 * has none. */
const struct drive_source *drive_source_find(const char *drive, size_t offset);

#endif
