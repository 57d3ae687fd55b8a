/* cloth_archive.h - an archive of a waving cloth, as many frames as asked for.
 *
 * A grid of quads in one mesh; every frame differs from the one before it.
 * The cloth is made of integers and exact floats: the same bytes on every
 * machine.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_CLOTH_ARCHIVE_H
#define TESTS_SUPPORT_CLOTH_ARCHIVE_H

#include <stdint.h>

/* `side` points each way, >= 2. Fails the test where it cannot be written. */
void cloth_archive_write(const char *path, uint32_t side, uint32_t frames);

/* The same grid anywhere: `place` gives the point in column x and row y. */
typedef void (*cloth_place)(uint32_t side, uint32_t frame, uint32_t x,
                            uint32_t y, float out[3]);
void grid_archive_write(const char *path, uint32_t side, uint32_t frames,
                        cloth_place place);

#endif
