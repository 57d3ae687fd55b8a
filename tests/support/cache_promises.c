/* cache_promises.c - conditions that hold for every validated cache. */
/* SPDX-License-Identifier: MIT */
#include "support/cache_promises.h"

#include "base/block_codec.h"
#include "cache/cache_frame_table.h"
#include "cache/cache_lift.h"
#include "cache/cache_wire_tables.h"
#include "codec/classic/predict.h"
#include "harness.h"
#include "support/lift_validate.h"

#include <string.h>

void promises_check_frames(const struct cache_header *h, uint64_t size,
                           const struct cache_frame *frames,
                           const struct cache_group *groups)
{
    for (uint32_t n = 0; n < h->frame_count; n++) {
        const struct cache_frame *f = &frames[n];
        const struct cache_group *g;

        CHECK(f->offset >= h->frames_offset && f->offset <= size);
        CHECK(f->bytes <= size - f->offset);
        CHECK(f->bytes >= spn__cache_directory_bytes(h));
        CHECK(n == 0 ? f->time_us == 0 : f->time_us > frames[n - 1].time_us);
        CHECK(f->group < h->group_count);
        g = &groups[f->group];
        CHECK(n >= g->first_frame && n - g->first_frame < g->frame_count);
        for (uint32_t k = 0; k < f->reference_count; k++) {
            uint32_t target = (uint32_t)((int64_t)n + f->reference[k]);

            CHECK(target < h->frame_count && target != n);
            CHECK(target == g->anchor_frame ||
                  (frames[target].group == f->group &&
                   frames[target].decode_rank < f->decode_rank));
        }
    }
}

void promises_check_tables(const struct cache_header *h,
                           const struct cache_tables *t)
{
    uint64_t blob_bytes = 0;

    for (uint32_t n = 0; n < h->node_count; n++) {
        CHECK(t->nodes[n].parent == CACHE_NONE || t->nodes[n].parent < n);
        CHECK(t->nodes[n].mesh == CACHE_NONE ||
              t->nodes[n].mesh < h->mesh_count);
        CHECK(t->nodes[n].name < h->name_bytes);
        CHECK(strlen(t->names + t->nodes[n].name) <
              h->name_bytes - t->nodes[n].name);
    }
    for (uint32_t i = 0; i < h->animated_node_count; i++)
        CHECK(t->nodes[t->animated_nodes[i]].animated == i);
    for (uint32_t m = 0; m < h->mesh_count; m++) {
        uint32_t vertices = 0;

        for (uint32_t k = 0; k < t->meshes[m].part_count; k++) {
            const struct cache_part *p = &t->parts[t->meshes[m].first_part + k];

            CHECK_EQ_U(p->mesh, m);
            CHECK_EQ_U(p->first_vertex, vertices);
            vertices += p->vertex_count;
        }
        CHECK_EQ_U(vertices, t->meshes[m].vertex_count);
        CHECK(t->meshes[m].first_material + t->meshes[m].material_count <=
              h->material_count);
    }
    for (uint32_t i = 0; i < h->tile_count; i++) {
        uint32_t vertices = 0;

        CHECK(t->tiles[i].vertex_count <= CACHE_TILE_VERTICES_MAX);
        for (uint32_t k = 0; k < t->tiles[i].part_count; k++) {
            const struct cache_part *p = &t->parts[t->tiles[i].first_part + k];

            CHECK_EQ_U(p->tile, i);
            CHECK_EQ_U(p->tile_vertex, vertices);
            vertices += p->vertex_count;
        }
        CHECK_EQ_U(vertices, t->tiles[i].vertex_count);
    }
    for (uint32_t i = 0; i < h->blob_count; i++) {
        CHECK_EQ_U(t->blobs[i].offset, blob_bytes);
        CHECK(cache_blob_is_coded(&t->blobs[i])
                  ? t->blobs[i].stored_bytes <= WIRE_CODED_BYTES_MAX
                  : t->blobs[i].raw_bytes <= BLOCK_RAW_BYTES_MAX);
        blob_bytes += t->blobs[i].stored_bytes;
    }
    CHECK_EQ_U(blob_bytes, h->blobs_bytes);
    for (uint32_t i = 0; i < h->block_count; i++)
        CHECK(t->blocks[i].raw_bytes <= BLOCK_RAW_BYTES_MAX);
}

