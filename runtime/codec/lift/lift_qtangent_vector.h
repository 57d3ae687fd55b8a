/* lift_qtangent_vector.h - the lifting kernels of QTangents.
 *
 * Part of lift_vector.h, whose names it uses. PLANE_VERTICES vertices at a time
 * are transposed to planes, one for each component; what follows from the unit
 * length is found there, and X is transposed back.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_LIFT_QTANGENT_VECTOR_H
#define SPN_CODEC_LIFT_LIFT_QTANGENT_VECTOR_H

#define PLANE_VERTICES (4u * LANE_VERTICES)

/* Four vectors of vertices to four planes of components, and back. With
 * vectors of more than 128 bits the vertices of a plane are out of order. */
LIFT_INLINE void to_planes(const vi a[4], vi planes[4])
{
    const vi even_low = vi_zip_low16(a[0], a[1]);
    const vi odd_low = vi_zip_high16(a[0], a[1]);
    const vi even_high = vi_zip_low16(a[2], a[3]);
    const vi odd_high = vi_zip_high16(a[2], a[3]);
    const vi xy_low = vi_zip_low16(even_low, odd_low);
    const vi zw_low = vi_zip_high16(even_low, odd_low);
    const vi xy_high = vi_zip_low16(even_high, odd_high);
    const vi zw_high = vi_zip_high16(even_high, odd_high);

    planes[0] = vi_zip_low64(xy_low, xy_high);
    planes[1] = vi_zip_high64(xy_low, xy_high);
    planes[2] = vi_zip_low64(zw_low, zw_high);
    planes[3] = vi_zip_high64(zw_low, zw_high);
}

LIFT_INLINE void from_planes(const vi planes[4], vi a[4])
{
    const vi xy_low = vi_zip_low16(planes[0], planes[1]);
    const vi xy_high = vi_zip_high16(planes[0], planes[1]);
    const vi zw_low = vi_zip_low16(planes[2], planes[3]);
    const vi zw_high = vi_zip_high16(planes[2], planes[3]);

    a[0] = vi_zip_low32(xy_low, zw_low);
    a[1] = vi_zip_high32(xy_low, zw_low);
    a[2] = vi_zip_low32(xy_high, zw_high);
    a[3] = vi_zip_high32(xy_high, zw_high);
}

/* Component m of each vertex, as masks. */
struct largest {
    vi is1;
    vi is2;
    vi is3;
    vi is123;
};

LIFT_INLINE struct largest largest_of(const vi p[4])
{
    const vi a0 = vi_abs16(p[0]);
    const vi a1 = vi_abs16(p[1]);
    const vi a2 = vi_abs16(p[2]);
    const vi a3 = vi_abs16(p[3]);
    const vi a01 = vi_max_i16(a0, a1);
    struct largest m;
    vi is23;

    m.is3 = vi_greater16(a3, vi_max_i16(a01, a2));
    m.is2 = vi_andnot(m.is3, vi_greater16(a2, a01));
    is23 = vi_or(m.is2, m.is3);
    m.is1 = vi_andnot(is23, vi_greater16(a1, a0));
    m.is123 = vi_or(is23, m.is1);
    return m;
}

/* What find_fourth() needs of PLANE_VERTICES vertices. */
struct three {
    vi p_m; /* component m of P */
    vi is1;
    vi is2;
    vi is3;
};

/* Planes of X; component m is still 0. */
LIFT_INLINE void find_three(const vi values[4], const vi sides[4],
                            const int16_t *residuals, vi x[4],
                            struct three *out)
{
    const vi one = vi_set16(1);
    const vi coded[4] = {vi_load(residuals),
                         vi_load(residuals + VECTOR_NUMBERS),
                         vi_load(residuals + 2 * VECTOR_NUMBERS),
                         vi_load(residuals + 3 * VECTOR_NUMBERS)};
    struct largest m;
    vi p[4];
    vi side[4];
    vi e[4];
    vi p_m;

