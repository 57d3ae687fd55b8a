/* cache_info.c - descriptions of a READY cache for the user. */
/* SPDX-License-Identifier: MIT */
#include "play/cache_info.h"

#include "base/mem.h"
#include "cache/blob_decoder.h"
#include "play/cache_meshes.h"

void spn__cache_get_info(const struct cache *c, spn_cache_info *out)
{
    const struct cache_header *h = &c->header;

    *out = (spn_cache_info){
        .frame_count = h->frame_count,
        .mesh_count = h->mesh_count,
        .scene_node_count = h->node_count,
        .index_distance = h->index_distance,
        .duration_us = h->duration_us,
        .loop_us = c->loop_us,
        .start_s = h->start_s,
        .static_bytes = ((uint64_t)c->pages + cache_mesh_pages(c))
                        << c->manager->config.heap->page_shift,
        .table_bytes = (uint64_t)c->table_pages
                       << c->manager->config.heap->page_shift,
        .file_bytes = h->file_bytes,
        .plays_from_memory = h->plays_from_memory,
        .decoded_count = c->ready_count,
        .decoded_bytes = spn__cache_clip_bytes(c),
        .keeps_all_frames = c->keeps_frames,
    };
    if (h->mesh_count > 0) {
        const struct cache_mesh *last = &c->tables.meshes[h->mesh_count - 1];

        out->vertex_count = last->first_vertex + last->vertex_count;
    }
    for (int k = 0; k < 3; k++) {
        out->box_min[k] = h->box_min[k];
        out->box_max[k] = h->box_max[k];
    }
}

void spn__cache_get_mesh(const struct cache *c, uint32_t mesh,
                         spn_mesh_info *out)
{
    const struct cache_mesh *info = &c->tables.meshes[mesh];
    uint32_t mask = info->static_mask | info->animated_mask;
    struct fill_constants constants;

    spn__fill_constants(info, &constants);
    *out = (spn_mesh_info){
        .name = c->tables.names + info->name,
        .vertex_count = info->vertex_count,
        .index_count = info->index_count,
        .material_count = info->material_count,
        .has_uvs = (mask & CHANNEL_BIT(CHANNEL_UV)) != 0,
        .has_colors = (mask & CHANNEL_BIT(CHANNEL_COLOR)) != 0,
        .is_animated = info->animated_mask != 0,
        .content_hash = info->content_hash,
        .first_vertex = info->first_vertex,
        .has_second_uvs = (mask & CHANNEL_BIT(CHANNEL_SECOND_UV)) != 0,
        .has_velocities = (mask & CHANNEL_BIT(CHANNEL_VELOCITY)) != 0,
        .second_uv_name = info->second_uv_name == CACHE_NONE
                              ? ""
                              : c->tables.names + info->second_uv_name,
    };
    for (int k = 0; k < 3; k++) {
        out->position_min[k] = constants.range[CHANNEL_POSITION].min[k];
        out->position_step[k] = constants.range[CHANNEL_POSITION].step[k];
        out->velocity_min[k] = constants.range[CHANNEL_VELOCITY].min[k];
        out->velocity_step[k] = constants.range[CHANNEL_VELOCITY].step[k];
    }
    for (int k = 0; k < 2; k++) {
        out->uv_min[k] = constants.range[CHANNEL_UV].min[k];
        out->uv_step[k] = constants.range[CHANNEL_UV].step[k];
        out->second_uv_min[k] = constants.range[CHANNEL_SECOND_UV].min[k];
        out->second_uv_step[k] = constants.range[CHANNEL_SECOND_UV].step[k];
    }
}

void spn__cache_get_material(const struct cache *c, uint32_t mesh,
                             uint32_t material, spn_material_range *out)
{
    const struct cache_mesh *info = &c->tables.meshes[mesh];

    *out = c->tables.materials[info->first_material + material];
}

void spn__cache_get_node(const struct cache *c, uint32_t index,
                         spn_scene_node_info *out)
{
    const struct cache_node *n = &c->tables.nodes[index];

    out->name = c->tables.names + n->name;
    out->parent = n->parent == CACHE_NONE ? UINT32_MAX : n->parent;
    out->mesh = n->mesh == CACHE_NONE ? UINT32_MAX : n->mesh;
}

/* Index `at` of all indices of one width, which lie in runs. */
static uint32_t load_index(const struct cache *c, bool is_16, uint32_t at)
{
    uint32_t per_run =
        is_16 ? CACHE_INDICES_PER_BLOB_16 : CACHE_INDICES_PER_BLOB_32;
    const uint32_t first = spn__blob_first_index(&c->header, is_16 ? 2 : 4);
    const void *run = c->blob_data[first + at / per_run];

    return is_16 ? ((const uint16_t *)run)[at % per_run]
                 : ((const uint32_t *)run)[at % per_run];
}

void spn__cache_copy_indices(const struct cache *c, uint32_t mesh,
                             uint32_t index_bytes, void *indices)
{
    const struct cache_mesh *info = &c->tables.meshes[mesh];
    bool is_16 = info->index_bytes == 2;
    uint16_t *out16 = indices;
    uint32_t *out32 = indices;

    if (cache_static_mesh(c, mesh)) {
        spn__static_mesh_copy_indices(cache_static_mesh(c, mesh), index_bytes,
                                      indices);
        return;
    }
    for (uint32_t i = 0; i < info->index_count; i++) {
        uint32_t index = load_index(c, is_16, info->first_index + i);

        if (index_bytes == 2)
            out16[i] = (uint16_t)index;
        else
            out32[i] = index;
    }
}
