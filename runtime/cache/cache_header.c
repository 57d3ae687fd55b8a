/* cache_header.c - read and validate the header of a cache file.
 *
 * Every count is bounded by what the file's size can hold, and every offset
 * follows from the counts, so the table parsers can multiply without checks. An
 * unknown codec is not damage of the file: the caller looks for the codec, and
 * reports it.
 */
/* SPDX-License-Identifier: MIT */
#include "cache/cache_header.h"

#include "base/checksum.h"
#include "base/endian.h"
#include "base/mem.h"
#include "cache/cache_wire.h"
#include "cache/cache_wire_tables.h"
#include "codec/channel.h"

#include <stddef.h>

#define AT(field) offsetof(struct wire_header, field)
#define INDEX_DISTANCE_MAX 255u
/* Attributes of one mesh. */
#define ATTRIBUTES_MAX ((uint32_t)(CHANNEL_COUNT - CHANNEL_COUNT_BASIC))

bool spn__cache_box_read(const uint8_t min_bytes[3][4],
                         const uint8_t max_bytes[3][4], float min[3],
                         float max[3])
{
    uint32_t empty_axes = 0;

    for (int axis = 0; axis < 3; axis++) {
        min[axis] = spn_load_f32le(min_bytes[axis]);
        max[axis] = spn_load_f32le(max_bytes[axis]);
        if (!wire_is_finite_f32(min[axis]) || !wire_is_finite_f32(max[axis]))
            return false;
        empty_axes += min[axis] > max[axis];
    }
    return empty_axes == 0 || empty_axes == 3;
}

uint64_t spn__cache_frame_table_bytes(const struct cache_header *header)
{
    return (uint64_t)header->frame_count * CACHE_FRAME_ENTRY_BYTES;
}

uint32_t spn__cache_directory_bytes(const struct cache_header *header)
{
    return CACHE_DIRECTORY_HEAD_BYTES +
           header->block_count * CACHE_DIRECTORY_ENTRY_BYTES +
           header->box_bytes;
}

/* Products of 32-bit counts and small sizes: the sum stays below 2^40. */
uint64_t spn__cache_tables_bytes(const struct cache_header *header)
{
    return (uint64_t)header->name_bytes +
           (uint64_t)header->node_count * sizeof(struct wire_node) +
           (uint64_t)header->mesh_count * sizeof(struct wire_mesh) +
           (uint64_t)header->attribute_count * sizeof(struct wire_attribute) +
           (uint64_t)header->material_count * sizeof(struct wire_material) +
           (uint64_t)header->part_count * sizeof(struct wire_part) +
           (uint64_t)header->tile_count * sizeof(struct wire_tile) +
           (uint64_t)header->blob_count * sizeof(struct wire_blob);
}

static void load(const struct wire_header *wire, struct cache_header *h)
{
    h->version = spn_load_u32le(wire->version);
    h->codec = spn_load_u32le(wire->codec);
    h->frame_count = spn_load_u32le(wire->frame_count);
    h->group_count = spn_load_u32le(wire->group_count);
    h->index_distance = spn_load_u32le(wire->index_distance);
    h->node_count = spn_load_u32le(wire->node_count);
    h->animated_node_count = spn_load_u32le(wire->animated_node_count);
    h->animated_affine_count = spn_load_u32le(wire->animated_affine_count);
    h->mesh_count = spn_load_u32le(wire->mesh_count);
    h->attribute_count = spn_load_u32le(wire->attribute_count);
    h->material_count = spn_load_u32le(wire->material_count);
    h->part_count = spn_load_u32le(wire->part_count);
    h->tile_count = spn_load_u32le(wire->tile_count);
    h->block_count = spn_load_u32le(wire->block_count);
    h->blob_count = spn_load_u32le(wire->blob_count);
    h->name_bytes = spn_load_u32le(wire->name_bytes);
    h->index16_count = spn_load_u32le(wire->index16_count);
    h->index32_count = spn_load_u32le(wire->index32_count);
    h->largest_frame_bytes = spn_load_u32le(wire->largest_frame_bytes);
    h->largest_group_bytes = spn_load_u32le(wire->largest_group_bytes);
    h->tables_bytes = spn_load_u32le(wire->tables_bytes);
    h->tables_checksum = spn_load_u32le(wire->tables_checksum);
    h->frame_table_checksum = spn_load_u32le(wire->frame_table_checksum);
    h->up_axis = wire->up_axis[0];
    h->box_bytes = spn_load_u32le(wire->box_bytes);
    h->plays_from_memory =
        (spn_load_u32le(wire->flags) & WIRE_PLAYS_FROM_MEMORY) != 0;
    h->file_bytes = spn_load_u64le(wire->file_bytes);
    h->frame_table_offset = spn_load_u64le(wire->frame_table_offset);
    h->tables_offset = spn_load_u64le(wire->tables_offset);
    h->blobs_offset = spn_load_u64le(wire->blobs_offset);
    h->blobs_bytes = spn_load_u64le(wire->blobs_bytes);
    h->frames_offset = spn_load_u64le(wire->frames_offset);
    h->duration_us = (int64_t)spn_load_u64le(wire->duration_us);
    h->start_s = spn_load_f64le(wire->start_s);
    h->unit_metres = spn_load_f64le(wire->unit_metres);
    h->precision_mm = spn_load_f64le(wire->precision_mm);
}

