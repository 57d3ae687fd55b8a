/* bench_codecs.c - one table of all codecs: sizes, decode, fill, encode.
 *
 * Rows, for each asset at 1 mm and at 0.1 mm:
 *
 *   - spindle, and spindle with --fast-decode
 *   - classic prediction with LZ4HC (level 12), deflate (libdeflate, 12), zstd
 *     (19), and without compression (raw)
 *   - where vertices are animated: meshoptimizer's vertex codec (version 0 of
 *     its format) on single frames and on differences of frames, with and
 *     without zstd (level 9: level 19 saves up to 3 % and takes five times as
 *     long)
 *   - memcpy of the raw frame, that is all animated quantized values
 *
 * Records of meshoptimizer are positions, padded from 6 to 8 bytes, and
 * QTangents: 16 bytes for a vertex, 20 with animated UVs
 * (support/clip_meshopt.h). They contain no colours, transforms or directories.
 *
 * Columns, for a frame unless stated otherwise:
 *
 *   - bytes in total (blocks with their headers), of each channel, of
 *     transforms (nodes), and of the rest (colours and directories)
 *   - bits for a vertex, and the order-0 entropy of the residuals in bytes
 *     (each component alone), both of the three vertex channels
 *   - static bytes of the file
 *   - milliseconds of encoding by one job, the same for 30,000 vertices, and
 *     milliseconds of the whole compile, which also reads, computes normals and
 *     tangents, and quantizes; each is the lesser of two runs
 *   - microseconds of two threads that decode a copy each, of memcpy of the raw
 *     frame to its own memory, and of memcpy to memory that is used again
 *     (near)
 *   - for each instruction set: microseconds of decoding, of its entropy
 *     decoding and of its prediction, and of filling with interpolation;
 *     decoding as a multiple of either memcpy, of which the first writes to the
 *     same kind of memory; filling as a multiple of the near memcpy, for the
 *     same reason; decoding as a multiple of classic LZ4HC on the same set;
 *     MB/s of decoded bytes
 *
 * Two threads and meshoptimizer, which selects its kernels itself, use the last
 * set. A field without a value is empty.
 *
 * Compared rows are measured alternately, pass by pass, and the least time of
 * each frame counts, so that other work of the machine affects all of them.
 *
 * Before the table: nanoseconds for a vertex by the size of a mesh, of a waving
 * cloth by LZ4HC and by both spindle codecs, with lifting and tangents by
 * geometry forced (except for --fast-decode). Arguments are caches: then only
 * their decoding is measured, relative to the first.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "common/diag.h"
#include "common/phases.h"
#include "compile/compile.h"
#include "compress/compress.h"
#include "support/bench.h"
#include "support/bench_surfaces.h"
#include "support/clip_meshopt.h"
#include "support/clip_times.h"
#include "support/cloth_archive.h"
#include "support/codec_line.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES = 9, OTHERS = 4, PAIR_BYTES = 1 << 24 };

struct codec {
    const char *name;
    const char *compressor;
    bool is_lifted;
    bool is_fast;
};

/* Least microseconds of each frame. */
struct row {
    const char *name;
    struct whole_clip cache;
    struct compile_report report;
    double encode_us;
    double compile_us;
    double *decode[BENCH_SETS_MAX];
    double *entropy[BENCH_SETS_MAX];
    double *fill[BENCH_SETS_MAX];
    double *copy;
    double *near_copy;
    double pair_us; /* microseconds of a frame on each of two threads */
    struct clip_room room;
};

/* The vertices of the same frames by meshoptimizer. */
struct other {
    char name[32];
    struct clip_meshopt coding;
    double *decode;
};

static void stop(const char *what)
{
    fprintf(stderr, "bench_codecs: %s\n", what);
    exit(1);
}

static void open_row(struct row *row, const char *path)
{
    whole_clip_open(&row->cache, path);
    for (int s = 0; s < BENCH_SETS_MAX; s++) {
        row->decode[s] = clip_times_new(&row->cache);
        row->entropy[s] = clip_times_new(&row->cache);
        row->fill[s] = clip_times_new(&row->cache);
    }
    row->copy = clip_times_new(&row->cache);
    row->near_copy = clip_times_new(&row->cache);
    clip_room_open(&row->room, &row->cache);
}

static void close_row(struct row *row)
{
    for (int s = 0; s < BENCH_SETS_MAX; s++) {
        free(row->decode[s]);
        free(row->entropy[s]);
        free(row->fill[s]);
    }
    free(row->copy);
    free(row->near_copy);
    clip_room_close(&row->room);
    whole_clip_close(&row->cache);
}

