/* cache_frame_table.c - validate the frame table entry by entry.
 *
 * Groups divide the frame numbers in order, so the reader remembers only which
 * of CACHE_GROUP_FRAMES_MAX numbers it has seen: a table of any length is
 * validated in constant memory. When a group is complete, its frames are
 * ordered by their waits. A cycle of waits refuses the file, and so does a
 * reference that could be used before it is decoded.
 */
/* SPDX-License-Identifier: MIT */
#include "cache/cache_frame_table.h"

#include "base/assert.h"
#include "base/endian.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "cache/cache_wire.h"

#include <stddef.h>

/* The number of the anchor in sets of a group's frames. */
#define ANCHOR CACHE_GROUP_FRAMES_MAX
#define SET_WORDS (CACHE_GROUP_FRAMES_MAX / 32 + 1)

/* Offset of a field in the table, which has at most 20 MiB. */
static uint32_t place(uint32_t stored, uint32_t field)
{
    return stored * CACHE_FRAME_ENTRY_BYTES + field;
}
#define AT(stored, field) place((stored), offsetof(struct wire_frame, field))

double spn__frame_table_entry_seconds(
    const uint8_t entry[CACHE_FRAME_ENTRY_BYTES])
{
    const struct wire_frame *wire = (const void *)entry;

    return spn_load_f64le(wire->seconds);
}

uint32_t spn__frame_table_entry_number(
    const uint8_t entry[CACHE_FRAME_ENTRY_BYTES])
{
    const struct wire_frame *wire = (const void *)entry;

    return spn_load_u32le(wire->number);
}

/* -- a set of the group's frames -- */

static bool has(const uint32_t *set, uint32_t index)
{
    return (set[index / 32] >> (index % 32) & 1) != 0;
}

static void add(uint32_t *set, uint32_t index)
{
    set[index / 32] |= (uint32_t)1 << (index % 32);
}

/* -- one group -- */

static struct cache_frame *frame_of(const struct frame_table_reader *r,
                                    uint32_t index)
{
    return r->at(r->user, r->group_first_frame + index);
}

/* The number of the frame that a reference names. */
static uint32_t target_of(uint32_t number, const struct cache_frame *frame,
                          uint32_t reference)
{
    return (uint32_t)((int64_t)number + frame->reference[reference]);
}

/* The place of that frame in a set. */
static uint32_t target_in(const struct frame_table_reader *r, uint32_t index,
                          uint32_t reference)
{
    uint32_t target =
        target_of(r->group_first_frame + index, frame_of(r, index), reference);

    return target < r->group_first_frame ? ANCHOR
                                         : target - r->group_first_frame;
}

static spn_status validate_references(struct frame_table_reader *r,
                                      bool *uses_anchor,
                                      struct spn_fault *fault)
{
    uint32_t first = r->group_first_frame;

    *uses_anchor = false;
    for (uint32_t i = 0; i < r->group_frames; i++) {
        const struct cache_frame *f = frame_of(r, i);

        for (uint32_t k = 0; k < f->reference_count; k++) {
            uint32_t target = target_of(first + i, f, k);

            if (target >= first && target - first < r->group_frames)
                continue;
            if (r->anchor == CACHE_NONE || target != r->anchor ||
                r->at(r->user, target)->type != CACHE_FRAME_INDEX)
                return wire_refuse(fault, "frame reference",
                                   AT(first + f->stored, reference), target);
            *uses_anchor = true;
        }
    }
    return SPN_OK;
}

static spn_status validate_times(struct frame_table_reader *r,
                                 struct spn_fault *fault)
{
    for (uint32_t i = 0; i < r->group_frames; i++) {
        const struct cache_frame *f = frame_of(r, i);
        bool is_first = r->group_first_frame + i == 0;

        if (is_first ? f->time_us != 0 : f->time_us <= r->last_us)
            return wire_refuse_wide(
                fault, "frame time",
                AT(r->group_first_frame + f->stored, time_us),
                (uint64_t)f->time_us);
        r->last_us = f->time_us;
    }
    return SPN_OK;
}

/* Find a reference of frame `index`, among those in `mask`, that is not in
 * `set`. */
