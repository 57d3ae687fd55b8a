/* sim_page.c - put the results into page.html.
 *
 * The page is compiled in as bytes. It has one mark, which is replaced by JSON.
 */
/* SPDX-License-Identifier: MIT */
#include "simulate/sim_page.h"

#include "disc/drive_disc.h"

#include <stdlib.h>
#include <string.h>

/* The bytes of page.html. */
extern const unsigned char page_html[];
extern const size_t page_html_bytes;

#define MARK "/*DATA*/"

/* Round, to keep the page small. */
static void add(cJSON *array, double value)
{
    report_add_number(array, value);
}

/* Round to whole units. */
static double whole(uint64_t value, uint64_t unit)
{
    uint64_t count = value / unit;

    return (double)count;
}

/* Milliseconds with one decimal. */
static double ms(uint64_t us)
{
    return whole(us, 100) / 10;
}

/* The time of a move before its transfer, by the drive model; at most the time
 * of the move. */
static uint64_t positioning_us(const spn_drive_profile *drive,
                               const struct sim_move *m,
                               const struct sim_move *before)
{
    uint64_t positioning =
        spn__drive_expect_us(drive, before ? before->end : 0, m->begin);
    uint64_t all = m->end_us - m->begin_us;

    return positioning < all ? positioning : all;
}

/* Add the index of a file; -1: none. */
static void add_file(cJSON *array, uint32_t file)
{
    add(array, file == LOAD_NO_FILE ? -1 : (double)file);
}

static void add_files(const struct sim_setting *setting, cJSON *object)
{
    cJSON *array = report_array(object, "files");

    for (uint32_t i = 0; i < setting->file_count; i++)
        report_add_text(array, setting->files[i]);
}

static void add_moves(const struct sim_record *r,
                      const spn_drive_profile *drive, cJSON *item)
{
    cJSON *array = report_array(item, "moves");

    for (uint32_t i = 0; i < r->move_count; i++) {
        const struct sim_move *m = &r->moves[i];

        add(array, ms(m->begin_us));
        add(array, ms(m->end_us));
        add(array, whole(m->begin, 1024));
        add(array, whole(m->end, 1024));
        add(array, m->class + (m->has_failed ? DEADLINE_CLASSES : 0));
        add(array, ms(positioning_us(drive, m, i > 0 ? m - 1 : NULL)));
        add_file(array, m->file);
    }
}

static void add_lates(const struct sim_record *r, cJSON *item)
{
    cJSON *array = report_array(item, "lates");

    for (uint32_t i = 0; i < r->late_count; i++) {
        add(array, ms(r->lates[i].end_us));
        add(array, whole(r->lates[i].position, 1024));
        add(array, ms(r->lates[i].late_us));
        add(array, r->lates[i].class + r->lates[i].outcome * DEADLINE_CLASSES);
        add_file(array, r->lates[i].file);
    }
}

static void add_depths(const struct sim_record *r, cJSON *item)
{
    cJSON *array = report_array(item, "depths");

    for (uint32_t i = 0; i < r->depth_count; i++) {
        add(array, ms(r->depths[i].at_us));
        add(array, r->depths[i].depth);
    }
}

/* Whole snapshots: the time, and pages, owner and age of each extent. Extents
 * of one owner and age are joined. */
static void add_snapshots(const struct sim_heap_map *map, cJSON *heap)
{
    cJSON *array = report_array(heap, "snapshots");

    for (uint32_t i = 0; i < map->snapshot_count; i++) {
        const struct sim_heap_snapshot *s = &map->snapshots[i];
        cJSON *item = cJSON_CreateArray();
        uint32_t pages = 0;

        add(item, ms(s->at_us));
        for (uint32_t k = 0; k < s->extent_count; k++) {
            const struct sim_heap_extent *e = &s->extents[k];

            pages += e->page_count;
            if (k + 1 < s->extent_count && e[1].owner == e->owner &&
                e[1].age_ms == e->age_ms)
                continue;
            add(item, pages);
            add(item, e->owner);
            add(item, e->age_ms);
            pages = 0;
        }
        cJSON_AddItemToArray(array, item);
    }
}