static double mean_of(const struct row *row, const double *times)
{
    return clip_times_mean(&row->cache, times);
}

/* -- two threads -- */

struct worker {
    struct whole_clip cache;
    uint32_t cpu;
    uint32_t rounds;
};

static void *decode_clip(void *user)
{
    struct worker *worker = user;

    whole_clip_use(&worker->cache, worker->cpu);
    for (uint32_t round = 0; round < worker->rounds; round++)
        for (uint32_t i = 0; i < worker->cache.header.frame_count; i++)
            whole_clip_decode(&worker->cache, worker->cache.decode_order[i]);
    return NULL;
}

/* Enough rounds that the time of starting a thread does not matter. */
static uint32_t rounds_of(const struct whole_clip *cache)
{
    const uint64_t raw_bytes =
        (uint64_t)cache->header.frame_count * cache->frame_bytes;

    return 1 + (uint32_t)(PAIR_BYTES / (raw_bytes + 1));
}

/* Elapsed time, so that the threads' effect on each other counts. */
static double pair_us(const char *path, uint32_t cpu)
{
    struct worker workers[2];
    double least = 0;

    for (int w = 0; w < 2; w++) {
        whole_clip_open(&workers[w].cache, path);
        workers[w].cpu = cpu;
        workers[w].rounds = rounds_of(&workers[w].cache);
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
    least /= 2.0 * workers[0].rounds * workers[0].cache.header.frame_count;
    for (int w = 0; w < 2; w++)
        whole_clip_close(&workers[w].cache);
    return least;
}

/* -- one thread -- */

/* Rows are measured alternately for each kind of work, and each pass begins
 * with another row: the first row bears the cache state that the work before
 * has left. */
static void measure_set(struct row *rows, size_t count, size_t first,
                        uint32_t cpu, int s)
{
    for (size_t i = 0; i < count; i++) {
        struct row *row = &rows[(first + i) % count];

        clip_times_decode(&row->cache, cpu, row->decode[s]);
    }
    for (size_t i = 0; i < count; i++) {
        struct row *row = &rows[(first + i) % count];

        clip_times_entropy(&row->cache, cpu, row->entropy[s]);
    }
    for (size_t i = 0; i < count; i++) {
        struct row *row = &rows[(first + i) % count];

        clip_times_fill(&row->cache, cpu, &row->room, row->fill[s]);
    }
}

static void measure_copies(struct row *rows, size_t count, size_t first)
{
    for (size_t i = 0; i < count; i++) {
        struct row *row = &rows[(first + i) % count];

        clip_times_copy_near(&row->cache, &row->room, row->near_copy);
    }
    for (size_t i = 0; i < count; i++) {
        struct row *row = &rows[(first + i) % count];

        clip_times_copy(&row->cache, &row->room, row->copy);
    }
}

static void measure(struct row *rows, size_t count, struct other *others,
                    size_t other_count)
{
    struct bench_set sets[BENCH_SETS_MAX];
    const int set_count = bench_sets(sets);

    for (size_t pass = 0; pass < PASSES; pass++) {
        for (int s = 0; s < set_count; s++)
            measure_set(rows, count, pass, sets[s].cpu, s);
        for (size_t i = 0; i < other_count; i++) {
            struct other *other = &others[(pass + i) % other_count];

            clip_meshopt_decode(&other->coding, other->decode);
        }
        measure_copies(rows, count, pass);
    }
}

/* -- bytes -- */

/* Stored bytes of a frame for each kind of block. */
static void count_stored(const struct whole_clip *cache,
                         struct codec_line *line)
{
    const double count = cache->header.frame_count;

    for (uint32_t f = 0; f < cache->header.frame_count; f++) {
        struct frame_decoder frame;
        struct frame_walk walk;

        if (!cache_reader_stored_frame(cache->reader, f, &frame))
            stop("a frame was refused");
        walk = frame_walk_begin(&frame);
        line->bytes += cache->frames[f].bytes / count;
        while (spn__frame_walk_next(&walk)) {
            const struct cache_block *block = &cache->tables.blocks[walk.block];

            if (block->kind == CACHE_BLOCK_NODES)
                line->node_bytes += walk.entry.stored_bytes / count;
            else
                line->channel_bytes[block->channel] +=
                    walk.entry.stored_bytes / count;
        }
    }
}

/* Bytes of each kind of block in a raw frame. */
static void count_raw(const struct whole_clip *cache, struct codec_line *line)
{
    line->bytes = cache->frame_bytes;
    for (uint32_t b = 0; b < cache->header.block_count; b++) {
        const struct cache_block *block = &cache->tables.blocks[b];

        if (block->kind == CACHE_BLOCK_NODES)
            line->node_bytes += block->raw_bytes;
        else
            line->channel_bytes[block->channel] += block->raw_bytes;
    }
}

static void sum_up(struct codec_line *line)
{
    for (int c = CHANNEL_POSITION; c <= CHANNEL_UV; c++)
        line->vertex_bytes += line->channel_bytes[c];
    line->rest_bytes = line->bytes - line->vertex_bytes - line->node_bytes;
}

/* Order-0 entropy of the numbers, in bits. */
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
    double bytes = 0;

    whole_clip_use(&row->cache, 0);
    for (uint32_t f = 0; f < row->cache.header.frame_count; f++)
        whole_clip_residuals(&row->cache, f, add_entropy, &bytes);
    return bytes / row->cache.header.frame_count;
}

