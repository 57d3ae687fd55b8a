/* skeleton_table.c - read, decode, keep and free skeletons. */
/* SPDX-License-Identifier: MIT */
#include "anim/skeleton_table.h"

#include <spindle/features.h>

#if SPN_WITH_ANIM

#include "anim/anim_memory.h"
#include "anim/anim_system.h"
#include "base/assert.h"
#include "base/heap_view.h"
#include "base/jobs.h"
#include "base/minmax.h"
#include "base/wire.h"
#include "play/promise.h"
#include "play/scratch.h"
#include "read/io_start.h"
#include "read/io_wait.h"

SPN_STATIC_ASSERT(sizeof(struct anim_skeleton_models) <= SCRATCH_WORKSPACES,
                  skeleton_models_fit);

void spn__skeletons_init(struct skeleton_table *table, struct carve *carve,
                         uint32_t count)
{
    table->records = SPN_CARVE(carve, struct skeleton_record, count);
    spn__pool_init(&table->pool, carve, count);
}

struct skeleton_record *spn__skeleton_find(const struct anim *a,
                                           spn_anim_skeleton skeleton)
{
    const uint32_t i = spn__pool_index(&a->skeletons.pool, skeleton);

    return i != POOL_NONE && !a->skeletons.records[i].is_closing
               ? &a->skeletons.records[i]
               : NULL;
}

spn_status spn__skeleton_status(const struct skeleton_record *record)
{
    if (record->state == SKELETON_OPEN)
        return SPN_OK;
    return record->status != SPN_OK ? record->status : SPN_PENDING;
}

/* -- the end of a skeleton -- */

static void free_file(struct skeleton_record *r)
{
    if (r->file != 0)
        spn__promise_return_block(&r->anim->config.manager->promises, r->file);
    r->file = 0;
}

static void free_memory(struct skeleton_record *r)
{
    free_file(r);
    if (r->block != 0)
        spn__anim_memory_give(r->anim, r->block);
    r->block = 0;
}

static uint32_t number_of(const struct skeleton_record *r)
{
    return (uint32_t)(r - r->anim->skeletons.records);
}

static void fail(struct skeleton_record *r, spn_status status,
                 const spn_fault *fault)
{
    struct anim *a = r->anim;

    free_memory(r);
    r->state = SKELETON_FAILED;
    r->status = status;
    r->fault = *fault;
    r->fault.status = status;
    r->fault.file = r->path;
    r->retry_us = a->now_us + spn__anim_retry_us(a, r->failures++);
    spn__anim_skeleton_event(
        a, spn__pool_handle(&a->skeletons.pool, number_of(r)), status);
}

/* Free a record that is being closed, unless it is in use. */
static void end(struct skeleton_record *r)
{
    struct skeleton_table *t = &r->anim->skeletons;
    const uint32_t i = (uint32_t)(r - t->records);

    if (r->state == SKELETON_READING || r->state == SKELETON_OPENING)
        return;
    free_memory(r);
    *r = (struct skeleton_record){.state = SKELETON_FREE};
    (void)spn__pool_give(&t->pool, spn__pool_handle(&t->pool, i));
}

void spn__skeleton_close(struct anim *a, struct skeleton_record *record)
{
    struct pool *pool = &a->skeletons.pool;
    const uint32_t i = (uint32_t)(record - a->skeletons.records);

    (void)spn__pool_renew(pool, spn__pool_handle(pool, i));
    record->is_closing = true;
    if (record->state == SKELETON_READING)
        (void)spn__io_abort(a->config.io, record->read);
    end(record);
}

/* -- reading -- */

/* An empty file has no block. */
static void take_skeleton(const spn_read_result *result)
{
    struct skeleton_record *r = result->user;
    struct anim *a = r->anim;
    spn_status status = result->status;
    spn_fault fault = {.what = "skeleton"};

    r->read = 0;
    r->file = status == SPN_OK ? result->block : 0;
    r->state = SKELETON_WAITING;
    if (r->is_closing) {
        end(r);
        return;
    }
    if (status == SPN_OK && result->bytes < ANIM_SKELETON_HEADER_BYTES)
        status = wire_refuse_wide(&fault, "file size", 0, result->bytes);
    if (status == SPN_OK)
        status = spn__anim_skeleton_read_header(
            spn__heap_data(a->config.heap, r->file), &r->header, &fault);
    if (status == SPN_OK && r->header.file_bytes != result->bytes)
        status = wire_refuse_wide(&fault, "file size", 16, result->bytes);
    if (status == SPN_OK)
        r->bytes = SPN_ANIM_POSE_BYTES(r->header.joint_count) +
                   (uint32_t)spn__anim_skeleton_bytes(&r->header);
    else
        fail(r, status, &fault);
}

/* Begin to read the file. */
static spn_status start_read(struct skeleton_record *r, const char *path)
{
    const spn_read_desc desc = {.path = path,
                                .priority = SPN_PRIORITY_ABOVE_NORMAL,
                                .task = SPN_TASK_ANIMATION,
                                .flags = SPN_READ_INTO_HEAP,
                                .heap_unit_bytes = UINT32_MAX,
                                .on_done = take_skeleton,
                                .user = r};
    const spn_status status =
        spn__io_read_start(r->anim->config.io, &desc, &r->read);

    if (status == SPN_OK)
        r->state = SKELETON_READING;
    return status;
}

