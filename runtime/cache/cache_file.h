/* cache_file.h - the .sgc file: its bytes, judged at the door.
 *
 *   header | frame table | tables | blobs | frame 0 | frame 1 | ...
 *
 * Little-endian, every table with its checksum, the signature written last.
 * `tables` and `blobs` together are the static data: one read. Frames lie in
 * stored order; each is a directory of blocks and the blocks.
 *
 *   mesh   vertices numbered as they are shown; channels that never change are
 *          stored once, the others per frame
 *   part   a run of at most 8192 vertices of one mesh; predictor entries
 *          never point out of it
 *   tile   one part, or several parts of small meshes with the same channel
 *          masks; at most 8192 vertices: the unit of decoding and of memory
 *   block  one channel of one tile in one frame (or a run of node
 *          transforms): at most 64 KiB raw, compressed alone, with a checksum
 *   blob   the same for static data: a channel, predictor entries, indices,
 *          tables; the shape and rings of a lifted tile have a coding of their
 *          own (codec/lift/lift_wire.h)
 *   group  frames that are read and decoded as a whole; its last frame in
 *          stored order may be referred to by the next group
 *
 * This module turns bytes into the structs below and refuses everything that
 * could hurt later; what is behind it trusts them. It is shared with the
 * writer, which fills the same structs.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CACHE_CACHE_FILE_H
#define SPN_CACHE_CACHE_FILE_H

#include "base/block_codec.h"
#include "base/carve.h"
#include "cache/transform.h"
#include "codec/channel.h"
#include "codec/classic/planes.h"
#include "codec/classic/predict.h"

#include <spindle/features.h>
#include <spindle/status.h>
#include <stdbool.h>
#include <stdint.h>

#define CACHE_SIGNATURE "SPNCACHE"
/* Version 7 has second UV sets and velocities, version 6 has lifted tiles, and
 * B frames with fewer than four references. A file is written in the first
 * version that has what it needs. Versions 3 to 5 had other codings of shapes
 * and of predictions and are not read. */
#define CACHE_VERSION 7u
#define CACHE_VERSION_LIFTED 6u
#define CACHE_VERSION_CLASSIC 2u
#define CACHE_HEADER_BYTES 256u
#define CACHE_FRAME_ENTRY_BYTES 80u

#define CACHE_TILE_VERTICES_MAX 8192u
#define CACHE_FRAMES_MAX (1u << 18)
#define CACHE_GROUP_FRAMES_MAX 256u
#define CACHE_TILES_MAX 0xffffffu
#define CACHE_MESHES_MAX 65535u
#define CACHE_NODES_MAX 65535u
/* Node transforms in one block: 40 or 48 bytes each, below 64 KiB. */
#define CACHE_NODES_PER_BLOCK 1024u
/* Indices in one blob: whole triangles, at most 64 KiB. */
#define CACHE_INDICES_PER_BLOB_16 32766u
#define CACHE_INDICES_PER_BLOB_32 16383u
/* Some 36,000 years: loops and sums of a few of them stay within 63 bits. */
#define CACHE_DURATION_US_MAX (INT64_C(1) << 60)
#define CACHE_NONE UINT32_MAX

struct cache_header {
    uint32_t version;
    uint32_t codec;       /* enum block_codec_id of all blocks and blobs */
    uint32_t frame_count; /* >= 1 */
    uint32_t group_count;
    uint32_t index_distance;
    uint32_t node_count;
    uint32_t animated_node_count;
    uint32_t animated_affine_count; /* of those: stored as matrices */
    uint32_t mesh_count;
    uint32_t attribute_count; /* of all meshes: channels of version 7 */
    uint32_t material_count;
    uint32_t part_count;
    uint32_t tile_count;
    uint32_t block_count; /* of each frame */
    uint32_t blob_count;
    uint32_t name_bytes;    /* all strings, each with its NUL */
    uint32_t index16_count; /* of all meshes together */
    uint32_t index32_count;
    uint32_t largest_frame_bytes; /* stored */
    uint32_t largest_group_bytes;
    uint64_t file_bytes;
    uint64_t frame_table_offset;
    uint64_t tables_offset;
    uint32_t tables_bytes;
    uint32_t tables_checksum;
    uint64_t blobs_offset; /* == tables_offset + tables_bytes */
    uint64_t blobs_bytes;
    uint64_t frames_offset;
    uint32_t frame_table_checksum;
    int64_t duration_us; /* time of the last frame; the first is 0 */
    double start_s;      /* the archive's own time of frame 0 */
    double unit_metres;  /* metres of one unit of length */
    double precision_mm; /* as asked for; 0: 16 bits */
    uint8_t up_axis;     /* 'Y' or 'Z'; 0: not said */
    float box_min[3];    /* world space, all frames, visible meshes */
    float box_max[3];
};

