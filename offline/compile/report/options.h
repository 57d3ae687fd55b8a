/* options.h - the options of a compile.
 *
 * cmd_compile.c fills them from the command line, tests and render in their own
 * code. Begin with compile_options_default: a field of 0 is no default.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_REPORT_OPTIONS_H
#define OFFLINE_COMPILE_REPORT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct compile_stats;

/* Strings belong to the caller and must outlive the compile. */
struct compile_options {
    const char *input;  /* path of the archive */
    const char *output; /* path of the cache */

    /* precision */
    double precision_mm; /* largest quantization step of positions, in the
                          * world; > 0. 0: 16 bits on every axis. Default 1 */
    double velocity_precision_mm; /* the same for velocities, millimetres per
                                   * second; 0: 16 bits. Below 0, the default:
                                   * the velocity that covers precision_mm in
                                   * 1/24 s */
    double unit_metres; /* metres per unit of the archive. Default 1 */
    bool is_unit_given; /* unit_metres comes from the user. Default false */

    /* choice of contents */
    bool keeps_velocities;     /* Default false */
    const char *second_uv_set; /* name of the second texture coordinates; "":
                                * the first by name; NULL: none. Default NULL */
    const char *color_set;     /* name of the colours; NULL: the first by name.
                                * Default NULL */
    bool flip_v; /* store 1 - v in place of the texture coordinate v.
                  * Default false */
    char up; /* 'Z': rotate the scene's y axis to z; 'Y': leave it, its y axis
              * points up; 0: leave it, unknown. Default 0 */
    bool allows_empty; /* compile a scene without a mesh. Default false */
    bool is_strict;    /* refuse where a warning would be printed. Default
                        * false */

    /* encoding */
    uint32_t index_distance;  /* frames from one index frame to the next, where
                               * no mesh is lifted, 1..255. Default 10 */
    uint32_t lifted_distance; /* the same for a cache with lifted meshes, a
                               * power of two. 0: 8 or 16, whichever is smaller.
                               * Default 0 */
    bool no_b_frames; /* predict no frame from other frames. Default false */
    uint32_t codec;   /* enum block_codec_id, of the blocks. Default LZ4 */
    bool is_lifted;  /* lift each mesh (the spindle codec) that becomes smaller.
                      * Default false */
    bool lifts_all;  /* lift every mesh. Default false */
    bool is_fast;    /* use no modes that are slow to decode. Default false */
    bool is_layered; /* number the vertices of lifted meshes in the order of
                      * decoding; false: by first use. Default false */
    bool guesses_all;       /* predict QTangents from decoded positions in every
                       * lifted mesh (encode_tangents.h); false: where it is
                       * smaller. Default false */
    uint32_t orders;        /* ORDER_BITs: byte orders of residuals to try
                       * (encode/classic/search.h). Default: all */
    bool plays_from_memory; /* mark the cache: it plays from memory. Default
                             * false */
    uint32_t jobs; /* threads, >= 1. Default: the machine's processors */
    struct compile_stats *stats; /* filled by the compile; NULL, the default: no
                                  * statistics, which take time */
};

void compile_options_default(struct compile_options *options);

#endif
