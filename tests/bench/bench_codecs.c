/* bench_codecs.c - one table of all codecs: sizes, decode, fill, encode.
 *
 * Rows: each asset at 1 mm and 0.1 mm by spindle (and with --fast-decode), by
 * the classic prediction with LZ4HC, deflate, zstd and no compression, and by
 * the vertex codec of meshoptimizer, frame by frame and on differences of
 * frames, with and without zstd. Columns: bytes a frame, in all and of each
 * channel that animates, bits a vertex, the order-0 entropy of the residuals in
 * bytes a frame (each component by itself), static bytes; milliseconds a frame
 * of encoding by one job, the same for 30,000 vertices, and of the whole
 * compile, which reads, makes normals and tangents and quantizes before; on
 * each instruction set microseconds a frame of decoding, of its entropy
 * decoding and its prediction apart, and of filling with interpolation; those
 * of two threads that decode a copy each, and of memcpy of the raw frame; then,
 * of the last set, decoding and filling in memcpys, decoding in times of
 * classic LZ4HC, and in MB/s out.
 *
 * What is compared is measured in turns, pass by pass, and the least time of
 * each frame counts, so that what else the machine does is in no column alone.
 * A memcpy is one of the raw frame, the quantized frame that was decoded, in a
 * pass over all frames in the order of play, to a destination used again, its
 * source not in the near caches (support/clip_times.h); so are decode and fill.
 * Before the table the curve of cost by the size of a mesh.
 * Caches as arguments: their decode alone, the first being the measure.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "common/diag.h"
#include "common/phases.h"
#include "compile/compile.h"
#include "compile/compress.h"
#include "support/bench.h"
#include "support/bench_surfaces.h"
#include "support/clip_times.h"
#include "support/cloth_archive.h"

#include <math.h>
#include <meshoptimizer.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zstd.h>

enum { PASSES = 9, ROWS_MAX = 8 };

/* Least microseconds of each frame. */
struct row {
    const char *name;
    struct clip_decoder cache;
    struct compile_report report;
    double encode_us;
    double compile_us;
    double *decode[BENCH_SETS_MAX];
    double *entropy[BENCH_SETS_MAX];
    double *fill[BENCH_SETS_MAX];
    double *copy;
    double pair_us; /* a frame of one of two threads */
    uint8_t *out;
};

static void stop(const char *what)
{
    fprintf(stderr, "bench_codecs: %s\n", what);
    exit(1);
}

static void open_row(struct row *row, const char *path)
{
    clip_decoder_open(&row->cache, path);
    for (int s = 0; s < BENCH_SETS_MAX; s++) {
        row->decode[s] = clip_times_new(&row->cache);
        row->entropy[s] = clip_times_new(&row->cache);
        row->fill[s] = clip_times_new(&row->cache);
    }
    row->copy = clip_times_new(&row->cache);
    row->out = clip_times_room(&row->cache);
}

static void close_row(struct row *row)
{
    for (int s = 0; s < BENCH_SETS_MAX; s++) {
        free(row->decode[s]);
        free(row->entropy[s]);
        free(row->fill[s]);
    }
    free(row->copy);
    free(row->out);
    clip_decoder_close(&row->cache);
}

static void keep(double *least, double start)
{
    const double us = bench_cpu_us() - start;

    *least = *least == 0 || us < *least ? us : *least;
}

static double mean_of(const struct row *row, const double *times)
{
    return clip_times_mean(&row->cache, times);
}

/* ---- two threads --------------------------------------------------------- */

struct worker {
    struct clip_decoder cache;
    uint32_t cpu;
};

static void *decode_clip(void *user)
{
    struct worker *worker = user;
    struct predict_ops predict;

    spn__predict_ops_init(&predict, worker->cpu);
    spn__lift_ops_init(&worker->cache.lift, worker->cpu);
    for (uint32_t i = 0; i < worker->cache.header.frame_count; i++)
        clip_decoder_decode(&worker->cache, &predict,
                            worker->cache.decode_order[i]);
    return NULL;
}

