/* anim_databases.h - databases that are in memory as a whole.
 *
 * A database is *in use* while a clip of it is wanted, it is locked, or it has
 * an owner. spindle/anim_database.h has the time-outs of one that is not.
 *
 * `file` below is the number of a database, as clips of the image have it;
 * CLIP_INDEX_NONE is allowed and means none. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_ANIM_DATABASES_H
#define SPN_ANIM_ANIM_DATABASES_H

#include <spindle/anim_database.h>
#include <spindle/status.h>
#include <stdbool.h>
#include <stdint.h>

struct anim;
struct range_load;

/* A clip has become wanted, or is not any more. */
void spn__database_count(struct anim *a, uint32_t file, bool is_wanted);
/* A clip is wanted: true if its database is in memory, or the clip waits for
 * it. It does not wait if the data is needed soon, or if the database is late
 * or could not be read. Clips that wait then are looked at again. */
bool spn__database_use(struct anim *a, uint32_t file, uint64_t deadline_us);
/* The load of a database whose clips are available, or will be. NULL: none. */
struct range_load *spn__database_load(const struct anim *a, uint32_t file);

void spn__database_preload(struct anim *a, uint32_t file,
                           spn_priority priority);
bool spn__database_is_in_use(const struct anim *a, uint32_t file);
/* What spn_anim_database_get_state says. */
spn_status spn__database_status(const struct anim *a, uint32_t file);
/* SPN_ERR_STATE if it is in use. */
spn_status spn__database_unload(struct anim *a, uint32_t file);

/* All data is there. */
void spn__database_loaded(struct anim *a, uint32_t file);
/* End the loads of clips of which nothing has come, if their database has come
 * meanwhile. After the results of all loads were taken. */
void spn__databases_replace_loads(struct anim *a);
/* The load is about to be freed: the database has none any more. */
void spn__database_clear_load(struct anim *a, uint32_t file);

/* Once an update: time-outs. */
void spn__databases_update(struct anim *a);

#endif
