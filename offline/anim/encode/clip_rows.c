/* clip_rows.c - rows from lattices, prediction errors, and the parameters with
 * which they take the fewest bits.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/encode/clip_rows.h"

#include "anim/anim_activity.h"
#include "anim/encode/affine.h"
#include "anim/encode/residual_cost.h"

#include <float.h>
#include <string.h>

#define FLOAT_LIMIT 32000.0 /* integers of a float track in a window */

/* -- float tracks -- */

static void choose_float(const struct dense_clip *clip, uint32_t track,
                         double precision, struct float_lattice *t,
                         struct arena *arena)
{
    const uint32_t tracks = clip->float_track_count;
    double low = DBL_MAX;
    double high = -DBL_MAX;
    double step;

    for (uint32_t f = 0; f < clip->frame_count; f++) {
        const double v = (double)clip->floats[(size_t)f * tracks + track];

        low = fmin(low, v);
        high = fmax(high, v);
    }
    t->center = (float)((low + high) / 2);
    if (high - low <= 2 * precision) {
        if (low == high)
            t->center = (float)low;
        t->form = t->center == 0 ? ANIM_FORM_REST : ANIM_FORM_CONSTANT;
        return;
    }
    t->form = clip->float_is_step[track] ? ANIM_FORM_STEP : ANIM_FORM_LINEAR;
    step = fmax(1.9 * precision, (high - low) / 2 / FLOAT_LIMIT);
    while (t->step_code + 1 < ANIM_STEP_CODES &&
           (double)spn__anim_step(t->step_code + 1) <= step)
        t->step_code++;
    t->values = ARENA_NEW(arena, int32_t, clip->frame_count);
    for (uint32_t f = 0; f < clip->frame_count; f++) {
        const double v = (double)clip->floats[(size_t)f * tracks + track];
        const double n = rint((v - (double)t->center) /
                              (double)spn__anim_step(t->step_code));

        t->values[f] = (int32_t)fmax(-32767, fmin(32767, n));
    }
}

struct float_lattice *clip_rows_floats(const struct dense_clip *clip,
                                       double precision, struct arena *arena)
{
    struct float_lattice *floats =
        ARENA_NEW(arena, struct float_lattice, clip->float_track_count);

    for (uint32_t i = 0; i < clip->float_track_count; i++)
        choose_float(clip, i, precision, &floats[i], arena);
    return floats;
}

/* -- places -- */

struct row_source {
    const struct lattice *lattice;
    const struct float_lattice *floats;
};

static enum anim_form form_of(const struct row_source *s, uint32_t kind,
                              uint32_t number)
{
    return kind == ANIM_FLOAT ? s->floats[number].form
                              : s->lattice->joints[number].part[kind].form;
}

/* Add the tracks of a list that have a form. */
static void add_tracks(struct clip_rows *rows, const struct row_source *s,
                       uint32_t list, enum anim_form form)
{
    const uint32_t kind = list == ANIM_WIDE ? ANIM_TRANSLATION : list;
    const bool is_wide = list == ANIM_WIDE;
    const struct dense_clip *clip = s->lattice->clip;
    const uint32_t limit =
        kind == ANIM_FLOAT ? clip->float_track_count : clip->joint_count;

    for (uint32_t i = 0; i < limit; i++)
        if (form_of(s, kind, i) == form &&
            (kind != ANIM_TRANSLATION ||
             s->lattice->joints[i].part[kind].is_wide == is_wide)) {
            rows->track_of[4 * i + kind] = rows->track_count;
            rows->tracks[rows->track_count++] = (struct row_track){
                .number = i, .kind = kind, .is_wide = is_wide};
        }
}

static void place_tracks(struct clip_rows *rows, const struct row_source *s,
                         struct arena *arena)
{
    const struct dense_clip *clip = s->lattice->clip;
    const uint32_t most = clip->joint_count > clip->float_track_count
                              ? clip->joint_count
                              : clip->float_track_count;

    rows->tracks = ARENA_NEW(arena, struct row_track, (uint64_t)4 * most);
    rows->track_of = ARENA_NEW(arena, uint32_t, (uint64_t)4 * most);
    for (uint32_t kind = 0; kind < ANIM_LISTS; kind++) {
        const uint32_t first = rows->track_count;
        uint32_t count;

        add_tracks(rows, s, kind, ANIM_FORM_LINEAR);
        add_tracks(rows, s, kind, ANIM_FORM_STEP);
        count = rows->track_count - first;
        for (uint32_t i = 0; i < count; i++) {
            rows->tracks[first + i].place = rows->length + i;
            rows->tracks[first + i].stride = count;
        }
        rows->length += (kind == ANIM_FLOAT ? 1 : 3) * count;
    }
}

