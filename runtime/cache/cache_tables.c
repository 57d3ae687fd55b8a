/* cache_tables.c - parse and validate names, nodes, meshes and materials.
 *
 * cache_tiles.c has the other tables. Each table has a function of its own, in
 * the order of the file; it may trust the tables before it. What the file does
 * not store (cache_wire_tables.h lists it) is derived here. The header has been
 * validated: its counts add up to tables_bytes exactly, so no parser can read
 * beyond the end.
 */
/* SPDX-License-Identifier: MIT */
#include "cache/cache_tables.h"

#include "base/carve.h"
#include "base/checksum.h"
#include "base/endian.h"
#include "base/mem.h"
#include "cache/cache_nodes.h"
#include "cache/cache_parser.h"
#include "cache/cache_tiles.h"
#include "cache/cache_wire.h"
#include "cache/cache_wire_tables.h"

#include <stddef.h>

static void carve_tables(struct carve *carve, const struct cache_header *h,
                         struct cache_tables *t)
{
    t->names = SPN_CARVE(carve, char, h->name_bytes);
    t->nodes = SPN_CARVE(carve, struct cache_node, h->node_count);
    t->meshes = SPN_CARVE(carve, struct cache_mesh, h->mesh_count);
    t->materials = SPN_CARVE(carve, struct cache_material, h->material_count);
    t->parts = SPN_CARVE(carve, struct cache_part, h->part_count);
    t->tiles = SPN_CARVE(carve, struct cache_tile, h->tile_count);
    t->blocks = SPN_CARVE(carve, struct cache_block, h->block_count);
    t->blobs = SPN_CARVE(carve, struct cache_blob, h->blob_count);
    t->animated_nodes = SPN_CARVE(carve, uint32_t, h->animated_node_count);
}

size_t spn__cache_tables_memory(const struct cache_header *header)
{
    struct carve carve = {.limit = SIZE_MAX};
    struct cache_tables tables;

    carve_tables(&carve, header, &tables);
    return carve.is_over ? SIZE_MAX : carve.used;
}

#define REFUSE(what, field, value)                                             \
    wire_refuse(p->fault, (what), at + offsetof(struct WIRE, field), (value))

static spn_status parse_names(struct cache_parser *p)
{
    uint32_t bytes = p->header->name_bytes;

    /* A NUL at the end terminates every name that starts before it. */
    if (bytes > 0 && p->bytes[bytes - 1] != 0)
        return wire_refuse(p->fault, "end of the names", bytes - 1,
                           p->bytes[bytes - 1]);
    if (bytes > 0)
        memcpy((char *)(uintptr_t)p->tables->names, p->bytes, bytes);
    p->table_offset = bytes;
    return SPN_OK;
}

#define WIRE wire_node
/* Give an animated node the next row of its kind. rows[is_affine] is the next
 * free row. */
static spn_status take_row(struct cache_parser *p, uint32_t i, uint32_t at,
                           uint32_t rows[2])
{
    const struct cache_header *h = p->header;
    uint32_t limit[2] = {h->animated_node_count - h->animated_affine_count,
                         h->animated_node_count};
    struct cache_node *node = &p->tables->nodes[i];
    bool is_affine = node->initial.is_affine;

    if (rows[is_affine] >= limit[is_affine])
        return REFUSE("animated node count", is_animated, rows[is_affine]);
    node->animated = rows[is_affine]++;
    p->tables->animated_nodes[node->animated] = i;
    return SPN_OK;
}

