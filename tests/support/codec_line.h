/* codec_line.h - a line of the table of codecs.
 *
 * All numbers are means of a frame, in bytes and microseconds. A value of 0, or
 * one derived from 0, leaves its field empty.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_CODEC_LINE_H
#define TESTS_SUPPORT_CODEC_LINE_H

#include "codec/channel.h"
#include "support/bench.h"

/* Values common to the lines of an asset. */
struct codec_table {
    const char *asset;
    double mm;
    double vertices;                 /* vertices of all meshes; 0: none is
                                      * animated */
    double frame_bytes;              /* raw bytes */
    double lz4hc_us[BENCH_SETS_MAX]; /* time to decode by classic LZ4HC */
};

struct codec_line {
    const char *codec;
    double bytes;
    double channel_bytes[CHANNEL_COUNT];
    double node_bytes;
    double rest_bytes;
    double vertex_bytes; /* bytes of all channels that count as vertex
                          * channels */
    double entropy_bytes;
    double static_bytes; /* static bytes of the file */
    double encode_us;
    double compile_us;
    double pair_us;
    double copy_us;
    double near_copy_us;
    double decode_us[BENCH_SETS_MAX];
    double entropy_us[BENCH_SETS_MAX];
    double predict_us[BENCH_SETS_MAX];
    double fill_us[BENCH_SETS_MAX];
};

/* Print the header or a line to stdout. */
void codec_line_head(void);
void codec_line_print(const struct codec_table *table,
                      const struct codec_line *line);

#endif
