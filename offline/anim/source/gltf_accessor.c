/* gltf_accessor.c - arrays of numbers in glTF buffers.
 *
 * All elements are checked against their buffer view before memory is allocated
 * for them. A sparse accessor has a list of elements that replace those of its
 * view, or zeros.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/source/gltf_file.h"
#include "base/endian.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum {
    COMPONENT_INT8 = 5120,
    COMPONENT_UINT8 = 5121,
    COMPONENT_INT16 = 5122,
    COMPONENT_UINT16 = 5123,
    COMPONENT_UINT32 = 5125,
    COMPONENT_FLOAT = 5126
};

static const struct {
    const char *name;
    uint32_t width;
} types[] = {
    {"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16},
};
#define TYPE_COUNT (sizeof types / sizeof types[0])

static uint32_t component_bytes(uint32_t component)
{
    switch (component) {
    case COMPONENT_INT8:
    case COMPONENT_UINT8:
        return 1;
    case COMPONENT_INT16:
    case COMPONENT_UINT16:
        return 2;
    case COMPONENT_UINT32:
    case COMPONENT_FLOAT:
        return 4;
    default:
        return 0;
    }
}

const char *gltf_component_name(uint32_t component)
{
    static const char *const names[] = {"int8", "uint8",  "int16", "uint16",
                                        "",     "uint32", "float"};

    return names[component - COMPONENT_INT8];
}

static bool check_type(const struct gltf_value *value,
                       struct gltf_accessor *accessor)
{
    struct gltf_value type = gltf_get(value, "type");
    struct gltf_value normalized = gltf_get(value, "normalized");
    struct gltf_value component = gltf_get(value, "componentType");
    const char *text = gltf_text(&type);
    char name[64];
    uint64_t number;

    if (!text)
        return gltf_refuse(&type, "missing");
    for (size_t i = 0; i < TYPE_COUNT; i++)
        if (strcmp(text, types[i].name) == 0) {
            accessor->type = types[i].name;
            accessor->width = types[i].width;
        }
    diag_name(text, name, sizeof name);
    if (accessor->width == 0)
        return gltf_refuse(&type, "\"%s\" is no type that animations have",
                           name);
    if (!gltf_whole(&component, UINT32_MAX, &number))
        return false;
    if (component_bytes((uint32_t)number) == 0)
        return gltf_refuse(&component, "%" PRIu64 " is no type of numbers",
                           number);
    accessor->component = (uint32_t)number;
    accessor->is_normalized =
        gltf_is_true(&normalized) && number != COMPONENT_FLOAT;
    if (accessor->is_normalized && number == COMPONENT_UINT32)
        return gltf_refuse(&normalized, "not allowed for 32-bit numbers");
    return true;
}

struct gltf_accessor *gltf_accessor(struct gltf_file *file,
                                    const struct gltf_value *user)
{
    struct gltf_accessor *accessor;
    struct gltf_value value;
    struct gltf_value sparse;
    struct gltf_value count_value;
    uint32_t index;
    uint64_t count;

    if (!gltf_index(user, file->accessor_list.count, "accessors", &index))
        return NULL;
    accessor = &file->accessors[index];
    if (accessor->is_checked)
        return accessor;
    value = gltf_item(&file->accessor_list, index);
    count_value = gltf_get(&value, "count");
    sparse = gltf_get(&value, "sparse");
    if (!check_type(&value, accessor) ||
        !gltf_whole(&count_value, UINT64_MAX, &count))
        return NULL;
    if (count == 0 || count > MOTION_KEYS_MAX) {
        gltf_refuse(&count_value, "%" PRIu64 " elements, not 1 to %" PRIu64,
                    count, MOTION_KEYS_MAX);
        return NULL;
    }
    accessor->count = (uint32_t)count;
    accessor->is_sparse = sparse.json != NULL;
    accessor->is_checked = true;
    return accessor;
}

/* -- decoding -- */

static double load(const uint8_t *bytes, uint32_t component)
{
    switch (component) {
    case COMPONENT_INT8:
        return (int8_t)bytes[0];
    case COMPONENT_UINT8:
        return bytes[0];
    case COMPONENT_INT16:
        return (int16_t)spn_load_u16le(bytes);
    case COMPONENT_UINT16:
        return spn_load_u16le(bytes);
    case COMPONENT_UINT32:
        return spn_load_u32le(bytes);
    default:
        return (double)spn_load_f32le(bytes);
    }
}

static double normalize(double value, uint32_t component)
{
    switch (component) {
    case COMPONENT_INT8:
        return value < -127 ? -1 : value / 127;
    case COMPONENT_UINT8:
        return value / 255;
    case COMPONENT_INT16:
        return value < -32767 ? -1 : value / 32767;
    default:
        return value / 65535;
    }
}

/* Where elements lie. */
struct elements {
    const uint8_t *data;
    uint64_t stride;
    uint64_t count;
};

static void decode_element(const struct gltf_accessor *accessor,
                           const struct elements *from, uint64_t element,
                           double *out)
{
    const uint8_t *bytes = from->data + element * from->stride;
    const uint32_t size = component_bytes(accessor->component);

    for (uint32_t i = 0; i < accessor->width; i++) {
        double value = load(bytes + i * size, accessor->component);

        out[i] = accessor->is_normalized ? normalize(value, accessor->component)
                                         : value;
    }
}

