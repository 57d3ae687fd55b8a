/* drive_names.h - the names of the built-in drives in one line, for messages.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_DRIVES_DRIVE_NAMES_H
#define OFFLINE_DRIVES_DRIVE_NAMES_H

#define DRIVE_NAMES_BYTES 512u

/* Store all names: "x360_dvd12x, wii_dvd6x, ...". Returns `out`. */
const char *drive_names_list(char out[DRIVE_NAMES_BYTES]);

#endif
