/* playing_work.c - jobs that decode heads and segments. */
/* SPDX-License-Identifier: MIT */
#include "anim/playing_work.h"

#include <spindle/features.h>

#if SPN_WITH_ANIM

#include "anim/anim_segment.h"
#include "anim/anim_system.h"
#include "anim/anim_wire.h"
#include "anim/packed_clip.h"
#include "anim/playing_clip.h"
#include "base/heap_view.h"
#include "base/mem.h"
#include "base/wire.h"
#include "play/scratch.h"

/* The scratch memory has the models, then the head if it is not contiguous. */
#define HEAD_BYTES_MAX                                                         \
    (SCRATCH_WORKSPACES - (uint32_t)sizeof(struct anim_head_models))
SPN_STATIC_ASSERT(SCRATCH_WORKSPACES >=
                      sizeof(struct anim_head_models) + 65536u,
                  heads_of_a_first_part_fit);

#define AT(field) ((uint32_t)offsetof(struct anim_wire_clip, field))

static void finish(struct playing_job *job, spn_status status)
{
    job->status = status;
    /* Pairs with the load in spn__playing_is_done. */
    atomic_store_release(&job->is_done, 1);
}

/* A range of the compressed bytes. */
static const uint8_t *view(const struct playing_clip *p, uint32_t offset,
                           uint32_t bytes, void *bounce)
{
    return spn__heap_view(p->anim->config.heap, p->source,
                          p->source_start + offset, bytes, bounce);
}

/* What the index says about a clip file must be true. */
static spn_status compare(const struct clip_facts *f,
                          const struct anim_clip_header *h, spn_fault *fault)
{
    if (h->file_bytes != f->bytes)
        return wire_refuse_for(fault, SPN_ERR_FORMAT, "file size",
                               AT(file_bytes), h->file_bytes, f->bytes);
    if (h->frame_count != f->frame_count)
        return wire_refuse_for(fault, SPN_ERR_FORMAT, "frame count",
                               AT(frame_count), h->frame_count, f->frame_count);
    if (h->rate_numerator != f->rate_numerator ||
        h->rate_denominator != f->rate_denominator)
        return wire_refuse_for(fault, SPN_ERR_FORMAT, "rate",
                               AT(rate_numerator), h->rate_numerator,
                               f->rate_numerator);
    if (h->skeleton != f->skeleton || h->joint_count != f->joint_count)
        return wire_refuse_for(fault, SPN_ERR_FORMAT, "skeleton", AT(skeleton),
                               h->skeleton, f->skeleton);
    return SPN_OK;
}

/* Read and check the header. */
static spn_status read_header(const struct playing_clip *p, uint8_t *bounce,
                              struct anim_clip_header *h, spn_fault *fault)
{
    const struct clip_facts *f = &p->facts;
    const bool is_packed = packed_clip_is_one(f);
    const uint32_t bytes =
        is_packed ? PACKED_CLIP_HEADER_BYTES : ANIM_CLIP_HEADER_BYTES;
    const uint32_t size_at = is_packed ? 0 : AT(head_bytes);
    const uint8_t *header;
    spn_status status;

    if (f->first_bytes < bytes)
        return wire_refuse(fault, "file size", 0, f->first_bytes);
    header = view(p, 0, bytes, bounce);
    status = is_packed ? spn__packed_clip_read_header(header, f, h, fault)
                       : spn__anim_clip_read_header(header, h, fault);
    if (status == SPN_OK)
        status = compare(f, h, fault);
    if (status != SPN_OK)
        return status;
    if (h->head_bytes > f->first_bytes)
        return wire_refuse(fault, "head size", size_at, h->head_bytes);
    if (h->head_bytes > HEAD_BYTES_MAX)
        return wire_refuse_for(fault, SPN_ERR_MEMORY, "head size", size_at,
                               h->head_bytes, HEAD_BYTES_MAX);
    return SPN_OK;
}

static spn_status measure(struct playing_clip *p, uint8_t *scratch)
{
    struct anim_head_models *models = (void *)scratch;
    uint8_t *bounce = scratch + sizeof *models;
    struct anim_clip_header *h = &p->open.header;
    spn_fault *fault = &p->job.fault;
    const uint8_t *head;
    size_t tracks;
    size_t window;
    spn_status status;

    status = read_header(p, bounce, h, fault);
    if (status != SPN_OK)
        return status;
    head = view(p, 0, h->head_bytes, bounce);
    status =
        spn__anim_clip_measure_window(h, head, models, &tracks, &window, fault);
    if (status != SPN_OK)
        return status;
    p->track_bytes = ((uint32_t)tracks + 3) & ~3u;
    p->window_bytes = (uint32_t)window;
    /* The windows behind it are aligned. */
    p->table_bytes = head == bounce ? (anim_clip_table_bytes(h) + 3) & ~3u : 0;
    return SPN_OK;
}

void spn__playing_measure(void *anim, uint32_t clip, struct job_worker *worker)
{
    struct anim *a = anim;
    struct playing_clip *p = &a->playing.clips[clip];

    finish(&p->job, measure(p, worker->scratch));
}

void spn__playing_fill(void *anim, uint32_t clip, struct job_worker *worker)
{
    struct anim *a = anim;
    struct playing_clip *p = &a->playing.clips[clip];
    struct anim_head_models *models = (void *)worker->scratch;
    const struct anim_clip_header h = p->open.header;
    uint8_t *memory = spn__heap_data(a->config.heap, p->block);
    const uint8_t *head =
        view(p, 0, h.head_bytes, worker->scratch + sizeof *models);

    spn__anim_clip_open(&h, head, models, memory, &p->open);
    if (p->table_bytes > 0) {
        memcpy(memory + p->track_bytes, p->open.segments,
               anim_clip_table_bytes(&h));
        p->open.segments = memory + p->track_bytes;
    }
    finish(&p->job, SPN_OK);
}

void spn__playing_decode_segment(void *anim, uint32_t window,
                                 struct job_worker *worker)
{
    struct anim *a = anim;
    struct playing_window *w = &a->playing.windows[window];
    const struct playing_clip *p = &a->playing.clips[w->owner];
    const struct anim_segment_place place =
        spn__anim_clip_segment(&p->open, w->segment);
    const size_t workspace =
        (spn__anim_segment_workspace(&p->open.tracks) + 3) & ~(size_t)3;

    if (workspace > SCRATCH_WORKSPACES ||
        place.bytes > SCRATCH_WORKSPACES - workspace) {
        finish(&w->job, wire_refuse_for(&w->job.fault, SPN_ERR_MEMORY,
                                        "size of a segment", place.offset,
                                        place.bytes, SCRATCH_WORKSPACES));
        return;
    }
    finish(&w->job,
           spn__anim_segment_decode(
               &p->open, a->playing.tables, w->segment,
               view(p, place.offset, place.bytes, worker->scratch + workspace),
               worker->scratch, &w->window, &w->job.fault));
}

#endif