/* -- lines -- */

static void print_row(const struct codec_table *table, struct row *row)
{
    const double count = row->cache.header.frame_count;
    const bool has_vertices = row->cache.has_animated_vertices;
    struct codec_line line = {.codec = row->name};

    count_stored(&row->cache, &line);
    sum_up(&line);
    line.static_bytes = (double)row->report.static_bytes;
    line.encode_us = row->encode_us / count;
    line.compile_us = row->compile_us / count;
    line.pair_us = row->pair_us;
    line.copy_us = mean_of(row, row->copy);
    line.near_copy_us = mean_of(row, row->near_copy);
    for (int s = 0; s < BENCH_SETS_MAX; s++) {
        line.decode_us[s] = mean_of(row, row->decode[s]);
        line.entropy_us[s] = mean_of(row, row->entropy[s]);
        if (has_vertices) {
            line.predict_us[s] = line.decode_us[s] - line.entropy_us[s];
            line.fill_us[s] = mean_of(row, row->fill[s]);
        }
    }
    if (has_vertices)
        line.entropy_bytes = entropy_bytes(row);
    codec_line_print(table, &line);
}

static void print_other(const struct codec_table *table, const struct row *from,
                        const struct other *other)
{
    struct bench_set sets[BENCH_SETS_MAX];
    const int last = bench_sets(sets) - 1;
    struct codec_line line = {.codec = other->name};

    line.bytes = other->coding.bytes;
    line.vertex_bytes = other->coding.bytes;
    line.encode_us = other->coding.encode_us;
    line.copy_us = mean_of(from, from->copy);
    line.near_copy_us = mean_of(from, from->near_copy);
    line.decode_us[last] = mean_of(from, other->decode);
    codec_line_print(table, &line);
}

/* The memcpy rows, for every instruction set. */
static void print_memcpy(const struct codec_table *table,
                         const struct row *from)
{
    struct codec_line line = {.codec = "memcpy"};

    count_raw(&from->cache, &line);
    sum_up(&line);
    line.copy_us = mean_of(from, from->copy);
    line.near_copy_us = mean_of(from, from->near_copy);
    for (int s = 0; s < BENCH_SETS_MAX; s++)
        line.decode_us[s] = line.copy_us;
    codec_line_print(table, &line);
}

/* -- an asset -- */

enum { LZ4HC, RAW, DEFLATE, ZSTD, SPINDLE_FAST, SPINDLE, CODECS };
static const struct codec codecs[CODECS] = {
    [LZ4HC] = {"lz4hc", "lz4hc", false, false},
    [RAW] = {"raw", "store", false, false},
    [DEFLATE] = {"deflate", "deflate", false, false},
    [ZSTD] = {"zstd", "zstd", false, false},
    [SPINDLE_FAST] = {"spindle_fast", "lz4hc", true, true},
    [SPINDLE] = {"spindle", "lz4hc", true, false}};

/* Keep the shorter time of two runs: of the compile, and of its encoding. */
static bool time_compile(const struct compile_options *options, bool is_first,
                         struct row *row)
{
    struct phases phases;
    struct diag diag;
    double compile_us;
    double encode_us;
    bool is_good;

