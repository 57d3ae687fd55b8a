/* decoder.h - what every decoding step of a cache needs.
 *
 * The decoder turns the stored bytes of a cache into arrays of vertices. It is
 * the only one: the runtime, the tool and the tests all call it. There are two
 * kinds of work. blob_decoder.h decodes the static data, once, when a cache is
 * opened. frame_decoder.h decodes one frame, block by block and then tile by
 * tile. Each step is a struct that names its inputs, its outputs and its
 * scratch memory, and a function that runs it.
 *
 * The decoder allocates nothing and reads no file: the caller brings the
 * stored bytes and owns all memory. It keeps no state, so any number of threads
 * may decode different blobs, blocks and tiles of one cache at the same time,
 * each with scratch memory of its own.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CACHE_DECODER_H
#define SPN_CACHE_DECODER_H

#include "cache/cache_block.h"
#include "cache/cache_lift.h"
#include "cache/cache_wire_tables.h"
#include "codec/classic/predict.h"
#include "codec/lift/lift.h"
#include "codec/lift/lift_kernels.h"

#include <spindle/features.h>
#include <spindle/status.h>
#include <stdint.h>

/* An opened cache, as far as the decoder reads it. The caller owns what the
 * pointers name; all of it outlives every step that uses it. */
struct cache_decoder {
    const struct cache_header *header; /* validated */
    const struct cache_tables *tables; /* validated */
    /* For each blob: memory for its decoded bytes, spn__cache_blob_memory() of
     * them, aligned to 16. spn__blob_decode fills it. */
    uint8_t *const *blob_data;
    const spn_codec *codec; /* the block codec that the header names */
    const struct predict_ops *predict; /* kernels of classic tiles */
    const struct lift_ops *lift;       /* kernels of lifted tiles; unused
                                        * without SPN_WITH_LIFTED_MESHES */
};

/* -- scratch memory of one thread -- */

#define DECODE_LINES(bytes) (((bytes) + 63u) / 64u * 64u)
#define DECODE_MAX(a, b) ((a) > (b) ? (a) : (b))

/* Offsets from the start of the scratch memory. Its regions overlap: a step has
 * read the stored bytes before it writes to the workspace.
 *
 *   0                     stored bytes | workspace
 *   DECODE_AT_CHANNEL     the channel that is being unpacked
 *   DECODE_AT_RAW         the bytes of a blob that has a coding of its own
 */
#define DECODE_AT_CHANNEL BLOCK_RAW_BYTES_MAX
#define DECODE_AT_RAW                                                          \
    DECODE_LINES(DECODE_MAX(sizeof(union cache_lift_workspace),                \
                            (size_t)WIRE_CODED_BYTES_MAX))

#define DECODE_UNPACK_BYTES (DECODE_AT_CHANNEL + CACHE_CHANNEL_SCRATCH_BYTES)
#define DECODE_TILE_BYTES                                                      \
    DECODE_LINES(LIFT_WORKSPACE_BYTES(CACHE_TILE_VERTICES_MAX))
#define DECODE_ONE_RINGS_BYTES DECODE_LINES(sizeof(struct wire_one_rings))
#define DECODE_LIFTED_BYTES                                                    \
    DECODE_MAX(DECODE_TILE_BYTES,                                              \
               DECODE_MAX(DECODE_AT_RAW + WIRE_CODED_BYTES_MAX,                \
                          DECODE_ONE_RINGS_BYTES))

/* Bytes of scratch memory that a thread needs, without the workspace of the
 * block codec. */
#define DECODE_SCRATCH_BYTES                                                   \
    ((uint32_t)(SPN_WITH_LIFTED_MESHES                                         \
                    ? DECODE_MAX(DECODE_UNPACK_BYTES, DECODE_LIFTED_BYTES)     \
                    : DECODE_UNPACK_BYTES))

struct decode_scratch {
    uint8_t *memory;       /* DECODE_SCRATCH_BYTES, aligned to 64 */
    void *codec_workspace; /* spn_codec.workspace_bytes, aligned to 64 */
};

/* Where a caller may put the stored bytes of a step, if they lie in pieces and
 * must be copied together: BLOCK_RAW_BYTES_MAX bytes for a block, up to
 * WIRE_CODED_BYTES_MAX for a blob. */
static inline uint8_t *decode_scratch_stored(const struct decode_scratch *s)
{
    return s->memory;
}

/* -- one channel of one tile -- */

/* A tile of a frame that the decoded frame refers to. */
struct tile_reference {
    /* For each animated channel: its decoded values; NULL: not available. */
    const void *values[CHANNEL_COUNT];
    /* Why it is not available: the error that the tile failed with, or SPN_OK
     * if the frame does not contain the tile. */
    spn_status status;
};

/* Undo the prediction of one channel. */
struct channel_job {
    const struct cache_decoder *cache;
    const struct cache_block_entry *entry; /* how the channel is stored */
    /* The tile in the frames that this frame refers to, in the order of
     * cache_frame.reference. Index frames and static data have none. */
    const struct tile_reference *references;
    uint32_t reference_count;
    uint32_t tile;
    enum channel channel;
    /* Decoded positions and UVs of the same tile and frame. Read only if the
     * channel is predicted from them. */
    const void *positions;
    const void *uvs;
    /* In: what spn__cache_unpack_channel left, residuals or a payload.
     * Out: the values, native-endian, as channel.h lays them out. */
    void *values;
};

/* Returns SPN_OK, or an error. If a reference has failed, the result is the
 * status of that reference and `fault` is not touched. Any other error fills
 * `fault`, with an offset of 0. */
SPN_NODISCARD spn_status spn__channel_decode(
    const struct channel_job *job, const struct decode_scratch *scratch,
    struct spn_fault *fault);

#endif
