/* anim_rows.h - the decoder of a segment's rows, for the instruction sets of
 * the processor. anim_segment.h is the interface for others.
 *
 * A row is decoded in passes over all of its places: the classes of their
 * errors, the symbols, the low bits, the escapes, then the values and means.
 * Only the passes over symbols and low bits go from place to place; compilers
 * vectorize the others.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_ANIM_ROWS_H
#define SPN_ANIM_ANIM_ROWS_H

#include "anim/anim_clip.h"
#include "anim/anim_segment.h"
#include "anim/pose/anim_window.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Positions in the bytes of a segment, and the decoder states. */
struct anim_reader {
    const uint8_t *bytes;
    uint32_t size; /* at least 16 */
    uint32_t bit;  /* next raw bit, from the start */
    uint32_t word; /* end of the next word */
    uint32_t state[ANIM_STATES];
};

/* Bytes of the workspace for one place. */
#define ANIM_ROWS_PLACE_BYTES (3 * sizeof(uint32_t) + sizeof(uint16_t) + 1)

/* Decode all rows of a window; frame_count is set. Damaged bytes give arbitrary
 * values. Returns 0; if a translation is out of range, 1 + the number of its
 * component: k * translations.count + i for component k of track i. Whatever
 * the bytes are, all implementations give the same values, result and reader.
 */
uint32_t spn__anim_rows_decode(const struct anim_clip *clip,
                               const struct anim_decoder_tables *tables,
                               struct anim_reader *reader, void *workspace,
                               struct anim_window *window);

/* Use the implementation for AVX2, if this build has it. */
void spn__anim_rows_avx2(struct anim_decoder_tables *tables);

#endif
