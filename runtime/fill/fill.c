/* fill.c - convert a run of vertices in batches, by the kernels of fill_ops.h.
 */
/* SPDX-License-Identifier: MIT */
#include "fill/fill.h"

#include "base/assert.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "fill/fill_plan.h"

#include <stdbool.h>
#include <stddef.h>

/* Vertices [first, first + count) of a source. */
struct batch {
    const struct fill_ops *ops;
    const struct fill_constants *constants;
    const struct fill_source *source;
    uint32_t first;
    uint32_t count;
    size_t pitch;
    uint32_t rotation_alpha;    /* alpha in units of 2^-15 */
    uint32_t bytes[FILL_BATCH]; /* offset of each vertex in the target */
    uint32_t hand[FILL_BATCH];  /* handedness; if all are equal, it is set once
                                   for a run */
};

void spn__fill_constants(const struct cache_mesh *mesh,
                         struct fill_constants *out)
{
    for (uint32_t c = 0; c < CHANNEL_COUNT; c++)
        for (uint32_t k = 0; k < 3; k++) {
            const struct channel_range *range = &mesh->range[c];
            const uint32_t largest = (1u << range->bits[k]) - 1u;

            out->range[c].min[k] = range->min[k];
            out->range[c].step[k] =
                largest > 0 ? range->size[k] / (float)largest : 0;
        }
    out->range[CHANNEL_POSITION].fourth = 1;
    out->range[CHANNEL_VELOCITY].fourth = 0;
    out->reflection = mesh->reflection;
}

/* Converting attributes to columns. */

static void set_columns(uint32_t *out, size_t word_count, float value)
{
    for (size_t i = 0; i < word_count; i++)
        out[i] = fill_word(value);
}

static struct fill_target target_of(const struct batch *batch,
                                    const struct fill_placed *placed,
                                    uint32_t *words)
{
    const struct fill_target target = {placed->format,
                                       words + placed->column * batch->pitch};

    return target;
}

/* A channel of the batch's vertices. Either both of floor and ceil are NULL or
 * none of them. */
static struct fill_values values_of(const struct batch *batch,
                                    enum channel channel, const void *floor,
                                    const void *ceil, float alpha)
{
    const size_t at = (size_t)batch->first * channel_vertex_bytes(channel);
    struct fill_values values = {NULL, NULL, alpha, batch->count, batch->pitch};

    if (floor != NULL) {
        values.floor = (const uint8_t *)floor + at;
        values.ceil = (const uint8_t *)ceil + at;
    }
    return values;
}

static struct fill_values channel_values(const struct batch *batch,
                                         enum channel channel)
{
    const struct fill_source *source = batch->source;

    return values_of(batch, channel, source->floor[channel],
                     source->ceil[channel], source->alpha);
}

/* Values of four bytes are copied unchanged. */
static void copy_words(uint32_t *out, const uint8_t *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        memcpy(out + i, values + 4 * (size_t)i, 4);
}

/* A mesh without UVs gets 0, in every format. */
static void write_uvs(const struct batch *batch, enum channel channel,
                      const struct fill_placed *placed, uint32_t *words)
{
    const struct fill_target to = target_of(batch, placed, words);
    const struct fill_values values = channel_values(batch, channel);

    if (values.floor == NULL)
        set_columns(to.out, placed->column_count * batch->pitch, 0);
    else if (to.format == SPN_FORMAT_QUANTIZED)
        copy_words(to.out, values.floor, values.count);
    else
        batch->ops->uv(batch->ops, &to, &values,
                       &batch->constants->range[channel]);
}

/* A mesh without colours gets 1. */
static void write_colors(const struct batch *batch,
                         const struct fill_placed *placed, uint32_t *words)
{
    const struct fill_target to = target_of(batch, placed, words);
    const struct fill_values values = channel_values(batch, CHANNEL_COLOR);

    if (values.floor != NULL && to.format == SPN_FORMAT_QUANTIZED)
        copy_words(to.out, values.floor, values.count);
    else if (values.floor != NULL)
        batch->ops->color(batch->ops, &to, &values);
    else if (to.format == SPN_FORMAT_F32X4)
        set_columns(to.out, 4 * batch->pitch, 1.0f);
    else
        memset(to.out, 255, 4 * batch->pitch);
}

/* Tangent frames. */

static bool is_mixed(const struct batch *batch)
{
    return batch->constants->reflection == CACHE_REFLECTION_MIXED &&
           batch->source->reflection != NULL;
}

static void init_rotations(struct batch *batch)
{
    batch->rotation_alpha = (uint32_t)(batch->source->alpha * 32768.0f + 0.5f);
    if (!is_mixed(batch))
        set_columns(batch->hand, batch->pitch,
                    batch->constants->reflection == CACHE_REFLECTION_ALL
                        ? -1.0f
                        : 1.0f);
}

