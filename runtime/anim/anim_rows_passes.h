/* anim_rows_passes.h - the body of anim_rows.c, compiled once for each
 * instruction set.
 *
 * Passes without dependencies between places have no branches, so compilers
 * vectorize them.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_ANIM_ROWS_PASSES_H
#define SPN_ANIM_ANIM_ROWS_PASSES_H

#include "anim/anim_activity.h"
#include "anim/anim_rows.h"
#include "anim/anim_rows_codes.h"
#include "base/compiler.h"
#include "base/minmax.h"

/* Values of wide translations stay below 2^23, so that predictions from them do
 * not overflow. Encoders do not exceed it. */
static int32_t clamp_wide(int64_t value)
{
    return (int32_t)max_i64(-ANIM_WIDE_MAX, min_i64(ANIM_WIDE_MAX, value));
}

/* Values of the first frame from its decoded numbers. Returns 0, or 1 + the
 * number of a component of a translation that is out of range. */
static uint32_t finish_first_row(const struct anim_tracks *tracks,
                                 const int32_t *numbers,
                                 struct anim_window *window)
{
    const uint32_t row = anim_row_length(tracks);
    const uint32_t first = anim_row_translations(tracks);
    const uint32_t translations = tracks->translations.count;
    const uint32_t wide = tracks->wide_translations.count;
    uint32_t wrong = 0;

    for (uint32_t i = 0; i < row; i++)
        window->rows[i] = (int16_t)numbers[i];
    for (uint32_t k = 0; k < 3; k++)
        for (uint32_t i = 0; i < translations; i++) {
            const uint32_t at = k * translations + i;
            const int64_t v =
                (int64_t)tracks->translation_center[k][i] + numbers[first + at];
            const int64_t base = (v + (1 << 24) + 128) / 256 - (1 << 24) / 256;

            /* The other frames add at most 2^15. */
            if (v > ANIM_VALUE_MAX - 65536 || v < -(ANIM_VALUE_MAX - 65536))
                wrong = at + 1;
            window->base[at] = (int16_t)base;
            window->rows[first + at] = (int16_t)(v - 256 * base);
        }
    for (uint32_t k = 0; k < 3; k++)
        for (uint32_t i = 0; i < wide; i++) {
            const uint32_t at = k * wide + i;

            window->wide[at] = clamp_wide((int64_t)tracks->wide_center[k][i] +
                                          numbers[row + at]);
        }
    return wrong;
}

static uint32_t decode_first_row(const struct anim_tracks *tracks,
                                 const uint32_t *shapes, struct anim_reader *r,
                                 const struct row_arrays *a,
                                 struct anim_window *window)
{
    const uint32_t count = anim_place_count(tracks);

    for (uint32_t i = 0; i < count; i++) {
        set_class(a, i, anim_key_class(tracks->coding[i]));
        a->mean[i] = anim_first_mean(tracks->coding[i]);
    }
    decode_residuals(r, shapes, a, count);
    return finish_first_row(tracks, a->residuals, window);
}

/* Add residuals to predictions, and update the means. */
static void finish_row(const struct anim_schedule_frame *f, int16_t *rows,
                       const struct row_arrays *arrays, uint32_t count,
                       uint32_t inverse)
{
    const int16_t *a = rows + (size_t)f->source[0] * count;
    const int16_t *b = rows + (size_t)f->source[1] * count;
    const int16_t *c = rows + (size_t)f->source[2] * count;
    const int16_t *d = rows + (size_t)f->source[3] * count;
    int16_t *row = rows + (size_t)f->frame * count;

    for (uint32_t i = 0; i < count; i++) {
        const int16_t residual = (int16_t)arrays->residuals[i];
        const int32_t value =
            anim_predict(f, a[i], b[i], c[i], d[i]) + residual;
        const uint32_t magnitude =
            (uint32_t)(residual < 0 ? -residual : residual);

        row[i] = (int16_t)value;
        arrays->mean[i] = anim_next_mean(arrays->mean[i], magnitude, inverse);
    }
}

/* The same for wide translations, whose places begin at `first`. */
static void finish_wide(const struct anim_schedule_frame *f, int32_t *rows,
                        const struct row_arrays *arrays, uint32_t first,
                        uint32_t count, uint32_t inverse)
{
    const int32_t *a = rows + (size_t)f->source[0] * count;
    const int32_t *b = rows + (size_t)f->source[1] * count;
    const int32_t *c = rows + (size_t)f->source[2] * count;
    const int32_t *d = rows + (size_t)f->source[3] * count;
    int32_t *row = rows + (size_t)f->frame * count;
    uint32_t *mean = arrays->mean + first;

    for (uint32_t i = 0; i < count; i++) {
        const int64_t residual = arrays->residuals[first + i];
        const int64_t magnitude = residual < 0 ? -residual : residual;

        row[i] = clamp_wide(anim_predict(f, a[i], b[i], c[i], d[i]) + residual);
        mean[i] = anim_next_mean(mean[i], (uint32_t)min_i64(magnitude, 1 << 15),
                                 inverse);
    }
}

SPN_INLINE uint32_t decode_rows(const struct anim_clip *clip,
                                const struct anim_decoder_tables *tables,
                                struct anim_reader *reader, void *workspace,
                                struct anim_window *window)
{
    const struct anim_tracks *tracks = &clip->tracks;
    const uint32_t count = anim_place_count(tracks);
    const uint32_t row = anim_row_length(tracks);
    const struct anim_schedule *schedule =
        &tables->schedule[window->frame_count];
    const uint32_t *shapes = tables->symbols.slots[0];
    const struct row_arrays arrays = row_arrays_at(workspace, count);
    const uint32_t wrong =
        decode_first_row(tracks, shapes, reader, &arrays, window);

    if (wrong > 0)
        return wrong;
    for (uint32_t i = 1; i < window->frame_count; i++) {
        const struct anim_schedule_frame *f = &schedule->frames[i];
        const uint32_t factor = tracks->level_factor[f->level];

        choose_classes(&arrays, count, factor);
        decode_residuals(reader, shapes, &arrays, count);
        finish_row(f, window->rows, &arrays, row, 4096 / factor);
        finish_wide(f, window->wide, &arrays, row, count - row, 4096 / factor);
    }
    return 0;
}

#endif
