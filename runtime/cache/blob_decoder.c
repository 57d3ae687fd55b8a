/* blob_decoder.c - unpack, decode and validate static data.
 *
 * Only values that are used to index arrays are validated: predictor distances,
 * indices, hierarchies. Every bit pattern is a legal value of a channel.
 */
/* SPDX-License-Identifier: MIT */
#include "cache/blob_decoder.h"

#include "base/checksum.h"
#include "base/minmax.h"
#include "base/wire.h"

static uint32_t divide_up(uint32_t value, uint32_t by)
{
    return value / by + (value % by != 0);
}

uint32_t spn__blob_first_index(const struct cache_header *header,
                               uint32_t index_bytes)
{
    const uint32_t runs_16 =
        divide_up(header->index16_count, cache_indices_per_blob(2));
    const uint32_t runs_32 =
        divide_up(header->index32_count, cache_indices_per_blob(4));

    return header->blob_count - runs_32 - (index_bytes == 2 ? runs_16 : 0);
}

enum blob_pass spn__blob_pass(const struct cache_blob *blob)
{
    if (blob->kind == CACHE_BLOB_CHANNEL && blob->coding != CODING_PLAIN)
        return BLOB_PASS_PREDICTED;
    return blob->kind == CACHE_BLOB_ONE_RINGS ? BLOB_PASS_ONE_RINGS
                                              : BLOB_PASS_PLAIN;
}

static const struct cache_blob *blob_of(const struct blob_job *job)
{
    return &job->cache->tables->blobs[job->blob];
}

static void *target_of(const struct blob_job *job)
{
    return job->cache->blob_data[job->blob];
}

/* -- unpack -- */

/* Bytes of one number in the blob; big-endian machines swap them. */
static uint32_t component_bytes(const struct cache_blob *blob)
{
    if (cache_blob_is_coded(blob))
        return 1;
    if (blob->kind == CACHE_BLOB_INDEX32)
        return 4;
    return blob->kind == CACHE_BLOB_INDEX16 ||
                   blob->kind == CACHE_BLOB_PREDICTOR
               ? 2
               : 1;
}

static spn_status unpack(const struct blob_job *job,
                         const struct decode_scratch *scratch,
                         struct spn_fault *fault)
{
    const struct cache_decoder *c = job->cache;
    const struct cache_blob *blob = blob_of(job);
    const bool is_coded = cache_blob_is_coded(blob);
    void *target = cache_blob_is_expanded(blob)
                       ? scratch->memory + DECODE_AT_RAW
                       : target_of(job);
    struct cache_block_entry entry = cache_blob_entry(blob);

    if (blob->kind == CACHE_BLOB_CHANNEL)
        return spn__cache_unpack_channel(
            c->predict, c->codec, &entry, job->stored,
            (enum channel)blob->channel,
            c->tables->tiles[blob->tile].vertex_count, target,
            scratch->codec_workspace, scratch->memory + DECODE_AT_CHANNEL,
            fault);
    entry.is_raw = is_coded || blob->is_raw;
    return spn__cache_unpack(c->codec, &entry, job->stored,
                             component_bytes(blob), target,
                             is_coded ? blob->stored_bytes : blob->raw_bytes,
                             scratch->codec_workspace, fault);
}

/* -- decode -- */

static spn_status decode_channel(const struct blob_job *job,
                                 const struct decode_scratch *scratch,
                                 struct spn_fault *fault)
{
    const struct cache_blob *blob = blob_of(job);
    const struct cache_block_entry entry = cache_blob_entry(blob);
    const struct channel_job decode = {.cache = job->cache,
                                       .entry = &entry,
                                       .tile = blob->tile,
                                       .channel = (enum channel)blob->channel,
                                       .values = target_of(job)};

    return spn__channel_decode(&decode, scratch, fault);
}

/* Expand the unpacked bytes in the scratch memory to arrays. */
static spn_status expand(const struct blob_job *job,
                         const struct decode_scratch *scratch,
                         struct spn_fault *fault)
{
    const struct cache_blob *blob = blob_of(job);

    if (!SPN_WITH_LIFTED_MESHES)
        return SPN_ERR_FORMAT;
    return spn__cache_lift_load(
        job->cache->tables, blob, scratch->memory + DECODE_AT_RAW,
        cache_blob_is_coded(blob) ? blob->stored_bytes : blob->raw_bytes,
        target_of(job), (void *)scratch->memory, fault);
}

/* Distances are 1..PREDICT_DISTANCE_MAX and stay within the part. */
static spn_status validate_predictor(const struct cache_tables *tables,
                                     uint32_t tile, const void *entries,
                                     struct spn_fault *fault)
{
    const uint16_t *distance = entries;
    const struct cache_tile *t = &tables->tiles[tile];

    for (uint32_t k = 0; k < t->part_count; k++) {
        const struct cache_part *part = &tables->parts[t->first_part + k];

        for (uint32_t i = 0; i < part->vertex_count; i++, distance += 3) {
            uint32_t most = min_u32(i, PREDICT_DISTANCE_MAX);

            /* A distance of 0 wraps around to the greatest number. */
            for (uint32_t j = 0; j < 3 && distance[0] != PREDICT_NO_TRIANGLE;
                 j++)
                if (distance[j] - 1u >= most)
                    return wire_refuse(fault, "predictor distance", i,
                                       distance[j]);
        }
    }
    return SPN_OK;
}