static void find_handedness(struct batch *batch)
{
    const struct fill_source *source = batch->source;

    if (is_mixed(batch))
        batch->ops->handedness(batch->hand, source->reflection,
                               source->reflection_first + batch->first,
                               batch->count);
}

/* Copy quantized QTangents. One is negated if its w has the wrong sign. A w of
 * 0 becomes one step. -32768 cannot be negated and becomes -32767. */
static void write_quantized_qtangents(const struct batch *batch,
                                      const int16_t *floor, uint32_t *out)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        int16_t values[4];
        const bool is_reflected = batch->hand[i] >> 31 != 0;
        bool is_flipped;

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

static void write_tangent_frames(const struct batch *batch,
                                 const struct fill_plan *plan, uint32_t *words)
{
    const struct fill_placed *attribute = plan->attribute;
    struct fill_values values = channel_values(batch, CHANNEL_QTANGENT);
    struct fill_frame wanted = {
        .normal = target_of(batch, attribute + ATTRIBUTE_NORMAL, words),
        .tangent = target_of(batch, attribute + ATTRIBUTE_TANGENT, words),
        .qtangent = target_of(batch, attribute + ATTRIBUTE_QTANGENT, words),
        .alpha = batch->rotation_alpha,
        .hand = batch->hand};

    if (wanted.qtangent.format == SPN_FORMAT_QUANTIZED) {
        write_quantized_qtangents(batch, values.floor, wanted.qtangent.out);
        wanted.qtangent.format = SPN_FORMAT_NONE;
    }
    if (wanted.alpha == 32768) { /* alpha rounds to 1: the ceil */
        values.floor = values.ceil;
        wanted.alpha = 0;
    }
    if (wanted.normal.format != SPN_FORMAT_NONE ||
        wanted.tangent.format != SPN_FORMAT_NONE ||
        wanted.qtangent.format != SPN_FORMAT_NONE)
        batch->ops->frame(batch->ops, &wanted, &values);
}

/* Positions and velocities. */

/* Values of six bytes do not fill words, so they are copied to the vertices
 * without columns. values == NULL: zeros. */
static void copy_six(const struct batch *batch, uint8_t *target,
                     const uint8_t *values)
{
    static const uint8_t zeros[6];

    for (uint32_t i = 0; i < batch->count; i++)
        memcpy(target + batch->bytes[i],
               values ? values + 6 * (size_t)i : zeros, 6);
}

static void write_positions(const struct batch *batch,
                            const struct fill_placed *placed,
                            const struct fill_values *values, uint32_t *words,
                            uint8_t *target)
{
    const struct fill_target to = target_of(batch, placed, words);

    SPN_ASSERT(values->floor != NULL);
    if (to.format == SPN_FORMAT_QUANTIZED)
        copy_six(batch, target + placed->offset, values->floor);
    else
        batch->ops->position(batch->ops, &to, values,
                             &batch->constants->range[CHANNEL_POSITION]);
}

/* Velocities from positions. The minimum of the range cancels out and is not
 * added, because adding it would lose precision. */
static void write_position_velocities(const struct batch *batch,
                                      const struct fill_placed *placed,
                                      uint32_t *words)
{
    const struct fill_source *source = batch->source;
    const struct fill_target to = target_of(batch, placed, words);
    const struct fill_values values =
        values_of(batch, CHANNEL_POSITION, source->velocity_floor,
                  source->velocity_ceil, 0);
    float scale[3];

    for (uint32_t k = 0; k < 3; k++)
        scale[k] = batch->constants->range[CHANNEL_POSITION].step[k] *
                   source->velocity_rate;
    if (values.floor != NULL)
        batch->ops->velocity(batch->ops, &to, &values, scale);
    else
        set_columns(to.out, placed->column_count * batch->pitch, 0);
}

static void write_velocities(const struct batch *batch,
                             const struct fill_placed *placed, uint32_t *words,
                             uint8_t *target)
{
    const struct fill_target to = target_of(batch, placed, words);
    const struct fill_values values = channel_values(batch, CHANNEL_VELOCITY);

    if (to.format == SPN_FORMAT_QUANTIZED)
        copy_six(batch, target + placed->offset, values.floor);
    else if (values.floor != NULL)
        batch->ops->position(batch->ops, &to, &values,
                             &batch->constants->range[CHANNEL_VELOCITY]);
    else
        write_position_velocities(batch, placed, words);
}

/* -- a run -- */

/* Not inlined: together with the columns of fill_batch its locals would exceed
 * the limit of a stack frame. */
