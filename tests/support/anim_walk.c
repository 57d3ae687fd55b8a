/* anim_walk.c - opens, decodes and samples. Memory has exactly the sizes that
 * the runtime asks for, so that a sanitizer sees each access beyond.
 */
/* SPDX-License-Identifier: MIT */
#include "support/anim_walk.h"

#include "anim/anim_segment.h"
#include "anim/anim_skeleton.h"
#include "anim/anim_wire.h"
#include "anim/packed_clip.h"
#include "anim/pose/anim_reference.h"
#include "base/checksum.h"
#include "base/cpu.h"
#include "base/endian.h"
#include "base/wire.h"
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Limits of an accepted file, to bound the time of one input. */
#define VALUES_MAX (1u << 22)

static void *need(size_t bytes)
{
    void *memory = malloc(bytes > 0 ? bytes : 1);

    CHECK(memory != NULL);
    return memory;
}

static uint8_t *copy_of(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = need(size);

    if (size > 0)
        memcpy(copy, bytes, size);
    return copy;
}

struct walk {
    struct anim_clip clip;
    struct anim_decoder_tables *tables; /* the best of this processor */
    struct anim_decoder_tables *scalar;
    void *workspace;
    void *memory[3];
    struct anim_window window[3]; /* [2]: decoded by scalar code */
    spn_anim_transform *locals;
    float *numbers;
};

/* The same on machines of any byte order. */
static uint32_t hash_numbers(const int16_t *numbers, uint32_t count,
                             uint32_t hash)
{
    for (uint32_t i = 0; i < count; i++) {
        uint8_t bytes[2];

        spn_store_u16le(bytes, (uint16_t)numbers[i]);
        hash = spn__checksum(bytes, sizeof bytes, hash);
    }
    return hash;
}

static void sample(struct walk *w, uint32_t segment, uint32_t *hash)
{
    const struct anim_window *now = &w->window[segment & 1];
    const struct anim_window *before = &w->window[~segment & 1];
    const struct anim_tracks *t = &w->clip.tracks;

    for (uint32_t f = 0; f < now->frame_count; f++) {
        const struct anim_frame to = {now, f};
        const struct anim_frame from =
            f > 0         ? (struct anim_frame){now, f - 1}
            : segment > 0 ? (struct anim_frame){before, before->frame_count - 1}
                          : to;

        spn__anim_pose(t, from, to, 0.375f, w->locals, w->numbers);
        for (uint32_t i = 0; i < t->rotations.count; i++)
            for (int k = 0; k < 4; k++)
                CHECK(fabsf(w->locals[t->rotations.joint[i]].rotation[k]) <
                      1.01f);
        *hash =
            hash_numbers(anim_window_row(now, t, f), anim_row_length(t), *hash);
        for (uint32_t i = 0; i < 3 * t->wide_translations.count; i++) {
            uint8_t bytes[4];

            spn_store_u32le(bytes, (uint32_t)anim_window_wide(now, t, f)[i]);
            *hash = spn__checksum(bytes, sizeof bytes, *hash);
        }
    }
    *hash =
        hash_numbers(now->base, 3 * t->translations.count, *hash + now->cuts);
}

/* Scalar code must give the same result and window. */
static void check_scalar(struct walk *w, uint32_t segment, const uint8_t *bytes,
                         spn_status expected)
{
    const struct anim_window *a = &w->window[segment & 1];
    const struct anim_window *b = &w->window[2];
    const struct anim_tracks *t = &w->clip.tracks;

    CHECK_EQ(spn__anim_segment_decode(&w->clip, w->scalar, segment, bytes,
                                      w->workspace, &w->window[2], NULL),
             expected);
    if (expected != SPN_OK)
        return;
    CHECK_MEM(a->base, b->base,
              (size_t)3 * t->translations.count * sizeof *a->base);
    CHECK_MEM(a->rows, b->rows,
              (size_t)a->frame_count * anim_row_length(t) * sizeof *a->rows);
    CHECK_MEM(a->wide, b->wide,
              (size_t)a->frame_count * 3 * t->wide_translations.count *
                  sizeof *a->wide);
}

