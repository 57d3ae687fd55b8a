/* pak_read.h - reads of a pak's entry as reads of the pak's file.
 *
 * The stored bytes are determined by the starting thread, except the copy. If
 * an entry has several copies, the io thread chooses one, and may choose again
 * until the read has begun. Reads of a loaded pak are served from memory
 * (SPN_MEDIUM_MEMORY). Waiting reads change their medium when a pak is loaded
 * or unloaded, also between two pieces.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_PAK_READ_H
#define SPN_READ_PAK_READ_H

#include "read/request.h"

struct io;

/* Make a request, of which all other fields are set, a read of a pak's entry.
 * It takes over the caller's hold of the mount. Starting thread. */
void spn__pak_aim(struct io *io, struct io_request *request,
                  struct pak_mount *mount, uint32_t entry);

/* -- io thread -- */

/* Of a read that has a choice (io_has_choice), choose the copy that is read
 * first from `head` on, a byte on the medium: by the drive's forecast, or by
 * distance where the drive is not known. True when it is another than before.
 */
bool spn__pak_choose_copy(struct io *io, uint32_t index, uint64_t head);

/* Decide again whether a read is served from memory. Returns whether it is. */
bool spn__pak_find_memory(struct io_request *request);
/* The read needs the memory of its pak no more. */
void spn__pak_leave_memory(struct io_request *request);
/* A slot whose blocks lie in the memory of a pak goes to the workers, and comes
 * back from them. */
void spn__pak_use_memory(struct pak_mount *mount);
void spn__pak_end_use(struct pak_mount *mount);

/* IO_SIGNAL_PAKS: paks were loaded or shall be unloaded. Begin; then each
 * waiting read goes to the stage that spn__pak_next returns; then end. */
void spn__pak_begin_serving(struct io *io);
enum read_stage spn__pak_next(struct io *io, uint32_t index);
void spn__pak_end_serving(struct io *io);

#endif
