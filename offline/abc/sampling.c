/* sampling.c - converts between sample numbers and times.
 *
 * Times are ascending (archive.h), so the last sample at or before a time is
 * found by binary search.
 */
/* SPDX-License-Identifier: MIT */
#include "abc/sampling.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* Times that differ by less are equal, as in Alembic's own tools. A frame at
 * 1000 fps is a hundred times longer. */
#define SAME_TIME 1e-5
/* alpha is less than 1, even after rounding. */
#define BELOW_ONE (1.0 - DBL_EPSILON / 2)

double abc_sample_time(const struct abc_time_sampling *sampling, uint32_t index)
{
    uint32_t count = sampling->time_count;

    switch (sampling->type) {
    case ABC_UNIFORM:
        return sampling->times[0] + (double)index * sampling->time_per_cycle;
    case ABC_CYCLIC:
        return sampling->times[index % count] +
               /* NOLINTNEXTLINE(bugprone-integer-division): whole cycles. */
               (double)(index / count) * sampling->time_per_cycle;
    case ABC_ACYCLIC:
        break;
    }
    return sampling->times[index < count ? index : count - 1];
}

const char *abc_number_text(double value, int digits,
                            char text[ABC_NUMBER_BYTES])
{
    /* On some machines printf writes a sign before nan. */
    if (isnan(value))
        return "nan";
    if (isinf(value))
        return value > 0 ? "inf" : "-inf";
    snprintf(text, ABC_NUMBER_BYTES, "%.*g", digits, value);
    return text;
}

const char *abc_sample_text(const struct abc_archive *archive,
                            const struct abc_property *property, uint32_t index,
                            char text[ABC_SAMPLE_TEXT_BYTES])
{
    const struct abc_time_sampling *sampling =
        &archive->samplings[property->time_sampling];
    char number[ABC_NUMBER_BYTES];

    if (property->sample_count < 2)
        snprintf(text, ABC_SAMPLE_TEXT_BYTES, "sample %u", index);
    else
        snprintf(text, ABC_SAMPLE_TEXT_BYTES, "sample %u (%s s)", index,
                 abc_number_text(abc_sample_time(sampling, index), 9, number));
    return text;
}

/* Return the last sample at or before `time`; 0 if there is none. */
static uint32_t last_before(const struct abc_time_sampling *sampling,
                            uint32_t sample_count, double time)
{
    uint32_t first = 0; /* at or before, or 0 */
    uint32_t limit = sample_count;

    while (limit - first > 1) {
        uint32_t middle = first + (limit - first) / 2;

        if (abc_sample_time(sampling, middle) <= time)
            first = middle;
        else
            limit = middle;
    }
    return first;
}

struct abc_bracket abc_bracket_at(const struct abc_time_sampling *sampling,
                                  uint32_t sample_count, double time)
{
    struct abc_bracket bracket = {0, 0, 0.0};
    double floor_time;
    double ceil_time;

    if (sample_count == 0)
        return bracket;
    bracket.floor = last_before(sampling, sample_count, time + SAME_TIME);
    bracket.ceil = bracket.floor;
    floor_time = abc_sample_time(sampling, bracket.floor);
    if (bracket.floor == sample_count - 1 || !(time - floor_time > SAME_TIME))
        return bracket;
    bracket.ceil = bracket.floor + 1;
    ceil_time = abc_sample_time(sampling, bracket.ceil);
    /* The difference may overflow, so both are halved first. */
    bracket.alpha =
        (time / 2 - floor_time / 2) / (ceil_time / 2 - floor_time / 2);
    if (!(bracket.alpha < BELOW_ONE))
        bracket.alpha = BELOW_ONE;
    return bracket;
}
