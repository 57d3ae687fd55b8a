/* bench_codecs.c - one table of all codecs: sizes, decode, fill, encode.
 *
 * Rows: each asset at 1 mm and 0.1 mm by spindle (and with --fast-decode), by
 * the classic prediction with LZ4HC, deflate and zstd, raw, and by the vertex
 * codec of meshoptimizer, frame by frame and on differences of frames, with
 * and without zstd. Columns: bytes a frame of each channel that animates, bits
 * a vertex, static bytes, milliseconds a frame of encoding by one job, and
 * microseconds a frame of decoding on each instruction set, of filling with
 * interpolation and of memcpy of the raw frame; then decoding by the last set
 * in memcpys, in times of classic LZ4HC on the same set, and in MB/s out.
 *
 * What is compared is measured in turns, frame by frame, and the least time of
 * each frame counts, so that what else the machine does is in no column alone.
 * Before it the curve of cost by the size of a mesh.
 * Caches as arguments: their decode alone, the first being the measure.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "common/diag.h"
#include "compile/compile.h"
#include "compile/compress.h"
#include "support/bench.h"
#include "support/clip_decoder.h"
#include "support/cloth_archive.h"

#include <meshoptimizer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zstd.h>

enum { PASSES = 9, ROWS_MAX = 8 };

static const spn_vertex_layout packed = {.stride = 24,
                                         .position = {0, SPN_FORMAT_F32X3},
                                         .normal = {12, SPN_FORMAT_SNORM8X4},
                                         .tangent = {16, SPN_FORMAT_SNORM8X4},
                                         .uv = {20, SPN_FORMAT_F16X2}};

/* Least microseconds of each frame. */
struct row {
    const char *name;
    struct clip_decoder cache;
    struct compile_report report;
    double *decode[BENCH_SETS_MAX];
    double *fill;
    double *copy;
    uint8_t *out;
};

/* Of this program's processor time: what waits for others does not count. */
static double now_us(void)
{
    return (double)clock() * (1e6 / CLOCKS_PER_SEC);
}

static void stop(const char *what)
{
    fprintf(stderr, "bench_codecs: %s\n", what);
    exit(1);
}

static double *times_of(const struct row *row)
{
    double *times = calloc(row->cache.header.frame_count, sizeof *times);

    if (!times)
        stop("no memory");
    return times;
}

static void open_row(struct row *row, const char *path)
{
    size_t bytes;

    clip_decoder_open(&row->cache, path);
    for (int s = 0; s < BENCH_SETS_MAX; s++)
        row->decode[s] = times_of(row);
    row->fill = times_of(row);
    row->copy = times_of(row);
    bytes = (size_t)row->cache.vertex_count * packed.stride;
    row->out =
        malloc(bytes > row->cache.frame_bytes ? bytes : row->cache.frame_bytes);
}

static void close_row(struct row *row)
{
    for (int s = 0; s < BENCH_SETS_MAX; s++)
        free(row->decode[s]);
    free(row->fill);
    free(row->copy);
    free(row->out);
    clip_decoder_close(&row->cache);
}

static void keep(double *least, double start)
{
    const double us = now_us() - start;

    *least = *least == 0 || us < *least ? us : *least;
}

static double sum_of(const struct row *row, const double *times)
{
    double sum = 0;

    for (uint32_t f = 0; f < row->cache.header.frame_count; f++)
        sum += times[f];
    return sum / row->cache.header.frame_count;
}

static void decode_pass(struct row *row, const struct bench_set *set, int s)
{
    struct predict_ops predict;

    spn__predict_ops_init(&predict, set->cpu);
    spn__lift_ops_init(&row->cache.lift, set->cpu);
    for (uint32_t i = 0; i < row->cache.header.frame_count; i++) {
        const uint32_t f = row->cache.decode_order[i];
        const double start = now_us();

        clip_decoder_decode(&row->cache, &predict, f);
        keep(&row->decode[s][f], start);
    }
}

