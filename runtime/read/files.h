/* files.h - the table of files that reads refer to.
 *
 * The table has one entry for each handle (spn_file). The caller's thread opens
 * and closes handles. Any thread *holds* an entry while a read of the file is
 * under way. Only the io thread opens and closes files at the platform: it
 * opens a file for the first read that needs it, and closes it after its handle
 * was closed and its last hold has ended.
 *
 * An entry can also be a file in a mounted pak. It holds the pak until the
 * entry is free again. It is never opened at the platform: its reads are reads
 * of the pak's file.
 *
 * After the `file_count` entries with handles follow private entries, one for
 * each slot of the table of reads. A read by path uses the private entry of its
 * slot.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_FILES_H
#define SPN_READ_FILES_H

#include "base/atomic.h"
#include "base/carve.h"
#include "base/word_queue.h"
#include "read/io.h"
#include "read/pak/paks.h"

#include <spindle/platform.h>
#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

/* Most holds of one file: the counter shares a word with other fields. */
#define FILES_HOLDS_MAX 0x7fffu
#define FILES_COUNT_MAX 0xffffu

struct file_entry {
    /* Any thread: generation << 16 (odd: in use) | open for new reads << 15 |
     * holds. */
    struct atomic_u32 word;
    struct atomic_u32 guard_roles; /* written by the caller's thread, read by
                                      any: SPN_GUARD_... */
    /* Written by the thread that took the entry, before it publishes it. */
    char path[SPN_PATH_BYTES_MAX];
    struct pak_mount *mount; /* held; NULL: a file of the platform */
    uint32_t pak_entry;      /* in the mount */
    /* io thread */
    spn_platform_file_info info; /* valid while is_open */
    uint64_t place; /* position of the first byte on the medium: the platform's,
                       or one assigned by this module */
    bool is_open;   /* at the platform */
    /* Written by the io thread before it sets is_known, then read by the
     * caller's thread. Of files in paks: written by the caller's thread. */
    struct file_facts known;
    struct atomic_u32 is_known;
};

struct files {
    const spn_platform *platform;
    struct file_entry *entries;
    uint32_t file_count;          /* entries with handles */
    uint32_t entry_count;         /* file_count + private entries */
    struct word_queue free;       /* indices; io thread to caller's thread */
    struct atomic_u32 open_count; /* files that are open at the platform */
    /* io thread: of each medium, the end of the last file on it */
    uint64_t place_end[SPN_MEDIUM_COUNT];
};

/* Return whether a path has 1 to SPN_PATH_BYTES_MAX - 1 bytes. */
bool spn__files_path_is_good(const char *path);

void spn__files_init(struct files *files, struct carve *carve,
                     const spn_platform *platform, uint32_t file_count,
                     uint32_t private_count);

/* Check that entries that are not in use are free in every respect, that no
 * entry counts more holds than possible, and that open_count is right. Returns
 * NULL, or a description of what is wrong. O(entries). No other thread may use
 * the table meanwhile. */
const char *spn__files_check(const struct files *files);

/* -- caller's thread -- */

/* Take an entry for a good path. SPN_ERR_TABLE_FULL if none is free.
 *
 * mount      NULL: a file of the platform. Otherwise the file is entry
 *            `pak_entry` of this mounted pak; on SPN_OK it takes over the
 *            caller's hold of the mount, and its facts are known */
SPN_NODISCARD spn_status spn__files_open(struct files *files, const char *path,
                                         struct pak_mount *mount,
                                         uint32_t pak_entry, spn_file *out);
/* Close a handle: no read can start any more. The caller must then signal the
 * io thread to call spn__files_retire. SPN_ERR_HANDLE. */
spn_status spn__files_close(struct files *files, spn_file file);
/* Update the facts of all open files of a pak, after the pak was loaded into
 * memory or removed from it. */
void spn__files_follow(struct files *files, const struct pak_mount *mount);
/* Get the facts of a file. SPN_PENDING until the io thread has opened it for
 * the first time; SPN_ERR_HANDLE. */
spn_status spn__files_facts(const struct files *files, spn_file file,
                            struct file_facts *out);
/* Set the guard roles of reads of the file that start from now on
 * (spindle/guard.h). SPN_ERR_HANDLE. */
spn_status spn__files_guard(struct files *files, spn_file file, uint32_t roles);

/* -- any thread -- */

/* Hold a file for a read. SPN_ERR_HANDLE; SPN_FULL: FILES_HOLDS_MAX holds. */
SPN_NODISCARD spn_status spn__files_hold(struct files *files, spn_file file,
                                         uint32_t *index);
/* Hold the file of a mounted pak once more. The mount itself holds the file,
 * for longer than the read lasts. */
void spn__files_hold_again(struct files *files, uint32_t index);
/* End the hold of a read that was not started. Returns true if it was the last
 * hold of a closed file: the caller must then signal the io thread to call
 * spn__files_retire. */
bool spn__files_unhold(struct files *files, uint32_t index);
/* Guard roles of a file on hold. */
uint32_t spn__files_guard_roles(const struct files *files, uint32_t index);
/* Take private entry `slot` for a read by path, with one hold. Returns its
 * index. */
uint32_t spn__files_hold_path(struct files *files, uint32_t slot,
                              const char *path);

/* -- io thread -- */

/* Open a file at the platform unless it is open. SPN_ERR_NOT_FOUND; SPN_ERR_IO;
 * SPN_ERR_PLATFORM if the platform reports impossible facts. */
SPN_NODISCARD spn_status spn__files_ready(struct files *files, uint32_t index);
bool spn__files_is_open(const struct files *files, uint32_t index);
/* Properties of an open file, as the platform reported them. */
const spn_platform_file_info *spn__files_info(const struct files *files,
                                              uint32_t index);
/* Position on the medium of byte `offset` of an open file; saturates. */
uint64_t spn__files_position(const struct files *files, uint32_t index,
                             uint64_t offset);
/* End the hold of a read. If it was the last hold of a closed file, close the
 * file at the platform and free its entry. */
void spn__files_release(struct files *files, uint32_t index);
/* Close every closed file without holds at the platform, and free its entry.
 * O(file_count). */
void spn__files_retire(struct files *files);
/* For a shutdown: close all files at the platform. Handles and holds stay; a
 * hold may only be released. */
void spn__files_shut(struct files *files);

#endif
