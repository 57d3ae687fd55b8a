/* codec_line.c - print a line of the table of codecs. */
/* SPDX-License-Identifier: MIT */
#include "support/codec_line.h"

#include <stdio.h>

enum { ENCODED_VERTICES = 30000 };

static double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

static void print_number(double number, int decimals)
{
    if (number > 0 || number < 0)
        printf(",%.*f", decimals, number);
    else
        printf(",");
}

void codec_line_head(void)
{
    static const char *const columns[] = {
        "us",           "entropy_us",   "predict_us", "fill_us", "memcpys",
        "near_memcpys", "fill_memcpys", "x_lz4hc",    "MB/s"};
    struct bench_set sets[BENCH_SETS_MAX];
    const int set_count = bench_sets(sets);

    printf("asset,mm,codec,bytes,position,qtangent,uv,nodes,rest,bits/vertex,"
           "entropy,static,encode_ms,encode_ms_30k,compile_ms,2workers_us,"
           "memcpy_us,memcpy_near_us");
    for (int s = 0; s < set_count; s++)
        for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
            printf(",%s_%s", sets[s].name, columns[i]);
    printf("\n");
}

static void print_set(const struct codec_table *table,
                      const struct codec_line *line, int s)
{
    const double us = line->decode_us[s];

    print_number(us, 1);
    print_number(line->entropy_us[s], 1);
    print_number(line->predict_us[s], 1);
    print_number(line->fill_us[s], 1);
    print_number(ratio(us, line->copy_us), 2);
    print_number(ratio(us, line->near_copy_us), 2);
    print_number(ratio(line->fill_us[s], line->near_copy_us), 2);
    print_number(ratio(us, table->lz4hc_us[s]), 2);
    print_number(ratio(table->frame_bytes, us), 0);
}

void codec_line_print(const struct codec_table *table,
                      const struct codec_line *line)
{
    struct bench_set sets[BENCH_SETS_MAX];
    const int set_count = bench_sets(sets);
    const double encode_ms = line->encode_us / 1e3;

    printf("%s,%g,%s", table->asset, table->mm, line->codec);
    print_number(line->bytes, 0);
    print_number(line->channel_bytes[CHANNEL_POSITION], 0);
    print_number(line->channel_bytes[CHANNEL_QTANGENT], 0);
    print_number(line->channel_bytes[CHANNEL_UV], 0);
    print_number(line->node_bytes, 0);
    print_number(line->rest_bytes, 0);
    print_number(8 * ratio(line->vertex_bytes, table->vertices), 2);
    print_number(line->entropy_bytes, 0);
    print_number(line->static_bytes, 0);
    print_number(encode_ms, 1);
    print_number(ENCODED_VERTICES * ratio(encode_ms, table->vertices), 1);
    print_number(line->compile_us / 1e3, 1);
    print_number(line->pair_us, 1);
    print_number(line->copy_us, 1);
    print_number(line->near_copy_us, 1);
    for (int s = 0; s < set_count; s++)
        print_set(table, line, s);
    printf("\n");
    fflush(stdout);
}
