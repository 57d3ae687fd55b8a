/* read_trace.c - parse a trace.
 *
 * cJSON parses the text to a tree. The first pass over the tree counts the
 * reads, the second validates and stores them.
 */
/* SPDX-License-Identifier: MIT */
#include "pack/read_trace.h"

#include "common/text_place.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <spindle/record.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA 1
#define PLACE_BYTES 96

/* -- equal texts -- */

struct occurrence {
    const char *text;
    uint32_t index;
};

static int by_text(const void *a, const void *b)
{
    const struct occurrence *x = a;
    const struct occurrence *y = b;
    int order = strcmp(x->text, y->text);

    if (order != 0)
        return order;
    return (x->index > y->index) - (x->index < y->index);
}

const char **read_trace_number(struct arena *arena, const char *const *texts,
                               uint32_t count, uint32_t *numbers,
                               uint32_t *distinct_count)
{
    struct arena passing;
    struct occurrence *sorted;
    const char **distinct;
    uint32_t used = 0;

    arena_init(&passing);
    sorted = ARENA_NEW(&passing, struct occurrence, count);
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = (struct occurrence){texts[i], i};
    qsort(sorted, count, sizeof *sorted, by_text);
    /* numbers[i] is first the index of the first equal text, then its number.
     */
    for (uint32_t i = 0; i < count; i++) {
        bool is_first =
            i == 0 || strcmp(sorted[i - 1].text, sorted[i].text) != 0;

        numbers[sorted[i].index] =
            is_first ? sorted[i].index : numbers[sorted[i - 1].index];
        used += is_first;
    }
    distinct = ARENA_NEW(arena, const char *, used);
    *distinct_count = used;
    used = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (numbers[i] != i) {
            numbers[i] = numbers[numbers[i]];
            continue;
        }
        numbers[i] = used;
        distinct[used++] = arena_string(arena, texts[i], strlen(texts[i]));
    }
    arena_free(&passing);
    return distinct;
}

void read_trace_set_names(struct read_trace *trace, const char *const *paths,
                          const char *const *scenes, struct arena *arena)
{
    uint32_t count = trace->read_count;
    uint32_t *numbers = ARENA_NEW(arena, uint32_t, count);

    trace->paths =
        read_trace_number(arena, paths, count, numbers, &trace->file_count);
    for (uint32_t i = 0; i < count; i++)
        trace->reads[i].file = numbers[i];
    trace->scenes =
        read_trace_number(arena, scenes, count, numbers, &trace->scene_count);
    for (uint32_t i = 0; i < count; i++)
        trace->reads[i].scene = numbers[i];
}

/* -- fields -- */

struct reading {
    const char *file;
    struct diag *diag;
    struct traced_read *reads;
    const char **paths;  /* of each read */
    const char **scenes; /* of each read */
    uint32_t scene;      /* the current scene, counted as in the file */
    uint32_t read;       /* the current read, counted within the scene;
                          * READ_TRACE_NO_READ: none */
    uint64_t at_us;      /* of the previous read */
    uint32_t number;     /* of the current read, over all scenes */
    uint32_t *last;      /* of each thread: 1 + number of its last read; 0: none
                          */
    uint64_t *start_us;  /* start of each read, if reads took no time */
};

/* Refuse a field of the current read or, if there is none, of the scene. */
static bool refuse(const struct reading *r, const char *field, const char *text)
{
    char read[32] = "";
    char place[PLACE_BYTES];

    if (r->read != READ_TRACE_NO_READ)
        snprintf(read, sizeof read, ".reads[%" PRIu32 "]", r->read);
    snprintf(place, sizeof place, "scenes[%" PRIu32 "]%s%s%s", r->scene, read,
             field[0] ? "." : "", field);
    return diag_refuse(r->diag, r->file, DIAG_NO_OFFSET, place, "%s", text);
}

static bool read_number(const struct reading *r, const cJSON *object,
                        const char *field, uint64_t fallback, uint64_t *value)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, field);
    char text[96];

    *value = fallback;
    if (!item)
        return true;
    if (!cJSON_IsNumber(item))
        return refuse(r, field, "is not a number");
    /* The negation refuses NaN. */
    if (!(item->valuedouble >= 0 &&
          item->valuedouble <= (double)READ_TRACE_NUMBER_MAX) ||
        item->valuedouble != (double)(uint64_t)item->valuedouble) {
        snprintf(text, sizeof text,
                 "found %.17g, expected a whole number from 0 to 2^53",
                 item->valuedouble);
        return refuse(r, field, text);
    }
    *value = (uint64_t)item->valuedouble;
    return true;
}

/* Read a field that is a name of `name_of`, or a number below `number_limit`.
 */
