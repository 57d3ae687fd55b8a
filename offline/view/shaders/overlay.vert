/* SPDX-License-Identifier: MIT */
#version 330 core
/* overlay.vert - positions in pixels from the upper left corner. */

layout(location = 0) in vec2 position;
layout(location = 1) in vec2 atlas;
layout(location = 2) in vec4 color;

uniform vec2 size; /* of the picture, pixels */

out vec2 v_atlas;
out vec4 v_color;

void main()
{
    v_atlas = atlas;
    v_color = color;
    gl_Position = vec4(position.x / size.x * 2.0 - 1.0, 1.0 - position.y / size.y * 2.0, 0.0, 1.0);
}
