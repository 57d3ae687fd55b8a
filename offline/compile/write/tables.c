/* tables.c - names, nodes, meshes, attributes, materials, parts, tiles, blobs
 * as bytes.
 *
 * cache/cache_wire.h defines the order and the meaning of every field;
 * the runtime's parser decides whether what is written here is valid.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/write/tables.h"

#include "base/endian.h"
#include "cache/cache_wire.h"
#include "cache/cache_wire_tables.h"

#include <float.h>
#include <string.h>

/* The names of all tables, in the order in which they are added; "" first. */
struct names {
    uint8_t *bytes; /* NULL: count only */
    uint64_t used;
};

static uint32_t add_name(struct names *names, const char *text)
{
    uint32_t at = (uint32_t)names->used;
    size_t bytes;

    if (!text || !text[0])
        return 0;
    bytes = strlen(text) + 1;
    if (names->bytes)
        memcpy(names->bytes + names->used, text, bytes);
    names->used += bytes;
    return at;
}

static void store_quat_tns(struct wire_quat_tns *wire,
                           const struct quat_tns *transform)
{
    for (int i = 0; i < 4; i++)
        spn_store_f32le(wire->rotation[i], transform->rotation[i]);
    for (int i = 0; i < 3; i++) {
        spn_store_f32le(wire->translation[i], transform->translation[i]);
        spn_store_f32le(wire->scale[i], transform->scale[i]);
    }
}

uint32_t tables_store_transform(uint8_t *out, const struct transform *transform)
{
    struct wire_affine *wire = (void *)out;

    if (!transform->is_affine) {
        store_quat_tns((void *)out, &transform->tns);
        return sizeof(struct wire_quat_tns);
    }
    for (int i = 0; i < 12; i++)
        spn_store_f32le(wire->numbers[i], transform->affine[i]);
    return sizeof *wire;
}

void tables_store_box(uint8_t min_bytes[3][4], uint8_t max_bytes[3][4],
                      const float min[3], const float max[3])
{
    bool is_empty = false;

    for (int i = 0; i < 3; i++)
        is_empty = is_empty || !(min[i] <= max[i]);
    for (int i = 0; i < 3; i++) {
        spn_store_f32le(min_bytes[i], is_empty ? FLT_MAX : min[i]);
        spn_store_f32le(max_bytes[i], is_empty ? -FLT_MAX : max[i]);
    }
}

static void store_nodes(const struct clip *clip,
                        const struct clip_node_frame *initial,
                        struct names *names, struct wire_node *wire)
{
    for (uint32_t n = 0; n < clip->node_count; n++, wire++) {
        const struct clip_node *node = &clip->nodes[n];

        spn_store_u32le(wire->parent, (uint32_t)node->parent);
        spn_store_u32le(wire->mesh, (uint32_t)node->mesh);
        spn_store_u32le(wire->name, add_name(names, node->path));
        wire->is_animated[0] = node->is_animated;
        wire->is_visible[0] = initial[n].is_visible;
        wire->is_affine[0] = node->is_affine;
        tables_store_transform(wire->initial, &initial[n].transform);
    }
}

static void store_meshes(const struct clip *clip, struct names *names,
                         struct wire_mesh *wire)
{
    for (uint32_t m = 0; m < clip->mesh_count; m++, wire++) {
        const struct clip_mesh *mesh = &clip->meshes[m];

        spn_store_u32le(wire->name, add_name(names, mesh->path));
        spn_store_u32le(wire->vertex_count, mesh->vertex_count);
        spn_store_u32le(wire->index_count, mesh->index_count);
        spn_store_u32le(wire->material_count, mesh->material_count);
        wire->index_bytes[0] = (uint8_t)layout_index_bytes(mesh);
        wire->static_mask[0] = mesh->static_mask;
        wire->animated_mask[0] = mesh->animated_mask;
        wire->reflection[0] = (uint8_t)layout_reflection(mesh);
        wire->box_shift[0] = mesh->box_shift;
        for (int i = 0; i < 3; i++) {
            wire->position_bits[i] = mesh->range[CHANNEL_POSITION].bits[i];
            spn_store_f32le(wire->position_min[i],
                            mesh->range[CHANNEL_POSITION].min[i]);
            spn_store_f32le(wire->position_size[i],
                            mesh->range[CHANNEL_POSITION].size[i]);
        }
        for (int i = 0; i < 2; i++) {
            spn_store_f32le(wire->uv_min[i], mesh->range[CHANNEL_UV].min[i]);
            spn_store_f32le(wire->uv_size[i], mesh->range[CHANNEL_UV].size[i]);
        }
    }
}

