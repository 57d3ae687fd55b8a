/* cache_box.c - read and validate the boxes of a directory.
 *
 * Boxes are bit strings without gaps: of each part the axes x, y, z, of each
 * axis the lower and the upper end, the lowest bit first. Conversion to floats
 * is monotonic and the same as that of the fill, so rounding cannot move a
 * vertex out of its box.
 */
/* SPDX-License-Identifier: MIT */
#include "cache/cache_box.h"

#include "base/minmax.h"
#include "base/wire.h"
#include "cache/cache_directory.h"

static const uint8_t *boxes_of(const struct cache_header *header,
                               const uint8_t *directory)
{
    return directory + spn__cache_directory_bytes(header) - header->box_bytes;
}

/* `count` bits, at most 16, from bit `at` on. */
static uint32_t read_bits(const uint8_t *bytes, uint32_t at, uint32_t count)
{
    uint32_t value = 0;
    uint32_t done = 0;

    while (done < count) {
        const uint32_t skip = (at + done) % 8;
        const uint32_t take = min_u32(8 - skip, count - done);
        const uint32_t byte = bytes[(at + done) / 8];

        value |= (byte >> skip & ((1u << take) - 1)) << done;
        done += take;
    }
    return value;
}

uint32_t spn__cache_box_bits(const struct cache_mesh *mesh)
{
    uint32_t bits = 0;

    for (uint32_t k = 0; k < 3 && cache_mesh_has_boxes(mesh); k++)
        bits += 2 * cache_box_axis_bits(mesh, k);
    return bits;
}

/* The ends of a box on one axis, as they are stored. Returns the bit behind
 * them. */
static uint32_t read_ends(const uint8_t *boxes, uint32_t at, uint32_t bits,
                          uint32_t ends[2])
{
    ends[0] = read_bits(boxes, at, bits);
    ends[1] = read_bits(boxes, at + bits, bits);
    return at + 2 * bits;
}

spn_status spn__cache_boxes_validate(const struct cache_header *header,
                                     const struct cache_tables *tables,
                                     const uint8_t *directory,
                                     struct spn_fault *fault)
{
    const uint8_t *boxes = boxes_of(header, directory);
    const uint32_t first = (uint32_t)(boxes - directory);
    uint32_t at = 0;

    for (uint32_t p = 0; p < header->part_count; p++) {
        const struct cache_mesh *mesh = &tables->meshes[tables->parts[p].mesh];

        for (uint32_t k = 0; k < 3 && cache_mesh_has_boxes(mesh); k++) {
            uint32_t ends[2];
            const uint32_t next =
                read_ends(boxes, at, cache_box_axis_bits(mesh, k), ends);

            if (ends[0] > ends[1])
                return wire_refuse_unlike(fault, "box of a part",
                                          first + at / 8, ends[1], ends[0]);
            at = next;
        }
    }
    if (at % 8 != 0 && boxes[at / 8] >> at % 8 != 0)
        return wire_refuse(fault, "reserved bits", first + at / 8,
                           boxes[at / 8]);
    return SPN_OK;
}

void spn__cache_part_box(const struct cache_header *header,
                         const struct cache_tables *tables,
                         const uint8_t *directory, uint32_t part,
                         struct cache_box *box)
{
    const struct cache_part *p = &tables->parts[part];
    const struct cache_mesh *mesh = &tables->meshes[p->mesh];
    uint32_t at = p->box_bit;

    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t largest =
            (1u << mesh->range[CHANNEL_POSITION].bits[k]) - 1;
        uint32_t ends[2];

        box->least[k] = 0;
        box->most[k] = largest;
        if (!cache_mesh_has_boxes(mesh) || cache_box_axis_bits(mesh, k) == 0)
            continue;
        at = read_ends(boxes_of(header, directory), at,
                       cache_box_axis_bits(mesh, k), ends);
        box->least[k] = ends[0] << mesh->box_shift;
        box->most[k] = ((ends[1] + 1) << mesh->box_shift) - 1;
    }
}

void spn__cache_box_floats(const struct cache_mesh *mesh,
                           const struct cache_box *box, float min[3],
                           float max[3])
{
    const struct channel_range *range = &mesh->range[CHANNEL_POSITION];

    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t largest = (1u << range->bits[k]) - 1;
        const float step = range->size[k] / (float)largest;

        min[k] = range->min[k] + (float)box->least[k] * step;
        max[k] = range->min[k] + (float)box->most[k] * step;
    }
}

void spn__cache_mesh_box(const struct cache_header *header,
                         const struct cache_tables *tables,
                         const uint8_t *directory, uint32_t mesh, float min[3],
                         float max[3])
{
    const struct cache_mesh *m = &tables->meshes[mesh];
    struct cache_box all;

    spn__cache_part_box(header, tables, directory, m->first_part, &all);
    for (uint32_t i = 1; i < m->part_count && cache_mesh_has_boxes(m); i++) {
        struct cache_box box;

        spn__cache_part_box(header, tables, directory, m->first_part + i, &box);
        for (uint32_t k = 0; k < 3; k++) {
            all.least[k] = min_u32(all.least[k], box.least[k]);
            all.most[k] = max_u32(all.most[k], box.most[k]);
        }
    }
    spn__cache_box_floats(m, &all, min, max);
}
