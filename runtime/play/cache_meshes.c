/* cache_meshes.c - compare static meshes with those of the registry, and add
 * new ones.
 *
 * Meshes are handled in the order of their parts, so that each tile is freed
 * when its last part has been handled. A mesh is handled piece by piece: its
 * parts, then its runs of indices.
 */
/* SPDX-License-Identifier: MIT */
#include "play/cache_meshes.h"

#include "base/assert.h"
#include "base/carve.h"
#include "base/heap_view.h"
#include "base/mem.h"
#include "cache/blob_decoder.h"
#include "cache/mesh_facts.h"
#include "cache/mesh_hash.h"
#include "mesh/mesh_pieces.h"
#include "play/cache_memory.h"

static struct mesh_registry *registry_of(const struct cache *c)
{
    return c->manager->mesh_registry;
}

static void plan_mesh(const struct cache *c, uint32_t mesh,
                      struct mesh_plan *plan)
{
    spn__mesh_plan(&c->decoder, mesh, c->manager->config.heap->page_shift,
                   plan);
}

/* -- memory -- */

static spn_status take_block(struct cache *c, uint64_t bytes, heap_handle *out)
{
    struct promises *p = &c->manager->promises;
    const spn_status status = spn__cache_take_block(c, bytes, out);

    if (status == SPN_OK)
        p->mesh_pages += spn__promise_pages(p, bytes);
    return status;
}

static void return_block(struct cache *c, heap_handle block)
{
    struct promises *p = &c->manager->promises;

    p->mesh_pages -= spn__promise_pages(p, spn__heap_bytes(p->heap, block));
    spn__promise_return_block(p, block);
}

/* Free what the registry does not need any more. */
static void sweep(struct cache *c)
{
    heap_handle block;

    while ((block = spn__mesh_registry_take_dead(registry_of(c))) != 0)
        return_block(c, block);
}

static struct mesh_pack *pack_of(const struct cache *c)
{
    return spn__heap_data(c->manager->config.heap, c->meshes.pack);
}

/* No more meshes go to the pack. */
static void close_pack(struct cache *c)
{
    struct mesh_pack *pack;

    if (!c->meshes.pack)
        return;
    pack = pack_of(c);
    pack->mesh_count--;
    if (pack->mesh_count == 0)
        return_block(c, c->meshes.pack);
    c->meshes.pack = 0;
}

/* The bytes of a pack for the next bundles, the first of which has
 * `bundle_bytes`.
 *
 * is_alone  plan as if no other cache had a mesh */
static size_t plan_pack(const struct cache *c, size_t bundle_bytes,
                        bool is_alone)
{
    const struct cache_tables *t = &c->tables;
    size_t bytes = MESH_PACK_HEADER_BYTES + bundle_bytes;
    uint32_t part = c->meshes.part;

    while ((part += t->meshes[t->parts[part].mesh].part_count) <
           c->header.part_count) {
        const uint32_t mesh = t->parts[part].mesh;
        struct mesh_plan plan;

        if (!cache_mesh_is_static(&t->meshes[mesh]) ||
            (!is_alone &&
             spn__mesh_registry_next(registry_of(c),
                                     t->meshes[mesh].content_hash, NULL)))
            continue;
        plan_mesh(c, mesh, &plan);
        if (bytes + plan.bundle_bytes > MESH_PACK_BYTES_MAX)
            break;
        bytes += plan.bundle_bytes;
    }
    return bytes;
}

/* Make room for a bundle in the pack. Little memory suffices for it alone. */
static spn_status open_pack(struct cache *c, size_t bundle_bytes)
{
    struct cache_meshes *s = &c->meshes;
    spn_status status;

    if (s->pack && bundle_bytes <= s->pack_bytes - s->pack_used)
        return SPN_OK;
    close_pack(c);
    s->pack_bytes = plan_pack(c, bundle_bytes, false);
    status = take_block(c, s->pack_bytes, &s->pack);
    if (status != SPN_OK) {
        s->pack_bytes = MESH_PACK_HEADER_BYTES + bundle_bytes;
        status = take_block(c, s->pack_bytes, &s->pack);
    }
    if (status != SPN_OK)
        return status;
    s->pack_used = MESH_PACK_HEADER_BYTES;
    *pack_of(c) = (struct mesh_pack){.block = s->pack, .mesh_count = 1};
    return SPN_OK;
}

