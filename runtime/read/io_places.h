/* io_places.h - where a sweep reads what lies in several places. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_PLACES_H
#define SPN_READ_IO_PLACES_H

#include "read/engine.h"

/* The same for all that stand in a medium's line: the copies nearest to where
 * its head goes next. io thread. */
void spn__pak_choose_places(struct io *io, const struct io_medium *medium);

#endif