static bool read_word(const struct reading *r, const cJSON *object,
                      const char *field,
                      const char *(*name_of)(uint32_t number),
                      uint32_t number_limit, uint32_t *value)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, field);
    const char *separator = "";
    char text[512];
    size_t used;

    if (!item)
        return true;
    if (cJSON_IsNumber(item) && item->valuedouble >= 0 &&
        item->valuedouble < number_limit &&
        item->valuedouble == (uint32_t)item->valuedouble) {
        *value = (uint32_t)item->valuedouble;
        return true;
    }
    if (!cJSON_IsString(item))
        return refuse(r, field,
                      number_limit ? "is no name, and no number below 256"
                                   : "is not a name");
    for (uint32_t i = 0; i <= READ_TRACE_TASK_MAX; i++) {
        const char *name = name_of(i);

        if (name && strcmp(name, item->valuestring) == 0) {
            *value = i;
            return true;
        }
    }
    used = (size_t)snprintf(text, sizeof text, "unknown: \"%.64s\"; there are",
                            item->valuestring);
    for (uint32_t i = 0; i <= READ_TRACE_TASK_MAX && used < sizeof text; i++)
        if (name_of(i)) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s %s",
                                     separator, name_of(i));
            separator = ",";
        }
    return refuse(r, field, text);
}

static bool read_path(const struct reading *r, const cJSON *object,
                      const char **path)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, "path");

    if (!item)
        return refuse(r, "path", "is missing");
    if (!cJSON_IsString(item))
        return refuse(r, "path", "is not a text");
    if (item->valuestring[0] == 0)
        return refuse(r, "path", "is empty");
    if (strlen(item->valuestring) >= SPN_PATH_BYTES_MAX)
        return refuse(r, "path", "has more than 511 bytes");
    *path = item->valuestring;
    return true;
}

static bool read_whole(const struct reading *r, const cJSON *object,
                       const char *field, uint64_t limit, uint32_t *value)
{
    uint64_t number;
    char text[96];

    if (!read_number(r, object, field, *value, &number))
        return false;
    if (number >= limit &&
        cJSON_GetObjectItemCaseSensitive(object, field) != NULL) {
        snprintf(text, sizeof text,
                 "found %" PRIu64 ", expected less than %" PRIu64, number,
                 limit);
        return refuse(r, field, text);
    }
    *value = (uint32_t)number;
    return true;
}

/* Bound the sum of thinking times, so that the clock of a replay cannot
 * overflow. */
static bool validate_start(struct reading *r, const struct traced_read *read)
{
    uint64_t *start_us = &r->start_us[r->number];

    *start_us = read->after == READ_TRACE_NO_READ
                    ? read->at_us
                    : r->start_us[read->after] + read->think_us;
    return *start_us <= READ_TRACE_NUMBER_MAX ||
           refuse(r, "think_us",
                  "starts more than 2^53 us after the trace's beginning");
}

/* Find the read that this one is chained to: that of `after`, or the previous
 * read of the thread. */
static bool read_chain(struct reading *r, const cJSON *object,
                       struct traced_read *read)
{
    bool is_chained =
        cJSON_GetObjectItemCaseSensitive(object, "after") != NULL ||
        cJSON_GetObjectItemCaseSensitive(object, "think_us") != NULL;

    read->after = READ_TRACE_NO_READ;
    if (!read_whole(r, object, "thread", READ_TRACE_THREADS_MAX,
                    &read->thread) ||
        !read_number(r, object, "think_us", 0, &read->think_us))
        return false;
    if (is_chained && r->last[read->thread] > 0)
        read->after = r->last[read->thread] - 1;
    if (!read_whole(r, object, "after", r->number, &read->after))
        return false;
    if (read->after == READ_TRACE_NO_READ)
        read->think_us = 0;
    r->last[read->thread] = r->number + 1;
    return validate_start(r, read);
}

static bool read_read(struct reading *r, const cJSON *object,
                      struct traced_read *read, const char **path)
{
    read->task = SPN_TASK_USER;
    read->priority = SPN_PRIORITY_NORMAL;
    if (!cJSON_IsObject(object))
        return refuse(r, "", "is not an object");
    if (!read_path(r, object, path) ||
        !read_number(r, object, "at_us", r->at_us, &read->at_us) ||
        !read_number(r, object, "offset", 0, &read->offset) ||
        !read_number(r, object, "bytes", 0, &read->bytes) ||
        !read_number(r, object, "deadline_us", 0, &read->deadline_us) ||
        !read_word(r, object, "task", spn_record_task_name,
                   READ_TRACE_TASK_MAX + 1, &read->task) ||
        !read_word(r, object, "priority", spn_record_priority_name, 0,
                   &read->priority) ||
        !read_chain(r, object, read))
        return false;
    if (read->at_us < r->at_us)
        return refuse(r, "at_us", "is before that of the read before it");
    r->at_us = read->at_us;
    return true;
}

static bool validate_scene(const struct reading *r, const cJSON *scene)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(scene, "name");

    if (!cJSON_IsObject(scene))
        return refuse(r, "", "is not an object");
    if (!cJSON_IsString(name) || name->valuestring[0] == 0)
        return refuse(r, "name", "is not a text, or empty");
    if (strlen(name->valuestring) >= SPN_PATH_BYTES_MAX)
        return refuse(r, "name", "has more than 511 bytes");
    if (!cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(scene, "reads")))
        return refuse(r, "reads", "is not an array");
    return true;
}

