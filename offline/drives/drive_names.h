/* drive_names.h - the built-in drives, for messages. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_DRIVES_DRIVE_NAMES_H
#define OFFLINE_DRIVES_DRIVE_NAMES_H

#define DRIVE_NAMES_BYTES 512u

/* "x360_dvd12x, wii_dvd6x, ...", all of them. Returns `out`. */
const char *drive_names_list(char out[DRIVE_NAMES_BYTES]);

#endif
