/* bench_compile.c - sizes of a cloth step by step, and times of compiling.
 *
 * The steps: bytes of a frame of large/sail_irr.abc of the test assets as
 * floats, quantized, compressed, and predicted. Beside them stand the figures
 * of the GDC talk in which this representation was published, for its own sail
 * of 30,000 vertices. MB/s are 10^6 bytes at 30 frames each second. The talk
 * has no figure for B frames.
 *
 * The times: a compile of large/sail-60.abc relative to its block compression
 * alone, in the same run; and one job against two. Processor seconds do not
 * depend on other programs. Elapsed times do, so the mean number of working
 * jobs is printed beside their ratio.
 *
 * Without the assets both parts are skipped.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "abc/schema.h"
#include "common/system.h"
#include "compile/clip/clip.h"
#include "compile/clip/compile_stats.h"
#include "compile/compile.h"
#include "compress/compress.h"
#include "host/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Position, normal, tangent and bitangent of 3 floats, UV of 2. */
#define FLOAT_BYTES 56.0
/* 3 x u16, 4 x i16, 2 x i16 */
#define QUANTIZED_BYTES 18.0
#define SLICE_VERTICES 8192u
#define FRAMES_PER_SECOND 30.0

/* -- sizes -- */

static void print_step(const char *step, const char *codec, double bytes,
                       const char *talk)
{
    printf("ladder,%s,%s,%.0f,%.2f,%s\n", step, codec, bytes,
           bytes * FRAMES_PER_SECOND / 1e6, talk);
    fflush(stdout);
}

static uint64_t compress_channel(const struct compressor *compressor,
                                 void *workspace, const uint8_t *values,
                                 uint32_t vertex_count, uint32_t vertex_bytes)
{
    static uint8_t target[BLOCK_RAW_BYTES_MAX];
    uint64_t sum = 0;

    for (uint32_t v = 0; v < vertex_count; v += SLICE_VERTICES) {
        uint32_t count = vertex_count - v < SLICE_VERTICES ? vertex_count - v
                                                           : SLICE_VERTICES;
        uint32_t bytes =
            compressor->compress(values + (size_t)v * vertex_bytes,
                                 count * vertex_bytes, target, workspace);

        sum += bytes ? bytes : count * vertex_bytes;
    }
    return sum;
}

struct sizes {
    double animated; /* bytes of a frame of animated data, compressed */
    double still;    /* static bytes, as if every frame contained them */
};

/* Compress every frame's values without prediction. */
static bool compress_values(const struct clip *clip,
                            const struct compressor *compressor,
                            struct sizes *sizes)
{
    void *workspace = compressor->start(0);
    struct clip_frame frames[2];
    struct arena arenas[2];
    bool is_good = workspace != NULL;

    *sizes = (struct sizes){0, 0};
    arena_init(&arenas[0]);
    arena_init(&arenas[1]);
    for (uint32_t f = 0; is_good && f < clip->frame_count; f++) {
        struct clip_frame *frame = &frames[f % 2];

        arena_reset(&arenas[f % 2]);
        is_good = clip_frame_produce((struct clip *)(uintptr_t)clip, f,
                                     &arenas[f % 2], frame);
        if (!is_good)
            break;
        clip_frame_align_signs(clip, f > 0 ? &frames[(f - 1) % 2] : NULL,
                               frame);
        for (uint32_t m = 0; m < clip->mesh_count; m++)
            for (int c = 0; c < CHANNEL_COUNT; c++)
                if (frame->meshes[m].channel[c])
                    sizes->animated += (double)compress_channel(
                        compressor, workspace, frame->meshes[m].channel[c],
                        clip->meshes[m].vertex_count,
                        channel_vertex_bytes((enum channel)c));
    }
    for (uint32_t m = 0; is_good && m < clip->mesh_count; m++)
        for (int c = 0; c < CHANNEL_COUNT; c++)
            if (clip->meshes[m].static_channel[c])
                sizes->still += (double)compress_channel(
                    compressor, workspace, clip->meshes[m].static_channel[c],
                    clip->meshes[m].vertex_count,
                    channel_vertex_bytes((enum channel)c));
    sizes->animated /= clip->frame_count;
    if (workspace)
        compressor->stop(workspace);
    arena_free(&arenas[0]);
    arena_free(&arenas[1]);
    return is_good;
}