/* By the clock on the wall: what they keep each other from counts. */
static double pair_us(const char *path, uint32_t cpu)
{
    struct worker workers[2];
    double least = 0;

    for (int w = 0; w < 2; w++) {
        clip_decoder_open(&workers[w].cache, path);
        workers[w].cpu = cpu;
    }
    for (int pass = 0; pass < PASSES; pass++) {
        const double start = bench_now_us();
        pthread_t other;
        double us;

        if (pthread_create(&other, NULL, decode_clip, &workers[1]) != 0)
            stop("no thread");
        (void)decode_clip(&workers[0]);
        (void)pthread_join(other, NULL);
        us = bench_now_us() - start;
        least = least == 0 || us < least ? us : least;
    }
    least /= 2 * (double)workers[0].cache.header.frame_count;
    for (int w = 0; w < 2; w++)
        clip_decoder_close(&workers[w].cache);
    return least;
}

/* ---- one thread ---------------------------------------------------------- */

static void measure(struct row *rows, int count)
{
    struct bench_set sets[BENCH_SETS_MAX];
    const int set_count = bench_sets(sets);

    for (int pass = 0; pass < PASSES; pass++) {
        for (int s = 0; s < set_count; s++)
            for (int r = 0; r < count; r++)
                clip_times_decode(&rows[r].cache, sets[s].cpu,
                                  rows[r].decode[s]);
        for (int r = 0; r < count; r++) {
            for (int s = 0; s < set_count; s++)
                clip_times_entropy(&rows[r].cache, sets[s].cpu,
                                   rows[r].entropy[s]);
            for (int s = 0; s < set_count; s++)
                clip_times_fill(&rows[r].cache, sets[s].cpu, rows[r].out,
                                rows[r].fill[s]);
            clip_times_copy_near(&rows[r].cache, rows[r].out, rows[r].copy);
        }
    }
}

/* ---- the table ----------------------------------------------------------- */

static void print_head(void)
{
    struct bench_set sets[BENCH_SETS_MAX];
    const int set_count = bench_sets(sets);

    printf("asset,mm,codec,bytes,position,qtangent,uv,bits/vertex,entropy,"
           "static,encode_ms,encode_ms_30k,compile_ms");
    for (int s = 0; s < set_count; s++)
        printf(",%s_us,%s_entropy_us,%s_predict_us,%s_fill_us", sets[s].name,
               sets[s].name, sets[s].name, sets[s].name);
    printf(",2workers_us,memcpy_us,memcpys,fill_memcpys,x_lz4hc,MB/s\n");
}

/* Stored bytes a frame of a channel. */
static double channel_bytes(const struct clip_decoder *cache, uint32_t channel)
{
    double sum = 0;

    for (uint32_t f = 0; f < cache->header.frame_count; f++) {
        const uint8_t *directory = cache->file + cache->frames[f].offset;
        uint32_t at = spn__cache_file_directory_bytes(&cache->header);

        for (uint32_t b = 0; b < cache->header.block_count; b++) {
            const struct cache_block *block = &cache->tables.blocks[b];
            struct cache_block_entry entry;

            spn__cache_file_block_entry(directory, b, at, &entry);
            at += entry.stored_bytes;
            if (block->kind == CACHE_BLOCK_CHANNEL && block->channel == channel)
                sum += entry.stored_bytes;
        }
    }
    return sum / cache->header.frame_count;
}

/* Of the numbers by themselves, in bits. */
static double order_0(const int16_t *numbers, uint32_t stride, uint32_t count)
{
    static uint32_t seen[65536];
    double bits = 0;

    memset(seen, 0, sizeof seen);
    for (uint32_t i = 0; i < count; i++)
        seen[(uint16_t)numbers[(size_t)i * stride]]++;
    for (uint32_t x = 0; x < 65536; x++)
        if (seen[x] > 0)
            bits += seen[x] * log2((double)count / seen[x]);
    return bits;
}

static void add_entropy(void *user, const struct clip_residuals *r)
{
    double *bytes = user;

    for (uint32_t k = 0; k < r->components; k++)
        *bytes += order_0(r->numbers + k, r->stride, r->count) / 8;
    if (r->fourth)
        *bytes += order_0(r->fourth, 1, r->count) / 8;
}

static double entropy_bytes(struct row *row)
{
    struct predict_ops predict;
    double bytes = 0;

    spn__predict_ops_init(&predict, 0);
    for (uint32_t f = 0; f < row->cache.header.frame_count; f++)
        clip_decoder_residuals(&row->cache, &predict, f, add_entropy, &bytes);
    return bytes / row->cache.header.frame_count;
}

