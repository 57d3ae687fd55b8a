/* host_system.h - what each system does for the host modules that all share.
 * Only for host*.c.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_HOST_HOST_SYSTEM_H
#define OFFLINE_HOST_HOST_SYSTEM_H

#include "host/host.h"

/* -- what lies where -- */

/* The kind of what a path leads to, links followed, and the bytes of a file,
 * else 0: errno, or 0. */
int host_system_look(const char *path, enum host_kind *kind, uint64_t *bytes);

/* Do two paths lead to the same thing? False when either leads nowhere. */
bool host_system_is_same(const char *path, const char *other);

/* Call `take` for each name in a folder but "." and "..", in any order. False
 * when it cannot be read. */
bool host_system_list(const char *folder,
                      void (*take)(void *user, const char *name), void *user,
                      struct diag *diag);

/* The kind and bytes of what lies at `path`; a link counts as what it points
 * to, but HOST_OTHER for folders. */
bool host_system_classify(const char *path, struct host_found *found,
                          struct diag *diag);

/* Make a folder: errno, or 0 also when it is there. */
int host_system_make_folder(const char *path);

/* Does this byte part the names of a path? */
bool host_system_is_separator(char byte);

/* -- open files -- */

/* A descriptor, or what a HANDLE holds. */
#define HOST_CLOSED ((intptr_t)-1)

/* Open what a path leads to, to read it, and look at it as host_system_look
 * does: errno with nothing open, or 0. Waits for nobody. */
int host_system_open(const char *path, intptr_t *file, enum host_kind *kind,
                     uint64_t *bytes);
/* Closed whatever it returns: errno, or 0. */
int host_system_close(intptr_t file);

/* One call to the system, of no more than HOST_CALL_BYTES_MAX: errno, or 0 and
 * what it did, which may be less; nothing is read at the end of a file. */
int host_system_read(intptr_t file, uint64_t offset, void *target, size_t bytes,
                     size_t *done);
int host_system_write(intptr_t file, uint64_t offset, const void *source,
                      size_t bytes, size_t *done);
/* What was written is on the disc, as far as the system can say: errno, or
 * 0. */
int host_system_sync(intptr_t file);

/* Some systems refuse more than 2 GiB in one call; others count in 32 bits. */
#define HOST_CALL_BYTES_MAX ((size_t)1 << 30)

/* All `bytes`: errno, 0, or -1 when the file ends before. */
int host_read_all(intptr_t file, uint64_t offset, void *target, size_t bytes);

/* Map an open file to read it, all of its `bytes` (not 0): errno, or 0. It may
 * be closed then. */
int host_system_map(intptr_t file, size_t bytes, const uint8_t **data);
void host_system_unmap(const uint8_t *data, size_t bytes);
/* Let go of the memory of some of its bytes; only a hint. */
void host_system_forget(const uint8_t *data, size_t bytes);

/* Refuse what is there and is not HOST_FILE. Always false. */
bool host_refuse_kind(struct diag *diag, const char *path, enum host_kind kind);

/* -- outputs -- */

struct host_output {
    struct diag *diag;
    char *path; /* as the caller named it, for messages */
    /* Each system's own: where the target and the temporary lie. */
    struct host_place *place;
    char *folder;    /* of the target, for messages; set with `place` */
    intptr_t file;   /* the temporary, or HOST_CLOSED */
    uint64_t bytes;  /* of these the last are in the buffer */
    uint8_t *buffer; /* NULL: not needed yet */
    size_t buffered_bytes;
    bool is_stdout;       /* then there is no place and no file */
    bool is_synced_later; /* host_tree_sync does it */
    bool has_failed;
};

/* Neither place nor file yet. NULL after a refusal. */
struct host_output *host_output_new(const char *path, struct diag *diag);

/* Set `place` and `folder`; links are followed when the target `is_there`.
 * errno, or 0: what is set then is freed by host_place_free either way. */
int host_place_find(struct host_output *output, bool is_there);
void host_place_free(struct host_output *output);

/* Create the temporary in the target's folder, open in `file`: errno, or 0. */
int host_place_create(struct host_output *output);

/* Give what would go with its handle a life beyond it. *is_in_place: it is the
 * target already. False when it refused. */
bool host_place_keep(struct host_output *output, bool *is_in_place);

/* Put the closed temporary in the target's place: errno, or 0. */
int host_place_rename(struct host_output *output);

/* See that the target stays where it was put, as far as the system can. */
void host_place_settle(struct host_output *output);

/* Remove the temporary, open or closed. */
void host_place_remove(struct host_output *output);

/* Write what is in the buffer, and sync. False when it refused. */
bool host_output_sync(struct host_output *output);

/* A copy with an end, to be freed; NULL: no memory. */
char *host_copy_text(const char *text, size_t length);

/* -- mapped files that may lose their bytes: any thread -- */

/* `path` is kept until the map is let go. With more than the table holds, the
 * rest is not named. */
void host_guards_add(const struct host_map *map, const char *path);
void host_guards_remove(const struct host_map *map);

/* The file that `address` was mapped from, and where in it; NULL: none. May
 * interrupt anything. */
const char *host_guards_find(const void *address, uint64_t *offset);

#endif
