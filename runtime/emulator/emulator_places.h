/* emulator_places.h - the drive and the position of each file.
 *
 * The first place of the config whose pattern matches a path decides
 * (spn_emulator_place). The files of a pattern with `*` follow each other on
 * the disc in the order of their first opening, and keep their positions: a
 * table has the position of each, by a hash of the path. Two paths with the
 * same hash get the same position, which affects times only.
 *
 * Thread: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_EMULATOR_EMULATOR_PLACES_H
#define SPN_EMULATOR_EMULATOR_PLACES_H

#include "base/carve.h"

#include <spindle/emulator.h>
#include <stdbool.h>

/* Position of a file that a pattern with `*` matched. */
struct placed_file {
    uint64_t hash; /* of its path */
    uint64_t offset;
};

struct emulator_places {
    const spn_emulator_place *places;
    uint32_t place_count;
    uint64_t disc_bytes[SPN_EMULATOR_DRIVES_MAX];
    uint64_t *ends; /* end of the last file of each place; one more for the
                       implicit last place */
    struct placed_file *files;
    uint32_t file_count;
    uint32_t file_capacity;
};

struct emulator_place {
    uint32_t drive; /* index; SPN_EMULATOR_NO_DRIVE: `offset` is not used */
    uint64_t offset;
};

/* Return whether a pattern matches a path (spn_emulator_place). */
bool spn__places_match(const char *pattern, const char *path);

/* Set up the table for a valid config.
 *
 * capacity  most different files, > 0 */
void spn__places_init(struct emulator_places *places, struct carve *carve,
                      const spn_emulator_config *config, uint32_t capacity);
/* Get the drive and the position of a file, and assign a position if it is new.
 * SPN_ERR_TABLE_FULL if there are too many files; SPN_ERR_RANGE if the file
 * does not fit on the disc. */
SPN_NODISCARD spn_status spn__places_find(struct emulator_places *places,
                                          const char *path, uint64_t bytes,
                                          struct emulator_place *out);

#endif