/* -- a new mesh -- */

static struct carve bundle_carve(const struct cache *c)
{
    return (struct carve){.base = (uint8_t *)pack_of(c) + c->meshes.pack_used,
                          .used = c->meshes.built_bytes,
                          .limit = c->meshes.pack_bytes - c->meshes.pack_used};
}

static spn_status begin_new(struct cache *c, uint32_t mesh,
                            const struct mesh_plan *plan)
{
    const struct cache_mesh *info = &c->tables.meshes[mesh];
    const spn_status status = open_pack(c, plan->bundle_bytes);
    struct carve carve;
    struct static_mesh *m;

    if (status != SPN_OK)
        return status;
    c->meshes.built_bytes = 0;
    carve = bundle_carve(c);
    m = spn__mesh_carve_record(&c->decoder, mesh, &carve);
    SPN_ASSERT(m);
    c->meshes.built_bytes = carve.used;
    m->pack = pack_of(c);
    m->pack->mesh_count++;
    m->facts = *info;
    m->facts.first_vertex = 0;
    m->facts.name = m->facts.first_index = m->facts.first_material = 0;
    m->facts.first_part = m->facts.second_uv_name = 0;
    m->heap_bytes = plan->bundle_bytes + plan->own_bytes;
    spn__mesh_facts_write(&c->tables, info, m->more_facts);
    c->meshes.building = m;
    return SPN_OK;
}

/* The blob belongs to the mesh from now on. */
static uint8_t *move_blob(struct cache *c, uint32_t blob)
{
    struct static_mesh *m = c->meshes.building;
    struct promises *p = &c->manager->promises;
    const uint32_t pages =
        spn__promise_pages(p, spn__heap_bytes(p->heap, c->blob_handles[blob]));
    uint8_t *data = c->blob_data[blob];

    m->blocks[m->block_count++] = c->blob_handles[blob];
    c->blob_handles[blob] = 0;
    c->blob_data[blob] = NULL;
    SPN_ASSERT(pages <= c->pages);
    c->pages -= pages;
    p->block_pages += pages;
    p->mesh_pages += pages;
    return data;
}

/* Give a piece to the mesh that is built. */
static spn_status build_piece(struct cache *c, const struct mesh_piece *piece,
                              uint8_t **out)
{
    struct static_mesh *m = c->meshes.building;
    heap_handle block;
    spn_status status;

    if (piece->bytes <= MESH_SMALL_BYTES_MAX) {
        struct carve carve = bundle_carve(c);

        *out = SPN_CARVE(&carve, uint8_t, piece->bytes);
        SPN_ASSERT(*out);
        c->meshes.built_bytes = carve.used;
    } else if (piece->is_all) {
        *out = move_blob(c, piece->blob);
        return SPN_OK;
    } else {
        status = take_block(c, piece->bytes, &block);
        if (status != SPN_OK)
            return status;
        m->blocks[m->block_count++] = block;
        *out = spn__heap_data(c->manager->config.heap, block);
    }
    memcpy(*out, mesh_piece_data(&c->decoder, piece), piece->bytes);
    return SPN_OK;
}

/* What is built already is not built again. */
static spn_status build_part(struct cache *c, const struct cache_part *part,
                             struct static_part *out, uint32_t *bytes)
{
    const uint32_t mask = c->tables.meshes[part->mesh].static_mask;
    spn_status status = SPN_OK;
    struct mesh_piece piece;

    out->first_vertex = part->first_vertex;
    out->vertex_count = part->vertex_count;
    for (uint32_t k = 0; k < CHANNEL_COUNT && status == SPN_OK; k++)
        if ((mask & CHANNEL_BIT(k)) && !out->channel[k]) {
            piece = spn__mesh_channel_piece(&c->decoder, part, (enum channel)k);
            status = build_piece(c, &piece, &out->channel[k]);
            *bytes += piece.bytes;
        }
    if (status == SPN_OK && spn__mesh_part_has_reflections(&c->decoder, part) &&
        !out->reflection) {
        piece = spn__mesh_reflection_piece(&c->decoder, part);
        status = build_piece(c, &piece, &out->reflection);
        out->reflection_first = part->tile_vertex % 8;
        *bytes += piece.bytes;
    }
    return status;
}

