/* frame_decoder.c - directory, blocks and tiles of one frame.
 *
 * The places of blocks are not stored: each starts where the one before it
 * ends. Offsets of faults within a directory or a block are turned into offsets
 * within the file here, so that no caller has to.
 */
/* SPDX-License-Identifier: MIT */
#include "cache/frame_decoder.h"

#include "cache/cache_nodes.h"

spn_status spn__frame_validate(const struct frame_decoder *d,
                               struct spn_fault *fault)
{
    const struct cache_decoder *c = d->cache;
    const spn_status status = spn__cache_directory_validate(
        c->header, c->tables, d->frame, d->number, d->directory, fault);

    if (status != SPN_OK)
        fault->offset += d->frame->offset;
    return status;
}

/* -- blocks -- */

bool spn__frame_walk_next(struct frame_walk *walk)
{
    if (walk->next == walk->decoder->cache->header->block_count)
        return false;
    walk->block = walk->next++;
    spn__cache_directory_read(walk->decoder->directory, walk->block,
                              walk->next_offset, &walk->entry);
    walk->next_offset += walk->entry.stored_bytes;
    return true;
}

spn_status spn__frame_unpack(const struct frame_walk *walk, const void *stored,
                             void *target, const struct decode_scratch *scratch,
                             struct spn_fault *fault)
{
    const struct cache_decoder *c = walk->decoder->cache;
    const struct cache_block *block = &c->tables->blocks[walk->block];
    const struct cache_block_entry *entry = &walk->entry;
    const bool is_nodes = block->kind == CACHE_BLOCK_NODES;
    spn_status status;

    if (is_nodes)
        status = spn__cache_unpack(c->codec, entry, stored, 1, target,
                                   block->raw_bytes, scratch->codec_workspace,
                                   fault);
    else
        status = spn__cache_unpack_channel(
            c->predict, c->codec, entry, stored, (enum channel)block->channel,
            block->count, target, scratch->codec_workspace,
            scratch->memory + DECODE_AT_CHANNEL, fault);
    if (status == SPN_OK && is_nodes)
        status = spn__cache_nodes_validate(block, target, fault);
    /* Replace an offset within unpacked bytes, which the file does not have. */
    if (status != SPN_OK)
        fault->offset = walk->decoder->frame->offset + entry->offset;
    return status;
}

/* -- tiles -- */

static uint64_t block_offset(const struct frame_decoder *d, uint32_t block)
{
    struct frame_walk walk = frame_walk_begin(d);

    while (spn__frame_walk_next(&walk) && walk.block < block)
        continue;
    return d->frame->offset + walk.entry.offset;
}

static spn_status decode_channel(const struct tile_job *job,
                                 enum channel channel,
                                 const struct decode_scratch *scratch,
                                 struct spn_fault *fault)
{
    const struct frame_decoder *d = job->decoder;
    const uint32_t block = d->cache->tables->tiles[job->tile].block[channel];
    struct cache_block_entry entry;
    const struct channel_job decode = {
        .cache = d->cache,
        .entry = &entry,
        .references = job->references,
        .reference_count = d->frame->reference_count,
        .tile = job->tile,
        .channel = channel,
        .positions = job->values[CHANNEL_POSITION],
        .uvs = job->values[CHANNEL_UV],
        .values = job->values[channel]};
    spn_status status;

    spn__cache_directory_read(d->directory, block, 0, &entry);
    status = spn__channel_decode(&decode, scratch, fault);
    /* Only a damaged frame pays for the search. */
    if (status != SPN_OK && fault->what)
        fault->offset = block_offset(d, block);
    return status;
}

spn_status spn__tile_decode(const struct tile_job *job,
                            const struct decode_scratch *scratch,
                            struct spn_fault *fault)
{
    /* QTangents may be predicted from positions and UVs of their frame. */
    static const uint8_t order[CHANNEL_COUNT] = {
        CHANNEL_POSITION, CHANNEL_UV,        CHANNEL_QTANGENT,
        CHANNEL_COLOR,    CHANNEL_SECOND_UV, CHANNEL_VELOCITY};
    const uint32_t mask =
        job->decoder->cache->tables->tiles[job->tile].animated_mask;

    for (uint32_t k = 0; k < CHANNEL_COUNT; k++) {
        spn_status status;

        if (!(mask & CHANNEL_BIT(order[k])))
            continue;
        status = decode_channel(job, (enum channel)order[k], scratch, fault);
        if (status != SPN_OK)
            return status;
    }
    return SPN_OK;
}
