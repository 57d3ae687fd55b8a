/* scratch.h - how a worker's scratch memory is divided.
 *
 * Each worker has one piece of scratch memory for the job that it runs. Its
 * front is used by the geometry decoder, by the decompression of a pak's entry,
 * or by the decoder of animation clips; a job does one of these. Behind the
 * front lie the workspaces of the registered block codecs (spindle/codec.h),
 * one after another. The functions here only compute offsets.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_SCRATCH_H
#define SPN_PLAY_SCRATCH_H

#include "base/block_codec.h"
#include "cache/decoder.h"
#include "read/io.h"

#include <spindle/features.h>
#include <stddef.h>
#include <stdint.h>

/* Least front of a runtime with animation; anim/ asserts what must fit. */
#define SCRATCH_ANIM_BYTES (SPN_WITH_ANIM ? 128u * 1024 : 0u)
#define SCRATCH_OTHER_BYTES                                                    \
    (SPN_WITH_GEOMETRY ? DECODE_SCRATCH_BYTES                                  \
     : SPN_WITH_PAKS   ? (uint32_t)UNPACK_SCRATCH_BYTES                        \
                       : 0u)
/* Bytes of the front: offset of the codecs' workspaces. */
#define SCRATCH_WORKSPACES                                                     \
    (SCRATCH_OTHER_BYTES > SCRATCH_ANIM_BYTES ? SCRATCH_OTHER_BYTES            \
                                              : SCRATCH_ANIM_BYTES)
/* Each worker costs this much memory, so growth is limited on purpose. */
SPN_STATIC_ASSERT(SCRATCH_WORKSPACES <=
                      (SPN_WITH_LIFTED_MESHES ? 320u : 132u) * 1024u,
                  scratch_of_a_worker);

/* Offset of a codec's workspace in the scratch memory, in bytes. For a codec
 * that is not in the list: the offset behind all workspaces. */
static inline uint32_t scratch_workspace_at(const spn_codec *const *codecs,
                                            uint32_t codec_count,
                                            const spn_codec *codec)
{
    return SCRATCH_WORKSPACES +
           spn__block_codec_workspace_at(codecs, codec_count, codec);
}

/* Size of the scratch memory of each worker, in bytes. */
static inline uint32_t scratch_bytes(const spn_codec *const *codecs,
                                     uint32_t codec_count)
{
    return scratch_workspace_at(codecs, codec_count, NULL);
}

#endif
