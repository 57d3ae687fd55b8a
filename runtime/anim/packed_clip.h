/* packed_clip.h - a clip in a database: without what the index says of it.
 *
 * A clip file has a header of 56 bytes, and checksums of its head and of each
 * segment. Of a clip in a database the index has nearly all numbers of this
 * header, and checksums of all bytes, which are verified when they are read. So
 * the range of such a clip is shorter, and each number stands once:
 *
 *   header of 12 bytes | table of segments | coded head | segments
 *
 *   header   the head bytes; what no index has, float tracks, cuts and the
 *            frames of a segment; and a checksum of the whole header that
 *            follows from both
 *   table    where each segment ends in the range: 2 bytes each if the range
 *            has fewer than 2^16 bytes, otherwise 4
 *
 * The coded head and the segments are those of the clip file, so the clip
 * decodes to the same values. FORMAT.md has each byte; anim_clip.c is the code.
 * No state; any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_PACKED_CLIP_H
#define SPN_ANIM_PACKED_CLIP_H

#include "anim/anim_clip.h"
#include "anim/clip_index.h"

#include <spindle/status.h>
#include <stdint.h>

struct anim_wire_clip;

#define PACKED_CLIP_HEADER_BYTES 12u

/* Whether a clip of an image has this form: it is in a database. */
static inline bool packed_clip_is_one(const struct clip_facts *facts)
{
    return facts->file != CLIP_INDEX_NONE;
}

/* Bytes for each segment in the table of a range of so many bytes. */
static inline uint32_t packed_clip_entry_bytes(uint32_t range_bytes)
{
    return range_bytes < 65536 ? 2 : 4;
}

/* The whole header that follows from the packed one and the index: without the
 * checksum, which is that of the packed header, and with 0 as the checksum of
 * the head.
 *
 * packed  PACKED_CLIP_HEADER_BYTES bytes */
void spn__packed_clip_expand(const uint8_t *packed,
                             const struct clip_facts *facts,
                             struct anim_wire_clip *wire);

/* Read and check the header; after that anim_clip.h opens the clip. The result
 * agrees with the index.
 *
 * bytes   the first PACKED_CLIP_HEADER_BYTES bytes of the range
 * header  filled on SPN_OK
 * fault   its offset is in the range; NULL: not wanted
 *
 * Returns SPN_ERR_FORMAT or SPN_ERR_CHECKSUM. */
SPN_NODISCARD spn_status spn__packed_clip_read_header(
    const uint8_t *bytes, const struct clip_facts *facts,
    struct anim_clip_header *header, spn_fault *fault);

#endif
