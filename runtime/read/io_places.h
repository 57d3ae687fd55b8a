/* io_places.h - where a sweep reads what lies in several places. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_PLACES_H
#define SPN_READ_IO_PLACES_H

#include "read/engine.h"

/* Reads that are placed anew for one choice. */
#define IO_PLACES_MAX 256u

/* Of reads in a medium's line that have a choice, so many at most, in turn:
 * read the copy nearest to where its head goes next (spn__pak_choose_copy). io
 * thread. */
void spn__pak_choose_places(struct io *io, const struct io_medium *medium);

#endif
