/* SPDX-License-Identifier: MIT */
#version 330 core
/* surface.frag - the light of `spindle render` (offline/render/scene_view.c), for each
 * pixel. Both sides of triangles are lit. */

in vec3 v_position;
in vec3 v_normal;
in vec4 v_color;

uniform vec3 eye;
/* The axes of the camera. */
uniform vec3 right;
uniform vec3 up;
uniform vec3 back;
uniform vec3 base; /* linear RGB */
uniform int coloring; /* 0: base; 1: colours of the vertices; 2: normals; 3: base, unlit */

out vec4 color;

void main()
{
    vec3 normal = normalize(v_normal);
    float tint = 1.0;

    if (coloring == 2) {
        color = vec4(normal * 0.5 + 0.5, 1.0);
        return;
    }
    if (coloring == 3) {
        color = vec4(sqrt(base), 1.0);
        return;
    }
    if (!gl_FrontFacing) {
        normal = -normal;
        tint = 0.7;
    }
    vec3 light = normalize(0.7 * back - 0.55 * right + 0.75 * up);
    vec3 middle = normalize(light + normalize(eye - v_position));
    float key = max(dot(normal, light), 0.0);
    float sky = 0.5 + 0.5 * dot(normal, up);
    float shine = pow(max(dot(normal, middle), 0.0), 16.0);
    vec3 surface = coloring == 1 ? v_color.rgb * v_color.rgb : base;
    vec3 linear = surface * tint * (0.14 + 0.26 * sky + 0.85 * key) + 0.05 * shine;

    color = vec4(sqrt(min(linear, 1.0)), 1.0);
}
