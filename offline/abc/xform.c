/* xform.c - transforms: a list of operations and their channels.
 *
 * The operations are those of sample 0 of .ops. The channels are in .vals, a
 * scalar property for up to 255 of them and an array above. Rotations are
 * right-handed, for row vectors, like in Alembic's library (Imath).
 */
/* SPDX-License-Identifier: MIT */
#include "abc/schema.h"

#include "abc/schema_read.h"
#include "base/endian.h"
#include "common/degrees.h"

#include <math.h>
#include <string.h>

enum operation {
    OP_SCALE,
    OP_TRANSLATE,
    OP_ROTATE,
    OP_MATRIX,
    OP_ROTATE_X,
    OP_ROTATE_Y,
    OP_ROTATE_Z,
    OP_COUNT
};

static const uint8_t op_channels[OP_COUNT] = {3, 3, 4, 16, 1, 1, 1};

static bool open_ops(const struct abc_archive *archive,
                     const struct abc_property *property, struct arena *arena,
                     struct abc_xform *xform)
{
    struct abc_sample sample;
    uint8_t *ops;

    if (!abc_expect(archive, property, ABC_SCALAR, ABC_U8, 0, arena))
        return false;
    if (property->sample_count == 0)
        return true;
    if (!abc_read(archive, property, 0, arena, &sample))
        return false;
    ops = ARENA_NEW(arena, uint8_t, sample.bytes);
    for (size_t i = 0; i < sample.bytes; i++) {
        ops[i] = sample.data[i];
        if (ops[i] >> 4 >= OP_COUNT)
            return ABC_REFUSE_SAMPLE(archive, property, 0u, arena,
                                     "operation %zu is 0x%02x", i, ops[i]);
        xform->channel_count += op_channels[ops[i] >> 4];
    }
    xform->ops = ops;
    xform->op_count = (uint32_t)sample.bytes;
    return true;
}

static bool open_values(const struct abc_archive *archive,
                        const struct abc_property *property,
                        struct arena *arena, struct abc_xform *xform)
{
    bool is_array = property->kind == ABC_ARRAY;

    if (!abc_expect(archive, property, is_array ? ABC_ARRAY : ABC_SCALAR,
                    ABC_F64, is_array ? 1 : 0, arena))
        return false;
    if (!is_array && property->extent < xform->channel_count)
        return diag_refuse(archive->diag, archive->file_name, property->offset,
                           abc_property_path(property, arena),
                           "%u channels, the operations need %u",
                           property->extent, xform->channel_count);
    xform->values = property;
    xform->value_count = property->sample_count;
    return true;
}

bool abc_xform_open(const struct abc_archive *archive,
                    const struct abc_object *object, struct arena *arena,
                    struct abc_xform *xform)
{
    const struct abc_property *compound =
        abc_schema_compound(archive, object, ".xform");
    const struct abc_property *property;

    if (!compound)
        return false;
    memset(xform, 0, sizeof *xform);
    xform->object = object;
    property = abc_find_any(compound, ".ops");
    if (property && !open_ops(archive, property, arena, xform))
        return false;
    property = abc_find_any(compound, ".vals");
    if (property && !open_values(archive, property, arena, xform))
        return false;
    property = abc_find_any(compound, ".inherits");
    if (property) {
        if (!abc_expect(archive, property, ABC_SCALAR, ABC_BOOL, 1, arena))
            return false;
        xform->inherits = property;
        xform->sample_count = property->sample_count;
    }
    xform->is_constant = (!xform->values || xform->values->is_constant) &&
                         (!xform->inherits || xform->inherits->is_constant);
    xform->is_identity = xform->op_count == 0 ||
                         !abc_find_any(compound, "isNotConstantIdentity");
    return true;
}

/* -- matrices -- */

static void set_identity(double m[16])
{
    for (int i = 0; i < 16; i++)
        m[i] = i % 5 == 0 ? 1.0 : 0.0;
}

/* m = left * m */
static void multiply_from_left(const double left[16], double m[16])
{
    double product[16];

    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 4; column++) {
            double sum = 0.0;

            for (int k = 0; k < 4; k++)
                sum += left[4 * row + k] * m[4 * k + column];
            product[4 * row + column] = sum;
        }
    memcpy(m, product, sizeof product);
}

