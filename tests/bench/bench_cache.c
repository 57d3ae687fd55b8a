/* bench_cache.c - decode and fill of a real clip, one thread.
 *
 * The clip is the compiled cache named by SPINDLE_BENCH_CACHE. Without it,
 * large/sail_irr.abc of the test assets is compiled by lz4hc, and by each other
 * codec for a row of its block decoding. Without the assets nothing is
 * measured.
 *
 * Times are means over all frames of the clip, of the least time of each frame
 * over several passes; support/clip_times.h defines a pass and its memcpy. Rows
 * are multiples of the near memcpy, to a buffer that is used again, which is
 * the faster one. One row is the memcpy to each frame's own memory.
 *
 * With SPINDLE_BENCH_ONCE the clip is decoded once by the scalar kernels,
 * without timing, so that instructions.sh can count instructions.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "common/diag.h"
#include "compile/compile.h"
#include "compress/compress.h"
#include "support/bench.h"
#include "support/clip_times.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES = 20 };

/* Least microseconds of each frame. */
struct times {
    double *decode;
    double *fill;
    double *copy;
    double *near_copy;
};

static struct times measure(struct whole_clip *cache,
                            const struct bench_set *set)
{
    const struct times times = {clip_times_new(cache), clip_times_new(cache),
                                clip_times_new(cache), clip_times_new(cache)};
    struct clip_room room;

    clip_room_open(&room, cache);
    for (int pass = 0; pass < PASSES; pass++) {
        /* A pass after decoding or copying to frames' own memory must first
         * write these frames back to memory. Let an additional fill bear
         * that. */
        clip_times_fill(cache, set->cpu, &room, times.fill);
        clip_times_decode(cache, set->cpu, times.decode);
        clip_times_fill(cache, set->cpu, &room, times.fill);
        clip_times_fill(cache, set->cpu, &room, times.fill);
        clip_times_copy_near(cache, &room, times.near_copy);
        clip_times_copy(cache, &room, times.copy);
    }
    clip_room_close(&room);
    return times;
}

static void end_times(const struct times *times)
{
    free(times->decode);
    free(times->fill);
    free(times->copy);
    free(times->near_copy);
}

/* The mean of all index frames, or of all other frames; 0: none. */
static double mean_of_type(const struct whole_clip *cache, const double *least,
                           bool is_index)
{
    uint32_t count = 0;
    double sum = 0;

    for (uint32_t i = 0; i < cache->header.frame_count; i++)
        if ((cache->frames[i].type == CACHE_FRAME_INDEX) == is_index) {
            sum += least[i];
            count++;
        }
    return count > 0 ? sum / count : 0;
}

static void print_times(const struct whole_clip *cache,
                        const struct bench_set *set, const struct times *times)
{
    const size_t bytes = cache->frame_bytes;
    const double copy_us = clip_times_mean(cache, times->near_copy);
    const double decode_us = clip_times_mean(cache, times->decode);
    const double fill_us = clip_times_mean(cache, times->fill);
    const double b_us = mean_of_type(cache, times->decode, false);

    bench_line("clip_memcpy", set->name, bytes, copy_us, copy_us);
    bench_line("clip_memcpy_own", set->name, bytes,
               clip_times_mean(cache, times->copy), copy_us);
    bench_line("clip_decode_index", set->name, bytes,
               mean_of_type(cache, times->decode, true), copy_us);
    if (b_us > 0)
        bench_line("clip_decode_b", set->name, bytes, b_us, copy_us);
    bench_line("clip_decode", set->name, bytes, decode_us, copy_us);
    bench_line("clip_fill", set->name, bytes, fill_us, copy_us);
    bench_line("clip_decode_and_fill", set->name, bytes, decode_us + fill_us,
               copy_us);
}

/* The path of the clip by this codec, or NULL. */
static const char *compile_clip(const char *codec, char *path,
                                size_t path_bytes)
{
    struct compile_options options;
    struct compile_report report;
    struct diag diag;
    char input[2048];
    double start;
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
    start = bench_cpu_us();
    is_compiled = compile_run(&options, &diag, NULL, NULL, &report);
    diag_finish(&diag);
    if (!is_compiled)
        return NULL;
    fprintf(stderr,
            "bench_cache: %s: %.0f bytes a frame, compiled in %.1f s of the "
            "processor by one job\n",
            codec, (double)report.frames_bytes / report.frame_count,
            (bench_cpu_us() - start) / 1e6);
    return path;
}

/* The path of a cache to measure, or NULL. */
static const char *find_cache(char *path, size_t path_bytes)
{
    const char *given = getenv("SPINDLE_BENCH_CACHE");

    return given != NULL ? given : compile_clip("lz4hc", path, path_bytes);
}

/* One row: decoding of the clip by another codec. */
static void measure_codec(const char *codec, const struct bench_set *set)
{
    struct whole_clip cache;
    struct times times;
    char path[2048];
    char name[64];

    if (compile_clip(codec, path, sizeof path) == NULL)
        exit(70);
    whole_clip_open(&cache, path);
    times = measure(&cache, set);
    snprintf(name, sizeof name, "clip_decode_%s", codec);
    bench_line(name, set->name, cache.frame_bytes,
               clip_times_mean(&cache, times.decode),
               clip_times_mean(&cache, times.near_copy));
    end_times(&times);
    whole_clip_close(&cache);
}

static void decode_once(struct whole_clip *cache)
{
    double *least = clip_times_new(cache);

    clip_times_decode(cache, 0, least);
    free(least);
}

int main(void)
{
    struct whole_clip cache;
    struct bench_set sets[BENCH_SETS_MAX];
    const int set_count = bench_sets(sets);
    char buffer[2048];
    const char *path = find_cache(buffer, sizeof buffer);

    if (path == NULL) {
        fprintf(stderr, "bench_cache: no clip; set SPINDLE_BENCH_CACHE\n");
        return 0;
    }
    whole_clip_open(&cache, path);
    if (getenv("SPINDLE_BENCH_ONCE")) {
        decode_once(&cache);
        whole_clip_close(&cache);
        return 0;
    }
    fprintf(stderr, "bench_cache: %u frames, %llu vertices, %u bytes animate\n",
            cache.header.frame_count, (unsigned long long)cache.vertex_count,
            cache.frame_bytes);
    bench_head();
    for (int i = 0; i < set_count; i++) {
        const struct times times = measure(&cache, sets + i);

        print_times(&cache, sets + i, &times);
        end_times(&times);
    }
    whole_clip_close(&cache);
    if (path == buffer) {
        for (int i = 0; i < set_count; i++)
            measure_codec("spindle", sets + i);
        measure_codec("store", sets + set_count - 1);
        measure_codec("deflate", sets + set_count - 1);
        measure_codec("zstd", sets + set_count - 1);
    }
    return 0;
}