static void print_row(const char *asset, double mm, struct row *row,
                      double lz4_us)
{
    struct bench_set sets[BENCH_SETS_MAX];
    const int set_count = bench_sets(sets);
    const double copy_us = mean_of(row, row->copy);
    const double us = mean_of(row, row->decode[set_count - 1]);
    const double ms = 1e3 * row->cache.header.frame_count;
    const double position = channel_bytes(&row->cache, CHANNEL_POSITION);
    const double qtangent = channel_bytes(&row->cache, CHANNEL_QTANGENT);
    const double uv = channel_bytes(&row->cache, CHANNEL_UV);
    const double bytes = position + qtangent + uv;

    printf("%s,%g,%s,%.0f,%.0f,%.0f,%.0f,%.2f,%.0f,%llu,%.1f,%.1f,%.1f", asset,
           mm, row->name, bytes, position, qtangent, uv,
           8 * bytes / (double)row->cache.vertex_count, entropy_bytes(row),
           (unsigned long long)row->report.static_bytes, row->encode_us / ms,
           row->encode_us / ms * 30000 / (double)row->cache.vertex_count,
           row->compile_us / ms);
    for (int s = 0; s < set_count; s++) {
        const double decode = mean_of(row, row->decode[s]);
        const double entropy = mean_of(row, row->entropy[s]);

        printf(",%.1f,%.1f,%.1f,%.1f", decode, entropy, decode - entropy,
               mean_of(row, row->fill[s]));
    }
    printf(",%.1f,%.1f,%.2f,%.2f,%.2f,%.0f\n", row->pair_us, copy_us,
           us / copy_us, mean_of(row, row->fill[set_count - 1]) / copy_us,
           us / lz4_us, row->cache.frame_bytes / us);
    fflush(stdout);
}

/* ---- other codecs -------------------------------------------------------- */

/* Vertices of a frame as quantized, 16 bytes each, mesh after mesh. */
static size_t gather(const struct clip_decoder *cache, uint32_t frame,
                     uint8_t *out)
{
    size_t first = 0;

    for (uint32_t b = 0; b < cache->header.block_count; b++) {
        const struct cache_block *block = &cache->tables.blocks[b];
        const struct cache_tile *tile = &cache->tables.tiles[block->tile];
        const uint8_t *from = cache->data[frame] + cache->block_offset[b];
        size_t at = 0;
        uint32_t bytes;

        if (block->kind != CACHE_BLOCK_CHANNEL ||
            block->channel > CHANNEL_QTANGENT)
            continue;
        bytes = channel_vertex_bytes((enum channel)block->channel);
        at = block->channel == CHANNEL_POSITION ? 0 : 8;
        for (uint32_t v = 0; v < block->count; v++)
            memcpy(out + 16 * (first + v) + at, from + (size_t)v * bytes,
                   bytes);
        if (block->channel == CHANNEL_QTANGENT ||
            tile->block[CHANNEL_QTANGENT] == CACHE_NONE)
            first += block->count;
    }
    return first;
}

/* What other codecs have no column for is empty. */
static void print_other(const char *asset, double mm, const char *name,
                        const struct row *from, double bytes, double encode_us,
                        double us, double lz4_us)
{
    struct bench_set sets[BENCH_SETS_MAX];
    const int set_count = bench_sets(sets);
    const double vertices = (double)from->cache.vertex_count;
    const double copy_us = mean_of(from, from->copy);

    printf("%s,%g,%s,%.0f,,,,%.2f,,,%.1f,%.1f,", asset, mm, name, bytes,
           8 * bytes / vertices, encode_us / 1e3,
           encode_us / 1e3 * 30000 / vertices);
    for (int s = 0; s < set_count - 1; s++)
        printf(",,,,");
    printf(",%.1f,,,,,%.1f,%.2f,,%.2f,%.0f\n", us, copy_us, us / copy_us,
           us / lz4_us, from->cache.frame_bytes / us);
    fflush(stdout);
}