static bool find_missing(const struct frame_table_reader *r, uint32_t index,
                         uint32_t mask, const uint32_t *set, uint32_t *missing)
{
    for (uint32_t k = 0; k < frame_of(r, index)->reference_count; k++)
        if ((mask >> k & 1) && !has(set, *missing = target_in(r, index, k)))
            return true;
    return false;
}

/* Fill decode_rank, and order[rank] = index. A pass over the group that ranks
 * no frame has found a cycle of waits. */
static spn_status rank_frames(struct frame_table_reader *r, uint8_t *order,
                              struct spn_fault *fault)
{
    uint32_t ranked[SET_WORDS] = {0};
    uint32_t rank = 0;
    uint32_t missing;

    add(ranked, ANCHOR);
    while (rank < r->group_frames) {
        uint32_t rank_before = rank;

        for (uint32_t i = 0; i < r->group_frames; i++) {
            struct cache_frame *f = frame_of(r, i);

            if (has(ranked, i) ||
                find_missing(r, i, f->wait_mask, ranked, &missing))
                continue;
            add(ranked, i);
            order[rank] = (uint8_t)i;
            f->decode_rank = (uint8_t)rank++;
        }
        if (rank == rank_before)
            return wire_refuse(fault, "frames that wait for each other",
                               AT(r->group_first_frame, wait_mask), r->group);
    }
    return SPN_OK;
}

/* Add the frames that a frame waits for to `set`. */
static void add_waits(const struct frame_table_reader *r, uint32_t index,
                      uint32_t *set)
{
    const struct cache_frame *f = frame_of(r, index);

    for (uint32_t k = 0; k < f->reference_count; k++)
        if (f->wait_mask >> k & 1)
            add(set, target_in(r, index, k));
}

/* When the waits of a frame are over, each of its references must be decoded:
 * the frame waits for it, or waits for a frame that does, over any number of
 * steps.
 */
static spn_status validate_waits(struct frame_table_reader *r,
                                 const uint8_t *order, struct spn_fault *fault)
{
    for (uint32_t i = 0; i < r->group_frames; i++) {
        const struct cache_frame *f = frame_of(r, i);
        uint32_t done[SET_WORDS] = {0};
        uint32_t missing;

        add_waits(r, i, done);
        for (uint32_t rank = f->decode_rank; rank-- > 0;)
            if (has(done, order[rank]))
                add_waits(r, order[rank], done);
        if (find_missing(r, i, UINT32_MAX, done, &missing))
            return wire_refuse(fault, "frame reference that nothing waits for",
                               AT(r->group_first_frame + f->stored, wait_mask),
                               f->wait_mask);
    }
    return SPN_OK;
}

static spn_status close_group(struct frame_table_reader *r,
                              struct spn_fault *fault)
{
    uint8_t order[CACHE_GROUP_FRAMES_MAX];
    uint32_t first = r->group_first_frame;
    uint32_t bytes = (uint32_t)(r->next_offset - r->group_offset);
    struct cache_group *group;
    spn_status status;
    bool uses_anchor;

    if (r->group_last - first + 1 != r->group_frames)
        return wire_refuse(fault, "frame numbers of a group", AT(first, number),
                           r->group_last);
    if (r->group >= r->header->group_count)
        return wire_refuse(fault, "frame group", AT(first, group), r->group);
    status = validate_references(r, &uses_anchor, fault);
    if (status == SPN_OK)
        status = validate_times(r, fault);
    if (status == SPN_OK)
        status = rank_frames(r, order, fault);
    if (status == SPN_OK)
        status = validate_waits(r, order, fault);
    if (status != SPN_OK)
        return status;

    group = r->group_at(r->user, r->group);
    group->offset = r->group_offset;
    group->bytes = bytes;
    group->first_frame = first;
    group->frame_count = r->group_frames;
    group->anchor_frame = uses_anchor ? r->anchor : CACHE_NONE;
    r->largest_group_bytes = max_u32(bytes, r->largest_group_bytes);

    r->group_first_frame = first + r->group_frames;
    r->group_offset = r->next_offset;
    r->group_frames = 0;
    r->group++;
    r->anchor = r->last_stored;
    memset(r->seen, 0, sizeof r->seen);
    return SPN_OK;
}

/* -- one entry -- */

