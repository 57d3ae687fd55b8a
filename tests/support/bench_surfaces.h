/* bench_surfaces.h - archives of a walking body and of a choppy sea.
 *
 * 30,276 points, 41 frames, one mesh each, textured: the body's texture is
 * still and has a seam, so that points along it are two vertices; the sea's is
 * still, or is a map from above that flows, so that UVs move.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_BENCH_SURFACES_H
#define TESTS_SUPPORT_BENCH_SURFACES_H

/* Fail the test where they cannot be written. */
void bench_body_write(const char *path);
void bench_ocean_write(const char *path);
void bench_flowing_ocean_write(const char *path);

#endif
