/* pak_copy.h - reads of paks that go on in another copy.
 *
 * A pak may store an entry in several places. Where one copy is bad, because
 * the disc could not be read there or a block fails its checksum, the read goes
 * on with the next copy, from the first bad block on. It fails where all copies
 * do: each is tried once for each bad block. Owner: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_PAK_COPY_H
#define SPN_READ_PAK_COPY_H

#include "read/request.h"

struct io;

/* A read of a pak is about to end with `status`, and no worker has a block of
 * it. True when it was set back to go on with another copy instead. */
bool spn__pak_try_copy(struct io *io, uint32_t index, spn_status status);

#endif
