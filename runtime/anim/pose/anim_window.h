/* anim_window.h - the decoded frames of one segment of a clip.
 *
 * A clip is divided into segments of n frames; the last one may be shorter. n
 * is 16, or 8 or 4 if many tracks move (anim_clip.h: segment_frames). Segment s
 * begins with frame n s. A segment is decoded at once to a window: a row of
 * 16-bit integers for each frame. Poses are sampled from windows. A time
 * between the last frame of a segment and the first frame of the next one needs
 * the windows of both.
 *
 * All tracks of a clip share the order of a row. With R, T, S and F, the counts
 * of rotation, translation, scale and float tracks (anim_tracks.h), a row is
 *
 *   R numbers: x of each rotation track; then R y; then R z
 *   T numbers: x of each translation track; then T y; then T z
 *   S numbers: x of each scale track; then S y; then S z
 *   F numbers: each float track
 *
 * without gaps, so one load takes the same component of eight tracks. Arrays
 * are aligned for int16_t only. ANIM_SLACK_BYTES after the last row are
 * readable. Translations that move too far within a segment for 16 bits (more
 * than about 6 m at usual steps) are in a list and in rows of their own, with
 * 32 bits (`wide`), in the order x of each track, then y, then z.
 *
 * A joint whose rotation and translation are animated takes 12 bytes
 * of a row, 18 with scale; constant and resting parts take none.
 *
 * VALUES. All arithmetic is IEEE single precision, rounded to nearest after
 * each operation: no fused multiply-add, no approximate reciprocals or roots.
 * Operations are done in the order written here, sums from left to right. So
 * scalar code and all instruction sets give the same bits. anim_reference.h is
 * the scalar reference. n is an integer of a row, `step` the step of its track,
 * and (float) the exact conversion of an integer.
 *
 *   float track      v = float_center + (float)n * step
 *   scale            s = 1 + (float)n * step, for x, y and z
 *   translation      t = (float)(256 * base + n) * step, for x, y and z
 *   wide translation t = (float)n * step, for x, y and z
 *
 * `base` is the component's number in the window (below); 256 * base + n,
 * and n of a wide translation, are below 2^24 in magnitude.
 *
 *   rotation         m_k = (float)n_k * step    for k = x, y, z
 *                    r = (m_x * m_x + m_y * m_y) + m_z * m_z
 *                    h = 1 / (1 + r)
 *                    d = ((m_x + m_x) * h, (m_y + m_y) * h, (m_z + m_z) * h,
 *                         (1 - r) * h)
 *                    q = C d
 *
 * (m_x, m_y, m_z) are modified Rodrigues parameters: axis * tan(angle / 4). d
 * is the quaternion x y z w of this rotation, C the track's centre, and C d the
 * product of quaternions: first d rotates a vector, then C. Both have unit
 * length except for rounding. Its components are
 *
 *   q_x = ((C_w * d_x + C_x * d_w) + C_y * d_z) - C_z * d_y
 *   q_y = ((C_w * d_y + C_y * d_w) + C_z * d_x) - C_x * d_z
 *   q_z = ((C_w * d_z + C_z * d_w) + C_x * d_y) - C_y * d_x
 *   q_w = ((C_w * d_w - C_x * d_x) - C_y * d_y) - C_z * d_z
 *
 * BETWEEN FRAMES. Let a be the earlier frame, b the later one, and u in [0, 1)
 * the position between them. u is 0 for step tracks, and for all tracks if b is
 * a cut. If u is 0 the value is that of frame a.
 *
 *   translation, scale, float    v = v_a + (v_b - v_a) * u
 *
 * Rotations are interpolated spherically between d_a and d_b, on the shorter
 * arc except near half turns; the centre is applied to the result:
 *
 *   c = ((d_a,x * d_b,x + d_a,y * d_b,y) + d_a,z * d_b,z) + d_a,w * d_b,w
 *   if c < -1/16, then d_b and c change their signs
 *   d = d_a * W(1 - u, c - 1) + d_b * W(u, c - 1)      for each component
 *   q = C d
 *
 * W(t, x) approximates sin(t A) / sin(A), where cos(A) = 1 + x, by a power
 * series in x whose last term is enlarged to stand for the terms that are left
 * out:
 *
 *   W(t, x) = t * (1 + x * (L + H * x4))      x2 = x * x      x4 = x2 * x2
 *   L = (B_1 + B_2 * x) + (B_3 + B_4 * x) * x2
 *   H = ((B_5 + B_6 * x) + (B_7 + B_8 * x) * x2) + (B_9 + B_10 * x) * x4
 *   P_0 = 1    P_i = P_i-1 * ((t * t) * (1 / (i (2 i + 1))) - i / (2 i + 1))
 *   B_i = P_i for i = 1..9, and B_10 = P_10 * 1.875
 *
 * Two rotations whose angle is close to 180 degrees have arcs of nearly the
 * same length, and rounding could exchange them. So between -1/16 and 1/16
 * (172.8 degrees to both sides) the signs of d_a and d_b say which arc it is.
 * The encoder chooses them: m and -m / r are the same rotation with opposite
 * signs of d.
 *
 * The two quotients are the nearest floats. All tracks of a pose share u, so
 * the coefficients B are computed twice a pose. Against exact slerp the angle
 * differs by at most 1.1e-8 radians for neighbouring frames that are 113
 * degrees apart and 3.2e-6 for 180 degrees, besides float rounding; the length
 * of d differs from 1 by at most 3.1e-8 and 5.4e-6.
 *
 * Sources: H. Schaub and J. Junkins, Analytical Mechanics of Space Systems
 * (modified Rodrigues parameters); D. Eberly, A Fast and Accurate Algorithm for
 * Computing SLERP, 2011 (the series).
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_POSE_ANIM_WINDOW_H
#define SPN_ANIM_POSE_ANIM_WINDOW_H

#include "anim/pose/anim_tracks.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Frames of a segment: a power of two from here to there. */
#define ANIM_SEGMENT_FRAMES_MIN 4u
#define ANIM_SEGMENT_FRAMES_MAX 16u

