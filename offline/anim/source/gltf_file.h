/* gltf_file.h - a glTF file while it is read: its document and its buffers.
 *
 * gltf.c reads the container and calls the other modules in this order:
 * buffers are found when an accessor needs them, accessors when a skin or a
 * channel needs them.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_SOURCE_GLTF_FILE_H
#define OFFLINE_ANIM_SOURCE_GLTF_FILE_H

#include "anim/source/gltf_json.h"
#include "anim/source/motion.h"
#include "host/host.h"

/* The bytes of a buffer: part of the file itself, of another file, or decoded
 * from the document. */
struct gltf_buffer {
    const uint8_t *data; /* NULL: not yet read */
    uint64_t bytes;      /* that the document promises; at least these exist */
    struct host_map map;
};

/* An element of `accessors`, checked, and its numbers when they are decoded. */
struct gltf_accessor {
    bool is_checked;
    bool are_times;       /* checked as times of keys */
    bool are_quaternions; /* checked as rotations at keys */
    bool are_cubic;       /* the same, of a cubic channel */
    bool is_normalized;
    bool is_sparse;
    uint32_t component; /* 5120 ... 5126 */
    uint32_t width;     /* numbers of an element */
    uint32_t count;     /* elements, >= 1 */
    const char *type;   /* "VEC3"; in a table of constants */
    double *values;     /* [count][width]; NULL: not decoded */
};

struct gltf_file {
    struct gltf_source source;
    struct motion *motion;
    struct arena scratch; /* released when the file is read */
    bool is_alone;        /* may not open further files */
    cJSON *json;
    struct gltf_value root;
    const uint8_t *chunk; /* GLB: the binary chunk; NULL: none */
    uint64_t chunk_bytes;
    struct gltf_list buffer_list;
    struct gltf_list view_list;
    struct gltf_list accessor_list;
    struct gltf_list node_list;
    struct gltf_list mesh_list;
    struct gltf_buffer *buffers;
    struct gltf_accessor *accessors;
    uint64_t number_count; /* decoded so far */
};

/* Find bytes of a buffer view: `bytes` from `offset`. `user` is the value that
 * names the view, for refusals. Sets *data. */
bool gltf_view(struct gltf_file *file, const struct gltf_value *user,
               uint32_t view, uint64_t offset, uint64_t bytes,
               const uint8_t **data);
/* Read the distance of a view's elements in bytes, or `packed`. */
bool gltf_view_stride(struct gltf_file *file, uint32_t view, uint64_t packed,
                      uint64_t *stride);
/* Unmap all files of buffers. */
void gltf_close_buffers(struct gltf_file *file);

/* Check the accessor that `user` names, without its data. */
struct gltf_accessor *gltf_accessor(struct gltf_file *file,
                                    const struct gltf_value *user);
/* Decode its numbers, once. Normalized integers become -1..1 or 0..1. `user` as
 * before. */
bool gltf_decode(struct gltf_file *file, const struct gltf_value *user,
                 struct gltf_accessor *accessor);
/* "float", "int8" ... */
const char *gltf_component_name(uint32_t component);

/* Copy the "name" of an object into the motion. Returns NULL: it has none. */
const char *gltf_name(struct gltf_file *file, const struct gltf_value *object);

/* Fill the motion's joints and order, its skins, its clips. */
bool gltf_read_nodes(struct gltf_file *file);
bool gltf_read_skins(struct gltf_file *file);
bool gltf_read_clips(struct gltf_file *file);

#endif
