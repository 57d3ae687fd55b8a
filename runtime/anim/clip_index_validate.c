/* clip_index_validate.c - accepts or refuses the header and the index.
 *
 * The header limits every count to what fits the index, and the index to what
 * fits the file. Then each table is walked once. Every number that follows from
 * others must have that value, so an accepted index has one meaning.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/clip_index_validate.h"

#include "anim/clip_index_wire.h"
#include "base/checksum.h"
#include "base/endian.h"
#include "pak/name_table.h"

#include <stddef.h>

#define AT(field) offsetof(struct clip_wire_header, field)

/* -- the header -- */

/* Products of 32-bit counts and small sizes: the sum stays below 2^40. */
static uint64_t tables_bytes(const struct clip_index_header *h)
{
    return (uint64_t)h->clip_count * sizeof(struct clip_wire_clip) +
           (uint64_t)h->kind_count * sizeof(struct clip_wire_kind) +
           (uint64_t)h->file_count * sizeof(struct clip_wire_file) +
           h->name_bytes;
}

uint32_t spn__clip_index_bytes(const struct clip_index_header *header)
{
    const uint64_t bytes = tables_bytes(header);

    return bytes > CLIP_INDEX_BYTES_MAX ? 0 : (uint32_t)bytes;
}

/* Signature and version are checked before the checksum: a file of another
 * version is not damaged. */
static spn_status validate_identity(const uint8_t *bytes, const char *signature,
                                    struct spn_fault *fault)
{
    const struct clip_wire_header *wire = (const void *)bytes;
    const uint32_t version = spn_load_u32le(wire->version);
    spn_status status = spn__wire_validate_signature(bytes, signature, fault);

    if (status != SPN_OK)
        return status;
    if (version != CLIP_INDEX_VERSION)
        return wire_refuse_for(fault, SPN_ERR_VERSION, "version", AT(version),
                               version, CLIP_INDEX_VERSION);
    status = spn__wire_validate_checksum(bytes, CLIP_INDEX_HEADER_BYTES, fault);
    if (status == SPN_OK &&
        !wire_is_zero(wire->reserved, sizeof wire->reserved))
        return wire_refuse(fault, "reserved bytes", AT(reserved), 0);
    return status;
}

static spn_status validate_image_sizes(const struct clip_index_header *h,
                                       struct spn_fault *fault)
{
    if (h->data_offset != 0)
        return wire_refuse_unlike(fault, "offset of the data", AT(data_offset),
                                  h->data_offset, 0);
    if (h->data_checksum != 0)
        return wire_refuse_unlike(fault, "checksum of the data",
                                  AT(data_checksum), h->data_checksum, 0);
    if (h->file_bytes != (uint64_t)CLIP_INDEX_HEADER_BYTES + h->index_bytes)
        return wire_refuse_unlike(fault, "size of the index", AT(index_bytes),
                                  h->index_bytes,
                                  h->file_bytes - CLIP_INDEX_HEADER_BYTES);
    return SPN_OK;
}

static spn_status validate_database_sizes(const struct clip_index_header *h,
                                          struct spn_fault *fault)
{
    const uint64_t data_offset = clip_index_data_offset(h->index_bytes);

    if (h->file_count != 0)
        return wire_refuse_unlike(fault, "number of files", AT(file_count),
                                  h->file_count, 0);
    if (h->data_offset != data_offset)
        return wire_refuse_unlike(fault, "offset of the data", AT(data_offset),
                                  h->data_offset, data_offset);
    if (h->file_bytes < data_offset || h->file_bytes - data_offset > UINT32_MAX)
        return wire_refuse_wide(fault, "size of the data", AT(file_bytes),
                                h->file_bytes);
    return SPN_OK;
}

static spn_status validate_sizes(const struct clip_index_header *h,
                                 uint64_t file_bytes, struct spn_fault *fault)
{
    if (h->file_bytes != file_bytes)
        return wire_refuse_unlike(fault, "file size", AT(file_bytes),
                                  file_bytes, h->file_bytes);
    if (h->index_bytes > CLIP_INDEX_BYTES_MAX)
        return wire_refuse(fault, "size of the index", AT(index_bytes),
                           h->index_bytes);
    if (tables_bytes(h) != h->index_bytes)
        return wire_refuse_unlike(fault, "size of the index", AT(index_bytes),
                                  h->index_bytes, tables_bytes(h));
    return h->type == CLIP_INDEX_IMAGE ? validate_image_sizes(h, fault)
                                       : validate_database_sizes(h, fault);
}

