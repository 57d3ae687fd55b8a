/* clips_report.c - lines, a table and JSON of clips. */
/* SPDX-License-Identifier: MIT */
#include "simulate/clips_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 32u

struct sums {
    uint32_t played;
    uint32_t plays;
    uint32_t waits;
    uint32_t pictures;
    uint32_t glitches;
    uint32_t held;
    uint32_t poses;
    double root_metres;
    uint64_t first_pose_us;
};

static struct sums sum_of(const struct clips_report *r)
{
    struct sums sums = {0};

    for (uint32_t i = 0; i < r->clip_count; i++) {
        const struct played_clip *clip = &r->clips[i];

        sums.played += clip->plays > 0;
        sums.plays += clip->plays;
        sums.waits += clip->waits;
        sums.pictures += clip->pictures;
        sums.glitches += clip->glitches;
        sums.held += clip->held;
        sums.poses += clip->poses;
        sums.root_metres += clip->root_metres;
        if (clip->first_pose_us > sums.first_pose_us)
            sums.first_pose_us = clip->first_pose_us;
    }
    return sums;
}

void clips_report_text(const struct clips_report *r)
{
    const struct sums sums = sum_of(r);
    char size[2][16];

    if (r->clip_count == 0)
        return;
    printf("  clips             %u of %u played by %u %s\n", sums.played,
           r->clip_count, r->character_count,
           r->character_count == 1 ? "character" : "characters");
    printf("  glitches          %u of %u pictures of clips; the last pose held "
           "in %u others\n",
           sums.glitches, sums.pictures, sums.held);
    printf("  poses sampled     %u of %u; first joints moved %.2f m\n",
           sums.poses, sums.pictures, sums.root_metres);
    printf("  first pose        at once in %u of %u plays, after %.1f ms in "
           "the worst\n",
           sums.plays - sums.waits, sums.plays,
           (double)sums.first_pose_us * 1e-3);
    if (r->stats.cue_hits + r->stats.cue_misses > 0)
        printf("  look-ahead        %u hits, %u misses\n", r->stats.cue_hits,
               r->stats.cue_misses);
    printf("  clips read        %u reads, %s; %u failed, %u aborted; peak %s "
           "in memory\n",
           r->stats.reads, report_bytes((double)r->stats.bytes_read, size[0]),
           r->stats.reads_failed, r->stats.reads_aborted,
           report_bytes((double)r->stats.loaded_bytes_peak, size[1]));
}

void clips_report_head(FILE *file)
{
    fputs("\n  clips    plays at once   frames  there % glitches     held "
          "  hits misses longest s  reads    read    peak\n",
          file);
}

void clips_report_row(const struct clips_report *r, const char *order,
                      FILE *file)
{
    const struct sums sums = sum_of(r);
    const double there =
        sums.pictures > 0
            ? 100.0 * (sums.pictures - sums.glitches) / sums.pictures
            : 100;
    char size[2][16];

    fprintf(file,
            "  %-8s %5u %7u %8u %8.2f %8u %8u %6u %6u %9.2f %6u %8s %8s\n",
            order, sums.plays, sums.plays - sums.waits, sums.pictures, there,
            sums.glitches, sums.held, r->stats.cue_hits, r->stats.cue_misses,
            (double)sums.first_pose_us * 1e-6, r->stats.reads,
            report_bytes((double)r->stats.bytes_read, size[0]),
            report_bytes((double)r->stats.loaded_bytes_peak, size[1]));
}

/* -- the table -- */

static int by_glitches(const void *a, const void *b)
{
    const struct played_clip *first = *(const struct played_clip *const *)a;
    const struct played_clip *second = *(const struct played_clip *const *)b;

    if (first->glitches != second->glitches)
        return first->glitches > second->glitches ? -1 : 1;
    return strcmp(first->label, second->label);
}

/* The clips that played, sorted. Returns their number. */
static uint32_t sort_played(const struct clips_report *r,
                            const struct played_clip **out)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < r->clip_count; i++)
        if (r->clips[i].plays > 0)
            out[count++] = &r->clips[i];
    if (count > 0)
        qsort(out, count, sizeof(struct played_clip *), by_glitches);
    return count;
}

