/* ogawa.h - groups and data blocks of an Ogawa file.
 *
 * A pointer to a data block has its top bit set, one to a group has not; the
 * rest is an offset, 0 for what is empty and has no storage. Nothing here
 * trusts an offset or a count: all are validated against the file's size.
 * Format: Alembic's own reader (lib/Alembic/Ogawa, AbcCoreOgawa).
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ABC_OGAWA_H
#define OFFLINE_ABC_OGAWA_H

#include "abc/backend.h"

#define OGAWA_DATA_BIT ((uint64_t)1 << 63)
#define OGAWA_KEY_BYTES 16u

struct ogawa_group {
    uint64_t offset; /* 0: empty */
    uint64_t count;
    const uint8_t *pointers; /* 8 bytes each */
};

struct ogawa_data {
    uint64_t offset; /* of the bytes; 0: empty */
    uint64_t bytes;
    const uint8_t *data;
};

/* What parsing keeps; lives as long as the archive. */
struct ogawa {
    uint32_t metadata_count; /* entry 0 is the empty string */
    const char *metadata[255];
    uint64_t header_bytes; /* parsed so far, at most the file's size */
};

/* `place` is for the message. False after a refusal. */
bool ogawa_group_at(const struct abc_store *store, uint64_t pointer,
                    const char *place, struct ogawa_group *group);
bool ogawa_data_at(const struct abc_store *store, uint64_t pointer,
                   const char *place, struct ogawa_data *data);
uint64_t ogawa_child(const struct ogawa_group *group, uint64_t index);

/* ogawa_tree.c: all objects and property headers. */
bool ogawa_read_tree(struct abc_store *store, uint64_t pointer,
                     struct abc_raw *top);

#endif
