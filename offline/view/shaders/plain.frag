/* SPDX-License-Identifier: MIT */
#version 330 core
/* plain.frag - one colour. */

uniform vec3 base; /* linear RGB */

out vec4 color;

void main()
{
    color = vec4(sqrt(base), 1.0);
}