static spn_status parse_node(struct cache_parser *p, uint32_t i,
                             uint32_t rows[2])
{
    uint32_t at = cache_parser_offset(p, i, sizeof(struct wire_node));
    const struct wire_node *wire = (const void *)(p->bytes + at);
    struct cache_node *node = &p->tables->nodes[i];

    node->parent = spn_load_u32le(wire->parent);
    node->mesh = spn_load_u32le(wire->mesh);
    node->name = spn_load_u32le(wire->name);
    node->is_visible = wire->is_visible[0] != 0;
    node->animated = CACHE_NONE;
    if (node->parent != CACHE_NONE && node->parent >= i)
        return REFUSE("node parent", parent, node->parent);
    if (node->mesh != CACHE_NONE && node->mesh >= p->header->mesh_count)
        return REFUSE("node mesh", mesh, node->mesh);
    if (node->name >= p->header->name_bytes)
        return REFUSE("node name", name, node->name);
    if (wire->is_animated[0] > 1)
        return REFUSE("node flag", is_animated, wire->is_animated[0]);
    if (wire->is_visible[0] > 1)
        return REFUSE("node flag", is_visible, wire->is_visible[0]);
    if (wire->is_affine[0] > 1)
        return REFUSE("node flag", is_affine, wire->is_affine[0]);
    if (!wire_is_zero(wire->reserved, sizeof wire->reserved))
        return REFUSE("reserved bytes", reserved, 0);
    if (!spn__cache_transform_read(wire->initial, wire->is_affine[0] != 0,
                                   &node->initial))
        return REFUSE("node transform", initial, i);
    if (!wire->is_affine[0] &&
        !wire_is_zero(wire->initial + sizeof(struct wire_quat_tns),
                      sizeof wire->initial - sizeof(struct wire_quat_tns)))
        return REFUSE("reserved bytes", initial, 0);
    return wire->is_animated[0] ? take_row(p, i, at, rows) : SPN_OK;
}

static spn_status parse_nodes(struct cache_parser *p)
{
    uint32_t count = p->header->node_count;
    uint32_t first_affine =
        p->header->animated_node_count - p->header->animated_affine_count;
    uint32_t rows[2] = {0, first_affine};

    for (uint32_t i = 0; i < count; i++) {
        spn_status status = parse_node(p, i, rows);

        if (status != SPN_OK)
            return status;
    }
    if (rows[0] != first_affine || rows[1] != p->header->animated_node_count)
        return wire_refuse(p->fault, "animated node count", p->table_offset,
                           rows[0] + rows[1] - first_affine);
    p->table_offset = cache_parser_offset(p, count, sizeof(struct wire_node));
    return SPN_OK;
}
#undef WIRE

#define WIRE wire_mesh
static bool load_floats(const uint8_t (*wire)[4], uint32_t count, float *out,
                        bool is_size)
{
    for (uint32_t i = 0; i < count; i++) {
        out[i] = spn_load_f32le(wire[i]);
        if (!wire_is_finite_f32(out[i]) || (is_size && !(out[i] >= 0)))
            return false;
    }
    return true;
}

static spn_status validate_channels(struct cache_parser *p, uint32_t at,
                                    const struct wire_mesh *wire,
                                    struct cache_mesh *mesh)
{
    const uint32_t all =
        CHANNEL_BIT(p->header->version < CACHE_VERSION ? CHANNEL_COUNT_BASIC
                                                       : CHANNEL_COUNT) -
        1;
    const uint32_t needed =
        CHANNEL_BIT(CHANNEL_POSITION) | CHANNEL_BIT(CHANNEL_QTANGENT);

    if (mesh->static_mask > all)
        return REFUSE("static channels", static_mask, mesh->static_mask);
    if (mesh->animated_mask > all || (mesh->animated_mask & mesh->static_mask))
        return REFUSE("animated channels", animated_mask, mesh->animated_mask);
    if (((mesh->static_mask | mesh->animated_mask) & needed) != needed)
        return REFUSE("mesh without positions or tangents", static_mask,
                      mesh->static_mask);
    if (mesh->reflection > CACHE_REFLECTION_MIXED)
        return REFUSE("reflection", reflection, mesh->reflection);
    for (int i = 0; i < 3; i++) {
        mesh->range[CHANNEL_POSITION].bits[i] = wire->position_bits[i];
        if (mesh->range[CHANNEL_POSITION].bits[i] < 1 ||
            mesh->range[CHANNEL_POSITION].bits[i] > 16)
            return REFUSE("position bits", position_bits,
                          mesh->range[CHANNEL_POSITION].bits[i]);
    }
    if (wire->reserved[0] != 0)
        return REFUSE("reserved bytes", reserved, wire->reserved[0]);
    if (!load_floats(wire->position_min, 3, mesh->range[CHANNEL_POSITION].min,
                     false))
        return REFUSE("position box", position_min, 0);
    if (!load_floats(wire->position_size, 3, mesh->range[CHANNEL_POSITION].size,
                     true))
        return REFUSE("position box", position_size, 0);
    mesh->range[CHANNEL_UV].bits[0] = mesh->range[CHANNEL_UV].bits[1] = 16;
    if (!load_floats(wire->uv_min, 2, mesh->range[CHANNEL_UV].min, false))
        return REFUSE("UV range", uv_min, 0);
    if (!load_floats(wire->uv_size, 2, mesh->range[CHANNEL_UV].size, true))
        return REFUSE("UV range", uv_size, 0);
    return SPN_OK;
}

