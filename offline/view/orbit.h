/* orbit.h - a camera that turns around a point.
 *
 * It begins with the camera of `spindle render` (scene_view.h) for a box. One
 * thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VIEW_ORBIT_H
#define OFFLINE_VIEW_ORBIT_H

#include "render/scene_view.h"

struct orbit {
    char up_axis; /* 'Y' or 'Z' */
    float radius; /* of a sphere around the box, > 0 */
    float center[3];
    float distance; /* of the eye from the center */
    float yaw;      /* radians around the axis that points up */
    float pitch;    /* radians above the horizontal plane */
};

/* Show a box as scene_view_frame does. */
void orbit_show(struct orbit *orbit, const float box_min[3],
                const float box_max[3], char up_axis, uint32_t width,
                uint32_t height);

/* Turn by radians. The pitch stays short of straight up and down. */
void orbit_turn(struct orbit *orbit, float yaw, float pitch);

/* Move the center in the plane of a picture of this size, in heights of the
 * picture: right and up. */
void orbit_pan(struct orbit *orbit, float right, float up, uint32_t width,
               uint32_t height);

/* Come nearer by steps of a tenth of the distance; negative: move away. */
void orbit_zoom(struct orbit *orbit, float steps);

/* The camera for a picture of this size. */
void orbit_camera(const struct orbit *orbit, uint32_t width, uint32_t height,
                  struct scene_view *view);

/* The matrix of the camera for OpenGL: 16 numbers, row by row, for column
 * vectors. All that is within twice the radius of the center lies between its
 * near and far planes. */
void orbit_projection(const struct orbit *orbit, uint32_t width,
                      uint32_t height, float matrix[16]);

#endif
