/* compile_report.h - what a compile counted and measured. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_REPORT_COMPILE_REPORT_H
#define OFFLINE_COMPILE_REPORT_COMPILE_REPORT_H

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

#endif
