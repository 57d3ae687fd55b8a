/* codec_line.h - a line of the table of codecs.
 *
 * All numbers are of a frame, in bytes and microseconds. What is 0, or follows
 * from what is 0, is not there: its field is empty.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_CODEC_LINE_H
#define TESTS_SUPPORT_CODEC_LINE_H

#include "codec/channel.h"
#include "support/bench.h"

/* What the lines of an asset have in common. */
struct codec_table {
    const char *asset;
    double mm;
    double vertices;                 /* of all meshes; 0: none animates */
    double frame_bytes;              /* raw */
    double lz4hc_us[BENCH_SETS_MAX]; /* to decode by classic LZ4HC */
};

struct codec_line {
    const char *codec;
    double bytes;
    double channel_bytes[CHANNEL_COUNT];
    double node_bytes;
    double rest_bytes;
    double vertex_bytes; /* of all channels that vertices are counted with */
    double entropy_bytes;
    double static_bytes; /* of the file */
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

/* One line each, to stdout: names, numbers. */
void codec_line_head(void);
void codec_line_print(const struct codec_table *table,
                      const struct codec_line *line);

#endif
