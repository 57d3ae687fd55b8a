/* compile_summary.c - the report of a compile.
 *
 * A scene may have hundreds of meshes. The text lists the largest ones, and
 * the sum of the others; the JSON lists all.
 */
/* SPDX-License-Identifier: MIT */
#include "cli/compile_summary.h"

#include "common/codecs.h"
#include "common/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MESHES_NAMED 12u
#define CHART_COLUMNS 60u

static const char *const channel_names[CHANNEL_COUNT] = {
    [CHANNEL_POSITION] = "positions",
    [CHANNEL_QTANGENT] = "tangents",
    [CHANNEL_UV] = "uvs",
    [CHANNEL_COLOR] = "colors",
    [CHANNEL_SECOND_UV] = "second uvs",
    [CHANNEL_VELOCITY] = "velocities",
};

static const char *const channel_units[CHANNEL_COUNT] = {
    [CHANNEL_POSITION] = "mm",  [CHANNEL_QTANGENT] = "degrees",
    [CHANNEL_UV] = "uv",        [CHANNEL_COLOR] = "of 1",
    [CHANNEL_SECOND_UV] = "uv", [CHANNEL_VELOCITY] = "mm/s",
};

/* Average data rate of playback. 0: the clip has no duration. */
static double bytes_per_second(const struct compile_report *report)
{
    if (report->duration_s <= 0 || report->frame_count < 2)
        return 0;
    return (double)report->frames_bytes / report->frame_count *
           (report->frame_count - 1) / report->duration_s;
}

static double b_share(const struct channel_stats *channel)
{
    return channel->stream_count > 0
               ? (double)channel->temporal_count / (double)channel->stream_count
               : 0;
}

/* -- meshes -- */

static int compare_meshes(const void *a, const void *b)
{
    const struct mesh_stats *first = *(const struct mesh_stats *const *)a;
    const struct mesh_stats *second = *(const struct mesh_stats *const *)b;

    if (first->bytes != second->bytes)
        return first->bytes < second->bytes ? 1 : -1;
    if (first->vertex_count != second->vertex_count)
        return first->vertex_count < second->vertex_count ? 1 : -1;
    return first < second ? -1 : first > second;
}

static void print_channel(const struct compile_stats *d,
                          const struct mesh_stats *mesh, int channel)
{
    const struct channel_stats *c = &mesh->channel[channel];
    char share[16] = "still";

    if (!c->is_present)
        return;
    if (c->is_animated)
        snprintf(share, sizeof share, "%.0f %%", 100 * b_share(c));
    printf("    %-10s %9.2f %8s %11.3g %11.3g %s\n", channel_names[channel],
           compile_stats_bits(d, mesh, c), share,
           error_stats_worst(&c->error, (enum channel)channel),
           error_stats_mean(&c->error, (enum channel)channel),
           channel_units[channel]);
}

static void print_mesh(const struct compile_stats *d,
                       const struct mesh_stats *mesh)
{
    char name[61];
    size_t length = strlen(mesh->path);
    size_t skipped = length > sizeof name - 1 ? length - (sizeof name - 1) : 0;

    /* Keep the end of a long path, because it distinguishes meshes. */
    report_name(mesh->path + skipped, name, sizeof name);
    printf("  %s, %u vertices\n", name, mesh->vertex_count);
    for (int c = 0; c < CHANNEL_COUNT; c++)
        print_channel(d, mesh, c);
}

/* Print one entry for all meshes that are not listed. Each channel is the sum
 * over the meshes where it is animated; if there is none, over all meshes. */
static void print_rest(const struct compile_stats *d,
                       struct mesh_stats *const *meshes, uint32_t count)
{
    printf("  %u more meshes\n", count);
    for (int c = 0; c < CHANNEL_COUNT; c++) {
        struct mesh_stats sum = {0};
        struct channel_stats *to = &sum.channel[c];

        for (uint32_t i = 0; i < count; i++)
            to->is_animated |= meshes[i]->channel[c].is_animated;
        for (uint32_t i = 0; i < count; i++) {
            const struct channel_stats *from = &meshes[i]->channel[c];

            if (!from->is_present || from->is_animated != to->is_animated)
                continue;
            to->is_present = true;
            to->bytes += from->bytes;
            to->stream_count += from->stream_count;
            to->temporal_count += from->temporal_count;
            error_stats_add(&to->error, &from->error);
            sum.vertex_count += meshes[i]->vertex_count;
        }
        print_channel(d, &sum, c);
    }
}

