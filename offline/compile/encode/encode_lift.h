/* encode_lift.h - blocks and blobs of lifted meshes.
 *
 * encoder_plan_lift decides which meshes are lifted, before the static data and
 * the frames are encoded. It trains hierarchies and tables (lift/lift_train.h),
 * and calls encode_distance.h, encode_tangents.h and encode_choice.h for the
 * decisions. The other functions then encode blocks and blobs by the plan
 * (e->plan), which no longer changes. They run on any worker with the memory of
 * that thread, and verify what they encode by decoding it again.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENCODE_LIFT_H
#define OFFLINE_COMPILE_ENCODE_ENCODE_LIFT_H

#include "compile/encode/encode_stream.h"

/* -- the plan -- */

/* Choose and train the meshes to be lifted, in e->plan. *distance: the distance
 * of index frames, in frames, that the file should have if a mesh is lifted.
 * False after a refusal. */
bool encoder_plan_lift(struct encoder *e, uint32_t *distance);
/* Release the memory of the plan. */
void encoder_free_lift(struct encoder *e);

/* -- payloads -- */

/* Input of encoder_payload: one channel of one part in one frame. All values
 * are quantized, in the order of the hierarchy, as channel.h lays them out. */
struct encoder_lifted_input {
    enum channel channel;
    const struct lift_hierarchy *hierarchy;
    const struct one_rings *rings; /* guess QTangents; NULL: no guess */
    const void *values;            /* to be encoded */
    const void *positions;         /* of the same frame; NULL without `rings` */
    const void *uvs;               /* of the same frame, if rings->by_uvs */
    /* Store each QTangent as q or -q, whichever is closer to its guess. */
    bool has_guess_signs;
    const void *from[LIFT_FRAMES_MAX]; /* values in the reference frames */
    uint32_t from_count;
    /* A prediction that an earlier search has found for the same input; NULL:
     * search one. */
    const struct lift_prediction *found;
};

/* Write the payload to thread->payload and return its bytes. *is_temporal: the
 * payload is predicted from other frames. */
uint32_t encoder_payload(const struct encoder *e, struct encoder_thread *thread,
                         const struct encoder_lifted_input *input,
                         bool *is_temporal);

/* Encode one channel of a lifted tile, and verify it.
 *
 * frame           number of the frame; 0 for a static channel
 * values          of the channel in this frame
 * from            `from_count` pointers to the values in the reference frames
 * positions, uvs  of the same frame; NULL: they are static
 *
 * False: the result did not decode to what was encoded. */
bool encoder_lifted(struct encoder *e, struct encoder_thread *thread,
                    uint32_t tile, enum channel channel, uint32_t frame,
                    const void *values, const void *const *from,
                    uint32_t from_count, const void *positions, const void *uvs,
                    struct stream_result *result);

/* -- static data -- */

/* The stored form of a part's hierarchy, and of its rings. The first call for a
 * part makes it and keeps it in the plan (lift_plan_keep); later calls return
 * the same bytes. Only one thread at a time may call for the same part. */
struct wire_bytes encoder_hierarchy_wire(struct encoder *e,
                                         struct encoder_thread *thread,
                                         uint32_t mesh, uint32_t part);
struct wire_bytes encoder_one_rings_wire(struct encoder *e,
                                         struct encoder_thread *thread,
                                         uint32_t mesh, uint32_t part);

/* Encode a blob of a kind that only lifted tiles have
 * (cache_blob_is_expanded). False as above. */
bool encoder_lift_blob(struct encoder *e, struct encoder_thread *thread,
                       const struct cache_blob *blob,
                       struct stream_result *result);

/* Encode a blob of indices by the smaller of two codings: the block codec, or
 * codec/lift/index_wire.h. False as above. */
bool encoder_indices(struct encoder *e, struct encoder_thread *thread,
                     const struct cache_blob *blob, const uint8_t *indices,
                     struct stream_result *result);

#endif
