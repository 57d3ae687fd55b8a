/* host_target.h - where an output is written, on each operating system.
 *
 * An output (host.h) is written to a temporary file in the folder of its
 * target, and renamed at the end. host_output.c calls these functions in this
 * order: find, create_temporary; then link, rename, sync_folder; at last free.
 * After a failure it calls remove_temporary. host_output_posix.c or
 * host_output_win32.c implements them. A function of type int returns 0 or an
 * errno value. One thread at a time per output.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_HOST_HOST_TARGET_H
#define OFFLINE_HOST_HOST_TARGET_H

#include "host/host.h"

struct host_target; /* the paths of the target and the temporary */

struct host_output {
    struct diag *diag;
    char *path;                 /* as the caller named it, for messages */
    struct host_target *target; /* NULL: none yet, or stdout */
    char *folder;               /* of the target, for messages; set with it */
    intptr_t file;              /* the open temporary, or HOST_CLOSED */
    uint64_t bytes;             /* written so far, with those in the buffer */
    uint8_t *buffer;            /* the last bytes; NULL: not allocated */
    size_t buffered_bytes;      /* in the buffer, not yet in the file */
    bool is_stdout;
    bool is_synced_later; /* by host_tree_sync */
    bool has_failed;      /* a write failed: the commit will fail */
};

/* Allocate an output without target and file. Returns NULL after a refusal. */
struct host_output *host_output_new(const char *path, struct diag *diag);

/* Set `target` and `folder`. If the target exists, links are followed. After an
 * error call host_target_free as well. */
int host_target_find(struct host_output *output, bool exists);
void host_target_free(struct host_output *output);

/* Create the temporary in the target's folder and open it as `file`. On systems
 * that can, it has no name yet, or is deleted when it is closed. */
int host_target_create_temporary(struct host_output *output);

/* Give such a temporary a name that remains after it is closed. Sets
 * *is_at_target when this is the target's name already. Returns false after a
 * refusal. */
bool host_target_link(struct host_output *output, bool *is_at_target);

/* Rename the closed temporary to the target. */
int host_target_rename(struct host_output *output);

/* Sync the target's folder, as far as the system can; warns on failure. */
void host_target_sync_folder(struct host_output *output);

/* Remove the temporary, open or closed. */
void host_target_remove_temporary(struct host_output *output);

/* Write the buffered bytes and sync the file. Returns false after a refusal. */
bool host_output_sync(struct host_output *output);

#endif
