/* writer.c - appends a cache and fills in its head at the end.
 *
 * Offsets and sizes are summed here and nowhere else. What was written is
 * validated by the runtime's reader before the signature makes it a cache. It
 * opens, syncs and renames nothing: that is the sink's business.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/write/writer.h"

#include "base/checksum.h"
#include "base/endian.h"
#include "cache/cache_wire.h"
#include "compile/report/refusals.h"
#include "compile/write/content_hashes.h"
#include "compile/write/tables.h"

#include <float.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool cache_writer_internal(struct diag *diag, const char *file,
                           const char *format, ...)
{
    char text[256];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!diag_has_failed(diag)) {
        diag_refuse(diag, file, DIAG_NO_OFFSET, "internal error", "%s", text);
        pthread_mutex_lock(&diag->lock);
        diag->code = EXIT_INTERNAL;
        pthread_mutex_unlock(&diag->lock);
    }
    return false;
}

static bool refuse_fault(struct cache_writer *w, const char *what,
                         const struct spn_fault *fault)
{
    return cache_writer_internal(
        w->diag, w->file,
        "%s: the runtime refuses %s at offset %" PRIu64 " (%" PRIu64 ")", what,
        fault->what ? fault->what : "it", fault->offset, fault->value);
}

/* A write that fails has said so through the sink's own diag. */
static bool append(struct cache_writer *w, const void *data, size_t bytes)
{
    if (!w->sink.append(w->sink.user, data, bytes))
        return false;
    w->offset += bytes;
    return true;
}

/* -- before the frames -- */

/* Validate the tables, and store the content hashes in them. */
static bool finish_tables(struct cache_writer *w, uint8_t *bytes,
                          const void *blobs)
{
    size_t memory_bytes = spn__cache_tables_memory(&w->header);
    struct spn_fault fault = {0};
    struct cache_tables tables;
    struct arena arena;
    bool is_good;

    arena_init(&arena);
    is_good = spn__cache_tables_read(&w->header, bytes,
                                     arena_alloc(&arena, memory_bytes, 1),
                                     memory_bytes, &tables, &fault) == SPN_OK ||
              refuse_fault(w, "tables", &fault);
    if (is_good)
        is_good =
            content_hashes_store(&w->header, &tables, blobs, bytes, &fault) ||
            refuse_fault(w, "static data", &fault);
    arena_free(&arena);
    w->header.tables_checksum =
        spn__checksum(bytes, w->header.tables_bytes, WIRE_SEED);
    return is_good;
}

static bool refuse_tables(struct cache_writer *w, const struct clip *clip)
{
    uint64_t name_bytes = tables_name_bytes(clip);

    if (name_bytes > TABLES_NAME_BYTES_MAX)
        return refusal_report(w->diag, w->file, REFUSAL_TOO_LARGE, NULL,
                              "%" PRIu64 " bytes of names of objects and face "
                              "sets, at most %u",
                              name_bytes, TABLES_NAME_BYTES_MAX);
    return refusal_report(w->diag, w->file, REFUSAL_TOO_LARGE, NULL,
                          "%" PRIu64 " bytes of tables of nodes, meshes and "
                          "materials, at most %u",
                          spn__cache_tables_bytes(&w->header), UINT32_MAX);
}

bool cache_writer_begin(struct cache_writer *w,
                        const struct cache_header *header,
                        const struct clip *clip, const struct layout *layout,
                        const struct clip_node_frame *initial,
                        const void *blobs, uint64_t blobs_bytes)
{
    struct cache_header *h = &w->header;
    uint8_t *tables;
    uint8_t *zero;
    size_t head_bytes;

    *h = *header;
    tables = tables_make(clip, layout, initial, w->arena, h);
    if (!tables)
        return refuse_tables(w, clip);
    h->version = CACHE_VERSION;
    h->frame_table_offset = CACHE_HEADER_BYTES;
    h->tables_offset = h->frame_table_offset + spn__cache_frame_table_bytes(h);
    h->tables_checksum = spn__checksum(tables, h->tables_bytes, WIRE_SEED);
    h->blobs_offset = h->tables_offset + h->tables_bytes;
    h->blobs_bytes = blobs_bytes;
    h->frames_offset = h->blobs_offset + blobs_bytes;
    for (int i = 0; i < 3; i++) {
        h->box_min[i] = FLT_MAX;
        h->box_max[i] = -FLT_MAX;
    }
    head_bytes = (size_t)h->tables_offset;
    zero = ARENA_NEW(w->arena, uint8_t, head_bytes);
    w->frame_table = zero + CACHE_HEADER_BYTES;
    return finish_tables(w, tables, blobs) && append(w, zero, head_bytes) &&
           append(w, tables, h->tables_bytes) &&
           append(w, blobs, (size_t)blobs_bytes);
}

