/* encode.c - sets an encoder up and runs it: layout, predictors, blobs,
 * frames.
 *
 * All decisions are made before the first frame is encoded. The order of work
 * is the order of the file.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/encode.h"

#include "base/cpu.h"
#include "cache/cache_block.h"
#include "common/codecs.h"
#include "compile/encode/classic/predictor.h"
#include "compile/encode/encode_group.h"
#include "compile/encode/encode_lift.h"
#include "compile/encode/encode_static.h"
#include "compile/encode/encode_stats.h"

#include <math.h>
#include <string.h>

static bool validate_times(const struct encoder *e)
{
    const double *seconds = e->clip->frame_seconds;

    for (uint32_t i = 1; i < e->clip->frame_count; i++) {
        double us = (seconds[i] - seconds[0]) * 1e6;
        double us_before = (seconds[i - 1] - seconds[0]) * 1e6;

        /* The negated comparisons also refuse NaN. */
        if (!(us < 1.15e18) || !(llround(us) > llround(us_before)))
            return diag_refuse(e->diag, e->clip->file_name, DIAG_NO_OFFSET,
                               NULL,
                               "frame %u at %.9g s is less than a microsecond "
                               "after the one before it",
                               i, seconds[i]);
    }
    return true;
}

static bool make_threads(struct encoder *e)
{
    bool is_good = true;

    e->workers = workers_create(e->job->options->jobs);
    e->threads =
        ARENA_NEW(&e->arena, struct encoder_thread, workers_count(e->workers));
    for (uint32_t i = 0; i < workers_count(e->workers); i++) {
        struct encoder_thread *t = &e->threads[i];

        arena_init(&t->arena);
        t->search_scratch.residuals =
            ARENA_NEW(&e->arena, uint8_t, BLOCK_RAW_BYTES_MAX);
        t->search_scratch.bytes =
            ARENA_NEW(&e->arena, uint8_t, BLOCK_RAW_BYTES_MAX);
        t->search_scratch.target =
            ARENA_NEW(&e->arena, uint8_t, BLOCK_RAW_BYTES_MAX);
        t->decoded = ARENA_NEW(&e->arena, uint8_t, BLOCK_RAW_BYTES_MAX);
        t->decompressor_workspace =
            arena_alloc(&e->arena, e->decompressor->workspace_bytes, 1);
        t->unpack_scratch =
            arena_alloc(&e->arena, CACHE_CHANNEL_SCRATCH_BYTES, 1);
        t->search_scratch.workspace = e->compressor->start(0);
        is_good = is_good && t->search_scratch.workspace;
    }
    return is_good || diag_io(e->diag, e->clip->file_name, 0,
                              "no memory to compress on %u threads",
                              workers_count(e->workers));
}

static void free_threads(struct encoder *e)
{
    for (uint32_t i = 0; i < workers_count(e->workers); i++) {
        arena_free(&e->threads[i].arena);
        if (e->threads[i].search_scratch.workspace)
            e->compressor->stop(e->threads[i].search_scratch.workspace);
    }
    workers_destroy(e->workers);
}

/* Compute the offset of each block's values in frame_values.bytes. */
static void place_blocks(struct encoder *e)
{
    e->block_at = ARENA_NEW(&e->arena, size_t, e->layout.block_count);
    e->frame_bytes = 0;
    for (uint32_t i = 0; i < e->layout.block_count; i++) {
        e->block_at[i] = e->frame_bytes;
        e->frame_bytes +=
            ((size_t)e->layout.blocks[i].raw_bytes + 63) & ~(size_t)63;
    }
}

/* A few evenly spaced frames, including frame 0. */
struct samples {
    struct encoder *e;
    uint32_t count;
    struct clip_frame frames[PREDICTOR_SAMPLES_MAX];
    struct arena arenas[PREDICTOR_SAMPLES_MAX];
    bool is_produced[PREDICTOR_SAMPLES_MAX];
};

static void sample_job(void *user, uint32_t k, uint32_t worker)
{
    struct samples *samples = user;
    const struct clip_source *source = samples->e->job->source;
    uint32_t last = samples->e->clip->frame_count - 1;
    uint32_t number =
        samples->count > 1
            ? (uint32_t)((uint64_t)last * k / (samples->count - 1))
            : 0;

    (void)worker;
    samples->frames[k].number = number;
    samples->is_produced[k] = source->produce(
        source->user, number, &samples->arenas[k], &samples->frames[k]);
}

/* Align the signs of QTangents from one sample to the next. */
static bool produce_samples(struct samples *samples)
{
    struct encoder *e = samples->e;
    const struct clip_source *source = e->job->source;

    workers_run(e->workers, samples->count, sample_job, samples);
    for (uint32_t k = 0; k < samples->count; k++) {
        if (!samples->is_produced[k])
            return diag_has_failed(e->diag)
                       ? false
                       : cache_writer_internal(e->diag, e->clip->file_name,
                                               "frame %u is missing",
                                               samples->frames[k].number);
        source->align_signs(source->user,
                            k > 0 ? &samples->frames[k - 1] : NULL,
                            &samples->frames[k]);
    }
    return true;
}

static void fill_header(const struct encoder *e, struct cache_header *h)
{
    const struct compile_options *options = e->job->options;

    memset(h, 0, sizeof *h);
    h->codec = e->compressor->id;
    h->frame_count = e->clip->frame_count;
    h->index_distance = e->index_distance;
    h->start_s = e->clip->frame_seconds[0];
    h->unit_metres = options->unit_metres;
    h->precision_mm = options->precision_mm;
    h->up_axis = (uint8_t)e->clip->up_axis;
    h->plays_from_memory = options->plays_from_memory;
}

