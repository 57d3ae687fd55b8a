/* range_load.c - memory, reads and verification of one load. */
/* SPDX-License-Identifier: MIT */
#include "anim/range_load.h"

#include <spindle/features.h>

#if SPN_WITH_ANIM

#include "anim/anim_memory.h"
#include "anim/anim_system.h"
#include "base/assert.h"
#include "base/checksum.h"
#include "base/heap_view.h"
#include "base/minmax.h"
#include "base/wire.h"

/* The wait after a failure doubles this often. */
#define BACK_OFF_DOUBLINGS 5u

/* A clip that is needed earlier than this is needed soon. */
#define URGENT_US 500000u

void spn__load_aim(struct range_load *load, const struct load_range *range)
{
    const uint32_t rest = range->bytes - range->first_bytes;

    load->offset = range->offset;
    load->bytes = range->bytes;
    load->is_unverified = range->is_unverified;
    load->part_count = rest > 0 ? 2 : 1;
    load->parts[0] = (struct load_part){.bytes = range->first_bytes,
                                        .checksum = range->first_checksum};
    load->parts[1] = (struct load_part){.start = range->first_bytes,
                                        .bytes = rest,
                                        .checksum = range->rest_checksum};
}

static void set_earlier(struct load_part *part, uint64_t deadline_us)
{
    if (deadline_us != 0 && part->state == PART_NONE &&
        (part->deadline_us == 0 || deadline_us < part->deadline_us))
        part->deadline_us = deadline_us;
}

void spn__load_set_deadline(struct range_load *load, uint64_t deadline_us,
                            uint64_t rest_us)
{
    set_earlier(&load->parts[0], deadline_us);
    set_earlier(&load->parts[1], rest_us);
}

/* -- failures -- */

uint64_t spn__anim_retry_us(const struct anim *a, uint32_t failures)
{
    return (uint64_t)a->config.tuning->value[TUNING_anim_retry_ms] * 1000
           << min_u32(failures, BACK_OFF_DOUBLINGS);
}

static void fail(struct range_load *load, struct load_part *part,
                 enum part_failure failure, spn_status status, uint32_t detail)
{
    struct anim *a = load->anim;

    part->state = PART_NONE;
    part->failure = failure;
    part->status = status;
    part->detail = detail;
    part->retry_us = a->now_us + spn__anim_retry_us(a, part->failures++);
    a->stats.reads_failed++;
    spn__anim_trace(a, TRACE_CLIP_FAIL, load->owner, (uint32_t)status);
    spn__anim_load_event(load, SPN_ANIM_FAILED, status);
}

void spn__load_retry_now(struct range_load *load)
{
    for (uint32_t i = 0; i < load->part_count; i++) {
        load->parts[i].status = SPN_OK;
        load->parts[i].retry_us = 0;
    }
}

static const struct load_part *failed_part(const struct range_load *load)
{
    for (uint32_t i = 0; i < load->part_count; i++)
        if (load->parts[i].status != SPN_OK)
            return &load->parts[i];
    return NULL;
}

spn_status spn__load_error(const struct range_load *load)
{
    const struct load_part *part = failed_part(load);

    return part ? part->status : SPN_OK;
}

void spn__load_fault(const struct range_load *load, spn_fault *out)
{
    static const char *const texts[3][2] = {
        [FAILURE_OF_READ] = {"bytes of a clip", "bytes of a database"},
        [FAILURE_OF_CHECKSUM] = {"checksum of a clip",
                                 "checksum of a database"},
        [FAILURE_OF_SIZE] = {"size of a clip", "size of a database"}};
    const struct load_part *part = failed_part(load);

    *out = (spn_fault){.what = texts[part->failure][load->is_database],
                       .offset = load->offset + part->start,
                       .file = spn__anim_load_path(load),
                       .status = part->status};
    switch (part->failure) {
    case FAILURE_OF_READ:
        out->offset += part->detail;
        break;
    case FAILURE_OF_CHECKSUM:
        out->value = part->detail;
        out->expected = part->checksum;
        out->has_expected = 1;
        break;
    case FAILURE_OF_SIZE:
        out->value = load->bytes;
        break;
    }
}

