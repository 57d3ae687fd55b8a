/* io_pak.h - reads of a pak's entry become reads of its file. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_PAK_H
#define SPN_READ_IO_PAK_H

#include "read/engine.h"

/* Make the request, otherwise filled in, one of a pak's entry. It takes over a
 * hold of the mount. Whoever starts the read. */
void spn__pak_aim(struct io *io, struct io_request *request,
                  struct pak_mount *mount, uint32_t entry);
/* Of a read that has a choice, read the copy that is there first from `head`
 * on, by the drive or by bytes. True when it is another than before. io thread.
 */
bool spn__pak_choose_copy(struct io *io, uint32_t index, uint64_t head);
/* Is it served from a loaded pak? Decides it anew. io thread. */
bool spn__pak_find_memory(struct io_request *request);
/* It needs the memory of its pak no more. io thread. */
void spn__pak_leave_memory(struct io_request *request);
/* What lies in a loaded pak is with the workers, and comes back from them. */
void spn__pak_use_memory(struct pak_mount *mount);
void spn__pak_end_use(struct pak_mount *mount);
/* A pak was loaded or shall be unloaded: its reads change their line. */
void spn__pak_heed_serving(struct io *io);
/* An entry by name; the same by its index. */
spn_status spn__io_find_entry(const struct io *io, spn_pak pak,
                              const char *name, spn_pak_entry *out);
spn_status spn__io_get_entry(const struct io *io, spn_pak_entry entry,
                             spn_pak_entry_info *out);
spn_status spn__io_count_entries(const struct io *io, spn_pak pak,
                                 uint32_t *out);

#endif
