/* anim_head_reader.h - reads the coded head of a clip (anim_head.h) into
 * tracks. anim_clip.h is the interface for others.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_ANIM_HEAD_READER_H
#define SPN_ANIM_ANIM_HEAD_READER_H

#include "anim/anim_clip.h"

/* Check a coded head, and count.
 *
 * head    header->head_bytes bytes
 * tracks  its counts are filled
 * memory  bytes that spn__anim_head_fill needs
 * fault   what is damaged: offset is how far the head was read, value the
 *         number of the joint or float track
 *
 * Returns false, with undefined outputs, if the head is damaged: it is
 * SPN_ERR_FORMAT. */
bool spn__anim_head_count(const struct anim_clip_header *header,
                          const uint8_t *head, struct anim_head_models *models,
                          struct anim_tracks *tracks, size_t *memory,
                          spn_fault *fault);

/* Fill tracks from a head that spn__anim_head_count has accepted. Their arrays
 * are in `memory`, which is aligned to 4. */
void spn__anim_head_fill(const struct anim_clip_header *header,
                         const uint8_t *head, struct anim_head_models *models,
                         void *memory, struct anim_tracks *tracks);

#endif
