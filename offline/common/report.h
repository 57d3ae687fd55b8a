/* report.h - build and print the JSON report of a verb; format numbers for
 * text.
 *
 * A JSON report is one object on stdout that begins with "schema": 1 and
 * "verb". Under the same schema number fields are only added. The functions
 * wrap cJSON: their output is always valid JSON, and they end the process with
 * EXIT_INTERNAL when memory runs out.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMMON_REPORT_H
#define OFFLINE_COMMON_REPORT_H

#include "common/diag.h"

#include <cjson/cJSON.h>
#include <stddef.h>
#include <stdint.h>

#define REPORT_SCHEMA 1

/* Create the object of a report. */
cJSON *report_begin(const char *verb);

/* Print the object on stdout and release it. Returns false, after a refusal,
 * when stdout cannot be written. */
bool report_end(cJSON *object, struct diag *diag);

/* Add a field. In a text, bytes that are not UTF-8 become U+FFFD. A number that
 * is not finite becomes null. */
void report_text(cJSON *object, const char *name, const char *text);
void report_number(cJSON *object, const char *name, double value);
void report_bool(cJSON *object, const char *name, bool value);
void report_floats(cJSON *object, const char *name, const float *values,
                   uint32_t count);
cJSON *report_array(cJSON *object, const char *name);
cJSON *report_object(cJSON *object, const char *name);
/* Append a new object to an array. */
cJSON *report_item(cJSON *array);
void report_add_number(cJSON *array, double value);
void report_add_text(cJSON *array, const char *text);

/* Add a hash of 64 or 32 bits as a text of 16 or 8 hexadecimal digits: JSON has
 * no integers of 64 bits. */
void report_hash(cJSON *object, const char *name, uint64_t hash);
void report_hash_32(cJSON *object, const char *name, uint32_t hash);

/* Add the fields of a fault: `file`, `offset`, `what`, `status`, `value`, and
 * `expected` and `frame` if the fault has them. */
void report_fault(cJSON *object, const char *file, uint32_t frame,
                  const struct spn_fault *fault);
/* Add the fields of a refusal: those of its fault, or `file`, `offset` and
 * `what`; then `place`. */
void report_refusal(cJSON *object, const struct diag_refusal *refusal);

/* Format a size: "873 B", "12.4 kB", "3.01 MB". Returns `text`. */
const char *report_bytes(double bytes, char text[16]);

/* Copy a name from a file; control characters (diag_is_control) become '?'. The
 * copy has at most `capacity` bytes with its zero byte. Returns `text`. */
const char *report_name(const char *name, char *text, size_t capacity);

#endif
