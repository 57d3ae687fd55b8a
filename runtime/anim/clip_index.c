/* clip_index.c - clips, databases and names of a validated index. */
/* SPDX-License-Identifier: MIT */
#include "anim/clip_index.h"

#include "anim/clip_index_wire.h"
#include "base/endian.h"
#include "base/hash64.h"
#include "base/mem.h"

/* Steps by interpolation before the search becomes binary. Names whose hashes
 * are spread evenly are found in fewer; with others the search stays short. */
#define INTERPOLATIONS 8u

/* A table of rows that begin with a name. */
struct named_rows {
    const uint8_t *rows;
    uint32_t row_bytes;
    uint32_t count;
};

static const struct clip_wire_named *row_at(const struct named_rows *rows,
                                            uint32_t row)
{
    return (const void *)(rows->rows + (size_t)row * rows->row_bytes);
}

static uint64_t hash_at(const struct named_rows *rows, uint32_t row)
{
    return spn_load_u64le(row_at(rows, row)->hash);
}

/* Rows in a part `distance` of the range of all hashes. */
static uint32_t rows_in(const struct named_rows *rows, uint64_t distance)
{
    return (uint32_t)((distance >> 32) * rows->count >> 32);
}

/* The first row whose hash is not below `hash`. It lies in [first, limit]. Each
 * step guesses the row from the distance of the hashes. */
static uint32_t lower_bound(const struct named_rows *rows, uint64_t hash)
{
    uint32_t first = 0;
    uint32_t limit = rows->count;
    uint32_t guess = rows_in(rows, hash);

    for (uint32_t step = 0; first < limit; step++) {
        uint64_t found;

        if (step >= INTERPOLATIONS)
            guess = first + (limit - first) / 2;
        found = hash_at(rows, guess);
        if (found < hash) {
            const uint32_t ahead = rows_in(rows, hash - found);

            first = guess + 1;
            guess = ahead < limit - first ? first + ahead : limit - 1;
        } else {
            const uint32_t behind = rows_in(rows, found - hash);

            limit = guess;
            guess = behind < limit - first ? limit - 1 - behind : first;
        }
    }
    return first;
}

static uint32_t find(const struct clip_index *index,
                     const struct named_rows *rows, const char *name,
                     uint32_t bytes)
{
    const uint64_t hash = spn__hash64(name, bytes, CLIP_WIRE_NAME_SEED);

    /* Rows with equal hashes are neighbours. */
    for (uint32_t i = lower_bound(rows, hash); i < rows->count; i++) {
        const struct clip_wire_named *wire = row_at(rows, i);
        const uint32_t at = spn_load_u32le(wire->name);

        if (spn_load_u64le(wire->hash) != hash)
            break;
        if (bytes < index->header.name_bytes - at &&
            memcmp(index->names + at, name, bytes) == 0 &&
            index->names[at + bytes] == 0)
            return i;
    }
    return CLIP_INDEX_NONE;
}

uint32_t spn__clip_index_find(const struct clip_index *index, const char *name,
                              uint32_t bytes)
{
    const struct named_rows rows = {index->clips, sizeof(struct clip_wire_clip),
                                    index->header.clip_count};

    return find(index, &rows, name, bytes);
}

uint32_t spn__clip_index_find_file(const struct clip_index *index,
                                   const char *path, uint32_t bytes)
{
    const struct named_rows rows = {index->files, sizeof(struct clip_wire_file),
                                    index->header.file_count};

    return find(index, &rows, path, bytes);
}

struct clip_facts spn__clip_index_clip(const struct clip_index *index,
                                       uint32_t clip)
{
    const struct clip_wire_clip *wire = clip_wire_clip_at(index, clip);
    const struct clip_wire_kind *kind =
        clip_wire_kind_at(index, spn_load_u32le(wire->kind));

    return (struct clip_facts){
        .name = index->names + spn_load_u32le(wire->named.name),
        .skeleton = spn_load_u64le(kind->skeleton),
        .offset = clip_wire_offset(wire),
        .bytes = spn_load_u32le(wire->bytes),
        .first_bytes = spn_load_u32le(wire->first_bytes),
        .first_checksum = spn_load_u32le(wire->first_checksum),
        .rest_checksum = spn_load_u32le(wire->rest_checksum),
        .file = spn_load_u32le(wire->file),
        .flags = spn_load_u16le(wire->flags),
        .frame_count = spn_load_u32le(wire->frame_count),
        .segment_count = spn_load_u32le(wire->segment_count),
        .joint_count = spn_load_u32le(kind->joint_count),
        .rate_numerator = spn_load_u32le(kind->rate_numerator),
        .rate_denominator = spn_load_u32le(kind->rate_denominator),
    };
}

struct clip_data_file spn__clip_index_file(const struct clip_index *index,
                                           uint32_t file)
{
    const struct clip_wire_file *wire = clip_wire_file_at(index, file);

    return (struct clip_data_file){
        .path = index->names + spn_load_u32le(wire->named.name),
        .data_offset = spn_load_u64le(wire->data_offset),
        .file_bytes = spn_load_u64le(wire->file_bytes),
        .data_checksum = spn_load_u32le(wire->data_checksum),
    };
}

uint32_t spn__clip_index_file_of(const struct clip_index *index, uint32_t clip)
{
    return spn_load_u32le(clip_wire_clip_at(index, clip)->file);
}

/* The limits of the validation keep the product below 2^61. */
uint64_t spn__clip_duration_us(const struct clip_facts *clip)
{
    const bool is_open =
        (clip->flags & CLIP_LOOPS) && !(clip->flags & CLIP_LOOP_CLOSES);
    const uint64_t steps = (uint64_t)clip->frame_count - (is_open ? 0 : 1);

    return steps * clip->rate_denominator * 1000000 / clip->rate_numerator;
}
