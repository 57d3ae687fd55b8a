/* clip_packing.h - from clip files to the clips of a database and back
 * (anim/packed_clip.h).
 *
 * Only the header and the table of segments change their form; the coded head
 * and the segments are copied. No state.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_CLIP_PACKING_H
#define OFFLINE_ANIM_CLIP_PACKING_H

#include "anim/clip_index_writer.h"

/* The form in a database of a clip whose bytes are a valid clip file. The other
 * fields of `file` say what the index will say; the arena owns the bytes. */
void clip_packing_make(const struct clip_input *file, struct arena *arena,
                       struct clip_input *packed);

/* The bytes of the clip file from which a clip of a database was made.
 *
 * facts   of its index
 * packed  facts->bytes bytes, valid
 * size    bytes of the result, which the arena owns */
uint8_t *clip_packing_undo(const struct clip_facts *facts,
                           const uint8_t *packed, struct arena *arena,
                           size_t *size);

#endif