/* -- frames -- */

static void store_frame(struct wire_frame *wire, uint32_t number,
                        double seconds, const struct cache_frame *frame)
{
    spn_store_u64le(wire->offset, frame->offset);
    spn_store_f64le(wire->seconds, seconds);
    spn_store_u64le(wire->time_us, (uint64_t)frame->time_us);
    spn_store_u32le(wire->bytes, frame->bytes);
    spn_store_u32le(wire->number, number);
    spn_store_u32le(wire->group, frame->group);
    wire->type[0] = frame->type;
    wire->reference_count[0] = frame->reference_count;
    wire->wait_mask[0] = frame->wait_mask;
    for (uint32_t k = 0; k < frame->reference_count; k++)
        spn_store_u16le(wire->reference[k], (uint16_t)frame->reference[k]);
    tables_store_box(wire->box_min, wire->box_max, frame->box_min,
                     frame->box_max);
}

static void grow_box(struct cache_header *h, const struct cache_frame *frame)
{
    for (int i = 0; i < 3; i++)
        if (!(frame->box_min[i] <= frame->box_max[i]))
            return;
    for (int i = 0; i < 3; i++) {
        if (frame->box_min[i] < h->box_min[i])
            h->box_min[i] = frame->box_min[i];
        if (frame->box_max[i] > h->box_max[i])
            h->box_max[i] = frame->box_max[i];
    }
}

bool cache_writer_frame(struct cache_writer *w, uint32_t number, double seconds,
                        const struct cache_frame *frame, const void *bytes,
                        uint32_t count)
{
    struct cache_frame f = *frame;
    struct cache_header *h = &w->header;

    if (w->stored == h->frame_count)
        return cache_writer_internal(w->diag, w->file, "too many frames");
    if (f.group != w->group) {
        w->group = f.group;
        w->group_bytes = 0;
    }
    f.offset = w->offset;
    f.bytes = count;
    w->group_bytes += count;
    if (w->group_bytes > UINT32_MAX)
        return refusal_report(
            w->diag, w->file, REFUSAL_TOO_LARGE, NULL,
            "%" PRIu64 " bytes of frames from one index frame to "
            "the next, with frame %u, at most %u: ask for more "
            "index frames",
            w->group_bytes, number, UINT32_MAX);
    if (count > h->largest_frame_bytes)
        h->largest_frame_bytes = count;
    if (w->group_bytes > h->largest_group_bytes)
        h->largest_group_bytes = (uint32_t)w->group_bytes;
    if (f.time_us > h->duration_us)
        h->duration_us = f.time_us;
    h->group_count = f.group + 1;
    grow_box(h, &f);
    store_frame(
        (void *)(w->frame_table + (size_t)w->stored * CACHE_FRAME_ENTRY_BYTES),
        number, seconds, &f);
    w->stored++;
    return append(w, bytes, count);
}

/* -- the end -- */

static void store_counts(struct wire_header *wire, const struct cache_header *h)
{
    spn_store_u32le(wire->version, h->version);
    spn_store_u32le(wire->codec, h->codec);
    spn_store_u32le(wire->frame_count, h->frame_count);
    spn_store_u32le(wire->group_count, h->group_count);
    spn_store_u32le(wire->index_distance, h->index_distance);
    spn_store_u32le(wire->node_count, h->node_count);
    spn_store_u32le(wire->animated_node_count, h->animated_node_count);
    spn_store_u32le(wire->animated_affine_count, h->animated_affine_count);
    spn_store_u32le(wire->mesh_count, h->mesh_count);
    spn_store_u32le(wire->attribute_count, h->attribute_count);
    spn_store_u32le(wire->material_count, h->material_count);
    spn_store_u32le(wire->part_count, h->part_count);
    spn_store_u32le(wire->tile_count, h->tile_count);
    spn_store_u32le(wire->block_count, h->block_count);
    spn_store_u32le(wire->blob_count, h->blob_count);
    spn_store_u32le(wire->name_bytes, h->name_bytes);
    spn_store_u32le(wire->index16_count, h->index16_count);
    spn_store_u32le(wire->index32_count, h->index32_count);
    spn_store_u32le(wire->largest_frame_bytes, h->largest_frame_bytes);
    spn_store_u32le(wire->largest_group_bytes, h->largest_group_bytes);
    spn_store_u32le(wire->tables_bytes, h->tables_bytes);
    spn_store_u32le(wire->tables_checksum, h->tables_checksum);
    spn_store_u32le(wire->frame_table_checksum, h->frame_table_checksum);
    spn_store_u32le(wire->box_bytes, h->box_bytes);
    spn_store_u32le(wire->flags,
                    h->plays_from_memory ? WIRE_PLAYS_FROM_MEMORY : 0);
    wire->up_axis[0] = h->up_axis;
}

