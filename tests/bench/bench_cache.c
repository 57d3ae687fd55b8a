/* bench_cache.c - decode and fill of a real clip, one thread.
 *
 * The clip is the compiled cache that SPINDLE_BENCH_CACHE names. Without it,
 * large/sail_irr.abc of the test assets is compiled first, with the default
 * options, and once more by each further codec: how its blocks decode is a row
 * of its own. Without either, nothing is measured.
 *
 * Times are means over all frames of the clip, of the fastest of several
 * passes; memcpy copies each frame's animated channels, in the same order.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "common/diag.h"
#include "compile/compile.h"
#include "compile/compress.h"
#include "support/bench.h"
#include "support/clip_decoder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES = 20 };

static const spn_vertex_layout packed = {.stride = 24,
                                         .position = {0, SPN_FORMAT_F32X3},
                                         .normal = {12, SPN_FORMAT_SNORM8X4},
                                         .tangent = {16, SPN_FORMAT_SNORM8X4},
                                         .uv = {20, SPN_FORMAT_F16X2}};

struct times {
    double index_us; /* sums of a pass */
    double b_us;
    double fill_us;
    double memcpy_us;
};

static double since(double start)
{
    return bench_now_us() - start;
}

static void keep_best(double *best, double us)
{
    *best = *best == 0 || us < *best ? us : *best;
}

static void run_pass(struct clip_decoder *cache, const struct bench_set *set,
                     uint8_t *out, struct times *best)
{
    const uint32_t count = cache->header.frame_count;
    struct times pass = {0};
    struct predict_ops predict;
    struct fill_ops fill;
    double start;

    spn__predict_ops_init(&predict, set->cpu);
    spn__lift_ops_init(&cache->lift, set->cpu);
    spn__fill_ops_init(&fill, set->cpu);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t frame = cache->decode_order[i];

        start = bench_now_us();
        clip_decoder_decode(cache, &predict, frame);
        if (cache->frames[frame].type == CACHE_FRAME_INDEX)
            pass.index_us += since(start);
        else
            pass.b_us += since(start);
    }
    start = bench_now_us();
    for (uint32_t i = 0; i < count; i++)
        clip_decoder_fill(cache, &fill, i, i + 1 < count ? i + 1 : i, 0.5f,
                          &packed, out);
    pass.fill_us = since(start);
    start = bench_now_us();
    for (uint32_t i = 0; i < count; i++)
        memcpy(out, cache->data[i], cache->frame_bytes);
    pass.memcpy_us = since(start);
    keep_best(&best->index_us, pass.index_us);
    keep_best(&best->b_us, pass.b_us);
    keep_best(&best->fill_us, pass.fill_us);
    keep_best(&best->memcpy_us, pass.memcpy_us);
}

static void print_times(const struct clip_decoder *cache,
                        const struct bench_set *set, const struct times *best)
{
    const size_t bytes = cache->frame_bytes;
    const double count = (double)cache->header.frame_count;
    const double memcpy_us = best->memcpy_us / count;
    uint32_t index_count = 0;

    for (uint32_t i = 0; i < cache->header.frame_count; i++)
        index_count += cache->frames[i].type == CACHE_FRAME_INDEX;
    bench_line("clip_memcpy", set->name, bytes, memcpy_us, memcpy_us);
    bench_line("clip_decode_index", set->name, bytes,
               best->index_us / index_count, memcpy_us);
    if (index_count < cache->header.frame_count)
        bench_line("clip_decode_b", set->name, bytes,
                   best->b_us / (count - index_count), memcpy_us);
    bench_line("clip_decode", set->name, bytes,
               (best->index_us + best->b_us) / count, memcpy_us);
    bench_line("clip_fill", set->name, bytes, best->fill_us / count, memcpy_us);
    bench_line("clip_decode_and_fill", set->name, bytes,
               (best->index_us + best->b_us + best->fill_us) / count,
               memcpy_us);
}

/* The path of the clip by this codec, or NULL. */
static const char *compile_clip(const char *codec, char *path,
                                size_t path_bytes)
{
    struct compile_options options;
    struct compile_report report;
    struct diag diag;
    char input[2048];
    bool is_compiled;

    if (test_assets() == NULL)
        return NULL;
    snprintf(input, sizeof input, "%s/large/sail_irr.abc", test_assets());
    snprintf(path, path_bytes, "%s/%s.sgc", test_temp(), codec);
    compile_options_default(&options);
    options.input = input;
    options.output = path;
    options.is_lifted = strcmp(codec, "spindle") == 0;
    options.codec = compressor_named(options.is_lifted ? "lz4hc" : codec)->id;
    options.jobs = 1;
    diag_init(&diag);
    is_compiled = compile_run(&options, &diag, NULL, NULL, &report);
    diag_finish(&diag);
    if (!is_compiled)
        return NULL;
    fprintf(stderr,
            "bench_cache: %s: %.0f bytes a frame, compiled in %.1f s by one "
            "job\n",
            codec, (double)report.frames_bytes / report.frame_count,
            report.seconds);
    return path;
}

/* A path to measure, or NULL. */
static const char *find_cache(char *path, size_t path_bytes)
{
    const char *given = getenv("SPINDLE_BENCH_CACHE");

    return given != NULL ? given : compile_clip("lz4hc", path, path_bytes);
}

/* One row: the decode of the clip by another codec, with the best set. */
static void measure_codec(const char *codec, const struct bench_set *set,
                          uint8_t *out)
{
    struct clip_decoder cache;
    struct times best = {0};
    char path[2048];
    char name[64];
    double count;

    if (compile_clip(codec, path, sizeof path) == NULL)
        exit(70);
    clip_decoder_open(&cache, path);
    count = (double)cache.header.frame_count;
    for (int pass = 0; pass < PASSES; pass++)
        run_pass(&cache, set, out, &best);
    snprintf(name, sizeof name, "clip_decode_%s", codec);
    bench_line(name, set->name, cache.frame_bytes,
               (best.index_us + best.b_us) / count, best.memcpy_us / count);
    clip_decoder_close(&cache);
}

int main(void)
{
    struct clip_decoder cache;
    struct bench_set sets[BENCH_SETS_MAX];
    const int set_count = bench_sets(sets);
    char buffer[2048];
    const char *path = find_cache(buffer, sizeof buffer);
    size_t out_bytes;
    uint8_t *out;

    if (path == NULL) {
        fprintf(stderr, "bench_cache: no clip; set SPINDLE_BENCH_CACHE\n");
        return 0;
    }
    clip_decoder_open(&cache, path);
    fprintf(stderr, "bench_cache: %u frames, %llu vertices, %u bytes animate\n",
            cache.header.frame_count, (unsigned long long)cache.vertex_count,
            cache.frame_bytes);
    out_bytes = (size_t)cache.vertex_count * packed.stride;
    if (out_bytes < cache.frame_bytes)
        out_bytes = cache.frame_bytes;
    out = malloc(out_bytes);
    if (out == NULL)
        return 70;
    bench_head();
    for (int i = 0; i < set_count; i++) {
        struct times best = {0};

        for (int pass = 0; pass < PASSES; pass++)
            run_pass(&cache, sets + i, out, &best);
        print_times(&cache, sets + i, &best);
    }
    clip_decoder_close(&cache);
    if (path == buffer) {
        for (int i = 0; i < set_count; i++)
            measure_codec("spindle", sets + i, out);
        measure_codec("store", sets + set_count - 1, out);
        measure_codec("deflate", sets + set_count - 1, out);
        measure_codec("zstd", sets + set_count - 1, out);
    }
    free(out);
    return 0;
}