spn_status spn__clip_index_validate_header(const uint8_t *bytes,
                                           enum clip_index_type type,
                                           uint64_t file_bytes,
                                           struct clip_index_header *header,
                                           struct spn_fault *fault)
{
    const struct clip_wire_header *wire = (const void *)bytes;
    const struct clip_index_header h = {
        .type = type,
        .clip_count = spn_load_u32le(wire->clip_count),
        .kind_count = spn_load_u32le(wire->kind_count),
        .file_count = spn_load_u32le(wire->file_count),
        .name_bytes = spn_load_u32le(wire->name_bytes),
        .index_bytes = spn_load_u32le(wire->index_bytes),
        .index_checksum = spn_load_u32le(wire->index_checksum),
        .data_checksum = spn_load_u32le(wire->data_checksum),
        .data_offset = spn_load_u64le(wire->data_offset),
        .file_bytes = spn_load_u64le(wire->file_bytes),
    };
    spn_status status = validate_identity(bytes,
                                          type == CLIP_INDEX_IMAGE
                                              ? CLIP_INDEX_IMAGE_SIGNATURE
                                              : CLIP_INDEX_DATABASE_SIGNATURE,
                                          fault);

    if (status == SPN_OK)
        status = validate_sizes(&h, file_bytes, fault);
    if (status == SPN_OK)
        *header = h;
    return status;
}

/* -- the index -- */

struct validation {
    const struct clip_index *index;
    struct wire_region region; /* the index */
};

/* -- files, kinds, clips -- */

static spn_status validate_file(const struct validation *v, uint32_t file)
{
    const struct clip_wire_file *wire = clip_wire_file_at(v->index, file);
    const struct clip_data_file f = spn__clip_index_file(v->index, file);

    if (f.data_offset < CLIP_INDEX_HEADER_BYTES ||
        f.data_offset % CLIP_INDEX_SECTOR_BYTES != 0)
        return spn__wire_region_refuse(&v->region, "offset of the data",
                                       wire->data_offset, f.data_offset);
    if (f.file_bytes < f.data_offset ||
        f.file_bytes - f.data_offset > UINT32_MAX)
        return spn__wire_region_refuse(&v->region, "size of a database",
                                       wire->file_bytes, f.file_bytes);
    return SPN_OK;
}

static spn_status validate_kind(const struct validation *v, uint32_t kind)
{
    const struct clip_wire_kind *wire = clip_wire_kind_at(v->index, kind);
    const uint32_t joints = spn_load_u32le(wire->joint_count);
    const uint32_t numerator = spn_load_u32le(wire->rate_numerator);
    const uint32_t denominator = spn_load_u32le(wire->rate_denominator);

    if (joints == 0 || joints > ANIM_JOINTS_MAX)
        return spn__wire_region_refuse(&v->region, "number of joints",
                                       wire->joint_count, joints);
    if (numerator == 0 || numerator > ANIM_RATE_MAX)
        return spn__wire_region_refuse(&v->region, "frame rate",
                                       wire->rate_numerator, numerator);
    if (denominator == 0 || denominator > ANIM_RATE_MAX)
        return spn__wire_region_refuse(&v->region, "frame rate",
                                       wire->rate_denominator, denominator);
    return SPN_OK;
}

/* Bytes [first, limit) of its file that may belong to a clip. */
static void limits_of(const struct validation *v, uint32_t file,
                      uint64_t *first, uint64_t *limit)
{
    const struct clip_index_header *h = &v->index->header;

    if (file != CLIP_INDEX_NONE) {
        const struct clip_data_file f = spn__clip_index_file(v->index, file);

        *first = f.data_offset;
        *limit = f.file_bytes;
    } else if (h->type == CLIP_INDEX_DATABASE) {
        *first = h->data_offset;
        *limit = h->file_bytes;
    } else {
        *first = 0;
        *limit = UINT32_MAX;
    }
}

static spn_status validate_range(const struct validation *v, uint32_t clip)
{
    const struct clip_wire_clip *wire = clip_wire_clip_at(v->index, clip);
    const uint64_t offset = clip_wire_offset(wire);
    const uint32_t bytes = spn_load_u32le(wire->bytes);
    const uint32_t first_bytes = spn_load_u32le(wire->first_bytes);
    const uint32_t file = spn_load_u32le(wire->file);
    uint64_t first;
    uint64_t limit;

    if (file != CLIP_INDEX_NONE && file >= v->index->header.file_count)
        return spn__wire_region_refuse(&v->region, "file of a clip", wire->file,
                                       file);
    limits_of(v, file, &first, &limit);
    if (offset < first || offset > limit || (first == 0 && offset != 0))
        return spn__wire_region_refuse(&v->region, "offset of a clip",
                                       wire->offset, offset);
    if (bytes == 0 || bytes > limit - offset)
        return spn__wire_region_refuse(&v->region, "size of a clip",
                                       wire->bytes, bytes);
    if (first_bytes == 0 || first_bytes > bytes)
        return spn__wire_region_refuse(&v->region, "size of a first part",
                                       wire->first_bytes, first_bytes);
    if (first_bytes == bytes && spn_load_u32le(wire->rest_checksum) != 0)
        return spn__wire_region_refuse_unlike(
            &v->region, "checksum of nothing", wire->rest_checksum,
            spn_load_u32le(wire->rest_checksum), 0);
    return SPN_OK;
}