static void print_meshes(struct compile_stats *d)
{
    struct mesh_stats **order =
        ARENA_NEW(&d->arena, struct mesh_stats *, d->mesh_count);
    uint32_t named = d->mesh_count;

    if (d->mesh_count == 0)
        return;
    /* A single mesh left over is listed: its entry is not longer. */
    if (named > MESHES_NAMED + 1)
        named = MESHES_NAMED;
    for (uint32_t i = 0; i < d->mesh_count; i++)
        order[i] = &d->meshes[i];
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are sorted. */
    qsort(order, d->mesh_count, sizeof order[0], compare_meshes);
    printf("\n    %-10s %9s %8s %11s %11s\n", "channel", "bits", "B",
           "worst error", "mean");
    for (uint32_t i = 0; i < named; i++)
        print_mesh(d, order[i]);
    if (named < d->mesh_count)
        print_rest(d, order + named, d->mesh_count - named);
    printf("    (bits of a vertex in a frame; B: streams predicted from other "
           "frames)\n");
}

/* -- data rate -- */

/* Print one character for each bucket; in a long clip, for the largest of
 * several buckets. */
static void print_chart(const struct compile_stats_rate *rate)
{
    static const char levels[] = "_.,-~+=*#@";
    uint32_t per_column =
        (rate->bucket_count + CHART_COLUMNS - 1) / CHART_COLUMNS;

    printf("    |");
    for (uint32_t i = 0; i < rate->bucket_count; i += per_column) {
        double most = 0;
        int level;

        for (uint32_t k = i; k < i + per_column && k < rate->bucket_count; k++)
            if (rate->bytes[k] / rate->bucket_seconds > most)
                most = rate->bytes[k] / rate->bucket_seconds;
        level = rate->most > 0 ? (int)(most / rate->most * 9 + 0.5) : 0;
        putchar(levels[level > 9 ? 9 : level]);
    }
    printf("| %g s each, @ is the most\n", per_column * rate->bucket_seconds);
}

static void print_rate(struct compile_stats *d)
{
    struct compile_stats_rate rate;

    if (!compile_stats_rate(d, &d->arena, &rate))
        return;
    printf("\n  data rate         least %.2f, mean %.2f, most %.2f MB/s\n",
           rate.least / 1e6, rate.mean / 1e6, rate.most / 1e6);
    if (rate.bucket_count > 1)
        print_chart(&rate);
}

/* -- time -- */

static void print_time(struct compile_stats *d)
{
    double total = 0;

    for (int i = 0; i < PHASE_COUNT; i++)
        total += phases_processor_seconds(&d->phases, (enum phase)i);
    printf("\n  processor seconds %.2f\n", total);
    for (int i = 0; i < PHASE_COUNT; i++) {
        double seconds = phases_processor_seconds(&d->phases, (enum phase)i);

        printf("    %-20s %8.2f %4.0f %%\n", phases_name((enum phase)i),
               seconds, total > 0 ? 100 * seconds / total : 0);
    }
}

/* Name of the codec that compresses the blocks of the cache. */
static const char *block_codec(const struct compile_summary *summary)
{
    return codecs_find(summary->options->codec)->name;
}

/* Name of the cache's codec as `info` prints it: "spindle" if a mesh is lifted,
 * otherwise the codec of the blocks. */
static const char *codec_of(const struct compile_summary *summary)
{
    return summary->report->lifted_mesh_count > 0 ? "spindle"
                                                  : block_codec(summary);
}

static void print_codec(const struct compile_summary *summary)
{
    const char *codec = codec_of(summary);
    const char *why = "";

    if (summary->report->lifted_mesh_count > 0) {
        printf("  codec             %s, blocks %s\n", codec,
               block_codec(summary));
        return;
    }
    if (summary->is_by_distance)
        why = ": the spindle codec wants an index distance that is a power of "
              "two";
    else if (summary->options->is_lifted)
        why = ": the spindle codec makes no mesh smaller";
    printf("  codec             %s%s\n", codec, why);
}

void compile_summary_text(const struct compile_summary *summary)
{
    const struct compile_report *r = summary->report;
    double rate = bytes_per_second(r);
    char size[4][16];

    printf("%s\n", summary->options->output);
    print_codec(summary);
    printf("  frames            %u, of them %u B frames\n", r->frame_count,
           summary->stats->b_frame_count);
    printf("  meshes            %u in %u nodes", r->mesh_count, r->node_count);
    if (r->merged_mesh_count > 0)
        printf("; %u more are equal to them", r->merged_mesh_count);
    printf("\n");
    printf("  vertices          %llu\n", (unsigned long long)r->vertex_count);
    printf("  triangles         %llu\n", (unsigned long long)r->triangle_count);
    printf("  bytes             %s -> %s (%.1f %%)\n",
           report_bytes((double)r->input_bytes, size[0]),
           report_bytes((double)r->output_bytes, size[1]),
           100.0 * (double)r->output_bytes / (double)r->input_bytes);
    printf("  bytes per frame   %.0f (%llu quantized)\n",
           (double)r->frames_bytes / r->frame_count,
           (unsigned long long)r->quantized_bytes_per_frame);
    printf("  static bytes      %llu\n", (unsigned long long)r->static_bytes);
    if (rate > 0)
        printf("  while it plays    %.2f MB/s\n", rate / 1e6);
    printf("  seconds           %.2f\n", r->seconds);
    if (r->user_property_count > 0)
        printf("  user properties   %llu left out\n",
               (unsigned long long)r->user_property_count);
    if (summary->warning_count > 0)
        printf("  warnings          %u\n", summary->warning_count);
    print_meshes(summary->stats);
    print_rate(summary->stats);
    print_time(summary->stats);
}

