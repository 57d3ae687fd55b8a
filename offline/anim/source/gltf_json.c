/* gltf_json.c - check types and ranges of JSON values. */
/* SPDX-License-Identifier: MIT */
#include "anim/source/gltf_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define PATH_BYTES 256u
#define PATH_VALUES_MAX 16u /* no value that is read lies deeper */
#define WHAT_BYTES 768u
/* Larger whole numbers are not exact in JSON. */
#define WHOLE_MAX ((uint64_t)1 << 53)

struct gltf_value gltf_get(const struct gltf_value *object, const char *key)
{
    struct gltf_value value = {object->source, NULL, object, key, 0};

    if (object->json)
        value.json = cJSON_GetObjectItemCaseSensitive(object->json, key);
    if (cJSON_IsNull(value.json))
        value.json = NULL;
    return value;
}

struct gltf_value gltf_item(const struct gltf_list *list, uint32_t index)
{
    struct gltf_value value = {list->value.source, list->items[index],
                               &list->value, NULL, index};

    return value;
}

bool gltf_list(const struct gltf_value *object, const char *key,
               struct arena *arena, struct gltf_list *list)
{
    const cJSON *item;
    uint64_t count = 0;

    memset(list, 0, sizeof *list);
    list->value = gltf_get(object, key);
    if (!list->value.json)
        return true;
    if (!cJSON_IsArray(list->value.json))
        return gltf_refuse(&list->value, "not an array");
    cJSON_ArrayForEach(item, list->value.json)
    {
        count++;
    }
    if (count > INT32_MAX)
        return gltf_refuse(&list->value, "more than %d elements", INT32_MAX);
    list->items = ARENA_NEW(arena, const cJSON *, count);
    cJSON_ArrayForEach(item, list->value.json)
    {
        list->items[list->count++] = item;
    }
    return true;
}

bool gltf_whole(const struct gltf_value *value, uint64_t high, uint64_t *out)
{
    double number;

    if (!value->json)
        return gltf_refuse(value, "missing");
    if (!cJSON_IsNumber(value->json))
        return gltf_refuse(value, "not a number");
    number = value->json->valuedouble;
    if (!(number >= 0 && number <= (double)WHOLE_MAX) ||
        number != floor(number))
        return gltf_refuse(value, "%.17g is no whole number of 0 or more",
                           number);
    if ((uint64_t)number > high)
        return gltf_refuse(value, "%.17g is above %" PRIu64, number, high);
    *out = (uint64_t)number;
    return true;
}

bool gltf_whole_or(const struct gltf_value *value, uint64_t high,
                   uint64_t fallback, uint64_t *out)
{
    if (value->json)
        return gltf_whole(value, high, out);
    *out = fallback;
    return true;
}

bool gltf_index(const struct gltf_value *value, uint32_t count,
                const char *things, uint32_t *out)
{
    uint64_t index;

    if (!gltf_whole(value, WHOLE_MAX, &index))
        return false;
    if (index >= count)
        return gltf_refuse(value, "%" PRIu64 ", but there are %u %s", index,
                           count, things);
    *out = (uint32_t)index;
    return true;
}

bool gltf_numbers(const struct gltf_value *value, uint32_t count, double *out)
{
    const cJSON *item;
    uint32_t i = 0;

    if (!value->json)
        return true;
    if (!cJSON_IsArray(value->json))
        return gltf_refuse(value, "not an array");
    cJSON_ArrayForEach(item, value->json)
    {
        struct gltf_value place = {value->source, item, value, NULL, i};

        if (i == count)
            return gltf_refuse(value, "more than %u numbers", count);
        if (!cJSON_IsNumber(item))
            return gltf_refuse(&place, "not a number");
        if (!isfinite(item->valuedouble))
            return gltf_refuse(&place, "%g is not finite", item->valuedouble);
        out[i++] = item->valuedouble;
    }
    return i == count || gltf_refuse(value, "%u numbers, not %u", i, count);
}

const char *gltf_text(const struct gltf_value *value)
{
    return value->json ? cJSON_GetStringValue(value->json) : NULL;
}

bool gltf_is_true(const struct gltf_value *value)
{
    return cJSON_IsTrue(value->json);
}

static void write_path(const struct gltf_value *value, char path[PATH_BYTES])
{
    const struct gltf_value *values[PATH_VALUES_MAX];
    uint32_t count = 0;
    size_t at = 0;

    for (; value->owner && count < PATH_VALUES_MAX; value = value->owner)
        values[count++] = value;
    path[0] = 0;
    while (count > 0 && at < PATH_BYTES) {
        const struct gltf_value *next = values[--count];
        int length = next->key ? snprintf(path + at, PATH_BYTES - at, "%s%s",
                                          at > 0 ? "." : "", next->key)
                               : snprintf(path + at, PATH_BYTES - at, "[%u]",
                                          next->index);

        at += length > 0 ? (size_t)length : 0;
    }
}

bool gltf_refuse(const struct gltf_value *value, const char *format, ...)
{
    char what[WHAT_BYTES];
    char path[PATH_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    write_path(value, path);
    return diag_refuse(value->source->diag, value->source->path, DIAG_NO_OFFSET,
                       path[0] ? path : NULL, "%s", what);
}

void gltf_warn(const struct gltf_value *value, const char *format, ...)
{
    char what[WHAT_BYTES];
    char path[PATH_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    write_path(value, path);
    diag_warn(value->source->diag, value->source->path, path[0] ? path : NULL,
              "%s", what);
}