    diag_init(&diag);
    diag.is_quiet = true;
    phases_init(&phases);
    phases_bind(&phases);
    compile_us = bench_cpu_us();
    is_good = compile_run(options, &diag, NULL, NULL, &row->report);
    compile_us = bench_cpu_us() - compile_us;
    phases_bind(NULL);
    encode_us = compile_us;
    for (enum phase i = PHASE_READ; i <= PHASE_QUANTIZE; i++)
        encode_us -= 1e6 * phases_processor_seconds(&phases, i);
    diag_finish(&diag);
    if (is_first || compile_us < row->compile_us)
        row->compile_us = compile_us;
    if (is_first || encode_us < row->encode_us)
        row->encode_us = encode_us;
    return is_good;
}

#define COMPILE_RUNS 2

/* Clears the row. `is_forced`: compile once, with lifting and, unless fast,
 * with tangents by geometry, even where they do not save bytes. */
static bool compile_row(const struct codec *codec, const char *input,
                        double unit_metres, double mm, bool is_forced,
                        struct row *row)
{
    struct bench_set sets[BENCH_SETS_MAX];
    const int last = bench_sets(sets) - 1;
    struct compile_options options;
    char path[2048];
    bool is_good = true;

    *row = (struct row){.name = codec->name};
    snprintf(path, sizeof path, "%s/row.sgc", test_temp());
    compile_options_default(&options);
    options.input = input;
    options.output = path;
    options.precision_mm = mm;
    options.unit_metres = unit_metres;
    options.jobs = 1;
    options.is_lifted = codec->is_lifted;
    options.lifts_all = is_forced && codec->is_lifted;
    options.guesses_all = is_forced && codec->is_lifted && !codec->is_fast;
    options.is_fast = codec->is_fast;
    options.codec = compressor_named(codec->compressor)->id;
    for (int i = 0; i < (is_forced ? 1 : COMPILE_RUNS) && is_good; i++)
        is_good = time_compile(&options, i == 0, row);
    if (is_good) {
        open_row(row, path);
        row->pair_us = pair_us(path, sets[last].cpu);
    }
    return is_good;
}

struct asset {
    const char *name;
    double unit_metres;
    void (*write)(const char *path); /* NULL: the archive is one of the test
                                      * assets */
};

/* Number of rows of meshoptimizer: 0 when no vertex is animated. */
static size_t open_others(const struct whole_clip *clip,
                          struct other others[OTHERS])
{
    size_t count = 0;

    for (int i = 0; i < OTHERS; i++) {
        struct other *other = &others[count];
        const bool is_delta = i / 2;
        const bool has_zstd = i % 2;

        if (!clip_meshopt_open(&other->coding, clip, is_delta, has_zstd))
            continue;
        snprintf(other->name, sizeof other->name, "meshopt_v%d%s",
                 CLIP_MESHOPT_VERSION, is_delta ? "_delta" : "");
        if (has_zstd)
            snprintf(other->name + strlen(other->name),
                     sizeof other->name - strlen(other->name), "+zstd%d",
                     CLIP_MESHOPT_ZSTD_LEVEL);
        other->decode = clip_times_new(clip);
        count++;
    }
    return count;
}

static void measure_asset(const struct asset *what, double mm)
{
    struct row rows[CODECS];
    struct row *const lz4hc = &rows[LZ4HC]; /* the reference of all ratios */
    struct other others[OTHERS];
    struct codec_table table = {.asset = what->name, .mm = mm};
    size_t other_count;
    char input[2048];

    snprintf(input, sizeof input, "%s/%s.abc",
             what->write ? test_temp() : test_assets(), what->name);
    if (what->write)
        what->write(input);
    for (int r = 0; r < CODECS; r++)
        if (!compile_row(&codecs[r], input, what->unit_metres, mm, false,
                         &rows[r]))
            stop(input);
    clip_times_decode(&lz4hc->cache, 0, lz4hc->decode[0]);
    other_count = open_others(&lz4hc->cache, others);
    measure(rows, CODECS, others, other_count);
    if (lz4hc->cache.has_animated_vertices)
        table.vertices = (double)lz4hc->cache.vertex_count;
    table.frame_bytes = lz4hc->cache.frame_bytes;
    for (int s = 0; s < BENCH_SETS_MAX; s++)
        table.lz4hc_us[s] = mean_of(lz4hc, lz4hc->decode[s]);
    for (int r = 0; r < CODECS; r++)
        print_row(&table, &rows[r]);
    for (size_t o = 0; o < other_count; o++) {
        print_other(&table, lz4hc, &others[o]);
        clip_meshopt_close(&others[o].coding);
        free(others[o].decode);
    }
    print_memcpy(&table, lz4hc);
    for (int r = 0; r < CODECS; r++)
        close_row(&rows[r]);
}

