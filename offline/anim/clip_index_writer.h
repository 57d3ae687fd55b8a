/* clip_index_writer.h - make header images and clip databases.
 *
 * What a clip's compressed bytes mean does not matter here: the caller says how
 * many of them are the header of the clip, and where its segments end. The
 * files are made in memory, in an arena; the same input gives the same bytes.
 * Each is validated as the runtime does before it is returned.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_CLIP_INDEX_WRITER_H
#define OFFLINE_ANIM_CLIP_INDEX_WRITER_H

#include "anim/clip_index.h"
#include "common/arena.h"
#include "common/diag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One clip, with its compressed bytes. */
struct clip_input {
    const char *name; /* as a name in a pak; without a database: the path of its
                       * file */
    const uint8_t *bytes;
    uint32_t byte_count;
    uint32_t header_bytes;        /* before the first segment */
    const uint32_t *segment_ends; /* from the start of `bytes`, rising; the last
                                   * one is byte_count */
    uint32_t segment_count;
    uint64_t skeleton;
    uint32_t rest_pose_hash;
    uint32_t joint_count;
    uint32_t frame_count;
    uint32_t rate_numerator;
    uint32_t rate_denominator;
    uint32_t flags; /* CLIP_... of clip_index.h */
};

/* What an index says of a clip that has a file of its own. */
struct clip_facts clip_input_facts(const struct clip_input *input);

/* A file in the memory of the arena. */
struct clip_index_file {
    uint8_t *bytes;
    size_t size;
    struct clip_index index; /* of these bytes */
};

/* Make a database of clips, whose ranges lie in the order of the sources.
 * Sources with equal bytes have one range.
 *
 * path  of the database, for messages
 *
 * False after a refusal: two clips have one name, a name is not good, the
 * skeletons differ, a number is out of its range, or there is too much data. */
bool clip_database_make(struct arena *arena, struct diag *diag,
                        const char *path, const struct clip_input *sources,
                        uint32_t count, struct clip_index_file *out);

/* A database for an image. */
struct clip_database_source {
    const char *path; /* as the runtime is to open it */
    const struct clip_index *index;
};

/* Make the header image of all clips of the databases, and of clips with files
 * of their own. */
bool clip_image_make(struct arena *arena, struct diag *diag, const char *path,
                     const struct clip_database_source *databases,
                     uint32_t database_count, const struct clip_input *clips,
                     uint32_t clip_count, struct clip_index_file *out);

#endif
