/* fan_archive.h - an archive of triangles that all meet at one point. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_FAN_ARCHIVE_H
#define TESTS_SUPPORT_FAN_ARCHIVE_H

#include <stdbool.h>
#include <stdint.h>

/* `count` triangles, >= 3, around a point, in one mesh without motion, on a
 * rim of 10 units. With `is_split` each has a normal of its own at its corners,
 * so that as many vertices lie at the point. Fails the test where it cannot be
 * written. */
void fan_archive_write(const char *path, uint32_t count, bool is_split);

#endif
