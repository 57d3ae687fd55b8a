/* scene_view.c - places the camera and shades vertices.
 *
 * Uses only addition, multiplication, division and square root, so that
 * pictures are the same on every machine. The light is a key light from behind
 * and left of the camera, an ambient light that is brighter from above, and a
 * weak specular highlight.
 */
/* SPDX-License-Identifier: MIT */
#include "render/scene_view.h"

#include "render/float3.h"

#include <math.h>
#include <string.h>

/* tan(18 degrees): the longer side of the picture shows 36 degrees. */
#define HALF_VIEW 0.3249f
#define MARGIN 1.06f

static void normalize(float v[3])
{
    float length = sqrtf(float3_dot(v, v));

    for (int i = 0; i < 3 && length > 0; i++)
        v[i] /= length;
}

/* The distance from the box's centre at which the camera sees one corner. */
static float distance_for(const struct scene_view *view, const float corner[3],
                          const float half[2])
{
    float x = fabsf(float3_dot(corner, view->right)) / half[0];
    float y = fabsf(float3_dot(corner, view->up)) / half[1];

    return float3_dot(corner, view->back) + (x > y ? x : y);
}

void scene_view_frame(struct scene_view *view, const float box_min[3],
                      const float box_max[3], char up_axis, uint32_t width,
                      uint32_t height)
{
    float direction[3] = {0.45f, 0.32f, 1.0f};
    float world_up[3] = {0, 1, 0};
    float longer = (float)(width > height ? width : height);
    float half[2] = {HALF_VIEW * (float)width / longer,
                     HALF_VIEW * (float)height / longer};
    float center[3] = {0, 0, 0};
    float extent[3] = {0, 0, 0};
    float distance = 0;

    if (up_axis == 'Z') {
        memcpy(direction, (float[3]){0.45f, -1.0f, 0.32f}, sizeof direction);
        memcpy(world_up, (float[3]){0, 0, 1}, sizeof world_up);
    }
    memcpy(view->back, direction, sizeof direction);
    normalize(view->back);
    float3_cross(world_up, view->back, view->right);
    normalize(view->right);
    float3_cross(view->back, view->right, view->up);

    for (int i = 0; i < 3; i++)
        if (box_min[i] <= box_max[i]) {
            center[i] = box_min[i] * 0.5f + box_max[i] * 0.5f;
            extent[i] = box_max[i] * 0.5f - box_min[i] * 0.5f;
        }
    for (int c = 0; c < 8; c++) {
        float corner[3];
        float needed;

        for (int i = 0; i < 3; i++)
            corner[i] = c >> i & 1 ? extent[i] : -extent[i];
        needed = distance_for(view, corner, half);
        distance = needed > distance ? needed : distance;
    }
    distance = distance > 0 ? distance * MARGIN : 1;
    for (int i = 0; i < 3; i++)
        view->eye[i] = center[i] + view->back[i] * distance;
    view->focal = (float)width * 0.5f / half[0];
    view->center_x = (float)width * 0.5f;
    view->center_y = (float)height * 0.5f;
}

/* -- light -- */

void scene_view_tone(uint32_t mesh, float rgb[3])
{
    /* Mesh i uses entry i modulo the number of entries. */
    static const float tones[6][3] = {
        {0.60f, 0.19f, 0.12f}, {0.16f, 0.34f, 0.52f}, {0.58f, 0.45f, 0.20f},
        {0.22f, 0.42f, 0.25f}, {0.42f, 0.25f, 0.45f}, {0.45f, 0.45f, 0.45f}};

    memcpy(rgb, tones[mesh % 6], sizeof tones[0]);
}

static void base_color(const struct surface *s, uint32_t vertex, float rgb[3])
{
    scene_view_tone(s->mesh, rgb);
    for (int c = 0; s->colors && c < 3; c++) {
        float value = (float)s->colors[vertex][c] / 255.0f;

        rgb[c] = value * value;
    }
}

