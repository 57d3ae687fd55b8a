/* check_flipped.h - finds flipped triangles, and faces that another
 * triangulation would have divided without any.
 *
 * A triangle is flipped in a frame if its normal points to the other side than
 * the normal of its face. A cache has one triangulation for all frames. If a
 * face intersects itself in some frame, every triangulation may have a flipped
 * triangle; the cache is then not wrong. Therefore a face with a flipped
 * triangle is only marked in the frames, and judged after the last one.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_CHECK_FLIPPED_H
#define OFFLINE_VERIFY_CHECK_FLIPPED_H

#include <stdbool.h>
#include <stdint.h>

struct check;
struct check_mesh;

/* The faces of a mesh that are examined. */
struct flip_marks {
    uint8_t *is_divided; /* per face: it has several triangles, and no point
                          * twice. Only these are examined */
    uint8_t *is_flipped; /* per face: one of its triangles is flipped in some
                          * frame so far. NULL: the mesh is never visible */
};

/* Before the first frame: find the divided faces of a mesh. check_match calls
 * it. */
void check_flipped_open(struct check *check, struct check_mesh *mesh);

/* In each frame: count the flipped triangles, and mark their faces.
 * check_mesh_frame calls it.
 *
 * points  position of each point in the frame, mesh units */
void check_flipped_frame(struct check *check, const struct check_mesh *mesh,
                         uint32_t frame, const double (*points)[3]);

/* After the last frame: of the marked faces, count those that could be divided
 * into triangles of which none is flipped in any frame. verify.c calls it. */
bool check_flipped(struct check *check, const struct check_mesh *mesh);

#endif
