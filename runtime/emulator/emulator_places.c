/* emulator_places.c - matching of patterns, and the table of positions. */
/* SPDX-License-Identifier: MIT */
#include "emulator/emulator_places.h"

#include "disc/drive_disc.h"

#define SECTOR_BYTES 2048u
#define HASH_START 14695981039346656037u
#define HASH_FACTOR 1099511628211u

/* FNV-1a */
static uint64_t hash_of(const char *path)
{
    uint64_t hash = HASH_START;

    for (; *path; path++)
        hash = (hash ^ (uint8_t)*path) * HASH_FACTOR;
    return hash;
}

static bool fits_here(const char *pattern, const char *path)
{
    while (*pattern && *pattern == *path) {
        pattern++;
        path++;
    }
    if (pattern[0] == '*' && pattern[1] == '\0')
        return true;
    return *pattern == '\0' && *path == '\0';
}

bool spn__places_match(const char *pattern, const char *path)
{
    if (fits_here(pattern, path))
        return true;
    for (; *path; path++)
        if ((*path == '/' || *path == '\\') && fits_here(pattern, path + 1))
            return true;
    return false;
}

static bool is_of_many(const char *pattern)
{
    while (pattern[0] && pattern[1])
        pattern++;
    return *pattern == '*';
}

void spn__places_init(struct emulator_places *places, struct carve *carve,
                      const spn_emulator_config *config, uint32_t capacity)
{
    places->places = config->places;
    places->place_count = config->place_count;
    places->ends = SPN_CARVE(carve, uint64_t, (size_t)config->place_count + 1);
    places->files = SPN_CARVE(carve, struct placed_file, capacity);
    places->file_count = 0;
    places->file_capacity = capacity;
    for (uint32_t i = 0; i < config->drive_count; i++)
        places->disc_bytes[i] =
            spn__drive_disc_bytes(config->drives[i].profile);
    if (!places->files)
        return;
    for (uint32_t i = 0; i < config->place_count; i++)
        places->ends[i] = config->places[i].offset;
}

/* Assign a position behind the last file of a place with a pattern of many. */
static spn_status append(struct emulator_places *places, uint64_t *end,
                         uint64_t disc, uint64_t hash, uint64_t bytes,
                         uint64_t *offset)
{
    for (uint32_t i = 0; i < places->file_count; i++) {
        if (places->files[i].hash != hash)
            continue;
        *offset = places->files[i].offset;
        return SPN_OK;
    }
    if (places->file_count == places->file_capacity)
        return SPN_ERR_TABLE_FULL;
    if (*end > disc || bytes > disc - *end)
        return SPN_ERR_RANGE;
    *offset = *end;
    places->files[places->file_count].hash = hash;
    places->files[places->file_count].offset = *offset;
    places->file_count++;
    /* Discs are far smaller than 2^63 bytes. */
    *end += (bytes + SECTOR_BYTES - 1) / SECTOR_BYTES * SECTOR_BYTES;
    return SPN_OK;
}

spn_status spn__places_find(struct emulator_places *places, const char *path,
                            uint64_t bytes, struct emulator_place *out)
{
    struct emulator_place found = {0, 0};
    bool is_many = true;
    uint64_t disc;
    uint32_t i = 0;

    while (i < places->place_count &&
           !spn__places_match(places->places[i].pattern, path))
        i++;
    if (i < places->place_count) {
        found.drive = places->places[i].drive;
        found.offset = places->places[i].offset;
        is_many = is_of_many(places->places[i].pattern);
    }
    if (found.drive != SPN_EMULATOR_NO_DRIVE) {
        disc = places->disc_bytes[found.drive];
        if (is_many) {
            spn_status status = append(places, &places->ends[i], disc,
                                       hash_of(path), bytes, &found.offset);

            if (status != SPN_OK)
                return status;
        }
        /* The file may have grown since its position was assigned. */
        if (found.offset > disc || bytes > disc - found.offset)
            return SPN_ERR_RANGE;
    }
    *out = found;
    return SPN_OK;
}