    to_planes(values, p);
    to_planes(sides, side);
    to_planes(coded, e);
    m = largest_of(p);
    /* The residual of component 3 is stored at the place of component m. */
    e[3] = vi_select(m.is2, e[2], vi_select(m.is1, e[1], e[0]));
    p_m = vi_select(m.is1, p[1], p[0]);
    p_m = vi_select(m.is3, p[3], vi_select(m.is2, p[2], p_m));
    x[0] = vi_and(m.is123, vi_add16(p[0], apply_side(e[0], side[0], one)));
    x[1] = vi_andnot(m.is1, vi_add16(p[1], apply_side(e[1], side[1], one)));
    x[2] = vi_andnot(m.is2, vi_add16(p[2], apply_side(e[2], side[2], one)));
    x[3] = vi_andnot(m.is3, vi_add16(p[3], apply_side(e[3], side[3], one)));
    *out = (struct three){p_m, m.is1, m.is2, m.is3};
}

/* Add component m, and transpose X from planes to vertices. */
LIFT_INLINE void find_fourth(const struct three *three, const int16_t *fourth,
                             vi x[4])
{
    const vi one = vi_set16(1);
    const vi is123 = vi_or(vi_or(three->is1, three->is2), three->is3);
    vi planes[4] = {x[0], x[1], x[2], x[3]};
    vi side;
    vi last = root_of_three(x[0], x[1], x[2], x[3], &side);

    last = vi_add16(last, apply_side(vi_split32(vi_load(fourth)), side, one));
    last = apply_side(last, three->p_m, one);
    planes[0] = vi_or(planes[0], vi_andnot(is123, last));
    planes[1] = vi_or(planes[1], vi_and(three->is1, last));
    planes[2] = vi_or(planes[2], vi_and(three->is2, last));
    planes[3] = vi_or(planes[3], vi_and(three->is3, last));
    from_planes(planes, x);
}

/* Store X of four vectors, up to the last vertex of the tile. */
LIFT_INLINE void store_values(const struct lift_span *s, uint32_t v,
                              const vi x[4])
{
    const uint32_t count = s->hierarchy->vertex_count;
    int16_t end[4 * PLANE_VERTICES];
    int16_t *const values = s->values + 4 * (size_t)v;
    int16_t *const to = v + PLANE_VERTICES <= count ? values : end;

    for (uint32_t i = 0; i < 4; i++)
        vi_store(to + i * VECTOR_NUMBERS, x[i]);
    if (to == end && v < count)
        memcpy(values, end, 4 * (size_t)(count - v) * sizeof *end);
}

static void vector_space_qtangent(const struct lift_span *s)
{
    for (uint32_t v = s->first; v < s->limit; v += PLANE_VERTICES) {
        vi side[4];
        const vi p[4] = {predict_space(s, v, &side[0]),
                         predict_space(s, v + LANE_VERTICES, &side[1]),
                         predict_space(s, v + 2 * LANE_VERTICES, &side[2]),
                         predict_space(s, v + 3 * LANE_VERTICES, &side[3])};
        struct three three;
        vi x[4];

        find_three(p, side, s->residuals + 4 * (size_t)v, x, &three);
        find_fourth(&three, s->fourth + v, x);
        store_values(s, v, x);
    }
}

/* T, C and D of some vertices; then `c` holds planes of X. Three short loops
 * pass them on, instead of one long loop: the processor then overlaps several
 * iterations, and loads do not wait for square roots. */
#define QTANGENT_CHUNK 32u
struct qtangent_chunk {
    int16_t t[4 * QTANGENT_CHUNK];
    int16_t c[4 * QTANGENT_CHUNK];
    int16_t d[4 * QTANGENT_CHUNK];
    struct three three[QTANGENT_CHUNK / PLANE_VERTICES];
};