static void check_predictor(const struct cache_decoder *c, uint32_t tile,
                            const struct predict_entry *e)
{
    const struct cache_tile *t = &c->tables->tiles[tile];

    for (uint32_t k = 0; k < t->part_count; k++) {
        const struct cache_part *p = &c->tables->parts[t->first_part + k];

        for (uint32_t i = 0; i < p->vertex_count; i++, e++) {
            if (e->u == PREDICT_NO_TRIANGLE)
                continue;
            CHECK(e->u >= 1 && e->u <= i && e->u <= PREDICT_DISTANCE_MAX);
            CHECK(e->v >= 1 && e->v <= i && e->v <= PREDICT_DISTANCE_MAX);
            CHECK(e->w >= 1 && e->w <= i && e->w <= PREDICT_DISTANCE_MAX);
        }
    }
}

static void check_indices(const struct cache_decoder *c, uint32_t width,
                          uint32_t first, uint32_t count, const void *raw)
{
    for (uint32_t m = 0; m < c->header->mesh_count; m++) {
        const struct cache_mesh *mesh = &c->tables->meshes[m];

        if (mesh->index_bytes != width)
            continue;
        for (uint32_t i = 0; i < mesh->index_count; i++) {
            uint32_t at = mesh->first_index + i - first;

            if (at >= count)
                continue;
            CHECK((width == 2
                       ? ((const uint16_t *)raw)[at]
                       : ((const uint32_t *)raw)[at]) < mesh->vertex_count);
        }
    }
}

/* Whatever the bytes were, the decoded one-rings must be valid, and each
 * window's lanes must contain each of its vertices once. */
static void check_rings(const struct cache_decoder *c, uint32_t tile)
{
    const struct one_rings rings =
        spn__cache_lift_one_rings(c->tables, tile, c->blob_data);
    const uint32_t lanes =
        ONE_RING_LANES * one_ring_batch_count(rings.vertex_count);
    struct spn_fault fault = {0};
    uint64_t seen = 0;

    CHECK_EQ(one_rings_validate(&rings, &fault), SPN_OK);
    for (uint32_t i = 0; i < lanes; i++) {
        seen = i % ONE_RING_WINDOW == 0 ? 0 : seen;
        CHECK(rings.vertex[i] < ONE_RING_WINDOW);
        CHECK((seen >> rings.vertex[i] & 1) == 0);
        CHECK(rings.vertex[i] < lanes - i / ONE_RING_WINDOW * ONE_RING_WINDOW);
        seen |= (uint64_t)1 << rings.vertex[i];
    }
}

void promises_check_blob(const struct cache_decoder *c, uint32_t i)
{
    const struct cache_blob *b = &c->tables->blobs[i];
    struct spn_fault fault = {0};

    switch ((enum cache_blob_kind)b->kind) {
    case CACHE_BLOB_PREDICTOR:
        check_predictor(c, b->tile, (const void *)c->blob_data[i]);
        break;
    case CACHE_BLOB_INDEX16:
        check_indices(c, 2, b->tile * CACHE_INDICES_PER_BLOB_16,
                      b->raw_bytes / 2, c->blob_data[i]);
        break;
    case CACHE_BLOB_INDEX32:
        check_indices(c, 4, b->tile * CACHE_INDICES_PER_BLOB_32,
                      b->raw_bytes / 4, c->blob_data[i]);
        break;
    case CACHE_BLOB_HIERARCHY: {
        const struct lift_hierarchy shape =
            spn__cache_lift_hierarchy(c->tables, b->tile, c->blob_data);

        CHECK_EQ(lift_validate(&shape, &fault), SPN_OK);
        break;
    }
    case CACHE_BLOB_ONE_RINGS:
        check_rings(c, b->tile);
        break;
    case CACHE_BLOB_CHANNEL:
    case CACHE_BLOB_REFLECTION:
    case CACHE_BLOB_TABLES:
        break;
    }
}
