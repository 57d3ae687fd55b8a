/* drive_file.h - a drive's profile as a small text file.
 *
 *   # a faster 360
 *   name = my_drive
 *   like = x360_dvd12x
 *   rate_out = 20000000
 *   seek_near = 30000 36000000 0
 *
 * One `key = value` a line; `#` begins a comment. The keys are the fields of
 * spn_drive_profile, `like` takes all from a built-in profile and comes
 * before what differs. Numbers are whole and decimal; the parts of a curve are
 * three: base, slope a unit, root.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_DRIVES_DRIVE_FILE_H
#define OFFLINE_DRIVES_DRIVE_FILE_H

#include "common/diag.h"
#include <spindle/drive_profile.h>

#include <cjson/cJSON.h>
#include <stddef.h>
#include <stdio.h>

#define DRIVE_FILE_BYTES_MAX 65536u

/* Refusals name the file, the line and column, and the key. The
 * profile has passed spn_drive_profile_check. */
bool drive_file_parse(const char *file, const char *text, size_t bytes,
                      spn_drive_profile *out, struct diag *diag);
bool drive_file_read(const char *path, spn_drive_profile *out,
                     struct diag *diag);
/* A built-in drive by its name; anything else is a file. A name that is near to
 * a built-in one is refused with that. */
bool drive_file_choose(const char *name, spn_drive_profile *out,
                       struct diag *diag);
/* As drive_file_parse reads it back. Behind each constant of a built-in drive
 * stands, as a comment, whether it is a fact [F] or an assumption [A], and
 * where it comes from. */
void drive_file_print(const spn_drive_profile *profile, FILE *file);
/* The same keys and values as fields of an object; the parts of a curve are
 * an array. */
void drive_file_report(const spn_drive_profile *profile, cJSON *object);
/* `mark` and `source` of each such constant. */
void drive_file_report_sources(const spn_drive_profile *profile, cJSON *object);

#endif