enum cache_frame_type { CACHE_FRAME_INDEX = 0, CACHE_FRAME_B = 1 };

/* B frames have two to four references. The classic prediction takes them for
 * F, C, P, Q; the first stands in for those that a frame does not have. */
#define CACHE_REFERENCES_MIN 2u
#define CACHE_REFERENCES_MAX 4u

/* One frame; the array is indexed by number (display order). 64 bytes. */
struct cache_frame {
    uint64_t offset; /* of its directory */
    int64_t time_us; /* from frame 0's; rising */
    uint32_t bytes;  /* directory and blocks */
    uint32_t group;
    uint8_t type; /* enum cache_frame_type */
    uint8_t reference_count;
    uint8_t wait_mask;   /* references that decoding waits for: the others are
                          * themselves references of, or the same as, these */
    uint8_t decode_rank; /* order in which its group's frames can be decoded */
    int16_t reference[CACHE_REFERENCES_MAX]; /* number minus own number */
    uint16_t stored; /* place within the group, in stored order */
    uint16_t reserved;
    float box_min[3]; /* world space, visible meshes; min > max: none */
    float box_max[3];
};

struct cache_group {
    uint64_t offset;      /* of its first stored frame */
    uint32_t bytes;       /* of all its frames, contiguous */
    uint32_t first_frame; /* numbers first_frame .. first_frame + count - 1 */
    uint32_t frame_count;
    uint32_t
        anchor_frame; /* number of the earlier frame that it refers to: the
                       * last stored frame of the group before; CACHE_NONE */
};

/* Nodes: parents come before children. */
struct cache_node {
    uint32_t parent;   /* CACHE_NONE: a root */
    uint32_t mesh;     /* CACHE_NONE */
    uint32_t name;     /* offset into the names: full path */
    uint32_t animated; /* row in a frame's transforms; CACHE_NONE: constant */
    struct transform initial; /* frame 0's, or for ever */
    bool is_visible;          /* in frame 0 */
};

enum cache_reflection {
    CACHE_REFLECTION_NONE = 0, /* every tangent frame is right-handed */
    CACHE_REFLECTION_ALL = 1,
    CACHE_REFLECTION_MIXED = 2 /* one bit a vertex in a blob */
};

struct cache_mesh {
    uint64_t first_vertex; /* vertices of all meshes before it */
    uint32_t name;         /* path of the shape in the archive */
    uint32_t vertex_count;
    uint32_t index_count;
    uint32_t first_index; /* in the array of its width */
    uint32_t first_material;
    uint32_t material_count;
    uint32_t first_part;
    uint32_t part_count;
    uint8_t index_bytes; /* 2 or 4 */
    uint8_t static_mask; /* CHANNEL_BIT */
    uint8_t animated_mask;
    uint8_t reflection; /* enum cache_reflection */
    struct channel_range range[CHANNEL_COUNT];
    uint32_t second_uv_name; /* in the archive; CACHE_NONE: there is none */
};

/* A range of a mesh's indices that is drawn with one material. */
struct cache_material {
    uint32_t name;        /* face set's name; offset of "" for the rest */
    uint32_t id;          /* first number in the name; 0 for the rest */
    uint32_t first_index; /* from the mesh's first */
    uint32_t index_count;
};

struct cache_part {
    uint32_t mesh;
    uint32_t first_vertex; /* in the mesh */
    uint32_t vertex_count;
    uint32_t tile;
    uint32_t tile_vertex; /* where it starts in the tile */
};

