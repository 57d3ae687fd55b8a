/* bench_one_pass.c - fill a part immediately after decoding it, or later.
 *
 * Each frame of a clip is decoded and filled to its own vertex buffer at its
 * own time, as spn_frame_buffers does. One pass: each part is filled while it
 * is in the near caches. Two passes: all frames are decoded, then filled in
 * playback order. One row each for large/sail_irr.abc at 1 mm (without the
 * assets a made cloth) by lz4hc, and by spindle with vertices numbered by first
 * use or by layers. Microseconds of a frame, the least of several passes, and
 * the ratio of one pass to two.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "common/diag.h"
#include "compile/compile.h"
#include "support/bench.h"
#include "support/clip_times.h"
#include "support/cloth_archive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES = 12 };

static void stop(const char *what)
{
    fprintf(stderr, "bench_one_pass: %s\n", what);
    exit(1);
}

struct codec {
    const char *name;
    bool is_lifted;
    bool is_layered;
};

static void compile(const char *input, const struct codec *codec,
                    char path[2048])
{
    struct compile_options options;
    struct compile_report report;
    struct diag diag;

    snprintf(path, 2048, "%s/clip.sgc", test_temp());
    compile_options_default(&options);
    options.input = input;
    options.output = path;
    options.is_lifted = codec->is_lifted;
    options.is_layered = codec->is_layered;
    options.is_fast = true;
    diag_init(&diag);
    diag.is_quiet = true;
    if (!compile_run(&options, &diag, NULL, NULL, &report))
        stop(input);
    diag_finish(&diag);
}

/* Vertex buffers of all frames, touched so that the system has mapped their
 * memory. */
static uint8_t **get_buffers(const struct whole_clip *cache)
{
    const size_t bytes = cache->vertex_count * clip_vertex_layout.stride;
    uint8_t **buffers = calloc(cache->header.frame_count, sizeof *buffers);

    for (uint32_t f = 0; f < cache->header.frame_count; f++) {
        buffers[f] = malloc(bytes);
        if (!buffers[f])
            stop("no memory");
        memset(buffers[f], 1, bytes);
    }
    return buffers;
}

static void measure(const char *codec, struct whole_clip *cache,
                    const struct bench_set *set)
{
    const uint32_t count = cache->header.frame_count;
    double *decode = clip_times_new(cache);
    double *fill = clip_times_new(cache);
    double *both = clip_times_new(cache);
    uint8_t **buffers = get_buffers(cache);
    struct fill_ops ops;
    double two_us;
    double one_us;

    spn__fill_ops_init(&ops, set->cpu);
    whole_clip_use(cache, set->cpu);
    for (int pass = 0; pass < PASSES; pass++) {
        clip_times_decode(cache, set->cpu, decode);
        for (uint32_t f = 0; f < count; f++) {
            const double start = bench_cpu_us();

            whole_clip_fill(cache, &ops, f, f, 0, &clip_vertex_layout,
                            buffers[f]);
            clip_times_keep(&fill[f], start);
        }
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t f = cache->decode_order[i];
            const double start = bench_cpu_us();

            whole_clip_decode_and_fill(cache, f, &ops, &clip_vertex_layout,
                                       buffers[f]);
            clip_times_keep(&both[f], start);
        }
    }
    two_us = clip_times_mean(cache, decode) + clip_times_mean(cache, fill);
    one_us = clip_times_mean(cache, both);
    printf("%s/%s,%.1f,%.1f,%.1f,%.2f\n", codec, set->name,
           clip_times_mean(cache, decode), clip_times_mean(cache, fill), one_us,
           one_us / two_us);
    fflush(stdout);
    for (uint32_t f = 0; f < count; f++)
        free(buffers[f]);
    free(buffers);
    free(decode);
    free(fill);
    free(both);
}

int main(void)
{
    static const struct codec codecs[] = {{"lz4hc", false, false},
                                          {"spindle", true, false},
                                          {"spindle_layers", true, true}};
    struct bench_set sets[BENCH_SETS_MAX];
    const int set_count = bench_sets(sets);
    char input[2048];
    char path[2048];

    if (test_assets()) {
        snprintf(input, sizeof input, "%s/large/sail_irr.abc", test_assets());
    } else {
        snprintf(input, sizeof input, "%s/cloth.abc", test_temp());
        cloth_archive_write(input, 174, 41);
    }
    printf("codec,decode_us,fill_us,one_pass_us,of_two\n");
    for (size_t k = 0; k < sizeof codecs / sizeof codecs[0]; k++) {
        compile(input, &codecs[k], path);
        for (int s = 0; s < set_count; s++) {
            struct whole_clip cache;

            whole_clip_open(&cache, path);
            measure(codecs[k].name, &cache, &sets[s]);
            whole_clip_close(&cache);
        }
    }
    return 0;
}
