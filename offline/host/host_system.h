/* host_system.h - the calls that each operating system implements for host.
 *
 * host_posix.c and host_folder_posix.c, or host_win32.c, implement them; the
 * shared files of this folder call them. A function of type int returns 0 or an
 * errno value. Any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_HOST_HOST_SYSTEM_H
#define OFFLINE_HOST_HOST_SYSTEM_H

#include "host/host.h"

/* -- paths and folders -- */

/* Store the kind of what a path leads to, following links, and the size of a
 * file (else 0). */
int host_system_stat(const char *path, enum host_kind *kind, uint64_t *bytes);

/* Do both paths exist and lead to the same file? */
bool host_system_is_same(const char *path, const char *other);

/* Call `take` for each name in a folder but "." and "..", in any order. Returns
 * false, after a refusal, when the folder cannot be read. */
bool host_system_list(const char *folder,
                      void (*take)(void *user, const char *name), void *user,
                      struct diag *diag);

/* Set found->kind and found->bytes of a path. A link to a file is HOST_FILE, a
 * link to a folder HOST_OTHER. Returns false after a refusal. */
bool host_system_classify(const char *path, struct host_found *found,
                          struct diag *diag);

/* Create a folder. Returns 0 also when it exists. */
int host_system_make_folder(const char *path);

/* Does this byte separate the parts of a path? */
bool host_system_is_separator(char byte);

/* -- open files -- */

/* A file is a descriptor, or the value of a HANDLE. */
#define HOST_CLOSED ((intptr_t)-1)

/* Open a file for reading, and store its kind and size as host_system_stat
 * does. Never waits, for example for the writer of a pipe. After an error
 * nothing is open. */
int host_system_open(const char *path, intptr_t *file, enum host_kind *kind,
                     uint64_t *bytes);
/* Close a file; it is closed after an error too. */
int host_system_close(intptr_t file);

/* Make one call to the system, of at most HOST_CALL_BYTES_MAX bytes. Stores in
 * *done the number of bytes, which may be smaller than `bytes`; 0: the file
 * ends at `offset`. */
int host_system_read(intptr_t file, uint64_t offset, void *target, size_t bytes,
                     size_t *done);
int host_system_write(intptr_t file, uint64_t offset, const void *source,
                      size_t bytes, size_t *done);
/* Some systems refuse more than 2 GiB in a call, others count in 32 bits. */
#define HOST_CALL_BYTES_MAX ((size_t)1 << 30)

/* Sync the written bytes to the disc, as far as the system can. */
int host_system_sync(intptr_t file);

/* Map all `bytes` (> 0) of an open file for reading. The file may then be
 * closed. */
int host_system_map(intptr_t file, size_t bytes, const uint8_t **data);
void host_system_unmap(const uint8_t *data, size_t bytes);
/* Release the memory of some bytes of a map; a hint. */
void host_system_forget(const uint8_t *data, size_t bytes);

/* -- shared by the files of this folder -- */

/* Read all `bytes`. Returns -1 when the file ends before. */
int host_read_all(intptr_t file, uint64_t offset, void *target, size_t bytes);

/* Refuse a path that is not a file. Always returns false. */
bool host_refuse_kind(struct diag *diag, const char *path, enum host_kind kind);

/* Copy `length` bytes of text and add a zero byte; the caller frees the copy.
 * Returns NULL when there is no memory. */
char *host_copy_text(const char *text, size_t length);

#endif
