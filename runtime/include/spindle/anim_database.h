/* anim_database.h - databases: many clips that are in memory together.
 *
 * A database is in memory from spn_anim_database_preload or a lock on. If none
 * of its clips has been wanted for the time anim_unregister_ms (2 s), and it is
 * not locked and has no owner, its clips become unavailable; if that lasts
 * until anim_remove_ms (4 s), its memory is freed. Between the two times the
 * database is *hidden*: if a clip of it is wanted again, it is available again
 * at once. A database that is in use is never unloaded.
 *
 * A clip can also be wanted while its database is not in memory:
 *
 *   - If the database is not being read, the bytes of the clip are read alone.
 *   - If the database is being read, the clip waits for it. It waits until half
 *     a second before it is needed; for 2 s if that time is not known; and only
 *     until a read of the database fails. After that the bytes of the clip are
 *     read alone. Plays and synchronous loads need the clip now, so they do not
 *     wait.
 *   - If the whole database arrives before any byte of a clip that is read
 *     alone, the read of the clip is aborted. The clip is then used from the
 *     database.
 *
 * Threads. The caller's thread (spindle.h). Errors. anim.h lists those that are
 * checked first.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_ANIM_DATABASE_H
#define SPINDLE_ANIM_DATABASE_H

#include <spindle/features.h>
#include <spindle/read.h>
#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Number of a database; 0: none. */
typedef uint32_t spn_anim_database;

typedef struct spn_anim_database_state {
    const char *path;   /* valid as long as the runtime exists */
    uint64_t bytes;     /* of all its clips */
    spn_status status;  /* as spn_anim_get_status, for all its bytes */
    spn_fault fault;    /* if `status` is an error: why, and where in the file;
                         * otherwise `what` is NULL */
    uint32_t is_hidden; /* 1: its clips are unavailable, its bytes in memory */
    uint32_t is_locked; /* 1 or 0 */
    uint32_t owner_count;
    uint32_t used_clips; /* its clips that are wanted */
} spn_anim_database_state;

#if SPN_WITH_ANIM

/* Find a database by the path that the image has. SPN_ERR_NOT_FOUND;
 * SPN_PENDING while there is no image. */
spn_status spn_anim_database_find(const spn_runtime *rt, const char *path,
                                  spn_anim_database *out);

/* Begin to read a database. No effect if it is in memory or being read, but it
 * is not hidden then, and its time-outs begin anew.
 *
 * priority  of the read; 0: the default of SPN_TASK_ANIMATION */
spn_status spn_anim_database_preload(spn_runtime *rt,
                                     spn_anim_database database,
                                     spn_priority priority);

/* Lock a database, and preload it; or end the lock. A locked database is in
 * use.
 *
 * is_locked  1 or 0
 * priority   as spn_anim_database_preload; unused if is_locked is 0 */
spn_status spn_anim_database_lock(spn_runtime *rt, spn_anim_database database,
                                  uint32_t is_locked, spn_priority priority);

/* *Persistent* databases: an owner, e.g. a character, keeps the database in
 * memory as long as it lives. Adding an owner preloads the database. A database
 * with owners is in use. A count that reaches SPN_ANIM_REFS_MAX (anim_refs.h)
 * stays there, and the database in memory. SPN_ERR_STATE if there is no owner
 * to remove. */
spn_status spn_anim_database_add_owner(spn_runtime *rt,
                                       spn_anim_database database);
spn_status spn_anim_database_remove_owner(spn_runtime *rt,
                                          spn_anim_database database);

/* Free the memory of a database now, without time-outs; a read under way is
 * aborted. SPN_ERR_STATE if it is in use: a clip of it is wanted, it is locked,
 * or it has an owner. */
spn_status spn_anim_database_unload(spn_runtime *rt,
                                    spn_anim_database database);

/* The same for all databases that are not in use.
 *
 * left  the number of databases that stay in memory; NULL: not wanted */
spn_status spn_anim_database_unload_all(spn_runtime *rt, uint32_t *left);

spn_status spn_anim_database_get_state(const spn_runtime *rt,
                                       spn_anim_database database,
                                       spn_anim_database_state *out);

#endif

#ifdef __cplusplus
}
#endif
#endif