/* A kind is one that an earlier clip refers to, or the next number. */
static spn_status validate_clip(const struct validation *v, uint32_t clip,
                                uint32_t *kinds)
{
    const struct clip_wire_clip *wire = clip_wire_clip_at(v->index, clip);
    const uint32_t kind = spn_load_u32le(wire->kind);
    const uint32_t flags = spn_load_u16le(wire->flags);
    const uint32_t frames = spn_load_u32le(wire->frame_count);

    if (kind > *kinds || kind >= v->index->header.kind_count)
        return spn__wire_region_refuse(&v->region, "kind of a clip", wire->kind,
                                       kind);
    *kinds += kind == *kinds;
    if (flags & ~CLIP_FLAGS)
        return spn__wire_region_refuse(&v->region, "flags", wire->flags, flags);
    if (frames == 0 || frames > ANIM_FRAMES_MAX)
        return spn__wire_region_refuse(&v->region, "number of frames",
                                       wire->frame_count, frames);
    return validate_range(v, clip);
}

static spn_status validate_files(const struct validation *v,
                                 struct name_walk *walk)
{
    const struct name_table names = clip_wire_file_names(v->index);

    for (uint32_t i = 0; i < names.count; i++) {
        spn_status status = spn__name_validate(&names, i, walk, &v->region);

        if (status == SPN_OK)
            status = validate_file(v, i);
        if (status != SPN_OK)
            return status;
    }
    return SPN_OK;
}

/* Clips are checked last, because they refer to kinds and files; but their
 * names come first. */
static spn_status validate_tables(const struct validation *v)
{
    const struct clip_index_header *h = &v->index->header;
    const struct name_table names = clip_wire_clip_names(v->index);
    struct name_walk walk = {0};
    uint32_t kinds = 0;
    spn_status status = SPN_OK;

    for (uint32_t i = 0; i < h->clip_count && status == SPN_OK; i++)
        status = spn__name_validate(&names, i, &walk, &v->region);
    walk.before = NULL;
    if (status == SPN_OK)
        status = validate_files(v, &walk);
    if (status == SPN_OK && walk.at != h->name_bytes)
        return wire_refuse_unlike(v->region.fault, "size of the names",
                                  AT(name_bytes), h->name_bytes, walk.at);
    for (uint32_t i = 0; i < h->kind_count && status == SPN_OK; i++)
        status = validate_kind(v, i);
    for (uint32_t i = 0; i < h->clip_count && status == SPN_OK; i++)
        status = validate_clip(v, i, &kinds);
    if (status == SPN_OK && kinds != h->kind_count)
        return wire_refuse_unlike(v->region.fault, "kinds of the clips",
                                  AT(kind_count), h->kind_count, kinds);
    return status;
}

spn_status spn__clip_index_validate(const struct clip_index_header *header,
                                    const uint8_t *bytes,
                                    struct clip_index *index,
                                    struct spn_fault *fault)
{
    const uint32_t found = spn__checksum(bytes, header->index_bytes, WIRE_SEED);
    struct clip_index laid_out = {.header = *header, .clips = bytes};
    const struct validation v = {&laid_out,
                                 {bytes, CLIP_INDEX_HEADER_BYTES, fault}};
    spn_status status;

    if (found != header->index_checksum)
        return wire_refuse_for(fault, SPN_ERR_CHECKSUM, "checksum of the index",
                               CLIP_INDEX_HEADER_BYTES, found,
                               header->index_checksum);
    laid_out.kinds =
        laid_out.clips + header->clip_count * sizeof(struct clip_wire_clip);
    laid_out.files =
        laid_out.kinds + header->kind_count * sizeof(struct clip_wire_kind);
    laid_out.names = (const char *)laid_out.files +
                     header->file_count * sizeof(struct clip_wire_file);
    status = validate_tables(&v);
    if (status == SPN_OK)
        *index = laid_out;
    return status;
}
