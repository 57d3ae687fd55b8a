/* SPDX-License-Identifier: MIT */
#version 330 core
/* overlay.frag - glyphs and boxes from an atlas (overlay.h). */

in vec2 v_atlas;
in vec4 v_color;

uniform sampler2D glyphs;

out vec4 color;

void main()
{
    float cover = texelFetch(glyphs, ivec2(v_atlas), 0).r;

    color = vec4(v_color.rgb, v_color.a * cover);
}
