/* host.h - files and folders for the tool: mapped input, atomic output.
 *
 * The only module of the tool that depends on the operating system:
 * host*_posix.c or host*_win32.c is compiled, besides the files that both
 * share.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_HOST_HOST_H
#define OFFLINE_HOST_HOST_H

#include "common/diag.h"

#include <spindle/platform.h>
#include <stddef.h>
#include <stdint.h>

/* A whole file, mapped for reading. */
struct host_map {
    const uint8_t *data; /* NULL when the file is empty */
    uint64_t bytes;
};

/* Map a file. Returns false after a refusal: a folder, a device, an unreadable
 * file. `path` must stay until the close: when another process shortens the
 * file, an access to the missing bytes ends the process with a message that
 * names the path (host_clean_on_signals). */
bool host_map_open(struct host_map *map, const char *path, struct diag *diag);
void host_map_close(struct host_map *map);
/* Release the memory of these bytes of the map, and of some around them. They
 * are read again at the next access. Other threads may access the map
 * meanwhile. */
void host_map_forget(const struct host_map *map, uint64_t offset,
                     uint64_t bytes);
/* The system reads and releases a map in pieces of up to this size. */
#define HOST_MAP_PIECE_BYTES ((uint64_t)2 << 20)

/* Read `bytes` from `offset` of a file whose size was `file_bytes` before; a
 * file of another size is refused. Any thread. Returns false after a refusal.
 */
bool host_read_at(const char *path, uint64_t file_bytes, uint64_t offset,
                  void *target, size_t bytes, struct diag *diag);

enum host_kind { HOST_FILE, HOST_FOLDER, HOST_OTHER };

/* Find the kind of what is at a path, following links, and the size of a file
 * (else 0). Returns false after a refusal. */
bool host_stat(const char *path, enum host_kind *kind, uint64_t *bytes,
               struct diag *diag);
/* Does the path exist? */
bool host_exists(const char *path);

/* A file below a folder. */
struct host_found {
    const char *path; /* to open it; valid during the call */
    const char *name; /* relative to the folder; points into `path` */
    uint64_t bytes;
    enum host_kind kind; /* HOST_FILE, or HOST_OTHER: a device, a pipe, a link
                          * to a folder or to nothing */
};

/* Call `found` for everything below a folder but folders; each folder is walked
 * in the order of names. Returns false when `found` did, and after a refusal
 * when something could not be read. */
bool host_folder_walk(const char *folder,
                      bool (*found)(void *user, const struct host_found *found),
                      void *user, struct diag *diag);
/* The same for what is in the folder itself; folders in it are passed over. */
bool host_folder_list(const char *folder,
                      bool (*found)(void *user, const struct host_found *found),
                      void *user, struct diag *diag);

/* Create the folders of a path, all but its last part. */
bool host_make_folders(const char *path, struct diag *diag);

/* An output file that appears whole or not at all: a temporary file beside the
 * target is written, synced, and renamed. On systems with unnamed files a
 * killed process leaves nothing behind, except between the link and the rename
 * that replace an old file. On other systems the temporary may stay. */
struct host_output;

/* Check the target before any work (its folder exists and is writable, the
 * target is not a folder) and create the temporary file. Returns NULL after a
 * refusal (EXIT_IO_FAILED). `path` "-" is stdout: it can only be appended to,
 * appended bytes are printed at once, and the commit flushes. */
struct host_output *host_output_open(const char *path, struct diag *diag);
bool host_output_is_stdout(const char *path);

/* Do both paths exist and lead to the same file? */
bool host_output_is_same(const char *output, const char *path);

/* Refuse an output that is the same file as the input. Returns true when they
 * differ or one of them does not exist. */
bool host_output_differs(const char *output, const char *input,
                         struct diag *diag);

/* Write at the end, or at an offset up to the end (a file's signature is
 * written last). Returns false after a refusal. Small pieces are buffered, so a
 * write that fails may be reported by a later call, at the latest by the
 * commit. */
bool host_output_append(struct host_output *output, const void *data,
                        size_t bytes);
bool host_output_write_at(struct host_output *output, uint64_t offset,
                          const void *data, size_t bytes);
/* Read back bytes that were written. */
bool host_output_read_at(struct host_output *output, uint64_t offset,
                         void *target, size_t bytes);
uint64_t host_output_bytes(const struct host_output *output);

/* Sync the temporary, rename it to the target, sync the folder. Releases the
 * output in any case. Returns false after a refusal; the target is then
 * unchanged and the temporary removed. */
bool host_output_commit(struct host_output *output);

/* Remove the temporary and release the output. NULL is legal. */
void host_output_abandon(struct host_output *output);
/* Commit the output if its content is good, otherwise abandon it. Returns
 * whether it is committed; of NULL `is_good`. */
bool host_output_finish(struct host_output *output, bool is_good);

/* A folder below which many files are written. Folders of a name are created;
 * links below the folder are not followed, so that every file lies below it.
 * The folder itself is created if it does not exist, and may be a link. Returns
 * NULL after a refusal. */
struct host_tree;
struct host_tree *host_tree_open(const char *folder, struct diag *diag);

/* Open an output as host_output_open does. `name` has '/' between its parts; no
 * part is empty, "." or "..". If something that is no ordinary file has the
 * name, such as a link, it is refused and left unchanged. On systems where
 * host_tree_sync syncs everything, the commit does not sync. */
struct host_output *host_tree_output(struct host_tree *tree, const char *name,
                                     struct diag *diag);

/* Sync all committed outputs. Returns false after a refusal. */
bool host_tree_sync(struct host_tree *tree, struct diag *diag);
void host_tree_close(struct host_tree *tree); /* NULL is legal */

/* Call first in main. Converts the arguments to UTF-8, sets the standard
 * streams to binary, and the console to UTF-8, where the system needs it. */
void host_arguments(int *argc, char ***argv);

/* Install signal handlers. SIGINT, SIGTERM and SIGHUP, and Ctrl-C on a console,
 * remove the temporaries of all open outputs and end the process with 128 + the
 * signal's number. An access to a mapped file that became shorter, or whose
 * device fails, ends it with EXIT_IO_FAILED and a message with its path. A
 * write beyond the limit of the file size becomes a failed write. Call once,
 * before any thread starts. */
void host_clean_on_signals(void);

/* Size of the state of this system's platform table, and its set-up in the
 * caller's memory, which is aligned to 16 and must outlive the table. */
size_t host_platform_bytes(void);
spn_status host_platform_init(void *memory, size_t bytes, spn_platform *out);

/* Read a whole ordinary file; a zero byte follows the `bytes`. Returns false
 * after a refusal. */
bool host_read_file(const char *path, void **data, size_t *bytes,
                    struct diag *diag); /* malloc'd; caller frees */

#endif