/* Counts of all meshes parsed so far. */
struct mesh_totals {
    uint64_t vertices;
    uint32_t index16;
    uint32_t index32;
    uint32_t material;
};

static spn_status parse_mesh(struct cache_parser *p, uint32_t i,
                             struct mesh_totals *totals)
{
    uint32_t at = cache_parser_offset(p, i, sizeof(struct wire_mesh));
    const struct wire_mesh *wire = (const void *)(p->bytes + at);
    struct cache_mesh *mesh = &p->tables->meshes[i];
    const struct cache_header *h = p->header;
    uint32_t *total;
    uint32_t limit;

    mesh->name = spn_load_u32le(wire->name);
    mesh->vertex_count = spn_load_u32le(wire->vertex_count);
    mesh->index_count = spn_load_u32le(wire->index_count);
    mesh->material_count = spn_load_u32le(wire->material_count);
    mesh->index_bytes = wire->index_bytes[0];
    mesh->static_mask = wire->static_mask[0];
    mesh->animated_mask = wire->animated_mask[0];
    mesh->reflection = wire->reflection[0];
    mesh->second_uv_name = CACHE_NONE;
    if (mesh->name >= h->name_bytes)
        return REFUSE("mesh name", name, mesh->name);
    if (mesh->vertex_count == 0)
        return REFUSE("vertex count", vertex_count, 0);
    mesh->first_vertex = totals->vertices;
    totals->vertices += mesh->vertex_count;
    if (mesh->index_bytes != 2 && mesh->index_bytes != 4)
        return REFUSE("index size", index_bytes, mesh->index_bytes);

    total = mesh->index_bytes == 2 ? &totals->index16 : &totals->index32;
    limit = mesh->index_bytes == 2 ? h->index16_count : h->index32_count;
    if (mesh->index_count % 3 != 0 || mesh->index_count > limit - *total)
        return REFUSE("index count", index_count, mesh->index_count);
    mesh->first_index = *total;
    *total += mesh->index_count;
    if (mesh->material_count > h->material_count - totals->material)
        return REFUSE("material count", material_count, mesh->material_count);
    mesh->first_material = totals->material;
    totals->material += mesh->material_count;
    return validate_channels(p, at, wire, mesh);
}

static spn_status parse_meshes(struct cache_parser *p)
{
    uint32_t count = p->header->mesh_count;
    struct mesh_totals totals = {0};

    for (uint32_t i = 0; i < count; i++) {
        spn_status status = parse_mesh(p, i, &totals);

        if (status != SPN_OK)
            return status;
    }
    if (totals.index16 != p->header->index16_count)
        return wire_refuse(p->fault, "index count", p->table_offset,
                           totals.index16);
    if (totals.index32 != p->header->index32_count)
        return wire_refuse(p->fault, "index count", p->table_offset,
                           totals.index32);
    if (totals.material != p->header->material_count)
        return wire_refuse(p->fault, "material count", p->table_offset,
                           totals.material);
    p->table_offset = cache_parser_offset(p, count, sizeof(struct wire_mesh));
    return SPN_OK;
}
#undef WIRE

#define WIRE wire_attribute
static spn_status parse_attribute(struct cache_parser *p, uint32_t i,
                                  enum channel channel, struct cache_mesh *mesh)
{
    const uint32_t at =
        cache_parser_offset(p, i, sizeof(struct wire_attribute));
    const struct wire_attribute *wire = (const void *)(p->bytes + at);
    const uint32_t count = channel_components(channel);
    const uint32_t name = spn_load_u32le(wire->name);
    struct channel_range *range = &mesh->range[channel];

    if (name >= p->header->name_bytes)
        return REFUSE("attribute name", name, name);
    if (wire->reserved[0] != 0)
        return REFUSE("reserved bytes", reserved, wire->reserved[0]);
    for (uint32_t k = 0; k < 3; k++) {
        range->bits[k] = wire->bits[k];
        if (k < count ? range->bits[k] < 1 || range->bits[k] > 16
                      : range->bits[k] != 0)
            return REFUSE("attribute bits", bits, range->bits[k]);
    }
    if (!load_floats(wire->min, count, range->min, false) ||
        !wire_is_zero((const uint8_t *)wire->min + 4 * count, 4 * (3 - count)))
        return REFUSE("attribute range", min, 0);
    if (!load_floats(wire->size, count, range->size, true) ||
        !wire_is_zero((const uint8_t *)wire->size + 4 * count, 4 * (3 - count)))
        return REFUSE("attribute range", size, 0);
    if (channel == CHANNEL_SECOND_UV)
        mesh->second_uv_name = name;
    return SPN_OK;
}

