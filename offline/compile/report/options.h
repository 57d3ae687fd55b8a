/* options.h - what a compile is asked to do. Zero is never a default here:
 * compile_options_default fills in. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_REPORT_OPTIONS_H
#define OFFLINE_COMPILE_REPORT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct compile_stats;

struct compile_options {
    const char *input;
    const char *output;
    double precision_mm;     /* > 0; 0: 16 bits on every axis. Default 1 */
    double unit_metres;      /* metres per unit of the archive. Default 1 */
    bool states_unit;        /* unit_metres was asked for. Default: no */
    uint32_t index_distance; /* 1..255. Default 10 */
    /* The same where meshes are lifted: a power of two. Default 0: 8 or 16, as
     * suits them */
    uint32_t lifted_distance;
    bool no_b_frames;
    uint32_t codec;   /* enum block_codec_id. Default LZ4 */
    bool is_lifted;   /* by the spindle prediction, where that pays */
    bool lifts_all;   /* and where it does not. Default: no */
    bool is_fast;     /* nothing that is slow to decode. Default: no */
    bool is_layered;  /* vertices of lifted meshes are numbered as they are
                       * decoded. Default: no, by first use */
    bool guesses_all; /* QTangents by positions, even where that does not pay.
                       * Default: no */
    uint32_t orders;  /* ORDER_BITs of residuals. Default: all */
    uint32_t jobs;    /* >= 1. Default: the machine's cores */
    double velocity_precision_mm; /* the same of velocities, in millimetres per
                                   * second; below 0: what `precision_mm` is in
                                   * 1/24 s. Default: that */
    bool keeps_velocities;        /* Default: no */
    const char *second_uv_set;    /* the second texture coordinates of this
                                   * name; "": the first by name; NULL: none.
                                   * Default NULL */
    const char *color_set; /* the colours of this name; NULL: the first by
                            * name. Default NULL */
    bool flip_v;
    char up;           /* 'Y' or 'Z': turn the scene; 0: as it is */
    bool allows_empty; /* a scene without a mesh is compiled. Default: no */
    bool is_strict;    /* what would be a warning is a refusal */
    struct compile_stats *stats; /* to be filled; NULL: not wanted */
};

void compile_options_default(struct compile_options *options);

#endif
