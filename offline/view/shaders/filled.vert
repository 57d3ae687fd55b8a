/* SPDX-License-Identifier: MIT */
#version 330 core
/* filled.vert - vertices that spn_node_fill has written as numbers. */

layout(location = 0) in vec3 position;
layout(location = 1) in vec4 normal;
layout(location = 2) in vec4 tangent;
layout(location = 3) in vec2 uv;
layout(location = 4) in vec4 color;

uniform mat4 world;
uniform mat3 normal_matrix;
uniform mat4 projection;

out vec3 v_position;
out vec3 v_normal;
out vec4 v_tangent;
out vec2 v_uv;
out vec4 v_color;

void main()
{
    vec4 place = world * vec4(position, 1.0);

    v_position = place.xyz;
    v_normal = normal_matrix * normal.xyz;
    v_tangent = vec4(mat3(world) * tangent.xyz, tangent.w);
    v_uv = uv;
    v_color = color;
    gl_Position = projection * place;
}