static bool has_channel(const struct clip_mesh *mesh, uint32_t channel)
{
    return (mesh->static_mask | mesh->animated_mask) & CHANNEL_BIT(channel);
}

static const char *attribute_name(const struct clip_mesh *mesh,
                                  uint32_t channel)
{
    return channel == CHANNEL_SECOND_UV ? mesh->second_uv_name : NULL;
}

static uint32_t count_attributes(const struct clip *clip)
{
    uint32_t count = 0;

    for (uint32_t m = 0; m < clip->mesh_count; m++)
        for (uint32_t c = CHANNEL_COUNT_BASIC; c < CHANNEL_COUNT; c++)
            count += has_channel(&clip->meshes[m], c);
    return count;
}

static void store_attribute(const struct clip_mesh *mesh, uint32_t channel,
                            struct names *names, struct wire_attribute *wire)
{
    const struct channel_range *range = &mesh->range[channel];
    const uint32_t count = channel_components((enum channel)channel);

    spn_store_u32le(wire->name, add_name(names, attribute_name(mesh, channel)));
    for (uint32_t i = 0; i < count; i++) {
        wire->bits[i] = range->bits[i];
        spn_store_f32le(wire->min[i], range->min[i]);
        spn_store_f32le(wire->size[i], range->size[i]);
    }
}

static void store_attributes(const struct clip *clip, struct names *names,
                             struct wire_attribute *wire)
{
    for (uint32_t m = 0; m < clip->mesh_count; m++)
        for (uint32_t c = CHANNEL_COUNT_BASIC; c < CHANNEL_COUNT; c++)
            if (has_channel(&clip->meshes[m], c))
                store_attribute(&clip->meshes[m], c, names, wire++);
}

static void store_materials(const struct clip *clip, struct names *names,
                            struct wire_material *wire)
{
    for (uint32_t m = 0; m < clip->mesh_count; m++)
        for (uint32_t k = 0; k < clip->meshes[m].material_count; k++, wire++) {
            const struct clip_material *material =
                &clip->meshes[m].materials[k];

            spn_store_u32le(wire->name, add_name(names, material->name));
            spn_store_u32le(wire->id, material->id);
            spn_store_u32le(wire->index_count, material->index_count);
        }
}

static void store_layout(const struct layout *l, struct wire_part *part,
                         struct wire_tile *tile, struct wire_blob *blob)
{
    for (uint32_t i = 0; i < l->part_count; i++, part++) {
        spn_store_u32le(part->mesh, l->parts[i].mesh);
        spn_store_u32le(part->vertex_count, l->parts[i].vertex_count);
    }
    for (uint32_t i = 0; i < l->tile_count; i++, tile++) {
        spn_store_u16le(tile->part_count, (uint16_t)l->tiles[i].part_count);
        spn_store_u16le(
            tile->one_ring_slots,
            (uint16_t)(l->tiles[i].one_ring_slots |
                       (l->tiles[i].one_rings_by_uvs ? WIRE_ONE_RINGS_BY_UVS
                                                     : 0)));
        tile->prediction[0] =
            cache_tile_is_lifted(&l->tiles[i])         ? WIRE_PREDICTION_LIFTED
            : l->tiles[i].predictor_blob != CACHE_NONE ? WIRE_PREDICTION_ENTRIES
                                                       : WIRE_PREDICTION_NONE;
        tile->channel_weights[0] = (uint8_t)l->tiles[i].channel_weights;
        spn_store_u16le(tile->layer_count, (uint16_t)l->tiles[i].layer_count);
    }
    for (uint32_t i = 0; i < l->blob_count; i++, blob++) {
        uint32_t raw = l->blobs[i].is_raw ? WIRE_RAW_BIT : 0;

        spn_store_u32le(blob->stored, l->blobs[i].stored_bytes | raw);
        spn_store_u32le(blob->checksum, l->blobs[i].checksum);
        blob->coding[0] =
            wire_coding_byte(l->blobs[i].coding, l->blobs[i].order);
    }
}