struct limit {
    const char *what;
    uint32_t at;
    uint32_t value;
    uint32_t least;
    uint32_t most;
};

static spn_status validate_counts(const struct cache_header *h,
                                  struct spn_fault *fault)
{
    const struct limit limits[] = {
        {"frame count", AT(frame_count), h->frame_count, 1, CACHE_FRAMES_MAX},
        {"group count", AT(group_count), h->group_count, 1, h->frame_count},
        {"index distance", AT(index_distance), h->index_distance, 1,
         INDEX_DISTANCE_MAX},
        {"node count", AT(node_count), h->node_count, 0, CACHE_NODES_MAX},
        {"animated node count", AT(animated_node_count), h->animated_node_count,
         0, h->node_count},
        {"animated affine count", AT(animated_affine_count),
         h->animated_affine_count, 0, h->animated_node_count},
        {"mesh count", AT(mesh_count), h->mesh_count, 0, CACHE_MESHES_MAX},
        {"attribute count", AT(attribute_count), h->attribute_count, 0,
         h->mesh_count * ATTRIBUTES_MAX},
        {"tile count", AT(tile_count), h->tile_count, 0,
         h->part_count < CACHE_TILES_MAX ? h->part_count : CACHE_TILES_MAX},
        {"size of the boxes", AT(box_bytes), h->box_bytes, 0,
         CACHE_BOX_BYTES_MAX},
        {"block count", AT(block_count), h->block_count, 0,
         (UINT32_MAX - CACHE_DIRECTORY_HEAD_BYTES - CACHE_BOX_BYTES_MAX) /
             CACHE_DIRECTORY_ENTRY_BYTES},
        {"up axis", AT(up_axis), h->up_axis, 0, 'Z'},
    };

    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        if (limits[i].value < limits[i].least ||
            limits[i].value > limits[i].most)
            return wire_refuse(fault, limits[i].what, limits[i].at,
                               limits[i].value);
    if (h->up_axis != 0 && h->up_axis < 'Y')
        return wire_refuse(fault, "up axis", AT(up_axis), h->up_axis);
    if (h->index16_count % 3 != 0)
        return wire_refuse(fault, "index count", AT(index16_count),
                           h->index16_count);
    if (h->index32_count % 3 != 0)
        return wire_refuse(fault, "index count", AT(index32_count),
                           h->index32_count);
    return SPN_OK;
}

/* The parts of the file follow each other without gaps and end with the file.
 */
static spn_status validate_places(const struct cache_header *h,
                                  uint64_t file_bytes, struct spn_fault *fault)
{
    uint64_t at = CACHE_HEADER_BYTES;

    if (h->file_bytes != file_bytes)
        return wire_refuse_unlike(fault, "file size", AT(file_bytes),
                                  file_bytes, h->file_bytes);
    if (h->frame_table_offset != at)
        return wire_refuse_unlike(fault, "frame table offset",
                                  AT(frame_table_offset), h->frame_table_offset,
                                  at);
    at += spn__cache_frame_table_bytes(h);
    if (h->tables_offset != at)
        return wire_refuse_unlike(fault, "tables offset", AT(tables_offset),
                                  h->tables_offset, at);
    if (spn__cache_tables_bytes(h) != h->tables_bytes)
        return wire_refuse_unlike(fault, "size of the tables", AT(tables_bytes),
                                  h->tables_bytes, spn__cache_tables_bytes(h));
    at += h->tables_bytes;
    if (h->blobs_offset != at)
        return wire_refuse_unlike(fault, "blobs offset", AT(blobs_offset),
                                  h->blobs_offset, at);
    if (at > file_bytes || h->blobs_bytes > file_bytes - at)
        return wire_refuse_wide(fault, "size of the blobs", AT(blobs_bytes),
                                h->blobs_bytes);
    at += h->blobs_bytes;
    if (h->frames_offset != at)
        return wire_refuse_unlike(fault, "frames offset", AT(frames_offset),
                                  h->frames_offset, at);
    if (h->largest_group_bytes > file_bytes - at)
        return wire_refuse(fault, "largest group", AT(largest_group_bytes),
                           h->largest_group_bytes);
    if (h->largest_frame_bytes > h->largest_group_bytes ||
        h->largest_frame_bytes < spn__cache_directory_bytes(h))
        return wire_refuse(fault, "largest frame", AT(largest_frame_bytes),
                           h->largest_frame_bytes);
    return SPN_OK;
}

