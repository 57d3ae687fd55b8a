/* drive_file.h - read and print a drive profile as text.
 *
 *   # a faster 360
 *   name = my_drive
 *   like = x360_dvd12x
 *   rate_out = 20000000            # bytes per second
 *   seek_near = 30000 36000000 0   # microseconds
 *
 * Each line is `key = value`; `#` begins a comment. The keys are the fields of
 * spn_drive_profile. `like` copies all fields of a built-in profile and comes
 * before the fields that differ. Numbers are decimal integers, in the units of
 * spn_drive_profile. A piece of the seek curve (spn_drive_piece) has three
 * numbers, all in microseconds: base_us, slope_us and root_us. With x, the seek
 * distance divided by the unit of the curve, a seek takes
 *
 *   base_us + slope_us * x + root_us * sqrt(x)
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

/* Parse `bytes` of `text`; `file` is for messages. Returns false after a
 * refusal with file, line, column and key; else the profile has passed
 * spn_drive_profile_check. */
bool drive_file_parse(const char *file, const char *text, size_t bytes,
                      spn_drive_profile *out, struct diag *diag);
/* Read the file and parse it. */
bool drive_file_read(const char *path, spn_drive_profile *out,
                     struct diag *diag);
/* Find the built-in drive of this name, or read the file of this path. When
 * there is neither, the refusal suggests a built-in name that is similar. */
bool drive_file_choose(const char *name, spn_drive_profile *out,
                       struct diag *diag);
/* Print a profile that drive_file_parse reads back. Each constant of a built-in
 * drive has a comment: fact [F] or assumption [A], and its source. */
void drive_file_print(const spn_drive_profile *profile, FILE *file);
/* Add the same keys and values to a JSON object; a piece of the seek curve is
 * an array. */
void drive_file_report(const spn_drive_profile *profile, cJSON *object);
/* Add an object with `mark` ("F" or "A") and `source` for each constant of a
 * built-in drive. */
void drive_file_report_sources(const spn_drive_profile *profile, cJSON *object);

#endif