/* Are samples beyond frame 0 used? Only predictors of animated meshes that are
 * not lifted need them. */
static bool needs_samples(const struct encoder *e)
{
    const struct layout *l = &e->layout;

    for (uint32_t p = 0; p < l->part_count; p++)
        if (e->clip->meshes[l->parts[p].mesh].animated_mask &&
            !cache_tile_is_lifted(&l->tiles[l->parts[p].tile]))
            return true;
    return false;
}

static bool run_static(struct encoder *e)
{
    struct samples samples = {
        .e = e, .count = needs_samples(e) ? PREDICTOR_SAMPLES_MAX : 1};
    struct cache_header header;
    const uint8_t *blobs = NULL;
    uint64_t blobs_bytes = 0;
    bool is_good;

    if (samples.count > e->clip->frame_count)
        samples.count = e->clip->frame_count;
    for (uint32_t k = 0; k < samples.count; k++)
        arena_init(&samples.arenas[k]);
    is_good = produce_samples(&samples);
    if (is_good) {
        encoder_find_predictors(e, samples.frames, samples.count);
        blobs = encoder_make_blobs(e, &blobs_bytes);
        is_good = blobs != NULL;
    }
    if (is_good) {
        place_blocks(e);
        encoder_stats_begin(e);
        fill_header(e, &header);
        is_good =
            cache_writer_begin(&e->writer, &header, e->clip, &e->layout,
                               samples.frames[0].nodes, blobs, blobs_bytes);
    }
    for (uint32_t k = 0; k < samples.count; k++)
        arena_free(&samples.arenas[k]);
    return is_good;
}

/* Plan the lifted meshes. If there are any, make the layout again. */
static bool run_lift(struct encoder *e)
{
    uint32_t distance;

    if (!e->job->options->is_lifted)
        return true;
    if (!encoder_plan_lift(e, &distance))
        return false;
    if (!encoder_has_lifted(e))
        return true;
    e->index_distance = distance;
    return layout_make(e->clip, &e->plan, &e->arena, e->diag, &e->layout);
}

static void fill_report(const struct encoder *e, struct compile_report *report)
{
    const struct cache_header *h = &e->writer.header;

    report->frame_count = e->clip->frame_count;
    report->mesh_count = e->clip->mesh_count;
    report->merged_mesh_count = e->clip->merged_mesh_count;
    report->node_count = e->clip->node_count;
    report->lifted_mesh_count = 0;
    report->vertex_count = 0;
    report->triangle_count = 0;
    for (uint32_t m = 0; m < e->clip->mesh_count; m++) {
        report->vertex_count += e->clip->meshes[m].vertex_count;
        report->triangle_count += e->clip->meshes[m].index_count / 3;
        report->lifted_mesh_count += cache_tile_is_lifted(
            &e->layout.tiles[e->layout.parts[e->layout.first_part[m]].tile]);
    }
    report->output_bytes = h->file_bytes;
    report->static_bytes = h->frames_offset;
    report->frames_bytes = h->file_bytes - h->frames_offset;
    report->quantized_bytes_per_frame = 0;
    for (uint32_t i = 0; i < e->layout.block_count; i++)
        if (e->layout.blocks[i].kind == CACHE_BLOCK_CHANNEL)
            report->quantized_bytes_per_frame += e->layout.blocks[i].raw_bytes;
}

bool encode_run(const struct encode_job *job, struct compile_report *report)
{
    struct encoder e = {
        .job = job, .clip = job->source->clip, .diag = job->diag};
    bool is_good;

    e.compressor = compressor_find(job->options->codec);
    e.decompressor = codecs_find(job->options->codec);
    if (!e.compressor || !e.decompressor)
        return diag_refuse(job->diag, NULL, DIAG_NO_OFFSET, "codec",
                           "number %u is unknown", job->options->codec);
    if (job->options->index_distance < 1 || job->options->index_distance > 255)
        return diag_refuse(job->diag, NULL, DIAG_NO_OFFSET, "index distance",
                           "%u, not 1 to 255", job->options->index_distance);
    if (job->options->is_lifted &&
        (job->options->lifted_distance > CACHE_GROUP_FRAMES_MAX / 2 ||
         (job->options->lifted_distance & (job->options->lifted_distance - 1))))
        return diag_refuse(job->diag, NULL, DIAG_NO_OFFSET, "index distance",
                           "%u, not a power of two from 1 to %u",
                           job->options->lifted_distance,
                           CACHE_GROUP_FRAMES_MAX / 2);
    e.index_distance = job->options->index_distance;
    arena_init(&e.arena);
    arena_init(&e.frames_arena);
    spn__predict_ops_init(&e.predict_ops, 0);
    spn__lift_ops_init(&e.lift_ops, 0);
    e.writer.sink = job->sink;
    e.writer.arena = &e.arena;
    e.writer.diag = job->diag;
    e.writer.file = e.clip->file_name;
    is_good = layout_make(e.clip, NULL, &e.arena, job->diag, &e.layout) &&
              validate_times(&e);
    if (is_good) {
        is_good = make_threads(&e) && run_lift(&e) && run_static(&e) &&
                  encoder_frames(&e) && cache_writer_finish(&e.writer);
        encoder_free_lift(&e);
        free_threads(&e);
    }
    if (is_good) {
        fill_report(&e, report);
        encoder_stats_end(&e);
    }
    arena_free(&e.arena);
    return is_good;
}
