/* validate.h - what every container's headers and samples must keep to.
 *
 * The backends decode; what they decoded is validated here, so that the same
 * archive is accepted or refused alike in every container.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ABC_VALIDATE_H
#define OFFLINE_ABC_VALIDATE_H

#include "abc/backend.h"

#include <float.h>

/* Alembic marks an acyclic sampling by this time per cycle. */
#define ABC_ACYCLIC_TIME (DBL_MAX / 32.0)

/* Are the times finite and in order, and is the cycle longer than they are?
 * `number` is the sampling's, for the message. */
bool abc_validate_sampling(struct abc_store *store, uint64_t offset,
                           uint32_t number,
                           const struct abc_time_sampling *sampling);

/* Which samples of a property differ from the one before them: those from
 * `first` to `last`, which alone are stored beside sample 0. Both are 0 when
 * all samples are identical. */
struct abc_changes {
    uint32_t sample_count;
    uint32_t first;
    uint32_t last;
    bool is_constant; /* set by abc_validate_changes */
};

/* Headers that do not say which: none of them or all. */
void abc_changes_of_all(struct abc_changes *changes, bool is_constant);
bool abc_validate_changes(struct abc_store *store, uint64_t offset,
                          const char *place, struct abc_changes *changes);
void abc_changes_store(const struct abc_changes *changes,
                       struct abc_property *property);

/* Stored sample `entry`, for messages. */
struct abc_sample_place {
    const struct abc_store *store;
    const struct abc_property *property;
    uint32_t entry;
    struct arena *arena;
};

/* Refuse it; `offset` is bytes into the file or DIAG_NO_OFFSET. Always
 * false. */
#define ABC_REFUSE_PLACE(place, offset, ...)                                   \
    abc_refuse_sample(&(place)->store->archive, (place)->property,             \
                      abc_stored_index((place)->property, (place)->entry),     \
                      (offset), (place)->arena, __VA_ARGS__)

/* Does a sample hold whole elements, one for a scalar, as many as its
 * dimensions say for an array? `data`, `bytes`, `rank` and `dimensions` are
 * set, with rank 0 for a plain list; the other fields are filled. */
bool abc_validate_elements(const struct abc_sample_place *place,
                           uint64_t offset, struct abc_sample *sample);

/* Put properties in the order of their names: containers keep them in orders
 * of their own, which nothing may depend on. Before they have children. */
void abc_sort_properties(struct abc_property *properties, uint32_t count);

#endif