static spn_status validate_place(const struct frame_table_reader *r,
                                 uint32_t number, const struct cache_frame *f,
                                 struct spn_fault *fault)
{
    uint32_t first = r->group_first_frame;
    const struct cache_header *h = r->header;

    if (number >= h->frame_count || number < first ||
        number - first >= CACHE_GROUP_FRAMES_MAX ||
        has(r->seen, number - first))
        return wire_refuse(fault, "frame number", AT(r->stored, number),
                           number);
    if (f->offset != r->next_offset)
        return wire_refuse_unlike(fault, "frame offset", AT(r->stored, offset),
                                  f->offset, r->next_offset);
    /* The frames before end within the file: so the header and this say. */
    if (f->bytes < spn__cache_directory_bytes(h) ||
        f->bytes > h->largest_frame_bytes ||
        f->bytes > h->file_bytes - f->offset)
        return wire_refuse(fault, "frame size", AT(r->stored, bytes), f->bytes);
    if (f->offset - r->group_offset > h->largest_group_bytes - f->bytes)
        return wire_refuse(fault, "group size", AT(r->stored, bytes), f->bytes);
    return SPN_OK;
}

/* Check type, references and waits, as far as one entry allows. */
static spn_status validate_links(const struct frame_table_reader *r,
                                 const struct wire_frame *wire, uint32_t number,
                                 struct cache_frame *f, struct spn_fault *fault)
{
    const bool is_b = f->type == CACHE_FRAME_B;
    const uint32_t most = is_b ? CACHE_REFERENCES_MAX : 0;
    const uint32_t least = is_b ? CACHE_REFERENCES_MIN : 0;
    const uint32_t reference_count = f->reference_count;

    if (f->type > CACHE_FRAME_B)
        return wire_refuse(fault, "frame type", AT(r->stored, type), f->type);
    if (reference_count < least || reference_count > most)
        return wire_refuse_unlike(fault, "frame reference count",
                                  AT(r->stored, reference_count),
                                  reference_count, most);
    if (f->wait_mask >> reference_count != 0)
        return wire_refuse(fault, "frame wait mask", AT(r->stored, wait_mask),
                           f->wait_mask);
    for (uint32_t k = 0; k < CACHE_REFERENCES_MAX; k++) {
        int16_t delta = (int16_t)spn_load_u16le(wire->reference[k]);
        int64_t target = (int64_t)number + delta;

        if ((delta != 0) != (k < reference_count) || target < 0 ||
            target >= r->header->frame_count)
            return wire_refuse(fault, "frame reference",
                               AT(r->stored, reference),
                               spn_load_u16le(wire->reference[k]));
        f->reference[k] = delta;
    }
    return SPN_OK;
}

static spn_status validate_content(const struct frame_table_reader *r,
                                   const struct wire_frame *wire,
                                   struct cache_frame *f,
                                   struct spn_fault *fault)
{
    f->time_us = (int64_t)spn_load_u64le(wire->time_us);
    if (f->time_us < 0 || f->time_us > r->header->duration_us)
        return wire_refuse_wide(fault, "frame time", AT(r->stored, time_us),
                                (uint64_t)f->time_us);
    if (!wire_is_finite_f64(spn_load_f64le(wire->seconds)))
        return wire_refuse_wide(fault, "frame time", AT(r->stored, seconds),
                                spn_load_u64le(wire->seconds));
    if (!spn__cache_box_read(wire->box_min, wire->box_max, f->box_min,
                             f->box_max))
        return wire_refuse(fault, "frame box", AT(r->stored, box_min),
                           spn_load_u32le(wire->box_min[0]));
    if (wire->reserved_a[0] != 0)
        return wire_refuse(fault, "reserved bytes", AT(r->stored, reserved_a),
                           wire->reserved_a[0]);
    if (!wire_is_zero(wire->reserved_b, sizeof wire->reserved_b))
        return wire_refuse(fault, "reserved bytes", AT(r->stored, reserved_b),
                           0);
    return SPN_OK;
}

/* The groups before the open one have all numbers below its first. */
static bool counts_agree(const struct frame_table_reader *r)
{
    return r->stored == r->group_first_frame + r->group_frames;
}