/* Find `elements->count` elements of `packed` bytes in the view that `owner`
 * names. */
static bool find_elements(struct gltf_file *file,
                          const struct gltf_value *owner, uint64_t packed,
                          bool may_stride, struct elements *elements)
{
    struct gltf_value view_value = gltf_get(owner, "bufferView");
    struct gltf_value offset_value = gltf_get(owner, "byteOffset");
    uint32_t view;
    uint64_t offset;

    elements->stride = packed;
    if (!gltf_index(&view_value, file->view_list.count, "buffer views",
                    &view) ||
        !gltf_whole_or(&offset_value, UINT64_MAX, 0, &offset) ||
        (may_stride &&
         !gltf_view_stride(file, view, packed, &elements->stride)))
        return false;
    return gltf_view(file, owner, view, offset,
                     (elements->count - 1) * elements->stride + packed,
                     &elements->data);
}

/* Read the index of a sparse element; it must be above the one before. */
static bool sparse_index(const struct gltf_value *value,
                         const struct gltf_accessor *accessor,
                         const struct elements *from, uint32_t component,
                         uint64_t element, int64_t *index)
{
    const int64_t next =
        (int64_t)load(from->data + element * from->stride, component);

    if (next >= accessor->count)
        return gltf_refuse(value,
                           "index %" PRIu64 " is %" PRId64
                           ", but there are %u elements",
                           element, next, accessor->count);
    if (next <= *index)
        return gltf_refuse(value,
                           "index %" PRIu64 " is %" PRId64
                           ", not above the one before, %" PRId64,
                           element, next, *index);
    *index = next;
    return true;
}

static bool decode_sparse(struct gltf_file *file,
                          const struct gltf_value *sparse, uint64_t packed,
                          struct gltf_accessor *accessor)
{
    struct gltf_value indices = gltf_get(sparse, "indices");
    struct gltf_value values = gltf_get(sparse, "values");
    struct gltf_value count_value = gltf_get(sparse, "count");
    struct gltf_value component_value = gltf_get(&indices, "componentType");
    struct elements index_elements = {0};
    struct elements value_elements = {0};
    uint64_t component;
    uint64_t count;
    int64_t index = -1;

    if (!gltf_whole(&count_value, accessor->count, &count) ||
        !gltf_whole(&component_value, UINT32_MAX, &component))
        return false;
    if (component != COMPONENT_UINT8 && component != COMPONENT_UINT16 &&
        component != COMPONENT_UINT32)
        return gltf_refuse(&component_value,
                           "%" PRIu64 " is no type of indices", component);
    if (count == 0)
        return true;
    index_elements.count = count;
    value_elements.count = count;
    if (!find_elements(file, &indices, component_bytes((uint32_t)component),
                       false, &index_elements) ||
        !find_elements(file, &values, packed, false, &value_elements))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        if (!sparse_index(&indices, accessor, &index_elements,
                          (uint32_t)component, i, &index))
            return false;
        decode_element(accessor, &value_elements, i,
                       accessor->values + index * accessor->width);
    }
    return true;
}

static bool check_finite(const struct gltf_value *value,
                         const struct gltf_accessor *accessor)
{
    if (accessor->component != COMPONENT_FLOAT)
        return true;
    for (uint64_t i = 0; i < (uint64_t)accessor->count * accessor->width; i++)
        if (!isfinite(accessor->values[i]))
            return gltf_refuse(
                value,
                "element %" PRIu64 ", number %" PRIu64 ": %g is not finite",
                i / accessor->width, i % accessor->width, accessor->values[i]);
    return true;
}

bool gltf_decode(struct gltf_file *file, const struct gltf_value *user,
                 struct gltf_accessor *accessor)
{
    const uint32_t index = (uint32_t)(accessor - file->accessors);
    struct gltf_value value = gltf_item(&file->accessor_list, index);
    struct gltf_value view = gltf_get(&value, "bufferView");
    struct gltf_value sparse = gltf_get(&value, "sparse");
    struct elements elements = {.count = accessor->count};
    const uint64_t numbers = (uint64_t)accessor->count * accessor->width;
    const uint64_t packed =
        (uint64_t)component_bytes(accessor->component) * accessor->width;

    if (accessor->values)
        return true;
    if (view.json && !find_elements(file, &value, packed, true, &elements))
        return false;
    if (!view.json && accessor->count > MOTION_ZEROS_MAX)
        return gltf_refuse(&value,
                           "%u elements without a buffer view, more than "
                           "%" PRIu64,
                           accessor->count, MOTION_ZEROS_MAX);
    if (numbers > MOTION_NUMBERS_MAX - file->number_count)
        return gltf_refuse(user,
                           "the file's keys have more than %" PRIu64 " numbers",
                           MOTION_NUMBERS_MAX);
    file->number_count += numbers;
    accessor->values = ARENA_NEW(&file->motion->arena, double, numbers);
    for (uint64_t i = 0; view.json && i < accessor->count; i++)
        decode_element(accessor, &elements, i,
                       accessor->values + i * accessor->width);
    if (sparse.json && !decode_sparse(file, &sparse, packed, accessor))
        return false;
    return check_finite(&value, accessor);
}
