/* mesh_registry.c - find, count and read static meshes. */
/* SPDX-License-Identifier: MIT */
#include "mesh/mesh_registry.h"

#include "base/assert.h"
#include "base/mem.h"

/* Meshes with the same hash are in the same bucket, in the order in which they
 * were added. */
static struct static_mesh **bucket_of(struct mesh_registry *r, uint64_t hash)
{
    return &r->buckets[hash % MESH_REGISTRY_BUCKETS];
}

struct static_mesh *spn__mesh_registry_next(const struct mesh_registry *r,
                                            uint64_t content_hash,
                                            const struct static_mesh *m)
{
    struct static_mesh *next =
        m ? m->next : r->buckets[content_hash % MESH_REGISTRY_BUCKETS];

    while (next && next->facts.content_hash != content_hash)
        next = next->next;
    return next;
}

/* The bucket is that of the hash, and the hash is one of the numbers up to the
 * id; nearly always the id itself. */
struct static_mesh *spn__mesh_registry_find(const struct mesh_registry *r,
                                            uint64_t id)
{
    for (uint32_t offset = 0; offset <= r->id_offset_max; offset++) {
        struct static_mesh *m =
            r->buckets[(id - offset) % MESH_REGISTRY_BUCKETS];

        while (m && (m->id_offset != offset || static_mesh_id(m) != id))
            m = m->next;
        if (m)
            return m;
    }
    return NULL;
}

void spn__mesh_registry_add(struct mesh_registry *r, struct static_mesh *m)
{
    struct static_mesh **link = bucket_of(r, m->facts.content_hash);

    m->id_offset = 0;
    while (static_mesh_id(m) == 0 ||
           spn__mesh_registry_find(r, static_mesh_id(m)))
        m->id_offset++;
    if (m->id_offset > r->id_offset_max)
        r->id_offset_max = m->id_offset;
    while (*link)
        link = &(*link)->next;
    m->next = NULL;
    m->reference_count = 1;
    *link = m;
    r->mesh_count++;
}

void spn__mesh_registry_discard(struct mesh_registry *r, struct static_mesh *m)
{
    m->next = r->dead;
    r->dead = m;
}

void spn__mesh_registry_release(struct mesh_registry *r, struct static_mesh *m)
{
    struct static_mesh **link = bucket_of(r, m->facts.content_hash);

    SPN_ASSERT(m->reference_count > 0);
    m->reference_count--;
    if (m->reference_count > 0)
        return;
    while (*link != m)
        link = &(*link)->next;
    *link = m->next;
    r->mesh_count--;
    spn__mesh_registry_discard(r, m);
}

heap_handle spn__mesh_registry_take_dead(struct mesh_registry *r)
{
    while (r->dead) {
        struct static_mesh *m = r->dead;
        struct mesh_pack *pack = m->pack;

        if (m->block_count > 0)
            return m->blocks[--m->block_count];
        r->dead = m->next;
        SPN_ASSERT(pack->mesh_count > 0);
        pack->mesh_count--;
        if (pack->mesh_count == 0)
            return pack->block;
    }
    return 0;
}

void spn__static_mesh_source(const struct static_mesh *m, uint32_t part,
                             struct fill_source *out)
{
    const struct static_part *p = &m->parts[part];

    *out = (struct fill_source){.count = p->vertex_count,
                                .reflection = p->reflection,
                                .reflection_first = p->reflection_first};
    for (uint32_t k = 0; k < CHANNEL_COUNT; k++) {
        out->floor[k] = p->channel[k];
        out->ceil[k] = p->channel[k];
    }
}

void spn__static_mesh_fill(const struct static_mesh *m,
                           const struct fill_ops *ops,
                           const spn_vertex_layout *layout, void *vertices)
{
    struct fill_constants constants;

    spn__fill_constants(&m->facts, &constants);
    for (uint32_t i = 0; i < m->part_count; i++) {
        struct fill_source source;

        spn__static_mesh_source(m, i, &source);
        spn__fill_run(ops, &constants, &source, layout,
                      (uint8_t *)vertices +
                          (size_t)m->parts[i].first_vertex * layout->stride);
    }
}

static void copy_run(const struct static_run *run, uint32_t stored_bytes,
                     uint32_t index_bytes, void *indices)
{
    for (uint32_t i = 0; i < run->count; i++) {
        const uint32_t at = run->first + i;
        uint32_t index;

        if (stored_bytes == 2)
            index = ((const uint16_t *)(const void *)run->indices)[i];
        else
            index = ((const uint32_t *)(const void *)run->indices)[i];
        if (index_bytes == 2)
            ((uint16_t *)indices)[at] = (uint16_t)index;
        else
            ((uint32_t *)indices)[at] = index;
    }
}

void spn__static_mesh_copy_indices(const struct static_mesh *m,
                                   uint32_t index_bytes, void *indices)
{
    for (uint32_t i = 0; i < m->run_count; i++)
        copy_run(&m->runs[i], m->facts.index_bytes, index_bytes, indices);
}

bool spn__mesh_registry_check(const struct mesh_registry *r)
{
    uint32_t count = 0;

    for (uint32_t b = 0; b < MESH_REGISTRY_BUCKETS; b++)
        for (const struct static_mesh *m = r->buckets[b]; m; m = m->next) {
            if (m->reference_count == 0 || m->pack->mesh_count == 0 ||
                m->facts.content_hash % MESH_REGISTRY_BUCKETS != b)
                return false;
            count++;
        }
    return count == r->mesh_count && !r->dead;
}