bool spn__frame_table_check(const struct frame_table_reader *r)
{
    uint32_t seen_count = 0;
    uint32_t last = 0;

    for (uint32_t i = 0; i < CACHE_GROUP_FRAMES_MAX; i++)
        if (has(r->seen, i)) {
            seen_count++;
            last = i;
        }
    if (!counts_agree(r) || seen_count != r->group_frames)
        return false;
    if (r->group_frames > 0 && r->group_last != r->group_first_frame + last)
        return false;
    return r->stored == 0 || (r->group_offset <= r->next_offset &&
                              r->next_offset <= r->header->file_bytes &&
                              r->last_us <= r->header->duration_us &&
                              (r->anchor == CACHE_NONE) == (r->group == 0));
}

spn_status spn__frame_table_read(struct frame_table_reader *reader,
                                 const uint8_t entry[CACHE_FRAME_ENTRY_BYTES],
                                 struct spn_fault *fault)
{
    const struct wire_frame *wire = (const void *)entry;
    uint32_t number = spn_load_u32le(wire->number);
    struct cache_frame f = {0};
    spn_status status;

    SPN_ASSERT(counts_agree(reader));
    if (reader->stored >= reader->header->frame_count)
        return wire_refuse(fault, "frame count", AT(reader->stored, offset),
                           reader->stored);
    if (reader->stored == 0) {
        reader->next_offset = reader->header->frames_offset;
        reader->group_offset = reader->next_offset;
        reader->anchor = CACHE_NONE;
    }
    f.offset = spn_load_u64le(wire->offset);
    f.bytes = spn_load_u32le(wire->bytes);
    f.group = spn_load_u32le(wire->group);
    f.type = wire->type[0];
    f.reference_count = wire->reference_count[0];
    f.wait_mask = wire->wait_mask[0];
    if (f.group != reader->group) {
        if (reader->group_frames == 0 || f.group - reader->group != 1)
            return wire_refuse(fault, "frame group", AT(reader->stored, group),
                               f.group);
        status = close_group(reader, fault);
        if (status != SPN_OK)
            return status;
    }
    status = validate_place(reader, number, &f, fault);
    if (status == SPN_OK)
        status = validate_links(reader, wire, number, &f, fault);
    if (status == SPN_OK)
        status = validate_content(reader, wire, &f, fault);
    if (status != SPN_OK)
        return status;

    f.stored = (uint16_t)reader->group_frames;
    *reader->at(reader->user, number) = f;
    add(reader->seen, number - reader->group_first_frame);
    if (reader->group_frames == 0 || number > reader->group_last)
        reader->group_last = number;
    reader->largest_frame_bytes = max_u32(f.bytes, reader->largest_frame_bytes);
    reader->last_stored = number;
    reader->group_frames++;
    reader->next_offset += f.bytes;
    reader->stored++;
    return SPN_OK;
}

spn_status spn__frame_table_finish(struct frame_table_reader *reader,
                                   struct spn_fault *fault)
{
    const struct cache_header *h = reader->header;
    uint32_t end = AT(reader->stored, offset);
    spn_status status;

    if (reader->stored != h->frame_count)
        return wire_refuse_unlike(fault, "frame count", end, reader->stored,
                                  h->frame_count);
    status = close_group(reader, fault);
    if (status != SPN_OK)
        return status;
    if (reader->group != h->group_count)
        return wire_refuse_unlike(fault, "group count", end, reader->group,
                                  h->group_count);
    if (reader->next_offset != h->file_bytes)
        return wire_refuse_unlike(fault, "end of the frames", end,
                                  reader->next_offset, h->file_bytes);
    if (reader->last_us != h->duration_us)
        return wire_refuse_unlike(fault, "duration", end,
                                  (uint64_t)reader->last_us,
                                  (uint64_t)h->duration_us);
    if (reader->largest_frame_bytes != h->largest_frame_bytes)
        return wire_refuse_unlike(fault, "largest frame", end,
                                  reader->largest_frame_bytes,
                                  h->largest_frame_bytes);
    if (reader->largest_group_bytes != h->largest_group_bytes)
        return wire_refuse_unlike(fault, "largest group", end,
                                  reader->largest_group_bytes,
                                  h->largest_group_bytes);
    return SPN_OK;
}
