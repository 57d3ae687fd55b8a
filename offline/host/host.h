/* host.h - the operating system under the tool: mapped files, safe output.
 *
 * The only module of the tool that knows which system it runs on: host*_posix.c
 * or host*_win32.c is compiled, and what both have in common.
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

/* Refuses folders, devices and what cannot be read. `path` is kept until the
 * close: a look at bytes that are gone, because someone shortened the file,
 * ends the process with its name (host_clean_on_signals). */
bool host_map_open(struct host_map *map, const char *path, struct diag *diag);
void host_map_close(struct host_map *map);
/* Let go of the memory that these bytes of the map take, and some around
 * them; what is looked at again is read again. Other threads may look
 * meanwhile. */
void host_map_forget(const struct host_map *map, uint64_t offset,
                     uint64_t bytes);
/* The system reads and lets go in pieces of up to so many bytes. */
#define HOST_MAP_PIECE_BYTES ((uint64_t)2 << 20)

/* `bytes` of a file that had `file_bytes` when it was looked at: a file that
 * has another size by now is refused. No state: any thread. */
bool host_read_at(const char *path, uint64_t file_bytes, uint64_t offset,
                  void *target, size_t bytes, struct diag *diag);

enum host_kind { HOST_FILE, HOST_FOLDER, HOST_OTHER };

/* What a path leads to, links followed; `bytes` of a file, else 0. */
bool host_look(const char *path, enum host_kind *kind, uint64_t *bytes,
               struct diag *diag);
/* Does it lead to anything that can be looked at? */
bool host_is_there(const char *path);

/* A file below a folder. */
struct host_found {
    const char *path; /* to open it with; for the call only */
    const char *name; /* from the folder on; within `path` */
    uint64_t bytes;
    enum host_kind kind; /* a file, or HOST_OTHER: a device, a pipe, a link to
                          * a folder or to nothing; folders are walked */
};

/* Call `found` for all that lies below a folder, sorted name by name within
 * each. False when it was or when something could not be read. */
bool host_folder_walk(const char *folder,
                      bool (*found)(void *user, const struct host_found *found),
                      void *user, struct diag *diag);

/* Make the folders that a file of this path lies in. */
bool host_make_folders(const char *path, struct diag *diag);

/* An output that appears whole or not at all: written beside the target,
 * synced, put in its place. Where the system has files without a name, a
 * process that is killed leaves nothing behind, unless it was between the link
 * and the rename that replace an old file; elsewhere a temporary may stay. */
struct host_output;

/* Judge the target before any work: its folder exists and is writable, the
 * target is not a folder. Creates the temporary file. NULL after a refusal
 * (EXIT_IO_FAILED). `path` "-" is stdout: what is appended goes out at once,
 * and there is no other place to write or read back; the commit flushes. */
struct host_output *host_output_open(const char *path, struct diag *diag);
bool host_output_is_stdout(const char *path);

/* Is there a file at `output`, and is it the one at `path`, by whatever name?
 */
bool host_output_is(const char *output, const char *path);

/* Refuse an output that is the input itself, by whatever name: writing it
 * would destroy what is being read. True when they differ or when either does
 * not exist. */
bool host_output_differs(const char *output, const char *input,
                         struct diag *diag);

/* All or false; offset is the end of what was written so far, or any earlier
 * place (the signature is written last, over zeroes). What is appended in small
 * pieces goes out in larger ones, in order with all else; so a write that fails
 * may be reported by a later call, at the latest by the commit. */
bool host_output_append(struct host_output *output, const void *data,
                        size_t bytes);
bool host_output_write_at(struct host_output *output, uint64_t offset,
                          const void *data, size_t bytes);
/* Read back what was written. */
bool host_output_read_at(struct host_output *output, uint64_t offset,
                         void *target, size_t bytes);
uint64_t host_output_bytes(const struct host_output *output);

/* Sync, put it in the target's place, sync the folder. Releases the output
 * either way; on failure the target is as it was and the temporary is gone. */
bool host_output_commit(struct host_output *output);

/* Remove the temporary. NULL is legal. */
void host_output_abandon(struct host_output *output);

/* A folder that many files are put below. A name's folders are made, and never
 * looked for through a link: what is written lies below the folder, whatever
 * was there before. The folder itself is made where it is not there, and may be
 * a link. NULL after a refusal. */
struct host_tree;
struct host_tree *host_tree_open(const char *folder, struct diag *diag);

/* An output of that name, as host_output_open makes one; `name` has '/' between
 * its parts, none of which is empty, "." or "..". A link, or anything else that
 * is no ordinary file, is refused and stays. The commit does not sync where
 * host_tree_sync does. */
struct host_output *host_tree_output(struct host_tree *tree, const char *name,
                                     struct diag *diag);

/* See that all committed outputs are on the disc. */
bool host_tree_sync(struct host_tree *tree, struct diag *diag);
void host_tree_close(struct host_tree *tree); /* NULL is legal */

/* Before anything else in main: the arguments become UTF-8, what is written to
 * the standard streams goes out as it is, and a console shows UTF-8. */
void host_arguments(int *argc, char ***argv);

/* From now on SIGINT, SIGTERM and SIGHUP (a console's Ctrl-C and its kin)
 * remove the temporaries of all open outputs and end the process with 128 + the
 * signal's number. A mapped file
 * that became shorter, or whose medium fails, ends it with EXIT_IO_FAILED and
 * its name; a write beyond the largest file that is allowed is a failed write.
 * Call once, before any thread starts. */
void host_clean_on_signals(void);

/* The platform table of this system: bytes of its state, and its set-up in
 * memory aligned to 16, which stays the caller's. */
size_t host_platform_bytes(void);
spn_status host_platform_init(void *memory, size_t bytes, spn_platform *out);

/* Read a whole ordinary file; a zero byte follows the `bytes`. */
bool host_read_file(const char *path, void **data, size_t *bytes,
                    struct diag *diag); /* malloc'd; caller frees */

#endif
