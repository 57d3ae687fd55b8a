/* compile.c - the steps of a compile: output, archive, clip, encoder, report.
 *
 * The output is opened before the archive is read, so that a bad path is
 * refused at once. The file appears when it is complete.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/compile.h"

#include "abc/archive.h"
#include "common/phases.h"
#include "common/system.h"
#include "compile/clip/clip.h"
#include "compile/clip/compile_stats.h"
#include "compile/encode/encode.h"
#include "host/host.h"

static bool append(void *user, const void *data, size_t bytes)
{
    return host_output_append(user, data, bytes);
}

static bool write_at(void *user, uint64_t offset, const void *data,
                     size_t bytes)
{
    return host_output_write_at(user, offset, data, bytes);
}

static bool input_bytes(const char *path, struct diag *diag, uint64_t *bytes)
{
    struct host_map map;

    if (!host_map_open(&map, path, diag))
        return false;
    *bytes = map.bytes;
    host_map_close(&map);
    return true;
}

static bool encode(const struct compile_options *options, struct diag *diag,
                   struct clip *clip, struct host_output *output,
                   void (*progress)(void *user, double done), void *user,
                   struct compile_report *report)
{
    const struct clip_source source = clip_source_of(clip);
    const struct encode_job job = {
        .source = &source,
        .options = options,
        .diag = diag,
        .sink = {.user = output, .append = append, .write_at = write_at},
        .progress = progress,
        .progress_user = user,
    };
    const double *seconds = clip->frame_seconds;

    if (!encode_run(&job, report))
        return false;
    report->duration_s = seconds[clip->frame_count - 1] - seconds[0];
    report->user_property_count = clip->user_property_count;
    return true;
}

/* Maya writes centimetres. Without the unit option the precision would be 100
 * times as fine as stated. */
static void hint_unit(const struct compile_options *options,
                      const struct abc_archive *archive, struct diag *diag)
{
    if (!options->is_unit_given && options->precision_mm > 0 &&
        abc_is_by_maya(archive))
        diag_hint(diag, "Maya's unit is a centimetre: with --unit-scale 0.01 "
                        "the precision is in true millimetres");
}

static bool run(const struct compile_options *options, struct diag *diag,
                void (*progress)(void *user, double done), void *user,
                struct compile_report *report)
{
    struct compile_report done = {0};
    struct abc_archive *archive = NULL;
    struct clip *clip = NULL;
    struct host_output *output;
    double start = system_seconds();
    bool is_good;

    if (!host_output_differs(options->output, options->input, diag))
        return false;
    output = host_output_open(options->output, diag);
    if (!output)
        return false;
    is_good = input_bytes(options->input, diag, &done.input_bytes);
    if (is_good)
        archive = abc_open(options->input, diag);
    if (archive)
        clip = clip_open(archive, options);
    if (clip)
        hint_unit(options, archive, diag);
    is_good =
        clip && encode(options, diag, clip, output, progress, user, &done);
    if (clip)
        clip_close(clip);
    abc_close(archive);
    phases_enter(PHASE_WRITE);
    if (!host_output_finish(output, is_good))
        return false;
    done.seconds = system_seconds() - start;
    *report = done;
    return true;
}

bool compile_run(const struct compile_options *options, struct diag *diag,
                 void (*progress)(void *user, double done), void *user,
                 struct compile_report *report)
{
    struct phases *before = phases_bound();
    bool is_good;

    phases_bind(options->stats ? &options->stats->phases : before);
    is_good = run(options, diag, progress, user, report);
    phases_bind(before);
    return is_good;
}
