/* compile_report.h - the results of a compile.
 *
 * compile_run fills it; cli/compile_summary.h prints it.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_REPORT_COMPILE_REPORT_H
#define OFFLINE_COMPILE_REPORT_COMPILE_REPORT_H

#include <stdint.h>

struct compile_report {
    uint32_t frame_count;
    uint32_t mesh_count;
    uint32_t lifted_mesh_count; /* meshes that the spindle codec encodes */
    uint32_t merged_mesh_count; /* meshes of the archive that are equal to
                                 * others, and not among mesh_count */
    uint32_t node_count;
    uint64_t vertex_count;   /* sum over the meshes */
    uint64_t triangle_count; /* sum over the meshes */
    uint64_t input_bytes;    /* size of the archive */
    uint64_t output_bytes;   /* size of the cache */
    /* parts of output_bytes */
    uint64_t static_bytes;        /* header, tables and static data */
    uint64_t frames_bytes;        /* directories and blocks of all frames */
    uint64_t user_property_count; /* dropped properties under .userProperties */
    uint64_t quantized_bytes_per_frame; /* animated channels, uncompressed */
    double duration_s; /* time of the last frame minus that of the first */
    double seconds;    /* time that the compile took */
};

#endif