static spn_status walk_segments(struct walk *w, const uint8_t *file,
                                uint32_t *hash, spn_fault *fault)
{
    spn_status status = SPN_OK;

    for (uint32_t s = 0; status == SPN_OK && s < w->clip.header.segment_count;
         s++) {
        const struct anim_segment_place place =
            spn__anim_clip_segment(&w->clip, s);
        uint8_t *bytes = copy_of(file + place.offset, place.bytes);

        status =
            spn__anim_segment_decode(&w->clip, w->tables, s, bytes,
                                     w->workspace, &w->window[s & 1], fault);
        check_scalar(w, s, bytes, status);
        if (status == SPN_OK)
            sample(w, s, hash);
        free(bytes);
    }
    return status;
}

static spn_status walk_opened(struct walk *w, const uint8_t *file,
                              uint32_t *hash, spn_fault *fault)
{
    const struct anim_tracks *t = &w->clip.tracks;
    const uint32_t frames = w->clip.header.segment_frames;
    spn_status status;

    w->tables = need(sizeof *w->tables);
    w->scalar = need(sizeof *w->scalar);
    spn__anim_decoder_tables_init(w->tables, spn__cpu_detect());
    spn__anim_decoder_tables_init(w->scalar, 0);
    w->workspace = need(spn__anim_segment_workspace(t));
    for (int i = 0; i < 3; i++) {
        w->memory[i] = need(spn__anim_window_bytes(t, frames));
        spn__anim_window_place(&w->window[i], t, frames, w->memory[i]);
    }
    w->locals = calloc(t->joint_count, sizeof *w->locals);
    w->numbers = calloc(t->float_track_count + 1, sizeof *w->numbers);
    CHECK(w->locals && w->numbers);
    status = walk_segments(w, file, hash, fault);
    free(w->tables);
    free(w->scalar);
    free(w->workspace);
    free(w->memory[0]);
    free(w->memory[1]);
    free(w->memory[2]);
    free(w->locals);
    free(w->numbers);
    return status;
}

/* Walk a clip whose header was read. */
static spn_status walk_clip(const struct anim_clip_header *h,
                            const uint8_t *file, uint32_t *hash,
                            spn_fault *fault)
{
    struct anim_head_models *models = need(sizeof *models);
    uint8_t *head = copy_of(file, h->head_bytes);
    struct walk w = {0};
    uint32_t sum = 0;
    size_t bytes = 0;
    spn_status status;

    status = spn__anim_clip_measure(h, head, models, &bytes, fault);
    if (status == SPN_OK) {
        void *memory = need(bytes);

        spn__anim_clip_open(h, head, models, memory, &w.clip);
        if ((uint64_t)anim_place_count(&w.clip.tracks) * h->frame_count <=
            VALUES_MAX)
            status = walk_opened(&w, file, &sum, fault);
        free(memory);
    }
    free(models);
    free(head);
    if (status == SPN_OK && hash)
        *hash = sum;
    return status;
}

spn_status anim_walk_clip(const uint8_t *file, size_t size, uint32_t *hash,
                          spn_fault *fault)
{
    struct anim_clip_header h;
    uint8_t *header;
    spn_status status;

    if (size < ANIM_CLIP_HEADER_BYTES)
        return wire_refuse(fault, "file size", 0, (uint32_t)size);
    header = copy_of(file, ANIM_CLIP_HEADER_BYTES);
    status = spn__anim_clip_read_header(header, &h, fault);
    free(header);
    if (status != SPN_OK)
        return status;
    if (h.file_bytes != size)
        return wire_refuse(fault, "file size", 0, (uint32_t)size);
    return walk_clip(&h, file, hash, fault);
}

spn_status anim_walk_packed(const uint8_t *range,
                            const struct clip_facts *facts, uint32_t *hash,
                            spn_fault *fault)
{
    struct anim_clip_header h;
    uint8_t *header;
    spn_status status;

    if (facts->bytes < PACKED_CLIP_HEADER_BYTES)
        return wire_refuse(fault, "file size", 0, facts->bytes);
    header = copy_of(range, PACKED_CLIP_HEADER_BYTES);
    status = spn__packed_clip_read_header(header, facts, &h, fault);
    free(header);
    return status == SPN_OK ? walk_clip(&h, range, hash, fault) : status;
}

