/* bench_lift.c - sizes and times of the lifting codec on real clips.
 *
 * For each archive (an argument, or some of the assets) and each part size
 * (65,536: the whole mesh): bytes of a frame of each channel, bits of a vertex,
 * and the entropy of the residuals (each component alone, the limit of a coder
 * without context). Then, for each instruction set, nanoseconds of a vertex of
 * entropy decoding and of all decoding, beside a memcpy of the same bytes. All
 * decoded values are compared with the originals.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/bench.h"
#include "support/lift_rig.h"
#include "support/whole_clip.h"

#include "abc/archive.h"
#include "base/checksum.h"
#include "common/diag.h"
#include "compile/clip/clip.h"
#include "compile/compile.h"
#include "compile/encode/lift/lift_pyramid.h"
#include "support/pyramid_order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 9
static const char *const channel_name[CHANNEL_COUNT] = {
    "position", "qtangent", "uv", "color", "second_uv", "velocity"};

/* -- input -- */

/* All frames of the mesh with the most vertices. */
static bool load(const char *path, double precision_mm, struct lift_rig *rig)
{
    struct compile_options options;
    struct diag diag;
    struct abc_archive *archive;
    struct clip *clip;
    struct clip_frame before = {0};
    uint32_t m = 0;

    diag_init(&diag);
    compile_options_default(&options);
    options.input = path;
    options.precision_mm = precision_mm;
    archive = abc_open(path, &diag);
    clip = archive ? clip_open(archive, &options) : NULL;
    if (!clip)
        return false;
    for (uint32_t i = 1; i < clip->mesh_count; i++)
        if (clip->meshes[i].vertex_count > clip->meshes[m].vertex_count)
            m = i;
    rig->frame_count = clip->frame_count;
    rig->vertex_count = clip->meshes[m].vertex_count;
    rig->index_count = clip->meshes[m].index_count;
    rig->distance = LIFT_DISTANCE;
    for (int i = 0; i < 3; i++)
        rig->step[i] =
            (double)clip->meshes[m].range[CHANNEL_POSITION].size[i] /
            ((1 << clip->meshes[m].range[CHANNEL_POSITION].bits[i]) - 1);
    {
        uint32_t *indices = ARENA_NEW(rig->arena, uint32_t, rig->index_count);

        memcpy(indices, clip->meshes[m].indices,
               rig->index_count * sizeof *indices);
        rig->indices = indices;
    }
    for (int c = 0; c < CHANNEL_COUNT; c++)
        if (clip->meshes[m].animated_mask & CHANNEL_BIT(c))
            rig->frames[c] = ARENA_NEW(rig->arena, void *, rig->frame_count);
    for (uint32_t f = 0; f < rig->frame_count; f++) {
        struct clip_frame frame;

        if (!clip_frame_produce(clip, f, rig->arena, &frame))
            return false;
        clip_frame_align_signs(clip, f > 0 ? &before : NULL, &frame);
        for (int c = 0; c < CHANNEL_COUNT; c++)
            if (rig->frames[c])
                rig->frames[c][f] = frame.meshes[m].channel[c];
        before = frame;
    }
    clip_close(clip);
    abc_close(archive);
    diag_finish(&diag);
    return rig->frames[CHANNEL_POSITION] != NULL;
}

/* -- decoding -- */

struct decoding {
    const struct lift_rig *rig;
    struct lift_ops ops;
    enum channel channel;
    uint32_t *order;
    void *workspace;
    void ***values; /* by part and frame */
    int16_t *residuals;
    int16_t *fourth;
};

static void stop(const char *what)
{
    fprintf(stderr, "bench_lift: %s\n", what);
    exit(1);
}

