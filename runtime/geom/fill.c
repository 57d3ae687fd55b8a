/* fill.c - batches of vertices through the kernels into the caller's layout.
 *
 * A plan, made once per run, gives every attribute its columns in the order
 * of offsets; attributes that touch are stored together, at most 16 bytes at
 * a time. Bytes of the vertex that no attribute covers are never touched.
 *
 * Nothing is judged here: the layout was checked, the constants are finite.
 * Values may be anything; no value leads to a NaN conversion or a trap.
 */
/* SPDX-License-Identifier: MIT */
#include "geom/fill.h"

#include "base/assert.h"
#include "base/cpu.h"
#include "base/mem.h"
#include "geom/fill_plan.h"

#include <stdbool.h>
#include <stddef.h>

#define SCRATCH_COLUMNS 4u

/* Columns live on the stack: at most two frames of less than 2 KiB at a time,
 * which inlining would add up to one of four. */
#if defined(__GNUC__) || defined(__clang__)
#define OWN_FRAME __attribute__((noinline))
#else
#define OWN_FRAME
#endif

/* One batch on its way; `source` holds pointers to its first vertex. */
struct batch {
    const struct fill_ops *ops;
    const struct fill_constants *constants;
    struct fill_source source;
    size_t pitch;
    const size_t *bytes; /* from the target to each vertex */
};

void spn__fill_ops_init(struct fill_ops *ops, uint32_t cpu)
{
    spn__fill_ops_scalar(ops);
    spn__fill_ops_pack(ops);
    if (cpu & SPN_CPU_SSE41)
        spn__fill_ops_sse41(ops);
    if (cpu & SPN_CPU_AVX2)
        spn__fill_ops_avx2(ops);
    if (cpu & SPN_CPU_NEON)
        spn__fill_ops_neon(ops);
}

void spn__fill_constants(const struct cache_mesh *mesh,
                         struct fill_constants *out)
{
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t largest = (1u << mesh->position_bits[k]) - 1u;

        out->position_min[k] = mesh->position_min[k];
        out->position_step[k] = mesh->position_size[k] / (float)largest;
    }
    for (uint32_t k = 0; k < 2; k++) {
        out->uv_min[k] = mesh->uv_min[k];
        out->uv_step[k] = mesh->uv_size[k] / 65535.0f;
    }
    out->reflection = mesh->reflection;
}

/* ---- attributes into columns -------------------------------------------- */

static void set_columns(uint32_t *out, size_t word_count, float value)
{
    for (size_t i = 0; i < word_count; i++)
        out[i] = fill_word(value);
}

static void finish(const struct batch *batch, spn_format format, uint32_t *out,
                   const uint32_t *scratch)
{
    batch->ops->pack[format](out, scratch, batch->pitch, batch->source.count);
}

static OWN_FRAME void write_positions(const struct batch *batch,
                                      const void *floor, const void *ceil,
                                      float alpha, spn_format format,
                                      uint32_t *out)
{
    uint32_t scratch[SCRATCH_COLUMNS * FILL_BATCH];
    const size_t pitch = batch->pitch;
    const bool is_packed = batch->ops->pack[format] != NULL;

    batch->ops->position(is_packed ? scratch : out, pitch, floor, ceil, alpha,
                         batch->source.count, batch->constants);
    if (is_packed) {
        set_columns(scratch + 3 * pitch, pitch, 1.0f);
        finish(batch, format, out, scratch);
    }
}

/* Steps times their size, without what the mesh's box adds: that would cost
 * digits. */
static void offset_columns(const struct batch *batch, const void *values,
                           uint32_t *out)
{
    struct fill_constants constants = *batch->constants;

    for (uint32_t k = 0; k < 3; k++)
        constants.position_min[k] = 0;
    batch->ops->position(out, batch->pitch, values, values, 0,
                         batch->source.count, &constants);
}

static OWN_FRAME void write_velocities(const struct batch *batch,
                                       spn_format format, uint32_t *out)
{
    uint32_t from[3 * FILL_BATCH];
    uint32_t to[SCRATCH_COLUMNS * FILL_BATCH];
    const struct fill_source *source = &batch->source;
    const size_t pitch = batch->pitch;
    uint32_t *columns = format == SPN_FORMAT_F32X3 ? out : to;

    set_columns(columns, 3 * pitch, 0);
    if (source->velocity_floor != NULL) {
        offset_columns(batch, source->velocity_floor, from);
        offset_columns(batch, source->velocity_ceil, to);
        for (size_t k = 0; k < 3; k++)
            for (size_t i = 0; i < source->count; i++) {
                const size_t at = k * pitch + i;

                columns[at] =
                    fill_word((fill_float(to[at]) - fill_float(from[at])) *
                              source->velocity_rate);
            }
    }
    if (format != SPN_FORMAT_F32X3) {
        set_columns(to + 3 * pitch, pitch, 0);
        finish(batch, format, out, to);
    }
}

