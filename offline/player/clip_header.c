/* clip_header.c - one function for each kind of file. */
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

/* Each of these sets *bytes to the file size that the header gives. */

static spn_status read_clip(const uint8_t *block, uint64_t *bytes,
                            struct clip_header *out, spn_fault *fault)
{
    struct anim_clip_header header = {0};
    spn_status status = spn__anim_clip_read_header(block, &header, fault);

    out->skeleton = header.skeleton;
    *bytes = header.file_bytes;
    return status;
}

static spn_status read_skeleton(const uint8_t *block, uint64_t *bytes,
                                struct clip_header *out, spn_fault *fault)
{
    struct anim_skeleton_header header = {0};
    spn_status status = spn__anim_skeleton_read_header(block, &header, fault);

    out->skeleton = header.hash;
    *bytes = header.file_bytes;
    return status;
}

/* The function that reads the header checks the size, too. */
static spn_status read_image(const uint8_t *block, uint64_t bytes,
                             struct clip_header *out, spn_fault *fault)
{
    struct clip_index_header header = {0};
    spn_status status = spn__clip_index_validate_header(block, CLIP_INDEX_IMAGE,
                                                        bytes, &header, fault);

    out->clip_count = header.clip_count;
    out->database_count = header.file_count;
    return status;
}

bool clip_header_read(const struct play_paks *paks,
                      const struct play_source *source, struct clip_header *out,
                      struct diag *diag)
{
    uint8_t block[BLOCK_BYTES];
    spn_fault fault = {0};
    spn_status status = SPN_ERR_FORMAT;
    uint64_t bytes;
    uint64_t wanted;

    *out = (struct clip_header){0};
    if (!play_paks_begin(paks, source, block, sizeof block, &bytes, diag))
        return false;
    wanted = bytes;
    switch (source->kind) {
    case OPERAND_CLIP:
        status = read_clip(block, &wanted, out, &fault);
        break;
    case OPERAND_SKELETON:
        status = read_skeleton(block, &wanted, out, &fault);
        break;
    case OPERAND_IMAGE:
        status = read_image(block, bytes, out, &fault);
        break;
    case OPERAND_CACHE:
        break;
    }
    if (status != SPN_OK)
        return fault_refuse(diag, source->operand, FAULT_NO_FRAME, &fault);
    return bytes == wanted ||
           diag_refuse(diag, source->operand, 0, NULL,
                       "file size: found %" PRIu64 ", expected %" PRIu64, bytes,
                       wanted);
}