struct cache_tile {
    uint32_t vertex_count;
    uint32_t first_part;
    uint32_t part_count;
    uint8_t static_mask;
    uint8_t animated_mask;
    uint32_t block[CHANNEL_COUNT]; /* in each frame; CACHE_NONE */
    uint32_t blob[CHANNEL_COUNT];  /* static channels; CACHE_NONE */
    uint32_t predictor_blob;       /* CACHE_NONE */
    uint32_t reflection_blob;      /* CACHE_NONE */
    /* lifted tiles; such a tile has no predictor */
    uint32_t layer_count;     /* 0: not lifted */
    uint32_t channel_weights; /* LIFT_CHANNEL_WEIGHTS_* */
    uint32_t shape_blob;
    uint32_t ring_slots; /* of all blocks; 0: no rings */
    bool rings_by_uvs;
    uint32_t rings_blob; /* of a tile with rings */
};

static inline bool cache_tile_is_lifted(const struct cache_tile *tile)
{
    return SPN_WITH_LIFTED_MESHES && tile->layer_count > 0;
}

enum cache_block_kind { CACHE_BLOCK_NODES, CACHE_BLOCK_CHANNEL };

/* Layout of the blocks that every frame has, in this order. A nodes block
 * covers the rows [first, first + count) of animated nodes: `count` transforms
 * of 40 bytes (f32 rotation xyzw, translation, scale), or of 48 (f32 matrix, 3
 * x 4) for affine ones, then `count` bytes of visibility (0, 1). Rows of
 * affine nodes come after all others. Node visibility that changes makes a
 * node animated. */
struct cache_block {
    uint32_t kind;
    uint32_t first;   /* nodes: first row */
    uint32_t count;   /* nodes: rows; channel: vertices */
    uint32_t tile;    /* channel */
    uint32_t channel; /* channel */
    uint32_t raw_bytes;
    bool is_affine;     /* nodes: rows are matrices */
    bool has_predictor; /* channel: CODING_SPATIAL is possible */
    bool is_lifted;     /* channel: CODING_LIFTED is possible */
};

enum cache_blob_kind {
    CACHE_BLOB_CHANNEL,    /* a tile's static channel */
    CACHE_BLOB_PREDICTOR,  /* 3 x u16 per vertex */
    CACHE_BLOB_REFLECTION, /* one bit per vertex, low bit first */
    CACHE_BLOB_INDEX16,    /* a run of the 16-bit indices */
    CACHE_BLOB_INDEX32,
    CACHE_BLOB_TABLES, /* a channel's code lengths: RESIDUAL_TABLES_BYTES */
    CACHE_BLOB_SHAPE,  /* of a lifted tile, as codec/lift/lift_wire.h has it */
    CACHE_BLOB_RINGS   /* of a tile with rings, the same */
};

struct cache_blob {
    uint32_t kind;
    uint32_t tile; /* or the run's number, for indices */
    uint32_t channel;
    uint8_t coding; /* CODING_PLAIN; of channels, CODING_SPATIAL and _LIFTED;
                     * of indices, CODING_LIFTED (codec/lift/index_wire.h) */
    uint8_t order;  /* enum residual_order; interleaved but for channels */
    bool is_raw;
    uint32_t raw_bytes;
    uint32_t stored_bytes;
    uint32_t checksum; /* of the stored bytes */
    uint64_t offset;   /* from blobs_offset */
};

/* All tables, in one block of memory cut by the parser. */
struct cache_tables {
    const char *names;
    struct cache_node *nodes;
    struct cache_mesh *meshes;
    struct cache_material *materials;
    struct cache_part *parts;
    struct cache_tile *tiles;
    struct cache_block *blocks;
    struct cache_blob *blobs;
    uint32_t *animated_nodes; /* row -> node */
    /* of all lifted tiles together; CACHE_NONE: none has the channel */
    uint32_t tables_blob[CHANNEL_COUNT];
};

/* -- the door -- */

/* Faults count bytes from the start of what a function is given; whoever knows
 * where in the file that lies adds it. */

/* Judge the first CACHE_HEADER_BYTES. `file_bytes`: the file's real size. */
SPN_NODISCARD spn_status spn__cache_file_header(const uint8_t *bytes,
                                                uint64_t file_bytes,
                                                struct cache_header *header,
                                                struct spn_fault *fault);

/* Nobody knows the header's codec: fills the fault, returns SPN_ERR_NO_CODEC.
 */
