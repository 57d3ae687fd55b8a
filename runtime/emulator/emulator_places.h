/* emulator_places.h - which drive a file lies on, and where.
 *
 * Files of one pattern get their places one behind the other, and keep them:
 * each is remembered by a hash of its path. Two paths with the same hash would
 * lie at the same place, which is a matter of time only.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_EMULATOR_EMULATOR_PLACES_H
#define SPN_EMULATOR_EMULATOR_PLACES_H

#include "base/carve.h"

#include <spindle/emulator.h>
#include <stdbool.h>

struct placed_file {
    uint64_t hash;
    uint64_t offset;
};

struct emulator_places {
    const spn_emulator_place *places;
    uint32_t place_count;
    uint64_t disc_bytes[SPN_EMULATOR_DRIVES_MAX];
    uint64_t *ends; /* of what each place holds; one more for the rest */
    struct placed_file *files;
    uint32_t file_count;
    uint32_t file_capacity;
};

struct emulator_place {
    uint32_t drive; /* or SPN_EMULATOR_NO_DRIVE; then no offset */
    uint64_t offset;
};

/* Does a pattern fit a path? See spindle/emulator.h. */
bool spn__places_fit(const char *pattern, const char *path);

/* `capacity` different files at most, > 0. The config is good. */
void spn__places_init(struct emulator_places *places, struct carve *carve,
                      const spn_emulator_config *config, uint32_t capacity);
/* SPN_ERR_TABLE_FULL: too many different files; SPN_ERR_RANGE: it does not fit
 * on the disc. */
SPN_NODISCARD spn_status spn__places_find(struct emulator_places *places,
                                          const char *path, uint64_t bytes,
                                          struct emulator_place *out);

#endif