static void qtangent_chunk(const struct lift_span *s, const struct constants *k,
                           struct qtangent_chunk *chunk, uint32_t first,
                           uint32_t limit)
{
    const struct constants copy = *k;

    for (uint32_t v = first; v < limit; v += PLANE_VERTICES) {
        const size_t at = 4 * (size_t)(v - first);
        vi side[4];
        vi p[4];
        vi x[4];

        for (uint32_t i = 0; i < 4; i++)
            p[i] = predict_from(
                &copy, vi_load(chunk->t + at + i * VECTOR_NUMBERS),
                vi_load(chunk->c + at + i * VECTOR_NUMBERS), &side[i]);
        find_three(p, side, s->residuals + 4 * (size_t)v, x,
                   &chunk->three[(v - first) / PLANE_VERTICES]);
        for (uint32_t i = 0; i < 4; i++)
            vi_store(chunk->c + at + i * VECTOR_NUMBERS, x[i]);
    }
    for (uint32_t v = first; v < limit; v += PLANE_VERTICES) {
        const size_t at = 4 * (size_t)(v - first);
        int16_t *const errors = s->errors;
        vi x[4];

        for (uint32_t i = 0; i < 4; i++)
            x[i] = vi_load(chunk->c + at + i * VECTOR_NUMBERS);
        find_fourth(&chunk->three[(v - first) / PLANE_VERTICES], s->fourth + v,
                    x);
        store_values(s, v, x);
        if (!errors)
            continue;
        for (uint32_t i = 0; i < 4; i++) {
            const struct time_prediction time = {
                vi_load(chunk->t + at + i * VECTOR_NUMBERS),
                vi_load(chunk->d + at + i * VECTOR_NUMBERS)};

            vi_store(errors + 4 * (size_t)v + i * VECTOR_NUMBERS,
                     time_error(&copy, x[i], &time));
        }
    }
}

LIFT_INLINE void space_time_qtangent(const struct lift_span *span,
                                     uint32_t frames, bool has_guess,
                                     bool is_far, bool has_errors)
{
    const struct lift_span copy = *span;
    const struct lift_span *s = &copy;
    const struct constants k = constants_of(s);
    struct qtangent_chunk chunk;

    for (uint32_t first = s->first; first < s->limit; first += QTANGENT_CHUNK) {
        const uint32_t planes =
            (s->limit - first + PLANE_VERTICES - 1) / PLANE_VERTICES;
        const uint32_t limit = first + (planes < QTANGENT_CHUNK / PLANE_VERTICES
                                            ? planes * PLANE_VERTICES
                                            : QTANGENT_CHUNK);

        for (uint32_t v = first; v < limit; v += LANE_VERTICES) {
            const size_t at = 4 * (size_t)(v - first);
            const struct time_prediction time =
                predict_time(&k, 4 * (size_t)(v - s->from_first), 4, frames,
                             has_guess, is_far);

            vi_store(chunk.t + at, time.whole);
            vi_store(chunk.c + at, has_errors
                                       ? correction_of(&k, v, time.fraction)
                                       : time.fraction);
            if (has_errors)
                vi_store(chunk.d + at, time.fraction);
        }
        qtangent_chunk(s, &k, &chunk, first, limit);
    }
}

static void space_time_qtangent_loops(const struct lift_span *s)
{
#define LOOP(frames) space_time_qtangent(s, frames, false, false, true)
#define LOOP_FAR(frames) space_time_qtangent(s, frames, false, true, true)
#define LOOP_GUESS(frames) space_time_qtangent(s, frames, true, false, true)
#define LOOP_LAST(frames)                                                      \
    space_time_qtangent(s, frames, s->has_guess, s->is_far, false)
    if (!s->errors)
        EACH_FRAME_COUNT(LOOP_LAST)
    else if (s->has_guess)
        EACH_FRAME_COUNT(LOOP_GUESS)
    else if (s->is_far)
        EACH_FRAME_COUNT(LOOP_FAR)
    else
        EACH_FRAME_COUNT(LOOP)
}

static void vector_space_time_qtangent(const struct lift_span *s)
{
    each_end(s, space_time_qtangent_loops);
}

#endif
