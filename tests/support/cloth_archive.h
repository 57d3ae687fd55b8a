/* cloth_archive.h - write an archive of a waving cloth with any number of
 * frames.
 *
 * The mesh is a grid of quads; every frame differs from the one before. Values
 * come from integers and exact floats, so the bytes are the same on every
 * machine.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_CLOTH_ARCHIVE_H
#define TESTS_SUPPORT_CLOTH_ARCHIVE_H

#include <stdbool.h>
#include <stdint.h>

/* `side` points in each direction, at least 2. Fails the claim when the file
 * cannot be written. */
void cloth_archive_write(const char *path, uint32_t side, uint32_t frames);

/* The same grid with points of the caller: `place` stores the point in column x
 * and row y. */
typedef void (*cloth_place)(uint32_t side, uint32_t frame, uint32_t x,
                            uint32_t y, float out[3]);
void grid_archive_write(const char *path, uint32_t side, uint32_t frames,
                        cloth_place place);
/* The points of cloth_archive_write. */
void cloth_archive_place(uint32_t side, uint32_t frame, uint32_t x, uint32_t y,
                         float out[3]);

/* The same grid with a texture. `at` stores the UVs of the point in column x
 * and row y, whose position is `point`, for the quads of column `quad`. When
 * two columns of quads get different UVs for a shared point, there is a
 * seam. */
struct grid_texture {
    void (*at)(uint32_t side, uint32_t frame, uint32_t quad, uint32_t x,
               uint32_t y, const float point[3], float out[2]);
    bool is_animated; /* otherwise constant: that of frame 0 */
};
void grid_archive_write_textured(const char *path, uint32_t side,
                                 uint32_t frames, cloth_place place,
                                 const struct grid_texture *texture);

#endif