spn_status spn__cache_file_refuse_codec(const struct cache_header *header,
                                        struct spn_fault *fault);

/* Bytes of the stored frame table: entries in stored order. */
uint64_t spn__cache_file_frame_table_bytes(const struct cache_header *header);

/* Judge one entry of the frame table (its checksum was checked by the caller
 * over the whole table), in stored order, `stored` from 0. Writes the frame
 * to frames[number] of the array behind `at`, and the group. The state
 * carries what must fit between entries; zero it first. Faults count bytes
 * from the start of the frame table.
 *
 * Groups rise from 0 and divide the frame numbers in order. Index frames have
 * no references; B frames have two to four (in version 2: four), in their own
 * group or the anchor frame, which is an index frame. A frame's waits make sure
 * that all its references are decoded before it. */
struct cache_frame_reader {
    /* set by the caller */
    const struct cache_header *header;
    struct cache_frame *(*at)(void *user, uint32_t number);
    struct cache_group *(*group_at)(void *user, uint32_t group);
    void *user;
    /* zeroed by the caller, the module's own afterwards */
    uint32_t stored;
    uint64_t next_offset;
    uint32_t group;
    uint64_t group_offset;
    uint32_t group_first_frame;
    uint32_t group_frames; /* entries of the open group so far */
    uint32_t group_last;   /* the greatest number among them */
    uint32_t last_stored;  /* number of the entry before */
    uint32_t anchor;       /* last stored frame of the group before */
    int64_t last_us;       /* time of the last frame of the group before */
    uint32_t largest_frame_bytes;
    uint32_t largest_group_bytes;
    uint32_t seen[CACHE_GROUP_FRAMES_MAX / 32]; /* numbers, from the first */
};
SPN_NODISCARD spn_status spn__cache_file_frame_entry(
    struct cache_frame_reader *reader,
    const uint8_t entry[CACHE_FRAME_ENTRY_BYTES], struct spn_fault *fault);
/* After the last entry: every number is there, times rise, references stay in
 * their group or name its anchor frame, waits have an order (decode_rank is
 * filled), the last group ends with the file. */
SPN_NODISCARD spn_status spn__cache_file_frames_finish(
    struct cache_frame_reader *reader, struct spn_fault *fault);

/* The archive's own time (seconds) of one entry of the stored table. */
double spn__cache_file_entry_seconds(
    const uint8_t entry[CACHE_FRAME_ENTRY_BYTES]);
uint32_t spn__cache_file_entry_number(
    const uint8_t entry[CACHE_FRAME_ENTRY_BYTES]);

/* Bytes of memory that the tables need, from the header's counts. */
size_t spn__cache_file_tables_memory(const struct cache_header *header);

/* Judge the tables (tables_bytes at `bytes`, checksum included) into `memory`
 * of at least the size above, aligned to 64. */
SPN_NODISCARD spn_status spn__cache_file_tables(
    const struct cache_header *header, const uint8_t *bytes, void *memory,
    size_t memory_bytes, struct cache_tables *tables, struct spn_fault *fault);

/* -- frames -- */

/* A frame's directory: u32 checksum of what follows it in the directory, u32
 * frame number, then one entry of 12 bytes a block:
 *   u32 stored bytes, bit 31: stored raw; 0: absent (hidden, not decodable)
 *   u32 checksum of the stored bytes
 *   u8 coding and order, u8 a, u8 b, u8 c
 * The blocks follow in the same order without gaps. */
#define CACHE_DIRECTORY_HEAD_BYTES 8u
#define CACHE_DIRECTORY_ENTRY_BYTES 12u
uint32_t spn__cache_file_directory_bytes(const struct cache_header *header);

struct cache_block_entry {
    uint32_t offset; /* from the start of the frame */
    uint32_t stored_bytes;
    uint32_t checksum;
    bool is_raw;
    bool is_absent;
    uint8_t coding; /* enum coding, judged */
    uint8_t order;  /* enum residual_order, judged */
    uint8_t a;
    uint8_t b;
    uint8_t c;
};

/* Judge a directory as a whole: checksum, frame number, sizes that add up to
 * the frame's. Call once per frame before entries are used. */
SPN_NODISCARD spn_status spn__cache_file_directory(
    const struct cache_header *header, const struct cache_block *blocks,
    const struct cache_frame *frame, uint32_t number, const uint8_t *directory,
    struct spn_fault *fault);

