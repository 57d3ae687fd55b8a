/* report.c - a layer over cJSON, and formatted sizes. */
/* SPDX-License-Identifier: MIT */
#include "common/report.h"

#include "base/text.h"
#include "common/arena.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cJSON *report_begin(const char *verb)
{
    cJSON *object = arena_require(cJSON_CreateObject());

    report_number(object, "schema", REPORT_SCHEMA);
    report_text(object, "verb", verb);
    return object;
}

bool report_end(cJSON *object, struct diag *diag)
{
    char *text = arena_require(cJSON_Print(object));
    bool is_done = fputs(text, stdout) >= 0 && fputc('\n', stdout) >= 0 &&
                   fflush(stdout) == 0;

    cJSON_free(text);
    cJSON_Delete(object);
    if (!is_done)
        return diag_io(diag, "standard output", 0, "cannot write");
    return true;
}

/* Copy a text; bytes that are not UTF-8 become U+FFFD. */
static char *clean_text(const char *text)
{
    size_t left = strlen(text);
    char *clean = arena_require(malloc(left * 3 + 1));
    size_t length = 0;

    while (left > 0) {
        size_t bytes = spn__text_sequence(text, left);

        memcpy(clean + length, bytes ? text : "\xef\xbf\xbd",
               bytes ? bytes : 3);
        length += bytes ? bytes : 3;
        text += bytes ? bytes : 1;
        left -= bytes ? bytes : 1;
    }
    clean[length] = 0;
    return clean;
}

void report_text(cJSON *object, const char *name, const char *text)
{
    char *clean = clean_text(text);

    arena_require(cJSON_AddStringToObject(object, name, clean));
    free(clean);
}

void report_hash(cJSON *object, const char *name, uint64_t hash)
{
    char text[17];

    snprintf(text, sizeof text, "%016" PRIx64, hash);
    report_text(object, name, text);
}

void report_hash_32(cJSON *object, const char *name, uint32_t hash)
{
    char text[9];

    snprintf(text, sizeof text, "%08" PRIx32, hash);
    report_text(object, name, text);
}

void report_number(cJSON *object, const char *name, double value)
{
    if (isfinite(value))
        arena_require(cJSON_AddNumberToObject(object, name, value));
    else
        arena_require(cJSON_AddNullToObject(object, name));
}

void report_bool(cJSON *object, const char *name, bool value)
{
    arena_require(cJSON_AddBoolToObject(object, name, value));
}

cJSON *report_array(cJSON *object, const char *name)
{
    return arena_require(cJSON_AddArrayToObject(object, name));
}

cJSON *report_object(cJSON *object, const char *name)
{
    return arena_require(cJSON_AddObjectToObject(object, name));
}

cJSON *report_item(cJSON *array)
{
    cJSON *item = arena_require(cJSON_CreateObject());

    cJSON_AddItemToArray(array, item);
    return item;
}

void report_add_number(cJSON *array, double value)
{
    cJSON_AddItemToArray(array, arena_require(isfinite(value)
                                                  ? cJSON_CreateNumber(value)
                                                  : cJSON_CreateNull()));
}

void report_add_text(cJSON *array, const char *text)
{
    char *clean = clean_text(text);

    cJSON_AddItemToArray(array, arena_require(cJSON_CreateString(clean)));
    free(clean);
}

void report_floats(cJSON *object, const char *name, const float *values,
                   uint32_t count)
{
    cJSON *array = report_array(object, name);

    for (uint32_t i = 0; i < count; i++) {
        char digits[32];

        /* Round to the shortest decimal that reads back as the same float. */
        snprintf(digits, sizeof digits, "%.9g", (double)values[i]);
        report_add_number(array, strtod(digits, NULL));
    }
}

void report_fault(cJSON *object, const char *file, uint32_t frame,
                  const struct spn_fault *fault)
{
    report_text(object, "file", file);
    report_number(object, "offset", (double)fault->offset);
    report_text(object, "what", fault->what ? fault->what : "data");
    report_text(object, "status", spn_status_name(fault->status));
    report_number(object, "value", (double)fault->value);
    if (fault->has_expected)
        report_number(object, "expected", (double)fault->expected);
    if (frame != DIAG_NO_FRAME)
        report_number(object, "frame", frame);
}

void report_refusal(cJSON *object, const struct diag_refusal *refusal)
{
    if (refusal->fault.status != SPN_OK) {
        report_fault(object, refusal->file, refusal->frame, &refusal->fault);
    } else {
        if (refusal->file[0])
            report_text(object, "file", refusal->file);
        if (refusal->offset != DIAG_NO_OFFSET)
            report_number(object, "offset", (double)refusal->offset);
        report_text(object, "what", refusal->what);
    }
    if (refusal->place[0])
        report_text(object, "place", refusal->place);
}

const char *report_bytes(double bytes, char text[16])
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    unsigned unit = 0;

    while (bytes >= 999.5 && unit < 4) {
        bytes /= 1000;
        unit++;
    }
    snprintf(text, 16,
             unit == 0       ? "%.0f %s"
             : bytes < 9.995 ? "%.2f %s"
             : bytes < 99.95 ? "%.1f %s"
                             : "%.0f %s",
             bytes, units[unit]);
    return text;
}

const char *report_name(const char *name, char *text, size_t capacity)
{
    size_t length = 0;

    for (const char *at = name; *at && length + 1 < capacity; at++) {
        bool is_control = diag_is_control(at);

        text[length++] = is_control ? '?' : *at;
        /* The bytes of one character become one "?". */
        while (is_control && ((unsigned char)at[1] & 0xc0) == 0x80)
            at++;
    }
    text[length] = 0;
    return text;
}