/* Positions and QTangents by meshoptimizer's vertex codec. */
static void print_meshopt(const char *asset, double mm, const struct row *from,
                          double lz4_us, bool is_delta)
{
    static const char *const names[2][2] = {
        {"meshopt", "meshopt+zstd"}, {"meshopt_delta", "meshopt_delta+zstd"}};
    const struct clip_decoder *cache = &from->cache;
    const uint32_t count = cache->header.frame_count;
    const size_t room = 16 * (size_t)cache->vertex_count;
    uint8_t *frame[2] = {calloc(1, room), calloc(1, room)};
    uint16_t *source = calloc(1, room);
    const size_t bound =
        meshopt_encodeVertexBufferBound((size_t)cache->vertex_count, 16);
    uint8_t *coded = malloc(bound);
    uint8_t *packed_again = malloc(ZSTD_compressBound(bound));
    double bytes[2] = {0, 0};
    double us[2] = {0, 0};
    double encode_us[2] = {0, 0};

    for (uint32_t f = 0; f < count; f++) {
        uint16_t *now = (void *)frame[f % 2];
        const uint16_t *before = (void *)frame[(f + 1) % 2];
        const size_t vertices = gather(cache, f, frame[f % 2]);
        double start = bench_cpu_us();
        double least[2] = {0, 0};
        size_t size[2];

        for (size_t i = 0; i < 8 * vertices; i++)
            source[i] =
                (uint16_t)(is_delta && f > 0 ? now[i] - before[i] : now[i]);
        size[0] =
            meshopt_encodeVertexBuffer(coded, bound, source, vertices, 16);
        encode_us[0] += (bench_cpu_us() - start) / count;
        size[1] = ZSTD_compress(packed_again, ZSTD_compressBound(bound), coded,
                                size[0], 9);
        encode_us[1] += (bench_cpu_us() - start) / count;
        for (int pass = 0; pass < PASSES; pass++)
            for (int z = 0; z < 2; z++) {
                start = bench_cpu_us();
                if (z)
                    (void)ZSTD_decompress(coded, bound, packed_again, size[1]);
                if (meshopt_decodeVertexBuffer(source, vertices, 16, coded,
                                               size[0]) != 0)
                    stop("meshoptimizer");
                for (size_t i = 0; is_delta && f > 0 && i < 8 * vertices; i++)
                    source[i] = (uint16_t)(source[i] + before[i]);
                keep(&least[z], start);
            }
        if (memcmp(source, now, 16 * vertices) != 0)
            stop("meshoptimizer differs");
        for (int z = 0; z < 2; z++) {
            bytes[z] += (double)size[z] / count;
            us[z] += least[z] / count;
        }
    }
    for (int z = 0; z < 2; z++)
        print_other(asset, mm, names[is_delta][z], from, bytes[z], encode_us[z],
                    us[z], lz4_us);
    free(frame[0]);
    free(frame[1]);
    free(source);
    free(coded);
    free(packed_again);
}

/* ---- an asset ------------------------------------------------------------ */

static const char *const codecs[] = {"lz4hc", "store",        "deflate",
                                     "zstd",  "spindle_fast", "spindle"};
#define CODECS (sizeof codecs / sizeof codecs[0])

static bool compile_row(const char *input, double unit_metres, double mm,
                        bool lifts_all, struct row *row)
{
    struct bench_set sets[BENCH_SETS_MAX];
    const int last = bench_sets(sets) - 1;
    struct compile_options options;
    struct diag diag;
    char path[2048];
    struct phases phases;
    double start;
    bool is_good;

    snprintf(path, sizeof path, "%s/row.sgc", test_temp());
    compile_options_default(&options);
    options.input = input;
    options.output = path;
    options.precision_mm = mm;
    options.unit_metres = unit_metres;
    options.jobs = 1;
    options.is_lifted = strncmp(row->name, "spindle", 7) == 0;
    options.lifts_all = lifts_all;
    options.is_fast = strcmp(row->name, "spindle_fast") == 0;
    options.codec =
        compressor_named(options.is_lifted ? "lz4hc" : row->name)->id;
    diag_init(&diag);
    diag.is_quiet = true;
    phases_init(&phases);
    phases_bind(&phases);
    start = bench_cpu_us();
    is_good = compile_run(&options, &diag, NULL, NULL, &row->report);
    row->compile_us = bench_cpu_us() - start;
    phases_bind(NULL);
    row->encode_us = row->compile_us;
    for (enum phase i = PHASE_READ; i <= PHASE_QUANTIZE; i++)
        row->encode_us -= 1e6 * phases_processor_seconds(&phases, i);
    diag_finish(&diag);
    if (is_good) {
        open_row(row, path);
        row->pair_us = pair_us(path, sets[last].cpu);
    }
    return is_good;
}

struct asset {
    const char *name;
    double unit_metres;
    void (*write)(const char *path); /* NULL: it is among the test assets */
};

