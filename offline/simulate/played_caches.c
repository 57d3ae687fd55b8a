/* played_caches.c - a row for each run, and JSON for each cache. */
/* SPDX-License-Identifier: MIT */
#include "simulate/played_caches.h"

void played_caches_head(FILE *file)
{
    fputs("\n  caches   plays  pictures glitches longest s    shown     late "
          "left out  dropped    read\n",
          file);
}

void played_caches_row(const struct played_cache *caches, uint32_t count,
                       const char *order, FILE *file)
{
    struct played_cache sum = {0};
    char size[16];

    for (uint32_t i = 0; i < count; i++) {
        const struct played_cache *c = &caches[i];

        sum.plays += c->plays;
        sum.pictures += c->pictures;
        sum.glitches += c->glitches;
        sum.frames_shown += c->frames_shown;
        sum.frames_late += c->frames_late;
        sum.frames_left_out += c->frames_left_out;
        sum.frames_dropped += c->frames_dropped;
        sum.bytes_read += c->bytes_read;
        if (c->first_us > sum.first_us)
            sum.first_us = c->first_us;
    }
    fprintf(file, "  %-8s %5u %9u %8u %9.2f %8u %8u %8u %8u %8s\n", order,
            sum.plays, sum.pictures, sum.glitches, (double)sum.first_us * 1e-6,
            sum.frames_shown, sum.frames_late, sum.frames_left_out,
            sum.frames_dropped, report_bytes((double)sum.bytes_read, size));
}

void played_caches_json(const struct played_cache *caches, uint32_t count,
                        cJSON *json)
{
    cJSON *array = report_array(json, "caches");

    for (uint32_t i = 0; i < count; i++) {
        const struct played_cache *c = &caches[i];
        cJSON *item = report_item(array);

        report_text(item, "cache", c->label);
        report_number(item, "plays", c->plays);
        report_number(item, "pictures", c->pictures);
        report_number(item, "glitches", c->glitches);
        report_number(item, "first_picture_ms", (double)c->first_us * 1e-3);
        report_number(item, "frames_shown", c->frames_shown);
        report_number(item, "frames_late", c->frames_late);
        report_number(item, "frames_left_out", c->frames_left_out);
        report_number(item, "frames_dropped", c->frames_dropped);
        report_number(item, "bytes_read", (double)c->bytes_read);
    }
}