static void decode_entropy(struct decoding *d, uint32_t number, uint32_t frame)
{
    const struct lift_rig_part *part = &d->rig->parts[number];
    const struct lift_payload *payload = &part->payload[d->channel][frame];
    struct lift_prediction prediction;
    struct spn_fault fault;
    size_t used;

    if (spn__lift_head_read(payload->bytes, payload->size,
                            part->hierarchy.level_count, &prediction, &used,
                            &fault) != SPN_OK ||
        spn__residual_decode(
            &d->ops.residual, d->rig->tables[d->channel], payload->bytes + used,
            payload->size - used, part->vertex_count, d->residuals,
            channel_components(d->channel) == 4 ? d->fourth : NULL,
            &fault) != SPN_OK)
        stop(fault.what);
}

static void decode_all(struct decoding *d, uint32_t part, uint32_t frame)
{
    if (lift_rig_decode(d->rig, &d->ops, &d->rig->parts[part], d->channel,
                        frame, d->values[part], d->workspace,
                        d->values[part][frame]) != SPN_OK)
        stop("a payload is refused");
}

/* The sum of the least times of each payload. Interruptions by other programs
 * do not last for all rounds. */
static double least_us(struct decoding *d,
                       void (*step)(struct decoding *d, uint32_t part,
                                    uint32_t frame))
{
    double sum = 0;
    double *best =
        calloc(d->rig->frame_count * (size_t)d->rig->part_count, sizeof *best);

    for (int round = 0; round < ROUNDS; round++)
        for (uint32_t i = 0; i < d->rig->frame_count; i++)
            for (uint32_t p = 0; p < d->rig->part_count; p++) {
                double *least = &best[i * d->rig->part_count + p];
                const double start = bench_now_us();
                double us;

                step(d, p, d->order[i]);
                us = bench_now_us() - start;
                *least = round == 0 || us < *least ? us : *least;
            }
    for (size_t i = 0; i < d->rig->frame_count * (size_t)d->rig->part_count;
         i++)
        sum += best[i];
    free(best);
    return sum;
}

static void compare(const struct decoding *d)
{
    const size_t bytes = channel_vertex_bytes(d->channel);

    for (uint32_t p = 0; p < d->rig->part_count; p++)
        for (uint32_t f = 0; f < d->rig->frame_count; f++)
            if (memcmp(d->values[p][f], d->rig->parts[p].values[d->channel][f],
                       bytes * d->rig->parts[p].vertex_count) != 0)
                stop("decoded values differ");
}

static void copy_all(struct decoding *d, uint32_t part, uint32_t frame)
{
    memcpy(d->workspace, d->values[part][frame],
           channel_vertex_bytes(d->channel) *
               (size_t)d->rig->parts[part].vertex_count);
}

static double ns_per_vertex(const struct lift_rig *rig, double us)
{
    return us * 1e3 / rig->frame_count / rig->vertex_count;
}

static void time_channel(const struct lift_rig *rig, enum channel channel,
                         double total_ns[BENCH_SETS_MAX])
{
    struct decoding d = {.rig = rig, .channel = channel};
    struct bench_set sets[BENCH_SETS_MAX];
    const int set_count = bench_sets(sets);
    const size_t bytes = channel_vertex_bytes(channel);
    struct arena arena;

    arena_init(&arena);
    d.order = ARENA_NEW(&arena, uint32_t, rig->frame_count);
    pyramid_order(rig->frame_count, rig->distance, d.order);
    d.workspace =
        ARENA_NEW(&arena, uint8_t, LIFT_WORKSPACE_BYTES(rig->vertex_count));
    d.residuals =
        ARENA_NEW(&arena, int16_t, 4 * (size_t)(rig->vertex_count + 256));
    d.fourth = ARENA_NEW(&arena, int16_t, (size_t)(rig->vertex_count + 256));
    d.values = ARENA_NEW(&arena, void **, rig->part_count);
    for (uint32_t p = 0; p < rig->part_count; p++) {
        d.values[p] = ARENA_NEW(&arena, void *, rig->frame_count);
        for (uint32_t f = 0; f < rig->frame_count; f++)
            d.values[p][f] =
                ARENA_NEW(&arena, uint8_t, bytes * rig->parts[p].vertex_count);
    }
    for (int s = 0; s < set_count; s++) {
        double entropy_us;
        double all_us;

        spn__lift_ops_init(&d.ops, sets[s].cpu);
        entropy_us = least_us(&d, decode_entropy);
        all_us = least_us(&d, decode_all);
        compare(&d);
        printf("    %-6s entropy %6.2f  all %6.2f ns/vertex\n", sets[s].name,
               ns_per_vertex(rig, entropy_us), ns_per_vertex(rig, all_us));
        total_ns[s] += ns_per_vertex(rig, all_us);
    }
    printf("    memcpy %.2f ns/vertex\n",
           ns_per_vertex(rig, least_us(&d, copy_all)));
    arena_free(&arena);
}

