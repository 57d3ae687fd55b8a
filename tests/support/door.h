/* door.h - a whole cache in memory through the runtime's door. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_DOOR_H
#define TESTS_DOOR_H

#include "geom/cache_file.h"

#include <stddef.h>
#include <stdint.h>

/* Header, frame table, tables, blobs, directories, blocks: all is judged and
 * unpacked, each from memory of exactly its size. Of what is accepted the
 * promises of cache_file.h are checked: a broken one fails the claim. The
 * codec must be one of the built-in ones. */
spn_status door_walk(const uint8_t *bytes, size_t size,
                     struct spn_fault *fault);

/* Where the checksums of a good cache are, to be mended after damage. */
struct door_sum {
    size_t at;     /* of the checksum */
    size_t offset; /* of what it covers */
    size_t bytes;
};

struct door_places {
    struct door_sum *sums; /* inner ones before those that cover them */
    size_t count;
    size_t frame_table_offset;
    size_t tables_offset;
    size_t blobs_offset;
    size_t frames_offset;
    size_t *directories; /* of the frames, in stored order */
    size_t frame_count;
    size_t directory_bytes;
};

void door_places_make(struct door_places *places, const uint8_t *bytes,
                      size_t size);
void door_places_free(struct door_places *places);
void door_mend(const struct door_places *places, uint8_t *bytes);

#endif
