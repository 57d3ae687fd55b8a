/* abc_json.c - compares values with an oracle's JSON. */
/* SPDX-License-Identifier: MIT */
#include "support/abc_json.h"

#include "base/endian.h"
#include "harness.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const char *place = "";

void json_place(const char *path)
{
    place = path;
}

void json_fail(const char *format, ...)
{
    va_list arguments;
    char text[512];

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    test_fail("oracle", 0, "%s: %s", place, text);
}

const cJSON *json_find(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

const cJSON *json_get(const cJSON *object, const char *key)
{
    const cJSON *item = json_find(object, key);

    if (!item)
        json_fail("the oracle has no %s", key);
    return item;
}

size_t json_count(const cJSON *array)
{
    if (!cJSON_IsArray(array))
        json_fail("%s is no list", array->string ? array->string : "item");
    return (size_t)cJSON_GetArraySize(array);
}

double json_number(const cJSON *item)
{
    if (cJSON_IsNumber(item))
        return item->valuedouble;
    if (cJSON_IsString(item))
        return strtod(item->valuestring, NULL);
    json_fail("%s is no number", item->string ? item->string : "item");
}

void json_expect_int(const cJSON *object, const char *key, long long value)
{
    double expected = json_number(json_get(object, key));

    if (expected != (double)value)
        json_fail("%s is %lld, expected %.0f", key, value, expected);
}

void json_expect_bool(const cJSON *object, const char *key, bool value)
{
    const cJSON *item = json_get(object, key);

    if (!cJSON_IsBool(item) || cJSON_IsTrue(item) != value)
        json_fail("%s is %s, expected otherwise", key,
                  value ? "true" : "false");
}

/* The oracles write a name's bytes as characters of the same number: above
 * 0x7f these are two bytes of UTF-8 each. */
bool json_is_text(const char *expected, const char *value)
{
    for (; *value; value++) {
        unsigned char c = (unsigned char)*value;

        if (c >= 0x80 && (unsigned char)*expected++ != (0xc0 | c >> 6))
            return false;
        if (c >= 0x80)
            c = (unsigned char)(0x80 | (c & 0x3f));
        if ((unsigned char)*expected++ != c)
            return false;
    }
    return *expected == 0;
}

void json_expect_string(const cJSON *object, const char *key, const char *value)
{
    const cJSON *item = json_get(object, key);

    if (!cJSON_IsString(item) || !json_is_text(item->valuestring, value))
        json_fail("%s is \"%s\", expected \"%s\"", key, value,
                  cJSON_IsString(item) ? item->valuestring : "(no string)");
}

void json_expect_hash(const cJSON *object, const char *key, const void *bytes,
                      size_t count)
{
    const cJSON *item = json_get(object, key);
    char text[32];

    snprintf(text, sizeof text, "%016llx",
             (unsigned long long)XXH64(bytes, count, 0));
    if (!cJSON_IsString(item) || strcmp(item->valuestring, text) != 0)
        json_fail("%s hashes to %s, expected %s", key, text,
                  cJSON_IsString(item) ? item->valuestring : "(no string)");
}

void json_expect_number_hash(const cJSON *object, const char *key,
                             const void *numbers, size_t count, size_t width)
{
    uint8_t *bytes = malloc(count * width + 1);

    CHECK(bytes != NULL && (width == 4 || width == 8));
    for (size_t i = 0; i < count; i++) {
        const char *from = (const char *)numbers + i * width;
        uint32_t four;
        uint64_t eight;

        if (width == 4) {
            memcpy(&four, from, 4);
            spn_store_u32le(bytes + i * width, four);
        } else {
            memcpy(&eight, from, 8);
            spn_store_u64le(bytes + i * width, eight);
        }
    }
    json_expect_hash(object, key, bytes, count * width);
    free(bytes);
}

void json_expect_double(const cJSON *item, double value)
{
    double expected = json_number(item);

    if (expected != value && !(isnan(expected) && isnan(value)))
        json_fail("%s is %.17g, expected %.17g",
                  item->string ? item->string : "item", value, expected);
}

void json_expect_float(const cJSON *item, float value)
{
    float expected = (float)json_number(item);

    if (expected != value && !(isnan(expected) && isnan(value)))
        json_fail("%s is %.9g, expected %.9g",
                  item->string ? item->string : "item", (double)value,
                  (double)expected);
}

void json_expect_matrix(const cJSON *item, const double matrix[16])
{
    const cJSON *number = item->child;

    if (json_count(item) != 16)
        json_fail("a matrix has %zu numbers", json_count(item));
    for (int i = 0; i < 16; i++, number = number->next) {
        double expected = json_number(number);
        double tolerance = 1e-11 * (1.0 + fabs(expected));

        if (!(fabs(expected - matrix[i]) <= tolerance))
            json_fail("matrix element %d is %.17g, expected %.17g", i,
                      matrix[i], expected);
    }
}
