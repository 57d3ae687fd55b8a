/* bench_meshes.c - what static meshes take that two caches share.
 *
 * Two caches with the same static meshes, 100 of 3,000 vertices or one of
 * 300,000, are opened one after the other on one thread, from a disc without
 * delays. The row has the heap of the first cache, and what the second one adds
 * to it, in KiB.
 */
/* SPDX-License-Identifier: MIT */
#include "base/block_codec.h"
#include "harness.h"
#include "runtime.h"
#include "support/slow_platform.h"
#include "support/synthetic_clip.h"

#include <spindle/spindle.h>
#include <stdio.h>
#include <stdlib.h>

enum { TICK_US = 16667, HEAP_BYTES = 128 << 20 };

static void stop(const char *what)
{
    fprintf(stderr, "bench_meshes: %s\n", what);
    exit(1);
}

static void must(spn_status status, const char *what)
{
    if (status != SPN_OK)
        stop(what);
}

static void open_file(spn_runtime *rt, struct slow_platform *disc,
                      const char *name)
{
    spn_status status = SPN_PENDING;
    spn_cache cache;

    must(spn_cache_open(rt, name, &cache), "spn_cache_open");
    while (status == SPN_PENDING) {
        disc->clock_us += TICK_US;
        spn_update(rt);
        status = spn_cache_get_status(rt, cache, NULL);
    }
    must(status, "spn_cache_get_status");
}

static void run(const char *name, const struct synthetic_options *o)
{
    struct memory_sink file = {0};
    struct slow_platform disc;
    const spn_config config = {.platform = &disc.table,
                               .heap_bytes = HEAP_BYTES};
    struct synthetic_clip clip;
    uint64_t heap[2];
    spn_runtime *rt;
    size_t needed;
    void *memory;

    synthetic_make(&clip, o);
    synthetic_classic(&clip, BLOCK_CODEC_LZ4, 10, &file);
    synthetic_free(&clip);
    slow_platform_init(&disc);
    slow_platform_add(&disc, "0", file.bytes, file.size);
    slow_platform_add(&disc, "1", file.bytes, file.size);
    needed = spn_memory_needed(&config);
    memory = aligned_alloc(64, (needed + 63) / 64 * 64);
    if (!memory)
        stop("no memory");
    must(spn_init(&config, memory, needed, &rt), "spn_init");
    for (uint32_t i = 0; i < 2; i++) {
        open_file(rt, &disc, i ? "1" : "0");
        heap[i] = rt->heap.stats.live_bytes;
    }
    printf("%s,%.0f,%.0f\n", name, (double)heap[0] / 1024,
           (double)(heap[1] - heap[0]) / 1024);
    spn_shutdown(rt);
    free(memory);
    memory_sink_free(&file);
}

int main(void)
{
    const struct synthetic_options many = {.frame_count = 1,
                                           .mesh_count = 100,
                                           .vertices = 3000,
                                           .step = 1,
                                           .is_static = true,
                                           .has_uvs = true};
    const struct synthetic_options large = {.frame_count = 1,
                                            .vertices = 300000,
                                            .is_static = true,
                                            .has_uvs = true};

    printf("name,first_kib,second_kib\n");
    run("many", &many);
    run("large", &large);
    return 0;
}