/* Filled by spn__anim_segment_decode; then only read, by any thread. The arrays
 * are in memory that the caller of spn__anim_window_place gave. */
struct anim_window {
    uint32_t first_frame; /* of the clip; a multiple of n */
    uint32_t frame_count; /* 1..n */
    uint32_t cuts;        /* bit i: the frame first_frame + i is a cut: there is
                           * nothing between it and the frame before */
    int16_t *base;        /* T x, T y, T z: see above */
    int32_t *wide;        /* [frame][3 * number of wide translations] */
    int16_t *rows;        /* [frame][place]: frame_count rows */
};

/* Bytes of memory of a window of this clip, a multiple of 4.
 *
 * segment_frames  n: 1..ANIM_SEGMENT_FRAMES_MAX */
size_t spn__anim_window_bytes(const struct anim_tracks *tracks,
                              uint32_t segment_frames);
/* Place the arrays of a window in `memory`, aligned to 4. */
void spn__anim_window_place(struct anim_window *window,
                            const struct anim_tracks *tracks,
                            uint32_t segment_frames, void *memory);

/* The row of a frame of the window, 0..frame_count - 1. */
static inline const int16_t *anim_window_row(const struct anim_window *window,
                                             const struct anim_tracks *tracks,
                                             uint32_t frame)
{
    return window->rows + (size_t)frame * anim_row_length(tracks);
}

/* The same of wide translations. */
static inline const int32_t *anim_window_wide(const struct anim_window *window,
                                              const struct anim_tracks *tracks,
                                              uint32_t frame)
{
    return window->wide + (size_t)frame * 3 * tracks->wide_translations.count;
}

/* Places in a row: of x of the first track of each kind. */
static inline uint32_t anim_row_translations(const struct anim_tracks *t)
{
    return 3 * t->rotations.count;
}
static inline uint32_t anim_row_scales(const struct anim_tracks *t)
{
    return 3 * (t->rotations.count + t->translations.count);
}
static inline uint32_t anim_row_floats(const struct anim_tracks *t)
{
    return 3 * (t->rotations.count + t->translations.count + t->scales.count);
}

#endif