spn_status anim_walk_skeleton(const uint8_t *file, size_t size,
                              spn_fault *fault)
{
    struct anim_skeleton_models *models;
    struct anim_skeleton_header h;
    struct anim_skeleton skeleton;
    uint8_t *copy;
    void *memory;
    spn_status status;

    if (size < ANIM_SKELETON_HEADER_BYTES)
        return wire_refuse(fault, "file size", 0, (uint32_t)size);
    status = spn__anim_skeleton_read_header(file, &h, fault);
    if (status != SPN_OK)
        return status;
    if (h.file_bytes != size)
        return wire_refuse(fault, "file size", 0, (uint32_t)size);
    copy = copy_of(file, size);
    models = need(sizeof *models);
    memory = need(spn__anim_skeleton_bytes(&h));
    status =
        spn__anim_skeleton_open(&h, copy, models, memory, &skeleton, fault);
    for (uint32_t j = 0; status == SPN_OK && j < skeleton.joint_count; j++) {
        CHECK(skeleton.parent[j] == ANIM_NO_PARENT || skeleton.parent[j] < j);
        CHECK(skeleton.name[j] + strlen(skeleton.names + skeleton.name[j]) <
              h.name_bytes);
    }
    free(memory);
    free(models);
    free(copy);
    return status;
}

/* -- checksums -- */

void anim_mend_clip(uint8_t *file, size_t size)
{
    struct anim_wire_clip *wire = (void *)file;
    uint32_t head;
    uint32_t frames;
    uint32_t segments;

    if (size < sizeof *wire)
        return;
    memcpy(wire->signature, ANIM_CLIP_SIGNATURE, sizeof wire->signature);
    spn_store_u16le(wire->version, ANIM_VERSION);
    spn_store_u32le(wire->file_bytes, (uint32_t)size);
    head = spn_load_u32le(wire->head_bytes);
    frames = wire->segment_frames[0] > 0 ? wire->segment_frames[0] : 1;
    segments = spn_load_u32le(wire->frame_count) / frames;
    segments += spn_load_u32le(wire->frame_count) % frames > 0;
    if (head >= sizeof *wire && head <= size &&
        segments <= (head - sizeof *wire) / sizeof(struct anim_wire_segment)) {
        uint32_t offset = head;

        for (uint32_t s = 0; s < segments && head < size; s++) {
            struct anim_wire_segment *segment =
                (void *)(file + sizeof *wire +
                         s * sizeof(struct anim_wire_segment));
            const uint32_t end = spn_load_u32le(segment->end);

            if (end < offset || end > size)
                break;
            spn_store_u32le(
                segment->checksum,
                spn__checksum(file + offset, end - offset, WIRE_SEED));
            offset = end;
        }
        spn_store_u32le(
            wire->head_checksum,
            spn__checksum(file + sizeof *wire, head - sizeof *wire, WIRE_SEED));
    }
    spn_store_u32le(wire->checksum,
                    spn__checksum(wire, sizeof *wire - 4, WIRE_SEED));
}

void anim_mend_packed(uint8_t *range, const struct clip_facts *facts)
{
    struct anim_wire_packed *packed = (void *)range;
    struct anim_wire_clip wire;

    if (facts->bytes < sizeof *packed)
        return;
    spn__packed_clip_expand(range, facts, &wire);
    spn_store_u32le(packed->checksum,
                    spn__checksum(&wire, sizeof wire - 4, WIRE_SEED));
}

void anim_mend_skeleton(uint8_t *file, size_t size)
{
    struct anim_wire_skeleton *wire = (void *)file;

    if (size < sizeof *wire)
        return;
    memcpy(wire->signature, ANIM_SKELETON_SIGNATURE, sizeof wire->signature);
    spn_store_u16le(wire->version, ANIM_VERSION);
    spn_store_u32le(wire->file_bytes, (uint32_t)size);
    spn_store_u32le(
        wire->body_checksum,
        spn__checksum(file + sizeof *wire, size - sizeof *wire, WIRE_SEED));
    spn_store_u32le(wire->checksum,
                    spn__checksum(wire, sizeof *wire - 4, WIRE_SEED));
}