/* -- verification -- */

static uint32_t checksum_of(const struct range_load *load,
                            const struct load_part *part)
{
    struct heap_walk walk;
    struct checksum sum;
    uint32_t skip = part->start;
    uint32_t left = part->bytes;

    spn__checksum_begin(&sum, WIRE_SEED);
    spn__heap_walk_begin(load->anim->config.heap, load->block, &walk);
    while (left > 0) {
        uint32_t bytes;
        const uint8_t *data = spn__heap_walk_next(&walk, &bytes);
        const uint32_t passed = min_u32(skip, bytes);
        const uint32_t added = min_u32(bytes - passed, left);

        spn__checksum_add(&sum, data + passed, added);
        skip -= passed;
        left -= added;
    }
    return spn__checksum_end(&sum);
}

/* The job. Its argument is the number of the part. */
static void verify_range(void *context, uint32_t number,
                         struct job_worker *worker)
{
    struct range_load *load = context;
    struct load_part *part = &load->parts[number];

    (void)worker;
    part->found = checksum_of(load, part);
    /* Pairs with the load in end_job. */
    atomic_store_release(&part->is_verified, 1);
}

/* If the queue of jobs is full, the next update tries again. */
static void submit(struct range_load *load, struct load_part *part)
{
    atomic_store_relaxed(&part->is_verified, 0);
    if (part->has_job ||
        !spn__jobs_submit(load->anim->config.jobs, verify_range, load,
                          (uint32_t)(part - load->parts)))
        return;
    part->has_job = true;
    part->state = PART_VERIFYING;
}

/* Accept a part whose bytes have the checksum `found`, or let it fail. */
static void finish_part(struct range_load *load, struct load_part *part,
                        uint32_t found)
{
    if (found != part->checksum && !load->is_unverified) {
        fail(load, part, FAILURE_OF_CHECKSUM, SPN_ERR_CHECKSUM, found);
        return;
    }
    part->state = PART_READY;
    part->failures = 0;
    part->status = SPN_OK;
}

/* The part may have been verified by this thread meanwhile. */
static void end_job(struct load_part *part)
{
    if (part->has_job && atomic_load_acquire(&part->is_verified))
        part->has_job = false;
}

void spn__load_verify_now(struct range_load *load)
{
    for (uint32_t i = 0; i < load->part_count; i++) {
        struct load_part *part = &load->parts[i];

        if (part->state == PART_ARRIVED || part->state == PART_VERIFYING)
            finish_part(load, part, checksum_of(load, part));
    }
}

/* -- reads -- */

/* The file that it reads: its own, or that of its database. */
static spn_file *file_of(struct range_load *load)
{
    return load->file_owner != ANIM_NONE
               ? &load->anim->databases[load->file_owner].file
               : &load->file;
}

bool spn__load_has_file(struct range_load *load)
{
    return *file_of(load) != 0;
}

/* Reads under way keep the file until they end. */
static void close_file(struct range_load *load, spn_file *file)
{
    if (*file != 0)
        (void)spn__io_file_close(load->anim->config.io, *file);
    *file = 0;
}

static void on_part(void *context, uint32_t number,
                    const struct io_result *result)
{
    struct range_load *load = context;
    struct anim *a = load->anim;
    struct load_part *part = &load->parts[number];

    part->read = 0;
    a->reads_out--;
    a->stats.bytes_read += result->bytes;
    if (result->status == SPN_OK) {
        part->state = PART_ARRIVED;
        return;
    }
    if (load->state == LOAD_DYING || result->status == SPN_ERR_SHUTDOWN) {
        part->state = PART_NONE;
        a->stats.reads_aborted++;
        return;
    }
    fail(load, part, FAILURE_OF_READ, result->status, (uint32_t)result->bytes);
    /* A pak that has it may be mounted at the next attempt. */
    if (result->status == SPN_ERR_NOT_FOUND)
        close_file(load, file_of(load));
}

