/* pak_entries.h - what a mounted pak holds, for the functions of spindle/pak.h.
 *
 * Any thread: the mount is held while it is looked at.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_PAK_ENTRIES_H
#define SPN_READ_PAK_ENTRIES_H

#include <spindle/pak.h>

struct io;

/* Find an entry by name, in one pak, or in all where `pak` is 0: there the one
 * that was mounted last counts. SPN_ERR_HANDLE; SPN_PENDING while the pak is
 * being mounted; SPN_ERR_NOT_FOUND. */
spn_status spn__io_find_entry(const struct io *io, spn_pak pak,
                              const char *name, spn_pak_entry *out);
/* Sizes and codec of an entry. SPN_ERR_ARG when the pak has no such one. */
spn_status spn__io_get_entry(const struct io *io, spn_pak_entry entry,
                             spn_pak_entry_info *out);
spn_status spn__io_count_entries(const struct io *io, spn_pak pak,
                                 uint32_t *out);

#endif