/* Indices [first, first + count) of one width are below the vertex count of
 * their mesh. */
static spn_status validate_indices(const struct cache_header *header,
                                   const struct cache_tables *tables,
                                   uint32_t index_bytes, uint32_t first,
                                   uint32_t count, const void *indices,
                                   struct spn_fault *fault)
{
    const uint16_t *index16 = indices;
    const uint32_t *index32 = indices;

    for (uint32_t m = 0; m < header->mesh_count; m++) {
        const struct cache_mesh *mesh = &tables->meshes[m];
        uint32_t from = max_u32(first, mesh->first_index);
        uint32_t limit =
            min_u32(first + count, mesh->first_index + mesh->index_count);

        if (mesh->index_bytes != index_bytes)
            continue;
        for (uint32_t i = from; i < limit; i++) {
            uint32_t index =
                index_bytes == 2 ? index16[i - first] : index32[i - first];

            if (index >= mesh->vertex_count)
                return wire_refuse_wide(fault, "index",
                                        (uint64_t)i * index_bytes, index);
        }
    }
    return SPN_OK;
}

static spn_status decode_indices(const struct blob_job *job,
                                 const struct decode_scratch *scratch,
                                 struct spn_fault *fault)
{
    const struct cache_blob *blob = blob_of(job);
    const uint32_t index_bytes = blob->kind == CACHE_BLOB_INDEX16 ? 2 : 4;
    spn_status status = SPN_OK;

    if (cache_blob_is_coded(blob))
        status = expand(job, scratch, fault);
    if (status != SPN_OK)
        return status;
    return validate_indices(job->cache->header, job->cache->tables, index_bytes,
                            blob->tile * cache_indices_per_blob(index_bytes),
                            blob->raw_bytes / index_bytes, target_of(job),
                            fault);
}

static spn_status decode(const struct blob_job *job,
                         const struct decode_scratch *scratch,
                         struct spn_fault *fault)
{
    const struct cache_blob *blob = blob_of(job);

    if (blob->kind == CACHE_BLOB_CHANNEL)
        return decode_channel(job, scratch, fault);
    if (blob->kind == CACHE_BLOB_PREDICTOR)
        return validate_predictor(job->cache->tables, blob->tile,
                                  target_of(job), fault);
    if (cache_blob_is_index(blob))
        return decode_indices(job, scratch, fault);
    return cache_blob_is_expanded(blob) ? expand(job, scratch, fault) : SPN_OK;
}

static spn_status unpack_and_decode(const struct blob_job *job,
                                    const struct decode_scratch *scratch,
                                    struct spn_fault *fault)
{
    const spn_status status = unpack(job, scratch, fault);

    return status == SPN_OK ? decode(job, scratch, fault) : status;
}

/* -- one-rings -- */

/* Checksum of bytes in pieces; false if they end too early. */
static bool checksum_of(const struct blob_pieces *pieces, uint32_t bytes,
                        uint32_t *found)
{
    const struct range_source *source = &pieces->source;
    const uint8_t *piece;
    struct checksum sum;
    uint32_t count;

    spn__checksum_begin(&sum, WIRE_SEED);
    pieces->rewind(source->user);
    while ((piece = source->next(source->user, &count)) != NULL) {
        spn__checksum_add(&sum, piece, count);
        bytes -= count;
    }
    *found = spn__checksum_end(&sum);
    return bytes == 0;
}

/* The workspace of one-rings takes the whole scratch memory, so their bytes are
 * read where they lie. */
static spn_status decode_one_rings(const struct blob_job *job,
                                   const struct decode_scratch *scratch,
                                   struct spn_fault *fault)
{
    const struct cache_decoder *c = job->cache;
    const struct cache_blob *blob = blob_of(job);
    const uint32_t mesh =
        c->tables->parts[c->tables->tiles[blob->tile].first_part].mesh;
    uint8_t *const *runs =
        c->blob_data +
        spn__blob_first_index(c->header, c->tables->meshes[mesh].index_bytes);
    const struct range_source *more = NULL;
    uint32_t bytes = blob->stored_bytes;
    uint32_t found;

    if (job->stored) {
        found = spn__checksum(job->stored, bytes, WIRE_SEED);
    } else {
        if (!checksum_of(job->pieces, bytes, &found))
            return SPN_ERR_FORMAT;
        job->pieces->rewind(job->pieces->source.user);
        more = &job->pieces->source;
        bytes = 0;
    }
    if (found != blob->checksum)
        return wire_refuse_for(fault, SPN_ERR_CHECKSUM, "checksum of a block",
                               0, found, blob->checksum);
    return spn__cache_lift_load_one_rings(
        c->tables, blob->tile, job->stored ? job->stored : scratch->memory,
        bytes, more, runs, c->blob_data, (void *)scratch->memory, fault);
}

spn_status spn__blob_decode(const struct blob_job *job,
                            const struct decode_scratch *scratch,
                            struct spn_fault *fault)
{
    const struct cache_blob *blob = blob_of(job);
    const spn_status status =
        SPN_WITH_LIFTED_MESHES && blob->kind == CACHE_BLOB_ONE_RINGS
            ? decode_one_rings(job, scratch, fault)
            : unpack_and_decode(job, scratch, fault);

    /* Replace an offset within unpacked bytes, which the file does not have. */
    if (status != SPN_OK)
        fault->offset = job->cache->header->blobs_offset + blob->offset;
    return status;
}