uint64_t tables_name_bytes(const struct clip *clip)
{
    struct names names = {NULL, 1};

    for (uint32_t n = 0; n < clip->node_count; n++)
        add_name(&names, clip->nodes[n].path);
    for (uint32_t m = 0; m < clip->mesh_count; m++) {
        add_name(&names, clip->meshes[m].path);
        for (uint32_t c = CHANNEL_COUNT_BASIC; c < CHANNEL_COUNT; c++)
            if (has_channel(&clip->meshes[m], c))
                add_name(&names, attribute_name(&clip->meshes[m], c));
        for (uint32_t k = 0; k < clip->meshes[m].material_count; k++)
            add_name(&names, clip->meshes[m].materials[k].name);
    }
    return names.used;
}

uint8_t *tables_make(const struct clip *clip, const struct layout *layout,
                     const struct clip_node_frame *initial, struct arena *arena,
                     struct cache_header *header)
{
    uint64_t name_bytes = tables_name_bytes(clip);
    struct names names = {NULL, 1};
    uint8_t *nodes;
    uint8_t *meshes;
    uint8_t *attributes;
    uint8_t *materials;
    uint8_t *parts;
    uint8_t *tiles;

    header->node_count = clip->node_count;
    header->animated_node_count = layout->animated_node_count;
    header->animated_affine_count = layout->animated_affine_count;
    header->mesh_count = clip->mesh_count;
    header->attribute_count = count_attributes(clip);
    header->material_count = 0;
    for (uint32_t m = 0; m < clip->mesh_count; m++)
        header->material_count += clip->meshes[m].material_count;
    header->part_count = layout->part_count;
    header->tile_count = layout->tile_count;
    header->block_count = layout->block_count;
    header->blob_count = layout->blob_count;
    header->box_bytes = layout->box_bytes;
    header->name_bytes = (uint32_t)name_bytes;
    header->index16_count = layout->index16_count;
    header->index32_count = layout->index32_count;
    if (name_bytes > TABLES_NAME_BYTES_MAX ||
        spn__cache_tables_bytes(header) > UINT32_MAX)
        return NULL;
    header->tables_bytes = (uint32_t)spn__cache_tables_bytes(header);

    names.bytes = ARENA_NEW(arena, uint8_t, header->tables_bytes);
    nodes = names.bytes + name_bytes;
    meshes = nodes + header->node_count * sizeof(struct wire_node);
    attributes = meshes + header->mesh_count * sizeof(struct wire_mesh);
    materials =
        attributes + header->attribute_count * sizeof(struct wire_attribute);
    parts = materials + header->material_count * sizeof(struct wire_material);
    tiles = parts + header->part_count * sizeof(struct wire_part);
    store_nodes(clip, initial, &names, (void *)nodes);
    store_meshes(clip, &names, (void *)meshes);
    store_attributes(clip, &names, (void *)attributes);
    store_materials(clip, &names, (void *)materials);
    store_layout(
        layout, (void *)parts, (void *)tiles,
        (void *)(tiles + header->tile_count * sizeof(struct wire_tile)));
    return names.bytes;
}