spn_status spn__skeleton_open(struct anim *a, const char *path,
                              spn_anim_skeleton *out)
{
    struct skeleton_table *t = &a->skeletons;
    struct skeleton_record *r;
    uint32_t handle;
    spn_status status = spn__pool_take(&t->pool, &handle);

    if (status != SPN_OK)
        return status;
    r = &t->records[spn__pool_index(&t->pool, handle)];
    *r = (struct skeleton_record){.anim = a};
    status = start_read(r, path);
    if (status != SPN_OK) {
        (void)spn__pool_give(&t->pool, handle);
        return status;
    }
    for (uint32_t i = 0; i < SPN_PATH_BYTES_MAX; i++) {
        r->path[i] = path[i];
        if (path[i] == 0)
            break;
    }
    *out = handle;
    return SPN_OK;
}

/* -- decoding -- */

static void fill_rest(struct skeleton_record *r, float *values)
{
    const struct anim_skeleton *s = &r->skeleton;
    const uint32_t stride = SPN_ANIM_POSE_STRIDE(s->joint_count);

    r->rest =
        (spn_anim_pose){values, s->joint_count, stride, r->anim->config.cpu};
    for (uint32_t j = 0; j < stride; j++) {
        /* Elements behind the last joint are like it. */
        const spn_anim_transform *t = &s->rest[min_u32(j, s->joint_count - 1)];

        for (uint32_t k = 0; k < 4; k++)
            values[k * stride + j] = t->rotation[k];
        for (uint32_t k = 0; k < 3; k++) {
            values[(4 + k) * stride + j] = t->translation[k];
            values[(7 + k) * stride + j] = t->scale[k];
        }
    }
}

/* The job. */
static void open_skeleton(void *context, uint32_t argument,
                          struct job_worker *worker)
{
    struct skeleton_record *r = context;
    const struct heap *heap = r->anim->config.heap;
    uint8_t *memory = spn__heap_data(heap, r->block);

    (void)argument;
    r->result = spn__anim_skeleton_open(
        &r->header, spn__heap_data(heap, r->file), (void *)worker->scratch,
        memory + SPN_ANIM_POSE_BYTES(r->header.joint_count), &r->skeleton,
        &r->found);
    if (r->result == SPN_OK)
        fill_rest(r, (float *)(void *)memory);
    /* Pairs with the load in collect. */
    atomic_store_release(&r->is_done, 1);
}

/* Take memory and submit the job; if there is none, the next update tries
 * again. */
static void begin(struct skeleton_record *r)
{
    struct anim *a = r->anim;
    spn_status status = SPN_OK;

    if (r->block == 0)
        status = spn__anim_memory_take_whole(a, r->bytes, &r->block);
    if (status < SPN_OK) {
        fail(r, status,
             &(spn_fault){.what = "size of a skeleton", .value = r->bytes});
        return;
    }
    atomic_store_relaxed(&r->is_done, 0);
    r->found = (spn_fault){.what = "skeleton"};
    if (status == SPN_OK &&
        spn__jobs_submit(a->config.jobs, open_skeleton, r, 0))
        r->state = SKELETON_OPENING;
}

static void collect(struct skeleton_record *r)
{
    if (!atomic_load_acquire(&r->is_done))
        return;
    r->state = SKELETON_OPEN;
    if (r->is_closing)
        end(r);
    else if (r->result != SPN_OK)
        fail(r, r->result, &r->found);
    else
        free_file(r);
}

/* If no read can be started now, the next update tries again. */
static void retry(struct skeleton_record *r)
{
    if (r->anim->now_us >= r->retry_us)
        (void)!start_read(r, r->path);
}

void spn__skeletons_update(struct anim *a)
{
    struct skeleton_table *t = &a->skeletons;

    for (uint32_t i = 0; i < t->pool.capacity; i++) {
        struct skeleton_record *r = &t->records[i];

        if (r->state == SKELETON_WAITING)
            begin(r);
        else if (r->state == SKELETON_OPENING)
            collect(r);
        else if (r->state == SKELETON_FAILED)
            retry(r);
    }
}

bool spn__skeletons_shutdown(struct anim *a)
{
    struct skeleton_table *t = &a->skeletons;

    for (uint32_t i = 0; i < t->pool.capacity; i++) {
        struct skeleton_record *r = &t->records[i];

        if (r->state == SKELETON_FREE)
            continue;
        r->is_closing = true;
        if (r->state == SKELETON_OPENING)
            collect(r);
        else
            end(r);
    }
    return t->pool.used == 0;
}

/* -- checks -- */

bool spn__skeletons_check(const struct anim *a, uint64_t *pages)
{
    const struct skeleton_table *t = &a->skeletons;

    for (uint32_t i = 0; i < t->pool.capacity; i++) {
        const struct skeleton_record *r = &t->records[i];

        if (spn__pool_is_used(&t->pool, i) != (r->state != SKELETON_FREE))
            return false;
        if (r->block != 0)
            *pages +=
                spn__promise_pages(&a->config.manager->promises, r->bytes);
        if ((r->state == SKELETON_OPEN && (r->block == 0 || r->file != 0)) ||
            (r->state == SKELETON_READING && r->read == 0))
            return false;
    }
    return spn__pool_check(&t->pool);
}

#endif
