/* cache_tables.c - parse and validate names, nodes, meshes and materials.
 *
 * cache_tiles.c has the other tables. Each table has a function that parses one
 * element, and one that validates all elements together. They are called in the
 * order of the file, and may trust the tables before theirs. What the file does
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
#include "cache/cache_box.h"
#include "cache/cache_nodes.h"
#include "cache/cache_parser.h"
#include "cache/cache_tiles.h"
#include "cache/cache_wire.h"
#include "cache/cache_wire_tables.h"
#include "cache/name_hash.h"

#include <stddef.h>

static void carve_tables(struct carve *carve, const struct cache_header *h,
                         struct cache_tables *t)
{
    t->names = SPN_CARVE(carve, char, h->name_bytes);
    t->nodes = SPN_CARVE(carve, struct cache_node, h->node_count);
    t->meshes = SPN_CARVE(carve, struct cache_mesh, h->mesh_count);
    t->materials = SPN_CARVE(carve, spn_material_range, h->material_count);
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
    wire_refuse(p->fault, (what), p->at + offsetof(struct WIRE, field), (value))

static spn_status copy_names(struct cache_parser *p)
{
    uint32_t bytes = p->header->name_bytes;

    /* A NUL at the end terminates every name that starts before it. */
    if (bytes > 0 && p->bytes[bytes - 1] != 0)
        return wire_refuse(p->fault, "end of the names", bytes - 1,
                           p->bytes[bytes - 1]);
    if (bytes > 0)
        memcpy((char *)(uintptr_t)p->tables->names, p->bytes, bytes);
    return SPN_OK;
}

/* -- nodes -- */

static uint32_t first_affine(const struct cache_header *h)
{
    return h->animated_node_count - h->animated_affine_count;
}

#define WIRE wire_node
/* Give an animated node the next row of its kind. */
static spn_status take_row(struct cache_parser *p, uint32_t i)
{
    struct cache_node *node = &p->tables->nodes[i];
    uint32_t *row = &p->rows[node->initial.is_affine];

    if (*row >= (node->initial.is_affine ? p->header->animated_node_count
                                         : first_affine(p->header)))
        return REFUSE("animated node count", is_animated, *row);
    node->animated = (*row)++;
    p->tables->animated_nodes[node->animated] = i;
    return SPN_OK;
}

static spn_status parse_node(struct cache_parser *p, uint32_t i)
{
    const struct wire_node *wire = (const void *)(p->bytes + p->at);
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
    node->name_hash = spn__name_hash(p->tables->names + node->name);
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
    return wire->is_animated[0] ? take_row(p, i) : SPN_OK;
}

#undef WIRE

static spn_status finish_nodes(struct cache_parser *p)
{
    const struct cache_header *h = p->header;

    return p->rows[0] == first_affine(h) && p->rows[1] == h->animated_node_count
               ? SPN_OK
               : wire_refuse(p->fault, "animated node count", p->at,
                             p->rows[0] + p->rows[1] - first_affine(h));
}

/* -- meshes -- */

#define WIRE wire_mesh
/* Read the range of a channel with `count` components. The others are zero.
 * False if the range is invalid. */
static bool load_range(const uint8_t (*min)[4], const uint8_t (*size)[4],
                       uint32_t count, struct channel_range *range)
{
    for (uint32_t k = 0; k < count; k++) {
        range->min[k] = spn_load_f32le(min[k]);
        range->size[k] = spn_load_f32le(size[k]);
        if (!wire_is_finite_f32(range->min[k]) ||
            !wire_is_finite_f32(range->size[k]) || !(range->size[k] >= 0))
            return false;
    }
    return true;
}

static bool load_bits(const uint8_t bits[3], uint32_t count,
                      struct channel_range *range)
{
    for (uint32_t k = 0; k < 3; k++) {
        range->bits[k] = bits[k];
        if (k < count ? bits[k] < 1 || bits[k] > 16 : bits[k] != 0)
            return false;
    }
    return true;
}

static spn_status validate_channels(struct cache_parser *p, uint32_t i,
                                    const struct wire_mesh *wire,
                                    struct cache_mesh *mesh)
{
    const uint32_t all = CHANNEL_BIT(CHANNEL_COUNT) - 1;
    const uint32_t needed =
        CHANNEL_BIT(CHANNEL_POSITION) | CHANNEL_BIT(CHANNEL_QTANGENT);
    struct channel_range *position = &mesh->range[CHANNEL_POSITION];
    struct channel_range *uv = &mesh->range[CHANNEL_UV];

