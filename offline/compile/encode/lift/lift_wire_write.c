/* lift_wire_write.c - codes hierarchies and one-rings with the reader's models.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/lift/lift_wire_write.h"

#include <string.h>

/* The coder comes before the models, which call it. */
#include "compile/encode/entropy/model_writer.h"

#include "codec/lift/lift_model.h"
#include "codec/lift/one_ring_model.h"

static void fill_members(const struct lift_hierarchy *hierarchy,
                         struct wire_hierarchy *s)
{
    for (uint32_t l = 0; l < hierarchy->layer_count; l++)
        for (uint32_t v = hierarchy->layers[l].first;
             v < hierarchy->layers[l + 1].first; v++) {
            s->layer_of[s->member[v]] = (uint16_t)l;
            s->place[s->member[v]] = (uint16_t)v;
        }
}

/* Put the references with a weight first, sorted by their members. */
static void fill_references(const struct lift_hierarchy *hierarchy,
                            struct wire_hierarchy *s, uint32_t i)
{
    const size_t at = LIFT_REFERENCES * (size_t)s->place[i];
    uint16_t *r = s->references + at;
    int8_t *w = s->weights[0] + at;
    size_t from[LIFT_REFERENCES];
    uint32_t count = 0;

    for (uint32_t j = 0; j < LIFT_REFERENCES; j++) {
        const uint16_t reference = hierarchy->references[at + j];
        const int8_t weight = hierarchy->weights[at + j];
        uint32_t k = count;

        if (weight == 0)
            continue;
        for (; k > 0 && s->member[r[k - 1]] > s->member[reference]; k--) {
            r[k] = r[k - 1];
            w[k] = w[k - 1];
            from[k] = from[k - 1];
        }
        r[k] = reference;
        w[k] = weight;
        from[k] = at + j;
        count++;
    }
    s->count[i] = (uint8_t)count;
    for (int k = 0; k < 2; k++)
        for (uint32_t j = 0; s->weights[1 + k] && j < count; j++)
            s->weights[1 + k][at + j] = hierarchy->channel_weights[k][from[j]];
}

struct wire_bytes lift_wire_write_hierarchy(
    const struct lift_hierarchy *hierarchy, const uint16_t *members,
    struct arena *arena)
{
    struct wire_bytes out = {NULL, 0};
    struct range_encoder encoder;
    struct wire_hierarchy *s;
    struct arena scratch;

    arena_init(&scratch);
    s = ARENA_NEW(&scratch, struct wire_hierarchy, 1);
    spn__wire_hierarchy_begin(s);
    s->vertex_count = hierarchy->vertex_count;
    s->layer_count = hierarchy->layer_count;
    s->level_count = hierarchy->level_count;
    s->member = ARENA_NEW(&scratch, uint16_t, hierarchy->vertex_count);
    memcpy(s->member, members, hierarchy->vertex_count * sizeof *members);
    s->has_welds = hierarchy->weld_first < hierarchy->vertex_count;
    s->layers = ARENA_NEW(&scratch, struct lift_layer,
                          hierarchy->layer_count + (size_t)1);
    memcpy(s->layers, hierarchy->layers,
           hierarchy->layer_count * sizeof *s->layers);
    s->references = ARENA_NEW(
        &scratch, uint16_t, LIFT_REFERENCES * (size_t)hierarchy->vertex_count);
    for (int k = 0; k < 3; k++)
        if (k == 0 || hierarchy->channel_weights[k - 1])
            s->weights[k] =
                ARENA_NEW(&scratch, int8_t,
                          LIFT_REFERENCES * (size_t)hierarchy->vertex_count);
    fill_members(hierarchy, s);
    for (uint32_t i = 0; i < hierarchy->vertex_count; i++)
        fill_references(hierarchy, s, i);
    range_encoder_begin(&encoder, arena);
    if (code_hierarchy(&encoder, s)) {
        range_encoder_end(&encoder);
        out = (struct wire_bytes){encoder.bytes, encoder.count};
    }
    arena_free(&scratch);
    return out;
}

/* Find the block of a vertex's one-ring, and its lane in this block. */
static uint32_t find_lane(const struct one_rings *rings, uint32_t v)
{
    uint32_t at = v / ONE_RING_WINDOW * ONE_RING_WINDOW;

    while (rings->vertex[at] != v % ONE_RING_WINDOW)
        at++;
    return at;
}

struct wire_bytes lift_wire_write_one_rings(const struct one_rings *rings,
                                            const struct one_ring_part *part,
                                            struct arena *arena)
{
    const uint32_t batches = one_ring_batch_count(rings->vertex_count);
    const size_t numbers = ONE_RING_LANES * (size_t)rings->first_slot[batches];
    struct range_encoder encoder;
    struct wire_one_rings *work;
    struct arena scratch;
    struct triangle_range range = part->range;
    uint16_t scale[3];

    arena_init(&scratch);
    work = ARENA_NEW(&scratch, struct wire_one_rings, 1);
    spn__wire_one_rings_begin(work, rings->by_uvs);
    spn__one_ring_corners_find(part, &work->corners);
    for (size_t i = 0; i < numbers; i++) {
        const struct one_ring_slot *slot = rings->slots + i / ONE_RING_LANES;
        const int32_t x = slot->sector_weight[i % ONE_RING_LANES];
        const int32_t y = slot->neighbour_weight[i % ONE_RING_LANES];

        work->weight_max = x > work->weight_max ? x : work->weight_max;
        work->weight_max = y > work->weight_max ? y : work->weight_max;
    }
    range_encoder_begin(&encoder, arena);
    memcpy(scale, rings->scale, sizeof scale);
    code_one_rings_head(&encoder, work, &range, scale);
    for (uint32_t v = 0; v < rings->vertex_count; v++) {
        int8_t sector_weights[ONE_RING_SLOTS_MAX];
        int8_t neighbour_weights[ONE_RING_SLOTS_MAX];
        const uint32_t at = find_lane(rings, v);
        const struct one_ring_slot *slots =
            rings->slots + rings->first_slot[at / ONE_RING_LANES];
        struct one_ring ring;

        spn__one_ring_walk(&work->corners, one_ring_welded(part, v), &ring);
        for (uint32_t k = 0; k < ring.count; k++) {
            sector_weights[k] = slots[k].sector_weight[at % ONE_RING_LANES];
            neighbour_weights[k] =
                slots[k].neighbour_weight[at % ONE_RING_LANES];
        }
        (void)code_one_ring(&encoder, work, &ring, sector_weights,
                            neighbour_weights);
    }
    range_encoder_end(&encoder);
    arena_free(&scratch);
    return (struct wire_bytes){encoder.bytes, encoder.count};
}