/* -- prediction errors -- */

static int32_t value_of(const struct row_source *s, const struct row_track *t,
                        uint32_t frame, uint32_t component)
{
    if (t->kind == ANIM_FLOAT)
        return s->floats[t->number].values[frame];
    return s->lattice->joints[t->number]
        .part[t->kind]
        .values[3 * (size_t)frame + component];
}

/* The residuals of a component in the segment that begins with `first`. */
static void predict_segment(struct clip_rows *rows, const struct row_source *s,
                            const struct row_track *t, uint32_t component,
                            uint32_t first,
                            const struct anim_schedule *schedule,
                            uint32_t count)
{
    const uint32_t place = t->place + component * t->stride;
    int32_t *residual = rows->residuals + (size_t)first * rows->length + place;
    int32_t values[ANIM_SEGMENT_FRAMES_MAX] = {0};
    int32_t base = 0;

    for (uint32_t i = 0; i < count; i++)
        values[i] = value_of(s, t, first + i, component);
    residual[0] = values[0];
    if (t->kind == ANIM_TRANSLATION) {
        const struct lattice_track *track =
            &s->lattice->joints[t->number].part[t->kind];
        const int32_t shifted = values[0] + (1 << 24) + 128;

        residual[0] -= track->center[component] * (1 << track->shift);
        if (!t->is_wide)
            base = shifted / 256 * 256 - (1 << 24);
    }
    for (uint32_t i = 0; i < count; i++)
        values[i] -= base;
    for (uint32_t i = 1; i < count; i++) {
        const struct anim_schedule_frame *f = &schedule->frames[i];
        const int32_t prediction =
            anim_predict(f, values[f->source[0]], values[f->source[1]],
                         values[f->source[2]], values[f->source[3]]);

        residual[(size_t)f->frame * rows->length] =
            t->is_wide ? values[f->frame] - prediction
                       : (int16_t)(values[f->frame] - prediction);
    }
}

/* The order of the segment that begins with `first`. Returns its frames. */
static uint32_t schedule_segment(const struct clip_rows *rows, uint32_t first,
                                 struct anim_schedule *schedule)
{
    const uint32_t left = rows->frame_count - first;
    const uint32_t count =
        left < rows->segment_frames ? left : rows->segment_frames;

    spn__anim_schedule(schedule, count);
    return count;
}

static void predict(struct clip_rows *rows, const struct row_source *s)
{
    for (uint32_t first = 0; first < rows->frame_count;
         first += rows->segment_frames) {
        struct anim_schedule schedule;
        const uint32_t count = schedule_segment(rows, first, &schedule);

        for (uint32_t i = 0; i < rows->track_count; i++) {
            const struct row_track *t = &rows->tracks[i];

            for (uint32_t k = 0; k < (t->kind == ANIM_FLOAT ? 1u : 3u); k++)
                predict_segment(rows, s, t, k, first, &schedule, count);
        }
    }
}

/* -- parameters -- */

struct visit {
    uint32_t frame; /* of the clip */
    uint32_t level;
};

/* The frames of a clip in the order of decoding. */
static struct visit *list_visits(const struct clip_rows *rows,
                                 struct arena *arena)
{
    struct visit *visits = ARENA_NEW(arena, struct visit, rows->frame_count);

    for (uint32_t first = 0; first < rows->frame_count;
         first += rows->segment_frames) {
        struct anim_schedule schedule;
        const uint32_t count = schedule_segment(rows, first, &schedule);

        for (uint32_t i = 0; i < count; i++)
            visits[first + i] = (struct visit){first + schedule.frames[i].frame,
                                               schedule.frames[i].level};
    }
    return visits;
}

/* Choose the factors of levels: mean magnitudes relative to the last level,
 * where each place counts the same. */