static spn_status validate_numbers(const struct wire_header *wire,
                                   struct cache_header *h,
                                   struct spn_fault *fault)
{
    if (h->duration_us < 0 || h->duration_us > CACHE_DURATION_US_MAX ||
        (h->duration_us == 0) != (h->frame_count == 1))
        return wire_refuse_wide(fault, "duration", AT(duration_us),
                                (uint64_t)h->duration_us);
    if (!wire_is_finite_f64(h->start_s))
        return wire_refuse_wide(fault, "start time", AT(start_s),
                                spn_load_u64le(wire->start_s));
    if (!wire_is_finite_f64(h->unit_metres) ||
        wire_sign_f64(h->unit_metres) <= 0)
        return wire_refuse_wide(fault, "unit of length", AT(unit_metres),
                                spn_load_u64le(wire->unit_metres));
    if (!wire_is_finite_f64(h->precision_mm) ||
        wire_sign_f64(h->precision_mm) < 0)
        return wire_refuse_wide(fault, "precision", AT(precision_mm),
                                spn_load_u64le(wire->precision_mm));
    if (!spn__cache_box_read(wire->box_min, wire->box_max, h->box_min,
                             h->box_max))
        return wire_refuse(fault, "box", AT(box_min),
                           spn_load_u32le(wire->box_min[0]));
    if (spn_load_u32le(wire->flags) & ~WIRE_PLAYS_FROM_MEMORY)
        return wire_refuse(fault, "flags", AT(flags),
                           spn_load_u32le(wire->flags));
    if (!wire_is_zero(wire->reserved_a, sizeof wire->reserved_a))
        return wire_refuse(fault, "reserved bytes", AT(reserved_a), 0);
    if (!wire_is_zero(wire->reserved_b, sizeof wire->reserved_b))
        return wire_refuse(fault, "reserved bytes", AT(reserved_b), 0);
    return SPN_OK;
}

/* Signature and version come before the checksum: the checksum of another
 * version may cover other bytes. */
static spn_status validate_identity(const uint8_t *bytes,
                                    struct spn_fault *fault)
{
    const struct wire_header *wire = (const void *)bytes;
    uint32_t version = spn_load_u32le(wire->version);
    spn_status status =
        spn__wire_validate_signature(bytes, CACHE_SIGNATURE, fault);

    if (status != SPN_OK)
        return status;
    if (version != CACHE_VERSION)
        return wire_refuse_for(fault, SPN_ERR_VERSION, "version", AT(version),
                               version, CACHE_VERSION);
    return spn__wire_validate_checksum(bytes, CACHE_HEADER_BYTES, fault);
}

spn_status spn__cache_header_refuse_codec(const struct cache_header *header,
                                          struct spn_fault *fault)
{
    wire_refuse(fault, spn__block_codec_title(header->codec), AT(codec),
                header->codec);
    fault->status = SPN_ERR_NO_CODEC;
    return SPN_ERR_NO_CODEC;
}

spn_status spn__cache_header_read(const uint8_t *bytes, uint64_t file_bytes,
                                  struct cache_header *header,
                                  struct spn_fault *fault)
{
    const struct wire_header *wire = (const void *)bytes;
    struct cache_header h = {0};
    spn_status status;

    if (file_bytes < CACHE_HEADER_BYTES)
        return wire_refuse_unlike(fault, "file size", 0, file_bytes,
                                  CACHE_HEADER_BYTES);
    status = validate_identity(bytes, fault);
    if (status != SPN_OK)
        return status;
    load(wire, &h);
    status = validate_counts(&h, fault);
    if (status == SPN_OK)
        status = validate_places(&h, file_bytes, fault);
    if (status == SPN_OK)
        status = validate_numbers(wire, &h, fault);
    if (status == SPN_OK)
        *header = h;
    return status;
}