/* -- the curve -- */

static void print_ns(const struct row *row, double us)
{
    printf(",%.2f", us * 1e3 / (double)row->cache.vertex_count);
}

static void print_point(const struct row *row)
{
    struct bench_set sets[BENCH_SETS_MAX];
    const int set_count = bench_sets(sets);

    printf("%llu,%s", (unsigned long long)row->cache.vertex_count, row->name);
    print_ns(row, mean_of(row, row->copy));
    print_ns(row, mean_of(row, row->near_copy));
    print_ns(row, row->pair_us);
    for (int s = 0; s < set_count; s++) {
        print_ns(row, mean_of(row, row->decode[s]));
        print_ns(row, mean_of(row, row->fill[s]));
    }
    printf("\n");
    fflush(stdout);
}

/* Nanoseconds for a vertex by the number of vertices, for a waving cloth. */
static void measure_curve(void)
{
    static const uint32_t sides[] = {32, 100, 316, 1000};
    const struct codec *const compared[] = {
        &codecs[LZ4HC], &codecs[SPINDLE_FAST], &codecs[SPINDLE]};
    enum { COMPARED = sizeof compared / sizeof compared[0] };
    struct bench_set sets[BENCH_SETS_MAX];
    const int set_count = bench_sets(sets);
    char input[2048];

    printf("vertices,codec,memcpy_ns,memcpy_near_ns,2workers_ns");
    for (int s = 0; s < set_count; s++)
        printf(",%s_ns,%s_fill_ns", sets[s].name, sets[s].name);
    printf("\n");
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        struct row rows[COMPARED];

        snprintf(input, sizeof input, "%s/cloth.abc", test_temp());
        cloth_archive_write(input, sides[i], 9);
        for (size_t r = 0; r < COMPARED; r++)
            if (!compile_row(compared[r], input, 1, 1, true, &rows[r]))
                stop(input);
        measure(rows, COMPARED, NULL, 0);
        for (size_t r = 0; r < COMPARED; r++) {
            print_point(&rows[r]);
            close_row(&rows[r]);
        }
    }
}

/* Nanoseconds for a vertex of existing caches. */
static int measure_caches(int count, char **paths)
{
    struct row *rows = calloc((size_t)count, sizeof *rows);
    struct bench_set sets[BENCH_SETS_MAX];
    const int set_count = bench_sets(sets);

    for (int r = 0; r < count; r++)
        open_row(&rows[r], paths[r]);
    measure(rows, (size_t)count, NULL, 0);
    for (int r = 0; r < count; r++) {
        const double vertices = (double)rows[r].cache.vertex_count;

        printf("%s:", paths[r]);
        for (int s = 0; s < set_count; s++) {
            const double us = mean_of(&rows[r], rows[r].decode[s]);

            printf(" %s %.2f ns (%.2f x, %.1f memcpys, %.1f near; fill %.1f "
                   "near)",
                   sets[s].name, us * 1e3 / vertices,
                   us / mean_of(&rows[0], rows[0].decode[s]),
                   us / mean_of(&rows[r], rows[r].copy),
                   us / mean_of(&rows[r], rows[r].near_copy),
                   mean_of(&rows[r], rows[r].fill[s]) /
                       mean_of(&rows[r], rows[r].near_copy));
        }
        printf(" memcpy %.2f ns, near %.2f ns\n",
               mean_of(&rows[r], rows[r].copy) * 1e3 / vertices,
               mean_of(&rows[r], rows[r].near_copy) * 1e3 / vertices);
    }
    for (int r = 0; r < count; r++)
        close_row(&rows[r]);
    free(rows);
    return 0;
}

int main(int argc, char **argv)
{
    static const struct asset assets[] = {
        {"large/sail_irr", 1, NULL},
        {"large/sail-60", 1, NULL},
        {"synthetic/character", 0.01, NULL},
        {"body", 1, bench_body_write},
        {"ocean", 1, bench_ocean_write},
        {"ocean_flow", 1, bench_flowing_ocean_write},
        {"synthetic/rigid-debris", 1, NULL}};

    if (argc > 1)
        return measure_caches(argc - 1, argv + 1);
    measure_curve();
    codec_line_head();
    for (size_t i = 0; i < sizeof assets / sizeof assets[0]; i++) {
        if (!assets[i].write && !test_assets())
            continue;
        measure_asset(&assets[i], 1);
        measure_asset(&assets[i], 0.1);
    }
    return 0;
}