    if (mesh->static_mask > all)
        return REFUSE("static channels", static_mask, mesh->static_mask);
    if (mesh->animated_mask > all || (mesh->animated_mask & mesh->static_mask))
        return REFUSE("animated channels", animated_mask, mesh->animated_mask);
    if (((mesh->static_mask | mesh->animated_mask) & needed) != needed)
        return REFUSE("mesh without positions or tangents", static_mask,
                      mesh->static_mask);
    if (mesh->reflection > CACHE_REFLECTION_MIXED)
        return REFUSE("reflection", reflection, mesh->reflection);
    if (!load_bits(wire->position_bits, 3, position))
        return REFUSE("position bits", position_bits, wire->position_bits[0]);
    if (mesh->box_shift > CACHE_BOX_SHIFT_MAX ||
        (mesh->box_shift != 0 && !cache_mesh_has_boxes(mesh)))
        return REFUSE("rounding of boxes", box_shift, mesh->box_shift);
    if (mesh->content_hash != 0 && mesh->animated_mask != 0)
        return REFUSE("content hash of an animated mesh", content_hash, i);
    if (!load_range(wire->position_min, wire->position_size, 3, position))
        return REFUSE("position box", position_min, 0);
    uv->bits[0] = uv->bits[1] = 16;
    if (!load_range(wire->uv_min, wire->uv_size, 2, uv))
        return REFUSE("UV range", uv_min, 0);
    return SPN_OK;
}

static spn_status parse_mesh(struct cache_parser *p, uint32_t i)
{
    const struct wire_mesh *wire = (const void *)(p->bytes + p->at);
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
    mesh->box_shift = wire->box_shift[0];
    mesh->content_hash = spn_load_u64le(wire->content_hash);
    mesh->second_uv_name = CACHE_NONE;
    if (mesh->name >= h->name_bytes)
        return REFUSE("mesh name", name, mesh->name);
    if (mesh->vertex_count == 0)
        return REFUSE("vertex count", vertex_count, 0);
    mesh->first_vertex = p->vertices;
    p->vertices += mesh->vertex_count;
    if (mesh->index_bytes != 2 && mesh->index_bytes != 4)
        return REFUSE("index size", index_bytes, mesh->index_bytes);

    total = mesh->index_bytes == 2 ? &p->index16 : &p->index32;
    limit = mesh->index_bytes == 2 ? h->index16_count : h->index32_count;
    if (mesh->index_count % 3 != 0 || mesh->index_count > limit - *total)
        return REFUSE("index count", index_count, mesh->index_count);
    mesh->first_index = *total;
    *total += mesh->index_count;
    if (mesh->material_count > h->material_count - p->materials)
        return REFUSE("material count", material_count, mesh->material_count);
    mesh->first_material = p->materials;
    p->materials += mesh->material_count;
    return validate_channels(p, i, wire, mesh);
}

#undef WIRE

static spn_status finish_meshes(struct cache_parser *p)
{
    if (p->index16 != p->header->index16_count)
        return wire_refuse(p->fault, "index count", p->at, p->index16);
    if (p->index32 != p->header->index32_count)
        return wire_refuse(p->fault, "index count", p->at, p->index32);
    if (p->materials != p->header->material_count)
        return wire_refuse(p->fault, "material count", p->at, p->materials);
    return SPN_OK;
}

#define WIRE wire_attribute
static spn_status parse_attribute(struct cache_parser *p, enum channel channel,
                                  struct cache_mesh *mesh)
{
    const struct wire_attribute *wire = (const void *)(p->bytes + p->at);
    const uint32_t count = channel_components(channel);
    const uint32_t name = spn_load_u32le(wire->name);

    if (name >= p->header->name_bytes)
        return REFUSE("attribute name", name, name);
    if (wire->reserved[0] != 0)
        return REFUSE("reserved bytes", reserved, wire->reserved[0]);
    if (!load_bits(wire->bits, count, &mesh->range[channel]))
        return REFUSE("attribute bits", bits, wire->bits[0]);
    if (!load_range(wire->min, wire->size, count, &mesh->range[channel]) ||
        !wire_is_zero((const uint8_t *)wire->min + 4 * count,
                      4 * (3 - count)) ||
        !wire_is_zero((const uint8_t *)wire->size + 4 * count, 4 * (3 - count)))
        return REFUSE("attribute range", min, 0);
    if (channel == CHANNEL_SECOND_UV)
        mesh->second_uv_name = name;
    p->at += sizeof *wire;
    return SPN_OK;
}
#undef WIRE

