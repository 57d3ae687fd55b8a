/* validate.h - rules that all archives must keep, whatever their container.
 *
 * The backends decode; these functions then validate the result, so that an
 * archive is accepted or refused alike as Ogawa and as HDF5. They return false
 * after a refusal. Parameters for messages: `offset` in the file, `place`, a
 * path.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ABC_VALIDATE_H
#define OFFLINE_ABC_VALIDATE_H

#include "abc/backend.h"

#include <float.h>

/* Alembic stores this time per cycle for an acyclic sampling. */
#define ABC_ACYCLIC_TIME (DBL_MAX / 32.0)

/* The groups from the top to the one that is read. */
struct abc_inside {
    const struct abc_inside *outer;
    uint64_t address; /* in the file; 0: an empty group */
    uint32_t depth;
};

/* Set `inside` for a group in `outer` (NULL: the first one). Refuses groups
 * that are nested too deep or contain themselves. */
bool abc_enter(struct abc_store *store, uint64_t address, const char *place,
               const struct abc_inside *outer, struct abc_inside *inside);

/* Check that the times are finite and ascending, and that a cycle is not
 * shorter than they are. `number`: of the sampling, for the message. */
bool abc_validate_sampling(struct abc_store *store, uint64_t offset,
                           uint32_t number,
                           const struct abc_time_sampling *sampling);

/* The stored samples of a property: sample 0, and those from `first` to `last`.
 * Samples before `first` equal sample 0; samples after `last` equal sample
 * `last`. first and last are 0 if all samples are identical. */
struct abc_changes {
    uint32_t sample_count;
    uint32_t first;
    uint32_t last;
    bool is_constant; /* set by abc_validate_changes */
};

/* Set first and last for a header that does not store them: all samples are
 * identical, or each differs from the one before. */
void abc_changes_all_or_none(struct abc_changes *changes, bool is_constant);
/* Check that first and last are within the samples; set is_constant. */
bool abc_validate_changes(struct abc_store *store, uint64_t offset,
                          const char *place, struct abc_changes *changes);
/* Copy the changes to the property. */
void abc_changes_store(const struct abc_changes *changes,
                       struct abc_property *property);

/* Stored sample `entry` of a property, to name it in messages. */
struct abc_sample_place {
    const struct abc_store *store;
    const struct abc_property *property;
    uint32_t entry;
    struct arena *arena;
};

/* Refuse that sample. `offset`: in the file, or DIAG_NO_OFFSET. Always false.
 */
#define ABC_REFUSE_PLACE(place, offset, ...)                                   \
    abc_refuse_sample(&(place)->store->archive, (place)->property,             \
                      abc_stored_index((place)->property, (place)->entry),     \
                      (offset), (place)->arena, __VA_ARGS__)

/* Check that a sample has whole elements: one for a scalar; for an array, the
 * product of its dimensions. The caller must have set data, bytes, rank and
 * dimensions; rank is 0 if the file stores no dimensions. Fills the other
 * fields. */
bool abc_validate_elements(const struct abc_sample_place *place,
                           uint64_t offset, struct abc_sample *sample);

/* Sort properties by name, so that results do not depend on the order in the
 * file. Call it before the properties have children. */
void abc_sort_properties(struct abc_property *properties, uint32_t count);

#endif