static void store_header(struct wire_header *wire, const struct cache_header *h)
{
    memset(wire, 0, sizeof *wire);
    memcpy(wire->signature, CACHE_SIGNATURE, sizeof wire->signature);
    store_counts(wire, h);
    spn_store_u64le(wire->file_bytes, h->file_bytes);
    spn_store_u64le(wire->frame_table_offset, h->frame_table_offset);
    spn_store_u64le(wire->tables_offset, h->tables_offset);
    spn_store_u64le(wire->blobs_offset, h->blobs_offset);
    spn_store_u64le(wire->blobs_bytes, h->blobs_bytes);
    spn_store_u64le(wire->frames_offset, h->frames_offset);
    spn_store_u64le(wire->duration_us, (uint64_t)h->duration_us);
    spn_store_f64le(wire->start_s, h->start_s);
    spn_store_f64le(wire->unit_metres, h->unit_metres);
    spn_store_f64le(wire->precision_mm, h->precision_mm);
    tables_store_box(wire->box_min, wire->box_max, h->box_min, h->box_max);
    spn_store_u32le(
        wire->checksum,
        spn__checksum(wire, offsetof(struct wire_header, checksum), WIRE_SEED));
}

struct validated {
    struct cache_frame *frames;
    struct cache_group *groups;
};

static struct cache_frame *frame_at(void *user, uint32_t number)
{
    return &((struct validated *)user)->frames[number];
}

static struct cache_group *group_at(void *user, uint32_t group)
{
    return &((struct validated *)user)->groups[group];
}

/* The runtime reads back what is about to be signed. */
static bool validate_head(struct cache_writer *w,
                          const struct wire_header *wire)
{
    struct cache_header header;
    struct spn_fault fault = {0};
    struct validated validated;
    struct frame_table_reader reader = {.header = &header,
                                        .at = frame_at,
                                        .group_at = group_at,
                                        .user = &validated};

    if (spn__cache_header_read((const uint8_t *)wire, w->offset, &header,
                               &fault) != SPN_OK)
        return refuse_fault(w, "header", &fault);
    validated.frames = ARENA_NEW(w->arena, struct cache_frame, w->stored);
    validated.groups =
        ARENA_NEW(w->arena, struct cache_group, header.group_count);
    for (uint32_t i = 0; i < w->stored; i++)
        if (spn__frame_table_read(
                &reader, w->frame_table + (size_t)i * CACHE_FRAME_ENTRY_BYTES,
                &fault) != SPN_OK)
            return refuse_fault(w, "frame table", &fault);
    if (spn__frame_table_finish(&reader, &fault) != SPN_OK)
        return refuse_fault(w, "frame table", &fault);
    return true;
}

bool cache_writer_finish(struct cache_writer *w)
{
    struct cache_header *h = &w->header;
    size_t table_bytes = (size_t)spn__cache_frame_table_bytes(h);
    struct wire_header wire;

    if (w->stored != h->frame_count)
        return cache_writer_internal(w->diag, w->file, "%u of %u frames",
                                     w->stored, h->frame_count);
    h->file_bytes = w->offset;
    h->frame_table_checksum =
        spn__checksum(w->frame_table, table_bytes, WIRE_SEED);
    store_header(&wire, h);
    if (!validate_head(w, &wire))
        return false;
    return w->sink.write_at(w->sink.user, h->frame_table_offset, w->frame_table,
                            table_bytes) &&
           w->sink.write_at(w->sink.user, sizeof wire.signature,
                            (const uint8_t *)&wire + sizeof wire.signature,
                            sizeof wire - sizeof wire.signature) &&
           w->sink.write_at(w->sink.user, 0, wire.signature,
                            sizeof wire.signature);
}
