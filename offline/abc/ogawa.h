/* ogawa.h - groups and data blocks of an Ogawa file.
 *
 * A file is a tree of groups. A group is a list of 8-byte pointers to groups
 * and data blocks. The top bit of a pointer to a data block is set. The other
 * bits are an offset in the file; 0 means an empty group or block, which takes
 * no space. Every offset and count is validated against the size of the file.
 * Format: Alembic's own reader (lib/Alembic/Ogawa, AbcCoreOgawa).
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ABC_OGAWA_H
#define OFFLINE_ABC_OGAWA_H

#include "abc/backend.h"

#define OGAWA_DATA_BIT ((uint64_t)1 << 63)
#define OGAWA_KEY_BYTES 16u

struct ogawa_group {
    uint64_t offset;         /* 0: empty */
    uint64_t count;          /* of pointers */
    const uint8_t *pointers; /* 8 bytes each, in the mapped file */
};

struct ogawa_data {
    uint64_t offset; /* of `data` in the file; 0: empty */
    uint64_t bytes;
    const uint8_t *data;
};

/* The state of the backend. Lives as long as the archive. */
struct ogawa {
    uint32_t metadata_count;   /* entry 0 is the empty string */
    const char *metadata[255]; /* shared texts, which headers name by index */
    uint64_t header_bytes; /* of all headers parsed so far; bounded by the size
                            * of the file */
};

/* Find the group or the data block of a pointer. `place`: a path for the
 * message. Returns false after a refusal. */
bool ogawa_group_at(const struct abc_store *store, uint64_t pointer,
                    const char *place, struct ogawa_group *group);
bool ogawa_data_at(const struct abc_store *store, uint64_t pointer,
                   const char *place, struct ogawa_data *data);
/* Return pointer `index` of a group. */
uint64_t ogawa_child(const struct ogawa_group *group, uint64_t index);

/* ogawa_tree.c: read all objects and the headers of all properties. Returns
 * false after a refusal. */
bool ogawa_read_tree(struct abc_store *store, uint64_t pointer,
                     struct abc_raw *top);

#endif