static bool compile(const char *input, uint32_t codec, bool no_b_frames,
                    uint32_t jobs, struct compile_stats *stats,
                    struct compile_report *report)
{
    struct compile_options options;
    struct diag diag;
    char output[2048];
    bool is_done;

    snprintf(output, sizeof output, "%s/bench.sgc", test_temp());
    compile_options_default(&options);
    options.input = input;
    options.output = output;
    options.codec = codec;
    options.no_b_frames = no_b_frames;
    options.jobs = jobs;
    options.stats = stats;
    diag_init(&diag);
    is_done = compile_run(&options, &diag, NULL, NULL, report);
    diag_finish(&diag);
    return is_done;
}

static bool climb(const char *input, const struct clip *clip, const char *codec,
                  const char *talk_compressed, const char *talk_predicted)
{
    const struct compressor *compressor = compressor_named(codec);
    struct compile_report index;
    struct compile_report b;
    struct sizes sizes;

    if (!compressor || !compress_values(clip, compressor, &sizes) ||
        !compile(input, compressor->id, true, system_cpu_count(), NULL,
                 &index) ||
        !compile(input, compressor->id, false, system_cpu_count(), NULL, &b))
        return false;
    print_step("block compression", codec, sizes.animated + sizes.still,
               talk_compressed);
    print_step("what never changes stored once", codec, sizes.animated, "-");
    print_step("index-frame prediction", codec,
               (double)index.frames_bytes / index.frame_count, talk_predicted);
    print_step("B frames", codec, (double)b.frames_bytes / b.frame_count, "-");
    return true;
}

static bool run_ladder(const char *input)
{
    struct compile_options options;
    struct abc_archive *archive;
    struct clip *clip = NULL;
    struct diag diag;
    double vertices = 0;
    bool is_good = false;

    compile_options_default(&options);
    diag_init(&diag);
    archive = abc_open(input, &diag);
    if (archive)
        clip = clip_open(archive, &options);
    if (clip) {
        for (uint32_t m = 0; m < clip->mesh_count; m++)
            vertices += clip->meshes[m].vertex_count;
        printf("ladder,step,codec,bytes per frame,MB/s,the talk's MB/s\n");
        print_step("floats", "-", vertices * FLOAT_BYTES, "50");
        print_step("fewer bits", "-", vertices * QUANTIZED_BYTES, "16");
        is_good = climb(input, clip, "deflate", "10", "8.5") &&
                  climb(input, clip, "lz4hc", "-", "-");
        clip_close(clip);
    }
    abc_close(archive);
    diag_finish(&diag);
    return is_good;
}

/* -- times -- */

static bool read_param(const struct abc_archive *archive,
                       const struct abc_object *object,
                       const struct abc_param *param, struct arena *arena)
{
    struct abc_param_sample sample;

    if (!param->values)
        return true;
    for (uint32_t i = 0; i != UINT32_MAX;
         i = abc_next_change(param->values, i)) {
        arena_reset(arena);
        if (!abc_param_read(archive, object, param, i, arena, &sample))
            return false;
    }
    return true;
}