/* Validate the scenes, and count their reads. */
static bool count_reads(struct reading *r, const cJSON *scenes, uint32_t *count)
{
    const cJSON *scene;

    *count = 0;
    cJSON_ArrayForEach(scene, scenes)
    {
        if (!validate_scene(r, scene))
            return false;
        *count += (uint32_t)cJSON_GetArraySize(
            cJSON_GetObjectItemCaseSensitive(scene, "reads"));
        r->scene++;
    }
    r->scene = 0;
    return true;
}

static bool read_scenes(struct reading *r, const cJSON *scenes)
{
    uint32_t at = 0;
    const cJSON *scene;
    const cJSON *read;

    cJSON_ArrayForEach(scene, scenes)
    {
        r->read = 0;
        cJSON_ArrayForEach(read,
                           cJSON_GetObjectItemCaseSensitive(scene, "reads"))
        {
            r->number = at;
            if (!read_read(r, read, &r->reads[at], &r->paths[at]))
                return false;
            r->scenes[at++] =
                cJSON_GetObjectItemCaseSensitive(scene, "name")->valuestring;
            r->read++;
        }
        r->scene++;
    }
    return true;
}

static bool is_trace(const cJSON *json)
{
    const cJSON *kind = cJSON_GetObjectItemCaseSensitive(json, "kind");

    return cJSON_IsString(kind) && strcmp(kind->valuestring, "trace") == 0;
}

static bool read_tree(const char *file, const cJSON *json, struct arena *arena,
                      struct read_trace *out, struct diag *diag)
{
    const cJSON *schema = cJSON_GetObjectItemCaseSensitive(json, "schema");
    const cJSON *scenes = cJSON_GetObjectItemCaseSensitive(json, "scenes");
    struct reading r = {.file = file, .diag = diag, .read = READ_TRACE_NO_READ};
    struct read_trace trace = {0};
    struct arena passing;
    bool is_good;

    if (!is_trace(json))
        return diag_refuse(diag, file, DIAG_NO_OFFSET, "kind",
                           "is not \"trace\"");
    if (!cJSON_IsNumber(schema) || schema->valuedouble != SCHEMA)
        return diag_refuse(diag, file, DIAG_NO_OFFSET, "schema",
                           "is not %d, the one that this build knows", SCHEMA);
    if (!cJSON_IsArray(scenes))
        return diag_refuse(diag, file, DIAG_NO_OFFSET, "scenes",
                           "is not an array");
    if (!count_reads(&r, scenes, &trace.read_count))
        return false;
    arena_init(&passing);
    trace.reads = ARENA_NEW(arena, struct traced_read, trace.read_count);
    r.reads = trace.reads;
    r.paths = ARENA_NEW(&passing, const char *, trace.read_count);
    r.scenes = ARENA_NEW(&passing, const char *, trace.read_count);
    r.last = ARENA_NEW(&passing, uint32_t, READ_TRACE_THREADS_MAX);
    r.start_us = ARENA_NEW(&passing, uint64_t, trace.read_count);
    is_good = read_scenes(&r, scenes);
    if (is_good) {
        read_trace_set_names(&trace, r.paths, r.scenes, arena);
        *out = trace;
    }
    arena_free(&passing);
    return is_good;
}

/* Find a zero byte in the text, plain or as an escape; NULL: none. A backslash
 * outside of strings is refused by cJSON. */
static const char *find_zero(const char *text, size_t bytes)
{
    const char *limit = text + bytes;

    for (const char *at = text; at < limit; at++) {
        if (*at == 0)
            return at;
        if (*at != '\\')
            continue;
        if (limit - at >= 6 && memcmp(at, "\\u0000", 6) == 0)
            return at;
        at++;
    }
    return NULL;
}

bool read_trace_parse(const char *file, const char *text, size_t bytes,
                      struct arena *arena, struct read_trace *out,
                      struct diag *diag)
{
    const char *end = text;
    const char *zero;
    cJSON *json;
    bool is_good;

    if (bytes > READ_TRACE_BYTES_MAX)
        return diag_refuse(diag, file, 0, NULL, "%zu bytes, at most %zu", bytes,
                           READ_TRACE_BYTES_MAX);
    /* A zero byte would end a name. */
    zero = find_zero(text, bytes);
    if (zero)
        return text_place_refuse(diag, file,
                                 text_place_find(text, (size_t)(zero - text)),
                                 NULL, "a zero byte within a text");
    /* The length includes the zero byte: nothing may follow the object. */
    json = cJSON_ParseWithLengthOpts(text, bytes + 1, &end, 1);
    if (!json)
        return text_place_refuse(diag, file,
                                 text_place_find(text, (size_t)(end - text)),
                                 NULL, "is not JSON");
    is_good = read_tree(file, json, arena, out, diag);
    cJSON_Delete(json);
    return is_good;
}

bool read_trace_load(const char *path, struct arena *arena,
                     struct read_trace *out, struct diag *diag)
{
    void *text;
    size_t bytes;
    bool is_good;

    if (!host_read_file(path, &text, &bytes, diag))
        return false;
    is_good = read_trace_parse(path, text, bytes, arena, out, diag);
    free(text);
    return is_good;
}