/* -- JSON -- */

static void add_channel(cJSON *array, const struct compile_stats *d,
                        const struct mesh_stats *mesh, int channel)
{
    const struct channel_stats *c = &mesh->channel[channel];
    cJSON *item;

    if (!c->is_present)
        return;
    item = report_item(array);
    report_text(item, "channel", channel_names[channel]);
    report_bool(item, "is_animated", c->is_animated);
    report_number(item, "bytes", c->bytes);
    report_number(item, "bits_per_vertex", compile_stats_bits(d, mesh, c));
    report_number(item, "streams", (double)c->stream_count);
    report_number(item, "b_streams", (double)c->temporal_count);
    report_number(item, "b_share", b_share(c));
    report_text(item, "error_unit", channel_units[channel]);
    report_number(item, "error_worst",
                  error_stats_worst(&c->error, (enum channel)channel));
    report_number(item, "error_mean",
                  error_stats_mean(&c->error, (enum channel)channel));
}

static void add_meshes(cJSON *json, const struct compile_stats *d)
{
    cJSON *array = report_array(json, "mesh_table");

    for (uint32_t m = 0; m < d->mesh_count; m++) {
        const struct mesh_stats *mesh = &d->meshes[m];
        cJSON *item = report_item(array);
        cJSON *channels;

        report_text(item, "path", mesh->path);
        report_number(item, "vertices", mesh->vertex_count);
        report_number(item, "triangles", mesh->triangle_count);
        report_number(item, "bytes", mesh->bytes);
        channels = report_array(item, "channels");
        for (int c = 0; c < CHANNEL_COUNT; c++)
            add_channel(channels, d, mesh, c);
    }
}

static void add_rate(cJSON *json, struct compile_stats *d)
{
    cJSON *object = report_object(json, "rate");
    struct compile_stats_rate rate;
    cJSON *array;

    compile_stats_rate(d, &d->arena, &rate);
    report_number(object, "bucket_seconds", rate.bucket_seconds);
    report_number(object, "least", rate.least);
    report_number(object, "mean", rate.mean);
    report_number(object, "most", rate.most);
    array = report_array(object, "bucket_bytes");
    for (uint32_t i = 0; i < rate.bucket_count; i++)
        report_add_number(array, rate.bytes[i]);
}

static void add_stages(cJSON *json, struct compile_stats *d)
{
    cJSON *array = report_array(json, "stages");

    for (int i = 0; i < PHASE_COUNT; i++) {
        cJSON *item = report_item(array);

        report_text(item, "stage", phases_name((enum phase)i));
        report_number(item, "processor_seconds",
                      phases_processor_seconds(&d->phases, (enum phase)i));
        report_number(item, "seconds",
                      phases_clock_seconds(&d->phases, (enum phase)i));
    }
}

bool compile_summary_json(const struct compile_summary *summary,
                          struct diag *diag)
{
    const struct compile_report *r = summary->report;
    struct compile_stats *d = summary->stats;
    cJSON *json = report_begin("compile");

    report_text(json, "input", summary->options->input);
    report_text(json, "output", summary->options->output);
    report_text(json, "codec", codec_of(summary));
    report_text(json, "block_codec", block_codec(summary));
    report_number(json, "lifted_meshes", r->lifted_mesh_count);
    report_number(json, "frames", r->frame_count);
    report_number(json, "b_frames", d->b_frame_count);
    report_number(json, "meshes", r->mesh_count);
    report_number(json, "merged_meshes", r->merged_mesh_count);
    report_number(json, "nodes", r->node_count);
    report_number(json, "vertices", (double)r->vertex_count);
    report_number(json, "triangles", (double)r->triangle_count);
    report_number(json, "input_bytes", (double)r->input_bytes);
    report_number(json, "output_bytes", (double)r->output_bytes);
    report_number(json, "static_bytes", (double)r->static_bytes);
    report_number(json, "frames_bytes", (double)r->frames_bytes);
    report_number(json, "node_bytes", (double)d->node_bytes);
    report_number(json, "directory_bytes", (double)d->directory_bytes);
    report_number(json, "frame_bytes_mean",
                  (double)r->frames_bytes / r->frame_count);
    report_number(json, "quantized_bytes_per_frame",
                  (double)r->quantized_bytes_per_frame);
    report_number(json, "bytes_per_second", bytes_per_second(r));
    report_number(json, "user_properties", (double)r->user_property_count);
    report_number(json, "warnings", summary->warning_count);
    report_number(json, "jobs", summary->options->jobs);
    report_number(json, "seconds", r->seconds);
    add_meshes(json, d);
    add_rate(json, d);
    add_stages(json, d);
    return report_end(json, diag);
}
