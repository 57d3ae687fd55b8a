/* scene_transforms.c - scan transforms, and interpolate them at a time.
 *
 * All stored samples of a transform are read once. Between two samples matrices
 * are blended (math/tns.h).
 */
/* SPDX-License-Identifier: MIT */
#include "compile/scene/scene_transforms.h"

#include "abc/sampling.h"
#include "compile/report/format_value.h"

#include <math.h>
#include <string.h>

/* -- samples -- */

static bool same_sign(double a, double b)
{
    return a < 0 ? b < 0 : b >= 0;
}

/* Find the number to report: the first infinite one, else the first NaN, else
 * the first that is too large. An infinite number is the likely cause of NaNs.
 * Returns `count` if there is none. */
static uint32_t find_bad_number(const double *numbers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (isinf(numbers[i]))
            return i;
    for (uint32_t i = 0; i < count; i++)
        if (isnan(numbers[i]))
            return i;
    for (uint32_t i = 0; i < count; i++)
        if (!(fabs(numbers[i]) < MATRIX_NUMBER_MAX))
            return i;
    return count;
}

/* Refuse a sample of a transform: for one of its channels, or if all are
 * finite, for the matrix that its operations give. */
static bool refuse_matrix(const struct scene_import *import, uint32_t part,
                          uint32_t sample, const double m[16],
                          struct arena *scratch)
{
    static const char wide[] = ", more than single precision holds";
    const struct abc_xform *xform = &import->xforms[part];
    char text[ABC_SAMPLE_TEXT_BYTES];
    char number[FORMAT_NUMBER_BYTES];
    const double *channels;
    uint32_t operation;
    uint32_t channel;
    const char *name;
    uint32_t at;

    abc_sample_text(import->archive, xform->values, sample, text);
    if (!abc_xform_channels(import->archive, xform, sample, scratch, &channels))
        return false;
    at = find_bad_number(channels, xform->channel_count);
    if (at < xform->channel_count) {
        name = abc_xform_channel(xform, at, &operation, &channel);
        return compile_refuse(
            import->archive, REFUSAL_NOT_FINITE, import->parts[part].path,
            ".vals[%u] in %s, number %u of operation %u (%s), is %s%s", at,
            text, channel, operation, name, format_number(channels[at], number),
            isfinite(channels[at]) ? wide : "");
    }
    at = find_bad_number(m, 16);
    return compile_refuse(
        import->archive, REFUSAL_NOT_FINITE, import->parts[part].path,
        "the operations of .vals in %s make a matrix with %s in row %u, column "
        "%u%s",
        text, format_number(m[at], number), at / 4, at % 4,
        isfinite(m[at]) ? wide : "");
}

/* Read all stored samples of a transform: does it move, does it preserve
 * angles, has it shear? */
static bool scan_values(struct scene_import *import, uint32_t part,
                        bool is_survey, struct arena *scratch)
{
    const struct abc_xform *xform = &import->xforms[part];
    const struct abc_property *values = xform->values;
    uint32_t stored = values ? abc_stored_count(values) : 0;
    double first[16];
    struct tns first_tns = {0};

    for (uint32_t i = 0; i < stored; i++) {
        uint32_t sample = abc_stored_index(values, i);
        struct tns tns;
        double m[16];
        double shear;

        arena_reset(scratch);
        if (!abc_xform_local(import->archive, xform, sample, scratch, m))
            return false;
        if (!matrix_is_finite(m)) {
            import->parts[part].is_constant = stored < 2;
            return refuse_matrix(import, part, sample, m, scratch) || is_survey;
        }
        shear = tns_split(m, &tns);
        if (shear > TNS_SHEAR_MAX)
            import->parts[part].is_skewed = true;
        if (i == 0) {
            memcpy(first, m, sizeof first);
            first_tns = tns;
        }
        /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): of bytes. */
        if (memcmp(first, m, sizeof first) != 0)
            import->parts[part].is_constant = false;
        /* The limit is far below TNS_SHEAR_MAX: shear adds up in a product. */
        if (!tns_is_similarity(&tns) || shear > 1e-9 ||
            !same_sign(first_tns.scale[0], tns.scale[0]))
            import->parts[part].is_similarity = false;
    }
    return true;
}

static bool scan_inherits(struct scene_import *import, uint32_t part)
{
    const struct abc_xform *xform = &import->xforms[part];
    uint32_t stored = xform->inherits ? abc_stored_count(xform->inherits) : 0;
    bool first = true;

    for (uint32_t i = 0; i < stored; i++) {
        bool inherits;

        if (!abc_xform_inherits(import->archive, xform,
                                abc_stored_index(xform->inherits, i),
                                &inherits))
            return false;
        if (i == 0)
            first = inherits;
        if (inherits != first)
            import->parts[part].inherits = SCENE_INHERITS_SOMETIMES;
    }
    if (!first && import->parts[part].inherits == SCENE_INHERITS_ALWAYS)
        import->parts[part].inherits = SCENE_INHERITS_NEVER;
    return true;
}

bool scene_transforms_open(struct scene_import *import, bool is_survey,
                           struct arena *arena)
{
    struct arena scratch;
    bool is_good = true;

    import->xforms = ARENA_NEW(arena, struct abc_xform, import->part_count);
    arena_init(&scratch);
    for (uint32_t i = 0; is_good && i < import->part_count; i++) {
        if (import->parts[i].mesh >= 0)
            continue;
        is_good = abc_xform_open(import->archive, import->objects[i], arena,
                                 &import->xforms[i]) &&
                  scan_values(import, i, is_survey, &scratch) &&
                  scan_inherits(import, i);
    }
    arena_free(&scratch);
    return is_good;
}

/* -- matrix at a time -- */

static const struct abc_time_sampling *sampling_of(
    const struct abc_archive *archive, const struct abc_property *property)
{
    return &archive->samplings[property->time_sampling];
}

static bool matrix_at(const struct scene_import *import, uint32_t part,
                      double time, struct arena *arena, double m[16])
{
    const struct abc_xform *xform = &import->xforms[part];
    struct abc_bracket at = {0, 0, 0};
    double next[16];

    if (!import->parts[part].is_constant)
        at = abc_bracket_at(sampling_of(import->archive, xform->values),
                            xform->value_count, time);
    if (!abc_xform_local(import->archive, xform, at.floor, arena, m))
        return false;
    if (at.alpha <= 0)
        return true;
    if (!abc_xform_local(import->archive, xform, at.ceil, arena, next))
        return false;
    matrix_blend(m, next, at.alpha, m);
    return true;
}

bool scene_import_matrix(const void *user, uint32_t part, double time,
                         double m[16], bool *inherits)
{
    const struct scene_import *import = user;
    const struct abc_xform *xform = &import->xforms[part];
    struct arena arena;
    bool is_good;

    *inherits = import->parts[part].inherits == SCENE_INHERITS_ALWAYS;
    if (import->parts[part].mesh >= 0 || !xform->values) {
        matrix_identity(m);
        is_good = true;
    } else {
        arena_init(&arena);
        is_good = matrix_at(import, part, time, &arena, m);
        arena_free(&arena);
    }
    if (is_good && import->parts[part].inherits == SCENE_INHERITS_SOMETIMES) {
        struct abc_bracket at =
            abc_bracket_at(sampling_of(import->archive, xform->inherits),
                           xform->inherits->sample_count, time);
        return abc_xform_inherits(import->archive, xform, at.floor, inherits);
    }
    return is_good;
}