static void fill_pass(struct row *row, const struct bench_set *set)
{
    const uint32_t count = row->cache.header.frame_count;
    struct fill_ops fill;

    spn__fill_ops_init(&fill, set->cpu);
    for (uint32_t f = 0; f < count; f++) {
        double start = now_us();

        clip_decoder_fill(&row->cache, &fill, f, f + 1 < count ? f + 1 : f,
                          0.5f, &packed, row->out);
        keep(&row->fill[f], start);
        start = now_us();
        memcpy(row->out, row->cache.data[f], row->cache.frame_bytes);
        keep(&row->copy[f], start);
    }
}

static void measure(struct row *rows, int count)
{
    struct bench_set sets[BENCH_SETS_MAX];
    const int set_count = bench_sets(sets);

    for (int pass = 0; pass < PASSES; pass++) {
        for (int s = 0; s < set_count; s++)
            for (int r = 0; r < count; r++)
                decode_pass(&rows[r], &sets[s], s);
        for (int r = 0; r < count; r++)
            fill_pass(&rows[r], &sets[set_count - 1]);
    }
}

/* ---- the table ----------------------------------------------------------- */

static void print_head(void)
{
    struct bench_set sets[BENCH_SETS_MAX];
    const int set_count = bench_sets(sets);

    printf("asset,mm,codec,position,qtangent,uv,bits/vertex,static,encode_ms");
    for (int s = 0; s < set_count; s++)
        printf(",%s_us", sets[s].name);
    printf(",fill_us,memcpy_us,memcpys,x_lz4hc,MB/s\n");
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

static void print_row(const char *asset, double mm, const struct row *row,
                      double lz4_us)
{
    struct bench_set sets[BENCH_SETS_MAX];
    const int set_count = bench_sets(sets);
    const double copy_us = sum_of(row, row->copy);
    const double us = sum_of(row, row->decode[set_count - 1]);
    double bytes[3];

    bytes[0] = channel_bytes(&row->cache, CHANNEL_POSITION);
    bytes[1] = channel_bytes(&row->cache, CHANNEL_QTANGENT);
    bytes[2] = channel_bytes(&row->cache, CHANNEL_UV);
    printf("%s,%g,%s,%.0f,%.0f,%.0f,%.2f,%llu,%.1f", asset, mm, row->name,
           bytes[0], bytes[1], bytes[2],
           8 * (bytes[0] + bytes[1] + bytes[2]) /
               (double)row->cache.vertex_count,
           (unsigned long long)row->report.static_bytes,
           row->report.seconds * 1e3 / row->cache.header.frame_count);
    for (int s = 0; s < set_count; s++)
        printf(",%.1f", sum_of(row, row->decode[s]));
    printf(",%.1f,%.1f,%.2f,%.2f,%.0f\n", sum_of(row, row->fill), copy_us,
           us / copy_us, us / lz4_us, row->cache.frame_bytes / us);
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

/* Positions and QTangents by meshoptimizer's vertex codec. */
static void print_meshopt(const char *asset, double mm, const struct row *from,
                          bool is_delta)
{
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
    double encode_us = 0;

    for (uint32_t f = 0; f < count; f++) {
        uint16_t *now = (void *)frame[f % 2];
        const uint16_t *before = (void *)frame[(f + 1) % 2];
        const size_t vertices = gather(cache, f, frame[f % 2]);
        double start = now_us();
        double least[2] = {0, 0};
        size_t size[2];

        for (size_t i = 0; i < 8 * vertices; i++)
            source[i] =
                (uint16_t)(is_delta && f > 0 ? now[i] - before[i] : now[i]);
        size[0] =
            meshopt_encodeVertexBuffer(coded, bound, source, vertices, 16);
        encode_us += now_us() - start;
        size[1] = ZSTD_compress(packed_again, ZSTD_compressBound(bound), coded,
                                size[0], 9);
        for (int pass = 0; pass < PASSES; pass++)
            for (int z = 0; z < 2; z++) {
                start = now_us();
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
        printf(
            "%s,%g,meshopt%s%s: bytes a frame %.0f, %.2f bits/vertex, "
            "encode %.1f ms, decode %.1f us, %.2f memcpys\n",
            asset, mm, is_delta ? " of differences" : "", z ? " and zstd" : "",
            bytes[z], 8 * bytes[z] / (double)cache->vertex_count,
            encode_us / 1e3 / count, us[z], us[z] / sum_of(from, from->copy));
    fflush(stdout);
    free(frame[0]);
    free(frame[1]);
    free(source);
    free(coded);
    free(packed_again);
}

/* ---- an asset ------------------------------------------------------------ */

static const char *const codecs[] = {"lz4hc", "deflate", "zstd", "spindle_fast",
                                     "spindle"};
#define CODECS (sizeof codecs / sizeof codecs[0])

static bool compile_row(const char *input, double mm, bool lifts_all,
                        struct row *row)
{
    struct compile_options options;
    struct diag diag;
    char path[2048];
    bool is_good;

    snprintf(path, sizeof path, "%s/row.sgc", test_temp());
    compile_options_default(&options);
    options.input = input;
    options.output = path;
    options.precision_mm = mm;
    options.jobs = 1;
    options.is_lifted = strncmp(row->name, "spindle", 7) == 0;
    options.lifts_all = lifts_all;
    options.is_fast = strcmp(row->name, "spindle_fast") == 0;
    options.codec =
        compressor_named(options.is_lifted ? "lz4hc" : row->name)->id;
    diag_init(&diag);
    is_good = compile_run(&options, &diag, NULL, NULL, &row->report);
    diag_finish(&diag);
    if (is_good)
        open_row(row, path);
    return is_good;
}

static void measure_asset(const char *asset, double mm)
{
    struct row rows[CODECS];
    struct bench_set sets[BENCH_SETS_MAX];
    const int set_count = bench_sets(sets);
    char input[2048];
    double lz4_us;

    snprintf(input, sizeof input, "%s/%s.abc", test_assets(), asset);
    memset(rows, 0, sizeof rows);
    for (size_t r = 0; r < CODECS; r++) {
        rows[r].name = codecs[r];
        if (!compile_row(input, mm, false, &rows[r]))
            stop(input);
    }
    measure(rows, CODECS);
    lz4_us = sum_of(&rows[0], rows[0].decode[set_count - 1]);
    for (size_t r = 0; r < CODECS; r++)
        print_row(asset, mm, &rows[r], lz4_us);
    print_meshopt(asset, mm, &rows[0], false);
    print_meshopt(asset, mm, &rows[0], true);
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

    printf("vertices,lz4hc_ns,spindle_fast_ns\n");
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        static const char *const names[] = {"lz4hc", "spindle_fast"};

        snprintf(input, sizeof input, "%s/cloth.abc", test_temp());
        cloth_archive_write(input, sides[i], 9);
        printf("%u", sides[i] * sides[i]);
        for (size_t k = 0; k < 2; k++) {
            struct row row = {.name = names[k]};

            if (!compile_row(input, 1, true, &row))
                stop(input);
            for (int pass = 0; pass < PASSES; pass++)
                decode_pass(&row, &sets[last], last);
            printf(",%.2f", sum_of(&row, row.decode[last]) * 1e3 /
                                (double)row.cache.vertex_count);
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
        for (int s = 0; s < set_count; s++)
            printf(" %s %.2f ns (%.2f x)", sets[s].name,
                   sum_of(&rows[r], rows[r].decode[s]) * 1e3 / vertices,
                   sum_of(&rows[r], rows[r].decode[s]) /
                       sum_of(&rows[0], rows[0].decode[s]));
        printf(", %.2f memcpys\n",
               sum_of(&rows[r], rows[r].decode[set_count - 1]) /
                   sum_of(&rows[r], rows[r].copy));
    }
    for (int r = 0; r < count; r++)
        close_row(&rows[r]);
    free(rows);
    return 0;
}

int main(int argc, char **argv)
{
    static const char *const assets[] = {"large/sail_irr", "large/sail-60",
                                         "synthetic/character",
                                         "synthetic/rigid-debris"};

    if (argc > 1)
        return measure_caches(argc - 1, argv + 1);
    measure_curve();
    if (!test_assets())
        return 0;
    print_head();
    for (size_t i = 0; i < sizeof assets / sizeof assets[0]; i++) {
        measure_asset(assets[i], 1);
        measure_asset(assets[i], 0.1);
    }
    return 0;
}
