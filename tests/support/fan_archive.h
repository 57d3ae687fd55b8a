/* fan_archive.h - write an archive of triangles that meet at one point. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_FAN_ARCHIVE_H
#define TESTS_SUPPORT_FAN_ARCHIVE_H

#include <stdbool.h>
#include <stdint.h>

/* `count` triangles, at least 3, around a point, in one static mesh with a rim
 * of 10 units. With `is_split` each triangle has its own normals, so that
 * `count` vertices lie at the point. Fails the claim when the file cannot be
 * written. */
void fan_archive_write(const char *path, uint32_t count, bool is_split);

#endif