static spn_status build_run(struct cache *c, const struct cache_mesh *info,
                            uint32_t run, uint32_t *bytes)
{
    struct static_run *out = &c->meshes.building->runs[run];
    const struct mesh_piece piece =
        spn__mesh_index_piece(&c->decoder, info, run, &out->first);

    out->count = piece.bytes / info->index_bytes;
    *bytes += piece.bytes;
    return build_piece(c, &piece, &out->indices);
}

/* Build the next piece. */
static spn_status build_next(struct cache *c, const struct cache_mesh *info,
                             uint32_t *bytes)
{
    const uint32_t at = c->meshes.piece;

    if (at >= info->part_count)
        return build_run(c, info, at - info->part_count, bytes);
    return build_part(c, &c->tables.parts[info->first_part + at],
                      &c->meshes.building->parts[at], bytes);
}

/* -- a mesh that the registry may have -- */

/* Compare the next piece. */
static bool is_next_equal(const struct cache *c, const struct cache_mesh *info,
                          const struct static_mesh *m, uint32_t *bytes)
{
    const uint32_t at = c->meshes.piece;

    if (at >= info->part_count) {
        *bytes += cache_indices_per_blob(info->index_bytes) * info->index_bytes;
        return spn__mesh_run_is_equal(&c->decoder, info, at - info->part_count,
                                      m);
    }
    *bytes += c->tables.parts[info->first_part + at].vertex_count * 32;
    return spn__mesh_part_is_equal(&c->decoder,
                                   &c->tables.parts[info->first_part + at], m);
}

/* Set the next candidate behind `m` whose facts are those of the mesh; holds a
 * reference to it. */
static void find_candidate(struct cache *c, const struct cache_mesh *info,
                           const struct static_mesh *m)
{
    struct static_mesh *next =
        spn__mesh_registry_next(registry_of(c), info->content_hash, m);

    while (next && !spn__mesh_facts_are(&c->tables, info, next->more_facts,
                                        next->more_facts_bytes))
        next =
            spn__mesh_registry_next(registry_of(c), info->content_hash, next);
    c->meshes.piece = 0;
    c->meshes.candidate = next;
    if (next)
        next->reference_count++;
}

/* -- mesh after mesh -- */

/* Free the tiles whose last part is the last part of the mesh, or before. */
static void free_tiles(struct cache *c, const struct cache_mesh *info)
{
    const uint32_t limit = info->first_part + info->part_count;

    for (uint32_t p = info->first_part; p < limit; p++) {
        const struct cache_tile *t = &c->tables.tiles[c->tables.parts[p].tile];
        const uint32_t blobs[] = {t->predictor_blob, t->reflection_blob,
                                  t->hierarchy_blob, t->one_rings_blob};

        if (p + 1 != t->first_part + t->part_count)
            continue;
        for (uint32_t k = 0; k < CHANNEL_COUNT; k++)
            if (t->static_mask & CHANNEL_BIT(k))
                spn__cache_free_blob(c, t->blob[k]);
        for (uint32_t k = 0; k < 4; k++)
            if (blobs[k] != CACHE_NONE)
                spn__cache_free_blob(c, blobs[k]);
    }
}

/* Count what the mesh takes if no other cache has it, and the most memory while
 * the cache is loaded. */
static void account(struct cache *c, const struct mesh_plan *plan,
                    bool is_shared)
{
    struct cache_meshes *s = &c->meshes;
    uint32_t pages;

    if (s->alone_left < plan->bundle_bytes) {
        const size_t bytes = plan_pack(c, plan->bundle_bytes, true);

        s->alone_pages += spn__promise_pages(&c->manager->promises, bytes);
        s->alone_left = bytes - MESH_PACK_HEADER_BYTES;
    }
    s->alone_left -= plan->bundle_bytes;
    s->alone_pages += plan->own_pages;
    pages = c->pages + s->alone_pages - (is_shared ? plan->moved_pages : 0);
    if (pages > c->pages_peak)
        c->pages_peak = pages;
}