static void add_heap(const struct sim_record *r, cJSON *item)
{
    const struct sim_heap_map *map = &r->heap;
    size_t count = (size_t)map->column_count * SIM_HEAP_CELLS;
    cJSON *heap = report_object(item, "heap");
    char *text = arena_require(malloc(count + 1));

    for (size_t i = 0; i < count; i++)
        text[i] = (char)('0' + map->cells[i]);
    text[count] = '\0';
    report_number(heap, "column_ms", ms(map->column_us));
    report_number(heap, "rows", SIM_HEAP_CELLS);
    report_number(heap, "bytes", (double)map->bytes);
    report_number(heap, "peak_bytes", (double)map->used_bytes_peak);
    report_text(heap, "cells", text);
    report_number(heap, "page_bytes", map->page_bytes);
    add_snapshots(map, heap);
    free(text);
}

/* Add the geometry of the disc: the page places the head with it. */
static void add_disc(const spn_drive_profile *p, cJSON *object)
{
    cJSON *disc = report_object(object, "disc");

    report_number(disc, "kib", whole(spn__drive_disc_bytes(p), 1024));
    report_number(disc, "layers", p->layers);
    report_number(disc, "layer_kib", whole(p->layer_bytes, 1024));
    report_number(disc, "rate_in", p->rate_in);
    report_number(disc, "rate_out", p->rate_out);
    report_text(disc, "about", p->about);
}

static char *data_text(const struct sim_setting *setting, struct sim_run *runs,
                       uint32_t count)
{
    cJSON *json = report_begin("simulate");
    cJSON *array;
    char *text;

    sim_report_json(setting, runs, count, json);
    report_number(json, "heap_mib", setting->heap_mib);
    add_disc(setting->drive, json);
    add_files(setting, json);
    array = cJSON_GetObjectItem(json, "runs");
    for (uint32_t i = 0; i < count; i++) {
        cJSON *item = cJSON_GetArrayItem(array, (int)i);

        add_moves(&runs[i].record, setting->drive, item);
        add_lates(&runs[i].record, item);
        add_depths(&runs[i].record, item);
        /* The heap map is of generated games only: the release times of blocks
         * are a model. */
        if (!setting->trace && !setting->clips)
            add_heap(&runs[i].record, item);
    }
    text = arena_require(cJSON_PrintUnformatted(json));
    cJSON_Delete(json);
    return text;
}

/* In JSON "<" occurs in strings only. Escaped, it cannot end the script
 * element. */
static bool append_data(struct host_output *output, const char *text)
{
    while (*text) {
        size_t plain = strcspn(text, "<");

        if (plain > 0 && !host_output_append(output, text, plain))
            return false;
        text += plain;
        if (*text == '<') {
            if (!host_output_append(output, "\\u003c", 6))
                return false;
            text++;
        }
    }
    return true;
}

static const unsigned char *find_mark(void)
{
    size_t last = page_html_bytes - strlen(MARK);

    for (size_t i = 0; i <= last; i++)
        if (memcmp(page_html + i, MARK, strlen(MARK)) == 0)
            return page_html + i;
    return NULL;
}

bool sim_page_write(const struct sim_setting *setting, struct sim_run *runs,
                    uint32_t count, struct host_output *output)
{
    const unsigned char *mark = find_mark();
    const unsigned char *rest = mark + strlen(MARK);
    size_t rest_bytes = (size_t)(page_html + page_html_bytes - rest);
    char *text = data_text(setting, runs, count);
    bool is_good =
        host_output_append(output, page_html, (size_t)(mark - page_html)) &&
        append_data(output, text) &&
        host_output_append(output, rest, rest_bytes);

    cJSON_free(text);
    return is_good;
}
