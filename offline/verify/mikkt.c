/* mikkt.c - welds corners by comparison, and forms groups by union-find.
 *
 * In the reference, a triangle without an area in the texture joins the group
 * that reaches it first, and may so connect groups. The reference does not
 * define the order. Groups that may be connected are linked here, and any union
 * of them is accepted.
 */
/* SPDX-License-Identifier: MIT */
#include "verify/mikkt.h"

#include <stdlib.h>
#include <string.h>

/* -- welds -- */

static uint64_t hash_of(uint64_t hash, double value)
{
    uint64_t bits;

    value += 0.0; /* -0 becomes 0 */
    memcpy(&bits, &value, sizeof bits);
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

/* Split each class into corners with equal values. */
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
    for (int p = CORNER_NORMAL; p <= CORNER_UV && is_good; p++)
        if (values.params[p])
            refine(class_of, mesh->topology.corner_count, values.params[p],
                   corner_extent((enum corner_param)p), &scratch);
    arena_free(&scratch);
    return is_good;
}

static bool weld_samples(const struct corner_mesh *mesh,
                         const struct abc_archive *archive,
                         const struct abc_param *param, uint32_t *class_of)
{
    /* Only values per corner or face distinguish corners of one point. */
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

/* Corners are welded if point, normal and UV are equal in all samples. */
static bool weld(const struct corner_mesh *mesh,
                 const struct abc_archive *archive, uint32_t *class_of)
{
    for (uint32_t i = 0; i < mesh->topology.corner_count; i++)
        class_of[i] = (uint32_t)mesh->topology.indices[i];
    if (!refine_at(mesh, archive, -1e300, class_of))
        return false;
    for (int p = CORNER_NORMAL; p <= CORNER_UV; p++)
        if (mesh->has[p] &&
            !weld_samples(mesh, archive, &mesh->params[p], class_of))
            return false;
    return true;
}

/* -- pairs -- */

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

/* An edge of a triangle. */
struct edge {
    uint32_t low;
    uint32_t high;
    uint32_t order; /* corner of the archive */
    uint32_t corner;
    bool is_paired;
};

static int compare_edges(const void *a, const void *b)
{
    const struct edge *s = a;
    const struct edge *t = b;

    if (s->low != t->low)
        return s->low < t->low ? -1 : 1;
    if (s->high != t->high)
        return s->high < t->high ? -1 : 1;
    return s->order < t->order ? -1 : s->order > t->order;
}

/* Pair edges between the same welds: the first two of opposite directions. */
static void find_pairs(struct mikkt *mikkt, struct arena *arena,
                       struct arena *scratch)
{
    const uint32_t *welds = mikkt->welds;
    uint32_t corner_count = 3 * mikkt->triangle_count;
    struct edge *edges = ARENA_NEW(scratch, struct edge, corner_count);
    uint32_t count = 0;

    for (uint32_t c = 0; c < corner_count; c++) {
        uint32_t a;
        uint32_t b;

        if (mikkt->is_degenerate[c / 3])
            continue;
        a = welds[mikkt->corners[c]];
        b = welds[mikkt->corners[mikkt_after(c)]];
        edges[count++] = (struct edge){a < b ? a : b, a < b ? b : a,
                                       mikkt->corners[c], c, false};
    }
    qsort(edges, count, sizeof *edges, compare_edges);
    mikkt->pairs = arena_alloc(arena, count / 2, sizeof *mikkt->pairs);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = i + 1;
             !edges[i].is_paired && k < count && edges[k].low == edges[i].low &&
             edges[k].high == edges[i].high;
             k++) {
            uint32_t c = edges[i].corner;
            uint32_t d = edges[k].corner;

            if (edges[k].is_paired ||
                welds[mikkt->corners[c]] == welds[mikkt->corners[d]])
                continue;
            edges[i].is_paired = edges[k].is_paired = true;
            mikkt->pairs[mikkt->pair_count][0] = c;
            mikkt->pairs[mikkt->pair_count++][1] = d;
        }
}

/* -- groups -- */

static void connect(const struct mikkt *mikkt,
                    const struct mikkt_groups *groups, const uint32_t pair[2],
                    uint8_t *is_touched)
{
    uint8_t orientation_c = groups->orientations[pair[0] / 3];
    uint8_t orientation_d = groups->orientations[pair[1] / 3];

    if (orientation_c == MIKKT_NO_AREA || orientation_d == MIKKT_NO_AREA) {
        is_touched[mikkt->welds[mikkt->corners[pair[0]]]] = 1;
        is_touched[mikkt->welds[mikkt->corners[pair[1]]]] = 1;
        return;
    }
    if (orientation_c != orientation_d)
        return;
    merge(groups->group, pair[0], mikkt_after(pair[1]));
    merge(groups->group, mikkt_after(pair[0]), pair[1]);
}

/* Unite the groups of one orientation around each weld where a triangle without
 * an area may connect them. */
