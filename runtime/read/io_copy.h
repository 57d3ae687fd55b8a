/* io_copy.h - reads of paks that go on in another copy. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_COPY_H
#define SPN_READ_IO_COPY_H

#include "read/engine.h"

/* A read of a pak would end with an error: true when it goes on with another
 * copy instead. */
bool spn__pak_try_copy(struct io *io, uint32_t index, spn_status status);

#endif
