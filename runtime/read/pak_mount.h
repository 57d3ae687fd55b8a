/* pak_mount.h - mounting, loading, and the way back: spindle/pak.h's slow
 * half.
 *
 * Each mount goes through phases (paks.h). Nothing here waits: what a phase
 * needs and does not get now, a read's slot, memory or room for a job, it asks
 * for again with the next update. Caller's thread, but for the job that judges
 * an index.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_PAK_MOUNT_H
#define SPN_READ_PAK_MOUNT_H

#include "read/pak/paks.h"

#include <spindle/pak.h>

struct io;

SPN_NODISCARD spn_status spn__pak_mount(struct io *io, const char *path,
                                        spn_pak *out);
spn_status spn__pak_unmount(struct io *io, spn_pak pak);
spn_status spn__pak_status(const struct io *io, spn_pak pak, spn_fault *fault);
spn_status spn__pak_load(struct io *io, spn_pak pak, spn_priority priority);
/* Call `on_moved` whenever a pak has come into memory or left it. */
void spn__io_follow_paks(struct io *io, void (*on_moved)(void *context),
                         void *context);
spn_status spn__pak_unload(struct io *io, spn_pak pak);
spn_status spn__pak_load_status(const struct io *io, spn_pak pak);

/* Take every mount as far as it goes now. */
void spn__paks_update(struct io *io);
/* One of them. */
void spn__pak_step(struct io *io, struct pak_mount *mount);

#endif
