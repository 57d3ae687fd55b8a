/* SPDX-License-Identifier: MIT */
#version 330 core
/* quantized.vert - vertices straight from two stored frames.
 *
 * A vertex shader for engines that use frame buffers (spindle/geom_buffers.h). The
 * runtime writes each frame as it is stored, as integers, once for all nodes that show
 * it; the shader converts the integers and interpolates. The processor fills nothing,
 * and a vertex takes 24 bytes a frame instead of 40 or more a picture.
 *
 * 1. Give the cache this layout, in spn_cache_set_frame_buffers:
 *
 *        static const spn_vertex_layout layout = {
 *            .stride = 24,
 *            .position = {0, SPN_FORMAT_QUANTIZED},
 *            .qtangent = {8, SPN_FORMAT_QUANTIZED},
 *            .uv = {16, SPN_FORMAT_QUANTIZED},
 *            .color = {20, SPN_FORMAT_QUANTIZED},
 *        };
 *
 *    `acquire` maps a vertex buffer for writing, `release` unmaps it if it is mapped, and
 *    returns it to a pool of spn_cache_frame_buffers_needed buffers.
 * 2. For each picture and mesh call spn_node_get_frames. Unmap the buffers of both frames
 *    at their first use. Bind the floor frame to the locations 0 to 3 and the ceil frame
 *    to 4 to 7, each from byte spn_mesh_info.first_vertex * 24 on:
 *
 *        glVertexAttribPointer(0, 3, GL_UNSIGNED_SHORT, GL_FALSE, 24, at + 0);
 *        glVertexAttribPointer(1, 4, GL_SHORT, GL_FALSE, 24, at + 8);
 *        glVertexAttribPointer(2, 2, GL_UNSIGNED_SHORT, GL_FALSE, 24, at + 16);
 *        glVertexAttribPointer(3, 4, GL_UNSIGNED_BYTE, GL_TRUE, 24, at + 20);
 *
 * 3. Set `alpha` to that of spn_node_get_frames, and the ranges to those of spn_mesh_info.
 *
 * 4. Set `world` and `normal_matrix` for each draw; or put a line "#define INSTANCED" behind
 *    that of the version, and bind the matrices of spn_draw_instances to the locations 8 to
 *    10, with a divisor of 1:
 *
 *        for (int row = 0; row < 3; row++)
 *            glVertexAttribPointer(8 + row, 4, GL_FLOAT, GL_FALSE, 48, at + 16 * row);
 *
 * A mesh that never changes (spn_mesh_info.is_animated is 0) is filled once by
 * spn_node_fill with the same layout; its buffer is then floor and ceil, and alpha 0.
 */

/* The floor frame. */
layout(location = 0) in vec3 floor_position;
layout(location = 1) in vec4 floor_qtangent;
layout(location = 2) in vec2 floor_uv;
layout(location = 3) in vec4 floor_color;
/* The ceil frame. */
layout(location = 4) in vec3 ceil_position;
layout(location = 5) in vec4 ceil_qtangent;
layout(location = 6) in vec2 ceil_uv;
layout(location = 7) in vec4 ceil_color;

uniform float alpha; /* position between the frames: spn_frame_pair.alpha */
/* spn_mesh_info: position_min, position_step, uv_min, uv_step. */
uniform vec3 position_min;
uniform vec3 position_step;
uniform vec2 uv_min;
uniform vec2 uv_step;
#ifdef INSTANCED
layout(location = 8) in vec4 world_x; /* rows of the matrix: spn_draw_item.matrix */
layout(location = 9) in vec4 world_y;
layout(location = 10) in vec4 world_z;
#else
uniform mat4 world;         /* from mesh space: spn_node_get_transforms */
uniform mat3 normal_matrix; /* the same for normals: its cofactors */
#endif
uniform mat4 projection; /* from world space */

/* In world space; normal and tangent have any length. */
out vec3 v_position;
out vec3 v_normal;
out vec4 v_tangent; /* w: handedness. bitangent = cross(normal, tangent) * w */
out vec2 v_uv;
out vec4 v_color;

void main()
{
#ifdef INSTANCED
    mat4 world = transpose(mat4(world_x, world_y, world_z, vec4(0.0, 0.0, 0.0, 1.0)));
    mat3 normal_matrix = transpose(mat3(cross(world_y.xyz, world_z.xyz), cross(world_z.xyz, world_x.xyz),
                                        cross(world_x.xyz, world_y.xyz)));
#endif
    /* q and -q are the same rotation: take the shorter way between them. */
    float side = dot(floor_qtangent, ceil_qtangent) < 0.0 ? -1.0 : 1.0;
    vec4 q = normalize(mix(floor_qtangent, side * ceil_qtangent, alpha));
    vec3 position = position_min + position_step * mix(floor_position, ceil_position, alpha);
    vec3 normal = vec3(2.0 * (q.x * q.z + q.y * q.w), 2.0 * (q.y * q.z - q.x * q.w),
                       1.0 - 2.0 * (q.x * q.x + q.y * q.y));
    vec3 tangent = vec3(1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y + q.z * q.w),
                        2.0 * (q.x * q.z - q.y * q.w));
    vec4 place = world * vec4(position, 1.0);

    v_position = place.xyz;
    v_normal = normal_matrix * normal;
    v_tangent = vec4(mat3(world) * tangent, floor_qtangent.w < 0.0 ? -1.0 : 1.0);
    v_uv = uv_min + uv_step * mix(floor_uv, ceil_uv, alpha);
    v_color = mix(floor_color, ceil_color, alpha);
    gl_Position = projection * place;
}