/* Values of four bytes go to the engine as they lie in memory. */
static void copy_words(uint32_t *out, const uint8_t *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        memcpy(out + i, values + 4 * (size_t)i, 4);
}

static OWN_FRAME void write_uvs(const struct batch *batch, spn_format format,
                                uint32_t *out)
{
    uint32_t scratch[2 * FILL_BATCH];
    const size_t pitch = batch->pitch;
    const void *floor = batch->source.floor[CHANNEL_UV];
    const bool is_packed = format != SPN_FORMAT_F32X2;

    if (format == SPN_FORMAT_QUANTIZED) {
        if (floor != NULL)
            copy_words(out, floor, batch->source.count);
        else
            set_columns(out, pitch, 0);
        return;
    }
    if (floor != NULL)
        batch->ops->uv(is_packed ? scratch : out, pitch, floor,
                       batch->source.ceil[CHANNEL_UV], batch->source.alpha,
                       batch->source.count, batch->constants);
    else
        set_columns(is_packed ? scratch : out, 2 * pitch, 0);
    if (is_packed)
        finish(batch, format, out, scratch);
}

static OWN_FRAME void write_colors(const struct batch *batch, spn_format format,
                                   uint32_t *out)
{
    uint32_t scratch[SCRATCH_COLUMNS * FILL_BATCH];
    const size_t pitch = batch->pitch;
    const void *floor = batch->source.floor[CHANNEL_COLOR];
    const bool is_packed = format != SPN_FORMAT_F32X4;
    const float one = is_packed ? 1.0f : 255.0f;

    if (format == SPN_FORMAT_QUANTIZED && floor != NULL) {
        copy_words(out, floor, batch->source.count);
        return;
    }
    if (format == SPN_FORMAT_QUANTIZED)
        format = SPN_FORMAT_UNORM8X4; /* of the white below */
    if (floor != NULL)
        batch->ops->color(is_packed ? scratch : out, pitch, floor,
                          batch->source.ceil[CHANNEL_COLOR],
                          batch->source.alpha, batch->source.count, one);
    else
        set_columns(is_packed ? scratch : out, 4 * pitch, 255.0f / one);
    if (is_packed)
        finish(batch, format, out, scratch);
}

/* ---- the tangent frame -------------------------------------------------- */

static void find_handedness(const struct batch *batch, uint32_t *out)
{
    const struct fill_source *source = &batch->source;
    const uint8_t reflection = batch->constants->reflection;

    if (reflection == CACHE_REFLECTION_MIXED && source->reflection != NULL)
        batch->ops->handedness(out, source->reflection,
                               source->reflection_first, source->count);
    else
        set_columns(out, batch->pitch,
                    reflection == CACHE_REFLECTION_ALL ? -1.0f : 1.0f);
}

/* The file's own values, negated where w has the wrong sign; a w of 0 becomes
 * one step, and -32768, which has no opposite, -32767. */
static OWN_FRAME void write_quantized_qtangents(const struct batch *batch,
                                                uint32_t *out)
{
    uint32_t hand[FILL_BATCH];
    const int16_t *floor = batch->source.floor[CHANNEL_QTANGENT];

    find_handedness(batch, hand);
    for (uint32_t i = 0; i < batch->source.count; i++) {
        int16_t values[4] = {0, 0, 0, QTANGENT_ONE};
        /* NOLINTNEXTLINE(clang-analyzer-*): as many are set. */
        const bool is_reflected = hand[i] >> 31 != 0;
        bool is_flipped;

        if (floor != NULL)
            memcpy(values, floor + 4 * (size_t)i, sizeof values);
        is_flipped = is_reflected ? values[3] > 0 : values[3] < 0;
        for (uint32_t k = 0; k < 4; k++) {
            if (values[k] < -INT16_MAX)
                values[k] = -INT16_MAX;
            if (is_flipped)
                values[k] = (int16_t)-values[k];
        }
        if (values[3] == 0)
            values[3] = is_reflected ? -1 : 1;
        memcpy(&out[i], values, 4);
        memcpy(&out[batch->pitch + i], values + 2, 4);
    }
}

