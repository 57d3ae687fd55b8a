/* files.h - the table of files that reads refer to.
 *
 * The caller's thread opens and closes entries, any thread holds one for a
 * read, and the io thread alone opens and closes at the platform: at the
 * first read that needs the file, and when nobody needs it any more.
 *
 * An entry may also stand for a file in a mounted pak, which it holds until it
 * is closed for good. Such a one is never opened at the platform: reads of it
 * are reads of the pak's file.
 *
 * Behind the `file_count` entries with handles lie private ones, one for each
 * slot of the table of reads: a read by path lives in its slot's entry.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_FILES_H
#define SPN_READ_FILES_H

#include "base/atomic.h"
#include "base/carve.h"
#include "base/ring.h"
#include "read/pak/paks.h"

#include <spindle/platform.h>
#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

/* Reads that may hold one file: the count shares a word. */
#define FILES_HOLDS_MAX 0x7fffu
#define FILES_COUNT_MAX 0xffffu

struct file_entry {
    /* any thread: generation << 16 (odd: in use) | open to new reads << 15 |
     * reads that hold it */
    struct atomic_u32 word;
    struct atomic_u32 guard_roles; /* any thread; written by the caller's */
    /* written by whoever took the entry, before anyone else knows of it */
    char path[SPN_PATH_BYTES_MAX];
    struct pak_mount *mount; /* held; NULL: a file of the platform's */
    uint32_t pak_entry;
    /* io thread */
    spn_platform_file_info info;
    uint64_t place; /* on the medium: the platform's, or one made up */
    bool is_open;
    /* io thread, then the caller's: 1 once the others stand */
    struct atomic_u32 is_known;
    uint64_t known_bytes;
    spn_medium known_medium;
    uint64_t known_place;
};

struct files {
    const spn_platform *platform;
    struct file_entry *entries;
    uint32_t file_count;
    uint32_t entry_count;         /* with those of reads by path */
    struct ring free;             /* io thread to caller's */
    struct atomic_u32 open_count; /* at the platform */
    /* io thread: behind the last place on each medium */
    uint64_t place_end[SPN_MEDIUM_COUNT];
};

/* A path of 1 to SPN_PATH_BYTES_MAX - 1 bytes. */
bool spn__files_path_is_good(const char *path);

void spn__files_init(struct files *files, struct carve *carve,
                     const spn_platform *platform, uint32_t file_count,
                     uint32_t private_count);

/* -- caller's thread -- */

/* SPN_ERR_TABLE_FULL. The path is good. */
SPN_NODISCARD spn_status spn__files_open(struct files *files, const char *path,
                                         spn_file *out);
/* The same of entry `pak_entry` of a mount, whose hold the file takes over
 * with SPN_OK. It is known at once. */
SPN_NODISCARD spn_status spn__files_open_packed(struct files *files,
                                                const char *path,
                                                struct pak_mount *mount,
                                                uint32_t pak_entry,
                                                spn_file *out);
/* No new reads. The io thread must then call spn__files_retire. */
spn_status spn__files_close(struct files *files, spn_file file);
/* A pak came into memory or left it: its open entries lie elsewhere. */
void spn__files_follow(struct files *files, const struct pak_mount *mount);
/* SPN_PENDING until the file was first opened. */
spn_status spn__files_size(const struct files *files, spn_file file,
                           uint64_t *bytes);
spn_status spn__files_medium(const struct files *files, spn_file file,
                             spn_medium *medium);
/* Who must not wait for its reads: see spindle/guard.h. */
spn_status spn__files_guard(struct files *files, spn_file file, uint32_t roles);
/* Of its first byte, on the medium. */
spn_status spn__files_place(const struct files *files, spn_file file,
                            uint64_t *place);

/* -- any thread -- */

/* Keep a file for a read. SPN_ERR_HANDLE; SPN_FULL. */
SPN_NODISCARD spn_status spn__files_hold(struct files *files, spn_file file,
                                         uint32_t *index);
/* One more of a file that is held by somebody else as long as the read
 * lasts: of a mounted pak. */
void spn__files_hold_again(struct files *files, uint32_t index);
/* Undo a hold whose read was not started. True when that was the last of a
 * closed file: the io thread must then call spn__files_retire. */
bool spn__files_unhold(struct files *files, uint32_t index);
/* Of a file that is held. */
uint32_t spn__files_guard_roles(const struct files *files, uint32_t index);
/* Take private entry `slot` for a read by path; it is held once. */
uint32_t spn__files_hold_path(struct files *files, uint32_t slot,
                              const char *path);

/* -- io thread -- */

/* Open at the platform unless it is open. SPN_ERR_NOT_FOUND, SPN_ERR_IO,
 * SPN_ERR_PLATFORM when what it reports makes no sense. */
SPN_NODISCARD spn_status spn__files_ready(struct files *files, uint32_t index);
bool spn__files_is_open(const struct files *files, uint32_t index);
/* Of an open file. */
const spn_platform_file_info *spn__files_info(const struct files *files,
                                              uint32_t index);
/* Byte `offset` of an open file on the medium; saturates. */
uint64_t spn__files_position(const struct files *files, uint32_t index,
                             uint64_t offset);
/* End a read's hold; the last one of a closed file closes it for good. */
void spn__files_release(struct files *files, uint32_t index);
/* Close for good every closed file that nobody holds. O(file_count). */
void spn__files_retire(struct files *files);
/* Close everything at the platform; handles and holds stay, but whoever holds
 * a file may only release it. For shutdown. */
void spn__files_shut(struct files *files);

#endif
