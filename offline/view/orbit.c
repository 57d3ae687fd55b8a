/* orbit.c - angles to axes, and axes to a matrix. */
/* SPDX-License-Identifier: MIT */
#include "view/orbit.h"

#include "render/float3.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define PITCH_MAX 1.55f
/* Of the distance between near and far planes, on both sides of the center. */
#define DEPTH_RADII 3.0f
/* The near plane is at least this share of the far plane's distance away. */
#define NEAR_SHARE 0.001f

/* The axes of the camera from the angles. */
static void make_axes(const struct orbit *orbit, struct scene_view *view)
{
    float side = sinf(orbit->yaw) * cosf(orbit->pitch);
    float front = cosf(orbit->yaw) * cosf(orbit->pitch);
    float above = sinf(orbit->pitch);
    bool is_z_up = orbit->up_axis == 'Z';
    const float back[3] = {side, is_z_up ? -front : above,
                           is_z_up ? above : front};
    const float right[3] = {cosf(orbit->yaw), is_z_up ? sinf(orbit->yaw) : 0,
                            is_z_up ? 0 : -sinf(orbit->yaw)};

    memcpy(view->back, back, sizeof back);
    memcpy(view->right, right, sizeof right);
    float3_cross(view->back, view->right, view->up);
}

void orbit_show(struct orbit *orbit, const float box_min[3],
                const float box_max[3], char up_axis, uint32_t width,
                uint32_t height)
{
    struct scene_view view;
    float to_eye[3];
    float radius = 0;

    scene_view_frame(&view, box_min, box_max, up_axis, width, height);
    *orbit = (struct orbit){.up_axis = up_axis == 'Z' ? 'Z' : 'Y'};
    for (int i = 0; i < 3; i++) {
        bool is_valid = box_min[i] <= box_max[i];
        float half = is_valid ? (box_max[i] - box_min[i]) * 0.5f : 0;

        orbit->center[i] = is_valid ? box_min[i] * 0.5f + box_max[i] * 0.5f : 0;
        to_eye[i] = view.eye[i] - orbit->center[i];
        radius += half * half;
    }
    orbit->radius = radius > 0 ? sqrtf(radius) : 1;
    orbit->distance = sqrtf(float3_dot(to_eye, to_eye));
    if (orbit->up_axis == 'Z') {
        orbit->yaw = atan2f(view.back[0], -view.back[1]);
        orbit->pitch = asinf(view.back[2]);
    } else {
        orbit->yaw = atan2f(view.back[0], view.back[2]);
        orbit->pitch = asinf(view.back[1]);
    }
}

void orbit_turn(struct orbit *orbit, float yaw, float pitch)
{
    orbit->yaw = remainderf(orbit->yaw + yaw, 6.2831853f);
    orbit->pitch = fmaxf(-PITCH_MAX, fminf(PITCH_MAX, orbit->pitch + pitch));
}

void orbit_pan(struct orbit *orbit, float right, float up, uint32_t width,
               uint32_t height)
{
    struct scene_view view;
    float unit;

    orbit_camera(orbit, width, height, &view);
    unit = orbit->distance / view.focal * (float)height;
    for (int i = 0; i < 3; i++)
        orbit->center[i] += unit * (right * view.right[i] + up * view.up[i]);
}

void orbit_zoom(struct orbit *orbit, float steps)
{
    float distance = orbit->distance * powf(0.9f, steps);

    orbit->distance =
        fmaxf(orbit->radius * 0.01f, fminf(orbit->radius * 1000.0f, distance));
}

void orbit_camera(const struct orbit *orbit, uint32_t width, uint32_t height,
                  struct scene_view *view)
{
    static const float none[3] = {0, 0, 0};

    /* Only the middle and the focal length, which depend on the size alone. */
    scene_view_frame(view, none, none, orbit->up_axis, width, height);
    make_axes(orbit, view);
    for (int i = 0; i < 3; i++)
        view->eye[i] = orbit->center[i] + view->back[i] * orbit->distance;
}

void orbit_projection(const struct orbit *orbit, uint32_t width,
                      uint32_t height, float matrix[16])
{
    struct scene_view view;
    float far_plane = orbit->distance + DEPTH_RADII * orbit->radius;
    float near_plane = fmaxf(orbit->distance - DEPTH_RADII * orbit->radius,
                             far_plane * NEAR_SHARE);
    float scale[2];

    orbit_camera(orbit, width, height, &view);
    scale[0] = 2 * view.focal / (float)width;
    scale[1] = 2 * view.focal / (float)height;
    for (int i = 0; i < 3; i++) {
        matrix[i] = scale[0] * view.right[i];
        matrix[4 + i] = scale[1] * view.up[i];
        matrix[8 + i] =
            -(far_plane + near_plane) / (far_plane - near_plane) * view.back[i];
        matrix[12 + i] = -view.back[i];
    }
    /* A point's depth along the view is -dot(back, point - eye). */
    matrix[3] = -float3_dot(matrix, view.eye);
    matrix[7] = -float3_dot(matrix + 4, view.eye);
    matrix[11] = -float3_dot(matrix + 8, view.eye) -
                 2 * far_plane * near_plane / (far_plane - near_plane);
    matrix[15] = float3_dot(view.back, view.eye);
}
