/* clip_packing.c - see clip_packing.h. */
/* SPDX-License-Identifier: MIT */
#include "anim/clip_packing.h"

#include "anim/anim_wire.h"
#include "anim/packed_clip.h"
#include "base/assert.h"
#include "base/checksum.h"
#include "base/endian.h"

#include <string.h>

/* The two forms of a header and its table. */
struct form {
    uint32_t header_bytes;
    uint32_t entry_bytes;
};

static const struct form file_form = {ANIM_CLIP_HEADER_BYTES,
                                      ANIM_CHECKED_ENTRY};

/* Bytes before the coded head. */
static uint32_t bytes_before(struct form form, uint32_t segments)
{
    return form.header_bytes + segments * form.entry_bytes;
}

/* -- to a database -- */

static void put_table(const struct clip_input *packed, uint32_t entry_bytes,
                      uint8_t *table)
{
    for (uint32_t i = 0; i < packed->segment_count; i++) {
        uint8_t *entry = table + i * entry_bytes;
        const uint32_t end = packed->segment_ends[i];

        if (entry_bytes == 2)
            spn_store_u16le(entry, (uint16_t)end);
        else
            spn_store_u32le(entry, end);
    }
}

static void put_header(const struct clip_input *file,
                       const struct clip_input *packed,
                       struct anim_wire_packed *wire)
{
    const struct anim_wire_clip *from = (const void *)file->bytes;
    const struct clip_facts facts = clip_input_facts(packed);
    struct anim_wire_clip whole;

    spn_store_u32le(wire->head_bytes, packed->header_bytes);
    memcpy(wire->float_track_count, from->float_track_count,
           sizeof wire->float_track_count);
    wire->flags[0] = (uint8_t)(from->flags[0] & ANIM_HAS_CUTS);
    wire->segment_frames[0] = from->segment_frames[0];
    spn__packed_clip_expand((const uint8_t *)wire, &facts, &whole);
    spn_store_u32le(wire->checksum,
                    spn__checksum(&whole,
                                  offsetof(struct anim_wire_clip, checksum),
                                  WIRE_SEED));
}

void clip_packing_make(const struct clip_input *file, struct arena *arena,
                       struct clip_input *packed)
{
    const uint32_t segments = file->segment_count;
    const uint32_t before = bytes_before(file_form, segments);
    struct form form = {PACKED_CLIP_HEADER_BYTES, 2};
    uint32_t *ends = ARENA_NEW(arena, uint32_t, segments);
    uint32_t left; /* bytes that the packed clip has less */
    uint8_t *bytes;

    left = before - bytes_before(form, segments);
    form.entry_bytes = packed_clip_entry_bytes(file->byte_count - left);
    left = before - bytes_before(form, segments);
    *packed = *file;
    packed->byte_count = file->byte_count - left;
    packed->header_bytes = file->header_bytes - left;
    packed->segment_ends = ends;
    for (uint32_t i = 0; i < segments; i++)
        ends[i] = file->segment_ends[i] - left;
    bytes = ARENA_NEW(arena, uint8_t, packed->byte_count);
    packed->bytes = bytes;
    put_table(packed, form.entry_bytes, bytes + form.header_bytes);
    memcpy(bytes + before - left, file->bytes + before,
           file->byte_count - before);
    put_header(file, packed, (void *)bytes);
}

/* -- back to a file -- */

uint8_t *clip_packing_undo(const struct clip_facts *facts,
                           const uint8_t *packed, struct arena *arena,
                           size_t *size)
{
    struct anim_clip clip;
    const struct anim_clip_header *h = &clip.header;
    const spn_status status =
        spn__packed_clip_read_header(packed, facts, &clip.header, NULL);
    struct anim_wire_clip *wire;
    uint32_t before;
    uint32_t more; /* bytes that the file has more */
    uint32_t head;
    uint8_t *file;

    SPN_ASSERT(status == SPN_OK);
    (void)status;
    clip.segments = packed + h->table_at;
    before = bytes_before(file_form, h->segment_count);
    more = before - h->table_at - anim_clip_table_bytes(h);
    head = h->head_bytes + more;
    *size = (size_t)h->file_bytes + more;
    file = ARENA_NEW(arena, uint8_t, *size);
    memcpy(file + before, packed + before - more, *size - before);
    for (uint32_t i = 0; i < h->segment_count; i++) {
        const struct anim_segment_place place =
            spn__anim_clip_segment(&clip, i);
        struct anim_wire_segment *entry =
            (void *)(file + ANIM_CLIP_HEADER_BYTES + i * ANIM_CHECKED_ENTRY);

        spn_store_u32le(entry->end, place.offset + place.bytes + more);
        spn_store_u32le(entry->checksum, spn__checksum(packed + place.offset,
                                                       place.bytes, WIRE_SEED));
    }
    wire = (void *)file;
    spn__packed_clip_expand(packed, facts, wire);
    spn_store_u32le(wire->head_bytes, head);
    spn_store_u32le(wire->file_bytes, (uint32_t)*size);
    spn_store_u32le(
        wire->head_checksum,
        spn__checksum(file + sizeof *wire, head - sizeof *wire, WIRE_SEED));
    spn_store_u32le(wire->checksum,
                    spn__checksum(wire,
                                  offsetof(struct anim_wire_clip, checksum),
                                  WIRE_SEED));
    return file;
}
