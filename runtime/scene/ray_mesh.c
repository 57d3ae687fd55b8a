/* ray_mesh.c - walk the triangles of a mesh, part by part.
 *
 * Triangles have the order of the file, in which those of a part follow each
 * other, but for some that have vertices of several parts. So one part is at
 * hand at a time. Triangles inside of a part whose box the ray misses are
 * skipped. A small table has the vertices that were computed last: the order of
 * triangles in a file lets most vertices occur again soon.
 */
/* SPDX-License-Identifier: MIT */
#include "scene/ray_mesh.h"

#if SPN_WITH_RAY_CASTS

#include "base/assert.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "cache/blob_decoder.h"
#include "cache/cache_box.h"
#include "cache/cache_lift.h"
#include "play/cache_meshes.h"

#include <stddef.h>

/* A run of vertices, and where their positions lie. */
struct ray_part {
    uint32_t first;
    uint32_t count; /* 0: none */
    const uint16_t *floor;
    const uint16_t *ceil;   /* the same as floor: nothing is interpolated */
    const uint16_t *places; /* of each vertex; NULL: the same order */
    bool is_missed;         /* the ray misses its box */
};

#define RECENT_VERTICES 64u /* a power of two */

/* A vertex in the space of the ray. */
struct recent_vertex {
    uint32_t number; /* UINT32_MAX: none */
    float point[3];
};

struct walk {
    const struct ray_mesh *mesh;
    const struct ray_space *space;
    struct fill_constants constants;
    struct ray_part part;
    float distance; /* of the nearest hit so far, or the limit */
    struct recent_vertex recent[RECENT_VERTICES];
};

void spn__ray_mesh_static(const struct static_mesh *shared,
                          struct ray_mesh *out)
{
    *out = (struct ray_mesh){.facts = &shared->facts, .shared = shared};
}

void spn__ray_mesh(const struct cache *c, uint32_t mesh,
                   const struct fill_frames *frames, struct ray_mesh *out)
{
    const struct static_mesh *shared = cache_static_mesh(c, mesh);

    if (shared)
        spn__ray_mesh_static(shared, out);
    else
        *out = (struct ray_mesh){.facts = &c->tables.meshes[mesh],
                                 .cache = c,
                                 .mesh = mesh,
                                 .frames = *frames};
}

/* -- parts -- */

static uint32_t part_count(const struct ray_mesh *m)
{
    return m->shared ? m->shared->part_count : m->facts->part_count;
}

static const struct cache_part *own_part(const struct ray_mesh *m,
                                         uint32_t part)
{
    return &m->cache->tables.parts[m->facts->first_part + part];
}

static uint32_t first_of_part(const struct ray_mesh *m, uint32_t part)
{
    return m->shared ? m->shared->parts[part].first_vertex
                     : own_part(m, part)->first_vertex;
}

/* The part that has a vertex. */
static uint32_t find_part(const struct ray_mesh *m, uint32_t vertex)
{
    uint32_t first = 0;
    uint32_t limit = part_count(m);

    while (limit - first > 1) {
        const uint32_t middle = first + (limit - first) / 2;

        if (first_of_part(m, middle) <= vertex)
            first = middle;
        else
            limit = middle;
    }
    return first;
}

static void load_shared(const struct ray_mesh *m, uint32_t part,
                        struct ray_part *out)
{
    const struct static_part *p = &m->shared->parts[part];

    *out =
        (struct ray_part){.first = p->first_vertex,
                          .count = p->vertex_count,
                          .floor = (const void *)p->channel[CHANNEL_POSITION],
                          .ceil = (const void *)p->channel[CHANNEL_POSITION]};
}

static void load_own(const struct ray_mesh *m, uint32_t part,
                     struct ray_part *out)
{
    static const struct fill_motion no_motion;
    const struct cache *c = m->cache;
    const struct cache_part *p = own_part(m, part);
    struct fill_source source;