static void measure_asset(const struct asset *what, double mm)
{
    const char *asset = what->name;
    struct row rows[CODECS];
    struct bench_set sets[BENCH_SETS_MAX];
    const int set_count = bench_sets(sets);
    char input[2048];
    double lz4_us;

    snprintf(input, sizeof input, "%s/%s.abc",
             what->write ? test_temp() : test_assets(), asset);
    if (what->write)
        what->write(input);
    memset(rows, 0, sizeof rows);
    for (size_t r = 0; r < CODECS; r++) {
        rows[r].name = codecs[r];
        if (!compile_row(input, what->unit_metres, mm, false, &rows[r]))
            stop(input);
    }
    measure(rows, CODECS);
    lz4_us = mean_of(&rows[0], rows[0].decode[set_count - 1]);
    for (size_t r = 0; r < CODECS; r++)
        print_row(asset, mm, &rows[r], lz4_us);
    print_meshopt(asset, mm, &rows[0], lz4_us, false);
    print_meshopt(asset, mm, &rows[0], lz4_us, true);
    for (size_t r = 0; r < CODECS; r++)
        close_row(&rows[r]);
}

/* Nanoseconds a vertex by the number of vertices: a waving cloth. */
static void measure_curve(void)
{
    static const uint32_t sides[] = {32, 100, 316, 1000};
    struct bench_set sets[BENCH_SETS_MAX];
    const int last = bench_sets(sets) - 1;
    char input[2048];

    printf("vertices,lz4hc_ns,2workers_ns,spindle_fast_ns,2workers_ns\n");
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        static const char *const names[] = {"lz4hc", "spindle_fast"};

        snprintf(input, sizeof input, "%s/cloth.abc", test_temp());
        cloth_archive_write(input, sides[i], 9);
        printf("%u", sides[i] * sides[i]);
        for (size_t k = 0; k < 2; k++) {
            struct row row = {.name = names[k]};

            if (!compile_row(input, 1, 1, true, &row))
                stop(input);
            for (int pass = 0; pass < PASSES; pass++)
                clip_times_decode(&row.cache, sets[last].cpu, row.decode[last]);
            printf(",%.2f,%.2f",
                   mean_of(&row, row.decode[last]) * 1e3 /
                       (double)row.cache.vertex_count,
                   row.pair_us * 1e3 / (double)row.cache.vertex_count);
            close_row(&row);
        }
        printf("\n");
        fflush(stdout);
    }
}

/* Caches that are there: nanoseconds a vertex. */
static int measure_caches(int count, char **paths)
{
    struct row *rows = calloc((size_t)count, sizeof *rows);
    struct bench_set sets[BENCH_SETS_MAX];
    const int set_count = bench_sets(sets);

    for (int r = 0; r < count; r++)
        open_row(&rows[r], paths[r]);
    measure(rows, count);
    for (int r = 0; r < count; r++) {
        const double vertices = (double)rows[r].cache.vertex_count;

        printf("%s:", paths[r]);
        for (int s = 0; s < set_count; s++) {
            const double us = mean_of(&rows[r], rows[r].decode[s]);

            printf(" %s %.2f ns (%.2f x, %.1f memcpys, fill %.1f)",
                   sets[s].name, us * 1e3 / vertices,
                   us / mean_of(&rows[0], rows[0].decode[s]),
                   us / mean_of(&rows[r], rows[r].copy),
                   mean_of(&rows[r], rows[r].fill[s]) /
                       mean_of(&rows[r], rows[r].copy));
        }
        printf(" memcpy %.2f ns\n",
               mean_of(&rows[r], rows[r].copy) * 1e3 / vertices);
    }
    for (int r = 0; r < count; r++)
        close_row(&rows[r]);
    free(rows);
    return 0;
}

int main(int argc, char **argv)
{
    static const struct asset assets[] = {{"large/sail_irr", 1, NULL},
                                          {"large/sail-60", 1, NULL},
                                          {"synthetic/character", 0.01, NULL},
                                          {"body", 1, bench_body_write},
                                          {"ocean", 1, bench_ocean_write},
                                          {"synthetic/rigid-debris", 1, NULL}};

    if (argc > 1)
        return measure_caches(argc - 1, argv + 1);
    measure_curve();
    print_head();
    for (size_t i = 0; i < sizeof assets / sizeof assets[0]; i++) {
        if (!assets[i].write && !test_assets())
            continue;
        measure_asset(&assets[i], 1);
        measure_asset(&assets[i], 0.1);
    }
    return 0;
}