/* Entry `block` of a judged directory; `offset` is the sum of the stored
 * bytes before it: start with the directory's bytes and go in order. */
void spn__cache_file_block_entry(const uint8_t *directory, uint32_t block,
                                 uint32_t offset,
                                 struct cache_block_entry *entry);

/* Check, decompress and swap one block or blob to raw_bytes of native-endian
 * memory. component_bytes: 1, 2 or 4; nodes blocks are unpacked with 1 and
 * read by spn__cache_file_node. `workspace` is the codec's. */
SPN_NODISCARD spn_status spn__cache_file_unpack(
    const spn_codec *codec, const void *stored, uint32_t stored_bytes,
    uint32_t checksum, bool is_raw, uint32_t component_bytes, void *target,
    uint32_t raw_bytes, void *workspace);

/* Why spn__cache_file_unpack refused a block or blob at `offset` of the file,
 * or decoding it did: found where only the damaged pay for it. */
void spn__cache_file_unpack_fault(spn_status status, const void *stored,
                                  uint32_t stored_bytes, uint32_t checksum,
                                  uint64_t offset, struct spn_fault *fault);
#define CACHE_FAULT_CODING "block coding"
#define CACHE_FAULT_ABSENT "reference to an absent block"
void spn__cache_file_coding_fault(spn_status status, const char *what,
                                  uint32_t coding, uint64_t offset,
                                  struct spn_fault *fault);

/* The same for a channel of `count` vertices, by its judged entry: gives
 * residuals, interleaved; or a lifted payload as it is, whose padding then
 * fits into `target`, too. `scratch`: CACHE_CHANNEL_SCRATCH_BYTES, aligned to
 * 64, of the call. */
#define CACHE_CHANNEL_SCRATCH_BYTES (BLOCK_RAW_BYTES_MAX + PLANES_SPARE_BYTES)
SPN_NODISCARD spn_status spn__cache_file_unpack_channel(
    const struct predict_ops *ops, const spn_codec *codec,
    const struct cache_block_entry *entry, const void *stored,
    enum channel channel, uint32_t count, void *target, void *workspace,
    uint8_t *scratch);

/* A static channel's blob, as such an entry. */
static inline struct cache_block_entry cache_blob_entry(
    const struct cache_blob *blob)
{
    return (struct cache_block_entry){.stored_bytes = blob->stored_bytes,
                                      .checksum = blob->checksum,
                                      .is_raw = blob->is_raw,
                                      .coding = blob->coding,
                                      .order = blob->order};
}

/* Judge a nodes block after unpacking: numbers finite, quaternions of unit
 * length, visibility 0 or 1. `raw` is in the file's byte order. */
SPN_NODISCARD spn_status spn__cache_file_nodes(const struct cache_block *block,
                                               const uint8_t *raw,
                                               struct spn_fault *fault);

/* Row `row` (from the block's first) of a judged nodes block. */
void spn__cache_file_node(const struct cache_block *block, const uint8_t *raw,
                          uint32_t row, struct transform *transform,
                          bool *is_visible);

/* The nodes block that has row `row`: node blocks are a frame's first. */
uint32_t spn__cache_file_node_block(const struct cache_header *header,
                                    uint32_t row);

/* Judge predictor entries of a tile after unpacking (distances 1..4096,
 * inside the part). */
SPN_NODISCARD spn_status
spn__cache_file_predictor(const struct cache_tables *tables, uint32_t tile,
                          const void *entries, struct spn_fault *fault);

/* Set the references of a classic B frame: values of its `count` references. */
void spn__cache_file_classic(struct predict_stream *stream,
                             const void *const *values, uint32_t count);

/* How many of the frames that a frame refers to the payload of a lifted block
 * asks for. */
uint32_t spn__cache_file_lifted_frames(const uint8_t *payload, uint32_t bytes);

/* Judge indices [first, first + count) of one width after unpacking: below
 * the vertex count of the mesh that they belong to. */
SPN_NODISCARD spn_status spn__cache_file_indices(
    const struct cache_header *header, const struct cache_tables *tables,
    uint32_t index_bytes, uint32_t first, uint32_t count, const void *indices,
    struct spn_fault *fault);

#endif