    spn__mesh_source_find(c, &m->frames, &m->frames, &no_motion, p, &source);
    *out = (struct ray_part){
        .first = p->first_vertex,
        .count = p->vertex_count,
        .floor = source.floor[CHANNEL_POSITION],
        .ceil = source.ceil[CHANNEL_POSITION],
        .places = spn__cache_lift_places(&c->tables, p->tile, c->blob_data)};
    if (fill_fraction(m->frames.alpha) == 0)
        out->ceil = out->floor;
}

static void load_part(const struct ray_mesh *m, uint32_t part,
                      struct ray_part *out)
{
    if (m->shared)
        load_shared(m, part, out);
    else
        load_own(m, part, out);
}

/* -- boxes -- */

/* True if the ray misses what moves from one box to the other. */
static bool misses_boxes(const struct walk *w, const struct cache_box *a,
                         const struct cache_box *b)
{
    struct cache_box both;
    float min[3];
    float max[3];

    for (int k = 0; k < 3; k++) {
        both.least[k] = min_u32(a->least[k], b->least[k]);
        both.most[k] = max_u32(a->most[k], b->most[k]);
    }
    spn__cache_box_floats(w->mesh->facts, &both, min, max);
    return spn__ray_misses_box(w->space, min, max, w->distance);
}

/* The box of a part of the cache's own mesh. */
static bool misses_part(const struct walk *w, uint32_t part)
{
    const struct ray_mesh *m = w->mesh;
    const struct cache *c = m->cache;
    const uint32_t number = m->facts->first_part + part;
    struct cache_box floor;
    struct cache_box ceil;

    spn__cache_part_box(&c->header, &c->tables, m->frames.floor->directory,
                        number, &floor);
    ceil = floor;
    if (m->frames.ceil != m->frames.floor)
        spn__cache_part_box(&c->header, &c->tables, m->frames.ceil->directory,
                            number, &ceil);
    return misses_boxes(w, &floor, &ceil);
}

/* The range of all positions, in all frames. */
static bool misses_range(const struct walk *w)
{
    const struct channel_range *range =
        &w->mesh->facts->range[CHANNEL_POSITION];
    struct cache_box all = {{0}, {0}};

    for (int k = 0; k < 3; k++)
        all.most[k] = (1u << range->bits[k]) - 1;
    return misses_boxes(w, &all, &all);
}

/* True if the ray misses all of the mesh. */
static bool misses_all(const struct walk *w)
{
    const uint32_t count = part_count(w->mesh);
    uint32_t part = 0;

    if (misses_range(w))
        return true;
    if (!w->mesh->cache || !cache_mesh_has_boxes(w->mesh->facts))
        return false;
    while (part < count && misses_part(w, part))
        part++;
    return part == count;
}

/* -- vertices -- */

static bool has_vertex(const struct ray_part *p, uint32_t vertex)
{
    return vertex - p->first < p->count;
}

/* The position of a vertex in mesh space, as the fill computes it. */
static void position_of(const struct walk *w, const struct ray_part *p,
                        uint32_t vertex, float out[3])
{
    const struct fill_range *range = &w->constants.range[CHANNEL_POSITION];
    const float alpha = w->mesh->frames.alpha;
    uint32_t at = vertex - p->first;

    if (p->places)
        at = p->places[at];
    for (uint32_t k = 0; k < 3; k++) {
        const float floor = p->floor[3 * at + k];
        const float ceil = p->ceil[3 * at + k];

        out[k] =
            range->min[k] + fill_between(floor, ceil, alpha) * range->step[k];
    }
}

static void find_position(const struct walk *w, uint32_t vertex, float out[3])
{
    struct ray_part other;

    if (has_vertex(&w->part, vertex)) {
        position_of(w, &w->part, vertex, out);
        return;
    }
    load_part(w->mesh, find_part(w->mesh, vertex), &other);
    position_of(w, &other, vertex, out);
}

static void find_point(struct walk *w, uint32_t vertex, float out[3])
{
    struct recent_vertex *r = &w->recent[vertex % RECENT_VERTICES];

    if (r->number != vertex) {
        float position[3];

        find_position(w, vertex, position);
        spn__ray_point(w->space, position, r->point);
        r->number = vertex;
    }
    memcpy(out, r->point, sizeof r->point);
}

