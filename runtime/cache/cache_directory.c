/* cache_directory.c - validate a directory once, then read entries freely. */
/* SPDX-License-Identifier: MIT */
#include "cache/cache_directory.h"

#include "base/checksum.h"
#include "base/endian.h"
#include "cache/cache_box.h"
#include "cache/cache_wire.h"
#include "cache/cache_wire_tables.h"
#include "codec/classic/planes.h"
#include "codec/classic/predict.h"

#include <stddef.h>

static uint32_t entry_at(uint32_t block)
{
    return CACHE_DIRECTORY_HEAD_BYTES + block * CACHE_DIRECTORY_ENTRY_BYTES;
}
#define REFUSE(what, field, value)                                             \
    wire_refuse(fault, (what),                                                 \
                at + offsetof(struct wire_directory_entry, field), (value))

static spn_status validate_entry(const struct cache_block *block,
                                 const struct cache_frame *frame, uint32_t at,
                                 const struct wire_directory_entry *wire,
                                 struct spn_fault *fault)
{
    const bool is_channel = block->kind == CACHE_BLOCK_CHANNEL;
    const uint32_t stored = spn_load_u32le(wire->stored);
    const uint32_t bytes = stored & ~WIRE_RAW_BIT;
    const bool is_raw = (stored & WIRE_RAW_BIT) != 0;
    const uint32_t coding = wire_coding(wire->coding);
    const bool is_lifted = coding == CODING_LIFTED;

    if (stored == 0 && !is_channel)
        return REFUSE("block without nodes", stored, 0);
    if (stored == 0)
        return wire_is_zero((const uint8_t *)wire, sizeof *wire)
                   ? SPN_OK
                   : REFUSE("absent block", checksum, 0);
    if (is_raw ? bytes != block->raw_bytes : bytes >= block->raw_bytes)
        return REFUSE("block size", stored, stored);
    if (coding >= CODING_COUNT || (!is_channel && coding != CODING_PLAIN))
        return REFUSE("block coding", coding, wire->coding[0]);
    if (is_lifted && !block->is_lifted)
        return REFUSE("block coding without layers", coding, wire->coding[0]);
    if (wire_order(wire->coding) >=
        (is_channel && !is_lifted ? ORDER_COUNT : ORDER_PLANES))
        return REFUSE("order of residuals", coding, wire->coding[0]);
    if (is_lifted && !wire_is_payload(bytes, is_raw, block->raw_bytes))
        return REFUSE("block size", stored, stored);
    if (coding == CODING_SPATIAL && !block->has_predictor)
        return REFUSE("block coding without a predictor", coding,
                      wire->coding[0]);
    if (coding == CODING_TEMPORAL &&
        frame->reference_count < CACHE_REFERENCES_MIN)
        return REFUSE("block coding without references", coding,
                      wire->coding[0]);
    if (coding != CODING_TEMPORAL &&
        (wire->a[0] != 0 || wire->b[0] != 0 || wire->c[0] != 0))
        return REFUSE("block weights", a, wire->a[0]);
    return SPN_OK;
}

spn_status spn__cache_directory_validate(const struct cache_header *header,
                                         const struct cache_tables *tables,
                                         const struct cache_frame *frame,
                                         uint32_t number,
                                         const uint8_t *directory,
                                         struct spn_fault *fault)
{
    const struct wire_directory_head *head = (const void *)directory;
    uint32_t directory_bytes = spn__cache_directory_bytes(header);
    uint32_t checksum = spn_load_u32le(head->checksum);
    uint32_t found = spn__checksum(
        head->number, directory_bytes - sizeof head->checksum, WIRE_SEED);
    uint32_t rest = frame->bytes - directory_bytes;

    if (found != checksum)
        return wire_refuse_for(
            fault, SPN_ERR_CHECKSUM, "checksum of a directory",
            offsetof(struct wire_directory_head, number), found, checksum);
    if (spn_load_u32le(head->number) != number)
        return wire_refuse_unlike(fault, "frame number of a directory",
                                  offsetof(struct wire_directory_head, number),
                                  spn_load_u32le(head->number), number);
    for (uint32_t i = 0; i < header->block_count; i++) {
        uint32_t at = entry_at(i);
        const struct wire_directory_entry *wire =
            (const void *)(directory + at);
        uint32_t bytes = spn_load_u32le(wire->stored) & ~WIRE_RAW_BIT;
        spn_status status =
            validate_entry(&tables->blocks[i], frame, at, wire, fault);

        if (status != SPN_OK)
            return status;
        if (bytes > rest)
            return REFUSE("block size", stored, bytes);
        rest -= bytes;
    }
    if (rest != 0)
        return wire_refuse_unlike(fault, "frame size",
                                  entry_at(header->block_count), frame->bytes,
                                  frame->bytes - rest);
    return spn__cache_boxes_validate(header, tables, directory, fault);
}

void spn__cache_directory_read(const uint8_t *directory, uint32_t block,
                               uint32_t offset, struct cache_block_entry *entry)
{
    const struct wire_directory_entry *wire =
        (const void *)(directory + entry_at(block));
    uint32_t stored = spn_load_u32le(wire->stored);

    entry->offset = offset;
    entry->stored_bytes = stored & ~WIRE_RAW_BIT;
    entry->checksum = spn_load_u32le(wire->checksum);
    entry->is_raw = (stored & WIRE_RAW_BIT) != 0;
    entry->is_absent = stored == 0;
    entry->coding = wire_coding(wire->coding);
    entry->order = wire_order(wire->coding);
    entry->motion_factor = wire->a[0];
    entry->lerp_factor = wire->b[0];
    entry->motion_weight = wire->c[0];
}