/* Read positions and parameters of every mesh as floats. */
static bool read_meshes(const struct abc_archive *archive,
                        const struct abc_object *object, struct arena *arena)
{
    struct abc_mesh mesh;
    struct arena kept;
    bool is_good = true;

    arena_init(&kept);
    if (abc_is_mesh(object)) {
        const float *positions;
        uint32_t count;

        is_good = abc_mesh_open(archive, object, &kept, &mesh);
        for (uint32_t i = 0; is_good && i < mesh.position_samples; i++) {
            arena_reset(arena);
            is_good = abc_mesh_positions(archive, &mesh, i, arena, &positions,
                                         &count);
        }
        is_good = is_good &&
                  read_param(archive, object, &mesh.normals, arena) &&
                  read_param(archive, object, &mesh.uvs, arena);
    }
    for (uint32_t i = 0; is_good && i < object->child_count; i++)
        is_good = read_meshes(archive, object->children[i], arena);
    arena_free(&kept);
    return is_good;
}

static bool read_samples(const char *input, double *seconds)
{
    struct arena arena;
    double start = system_cpu_seconds();
    struct abc_archive *archive;
    struct diag diag;
    bool is_good;

    diag_init(&diag);
    arena_init(&arena);
    archive = abc_open(input, &diag);
    is_good = archive && read_meshes(archive, archive->top, &arena);
    abc_close(archive);
    arena_free(&arena);
    diag_finish(&diag);
    *seconds = system_cpu_seconds() - start;
    return is_good;
}

struct times {
    double clock;
    double processor;
    double compress;
    double busy; /* elapsed seconds of all threads without waiting */
};

static bool time_compile(const char *input, uint32_t jobs, struct times *times)
{
    struct compile_stats stats;
    struct compile_report report;
    double start = system_cpu_seconds();
    bool is_done;

    compile_stats_init(&stats);
    is_done = compile(input, BLOCK_CODEC_LZ4, false, jobs, &stats, &report);
    times->processor = system_cpu_seconds() - start;
    times->clock = report.seconds;
    /* Threads wait in PHASE_OTHER, which contains hardly any other work. */
    times->busy = phases_processor_seconds(&stats.phases, PHASE_OTHER);
    for (int i = PHASE_OTHER + 1; i < PHASE_COUNT; i++)
        times->busy += phases_clock_seconds(&stats.phases, (enum phase)i);
    times->compress = phases_processor_seconds(&stats.phases, PHASE_COMPRESS);
    for (int i = 0; is_done && i < PHASE_COUNT; i++)
        printf("compile,%u jobs: %s,%.2f\n", jobs, phases_name((enum phase)i),
               phases_processor_seconds(&stats.phases, (enum phase)i));
    compile_stats_free(&stats);
    return is_done;
}

static bool run_times(const char *input)
{
    struct times one;
    struct times two;
    double reading;

    printf("compile,what,processor seconds\n");
    if (!read_samples(input, &reading) || !time_compile(input, 1, &one) ||
        !time_compile(input, 2, &two))
        return false;
    printf("compile,reading every sample once,%.2f\n", reading);
    printf("compile,block compression alone,%.2f\n", one.compress);
    printf("compile,one job,%.2f\n", one.processor);
    printf("compile,two jobs,%.2f\n", two.processor);
    printf("compile,times its block compression,%.2f\n",
           one.processor / one.compress);
    printf("compile,clock of one job to that of two,%.2f\n",
           one.clock / two.clock);
    /* The ratio of elapsed times on a machine without other work. */
    printf("compile,of two jobs at work at a time,%.2f\n",
           two.busy / two.clock);
    return true;
}

/* -- both -- */

static bool run_on(const char *name, bool (*run)(const char *input))
{
    char input[2048];
    FILE *file = NULL;

    if (test_assets()) {
        snprintf(input, sizeof input, "%s/large/%s", test_assets(), name);
        file = fopen(input, "rb");
    }
    if (!file) {
        printf("skipped,%s is not here\n", name);
        return true;
    }
    fclose(file);
    return run(input);
}

int main(void)
{
    return run_on("sail_irr.abc", run_ladder) &&
                   run_on("sail-60.abc", run_times)
               ? 0
               : 1;
}