static void find_quaternions(const struct batch *batch, uint32_t *out)
{
    const void *floor = batch->source.floor[CHANNEL_QTANGENT];
    const size_t pitch = batch->pitch;

    if (floor != NULL) {
        batch->ops->qtangent(out, pitch, floor,
                             batch->source.ceil[CHANNEL_QTANGENT],
                             batch->source.alpha, batch->source.count);
        return;
    }
    set_columns(out, 3 * pitch, 0);
    set_columns(out + 3 * pitch, pitch, 1.0f);
}

static OWN_FRAME void write_tangent_frames(const struct batch *batch,
                                           const struct fill_plan *plan,
                                           uint32_t *words)
{
    uint32_t quaternion[SCRATCH_COLUMNS * FILL_BATCH];
    uint32_t vector[SCRATCH_COLUMNS * FILL_BATCH];
    const struct fill_ops *ops = batch->ops;
    const size_t pitch = batch->pitch;
    const uint32_t count = batch->source.count;
    const struct fill_placed *normal = plan->attribute + ATTRIBUTE_NORMAL;
    const struct fill_placed *tangent = plan->attribute + ATTRIBUTE_TANGENT;
    const struct fill_placed *qtangent = plan->attribute + ATTRIBUTE_QTANGENT;

    find_quaternions(batch, quaternion);
    if (normal->column_count != 0) {
        uint32_t *out = words + normal->column * pitch;
        const bool is_packed = ops->pack[normal->format] != NULL;

        ops->normal(is_packed ? vector : out, quaternion, pitch, count);
        if (is_packed) {
            set_columns(vector + 3 * pitch, pitch, 0);
            finish(batch, normal->format, out, vector);
        }
    }
    if (tangent->column_count != 0) {
        uint32_t *out = words + tangent->column * pitch;
        const bool is_packed = ops->pack[tangent->format] != NULL;
        uint32_t *columns = is_packed ? vector : out;

        ops->tangent(columns, quaternion, pitch, count);
        if (tangent->format != SPN_FORMAT_F32X3)
            find_handedness(batch, columns + 3 * pitch);
        if (is_packed)
            finish(batch, tangent->format, out, vector);
    }
    if (qtangent->column_count != 0 &&
        qtangent->format != SPN_FORMAT_QUANTIZED) {
        uint32_t *out = words + qtangent->column * pitch;
        const bool is_packed = ops->pack[qtangent->format] != NULL;

        find_handedness(batch, vector);
        ops->orient(is_packed ? quaternion : out, quaternion, vector, pitch,
                    count);
        if (is_packed)
            finish(batch, qtangent->format, out, quaternion);
    }
}

/* ---- a run -------------------------------------------------------------- */

static void copy_positions(const struct batch *batch, uint8_t *target,
                           const uint8_t *values)
{
    for (uint32_t i = 0; i < batch->source.count; i++)
        memcpy(target + batch->bytes[i], values + 6 * (size_t)i, 6);
}

/* Positions of six bytes are no words: they go straight to the vertices. */
static void write_position_attribute(const struct batch *batch,
                                     const struct fill_placed *placed,
                                     const void *floor, const void *ceil,
                                     float alpha, uint32_t *words,
                                     uint8_t *target)
{
    if (placed->format == SPN_FORMAT_NONE)
        return;
    SPN_ASSERT(floor != NULL);
    if (placed->format == SPN_FORMAT_QUANTIZED)
        copy_positions(batch, target + placed->offset, floor);
    else
        write_positions(batch, floor, ceil, alpha, placed->format,
                        words + placed->column * batch->pitch);
}

