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
#include "fill/fill.h"

#include "base/assert.h"
#include "base/compiler.h"
#include "base/cpu.h"
#include "base/mem.h"
#include "fill/fill_plan.h"

#include <stdbool.h>
#include <stddef.h>

/* One batch on its way: `count` vertices of a source from `first` on. */
struct batch {
    const struct fill_ops *ops;
    const struct fill_constants *constants;
    const struct fill_source *source;
    uint32_t first;
    uint32_t count;
    size_t pitch;
    uint32_t turn;              /* alpha of rotations, in 2^-15ths */
    uint32_t bytes[FILL_BATCH]; /* from the target to each vertex */
    uint32_t hand[FILL_BATCH];  /* 1 or -1; once a run where all are alike */
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

/* -- attributes into columns -- */

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

/* The batch's part of a channel, whose ceil is NULL where floor is. */
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

/* Values of four bytes go to the engine as they lie in memory. */
static void copy_words(uint32_t *out, const uint8_t *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        memcpy(out + i, values + 4 * (size_t)i, 4);
}

/* Without UVs they are 0, in every format. */
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

/* Without colours they are 1. */
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

/* -- the tangent frame -- */

static bool is_mixed(const struct batch *batch)
{
    return batch->constants->reflection == CACHE_REFLECTION_MIXED &&
           batch->source->reflection != NULL;
}

static void settle_rotations(struct batch *batch)
{
    batch->turn = (uint32_t)(batch->source->alpha * 32768.0f + 0.5f);
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

/* The file's own values, negated where w has the wrong sign; a w of 0 becomes
 * one step, and -32768, which has no opposite, -32767. */
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
        .alpha = batch->turn,
        .hand = batch->hand};

    if (wanted.qtangent.format == SPN_FORMAT_QUANTIZED) {
        write_quantized_qtangents(batch, values.floor, wanted.qtangent.out);
        wanted.qtangent.format = SPN_FORMAT_NONE;
    }
    if (wanted.alpha == 32768) { /* the ceil is all there is */
        values.floor = values.ceil;
        wanted.alpha = 0;
    }
    if (wanted.normal.format != SPN_FORMAT_NONE ||
        wanted.tangent.format != SPN_FORMAT_NONE ||
        wanted.qtangent.format != SPN_FORMAT_NONE)
        batch->ops->frame(batch->ops, &wanted, &values);
}

/* -- positions and velocities -- */

/* Values of six bytes are no words: they go straight to the vertices. NULL:
 * zeros. */
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

/* From positions, without what the mesh's box adds: that would cost digits. */
static void write_motion(const struct batch *batch,
                         const struct fill_placed *placed, uint32_t *words)
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
        write_motion(batch, placed, words);
}

/* -- a run -- */

/* Not in the same frame as the columns, which are nearly all that a frame may
 * have. */
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

/* Columns live on the stack, less than 2 KiB of them: not in the same frame as
 * the plan of what calls this. */
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

/* Below 2^-24 of a step between quantized values nothing can be seen; this
 * also keeps subnormals out, which some machines flush to zero. */
static float fraction(float alpha)
{
    if (!(alpha >= 5.9604645e-08f))
        return 0;
    return alpha < 1.0f ? alpha : 1.0f;
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

/* Vertices [first, limit). */
static void fill_some(struct batch *batch, const struct fill_plan *plan,
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

/* Vertices that go to places of their own are coarse before fine: about this
 * part of them stands for all others far apart. The fine ones lie side by side,
 * so they go first, and bring the buffer's lines in order; the coarse ones find
 * them in a near cache. A buffer that no cache has is filled in 15 % less time.
 */
#define COARSE_PART 4u

void spn__fill_run(const struct fill_ops *ops,
                   const struct fill_constants *constants,
                   const struct fill_source *source,
                   const spn_vertex_layout *layout, void *vertices)
{
    const uint32_t stride = layout->stride;
    struct fill_source settled = *source;
    struct fill_plan plan;
    struct batch batch;
    uint32_t coarse = 0;

    SPN_ASSERT(stride != 0);
    spn__fill_plan(&plan, layout);
    settle(&settled);
    batch.ops = ops;
    batch.constants = constants;
    batch.source = &settled;
    batch.pitch = plan.batch;
    settle_rotations(&batch);
    for (uint32_t i = 0; i < plan.batch; i++)
        batch.bytes[i] = i * stride;
    if (settled.order)
        coarse = settled.count / COARSE_PART;
    fill_some(&batch, &plan, coarse, settled.count, stride, vertices);
    fill_some(&batch, &plan, 0, coarse, stride, vertices);
}
