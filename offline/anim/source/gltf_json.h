/* gltf_json.h - values of a glTF document, with their paths for messages.
 *
 * A path looks like "animations[2].samplers[0].input".
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_SOURCE_GLTF_JSON_H
#define OFFLINE_ANIM_SOURCE_GLTF_JSON_H

#include "common/arena.h"
#include "common/diag.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

/* What messages need. */
struct gltf_source {
    const char *path;
    struct diag *diag;
};

/* A value; `owner` must stay where it is while the value is used. */
struct gltf_value {
    const struct gltf_source *source;
    const cJSON *json;              /* NULL: the document does not have it */
    const struct gltf_value *owner; /* NULL: the root */
    const char *key;                /* in an object; NULL: in an array */
    uint32_t index;                 /* in an array */
};

/* An array whose elements can be reached by their index. */
struct gltf_list {
    struct gltf_value value;
    uint32_t count;
    const cJSON **items;
};

/* Find a member; one that is null counts as missing. The owner may itself be
 * missing. */
struct gltf_value gltf_get(const struct gltf_value *object, const char *key);
/* The element `index` of a list. */
struct gltf_value gltf_item(const struct gltf_list *list, uint32_t index);

/* Find an array of objects or numbers; a missing one is empty. Returns false
 * after a refusal. */
bool gltf_list(const struct gltf_value *object, const char *key,
               struct arena *arena, struct gltf_list *list);

/* Read a whole number of 0..high. */
bool gltf_whole(const struct gltf_value *value, uint64_t high, uint64_t *out);
/* The same; a missing one is `fallback`. */
bool gltf_whole_or(const struct gltf_value *value, uint64_t high,
                   uint64_t fallback, uint64_t *out);
/* Read an index of a list that is not missing. `things` names its elements. */
bool gltf_index(const struct gltf_value *value, uint32_t count,
                const char *things, uint32_t *out);
/* Read an array of `count` finite numbers. If it is missing, *out stays. */
bool gltf_numbers(const struct gltf_value *value, uint32_t count, double *out);
/* A text; NULL if it is missing or of another type. */
const char *gltf_text(const struct gltf_value *value);
bool gltf_is_true(const struct gltf_value *value);

/* Refuse the file at a value. Always returns false. */
__attribute__((format(printf, 2, 3))) bool gltf_refuse(
    const struct gltf_value *value, const char *format, ...);
/* Warn at a value. */
__attribute__((format(printf, 2, 3))) void gltf_warn(
    const struct gltf_value *value, const char *format, ...);

#endif