static void finish_mesh(struct cache *c, uint32_t mesh,
                        const struct mesh_plan *plan)
{
    struct cache_meshes *s = &c->meshes;
    const struct cache_mesh *info = &c->tables.meshes[mesh];
    struct static_mesh *m = s->candidate ? s->candidate : s->building;

    account(c, plan, s->candidate != NULL);
    if (!s->candidate) {
        spn__mesh_registry_add(registry_of(c), m);
        s->pack_used += plan->bundle_bytes;
    }
    s->table[mesh] = m;
    s->candidate = s->building = NULL;
    s->piece = 0;
    free_tiles(c, info);
    s->part += info->part_count;
    s->is_begun = false;
}

/* Handle one piece of the mesh. */
static spn_status step_mesh(struct cache *c, uint32_t mesh, uint32_t *bytes)
{
    struct cache_meshes *s = &c->meshes;
    const struct cache_mesh *info = &c->tables.meshes[mesh];
    struct mesh_plan plan;
    spn_status status = SPN_OK;

    if (!s->is_begun)
        find_candidate(c, info, NULL);
    s->is_begun = true;
    plan_mesh(c, mesh, &plan);
    if (!s->candidate && !s->building) {
        status = begin_new(c, mesh, &plan);
        if (status != SPN_OK)
            return status;
    }
    while (*bytes < CACHE_MESHES_STEP_BYTES &&
           s->piece < info->part_count + spn__mesh_run_count(info)) {
        if (s->candidate && !is_next_equal(c, info, s->candidate, bytes)) {
            struct static_mesh *other = s->candidate;

            find_candidate(c, info, other);
            spn__mesh_registry_release(registry_of(c), other);
            sweep(c);
            return SPN_OK;
        }
        if (s->building)
            status = build_next(c, info, bytes);
        if (status != SPN_OK)
            return status;
        s->piece++;
    }
    if (s->piece == info->part_count + spn__mesh_run_count(info))
        finish_mesh(c, mesh, &plan);
    return SPN_OK;
}

/* Free the runs of indices of one width that no animated mesh has. First
 * indices ascend with the numbers of the meshes. */
static void free_runs(struct cache *c, uint32_t index_bytes)
{
    const uint32_t first = spn__blob_first_index(&c->header, index_bytes);
    const uint32_t limit = index_bytes == 2
                               ? spn__blob_first_index(&c->header, 4)
                               : c->header.blob_count;
    uint32_t blob = first;

    for (uint32_t i = 0; i < c->header.mesh_count; i++) {
        const struct cache_mesh *info = &c->tables.meshes[i];
        uint32_t from;

        if (cache_mesh_is_static(info) || info->index_bytes != index_bytes ||
            info->index_count == 0)
            continue;
        from = first + info->first_index / cache_indices_per_blob(index_bytes);
        for (; blob < from; blob++)
            spn__cache_free_blob(c, blob);
        if (from + spn__mesh_run_count(info) > blob)
            blob = from + spn__mesh_run_count(info);
    }
    for (; blob < limit; blob++)
        spn__cache_free_blob(c, blob);
}

spn_status spn__cache_meshes_step(struct cache *c)
{
    const struct cache_tables *t = &c->tables;
    uint32_t bytes = 0;

    while (c->meshes.part < c->header.part_count) {
        const uint32_t mesh = t->parts[c->meshes.part].mesh;
        spn_status status;

        if (!cache_mesh_is_static(&t->meshes[mesh])) {
            c->meshes.part += t->meshes[mesh].part_count;
            continue;
        }
        if (bytes >= CACHE_MESHES_STEP_BYTES)
            return SPN_PENDING;
        bytes += 1024; /* for what a mesh costs beside its pieces */
        status = step_mesh(c, mesh, &bytes);
        if (status != SPN_OK)
            return status;
    }
    close_pack(c);
    free_runs(c, 2);
    free_runs(c, 4);
    return SPN_OK;
}

void spn__cache_meshes_release(struct cache *c)
{
    struct mesh_registry *r = registry_of(c);
    struct cache_meshes *s = &c->meshes;

    for (uint32_t i = 0; s->table && i < c->header.mesh_count; i++)
        if (s->table[i]) {
            spn__mesh_registry_release(r, s->table[i]);
            s->table[i] = NULL;
        }
    if (s->candidate)
        spn__mesh_registry_release(r, s->candidate);
    if (s->building)
        spn__mesh_registry_discard(r, s->building);
    close_pack(c);
    sweep(c);
    *s = (struct cache_meshes){.table = s->table};
}
