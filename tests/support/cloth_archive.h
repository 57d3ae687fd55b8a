/* cloth_archive.h - an archive of a waving cloth, as many frames as asked for.
 *
 * A grid of quads in one mesh; every frame differs from the one before it.
 * The cloth is made of integers and exact floats: the same bytes on every
 * machine.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_CLOTH_ARCHIVE_H
#define TESTS_SUPPORT_CLOTH_ARCHIVE_H

#include <stdbool.h>
#include <stdint.h>

/* `side` points each way, >= 2. Fails the test where it cannot be written. */
void cloth_archive_write(const char *path, uint32_t side, uint32_t frames);

/* The same grid anywhere: `place` gives the point in column x and row y. */
typedef void (*cloth_place)(uint32_t side, uint32_t frame, uint32_t x,
                            uint32_t y, float out[3]);
void grid_archive_write(const char *path, uint32_t side, uint32_t frames,
                        cloth_place place);

/* The same with a texture. `at` gives the UVs of the point in column x and row
 * y, which is at `point`, for the quads in column `quad`: where those of two
 * columns have others for a point between them, there is a seam. */
struct grid_texture {
    void (*at)(uint32_t side, uint32_t frame, uint32_t quad, uint32_t x,
               uint32_t y, const float point[3], float out[2]);
    bool is_animated; /* else it is that of frame 0 */
};
void grid_archive_write_textured(const char *path, uint32_t side,
                                 uint32_t frames, cloth_place place,
                                 const struct grid_texture *texture);

#endif
