/* check_boxes.c - compare quantized positions with boxes. */
/* SPDX-License-Identifier: MIT */
#include "verify/check_boxes.h"

#include "cache/cache_box.h"

/* Count the vertices of a part that are outside.
 *
 * positions  of the mesh */
static uint64_t count_outside(const struct cache_part *part,
                              const struct cache_box *box,
                              const uint16_t *positions)
{
    const uint16_t *q = positions + 3 * (size_t)part->first_vertex;
    uint64_t count = 0;

    for (uint32_t v = 0; v < part->vertex_count; v++, q += 3) {
        bool is_inside = true;

        for (int k = 0; k < 3; k++)
            is_inside =
                is_inside && q[k] >= box->least[k] && q[k] <= box->most[k];
        count += !is_inside;
    }
    return count;
}

bool check_boxes(struct check *check, uint32_t frame)
{
    const struct cache_tables *t = check->tables;
    const struct cache_reader_frame *view =
        cache_reader_frame(check->reader, frame);
    struct frame_decoder decoder;

    if (!view || !cache_reader_stored_frame(check->reader, frame, &decoder))
        return false;
    for (uint32_t p = 0; p < check->header->part_count; p++) {
        const struct cache_part *part = &t->parts[p];
        struct cache_box box;

        if (!cache_reader_has_mesh(check->reader, view, part->mesh))
            continue;
        spn__cache_part_box(check->header, t, decoder.directory, p, &box);
        check->report->vertices_outside += count_outside(
            part, &box, view->meshes[part->mesh].channel[CHANNEL_POSITION]);
    }
    return true;
}