static SPN_NOINLINE void fill_columns(struct batch *batch,
                                      const struct fill_plan *plan,
                                      uint32_t *words, uint8_t *target)
{
    const struct fill_source *source = batch->source;
    const struct fill_placed *attribute = plan->attribute;
    struct fill_values values;

    if (attribute[ATTRIBUTE_POSITION].format != SPN_FORMAT_NONE) {
        values = channel_values(batch, CHANNEL_POSITION);
        write_positions(batch, attribute + ATTRIBUTE_POSITION, &values, words,
                        target);
    }
    if (attribute[ATTRIBUTE_PREVIOUS].format != SPN_FORMAT_NONE) {
        values = values_of(batch, CHANNEL_POSITION, source->previous_floor,
                           source->previous_ceil, source->previous_alpha);
        write_positions(batch, attribute + ATTRIBUTE_PREVIOUS, &values, words,
                        target);
    }
    if (attribute[ATTRIBUTE_UV].format != SPN_FORMAT_NONE)
        write_uvs(batch, CHANNEL_UV, attribute + ATTRIBUTE_UV, words);
    if (attribute[ATTRIBUTE_SECOND_UV].format != SPN_FORMAT_NONE)
        write_uvs(batch, CHANNEL_SECOND_UV, attribute + ATTRIBUTE_SECOND_UV,
                  words);
    if (attribute[ATTRIBUTE_COLOR].format != SPN_FORMAT_NONE)
        write_colors(batch, attribute + ATTRIBUTE_COLOR, words);
    if (attribute[ATTRIBUTE_VELOCITY].format != SPN_FORMAT_NONE)
        write_velocities(batch, attribute + ATTRIBUTE_VELOCITY, words, target);
    find_handedness(batch);
    write_tangent_frames(batch, plan, words);
}

/* The columns are on the stack, less than 2 KiB. Not inlined, so that they are
 * not in the same stack frame as the plan. */
static SPN_NOINLINE void fill_batch(struct batch *batch,
                                    const struct fill_plan *plan,
                                    uint8_t *target)
{
    uint32_t words[FILL_WORDS];

    fill_columns(batch, plan, words, target);
    for (uint32_t i = 0; i < plan->store_count; i++) {
        const struct fill_store *store = plan->store + i;

        batch->ops->store(target + store->offset, batch->bytes,
                          words + store->column * batch->pitch, batch->pitch,
                          store->column_count, batch->count);
    }
}

/* Replace what is not read by the floor: with alpha 0 the ceil, and previous
 * positions that are not given. */
static void normalize_source(struct fill_source *source)
{
    source->alpha = fill_fraction(source->alpha);
    source->previous_alpha = fill_fraction(source->previous_alpha);
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

/* Vertices [first, limit). */
static void fill_vertices(struct batch *batch, const struct fill_plan *plan,
                          uint32_t first, uint32_t limit, uint32_t stride,
                          uint8_t *vertices)
{
    const uint16_t *order = batch->source->order;

    for (; first < limit; first += batch->count) {
        const uint32_t left = limit - first;

        batch->first = first;
        batch->count = left < plan->batch ? left : plan->batch;
        if (order)
            batch->ops->offsets(batch->bytes, order + first, stride,
                                batch->count);
        fill_batch(batch, plan,
                   order ? vertices : vertices + (size_t)first * stride);
    }
}

/* With an order, vertices are those of a hierarchy, coarse levels first. About
 * one in COARSE_PART vertices is of a coarse level; these are far apart in the
 * target. Vertices of the finest level are adjacent. They are written first, so
 * the cache lines of the target are fetched in order, and the coarse vertices
 * then hit the cache. This takes 15 % less time for a target that is not in any
 * cache. */
#define COARSE_PART 4u

void spn__fill_run(const struct fill_ops *ops,
                   const struct fill_constants *constants,
                   const struct fill_source *source,
                   const spn_vertex_layout *layout, void *vertices)
{
    const uint32_t stride = layout->stride;
    struct fill_source normalized = *source;
    struct fill_plan plan;
    struct batch batch;
    uint32_t coarse = 0;

    SPN_ASSERT(stride != 0);
    spn__fill_plan(&plan, layout);
    SPN_ASSERT(plan.batch > 0 && plan.batch <= FILL_BATCH);
    normalize_source(&normalized);
    batch.ops = ops;
    batch.constants = constants;
    batch.source = &normalized;
    batch.pitch = plan.batch;
    init_rotations(&batch);
    for (uint32_t i = 0; i < plan.batch; i++)
        batch.bytes[i] = i * stride;
    if (normalized.order)
        coarse = normalized.count / COARSE_PART;
    fill_vertices(&batch, &plan, coarse, normalized.count, stride, vertices);
    fill_vertices(&batch, &plan, 0, coarse, stride, vertices);
}
