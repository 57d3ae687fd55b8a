/* report.h - numbers for people, and JSON for machines.
 *
 * Every JSON output is one object on stdout that begins with "schema": 1 and
 * "verb". Fields are only ever added under the same schema.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMMON_REPORT_H
#define OFFLINE_COMMON_REPORT_H

#include "common/diag.h"

#include <cjson/cJSON.h>
#include <stddef.h>
#include <stdint.h>

#define REPORT_SCHEMA 1

/* A new object; never NULL (the process ends with EXIT_INTERNAL when there is
 * no memory). */
cJSON *report_begin(const char *verb);

/* Print on stdout and release. False when stdout refuses the bytes: already
 * reported through diag. */
bool report_end(cJSON *object, struct diag *diag);

/* Texts come from files: what is not UTF-8 is written as U+FFFD, so that the
 * output is always valid JSON. Not finite: null. */
void report_text(cJSON *object, const char *name, const char *text);
void report_number(cJSON *object, const char *name, double value);
void report_bool(cJSON *object, const char *name, bool value);
void report_null(cJSON *object, const char *name);
void report_floats(cJSON *object, const char *name, const float *values,
                   uint32_t count);
cJSON *report_array(cJSON *object, const char *name);
cJSON *report_object(cJSON *object, const char *name);
/* A new object at the end of an array. */
cJSON *report_item(cJSON *array);
void report_add_number(cJSON *array, double value);
void report_add_text(cJSON *array, const char *text);

/* The text as JSON has it, with its quotes; the caller frees it. */
char *report_quoted(const char *text);

/* A fault of a cache: `file`, `offset`, `what`, `status`, `value`, and
 * `expected` and `frame` where there are such. */
void report_fault(cJSON *object, const char *file, uint32_t frame,
                  const struct spn_fault *fault);
/* What was refused: a fault; else `file`, `offset` and `what`. `place`. */
void report_refusal(cJSON *object, const struct diag_refusal *refusal);

/* "873 B", "12.4 kB", "3.01 MB"; text has room for 16. */
const char *report_bytes(double bytes, char text[16]);

/* A name from a file, for people: what diag_is_control says becomes
 * '?'. At most `capacity`
 * with its NUL. */
const char *report_name(const char *name, char *text, size_t capacity);

#endif
