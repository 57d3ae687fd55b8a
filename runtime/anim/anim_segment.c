/* anim_segment.c - checks a segment, and has its rows decoded. */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_segment.h"

#include "anim/anim_rows.h"
#include "base/assert.h"
#include "base/checksum.h"
#include "base/cpu.h"
#include "base/endian.h"
#include "base/wire.h"

void spn__anim_decoder_tables_init(struct anim_decoder_tables *tables,
                                   uint32_t cpu)
{
    spn__anim_symbols_init(&tables->symbols);
    for (uint32_t n = 1; n <= ANIM_SEGMENT_FRAMES_MAX; n++)
        spn__anim_schedule(&tables->schedule[n], n);
    tables->decode_rows = spn__anim_rows_decode;
    if (cpu & SPN_CPU_AVX2)
        spn__anim_rows_avx2(tables);
}

size_t spn__anim_segment_workspace(const struct anim_tracks *tracks)
{
    return (size_t)anim_place_count(tracks) * ANIM_ROWS_PLACE_BYTES;
}

/* Each of the states has two words. */
#define SIZE_MIN (4 * ANIM_STATES)

static void reader_begin(struct anim_reader *r, const uint8_t *bytes,
                         uint32_t size)
{
    *r = (struct anim_reader){.bytes = bytes, .size = size, .word = size};
    for (uint32_t i = 0; i < ANIM_STATES; i++) {
        r->word -= 4;
        r->state[i] = spn_load_u32le(bytes + r->word);
    }
}

/* Check that everything was used, as an encoder leaves it.
 *
 * offset  of the reader's bytes in the file */
static spn_status check_end(const struct anim_reader *r, uint32_t offset,
                            spn_fault *fault)
{
    const uint32_t raw_bytes = (r->bit + 7) / 8;
    const uint32_t last = r->bit / 8;

    if (raw_bytes != r->word)
        return wire_refuse_unlike(fault, "bytes of codes in a segment", offset,
                                  raw_bytes + r->size - r->word, r->size);
    for (uint32_t i = 0; i < ANIM_STATES; i++)
        if (r->state[i] != ANIM_STATE_MIN)
            return wire_refuse_unlike(fault, "last state of a decoder",
                                      offset + r->word, r->state[i],
                                      ANIM_STATE_MIN);
    if (r->bit % 8 != 0 && r->bytes[last] >> r->bit % 8 != 0)
        return wire_refuse(fault, "last byte of raw bits", offset + last,
                           r->bytes[last]);
    return SPN_OK;
}

static spn_status check_bytes(const struct anim_clip *clip,
                              const struct anim_segment_place *place,
                              const uint8_t *bytes, spn_fault *fault)
{
    uint32_t checksum;

    if (!anim_clip_has_checksums(&clip->header))
        return SPN_OK;
    checksum = spn__checksum(bytes, place->bytes, WIRE_SEED);
    if (checksum != place->checksum)
        return wire_refuse_for(fault, SPN_ERR_CHECKSUM, "checksum of a segment",
                               place->offset, checksum, place->checksum);
    return SPN_OK;
}

spn_status spn__anim_segment_decode(const struct anim_clip *clip,
                                    const struct anim_decoder_tables *tables,
                                    uint32_t segment, const uint8_t *bytes,
                                    void *workspace, struct anim_window *window,
                                    spn_fault *fault)
{
    const struct anim_segment_place place =
        spn__anim_clip_segment(clip, segment);
    const uint32_t cut_bytes = clip->header.has_cuts ? 2 : 0;
    const struct anim_list *translations = &clip->tracks.translations;
    struct anim_reader r;
    spn_status status = check_bytes(clip, &place, bytes, fault);
    uint32_t wrong;

    if (status != SPN_OK)
        return status;
    window->first_frame = segment * clip->header.segment_frames;
    window->frame_count = anim_clip_segment_frames(&clip->header, segment);
    if (place.bytes < cut_bytes + SIZE_MIN)
        return wire_refuse(fault, "size of a segment", place.offset,
                           place.bytes);
    window->cuts = cut_bytes > 0 ? spn_load_u16le(bytes) : 0;
    if (window->cuts >> window->frame_count != 0)
        return wire_refuse(fault, "cuts of a segment", place.offset,
                           window->cuts);
    reader_begin(&r, bytes + cut_bytes, place.bytes - cut_bytes);
    wrong = tables->decode_rows(clip, tables, &r, workspace, window);
    if (wrong > 0)
        return wire_refuse(
            fault, "joint with a damaged translation", place.offset,
            translations->joint[(wrong - 1) % translations->count]);
    return check_end(&r, place.offset + cut_bytes, fault);
}
