/* mesh_facts.c - hash, count, write or compare the facts of a mesh. */
/* SPDX-License-Identifier: MIT */
#include "cache/mesh_facts.h"

#include "base/endian.h"
#include "base/mem.h"
#include "base/wire.h"

/* What is done with the bytes: each pointer that is not NULL is served. */
struct facts {
    struct hash64 *hash;
    uint8_t *target;
    const uint8_t *other; /* bytes to compare with */
    size_t other_bytes;
    bool is_different;
    size_t count; /* bytes so far */
};

static void add(struct facts *f, const void *bytes, size_t count)
{
    if (f->hash)
        spn__hash64_add(f->hash, bytes, count);
    if (f->target)
        memcpy(f->target + f->count, bytes, count);
    if (f->other && (f->is_different || count > f->other_bytes - f->count ||
                     memcmp(f->other + f->count, bytes, count) != 0))
        f->is_different = true;
    f->count += count;
}

static void add_u32(struct facts *f, uint32_t value)
{
    uint8_t bytes[4];

    spn_store_u32le(bytes, value);
    add(f, bytes, sizeof bytes);
}

static void add_f32(struct facts *f, float value)
{
    uint8_t bytes[4];

    spn_store_f32le(bytes, value);
    add(f, bytes, sizeof bytes);
}

/* A name with its NUL. */
static void add_name(struct facts *f, const char *name)
{
    do
        add(f, name, 1);
    while (*name++ != '\0');
}

static void add_range(struct facts *f, const struct channel_range *range,
                      uint32_t component_count)
{
    for (uint32_t k = 0; k < component_count; k++) {
        add_u32(f, range->bits[k]);
        add_f32(f, range->min[k]);
        add_f32(f, range->size[k]);
    }
}

static void add_facts(struct facts *f, const struct cache_tables *t,
                      const struct cache_mesh *mesh)
{
    add_u32(f, mesh->vertex_count);
    add_u32(f, mesh->index_count);
    add_u32(f, mesh->material_count);
    add_u32(f, mesh->index_bytes);
    add_u32(f, mesh->static_mask);
    add_u32(f, mesh->reflection);
    for (uint32_t c = 0; c < CHANNEL_COUNT; c++)
        if ((mesh->static_mask & CHANNEL_BIT(c)) && c != CHANNEL_QTANGENT &&
            c != CHANNEL_COLOR)
            add_range(f, &mesh->range[c], channel_components((enum channel)c));
    add_name(f, mesh->second_uv_name == CACHE_NONE
                    ? ""
                    : t->names + mesh->second_uv_name);
    for (uint32_t i = 0; i < mesh->material_count; i++) {
        const spn_material_range *m = &t->materials[mesh->first_material + i];

        add_u32(f, m->id);
        add_u32(f, m->index_count);
        add_name(f, m->name);
    }
}

size_t spn__mesh_facts_bytes(const struct cache_tables *tables,
                             const struct cache_mesh *mesh)
{
    struct facts f = {0};

    add_facts(&f, tables, mesh);
    return f.count;
}

void spn__mesh_facts_write(const struct cache_tables *tables,
                           const struct cache_mesh *mesh, uint8_t *bytes)
{
    struct facts f = {.target = bytes};

    add_facts(&f, tables, mesh);
}

bool spn__mesh_facts_are(const struct cache_tables *tables,
                         const struct cache_mesh *mesh, const uint8_t *bytes,
                         size_t count)
{
    struct facts f = {.other = bytes, .other_bytes = count};

    add_facts(&f, tables, mesh);
    return !f.is_different && f.count == count;
}

void spn__mesh_facts_hash(const struct cache_tables *tables,
                          const struct cache_mesh *mesh, struct hash64 *hash)
{
    struct facts f = {.hash = hash};

    add_facts(&f, tables, mesh);
}

static const uint8_t *skip_name(const uint8_t *bytes)
{
    while (*bytes)
        bytes++;
    return bytes + 1;
}

uint32_t spn__mesh_facts_material(const struct cache_mesh *mesh,
                                  const uint8_t *bytes, uint32_t index)
{
    struct facts f = {0};
    const struct cache_tables no_names = {.names = ""};
    struct cache_mesh fixed = *mesh;
    uint32_t material = 0;

    /* What comes before the name of the second UVs. */
    fixed.second_uv_name = CACHE_NONE;
    fixed.material_count = 0;
    add_facts(&f, &no_names, &fixed);
    bytes = skip_name(bytes + f.count - 1);
    for (; material + 1 < mesh->material_count; material++) {
        const uint32_t count = spn_load_u32le(bytes + 4);

        if (index < count)
            break;
        index -= count;
        bytes = skip_name(bytes + 8);
    }
    return material;
}
