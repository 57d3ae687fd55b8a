/* encode_group_write.c - writes the encoded frames of a group. */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/encode_group.h"

#include "cache/cache_block.h"
#include "compile/encode/encode_stats.h"
#include "compile/report/refusals.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static int64_t time_us(const struct encoder *e, uint32_t number)
{
    const double *seconds = e->clip->frame_seconds;

    return llround((seconds[number] - seconds[0]) * 1e6);
}

/* Shorten the reference list of a pyramid frame to those that its payloads use,
 * but not below CACHE_REFERENCES_MIN. Classic tiles use all references. The
 * frame waits for all that remain. */
static void drop_unused(const struct group_loop *g,
                        const struct stream_result *results,
                        struct group_references *references)
{
    uint32_t used = CACHE_REFERENCES_MIN;

    for (uint32_t i = 0; i < g->e->layout.block_count; i++) {
        const struct stream_result *r = &results[i];
        uint32_t count = 0;

        if (r->is_absent)
            continue;
        if (r->coding == CODING_TEMPORAL)
            count = references->count;
        else if (r->coding == CODING_LIFTED)
            count = spn__cache_lifted_references(r->stored, r->stored_bytes);
        used = count > used ? count : used;
    }
    references->count = used;
    references->wait_mask = (uint8_t)((1u << used) - 1u);
}

/* Write the frame in `slot`. In the file, an anchor is the last frame of the
 * group before; frame 0 is in the first group. */
static bool write_frame(const struct group_loop *g, const struct group *group,
                        uint32_t slot)
{
    struct encoder *e = g->e;
    uint32_t number = group->first + slot;
    const struct frame_values *values = values_of(g, number);
    const struct stream_result *results =
        group->results + (size_t)slot * e->layout.block_count;
    struct cache_frame frame = {.group = group->number,
                                .type = CACHE_FRAME_INDEX};
    struct group_references references;
    struct arena arena;
    uint64_t bytes;
    uint8_t *joined;
    bool is_written;

    if (slot == 0 && group->number > 0)
        frame.group--;
    frame.time_us = time_us(e, number);
    memcpy(frame.box_min, values->box_min, sizeof frame.box_min);
    memcpy(frame.box_max, values->box_max, sizeof frame.box_max);
    references = group_references(g, group, slot);
    if (references.count > 0 && encoder_has_lifted(e))
        drop_unused(g, results, &references);
    if (references.count > 0) {
        frame.type = CACHE_FRAME_B;
        frame.reference_count = (uint8_t)references.count;
        frame.wait_mask = references.wait_mask;
    }
    for (uint32_t k = 0; k < references.count; k++)
        frame.reference[k] = (int16_t)((int)references.slot[k] - (int)slot);
    arena_init(&arena);
    joined = encoder_join(e, number, values->boxes, results, &arena, &bytes);
    if (bytes > UINT32_MAX)
        is_written =
            refusal_report(e->diag, e->clip->file_name, REFUSAL_TOO_LARGE, NULL,
                           "%" PRIu64 " bytes of frame %u, at most %u", bytes,
                           number, UINT32_MAX);
    else
        is_written = cache_writer_frame(&e->writer, number,
                                        e->clip->frame_seconds[number], &frame,
                                        joined, (uint32_t)bytes);
    arena_free(&arena);
    encoder_stats_add_frame(e, number, (enum cache_frame_type)frame.type, bytes,
                            results);
    return is_written;
}

bool group_write(const struct group_loop *g, const struct group *group)
{
    for (uint32_t slot = 0; slot < frames_to_encode(group); slot++)
        if (!write_frame(g, group, slot))
            return false;
    return true;
}
