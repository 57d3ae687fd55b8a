/* crowd_archive.h - write an archive of several waving cloths.
 *
 * Each is a grid of quads of its own; all move in every frame, 30 of which last
 * a second. The bytes are the same on every machine.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_CROWD_ARCHIVE_H
#define TESTS_SUPPORT_CROWD_ARCHIVE_H

#include <stdint.h>

/* `side` points in each direction of each of `count` cloths, at least 2. Fails
 * the claim when the file cannot be written. */
void crowd_archive_write(const char *path, uint32_t count, uint32_t side,
                         uint32_t frames);

#endif
