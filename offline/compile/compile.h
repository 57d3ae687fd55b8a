/* compile.h - archive in, cache out; and what was measured on the way. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_COMPILE_H
#define OFFLINE_COMPILE_COMPILE_H

#include "common/diag.h"
#include "compile/options.h"

#include <stdint.h>

struct compile_report {
    uint32_t frame_count;
    uint32_t mesh_count;
    uint32_t lifted_mesh_count; /* by the spindle prediction */
    uint32_t node_count;
    uint64_t vertex_count;
    uint64_t triangle_count;
    uint64_t input_bytes;
    uint64_t output_bytes;
    uint64_t static_bytes;        /* header, frame table, tables, blobs */
    uint64_t frames_bytes;        /* directories and blocks of all frames */
    uint64_t user_property_count; /* left out: all under .userProperties */
    uint64_t quantized_bytes_per_frame; /* animated channels, uncompressed */
    double duration_s; /* of the clip: last frame's time minus first's */
    double seconds;    /* that the compile took */
};

/* `progress` (0..1, rising) is called from one thread at a time; may be NULL.
 * False
 * after a refusal: the output is as it was before. */
bool compile_run(const struct compile_options *options, struct diag *diag,
                 void (*progress)(void *user, double done), void *user,
                 struct compile_report *report);

#endif
