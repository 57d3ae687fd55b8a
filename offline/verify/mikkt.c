/* mikkt.c - welds by comparison, groups by merging sets.
 *
 * Triangles without an area in the texture join whichever group reaches them
 * first in the reference, and may so connect two: both readings are kept.
 */
/* SPDX-License-Identifier: MIT */
#include "verify/mikkt.h"

#include <stdlib.h>
#include <string.h>

/* ---- welds --------------------------------------------------------------- */

static uint64_t hash_of(uint64_t hash, double value)
{
    uint64_t bits;

    value += 0.0; /* minus zero is zero */
    memcpy(&bits, &value, sizeof bits);
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

/* Corners of one class and with equal values stay one class. */
static void refine(uint32_t *class_of, uint32_t count, const double *values,
                   uint32_t extent, struct arena *scratch)
{
    uint32_t *next = ARENA_NEW(scratch, uint32_t, count);
    uint32_t mask = 15;
    uint32_t *slots;

    while (mask / 2 < count)
        mask = 2 * mask + 1;
    slots = ARENA_NEW(scratch, uint32_t, (size_t)mask + 1);
    for (uint32_t i = 0; i < count; i++) {
        const double *own = values + (size_t)i * extent;
        uint64_t hash = hash_of(0, class_of[i]);
        uint32_t at;

        for (uint32_t k = 0; k < extent; k++)
            hash = hash_of(hash, own[k]);
        for (at = (uint32_t)(hash >> 20) & mask; slots[at] != 0;
             at = (at + 1) & mask) {
            uint32_t other = slots[at] - 1;
            const double *its = values + (size_t)other * extent;
            bool is_equal = class_of[other] == class_of[i];

            for (uint32_t k = 0; k < extent && is_equal; k++)
                is_equal = its[k] == own[k];
            if (is_equal)
                break;
        }
        if (slots[at] == 0)
            slots[at] = i + 1;
        next[i] = slots[at] - 1;
    }
    memcpy(class_of, next, count * sizeof *next);
}

static bool refine_at(const struct corner_mesh *mesh,
                      const struct abc_archive *archive, double time,
                      uint32_t *class_of)
{
    struct corner_values values;
    struct arena scratch;
    bool is_good;

    arena_init(&scratch);
    is_good = corner_values_read(mesh, archive, time, &scratch, &values);
    if (is_good && values.normals)
        refine(class_of, mesh->topology.corner_count, values.normals[0], 3,
               &scratch);
    if (is_good && values.uvs)
        refine(class_of, mesh->topology.corner_count, values.uvs[0], 2,
               &scratch);
    arena_free(&scratch);
    return is_good;
}

static bool weld_samples(const struct corner_mesh *mesh,
                         const struct abc_archive *archive,
                         const struct abc_param *param, uint32_t *class_of)
{
    /* One value a point (or in all) tells no corners apart. */
    if (param->is_constant || (param->scope != ABC_SCOPE_UNIFORM &&
                               param->scope != ABC_SCOPE_FACEVARYING))
        return true;
    for (uint32_t i = 0; i < param->sample_count; i++)
        if (!refine_at(
                mesh, archive,
                abc_sample_time(
                    &archive->samplings[param->values->time_sampling], i),
                class_of))
            return false;
    return true;
}

/* Equal in point, normal and texture in all samples. */
static bool weld(const struct corner_mesh *mesh,
                 const struct abc_archive *archive, uint32_t *class_of)
{
    for (uint32_t i = 0; i < mesh->topology.corner_count; i++)
        class_of[i] = (uint32_t)mesh->topology.indices[i];
    return refine_at(mesh, archive, -1e300, class_of) &&
           (!mesh->has_normals ||
            weld_samples(mesh, archive, &mesh->mesh.normals, class_of)) &&
           (!mesh->has_uvs ||
            weld_samples(mesh, archive, &mesh->mesh.uvs, class_of));
}

/* ---- groups -------------------------------------------------------------- */

static uint32_t root_of(uint32_t *parents, uint32_t item)
{
    while (parents[item] != item) {
        parents[item] = parents[parents[item]];
        item = parents[item];
    }
    return item;
}

static void merge(uint32_t *parents, uint32_t a, uint32_t b)
{
    parents[root_of(parents, a)] = root_of(parents, b);
}

/* An edge of a triangle, from the corner where it begins. */
struct span {
    uint32_t low;
    uint32_t high;
    uint32_t order; /* of the archive's corner */
    uint32_t corner;
    bool is_paired;
};

static int compare_spans(const void *a, const void *b)
{
    const struct span *s = a;
    const struct span *t = b;

    if (s->low != t->low)
        return s->low < t->low ? -1 : 1;
    if (s->high != t->high)
        return s->high < t->high ? -1 : 1;
    return s->order < t->order ? -1 : s->order > t->order;
}

/* The triangle corners `c` and `d` begin one edge, in opposite directions. */
static void connect(struct mikkt *mikkt, const uint32_t *welds,
                    uint8_t *is_touched, uint32_t c, uint32_t d)
{
    uint8_t side_c = mikkt->sides[c / 3];
    uint8_t side_d = mikkt->sides[d / 3];

    if (side_c == MIKKT_FLAT || side_d == MIKKT_FLAT) {
        is_touched[welds[mikkt->corners[c]]] = 1;
        is_touched[welds[mikkt->corners[d]]] = 1;
        return;
    }
    if (side_c != side_d)
        return;
    merge(mikkt->narrow, c, mikkt_after(d));
    merge(mikkt->narrow, mikkt_after(c), d);
}

static void find_groups(struct mikkt *mikkt, const uint32_t *welds,
                        uint8_t *is_touched, struct arena *scratch)
{
    uint32_t corner_count = 3 * mikkt->triangle_count;
    struct span *spans = ARENA_NEW(scratch, struct span, corner_count);
    uint32_t count = 0;

    for (uint32_t c = 0; c < corner_count; c++) {
        uint32_t a;
        uint32_t b;

        mikkt->narrow[c] = c;
        if (mikkt->is_alone[c / 3])
            continue;
        a = welds[mikkt->corners[c]];
        b = welds[mikkt->corners[mikkt_after(c)]];
        spans[count++] = (struct span){a < b ? a : b, a < b ? b : a,
                                       mikkt->corners[c], c, false};
    }
    if (count > 0)
        qsort(spans, count, sizeof *spans, compare_spans);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = i + 1;
             !spans[i].is_paired && k < count && spans[k].low == spans[i].low &&
             spans[k].high == spans[i].high;
             k++) {
            uint32_t c = spans[i].corner;
            uint32_t d = spans[k].corner;

            if (spans[k].is_paired ||
                welds[mikkt->corners[c]] == welds[mikkt->corners[d]])
                continue;
            spans[i].is_paired = spans[k].is_paired = true;
            connect(mikkt, welds, is_touched, c, d);
        }
}