/* -- output -- */

static void report(const struct lift_rig *rig, enum channel channel,
                   double *total)
{
    double bytes = 0;
    double entropy = 0;

    for (uint32_t p = 0; p < rig->part_count; p++)
        for (uint32_t f = 0; f < rig->frame_count; f++) {
            bytes += (double)rig->parts[p].payload[channel][f].size;
            entropy +=
                (double)rig->parts[p].payload[channel][f].entropy_bits / 8;
        }
    bytes /= rig->frame_count;
    entropy /= rig->frame_count;
    printf("  %-8s %8.0f bytes a frame, %5.2f bits a vertex; order-0 entropy "
           "%8.0f (%+.1f %%)\n",
           channel_name[channel], bytes, bytes * 8 / rig->vertex_count, entropy,
           100 * (bytes / entropy - 1));
    *total += bytes;
}

/* -- classic prediction for comparison -- */

static void keep_least(double *least, double us)
{
    *least = *least == 0 || us < *least ? us : *least;
}

/* Decode all frames repeatedly, and add up the least time of each. The time of
 * checksums is excluded, as for payloads, whose checksums are outside. */
static double time_classic(struct whole_clip *cache)
{
    double *best = calloc(cache->header.frame_count, sizeof *best);
    double *sums = calloc(cache->header.frame_count, sizeof *sums);
    volatile uint32_t sink = 0;
    double total = 0;

    for (int round = 0; round < ROUNDS; round++)
        for (uint32_t i = 0; i < cache->header.frame_count; i++) {
            const uint32_t f = cache->decode_order[i];
            const struct cache_frame *frame = &cache->frames[f];
            double start = bench_now_us();

            whole_clip_decode(cache, f);
            keep_least(&best[i], bench_now_us() - start);
            start = bench_now_us();
            sink = sink ^
                   spn__checksum(cache->file + frame->offset, frame->bytes, 0);
            keep_least(&sums[i], bench_now_us() - start);
        }
    for (uint32_t i = 0; i < cache->header.frame_count; i++)
        total += best[i] - sums[i];
    free(best);
    free(sums);
    return total;
}

static void measure_classic(const char *path, double precision_mm)
{
    struct bench_set sets[BENCH_SETS_MAX];
    const int set_count = bench_sets(sets);
    struct compile_options options;
    struct compile_report report;
    struct whole_clip cache;
    struct diag diag;
    char name[2048];

    (void)snprintf(name, sizeof name, "%s/classic.sgc", test_temp());
    diag_init(&diag);
    compile_options_default(&options);
    options.input = path;
    options.output = name;
    options.precision_mm = precision_mm;
    if (!compile_run(&options, &diag, NULL, NULL, &report))
        stop(path);
    diag_finish(&diag);
    whole_clip_open(&cache, name);
    printf("%s: classic with LZ4, %.0f bytes a frame", path,
           (double)report.frames_bytes / report.frame_count);
    for (int s = 0; s < set_count; s++) {
        whole_clip_use(&cache, sets[s].cpu);
        printf(", %s %.2f", sets[s].name,
               time_classic(&cache) * 1e3 / cache.header.frame_count /
                   (double)cache.vertex_count);
    }
    printf(" ns/vertex\n");
    fflush(stdout);
    whole_clip_close(&cache);
}

