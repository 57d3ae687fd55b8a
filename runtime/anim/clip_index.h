/* clip_index.h - the headers of many clips, as a view of their bytes.
 *
 * Two kinds of file begin with such an index:
 *
 *   header image   (.sai) the headers of all clips of a game, and where the
 *                  compressed bytes of each lie
 *   clip database  (.sad) the headers of the clips of one skeleton, then the
 *                  compressed bytes of these clips
 *
 *   header | index: clips, kinds, files, names | data of a database
 *
 * The runtime keeps the bytes of the image's index in memory, and this module
 * reads them there: nothing is allocated or converted. clip_index_wire.h has
 * the format byte by byte, FORMAT.md describes it, clip_index_validate.h
 * accepts or refuses it.
 *
 *   clip     a name, and the header of one animation. Clips are sorted by the
 *            hash of the name, then by the name (pak/name_table.h)
 *   kind     what many clips have in common: skeleton, joints, frame rate
 *   file     a database that has clips of the image
 *   range    the compressed bytes of a clip: those of a database
 *            (packed_clip.h), or a file of its own (anim_clip.h), whose path
 *            is then the clip's name
 *   first part  the bytes at the start of the range without which nothing can
 *            be shown, and with which playback can begin
 *
 * No state; any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_CLIP_INDEX_H
#define SPN_ANIM_CLIP_INDEX_H

#include "anim/anim_limits.h"

#include <stdbool.h>
#include <stdint.h>

#define CLIP_INDEX_IMAGE_SIGNATURE "SPNDLSAI"
#define CLIP_INDEX_DATABASE_SIGNATURE "SPNDLSAD"
#define CLIP_INDEX_VERSION 1u
#define CLIP_INDEX_HEADER_BYTES 128u
/* The data of a database begins at a multiple of this. */
#define CLIP_INDEX_SECTOR_BYTES 2048u
#define CLIP_INDEX_BYTES_MAX (UINT32_C(1) << 28)
/* No clip; no file. As NAME_NONE of name_table.h. */
#define CLIP_INDEX_NONE UINT32_MAX

/* A first part that would be larger is only as long as its first segment. */
#define CLIP_FIRST_BYTES 65536u

/* Bits of clip_facts.flags; the same as SPN_ANIM_... */
#define CLIP_LOOPS 1u
#define CLIP_IS_ADDITIVE 2u
#define CLIP_LOOP_CLOSES 4u
#define CLIP_HAS_SCALE 8u
#define CLIP_HAS_ROOT_MOTION 16u
#define CLIP_FLAGS 31u
/* In memory only: the bytes have no checksums (anim_loose.h). */
#define CLIP_IS_UNVERIFIED 0x8000u

enum clip_index_type { CLIP_INDEX_IMAGE, CLIP_INDEX_DATABASE };

struct clip_index_header {
    enum clip_index_type type;
    uint32_t clip_count;
    uint32_t kind_count;
    uint32_t file_count; /* 0 in a database */
    uint32_t name_bytes; /* of all names, each with its NUL */
    uint32_t index_bytes;
    uint32_t index_checksum;
    uint32_t data_checksum; /* of a database: of all bytes from data_offset */
    uint64_t data_offset;   /* of a database; 0 in an image */
    uint64_t file_bytes;
};

/* A validated index. Its bytes must outlive it. */
struct clip_index {
    struct clip_index_header header;
    /* The tables, in this order and without gaps. */
    const uint8_t *clips;
    const uint8_t *kinds;
    const uint8_t *files;
    const char *names;
};

/* The header of one clip. */
struct clip_facts {
    const char *name;        /* NUL-terminated, in the index */
    uint64_t skeleton;       /* hash of the names and parents of its joints */
    uint32_t rest_pose_hash; /* of its skeleton */
    uint64_t offset;         /* of its range, in its file */
    uint32_t bytes;          /* of its range */
    uint32_t first_bytes;    /* of its first part */
    uint32_t first_checksum;
    uint32_t rest_checksum; /* of what follows the first part; 0: nothing */
    uint32_t file;          /* number of the database; CLIP_INDEX_NONE: a file
                             * of its own, or this database */
    uint32_t flags;
    uint32_t frame_count;
    uint32_t joint_count;
    uint32_t rate_numerator; /* frames a second: numerator / denominator */
    uint32_t rate_denominator;
};

/* A database of an image. */
struct clip_data_file {
    const char *path;
    uint64_t data_offset;
    uint64_t file_bytes; /* data_offset and fewer than 2^32 bytes */
    uint32_t data_checksum;
};

/* Find a clip, or a database, by its name of `bytes` bytes, without a NUL.
 * Equal hashes are no proof: the names are compared. CLIP_INDEX_NONE: there is
 * none. O(log n); a few steps with hashes that are spread evenly. */
uint32_t spn__clip_index_find(const struct clip_index *index, const char *name,
                              uint32_t bytes);
uint32_t spn__clip_index_find_file(const struct clip_index *index,
                                   const char *path, uint32_t bytes);

/* Clip number `clip` < clip_count, and file number `file` < file_count. */
struct clip_facts spn__clip_index_clip(const struct clip_index *index,
                                       uint32_t clip);
struct clip_data_file spn__clip_index_file(const struct clip_index *index,
                                           uint32_t file);
/* The file number of a clip alone. */
uint32_t spn__clip_index_file_of(const struct clip_index *index, uint32_t clip);

/* Duration of a clip, rounded down: from its first to its last frame, or, if it
 * loops without closing, to its first one again. */
uint64_t spn__clip_duration_us(const struct clip_facts *clip);

/* Where the data of a database with an index of so many bytes begins. */
static inline uint64_t clip_index_data_offset(uint32_t index_bytes)
{
    const uint64_t mask = CLIP_INDEX_SECTOR_BYTES - 1;

    return ((uint64_t)CLIP_INDEX_HEADER_BYTES + index_bytes + mask) & ~mask;
}

#endif
