/* pak_mount.h - mount, load, unload and unmount paks (spindle/pak.h).
 *
 * A mount goes through phases (enum pak_phase of pak/paks.h): read the header
 * of the pak, allocate memory for the index, read the index, and validate it by
 * a job on a worker. Loading reads all bytes of a pak into one heap block; from
 * then on its reads are served from that block. Unloading frees the block when
 * the io thread serves no read from it any more.
 *
 * No function blocks. If a phase finds no free request, no memory, or no room
 * in the queue of jobs, it is tried again at the next update. Thread of all
 * functions: the caller's.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_PAK_MOUNT_H
#define SPN_READ_PAK_MOUNT_H

#include "read/pak/paks.h"

#include <spindle/pak.h>

struct io;

/* Implementations of the functions of spindle/pak.h with the same names. */
SPN_NODISCARD spn_status spn__pak_mount(struct io *io, const char *path,
                                        spn_pak *out);
spn_status spn__pak_unmount(struct io *io, spn_pak pak);
spn_status spn__pak_status(const struct io *io, spn_pak pak, spn_fault *fault);
spn_status spn__pak_load(struct io *io, spn_pak pak, spn_priority priority);
/* Set the function that is called when a pak was loaded and when an unload
 * begins, because its reads then move to another medium. NULL: none. */
void spn__io_follow_paks(struct io *io, void (*on_moved)(void *context),
                         void *context);
spn_status spn__pak_unload(struct io *io, spn_pak pak);
spn_status spn__pak_load_status(const struct io *io, spn_pak pak);

/* Advance every mount, load and unload until it has to wait. Must be called at
 * each update. */
void spn__paks_update(struct io *io);

#endif
