/* encode_stream.c - searches, compresses and verifies one block or blob.
 *
 * Each result is decoded by the functions that a game uses, and compared with
 * the input.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/encode_stream.h"

#include "base/checksum.h"
#include "base/wire.h"
#include "cache/cache_block.h"
#include "common/phases.h"

#include <string.h>

static void take_result(struct encoder_thread *thread,
                        const struct search_result *found,
                        struct stream_result *result)
{
    uint8_t *stored = ARENA_NEW(&thread->arena, uint8_t, found->stored_bytes);

    memcpy(stored, found->stored, found->stored_bytes);
    *result = (struct stream_result){
        .coding = found->coding,
        .order = found->order,
        .motion_factor = found->motion_factor,
        .lerp_factor = found->lerp_factor,
        .motion_weight = found->motion_weight,
        .is_raw = found->is_raw,
        .is_temporal = found->coding == CODING_TEMPORAL,
        .stored_bytes = found->stored_bytes,
        .checksum = spn__checksum(stored, found->stored_bytes, WIRE_SEED),
        .stored = stored,
    };
}

/* Decode to thread->decoded, as a game does. */
static bool decode(const struct encoder *e, struct encoder_thread *thread,
                   const struct stream_result *r,
                   const struct predict_stream *stream)
{
    const struct cache_block_entry entry = {.stored_bytes = r->stored_bytes,
                                            .checksum = r->checksum,
                                            .is_raw = r->is_raw,
                                            .coding = (uint8_t)r->coding,
                                            .order = (uint8_t)r->order};
    struct predict_stream s = *stream;

    s.coding = r->coding;
    s.a = r->motion_factor;
    s.b = r->lerp_factor;
    s.c = r->motion_weight;
    return spn__cache_unpack_channel(
               &e->predict_ops, e->decompressor, &entry, r->stored, s.channel,
               s.count, thread->decoded, thread->decompressor_workspace,
               thread->unpack_scratch, NULL) == SPN_OK &&
           spn__predict_decode(&e->predict_ops, &s, thread->decoded) == SPN_OK;
}

static bool refuse_mismatch(struct encoder *e, const char *what)
{
    return cache_writer_internal(e->diag, e->clip->file_name,
                                 "%s does not decode to what was encoded",
                                 what);
}

bool encoder_stream(struct encoder *e, struct encoder_thread *thread,
                    const struct predict_stream *stream, const void *values,
                    struct stream_result *result)
{
    uint32_t raw_bytes = stream->count * channel_vertex_bytes(stream->channel);
    enum phase before = phases_enter(PHASE_SEARCH);
    struct search_result found;
    bool is_good;

    search_stream(e->compressor, e->job->options->orders, stream, values,
                  &thread->search_scratch, &found);
    take_result(thread, &found, result);
    phases_enter(PHASE_CHECK);
    is_good = decode(e, thread, result, stream) &&
              memcmp(thread->decoded, values, raw_bytes) == 0;
    phases_enter(before);
    return is_good || refuse_mismatch(e, "a channel");
}

bool encoder_bytes(struct encoder *e, struct encoder_thread *thread,
                   const void *bytes, uint32_t count,
                   struct stream_result *result)
{
    struct search_result found;
    struct cache_block_entry entry;

    search_bytes(e->compressor, bytes, count, &thread->search_scratch, &found);
    take_result(thread, &found, result);
    entry = (struct cache_block_entry){.stored_bytes = result->stored_bytes,
                                       .checksum = result->checksum,
                                       .is_raw = result->is_raw};
    if (spn__cache_unpack(e->decompressor, &entry, result->stored, 1,
                          thread->decoded, count,
                          thread->decompressor_workspace, NULL) != SPN_OK ||
        memcmp(thread->decoded, bytes, count) != 0)
        return refuse_mismatch(e, "a block");
    return true;
}
