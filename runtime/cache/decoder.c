/* decoder.c - undo the prediction of one channel of one tile.
 *
 * The coding of a channel selects the path: lifted channels go to codec/lift,
 * all others to codec/classic. Neither path trusts the stored bytes.
 */
/* SPDX-License-Identifier: MIT */
#include "cache/decoder.h"

/* Collect the values of the first `count` references. */
static spn_status find_references(const struct channel_job *job, uint32_t count,
                                  const void *values[CACHE_REFERENCES_MAX],
                                  struct spn_fault *fault)
{
    for (uint32_t r = 0; r < count; r++) {
        const struct tile_reference *reference = &job->references[r];

        values[r] = reference->values[job->channel];
        if (!values[r] && reference->status != SPN_OK)
            return reference->status;
        if (!values[r])
            return spn__cache_fault(SPN_ERR_FORMAT, CACHE_FAULT_ABSENT,
                                    job->entry->coding, fault);
    }
    return SPN_OK;
}

/* The payload is decoded in place: it starts where the values start. */
static spn_status decode_lifted(const struct channel_job *job,
                                const struct decode_scratch *scratch,
                                struct spn_fault *fault)
{
    const struct cache_decoder *c = job->cache;
    const struct cache_tile *tile = &c->tables->tiles[job->tile];
    const uint32_t bytes = job->entry->stored_bytes;
    const struct lift_hierarchy hierarchy =
        spn__cache_lift_hierarchy(c->tables, job->tile, c->blob_data);
    struct lift_input stream = spn__cache_lift_input(c->tables, job->channel,
                                                     &hierarchy, c->blob_data);
    struct spn_fault coding = {.what = CACHE_FAULT_CODING};
    struct one_rings rings;
    spn_status status;

    if (job->channel == CHANNEL_QTANGENT && tile->one_ring_slots > 0) {
        rings = spn__cache_lift_one_rings(c->tables, job->tile, c->blob_data);
        stream.rings = &rings;
        stream.positions = job->positions;
        stream.uvs = tile->one_rings_by_uvs ? job->uvs : NULL;
    }
    stream.from_count = spn__cache_lifted_references(job->values, bytes);
    if (stream.from_count > job->reference_count)
        stream.from_count = job->reference_count;
    status = find_references(job, stream.from_count, stream.from, fault);
    if (status != SPN_OK)
        return status;
    status = spn__lift_decode(c->lift, &stream, job->values, bytes,
                              scratch->memory, job->values, &coding);
    return status == SPN_OK ? SPN_OK
                            : spn__cache_fault(status, coding.what,
                                               job->entry->coding, fault);
}

static spn_status decode_classic(const struct channel_job *job,
                                 struct spn_fault *fault)
{
    const struct cache_decoder *c = job->cache;
    const struct cache_tile *tile = &c->tables->tiles[job->tile];
    struct predict_stream stream = {.channel = job->channel,
                                    .coding = (enum coding)job->entry->coding,
                                    .a = job->entry->motion_factor,
                                    .b = job->entry->lerp_factor,
                                    .c = job->entry->motion_weight,
                                    .count = tile->vertex_count};
    spn_status status;

    if (tile->predictor_blob != CACHE_NONE)
        stream.entries = (const void *)c->blob_data[tile->predictor_blob];
    if (stream.coding == CODING_TEMPORAL) {
        const void *values[CACHE_REFERENCES_MAX];

        status = find_references(job, job->reference_count, values, fault);
        if (status != SPN_OK)
            return status;
        spn__cache_classic_references(&stream, values, job->reference_count);
    }
    status = spn__predict_decode(c->predict, &stream, job->values);
    return status == SPN_OK ? SPN_OK
                            : spn__cache_fault(status, CACHE_FAULT_CODING,
                                               stream.coding, fault);
}

spn_status spn__channel_decode(const struct channel_job *job,
                               const struct decode_scratch *scratch,
                               struct spn_fault *fault)
{
    if (SPN_WITH_LIFTED_MESHES && job->entry->coding == CODING_LIFTED)
        return decode_lifted(job, scratch, fault);
    return decode_classic(job, fault);
}