static spn_status parse_attributes(struct cache_parser *p)
{
    const uint32_t count = p->header->attribute_count;
    uint32_t next = 0;

    for (uint32_t m = 0; m < p->header->mesh_count; m++) {
        struct cache_mesh *mesh = &p->tables->meshes[m];

        for (uint32_t c = CHANNEL_COUNT_BASIC; c < CHANNEL_COUNT; c++) {
            spn_status status;

            if (!((mesh->static_mask | mesh->animated_mask) & CHANNEL_BIT(c)))
                continue;
            if (next == count)
                return wire_refuse(p->fault, "attribute count", p->table_offset,
                                   m);
            status = parse_attribute(p, next++, (enum channel)c, mesh);
            if (status != SPN_OK)
                return status;
        }
    }
    if (next != count)
        return wire_refuse(p->fault, "attribute count", p->table_offset, next);
    p->table_offset =
        cache_parser_offset(p, count, sizeof(struct wire_attribute));
    return SPN_OK;
}
#undef WIRE

#define WIRE wire_material
static spn_status parse_materials_of(struct cache_parser *p,
                                     const struct cache_mesh *mesh)
{
    uint32_t index = 0;

    for (uint32_t k = 0; k < mesh->material_count; k++) {
        uint32_t i = mesh->first_material + k;
        uint32_t at = cache_parser_offset(p, i, sizeof(struct wire_material));
        const struct wire_material *wire = (const void *)(p->bytes + at);
        struct cache_material *material = &p->tables->materials[i];

        material->name = spn_load_u32le(wire->name);
        material->id = spn_load_u32le(wire->id);
        material->index_count = spn_load_u32le(wire->index_count);
        material->first_index = index;
        if (material->name >= p->header->name_bytes)
            return REFUSE("material name", name, material->name);
        if (material->index_count % 3 != 0 ||
            material->index_count > mesh->index_count - index)
            return REFUSE("material index count", index_count,
                          material->index_count);
        index += material->index_count;
    }
    if (index != mesh->index_count)
        return wire_refuse(p->fault, "indices without a material",
                           p->table_offset, index);
    return SPN_OK;
}
#undef WIRE

static spn_status parse_materials(struct cache_parser *p)
{
    for (uint32_t m = 0; m < p->header->mesh_count; m++) {
        spn_status status = parse_materials_of(p, &p->tables->meshes[m]);

        if (status != SPN_OK)
            return status;
    }
    p->table_offset = cache_parser_offset(p, p->header->material_count,
                                          sizeof(struct wire_material));
    return SPN_OK;
}

spn_status spn__cache_tables_read(const struct cache_header *header,
                                  const uint8_t *bytes, void *memory,
                                  size_t memory_bytes,
                                  struct cache_tables *tables,
                                  struct spn_fault *fault)
{
    static spn_status (*const parse[])(struct cache_parser *) = {
        parse_names,
        parse_nodes,
        parse_meshes,
        parse_attributes,
        parse_materials,
        spn__cache_parse_parts,
        spn__cache_parse_tiles,
        spn__cache_parse_blobs,
    };
    struct carve carve = {.base = memory, .limit = memory_bytes};
    struct cache_tables carved = {0};
    struct cache_parser p = {header, bytes, 0, &carved, fault};
    uint32_t checksum;

    carve_tables(&carve, header, &carved);
    if (carve.is_over)
        return SPN_ERR_MEMORY;
    checksum = spn__checksum(bytes, header->tables_bytes, WIRE_SEED);
    if (checksum != header->tables_checksum)
        return wire_refuse_for(fault, SPN_ERR_CHECKSUM,
                               "checksum of the tables", 0, checksum,
                               header->tables_checksum);
    for (size_t i = 0; i < sizeof parse / sizeof parse[0]; i++) {
        spn_status status = parse[i](&p);

        if (status != SPN_OK)
            return status;
    }
    *tables = carved;
    return SPN_OK;
}