static const struct played_clip **new_list(const struct clips_report *r)
{
    return arena_require(calloc(r->clip_count, sizeof(struct played_clip *)));
}

void clips_report_table(const struct clips_report *r, FILE *file)
{
    const struct played_clip **clips;
    uint32_t count;

    if (r->clip_count == 0)
        return;
    clips = new_list(r);
    count = sort_played(r, clips);
    fprintf(file,
            "\n     bytes  seconds  plays  reads  waits  first pose  pictures  "
            "glitches%s  clip\n",
            r->character_count > 0 ? "  poses" : "");
    for (uint32_t i = 0; i < count && i < ROWS_MAX; i++) {
        const struct played_clip *clip = clips[i];
        char name[256];
        char poses[16] = "";

        if (r->character_count > 0)
            snprintf(poses, sizeof poses, " %6u", clip->poses);
        fprintf(file, "%10u %8.2f %6u %6u %6u %8.1f ms %9u %9u%s  %s\n",
                clip->info.bytes, (double)clip->info.duration_us * 1e-6,
                clip->plays, clip->loads, clip->waits,
                (double)clip->first_pose_us * 1e-3, clip->pictures,
                clip->glitches, poses,
                report_name(clip->label, name, sizeof name));
    }
    if (count > ROWS_MAX)
        fprintf(file, "and %u more\n", count - ROWS_MAX);
    free(clips);
}

/* -- JSON -- */

static void add_clip(cJSON *array, const struct played_clip *clip,
                     bool has_poses)
{
    cJSON *item = report_item(array);

    report_text(item, "clip", clip->label);
    report_number(item, "bytes", clip->info.bytes);
    report_number(item, "first_bytes", clip->info.first_bytes);
    report_number(item, "duration_s", (double)clip->info.duration_us * 1e-6);
    report_number(item, "joints", clip->info.joint_count);
    report_number(item, "plays", clip->plays);
    report_number(item, "loads", clip->loads);
    report_number(item, "waits", clip->waits);
    report_number(item, "first_pose_ms", (double)clip->first_pose_us * 1e-3);
    report_number(item, "pictures", clip->pictures);
    report_number(item, "glitches", clip->glitches);
    report_number(item, "held", clip->held);
    report_number(item, "failures", clip->failures);
    if (!has_poses)
        return;
    report_number(item, "poses", clip->poses);
    report_number(item, "root_metres", clip->root_metres);
    if (clip->skeleton_label)
        report_text(item, "skeleton", clip->skeleton_label);
}

void clips_report_json(const struct clips_report *r, cJSON *json)
{
    const struct sums sums = sum_of(r);
    const struct played_clip **clips;
    uint32_t count;
    cJSON *object;
    cJSON *array;

    if (r->clip_count == 0)
        return;
    object = report_object(json, "clips");
    report_number(object, "known", r->clip_count);
    report_number(object, "played", sums.played);
    if (r->character_count > 0)
        report_number(object, "characters", r->character_count);
    report_number(object, "skeletons", r->skeleton_count);
    report_number(object, "plays", sums.plays);
    report_number(object, "waits", sums.waits);
    report_number(object, "first_pose_ms", (double)sums.first_pose_us * 1e-3);
    report_number(object, "pictures", sums.pictures);
    report_number(object, "glitches", sums.glitches);
    report_number(object, "held", sums.held);
    if (r->character_count > 0) {
        report_number(object, "poses", sums.poses);
        report_number(object, "root_metres", sums.root_metres);
    }
    report_number(object, "look_ahead_hits", r->stats.cue_hits);
    report_number(object, "look_ahead_misses", r->stats.cue_misses);
    report_number(object, "reads", r->stats.reads);
    report_number(object, "reads_failed", r->stats.reads_failed);
    report_number(object, "reads_aborted", r->stats.reads_aborted);
    report_number(object, "bytes_read", (double)r->stats.bytes_read);
    report_number(object, "memory_bytes_peak",
                  (double)r->stats.loaded_bytes_peak);
    array = report_array(object, "each");
    clips = new_list(r);
    count = sort_played(r, clips);
    for (uint32_t i = 0; i < count; i++)
        add_clip(array, clips[i], r->character_count > 0);
    free(clips);
}
