/* abc_json.h - compare what we read with what the oracle says.
 *
 * Every function ends the running claim when something differs, naming the
 * object and the key. A key that is missing differs, unless a function says
 * otherwise. Link with cJSON.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_ABC_JSON_H
#define TESTS_SUPPORT_ABC_JSON_H

#include "harness.h"

#include <cjson/cJSON.h>

/* The object that messages name; kept, not copied. */
void json_place(const char *path);

const cJSON *json_get(const cJSON *object, const char *key);
const cJSON *json_find(const cJSON *object, const char *key); /* or NULL */
size_t json_count(const cJSON *array);
double json_number(const cJSON *item); /* "nan", "inf", "-inf" too */

void json_expect_int(const cJSON *object, const char *key, long long value);
void json_expect_bool(const cJSON *object, const char *key, bool value);
/* Is `expected`, a string of the oracle, this UTF-8? */
bool json_is_text(const char *expected, const char *value);
void json_expect_string(const cJSON *object, const char *key,
                        const char *value);
/* XXH64 of the bytes; of this machine's numbers of 4 or 8 bytes as they are in
 * a file, lowest byte first. */
void json_expect_number_hash(const cJSON *object, const char *key,
                             const void *numbers, size_t count, size_t width);
void json_expect_hash(const cJSON *object, const char *key, const void *bytes,
                      size_t count);
/* Equal after printing with 17 digits. */
void json_expect_double(const cJSON *item, double value);
/* Equal after printing with 9 digits. */
void json_expect_float(const cJSON *item, float value);
/* Sixteen numbers, equal within what thirteen digits and a different order
 * of additions leave. */
void json_expect_matrix(const cJSON *item, const double matrix[16]);

_Noreturn __attribute__((format(printf, 1, 2))) void json_fail(
    const char *format, ...);

#endif
