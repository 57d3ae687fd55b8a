/* encode_stream.c - one block or blob: searched, compressed, verified.
 *
 * What leaves here has been decoded by the functions that a game decodes it
 * with, and came out as it went in.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encoder.h"

#include "base/checksum.h"
#include "common/phases.h"
#include "geom/cache_wire.h"

#include <string.h>

static void take_result(struct encoder_thread *thread,
                        const struct search_result *found,
                        struct stream_result *result)
{
    uint8_t *stored = ARENA_NEW(&thread->arena, uint8_t, found->stored_bytes);

    memcpy(stored, found->stored, found->stored_bytes);
    *result = (struct stream_result){
        .coding = found->coding,
        .a = found->a,
        .b = found->b,
        .c = found->c,
        .is_raw = found->is_raw,
        .stored_bytes = found->stored_bytes,
        .checksum = spn__checksum(stored, found->stored_bytes, WIRE_SEED),
        .stored = stored,
    };
}

static spn_status unpack(const struct encoder *e, struct encoder_thread *thread,
                         const struct stream_result *r,
                         uint32_t component_bytes, uint32_t raw_bytes)
{
    return spn__cache_file_unpack(
        e->codec, r->stored, r->stored_bytes, r->checksum, r->is_raw,
        component_bytes, thread->check, raw_bytes, thread->codec_workspace);
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
    struct predict_stream decoded = *stream;
    enum phase before = phases_enter(PHASE_SEARCH);
    struct search_result found;
    bool is_good;

    search_stream(e->compressor, stream, values, &thread->scratch, &found);
    take_result(thread, &found, result);
    phases_enter(PHASE_CHECK);
    decoded.coding = result->coding;
    decoded.a = result->a;
    decoded.b = result->b;
    decoded.c = result->c;
    is_good =
        unpack(e, thread, result, stream->channel == CHANNEL_COLOR ? 1 : 2,
               raw_bytes) == SPN_OK &&
        spn__predict_decode(&e->ops, &decoded, thread->check) == SPN_OK &&
        memcmp(thread->check, values, raw_bytes) == 0;
    phases_enter(before);
    return is_good || refuse_mismatch(e, "a channel");
}

bool encoder_bytes(struct encoder *e, struct encoder_thread *thread,
                   const void *bytes, uint32_t count,
                   struct stream_result *result)
{
    struct search_result found;

    search_bytes(e->compressor, bytes, count, &thread->scratch, &found);
    take_result(thread, &found, result);
    if (unpack(e, thread, result, 1, count) != SPN_OK ||
        memcmp(thread->check, bytes, count) != 0)
        return refuse_mismatch(e, "a block");
    return true;
}
