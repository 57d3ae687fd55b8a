/* door.h - a whole cache in memory through the runtime's door. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_DOOR_H
#define TESTS_DOOR_H

#include "cache/cache_file.h"

#include <stddef.h>
#include <stdint.h>

/* Header, frame table, tables, blobs, directories, blocks: all is judged and
 * unpacked, each from memory of exactly its size. Of what is accepted the
 * promises of cache_file.h are checked: a broken one fails the claim. The
 * codec must be one of the built-in ones. */
spn_status door_walk(const uint8_t *bytes, size_t size,
                     struct spn_fault *fault);

/* The same with the kernels of these instruction sets alone (base/cpu.h; 0:
 * scalar). `sum` is that of all that was decoded, in order, and of how each
 * decoding ended; 0 when nothing came so far. */
spn_status door_walk_on(const uint8_t *bytes, size_t size, uint32_t cpu,
                        uint32_t *sum, struct spn_fault *fault);

/* A good cache, of which single frames are replaced by others. */
struct door;
struct door *door_open(const uint8_t *bytes, size_t size);
void door_close(struct door *door);
const struct cache_header *door_header(const struct door *door);
/* Its own frame: directory and blocks. */
const uint8_t *door_good_frame(const struct door *door, uint32_t number,
                               uint32_t *bytes);
/* Judge and decode `size` bytes, at least those of a directory, as frame
 * `number`; the rest as in door_walk_on. */
spn_status door_frame(struct door *door, uint32_t number, const uint8_t *bytes,
                      size_t size, uint32_t cpu, uint32_t *sum,
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
