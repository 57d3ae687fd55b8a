/* sim_reads.h - the caller's reads of loose files and entries of paks.
 *
 * Each slot starts one read after the other and records what happened to the
 * current one. So it knows the legal results of the completion, and the right
 * bytes.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_READS_H
#define TESTS_SIM_SIM_READS_H

#include "sim/made_disc.h"

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

#define SIM_READS 20u
#define SIM_LARGE_READS 4u /* the first slots */
#define SIM_READ_BYTES 40000u
#define SIM_LARGE_BYTES 400000u
#define SIM_FILES 6u
#define SIM_GUARD 64u
/* Pattern of bytes that must not change: memory of completed reads, and after
 * buffers. */
#define SIM_POISON 0x5e
#define SIM_BEHIND 0xa7

struct sim;

struct sim_read {
    struct sim *sim;
    /* fixed for the run */
    uint8_t *memory; /* `room` bytes, followed by SIM_GUARD */
    uint32_t room;
    /* of the current read */
    spn_read handle; /* kept after its end, as a stale handle */
    bool is_started; /* and not yet completed */
    bool is_aborted;
    bool has_async;
    bool has_done;
    bool has_storage;
    bool is_given;  /* its storage callback was called */
    bool has_block; /* target is a block of the heap, whose bytes are copied to
                     * `memory` at the end */
    spn_status storage_status;
    bool is_entry; /* entry of a pak; otherwise a loose file */
    uint32_t subject;
    spn_task task;
    const char *path; /* NULL: by handle */
    uint64_t offset;
    uint64_t bytes; /* requested bytes; 0: to the end */
    uint32_t buffer_bytes;
    uint64_t taint_count; /* value at the start */
    uint64_t unmounted;   /* value at the start */
    uint32_t async_count;
    uint32_t done_count;
    bool is_poisoned; /* its memory must not be written */
};

struct sim_reads {
    struct sim_read slots[SIM_READS];
    spn_file files[SIM_FILES];     /* open files of the disc; 0: none */
    spn_file old_files[SIM_FILES]; /* handles of closed files */
    bool is_paused;
    /* Paused types that have not delayed a read yet. */
    uint32_t ineffective_pauses;
    bool is_recording;
    spn_record_event record_events[64];
    char record_text[512];
    uint64_t started;
    uint64_t completed;
    bool is_inside; /* within a callback; callbacks are not nested */
};

void sim_reads_init(struct sim *sim);
void sim_reads_free(struct sim *sim);
/* The caller's operations in a frame. */
void sim_reads_frame(struct sim *sim);
/* After an update: take results of reads without callbacks. */
void sim_reads_take_results(struct sim *sim);
/* Faults are over: resume all types. */
void sim_reads_end_faults(struct sim *sim);
/* When all clips play: abort reads into the heap that wait for room that
 * playing needs, because they would wait for ever. */
void sim_reads_give_up(struct sim *sim);
/* Close all files; reads must have ended. */
void sim_reads_close(struct sim *sim);
bool sim_reads_are_over(const struct sim *sim);
/* Check memory that must not be written. */
void sim_reads_check(struct sim *sim);

/* Start a random read in a free slot. False: no slot is free. */
bool sim_reads_start_one(struct sim *sim);
/* False: there was no read to abort. */
bool sim_reads_abort_one(struct sim *sim);

#endif