/* Open the file, and start the read. */
static spn_status start_read(struct range_load *load, struct io_read *read,
                             spn_read *out)
{
    struct anim *a = load->anim;
    spn_file *file = file_of(load);
    spn_status status = SPN_OK;

    if (*file == 0)
        status =
            spn__io_file_open(a->config.io, spn__anim_load_path(load), file);
    if (load->file_owner != ANIM_NONE)
        a->databases[load->file_owner].file_use_us = a->now_us;
    if (status != SPN_OK)
        return status;
    read->file = *file;
    status = spn__io_start(a->config.io, read, out);
    /* The next attempt opens it again. */
    if (status == SPN_ERR_HANDLE)
        *file = 0;
    return status;
}

static spn_status start_part(struct range_load *load, uint32_t number)
{
    struct anim *a = load->anim;
    struct load_part *part = &load->parts[number];
    struct io_read read = {.offset = load->offset + part->start,
                           .bytes = part->bytes,
                           .block = load->block,
                           .block_offset = part->start,
                           .priority = load->priority,
                           .task = SPN_TASK_ANIMATION,
                           .deadline_us = part->deadline_us,
                           .on_done = on_part,
                           .context = load,
                           .argument = number};
    spn_status status;

    if (a->reads_out >= a->config.tuning->value[TUNING_anim_reads_max])
        return SPN_FULL;
    status = start_read(load, &read, &part->read);
    /* All records of reads or files are in use now. */
    if (status == SPN_FULL || status == SPN_ERR_TABLE_FULL)
        return status;
    if (status != SPN_OK) {
        fail(load, part, FAILURE_OF_READ, status, 0);
        return SPN_OK;
    }
    part->state = PART_READING;
    a->reads_out++;
    a->stats.reads++;
    spn__anim_trace(a, TRACE_CLIP_READ, load->owner, part->bytes);
    return SPN_OK;
}

/* -- the load -- */

/* Whether the time of the next attempt has come. */
static bool is_due(const struct range_load *load, const struct load_part *part)
{
    return load->anim->now_us >= part->retry_us;
}

/* Whether a read or a job uses the memory. */
static bool is_in_use(const struct range_load *load)
{
    if (load->users > 0)
        return true;
    for (uint32_t i = 0; i < load->part_count; i++)
        if (load->parts[i].state == PART_READING || load->parts[i].has_job)
            return true;
    return false;
}

/* Memory without any bytes is of no use until the next attempt, or if nobody
 * wants them. */
static void yield_memory(struct range_load *load)
{
    for (uint32_t i = 0; i < load->part_count; i++)
        if (load->parts[i].state != PART_NONE)
            return;
    if ((is_due(load, &load->parts[0]) && !load_is_idle(load)) ||
        is_in_use(load))
        return;
    spn__anim_memory_give(load->anim, load->block);
    load->block = 0;
    load->state = LOAD_WAITING;
}

/* A clip that waits for an attempt keeps no file open. */
static void yield_file(struct range_load *load)
{
    for (uint32_t i = 0; i < load->part_count; i++)
        if (load->parts[i].state == PART_READING ||
            (load->parts[i].state == PART_NONE &&
             is_due(load, &load->parts[i])))
            return;
    close_file(load, &load->file);
}

