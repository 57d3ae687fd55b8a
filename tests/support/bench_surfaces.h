/* bench_surfaces.h - archives of a walking body and of a choppy sea.
 *
 * Each has one textured mesh of 30,276 points and 41 frames. The body's texture
 * is constant and has a seam, where each point becomes two vertices. The sea's
 * texture is constant, or is projected from above and moves, so that UVs are
 * animated.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_BENCH_SURFACES_H
#define TESTS_SUPPORT_BENCH_SURFACES_H

/* Write the archive at `path`. Fails the claim when it cannot be written. */
void bench_body_write(const char *path);
void bench_ocean_write(const char *path);
void bench_flowing_ocean_write(const char *path);

#endif