/* -- triangles -- */

/* Bring the part of the triangle's first corner to hand. True if the ray cannot
 * hit the triangle. */
static bool is_skipped(struct walk *w, const uint32_t corners[3])
{
    const struct ray_mesh *m = w->mesh;

    if (!has_vertex(&w->part, corners[0])) {
        const uint32_t part = find_part(m, corners[0]);

        load_part(m, part, &w->part);
        w->part.is_missed =
            m->cache && cache_mesh_has_boxes(m->facts) && misses_part(w, part);
    }
    return w->part.is_missed && has_vertex(&w->part, corners[1]) &&
           has_vertex(&w->part, corners[2]);
}

static void load_corners(const uint8_t *indices, uint32_t bytes,
                         uint32_t triangle, uint32_t out[3])
{
    const size_t at = (size_t)triangle * 3;

    for (uint32_t k = 0; k < 3; k++)
        out[k] = bytes == 2 ? ((const uint16_t *)(const void *)indices)[at + k]
                            : ((const uint32_t *)(const void *)indices)[at + k];
}

/* Test the triangles of a run of indices.
 *
 * first  number of the first triangle */
static bool walk_run(struct walk *w, const uint8_t *indices, uint32_t first,
                     uint32_t count, struct ray_mesh_hit *out)
{
    bool is_hit = false;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t corners[3];
        float points[3][3];
        struct ray_triangle at;

        load_corners(indices, w->mesh->facts->index_bytes, i, corners);
        if (is_skipped(w, corners))
            continue;
        for (uint32_t k = 0; k < 3; k++)
            find_point(w, corners[k], points[k]);
        if (!spn__ray_hits(points[0], points[1], points[2], w->distance, &at) ||
            (out->triangle != UINT32_MAX && !(at.distance < w->distance)))
            continue;
        is_hit = true;
        w->distance = at.distance;
        out->at = at;
        out->triangle = first + i;
        for (uint32_t k = 0; k < 3; k++)
            find_position(w, corners[k], out->corners[k]);
    }
    return is_hit;
}

/* Triangles never cross the end of a run: it has a multiple of 3 indices. */
static bool walk_own(struct walk *w, struct ray_mesh_hit *out)
{
    const struct cache_mesh *facts = w->mesh->facts;
    const struct cache *c = w->mesh->cache;
    const uint32_t bytes = facts->index_bytes;
    const uint32_t per_run = cache_indices_per_blob(bytes);
    uint8_t *const *runs =
        c->blob_data + spn__blob_first_index(&c->header, bytes);
    bool is_hit = false;

    for (uint32_t i = 0; i < facts->index_count;) {
        const uint32_t at = facts->first_index + i;
        const uint32_t count =
            min_u32(facts->index_count - i, per_run - at % per_run);

        is_hit |=
            walk_run(w, runs[at / per_run] + (size_t)(at % per_run) * bytes,
                     i / 3, count / 3, out);
        i += count;
    }
    return is_hit;
}

bool spn__ray_mesh_hits(const struct ray_mesh *m, const struct ray_space *space,
                        float distance, struct ray_mesh_hit *out)
{
    struct walk w = {.mesh = m, .space = space, .distance = distance};
    bool is_hit = false;

    if (misses_all(&w))
        return false;
    spn__fill_constants(m->facts, &w.constants);
    for (uint32_t i = 0; i < RECENT_VERTICES; i++)
        w.recent[i].number = UINT32_MAX;
    out->triangle = UINT32_MAX;
    if (!m->shared)
        return walk_own(&w, out);
    for (uint32_t i = 0; i < m->shared->run_count; i++) {
        const struct static_run *run = &m->shared->runs[i];

        is_hit |=
            walk_run(&w, run->indices, run->first / 3, run->count / 3, out);
    }
    return is_hit;
}

#endif