static OWN_FRAME void fill_batch(const struct batch *batch,
                                 const struct fill_plan *plan, uint8_t *target)
{
    uint32_t words[FILL_WORDS];
    const struct fill_source *source = &batch->source;
    const struct fill_placed *attribute = plan->attribute;
    const struct fill_placed *uv = attribute + ATTRIBUTE_UV;
    const struct fill_placed *color = attribute + ATTRIBUTE_COLOR;
    const struct fill_placed *velocity = attribute + ATTRIBUTE_VELOCITY;
    const size_t pitch = batch->pitch;
    const spn_format qtangent_format = attribute[ATTRIBUTE_QTANGENT].format;

    write_position_attribute(
        batch, attribute + ATTRIBUTE_POSITION, source->floor[CHANNEL_POSITION],
        source->ceil[CHANNEL_POSITION], source->alpha, words, target);
    write_position_attribute(batch, attribute + ATTRIBUTE_PREVIOUS,
                             source->previous_floor, source->previous_ceil,
                             source->previous_alpha, words, target);
    if (uv->column_count != 0)
        write_uvs(batch, uv->format, words + uv->column * pitch);
    if (color->column_count != 0)
        write_colors(batch, color->format, words + color->column * pitch);
    if (velocity->column_count != 0)
        write_velocities(batch, velocity->format,
                         words + velocity->column * pitch);
    if (qtangent_format == SPN_FORMAT_QUANTIZED)
        write_quantized_qtangents(
            batch, words + attribute[ATTRIBUTE_QTANGENT].column * pitch);
    if (attribute[ATTRIBUTE_NORMAL].column_count != 0 ||
        attribute[ATTRIBUTE_TANGENT].column_count != 0 ||
        (qtangent_format != SPN_FORMAT_NONE &&
         qtangent_format != SPN_FORMAT_QUANTIZED))
        write_tangent_frames(batch, plan, words);

    for (uint32_t i = 0; i < plan->store_count; i++) {
        const struct fill_store *store = plan->store + i;

        batch->ops->store(target + store->offset, batch->bytes,
                          words + store->column * pitch, pitch,
                          store->column_count, source->count);
    }
}

/* Below 2^-24 of a step between quantized values nothing can be seen; this
 * also keeps subnormals out, which some machines flush to zero. */
static float fraction(float alpha)
{
    if (!(alpha >= 5.9604645e-08f))
        return 0;
    return alpha < 1.0f ? alpha : 1.0f;
}

static const void *later(const void *values, uint32_t bytes)
{
    return values != NULL ? (const uint8_t *)values + bytes : NULL;
}

/* With alpha 0 the floor stands for both: the same values, half the reads. */
static void settle(struct fill_source *source)
{
    source->alpha = fraction(source->alpha);
    source->previous_alpha = fraction(source->previous_alpha);
    for (uint32_t k = 0; k < CHANNEL_COUNT; k++)
        if (source->alpha == 0 || source->ceil[k] == NULL)
            source->ceil[k] = source->floor[k];
    if (source->previous_floor == NULL) {
        source->previous_floor = source->floor[CHANNEL_POSITION];
        source->previous_ceil = source->ceil[CHANNEL_POSITION];
        source->previous_alpha = source->alpha;
    }
    if (source->previous_alpha == 0 || source->previous_ceil == NULL)
        source->previous_ceil = source->previous_floor;
}

static void advance(struct fill_source *source, uint32_t count)
{
    const uint32_t position_bytes =
        count * channel_vertex_bytes(CHANNEL_POSITION);

    for (uint32_t k = 0; k < CHANNEL_COUNT; k++) {
        const uint32_t bytes = count * channel_vertex_bytes((enum channel)k);

        source->floor[k] = later(source->floor[k], bytes);
        source->ceil[k] = later(source->ceil[k], bytes);
    }
    source->previous_floor = later(source->previous_floor, position_bytes);
    source->previous_ceil = later(source->previous_ceil, position_bytes);
    source->velocity_floor = later(source->velocity_floor, position_bytes);
    source->velocity_ceil = later(source->velocity_ceil, position_bytes);
    source->reflection_first += count;
}

void spn__fill_run(const struct fill_ops *ops,
                   const struct fill_constants *constants,
                   const struct fill_source *source,
                   const spn_vertex_layout *layout, void *vertices)
{
    size_t bytes[FILL_BATCH];
    struct batch batch = {.ops = ops, .constants = constants, .bytes = bytes};
    struct fill_plan plan;
    uint32_t done = 0;

    SPN_ASSERT(layout->stride != 0);
    spn__fill_plan(&plan, layout);
    batch.source = *source;
    batch.pitch = plan.batch;
    settle(&batch.source);
    while (done < source->count) {
        const uint32_t left = source->count - done;
        const uint32_t count = left < plan.batch ? left : plan.batch;

        for (uint32_t i = 0; i < count; i++)
            bytes[i] = (size_t)layout->stride *
                       (source->order ? source->order[done + i] : done + i);
        batch.source.count = count;
        fill_batch(&batch, &plan, vertices);
        advance(&batch.source, count);
        done += count;
    }
}
