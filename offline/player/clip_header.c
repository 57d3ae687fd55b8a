/* clip_header.c - read the first bytes of a file. */
/* SPDX-License-Identifier: MIT */
#include "player/clip_header.h"

#include "anim/anim_clip.h"
#include "anim/anim_skeleton.h"
#include "anim/clip_index_validate.h"
#include "base/assert.h"
#include "common/fault_text.h"

#include <inttypes.h>

/* The largest of the headers. */
#define BLOCK_BYTES 128u
SPN_STATIC_ASSERT(BLOCK_BYTES >= ANIM_CLIP_HEADER_BYTES, clip_header_room);
SPN_STATIC_ASSERT(BLOCK_BYTES >= ANIM_SKELETON_HEADER_BYTES,
                  skeleton_header_room);
SPN_STATIC_ASSERT(BLOCK_BYTES >= CLIP_INDEX_HEADER_BYTES, index_header_room);

union header {
    struct anim_clip_header clip;
    struct anim_skeleton_header skeleton;
    struct clip_index_header image;
};

/* Sets *bytes to the file size that the header gives. */
static spn_status read_block(const uint8_t *block, enum operand_kind kind,
                             uint64_t *bytes, struct clip_header *out,
                             spn_fault *fault)
{
    union header h = {.image = {0}};
    spn_status status = SPN_ERR_FORMAT;

    switch (kind) {
    case OPERAND_CLIP:
        status = spn__anim_clip_read_header(block, &h.clip, fault);
        *bytes = h.clip.file_bytes;
        *out = (struct clip_header){.skeleton = h.clip.skeleton};
        break;
    case OPERAND_SKELETON:
        status = spn__anim_skeleton_read_header(block, &h.skeleton, fault);
        *bytes = h.skeleton.file_bytes;
        *out = (struct clip_header){.skeleton = h.skeleton.hash};
        break;
    case OPERAND_IMAGE:
        /* The size is checked, too. */
        status = spn__clip_index_validate_header(block, CLIP_INDEX_IMAGE,
                                                 *bytes, &h.image, fault);
        *out = (struct clip_header){.clip_count = h.image.clip_count,
                                    .database_count = h.image.file_count};
        break;
    case OPERAND_CACHE:
        break;
    }
    return status;
}

bool clip_header_read(const struct play_paks *paks,
                      const struct play_source *source, struct clip_header *out,
                      struct diag *diag)
{
    uint8_t block[BLOCK_BYTES];
    spn_fault fault = {0};
    uint64_t bytes;
    uint64_t wanted;

    *out = (struct clip_header){0};
    if (!play_paks_begin(paks, source, block, sizeof block, &bytes, diag))
        return false;
    wanted = bytes;
    if (read_block(block, source->kind, &wanted, out, &fault) != SPN_OK)
        return fault_refuse(diag, source->operand, FAULT_NO_FRAME, &fault);
    return bytes == wanted ||
           diag_refuse(diag, source->operand, 0, NULL,
                       "file size: found %" PRIu64 ", expected %" PRIu64, bytes,
                       wanted);
}
