/* anim_segment.h - the decoder of a segment of a clip.
 *
 * A segment is decoded on its own, so a clip plays from any segment. Its bytes
 * are raw bits from the start and words of entropy codes from the end; both
 * meet:
 *
 *   cuts       only in clips with cuts: a number of 16 bits; bit i is set if
 *              frame i of the segment is a cut
 *   raw bits   for each frame the low bits of all places, then the escapes
 *              (anim_symbols.h), from the low bits of each byte to the high
 *              ones; the last byte is filled with zeros
 *   words      little-endian words of 16 bits, read from the last one to the
 *              first: two for each of four decoder states (high, low), then one
 *              whenever a state is refilled
 *
 * Frames are decoded in the order of the schedule (anim_schedule.h). In each,
 * place i of the row is decoded with state i % 4. For every place
 *
 *   its class follows from its running mean (anim_activity.h),
 *   the prediction error r is decoded with this class (anim_symbols.h),
 *   the value is prediction + r, modulo 2^16,
 *   the running mean is updated with the magnitude of r.
 *
 * The values of the first frame are decoded with the fixed class of their
 * place, and without prediction. That of a translation is added to the centre
 * of its track; the sum v is below 2^24 in magnitude. The window's base is
 * (v + 128) / 256, rounded down, and the value in the row is v - 256 * base.
 * Frames after it have the same base.
 *
 * Wide translations have the places after the row, in the order of `wide`. They
 * are coded in the same way, but without a base and without a modulus; their
 * values are limited to ANIM_WIDE_MAX in magnitude, and the magnitudes of
 * errors in their means to 2^15.
 *
 * At the end each state is ANIM_STATE_MIN, and all bytes are used.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_ANIM_SEGMENT_H
#define SPN_ANIM_ANIM_SEGMENT_H

#include "anim/anim_clip.h"
#include "anim/anim_schedule.h"
#include "anim/anim_symbols.h"
#include "anim/pose/anim_window.h"

#include <spindle/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ANIM_STATES 4u
#define ANIM_WIDE_MAX ((1 << 23) - 1)

struct anim_reader;

/* Constant tables, the same for all clips: 44 KiB. Filled once, then only read,
 * by any thread; the caller owns them. */
struct anim_decoder_tables {
    struct anim_symbols symbols;
    struct anim_schedule schedule[ANIM_SEGMENT_FRAMES_MAX + 1]; /* [frames] */
    /* The decoder of rows: anim_rows.h. */
    uint32_t (*decode_rows)(const struct anim_clip *clip,
                            const struct anim_decoder_tables *tables,
                            struct anim_reader *reader, void *workspace,
                            struct anim_window *window);
};
/* `cpu` is a mask of SPN_CPU_* that may be used; 0 gives scalar code. */
void spn__anim_decoder_tables_init(struct anim_decoder_tables *tables,
                                   uint32_t cpu);

/* Bytes of workspace to decode a segment of this clip. */
size_t spn__anim_segment_workspace(const struct anim_tracks *tracks);

/* Decode a segment.
 *
 * segment    0..segment_count - 1
 * bytes      as many as spn__anim_clip_segment says, any alignment
 * workspace  aligned to 4
 * window     placed by spn__anim_window_place; filled, and undefined if the
 *            segment is refused
 *
 * Returns SPN_ERR_CHECKSUM or SPN_ERR_FORMAT. Thread: any; one call at a time
 * for a workspace and a window. */
SPN_NODISCARD spn_status spn__anim_segment_decode(
    const struct anim_clip *clip, const struct anim_decoder_tables *tables,
    uint32_t segment, const uint8_t *bytes, void *workspace,
    struct anim_window *window, spn_fault *fault);

#endif
