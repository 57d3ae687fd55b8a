/* pak_mount.h - mount, load, unload and unmount paks: the slow half of
 * spindle/pak.h.
 *
 * A mount goes through phases (pak/paks.h): its header is read, memory for the
 * index is taken, the index is read and validated by a job. Nothing here waits:
 * a phase that lacks a read, memory or room for a job tries again at the next
 * update. Loading reads all bytes of a pak into one heap block, from which its
 * reads are served then; unloading waits until the io thread serves none from
 * it. Caller's thread; the job that validates an index runs on a worker.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_PAK_MOUNT_H
#define SPN_READ_PAK_MOUNT_H

#include "read/pak/paks.h"

#include <spindle/pak.h>

struct io;

/* The functions of spindle/pak.h. */
SPN_NODISCARD spn_status spn__pak_mount(struct io *io, const char *path,
                                        spn_pak *out);
spn_status spn__pak_unmount(struct io *io, spn_pak pak);
spn_status spn__pak_status(const struct io *io, spn_pak pak, spn_fault *fault);
spn_status spn__pak_load(struct io *io, spn_pak pak, spn_priority priority);
/* Call `on_moved` whenever a pak was loaded or is to be unloaded. */
void spn__io_follow_paks(struct io *io, void (*on_moved)(void *context),
                         void *context);
spn_status spn__pak_unload(struct io *io, spn_pak pak);
spn_status spn__pak_load_status(const struct io *io, spn_pak pak);

/* Advance every mount as far as it goes now. At each update. */
void spn__paks_update(struct io *io);
/* Advance one mount. */
void spn__pak_step(struct io *io, struct pak_mount *mount);

#endif