static void choose_levels(struct clip_rows *rows, const struct visit *visits)
{
    double ratio[ANIM_LEVELS] = {0};
    double weight[ANIM_LEVELS] = {0};

    for (uint32_t place = 0; place < rows->length; place++) {
        double sum[ANIM_LEVELS] = {0};
        double count[ANIM_LEVELS] = {0};
        double all = 0;

        for (uint32_t i = 0; i < rows->frame_count; i++) {
            const int32_t r =
                rows->residuals[(size_t)visits[i].frame * rows->length + place];

            if (visits[i].level == 0)
                continue;
            sum[visits[i].level] += fabs((double)r);
            count[visits[i].level]++;
            all += fabs((double)r);
        }
        all = all / rows->frame_count + 0.05;
        for (uint32_t l = 1; l < ANIM_LEVELS; l++) {
            ratio[l] += sum[l] / all;
            weight[l] += count[l];
        }
    }
    for (uint32_t l = 1; l + 1 < ANIM_LEVELS; l++) {
        const double last =
            weight[ANIM_LEVELS - 1] > 0
                ? ratio[ANIM_LEVELS - 1] / weight[ANIM_LEVELS - 1]
                : 0.5;

        rows->level_code[l] = 0;
        if (weight[l] == 0)
            continue;
        while (rows->level_code[l] + 1 < ANIM_LEVEL_FACTORS &&
               (double)anim_level_factor(rows->level_code[l] + 1) / 16 / 1.19 *
                       (last + 0.02) <=
                   ratio[l] / weight[l] + 0.02)
            rows->level_code[l]++;
    }
}

/* The cost of a place with a mean at the start of segments. Gives up above
 * `limit`. */
static uint64_t place_cost(const struct clip_rows *rows,
                           const struct visit *visits, uint32_t place,
                           uint8_t coding, uint64_t limit)
{
    uint64_t cost = 0;
    uint32_t mean = 0;

    for (uint32_t i = 0; i < rows->frame_count && cost < limit; i++) {
        const uint32_t level = visits[i].level;
        const int32_t r =
            rows->residuals[(size_t)visits[i].frame * rows->length + place];
        uint32_t factor;

        if (level == 0) {
            mean = anim_first_mean(coding);
            continue;
        }
        factor = anim_level_factor(rows->level_code[level]);
        cost += residual_cost(rows->code, r, anim_class(mean, factor));
        mean = anim_next_mean(mean, residual_magnitude(r), 4096 / factor);
    }
    return cost;
}

static uint64_t key_cost(const struct clip_rows *rows, uint32_t place,
                         uint8_t coding)
{
    uint64_t cost = 0;

    for (uint32_t f = 0; f < rows->frame_count; f += rows->segment_frames)
        cost += residual_cost(rows->code,
                              rows->residuals[(size_t)f * rows->length + place],
                              anim_key_class(coding));
    return cost;
}

static void choose_coding(struct clip_rows *rows, const struct visit *visits)
{
    for (uint32_t place = 0; place < rows->length; place++) {
        uint64_t best = UINT64_MAX;
        uint32_t first_mean = 0;
        uint32_t key_class = 0;

        for (uint32_t n = 0; n < ANIM_FIRST_MEANS; n++) {
            const uint64_t cost =
                place_cost(rows, visits, place, anim_coding(n, 0), best);

            if (cost < best) {
                best = cost;
                first_mean = n;
            }
        }
        best = UINT64_MAX;
        for (uint32_t n = 0; n < ANIM_KEY_CLASSES; n++) {
            const uint64_t cost = key_cost(rows, place, anim_coding(0, n));

            if (cost < best) {
                best = cost;
                key_class = n;
            }
        }
        rows->coding[place] = anim_coding(first_mean, key_class);
    }
}

void clip_rows_make(struct clip_rows *rows, const struct lattice *lattice,
                    const struct float_lattice *floats, uint32_t segment_frames,
                    struct arena *arena)
{
    const struct row_source source = {lattice, floats};
    struct residual_code *code = ARENA_NEW(arena, struct residual_code, 1);
    const struct visit *visits;

    residual_code_init(code);
    *rows = (struct clip_rows){.code = code,
                               .frame_count = lattice->clip->frame_count,
                               .segment_frames = segment_frames};
    place_tracks(rows, &source, arena);
    rows->residuals =
        ARENA_NEW(arena, int32_t, (uint64_t)rows->frame_count * rows->length);
    rows->coding = ARENA_NEW(arena, uint8_t, rows->length);
    predict(rows, &source);
    visits = list_visits(rows, arena);
    choose_levels(rows, visits);
    choose_coding(rows, visits);
}
