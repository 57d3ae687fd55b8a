/* glb_writer.h - collect arrays of floats and a document, and write a .glb. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_TOOL_GLB_WRITER_H
#define OFFLINE_ANIM_TOOL_GLB_WRITER_H

#include "common/arena.h"
#include "common/diag.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct glb_writer {
    struct arena arena;
    cJSON *json; /* the document; the caller adds to it */
    cJSON *views;
    cJSON *accessors;
    uint8_t *data;
    size_t bytes;
    size_t capacity;
    uint32_t accessor_count;
};

void glb_writer_init(struct glb_writer *writer);
void glb_writer_free(struct glb_writer *writer);

/* Add `count` elements of `width` floats: 1 SCALAR, 3 VEC3, 4 VEC4. With
 * `has_limits` the accessor gets their smallest and largest values, which glTF
 * demands of times and positions. Returns the number of the accessor. */
uint32_t glb_writer_add(struct glb_writer *writer, const float *values,
                        uint32_t count, uint32_t width, bool has_limits);

/* Write the file. Returns false after a refusal: it would have 4 GiB or more,
 * or the output failed. */
bool glb_writer_write(struct glb_writer *writer, const char *path,
                      struct diag *diag);

#endif
