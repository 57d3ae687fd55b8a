/* clip_index_validate.h - accepts or refuses the index of an image or a
 * database.
 *
 * A refusal names the field, its place in the file and its value. No state; any
 * thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_CLIP_INDEX_VALIDATE_H
#define SPN_ANIM_CLIP_INDEX_VALIDATE_H

#include "anim/clip_index.h"

#include <spindle/status.h>
#include <stdint.h>

/* Bytes of an index with the counts of this header; 0: too many. */
uint32_t spn__clip_index_bytes(const struct clip_index_header *header);

/* Validate a header of CLIP_INDEX_HEADER_BYTES bytes.
 *
 * file_bytes  size of the file
 * fault       filled in after a refusal; NULL: not wanted
 *
 * Returns SPN_OK; SPN_ERR_VERSION; SPN_ERR_CHECKSUM; SPN_ERR_FORMAT. */
spn_status spn__clip_index_validate_header(const uint8_t *bytes,
                                           enum clip_index_type type,
                                           uint64_t file_bytes,
                                           struct clip_index_header *header,
                                           struct spn_fault *fault);

/* Validate the index of header->index_bytes bytes, which follows the header. */
spn_status spn__clip_index_validate(const struct clip_index_header *header,
                                    const uint8_t *bytes,
                                    struct clip_index *index,
                                    struct spn_fault *fault);

#endif