static void unite(const struct mikkt *mikkt, const struct mikkt_groups *groups,
                  const uint8_t *is_touched, uint32_t *first, uint32_t *unions)
{
    uint32_t corner_count = 3 * mikkt->triangle_count;

    memcpy(unions, groups->group, corner_count * sizeof *unions);
    for (uint32_t c = 0; c < corner_count; c++) {
        uint8_t orientation = groups->orientations[c / 3];
        uint32_t weld;
        size_t at;

        if (mikkt->is_degenerate[c / 3] || orientation == MIKKT_NO_AREA)
            continue;
        weld = mikkt->welds[mikkt->corners[c]];
        if (!is_touched[weld])
            continue;
        at = 2 * (size_t)weld + (orientation == MIKKT_MIRRORED);
        if (first[at] == 0)
            first[at] = c + 1;
        merge(unions, c, first[at] - 1);
    }
}

/* Link the groups of each union in a ring. */
static void link_groups(const struct mikkt_groups *groups,
                        uint32_t corner_count, uint32_t *unions)
{
    for (uint32_t c = 0; c < corner_count; c++)
        groups->next[c] = c;
    for (uint32_t c = 0; c < corner_count; c++) {
        uint32_t first = groups->group[root_of(unions, c)];
        uint32_t after = groups->next[first];

        if (groups->group[c] != c || c == first)
            continue;
        groups->next[first] = c;
        groups->next[c] = after;
    }
}

void mikkt_orientations(const struct mikkt *mikkt,
                        const struct corner_values *values,
                        uint8_t *orientations)
{
    float uv_edges[2][2];

    for (uint32_t t = 0; t < mikkt->triangle_count; t++)
        orientations[t] = mikkt->is_degenerate[t] || !values->params[CORNER_UV]
                              ? MIKKT_NO_AREA
                              : mikkt_orientation(mikkt, values, t, uv_edges);
}

void mikkt_group(const struct mikkt *mikkt, struct arena *arena,
                 struct mikkt_groups *groups)
{
    uint32_t corner_count = 3 * mikkt->triangle_count;
    struct arena scratch;
    uint8_t *is_touched;
    uint32_t *first;
    uint32_t *unions;

    arena_init(&scratch);
    is_touched = ARENA_NEW(&scratch, uint8_t, mikkt->weld_count);
    first = ARENA_NEW(&scratch, uint32_t, 2 * (size_t)mikkt->weld_count);
    unions = ARENA_NEW(&scratch, uint32_t, corner_count);
    groups->group = ARENA_NEW(arena, uint32_t, corner_count);
    groups->next = ARENA_NEW(arena, uint32_t, corner_count);
    for (uint32_t c = 0; c < corner_count; c++)
        groups->group[c] = c;
    for (uint32_t i = 0; i < mikkt->pair_count; i++)
        connect(mikkt, groups, mikkt->pairs[i], is_touched);
    for (uint32_t c = 0; c < corner_count; c++)
        groups->group[c] = root_of(groups->group, c);
    unite(mikkt, groups, is_touched, first, unions);
    link_groups(groups, corner_count, unions);
    arena_free(&scratch);
}

/* -- open -- */

static void find_degenerate(struct mikkt *mikkt)
{
    const uint32_t *welds = mikkt->welds;

    for (uint32_t t = 0; t < mikkt->triangle_count; t++) {
        const uint32_t *corners = mikkt->corners + 3 * (size_t)t;

        mikkt->is_degenerate[t] = corners[0] == MIKKT_NONE ||
                                  welds[corners[0]] == welds[corners[1]] ||
                                  welds[corners[1]] == welds[corners[2]] ||
                                  welds[corners[2]] == welds[corners[0]];
    }
}

static bool open_with(struct mikkt *mikkt, const struct corner_mesh *mesh,
                      const struct abc_archive *archive, struct arena *arena,
                      struct arena *scratch)
{
    struct corner_values values;

    if (!weld(mesh, archive, mikkt->welds) ||
        !corner_values_read(mesh, archive, -1e300, scratch, &values))
        return false;
    find_degenerate(mikkt);
    find_pairs(mikkt, arena, scratch);
    mikkt->first.orientations =
        ARENA_NEW(arena, uint8_t, mikkt->triangle_count);
    mikkt_orientations(mikkt, &values, mikkt->first.orientations);
    mikkt_group(mikkt, arena, &mikkt->first);
    return true;
}

bool mikkt_open(struct mikkt *mikkt, const struct corner_mesh *mesh,
                const struct abc_archive *archive, bool flip_v,
                const uint32_t *corners, uint32_t triangle_count,
                struct arena *arena)
{
    uint32_t count = mesh->topology.corner_count;
    struct arena scratch;
    bool is_good;

    *mikkt = (struct mikkt){
        .triangle_count = triangle_count, .corners = corners, .flip_v = flip_v};
    mikkt->weld_count = count > mesh->point_count ? count : mesh->point_count;
    mikkt->welds = ARENA_NEW(arena, uint32_t, count);
    mikkt->is_degenerate = ARENA_NEW(arena, uint8_t, triangle_count);
    arena_init(&scratch);
    is_good = open_with(mikkt, mesh, archive, arena, &scratch);
    arena_free(&scratch);
    return is_good;
}
