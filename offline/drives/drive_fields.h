/* drive_fields.h - the fields of a drive profile as they are named in a file.
 *
 * drive_file.h parses and prints profiles by this table.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_DRIVES_DRIVE_FIELDS_H
#define OFFLINE_DRIVES_DRIVE_FIELDS_H

#include <spindle/drive_profile.h>
#include <stddef.h>

enum drive_field_kind {
    DRIVE_FIELD_TEXT,
    DRIVE_FIELD_U32,
    DRIVE_FIELD_U64,
    DRIVE_FIELD_WORD, /* an enum of the size of spn_drive_motion */
    DRIVE_FIELD_PIECE /* spn_drive_piece */
};

struct drive_field {
    const char *key; /* in a file, and in JSON */
    enum drive_field_kind kind;
    size_t offset;     /* in spn_drive_profile */
    size_t bytes;      /* of the field, with the zero byte of a text */
    const char *words; /* of a word: the values of the enum, in their order */
};

#define DRIVE_FIELD_COUNT 26u
#define DRIVE_FIELD_NAME 0u  /* index of the drive's name */
#define DRIVE_FIELD_ABOUT 1u /* index of its description */
extern const struct drive_field drive_fields[DRIVE_FIELD_COUNT];

#endif
