/* abc_json.h - compare values with those of an oracle's JSON.
 *
 * Every function ends the running claim when something differs, naming the
 * object and the key. A missing key differs, unless the function's comment says
 * otherwise. Link with cJSON.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_ABC_JSON_H
#define TESTS_SUPPORT_ABC_JSON_H

#include "harness.h"

#include <cjson/cJSON.h>

/* Set the object that messages name. The string is kept, not copied. */
void json_place(const char *path);

const cJSON *json_get(const cJSON *object, const char *key);
const cJSON *json_find(const cJSON *object, const char *key); /* or NULL */
size_t json_count(const cJSON *array);
double json_number(const cJSON *item); /* also reads "nan", "inf", "-inf" */

void json_expect_int(const cJSON *object, const char *key, long long value);
void json_expect_bool(const cJSON *object, const char *key, bool value);
/* Whether the oracle's string `expected` equals this UTF-8 text. */
bool json_is_text(const char *expected, const char *value);
void json_expect_string(const cJSON *object, const char *key,
                        const char *value);
/* Compare with the oracle's XXH64 of the bytes. Numbers of 4 or 8 bytes in this
 * machine's order are hashed in little-endian order, as in a file. */
void json_expect_number_hash(const cJSON *object, const char *key,
                             const void *numbers, size_t count, size_t width);
void json_expect_hash(const cJSON *object, const char *key, const void *bytes,
                      size_t count);
/* Equal after printing with 17 digits. */
void json_expect_double(const cJSON *item, double value);
/* Equal after printing with 9 digits. */
void json_expect_float(const cJSON *item, float value);
/* Sixteen numbers, equal within the precision of thirteen digits and a
 * different order of additions. */
void json_expect_matrix(const cJSON *item, const double matrix[16]);

_Noreturn __attribute__((format(printf, 1, 2))) void json_fail(
    const char *format, ...);

#endif
