/* fuzz_compile.c - the compiler after the schemas: a small archive becomes a
 * cache in memory.
 *
 * A refusal has a reason. A compiled cache is valid: the tool's reader opens it
 * and decodes every frame. The archive's last byte chooses the options.
 */
/* SPDX-License-Identifier: MIT */
#include "fuzz/archive_bytes.h"
#include "fuzz/fuzz.h"

#include "base/block_codec.h"
#include "cachefile/cache_reader.h"
#include "compile/clip/clip.h"
#include "compile/encode/encode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bounds of the time and memory of one input. */
#define FRAMES_MAX 24u
#define MESHES_MAX 32u
#define VERTICES_MAX 2048u
#define CACHE_BYTES_MAX ((size_t)8 << 20)

/* The growing cache. */
struct sink {
    uint8_t *data;
    size_t bytes;
    size_t room;
};

static bool append(void *user, const void *data, size_t bytes)
{
    struct sink *sink = user;

    if (bytes > CACHE_BYTES_MAX - sink->bytes)
        return false;
    while (bytes > sink->room - sink->bytes) {
        sink->room = 2 * sink->room + 4096;
        sink->data = realloc(sink->data, sink->room);
        CHECK(sink->data != NULL);
    }
    if (bytes > 0)
        memcpy(sink->data + sink->bytes, data, bytes);
    sink->bytes += bytes;
    return true;
}

static bool write_at(void *user, uint64_t offset, const void *data,
                     size_t bytes)
{
    struct sink *sink = user;

    CHECK(offset <= sink->bytes && bytes <= sink->bytes - offset);
    memcpy(sink->data + offset, data, bytes);
    return true;
}

static void choose(uint8_t how, struct compile_options *options)
{
    static const uint32_t codecs[] = {BLOCK_CODEC_LZ4, BLOCK_CODEC_STORE,
                                      BLOCK_CODEC_DEFLATE, BLOCK_CODEC_LZ4};

    compile_options_default(options);
    options->allows_empty = true;
    options->input = "fuzz.abc";
    options->output = "fuzz.sgc";
    options->jobs = 1;
    options->index_distance = 3;
    options->lifted_distance = 4;
    options->codec = codecs[how % 4];
    options->is_lifted = how % 4 == 3;
    options->lifts_all = how & 4;
    options->guesses_all = how & 8;
    options->no_b_frames = how & 16;
    options->up = how & 32 ? 'Z' : 0;
    options->flip_v = how & 64;
    options->precision_mm = how & 128 ? 0 : 1;
}

static bool is_small(const struct clip *clip)
{
    uint64_t vertices = 0;

    for (uint32_t i = 0; i < clip->mesh_count; i++)
        vertices += clip->meshes[i].vertex_count;
    return clip->frame_count <= FRAMES_MAX && clip->mesh_count <= MESHES_MAX &&
           vertices <= VERTICES_MAX;
}

static void read_back(const struct sink *sink, const struct clip *clip)
{
    uint8_t *copy = fuzz_copy(sink->data, sink->bytes);
    struct cache_reader *reader;
    struct diag diag;

    diag_init(&diag);
    diag.is_silent = true;
    reader = cache_reader_open_memory("fuzz.sgc", copy, sink->bytes, &diag);
    if (!reader)
        fprintf(stderr, "%s\n", diag.text);
    CHECK(reader != NULL);
    CHECK_EQ_U(cache_reader_header(reader)->frame_count, clip->frame_count);
    CHECK_EQ_U(cache_reader_header(reader)->mesh_count, clip->mesh_count);
    for (uint32_t i = 0; i < clip->frame_count; i++)
        CHECK(cache_reader_frame(reader, i) != NULL);
    cache_reader_close(reader);
    CHECK_EQ(diag.code, EXIT_DONE);
    diag_finish(&diag);
    free(copy);
}

static void compile(struct fuzz_archive *look,
                    const struct compile_options *options, struct clip *clip)
{
    const struct clip_source source = clip_source_of(clip);
    struct compile_report report;
    struct sink sink = {0};
    const struct encode_job job = {
        .source = &source,
        .options = options,
        .diag = &look->diag,
        .sink = {.user = &sink, .append = append, .write_at = write_at}};

    if (encode_run(&job, &report)) {
        CHECK_EQ(look->diag.code, EXIT_DONE);
        CHECK_EQ_U(report.output_bytes, sink.bytes);
        read_back(&sink, clip);
    } else if (sink.bytes < CACHE_BYTES_MAX / 2) {
        /* Every refusal has a message, except when the sink is full. */
        CHECK(look->diag.code == EXIT_INPUT_REFUSED && look->diag.text[0]);
    }
    free(sink.data);
}

static uint8_t how;

static void look_at_scene(struct fuzz_archive *look)
{
    struct compile_options options;
    struct clip *clip;

    choose(how, &options);
    clip = clip_open(look->archive, &options);
    if (!clip) {
        CHECK(look->diag.code == EXIT_INPUT_REFUSED && look->diag.text[0]);
        return;
    }
    if (is_small(clip))
        compile(look, &options, clip);
    clip_close(clip);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    how = size > 0 ? data[size - 1] : 0;
    fuzz_archive_visit(data, size, 0, look_at_scene);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t size_max,
                               unsigned seed)
{
    return fuzz_archive_mutate(data, size, size_max, seed);
}