/* Where triangles without an area may connect: all of one side are one. */
static void widen(struct mikkt *mikkt, const uint32_t *welds,
                  uint32_t weld_count, const uint8_t *is_touched,
                  struct arena *scratch)
{
    uint32_t *first = ARENA_NEW(scratch, uint32_t, 2 * (size_t)weld_count);
    uint32_t corner_count = 3 * mikkt->triangle_count;

    memcpy(mikkt->wide, mikkt->narrow, corner_count * sizeof *mikkt->wide);
    for (uint32_t c = 0; c < corner_count; c++) {
        uint8_t side = mikkt->sides[c / 3];
        size_t at;

        if (mikkt->is_alone[c / 3] || side == MIKKT_FLAT ||
            !is_touched[welds[mikkt->corners[c]]])
            continue;
        at = 2 * (size_t)welds[mikkt->corners[c]] + (side == MIKKT_MIRRORED);
        if (first[at] == 0)
            first[at] = c + 1;
        merge(mikkt->wide, c, first[at] - 1);
    }
}

static void judge_triangles(struct mikkt *mikkt,
                            const struct corner_values *values,
                            const uint32_t *welds)
{
    for (uint32_t t = 0; t < mikkt->triangle_count; t++) {
        const uint32_t *corners = mikkt->corners + 3 * (size_t)t;
        float along[2][2];

        mikkt->is_alone[t] = corners[0] == MIKKT_NONE ||
                             welds[corners[0]] == welds[corners[1]] ||
                             welds[corners[1]] == welds[corners[2]] ||
                             welds[corners[2]] == welds[corners[0]];
        mikkt->sides[t] = MIKKT_FLAT;
        if (mikkt->is_alone[t] || !values->uvs)
            continue;
        mikkt->sides[t] = mikkt_side(mikkt, values, t, along);
        mikkt->signs[t] = mikkt->sides[t] == MIKKT_FLAT    ? 0
                          : mikkt->sides[t] == MIKKT_PLAIN ? 1
                                                           : -1;
    }
}

static bool open_with(struct mikkt *mikkt, const struct corner_mesh *mesh,
                      const struct abc_archive *archive, struct arena *scratch)
{
    uint32_t count = mesh->topology.corner_count;
    uint32_t limit = count > mesh->point_count ? count : mesh->point_count;
    uint32_t *welds = ARENA_NEW(scratch, uint32_t, count);
    uint8_t *is_touched = ARENA_NEW(scratch, uint8_t, limit);
    struct corner_values values;

    if (!weld(mesh, archive, welds) ||
        !corner_values_read(mesh, archive, -1e300, scratch, &values))
        return false;
    judge_triangles(mikkt, &values, welds);
    find_groups(mikkt, welds, is_touched, scratch);
    widen(mikkt, welds, limit, is_touched, scratch);
    for (uint32_t c = 0; c < 3 * mikkt->triangle_count; c++) {
        mikkt->narrow[c] = root_of(mikkt->narrow, c);
        mikkt->wide[c] = root_of(mikkt->wide, c);
    }
    return true;
}

bool mikkt_open(struct mikkt *mikkt, const struct corner_mesh *mesh,
                const struct abc_archive *archive, bool flip_v,
                const uint32_t *corners, uint32_t triangle_count,
                struct arena *arena)
{
    size_t corner_count = 3 * (size_t)triangle_count;
    struct arena scratch;
    bool is_good;

    *mikkt = (struct mikkt){
        .triangle_count = triangle_count, .corners = corners, .flip_v = flip_v};
    mikkt->sides = ARENA_NEW(arena, uint8_t, triangle_count);
    mikkt->signs = ARENA_NEW(arena, double, triangle_count);
    mikkt->is_alone = ARENA_NEW(arena, uint8_t, triangle_count);
    mikkt->narrow = ARENA_NEW(arena, uint32_t, corner_count);
    mikkt->wide = ARENA_NEW(arena, uint32_t, corner_count);
    arena_init(&scratch);
    is_good = open_with(mikkt, mesh, archive, &scratch);
    arena_free(&scratch);
    return is_good;
}