static double total_bytes(const struct lift_rig *rig, enum channel channel)
{
    double bytes = 0;

    for (uint32_t p = 0; p < rig->part_count; p++)
        for (uint32_t f = 0; f < rig->frame_count; f++)
            bytes += (double)rig->parts[p].payload[channel][f].size;
    return bytes / rig->frame_count;
}

static void print_total(double bytes, const double *ns, bool is_timed)
{
    struct bench_set sets[BENCH_SETS_MAX];
    const int set_count = bench_sets(sets);

    printf("  total    %8.0f bytes a frame", bytes);
    for (int s = 0; is_timed && s < set_count; s++)
        printf(", %s %.2f", sets[s].name, ns[s]);
    printf("%s\n", is_timed ? " ns/vertex" : "");
}

static void measure(const char *path, double precision_mm, uint32_t part,
                    bool is_timed)
{
    struct arena arena;
    struct lift_rig rig = {.arena = &arena};
    double total_ns[BENCH_SETS_MAX] = {0};
    double qtangent_ns[BENCH_SETS_MAX];
    double tangent_ns[BENCH_SETS_MAX] = {0};
    double total = 0;

    arena_init(&arena);
    if (!load(path, precision_mm, &rig))
        stop(path);
    lift_rig_encode(&rig, part < rig.vertex_count ? part : rig.vertex_count);
    printf("%s: %u vertices, %u frames, %.3g mm, %u parts of %u, %u layers, "
           "encoded in %.1f ms a frame\n",
           path, rig.vertex_count, rig.frame_count, precision_mm,
           rig.part_count, rig.parts[0].vertex_count,
           rig.parts[0].hierarchy.layer_count,
           rig.search_seconds * 1e3 / rig.frame_count);
    for (int c = 0; c < CHANNEL_COUNT; c++) {
        if (!rig.frames[c])
            continue;
        report(&rig, (enum channel)c, &total);
        memcpy(qtangent_ns, total_ns, sizeof qtangent_ns);
        if (is_timed)
            time_channel(&rig, (enum channel)c, total_ns);
        for (int s = 0; c == CHANNEL_QTANGENT && s < BENCH_SETS_MAX; s++)
            tangent_ns[s] = total_ns[s] - qtangent_ns[s];
    }
    print_total(total, total_ns, is_timed);
    if (rig.frames[CHANNEL_QTANGENT] && rig.frames[CHANNEL_POSITION] &&
        rig.parts[0].vertex_count < ONE_RING_WALK_VERTICES_MAX) {
        double by_rings = total_bytes(&rig, CHANNEL_QTANGENT);
        double ns[BENCH_SETS_MAX] = {0};

        total -= by_rings;
        memcpy(ns, tangent_ns, sizeof ns);
        printf("  tangents by positions:\n");
        lift_rig_use_one_rings(&rig);
        report(&rig, CHANNEL_QTANGENT, &total);
        for (int s = 0; s < BENCH_SETS_MAX; s++)
            total_ns[s] -= ns[s];
        if (is_timed)
            time_channel(&rig, CHANNEL_QTANGENT, total_ns);
        print_total(total, total_ns, is_timed);
    }
    fflush(stdout);
    arena_free(&arena);
}

int main(int argc, char **argv)
{
    static const uint32_t parts[] = {65536, 16384, 8192, 4096, 2048};
    static const char *const names[] = {
        "large/sail_irr.abc", "large/sail-60.abc", "synthetic/character.abc"};
    char path[1024];

    /* bench_lift FILE [PRECISION_MM [PART_VERTICES [anything: no times]]] */
    if (argc > 1) {
        if (argc < 5)
            measure_classic(argv[1], argc > 2 ? atof(argv[2]) : 1);
        measure(argv[1], argc > 2 ? atof(argv[2]) : 1,
                argc > 3 ? (uint32_t)atoi(argv[3]) : 8192, argc < 5);
        return 0;
    }
    if (!test_assets())
        return 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", test_assets(), names[i]);
        measure_classic(path, 1);
        for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++)
            measure(path, 1, parts[p], true);
    }
    return 0;
}