/* One for each channel of each mesh that is not in every version. */
static spn_status parse_attributes(struct cache_parser *p)
{
    uint32_t left = p->header->attribute_count;

    for (uint32_t m = 0; m < p->header->mesh_count; m++) {
        struct cache_mesh *mesh = &p->tables->meshes[m];

        for (uint32_t c = CHANNEL_COUNT_BASIC; c < CHANNEL_COUNT; c++) {
            spn_status status;

            if (!((mesh->static_mask | mesh->animated_mask) & CHANNEL_BIT(c)))
                continue;
            if (left-- == 0)
                return wire_refuse(p->fault, "attribute count", p->at, m);
            status = parse_attribute(p, (enum channel)c, mesh);
            if (status != SPN_OK)
                return status;
        }
    }
    return left == 0 ? SPN_OK
                     : wire_refuse(p->fault, "attribute count", p->at, left);
}

/* -- materials -- */

#define WIRE wire_material
static spn_status parse_material(struct cache_parser *p, uint32_t i)
{
    const struct wire_material *wire = (const void *)(p->bytes + p->at);
    spn_material_range *material = &p->tables->materials[i];
    const uint32_t name = spn_load_u32le(wire->name);

    material->id = spn_load_u32le(wire->id);
    material->index_count = spn_load_u32le(wire->index_count);
    if (name >= p->header->name_bytes)
        return REFUSE("material name", name, name);
    material->name = p->tables->names + name;
    if (material->index_count % 3 != 0)
        return REFUSE("material index count", index_count,
                      material->index_count);
    return SPN_OK;
}
#undef WIRE

/* The ranges of a mesh follow each other and cover its indices. */
static spn_status finish_materials(struct cache_parser *p)
{
    for (uint32_t m = 0; m < p->header->mesh_count; m++) {
        const struct cache_mesh *mesh = &p->tables->meshes[m];
        spn_material_range *material =
            p->tables->materials + mesh->first_material;
        uint32_t left = mesh->index_count;

        for (uint32_t k = 0; k < mesh->material_count; k++, material++) {
            material->first_index = mesh->index_count - left;
            if (material->index_count > left)
                return wire_refuse(p->fault, "material index count", p->at,
                                   material->index_count);
            left -= material->index_count;
        }
        if (left != 0)
            return wire_refuse(p->fault, "indices without a material", p->at,
                               left);
    }
    return SPN_OK;
}

/* -- all tables -- */

struct table {
    uint32_t count;
    uint32_t element_bytes;
    /* Parses element `index`. NULL: `finish` parses the table. */
    spn_status (*parse)(struct cache_parser *p, uint32_t index);
    spn_status (*finish)(struct cache_parser *p);
};

/* Parse the table at p->at, and move p->at behind it. */
static spn_status parse_table(struct cache_parser *p, const struct table *table)
{
    const uint32_t first = p->at;
    const uint32_t end = first + table->count * table->element_bytes;
    spn_status status = SPN_OK;

    for (uint32_t i = 0; status == SPN_OK && table->parse && i < table->count;
         i++, p->at += table->element_bytes)
        status = table->parse(p, i);
    p->at = first;
    if (status == SPN_OK)
        status = table->finish(p);
    p->at = end;
    return status;
}

spn_status spn__cache_tables_read(const struct cache_header *header,
                                  const uint8_t *bytes, void *memory,
                                  size_t memory_bytes,
                                  struct cache_tables *tables,
                                  struct spn_fault *fault)
{
    const struct cache_header *h = header;
    const struct table table[] = {
        {h->name_bytes, 1, NULL, copy_names},
        {h->node_count, sizeof(struct wire_node), parse_node, finish_nodes},
        {h->mesh_count, sizeof(struct wire_mesh), parse_mesh, finish_meshes},
        {h->attribute_count, sizeof(struct wire_attribute), NULL,
         parse_attributes},
        {h->material_count, sizeof(struct wire_material), parse_material,
         finish_materials},
        {h->part_count, sizeof(struct wire_part), spn__cache_parse_part,
         spn__cache_finish_parts},
        {h->tile_count, sizeof(struct wire_tile), spn__cache_parse_tile,
         spn__cache_finish_tiles},
        {h->blob_count, sizeof(struct wire_blob), spn__cache_parse_blob,
         spn__cache_finish_blobs},
    };
    struct carve carve = {.base = memory, .limit = memory_bytes};
    struct cache_tables carved = {0};
    struct cache_parser p = {.header = header,
                             .bytes = bytes,
                             .tables = &carved,
                             .fault = fault,
                             .rows = {0, first_affine(header)}};
    uint32_t checksum;

    carve_tables(&carve, header, &carved);
    if (carve.is_over)
        return SPN_ERR_MEMORY;
    checksum = spn__checksum(bytes, header->tables_bytes, WIRE_SEED);
    if (checksum != header->tables_checksum)
        return wire_refuse_for(fault, SPN_ERR_CHECKSUM,
                               "checksum of the tables", 0, checksum,
                               header->tables_checksum);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        spn_status status = parse_table(&p, &table[i]);

        if (status != SPN_OK)
            return status;
    }
    *tables = carved;
    return SPN_OK;
}
