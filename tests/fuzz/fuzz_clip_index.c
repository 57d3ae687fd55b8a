/* fuzz_clip_index.c - header images and clip databases: the signature says
 * which.
 *
 * All that an accepted index refers to is read (clip_index_walk.h), and the
 * first clips of a database are decoded (anim_walk.h). The mutator repairs the
 * hashes of names and the checksums, so that changes get past them.
 */
/* SPDX-License-Identifier: MIT */
#include "fuzz/fuzz.h"

#include "anim/clip_index_wire.h"
#include "base/hash64.h"
#include "base/minmax.h"
#include "support/anim_walk.h"
#include "support/clip_index_walk.h"
#include "support/tiny_clips.h"

#include <stdlib.h>
#include <string.h>

/* Clips of a database that are decoded, to bound the time of one input. */
#define DECODED_MAX 4u

static bool is_image(const uint8_t *data, size_t size)
{
    return size >= 8 && memcmp(data, CLIP_INDEX_IMAGE_SIGNATURE, 8) == 0;
}

static uint32_t decoded_count(const struct clip_index *index)
{
    return index->header.type == CLIP_INDEX_DATABASE
               ? min_u32(index->header.clip_count, DECODED_MAX)
               : 0;
}

static void decode(const struct clip_index *index, const uint8_t *data)
{
    for (uint32_t i = 0; i < decoded_count(index); i++) {
        const struct clip_facts facts = spn__clip_index_clip(index, i);
        spn_fault fault = {0};

        CHECK(anim_walk_packed(data + facts.offset, &facts, NULL, &fault) ==
                  SPN_OK ||
              fault.what != NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const enum clip_index_type type =
        is_image(data, size) ? CLIP_INDEX_IMAGE : CLIP_INDEX_DATABASE;
    uint8_t *copy = fuzz_copy(data, size);
    struct clip_index index;
    spn_fault fault = {0};

    if (clip_index_validate(copy, size, type, &index, &fault) == SPN_OK) {
        clip_index_walk(&index, size);
        decode(&index, copy);
    } else {
        CHECK(size < CLIP_INDEX_HEADER_BYTES || fault.what != NULL);
    }
    free(copy);
    return 0;
}

/* -- mutation -- */

/* Where the tables begin, by the counts of the header. */
struct places {
    size_t clips;
    size_t files;
    size_t names;
    size_t end;
};

static bool find_tables(const uint8_t *data, size_t size, struct places *p)
{
    const struct clip_wire_header *h = (const void *)data;
    uint64_t at = CLIP_INDEX_HEADER_BYTES;

    if (size < CLIP_INDEX_HEADER_BYTES)
        return false;
    p->clips = (size_t)at;
    at +=
        (uint64_t)spn_load_u32le(h->clip_count) * sizeof(struct clip_wire_clip);
    at +=
        (uint64_t)spn_load_u32le(h->kind_count) * sizeof(struct clip_wire_kind);
    if (at > size)
        return false;
    p->files = (size_t)at;
    at +=
        (uint64_t)spn_load_u32le(h->file_count) * sizeof(struct clip_wire_file);
    if (at > size)
        return false;
    p->names = (size_t)at;
    at += spn_load_u32le(h->name_bytes);
    p->end = (size_t)at;
    return at <= size;
}

/* Correct the hash of a row's name. */
static void mend_hash(uint8_t *data, const struct places *p, size_t row)
{
    struct wire_named *named = (void *)(data + row);
    const uint32_t name = spn_load_u32le(named->name);
    const uint8_t *text = data + p->names + name;
    const uint8_t *end;

    if (name >= p->end - p->names)
        return;
    end = memchr(text, 0, p->end - p->names - name);
    if (end)
        spn_store_u64le(named->hash,
                        spn__hash64((const char *)text, (size_t)(end - text),
                                    NAME_HASH_SEED));
}

static void mend(uint8_t *data, size_t size)
{
    const struct clip_wire_header *h = (const void *)data;
    struct clip_index index;
    struct places p;

    if (find_tables(data, size, &p)) {
        for (uint32_t i = 0; i < spn_load_u32le(h->clip_count); i++)
            mend_hash(data, &p, p.clips + i * sizeof(struct clip_wire_clip));
        for (uint32_t i = 0; i < spn_load_u32le(h->file_count); i++)
            mend_hash(data, &p, p.files + i * sizeof(struct clip_wire_file));
    }
    tiny_clips_correct(data, size);
    if (clip_index_validate(data, size, CLIP_INDEX_DATABASE, &index, NULL) !=
        SPN_OK)
        return;
    for (uint32_t i = 0; i < decoded_count(&index); i++) {
        const struct clip_facts facts = spn__clip_index_clip(&index, i);

        anim_mend_packed(data + facts.offset, &facts);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t size_max,
                               unsigned seed)
{
    const uint32_t target = fuzz_pick(&seed, 12);
    struct places p;

    if (target < 2 || !find_tables(data, size, &p))
        size = LLVMFuzzerMutate(data, size, size_max);
    else if (target == 2)
        fuzz_mutate_inside(data, 0, CLIP_INDEX_HEADER_BYTES - 4);
    else if (target < 7)
        fuzz_mutate_inside(data, p.clips, p.names);
    else if (target == 7 || p.end == size)
        fuzz_mutate_inside(data, p.names, p.end);
    else
        fuzz_mutate_inside(data, p.end, size);
    if (fuzz_pick(&seed, 16) != 0)
        mend(data, size);
    return size;
}
