/* SPDX-License-Identifier: MIT */
#version 330 core
/* normals.geom - a line along the normal of each vertex. */

layout(points) in;
layout(line_strip, max_vertices = 2) out;

in vec3 v_position[];
in vec3 v_normal[];

uniform mat4 projection;
uniform float normal_length;

void main()
{
    gl_Position = projection * vec4(v_position[0], 1.0);
    EmitVertex();
    gl_Position = projection * vec4(v_position[0] + normal_length * normalize(v_normal[0]), 1.0);
    EmitVertex();
    EndPrimitive();
}