void spn__load_collect(struct range_load *load)
{
    bool is_ready = load->state == LOAD_ACTIVE;

    for (uint32_t i = 0; i < load->part_count; i++) {
        struct load_part *part = &load->parts[i];

        end_job(part);
        if (part->state == PART_ARRIVED)
            submit(load, part);
        else if (part->state == PART_VERIFYING && !part->has_job)
            finish_part(load, part, part->found);
        is_ready &= part->state == PART_READY;
    }
    if (is_ready)
        load->state = LOAD_READY;
    else if (load->state == LOAD_ACTIVE)
        yield_memory(load);
    yield_file(load);
}

/* Whether the rest of a clip waits until its first part has arrived. Two reads
 * of neighbouring bytes may become one command of the drive, which brings the
 * first part no earlier than the rest. A clip that is needed soon cannot wait
 * for that; for others, one command saves a seek. */
static bool goes_after(const struct range_load *load,
                       const struct load_part *part)
{
    const struct load_part *first = &load->parts[0];

    return part != first && first->state <= PART_READING &&
           first->deadline_us != 0 &&
           first->deadline_us < load->anim->now_us + URGENT_US;
}

/* A job may still look at bytes that were found damaged meanwhile. */
static bool can_start(const struct range_load *load, uint32_t number)
{
    const struct load_part *part = &load->parts[number];

    return part->state == PART_NONE && !part->has_job && is_due(load, part) &&
           !goes_after(load, part);
}

bool spn__load_is_waiting(const struct range_load *load)
{
    if (load->state == LOAD_WAITING)
        return is_due(load, &load->parts[0]);
    for (uint32_t i = 0; load->state == LOAD_ACTIVE && i < load->part_count;
         i++)
        if (can_start(load, i))
            return true;
    return false;
}

static spn_status take_memory(struct range_load *load)
{
    spn_status status =
        spn__anim_memory_take(load->anim, load->bytes, &load->block);

    if (status == SPN_OK) {
        load->state = LOAD_ACTIVE;
        load->number = ++load->anim->blocks_taken;
    }
    if (status == SPN_NO_MEMORY_NOW && !load->has_waited) {
        load->waits_number = load->anim->blocks_taken;
        load->waits_since_us = load->anim->now_us;
    }
    load->has_waited = status == SPN_NO_MEMORY_NOW;
    if (status < SPN_OK)
        fail(load, &load->parts[0], FAILURE_OF_SIZE, status, 0);
    return status;
}

spn_status spn__load_start(struct range_load *load)
{
    spn_status status = SPN_OK;

    if (load->state == LOAD_WAITING)
        status = take_memory(load);
    /* It has failed, and waits for its next attempt. */
    if (status < SPN_OK)
        return SPN_OK;
    for (uint32_t i = 0; i < load->part_count && status == SPN_OK; i++)
        if (can_start(load, i))
            status = start_part(load, i);
    return status;
}

bool spn__load_end(struct range_load *load)
{
    struct anim *a = load->anim;

    load->state = LOAD_DYING;
    for (uint32_t i = 0; i < load->part_count; i++)
        if (load->parts[i].read != 0)
            (void)spn__io_abort(a->config.io, load->parts[i].read);
    close_file(load, &load->file);
    return spn__load_is_over(load);
}

bool spn__load_is_over(struct range_load *load)
{
    for (uint32_t i = 0; i < load->part_count; i++)
        end_job(&load->parts[i]);
    if (is_in_use(load))
        return false;
    if (load->block != 0)
        spn__anim_memory_give(load->anim, load->block);
    load->block = 0;
    return true;
}

uint32_t spn__load_ready_bytes(const struct range_load *load)
{
    uint32_t bytes = 0;

    for (uint32_t i = 0; i < load->part_count; i++) {
        if (load->parts[i].state != PART_READY || load->state == LOAD_DYING)
            break;
        bytes += load->parts[i].bytes;
    }
    return bytes;
}

spn_status spn__load_status(const struct range_load *load)
{
    if (load->state == LOAD_READY)
        return SPN_OK;
    return spn__load_error(load) != SPN_OK ? spn__load_error(load)
                                           : SPN_PENDING;
}

#endif
