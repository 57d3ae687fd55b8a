/* cache_header.h - the header of a cache file (.sgc), and its limits.
 *
 * A cache file holds an animated scene: nodes, meshes, and the frames of both.
 * FORMAT.md describes the file byte by byte. The header is its first 256 bytes.
 * It says how many of everything there is, and where. The runtime and the tool
 * read it by this module; the tool's writer fills the same struct.
 *
 * Validation bounds every count by what the file's size can hold. Code behind
 * it may multiply counts and add offsets without an overflow.
 *
 * The functions keep no state: any thread may call them. Offsets of faults
 * count from the start of what a function reads; the caller adds where that
 * lies in the file.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CACHE_CACHE_HEADER_H
#define SPN_CACHE_CACHE_HEADER_H

#include <spindle/status.h>
#include <stdbool.h>
#include <stdint.h>

#define CACHE_SIGNATURE "SPNCACHE"
/* Files of other versions are refused. */
#define CACHE_VERSION 9u

#define CACHE_HEADER_BYTES 256u

/* Vertices of a tile, and so of a part: the channels of a tile fit into 64 KiB
 * each. */
#define CACHE_TILE_VERTICES_MAX 8192u
#define CACHE_FRAMES_MAX (1u << 18)
#define CACHE_GROUP_FRAMES_MAX 256u
#define CACHE_TILES_MAX 0xffffffu
#define CACHE_MESHES_MAX 65535u
#define CACHE_NODES_MAX 65535u
/* Node transforms in one block: 41 or 49 bytes each, below 64 KiB. */
#define CACHE_NODES_PER_BLOCK 1024u
/* Indices in one blob: whole triangles, at most 64 KiB. */
#define CACHE_INDICES_PER_BLOB_16 32766u
#define CACHE_INDICES_PER_BLOB_32 16383u
static inline uint32_t cache_indices_per_blob(uint32_t index_bytes)
{
    return index_bytes == 2 ? CACHE_INDICES_PER_BLOB_16
                            : CACHE_INDICES_PER_BLOB_32;
}
/* Of one frame: their places are counted in bits, in 32 bits. */
#define CACHE_BOX_BYTES_MAX (1u << 28)
/* Some 36,000 years: sums of a few durations stay within 63 bits. */
#define CACHE_DURATION_US_MAX (INT64_C(1) << 60)
/* No node, mesh, block or blob of this kind. */
#define CACHE_NONE UINT32_MAX

struct cache_header {
    uint32_t version;
    uint32_t codec;          /* enum block_codec_id of all blocks and blobs */
    uint32_t frame_count;    /* 1..CACHE_FRAMES_MAX */
    uint32_t group_count;    /* 1..frame_count */
    uint32_t index_distance; /* frames from one index frame to the next, as
                              * given to the compiler; 1..255 */
    uint32_t node_count;
    uint32_t animated_node_count;
    uint32_t animated_affine_count; /* of those: stored as matrices */
    uint32_t mesh_count;
    uint32_t attribute_count; /* channels 4 and 5, of all meshes */
    uint32_t material_count;
    uint32_t part_count;
    uint32_t tile_count;
    uint32_t block_count; /* in each frame */
    uint32_t blob_count;
    uint32_t name_bytes;          /* all strings, each with its NUL */
    uint32_t index16_count;       /* 16-bit indices of all meshes */
    uint32_t index32_count;       /* 32-bit indices of all meshes */
    uint32_t largest_frame_bytes; /* stored */
    uint32_t largest_group_bytes; /* stored */
    uint64_t file_bytes;
    uint64_t frame_table_offset; /* offsets count from the start of the file */
    uint64_t tables_offset;
    uint32_t tables_bytes;
    uint32_t tables_checksum;
    uint64_t blobs_offset; /* tables_offset + tables_bytes */
    uint64_t blobs_bytes;
    uint64_t frames_offset;
    uint32_t frame_table_checksum;
    int64_t duration_us; /* time of the last frame; that of the first is 0 */
    double start_s;      /* time of frame 0 in the archive, seconds */
    double unit_metres;  /* metres in one unit of length */
    double precision_mm; /* of positions, as given to the compiler, millimetres;
                          * 0: 16 bits */
    uint8_t up_axis;     /* 'Y' or 'Z'; 0: unknown */
    uint32_t box_bytes;  /* of the boxes in each directory (cache_box.h) */
    bool plays_from_memory; /* all frames are to be decoded once, and kept */
    float box_min[3];       /* world space, all frames, visible meshes */
    float box_max[3];       /* below box_min on all axes: there are none */
};

/* Read and validate the CACHE_HEADER_BYTES at `bytes`. `file_bytes` is the real
 * size of the file. The codec may be unknown. */
SPN_NODISCARD spn_status spn__cache_header_read(const uint8_t *bytes,
                                                uint64_t file_bytes,
                                                struct cache_header *header,
                                                struct spn_fault *fault);

/* Fill the fault of a file whose codec is unknown; returns SPN_ERR_NO_CODEC. */
spn_status spn__cache_header_refuse_codec(const struct cache_header *header,
                                          struct spn_fault *fault);

/* Read a box, as the header and the frame table store it. False: a number is
 * not finite, or the box is empty on some axes only. */
bool spn__cache_box_read(const uint8_t min_bytes[3][4],
                         const uint8_t max_bytes[3][4], float min[3],
                         float max[3]);

/* Sizes that follow from the counts. */
uint64_t spn__cache_frame_table_bytes(const struct cache_header *header);
uint64_t spn__cache_tables_bytes(const struct cache_header *header);
uint32_t spn__cache_directory_bytes(const struct cache_header *header);

#endif
