/* anim_loose.h - development: headers from clip files instead of an image.
 *
 * The game names files. Their headers are read one after the other, and become
 * rows of an index that is like that of an image, except that it is not sorted:
 * a search is linear. The bytes of the clips have no checksums here; the
 * decoder of segments verifies its own. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_ANIM_LOOSE_H
#define SPN_ANIM_ANIM_LOOSE_H

#include "anim/clip_index_wire.h"
#include "base/carve.h"

#include <spindle/read.h>
#include <spindle/status.h>
#include <stdint.h>

/* Bytes for the path of a clip, on average. */
#define LOOSE_NAME_BYTES 128u
/* Bytes of the header of a clip file. */
#define LOOSE_HEADER_BYTES 56u

struct anim;

struct anim_loose {
    /* fixed after init; one element for each clip */
    struct clip_wire_clip *clips;
    struct clip_wire_kind *kinds;
    char *names;
    uint32_t *queue; /* offsets of the names of files that were not read yet */
    uint32_t name_capacity;
    /* caller */
    uint32_t name_bytes;
    uint32_t added; /* files that were named, without those that were refused */
    uint32_t queue_first;
    uint32_t queue_count;
    spn_status status; /* the first error of the files named since the queue was
                        * empty */
    uint8_t header[LOOSE_HEADER_BYTES];
};

/* NULL with a carve that counts. */
struct anim_loose *spn__anim_loose_init(struct carve *carve,
                                        uint32_t clip_count);

/* The implementation of spn_anim_add_file. */
spn_status spn__anim_loose_add(struct anim *a, const char *path);
/* Once an update: read the next header. */
void spn__anim_loose_update(struct anim *a);
/* The clip with this name; CLIP_INDEX_NONE: none. O(clips). */
uint32_t spn__anim_loose_find(const struct anim *a, const char *name,
                              uint32_t bytes);

#endif