/* Shade a vertex, seen from the side that `normal` points to. */
static void shade(const struct scene_view *view, const float position[3],
                  const float normal[3], const float base[3], float tint,
                  float rgb[3])
{
    float light[3];
    float to_eye[3];
    float middle[3];
    float key;
    float sky;
    float shine;

    for (int i = 0; i < 3; i++) {
        light[i] =
            0.7f * view->back[i] - 0.55f * view->right[i] + 0.75f * view->up[i];
        to_eye[i] = view->eye[i] - position[i];
    }
    normalize(light);
    normalize(to_eye);
    for (int i = 0; i < 3; i++)
        middle[i] = light[i] + to_eye[i];
    normalize(middle);
    key = float3_dot(normal, light);
    key = key > 0 ? key : 0;
    sky = 0.5f + 0.5f * float3_dot(normal, view->up);
    shine = float3_dot(normal, middle);
    shine = shine > 0 ? shine : 0;
    shine *= shine; /* now to the power of 16 */
    shine *= shine;
    shine *= shine;
    shine *= shine;
    for (int c = 0; c < 3; c++) {
        float linear = base[c] * tint * (0.14f + 0.26f * sky + 0.85f * key) +
                       0.05f * shine;

        rgb[c] = 255.0f * sqrtf(linear < 1 ? linear : 1);
    }
}

/* -- drawing -- */

struct seen {
    struct raster_vertex front;
    float back_rgb[3];
};

static void see_vertex(const struct scene_view *view, const struct surface *s,
                       uint32_t i, struct seen *seen)
{
    float offset[3];
    float back_normal[3];
    float base[3];
    float depth;

    for (int c = 0; c < 3; c++) {
        offset[c] = s->positions[i][c] - view->eye[c];
        back_normal[c] = -s->normals[i][c];
    }
    depth = -float3_dot(offset, view->back);
    seen->front.inverse = depth > 0 ? 1 / depth : 0;
    seen->front.x = view->center_x + view->focal *
                                         float3_dot(offset, view->right) *
                                         seen->front.inverse;
    seen->front.y = view->center_y - view->focal *
                                         float3_dot(offset, view->up) *
                                         seen->front.inverse;
    base_color(s, i, base);
    shade(view, s->positions[i], s->normals[i], base, 1, seen->front.rgb);
    shade(view, s->positions[i], back_normal, base, 0.7f, seen->back_rgb);
}

static void draw_triangle(struct raster *raster, const struct seen *a,
                          const struct seen *b, const struct seen *c)
{
    struct raster_vertex v[3] = {a->front, b->front, c->front};
    /* Twice the signed area; y grows downwards, so counter-clockwise is
     * negative. */
    float turn = (v[1].x - v[0].x) * (v[2].y - v[0].y) -
                 (v[1].y - v[0].y) * (v[2].x - v[0].x);

    for (int i = 0; i < 3; i++)
        if (!(v[i].inverse > 0))
            return; /* behind the eye */
    if (turn > 0) {
        memcpy(v[0].rgb, a->back_rgb, sizeof v[0].rgb);
        memcpy(v[1].rgb, b->back_rgb, sizeof v[1].rgb);
        memcpy(v[2].rgb, c->back_rgb, sizeof v[2].rgb);
    }
    raster_triangle(raster, &v[0], &v[1], &v[2]);
}

void scene_view_draw(const struct scene_view *view, struct raster *raster,
                     const struct surface_list *list, struct arena *arena)
{
    for (uint32_t n = 0; n < list->count; n++) {
        const struct surface *s = &list->items[n];
        struct seen *seen = ARENA_NEW(arena, struct seen, s->vertex_count);

        for (uint32_t i = 0; i < s->vertex_count; i++)
            see_vertex(view, s, i, &seen[i]);
        for (uint32_t t = 0; t + 2 < s->index_count; t += 3)
            draw_triangle(raster, &seen[s->indices[t]],
                          &seen[s->indices[t + 1]], &seen[s->indices[t + 2]]);
    }
}