static void set_rotation(double m[16], const double axis[3], double degrees)
{
    double length =
        sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    double inverse = length > 0.0 ? 1.0 / length : 0.0;
    double x = axis[0] * inverse;
    double y = axis[1] * inverse;
    double z = axis[2] * inverse;
    double s;
    double c;
    double t;

    degrees_sin_cos(degrees, &s, &c);
    t = 1.0 - c;
    set_identity(m);
    m[0] = x * x * t + c;
    m[1] = x * y * t + z * s;
    m[2] = x * z * t - y * s;
    m[4] = x * y * t - z * s;
    m[5] = y * y * t + c;
    m[6] = y * z * t + x * s;
    m[8] = x * z * t + y * s;
    m[9] = y * z * t - x * s;
    m[10] = z * z * t + c;
}

static void set_operation(double m[16], enum operation operation,
                          const double *channels)
{
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

    set_identity(m);
    switch (operation) {
    case OP_SCALE:
        for (int i = 0; i < 3; i++)
            m[5 * i] = channels[i];
        break;
    case OP_TRANSLATE:
        for (int i = 0; i < 3; i++)
            m[12 + i] = channels[i];
        break;
    case OP_ROTATE:
        set_rotation(m, channels, channels[3]);
        break;
    case OP_MATRIX:
        memcpy(m, channels, 16 * sizeof m[0]);
        break;
    case OP_ROTATE_X:
    case OP_ROTATE_Y:
    case OP_ROTATE_Z:
        set_rotation(m, axes[operation - OP_ROTATE_X], channels[0]);
        break;
    case OP_COUNT:
        break;
    }
}

static bool read_channels(const struct abc_archive *archive,
                          const struct abc_xform *xform, uint32_t index,
                          struct arena *arena, struct abc_sample *sample)
{
    if (!abc_read(archive, xform->values, index, arena, sample))
        return false;
    if (sample->bytes / 8 < xform->channel_count)
        return ABC_REFUSE_SAMPLE(archive, xform->values, index, arena,
                                 "%zu channels, the operations need %u",
                                 sample->bytes / 8, xform->channel_count);
    return true;
}

bool abc_xform_channels(const struct abc_archive *archive,
                        const struct abc_xform *xform, uint32_t index,
                        struct arena *arena, const double **channels)
{
    struct abc_sample sample;
    double *copy;

    if (!read_channels(archive, xform, index, arena, &sample))
        return false;
    copy = ARENA_NEW(arena, double, xform->channel_count);
    for (uint32_t i = 0; i < xform->channel_count; i++)
        copy[i] = spn_load_f64le(sample.data + 8 * (size_t)i);
    *channels = copy;
    return true;
}

const char *abc_xform_channel(const struct abc_xform *xform, uint32_t channel,
                              uint32_t *operation, uint32_t *part)
{
    static const char *const names[OP_COUNT] = {
        "scale",    "translate", "rotate",  "matrix",
        "rotate x", "rotate y",  "rotate z"};
    uint32_t i = 0;

    while (i + 1 < xform->op_count &&
           channel >= op_channels[xform->ops[i] >> 4])
        channel -= op_channels[xform->ops[i++] >> 4];
    *operation = i;
    *part = channel;
    return names[xform->ops[i] >> 4];
}

bool abc_xform_local(const struct abc_archive *archive,
                     const struct abc_xform *xform, uint32_t index,
                     struct arena *arena, double matrix[16])
{
    struct abc_sample sample;
    const uint8_t *data;
    double result[16];

    set_identity(result);
    if (xform->op_count == 0 || xform->value_count == 0) {
        memcpy(matrix, result, sizeof result);
        return true;
    }
    if (!read_channels(archive, xform, index, arena, &sample))
        return false;
    data = sample.data;
    for (uint32_t i = 0; i < xform->op_count; i++) {
        enum operation operation = (enum operation)(xform->ops[i] >> 4);
        double channels[16] = {0};
        double m[16];

        for (int k = 0; k < op_channels[operation]; k++, data += 8)
            channels[k] = spn_load_f64le(data);
        set_operation(m, operation, channels);
        multiply_from_left(m, result);
    }
    memcpy(matrix, result, sizeof result);
    return true;
}

bool abc_xform_inherits(const struct abc_archive *archive,
                        const struct abc_xform *xform, uint32_t index,
                        bool *out)
{
    struct abc_sample sample;
    struct arena arena;
    bool is_read;

    if (!xform->inherits || xform->inherits->sample_count == 0) {
        *out = true;
        return true;
    }
    arena_init(&arena);
    is_read = abc_read(archive, xform->inherits, index, &arena, &sample);
    if (is_read)
        *out = sample.data[0] != 0;
    arena_free(&arena);
    return is_read;
}
