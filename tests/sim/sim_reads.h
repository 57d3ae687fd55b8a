/* sim_reads.h - the caller's reads: of loose files and of paks' entries.
 *
 * Each slot starts reads one after the other, and knows all that happened to
 * the one it has: so it can say what the completion may be, and what the bytes
 * must be.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_READS_H
#define TESTS_SIM_SIM_READS_H

#include "sim/made_disc.h"

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

#define SIM_READS 20u
#define SIM_LARGE_READS 4u /* the first ones */
#define SIM_READ_BYTES 40000u
#define SIM_LARGE_BYTES 400000u
#define SIM_FILES 6u
#define SIM_GUARD 64u
/* Bytes that nobody writes: of a read that is over, and behind a buffer. */
#define SIM_POISON 0x5e
#define SIM_BEHIND 0xa7

struct sim;

struct sim_read {
    struct sim *sim;
    /* fixed */
    uint8_t *memory; /* room, and SIM_GUARD behind it */
    uint32_t room;
    /* of the read */
    spn_read handle; /* kept when it is over: then it is stale */
    bool is_started; /* and not completed */
    bool is_aborted;
    bool has_async;
    bool has_done;
    bool has_storage;
    bool is_given;  /* the storage */
    bool has_block; /* of the heap, copied to `memory` when it has come */
    spn_status storage_status;
    bool is_entry; /* of a pak; else a loose file */
    uint32_t subject;
    spn_task task;
    const char *path; /* NULL: by a handle */
    uint64_t offset;
    uint64_t bytes; /* asked for; 0: to the end */
    uint32_t buffer_bytes;
    uint64_t taint_count; /* when it was started */
    uint64_t unmounted;   /* the same */
    uint32_t async_count;
    uint32_t done_count;
    bool is_poisoned; /* nobody may write */
};

struct sim_reads {
    struct sim_read slots[SIM_READS];
    spn_file files[SIM_FILES];     /* of made files; 0: none */
    spn_file old_files[SIM_FILES]; /* closed */
    bool is_paused;
    uint32_t unfelt_tasks; /* that are paused, and hold up nothing yet */
    bool is_recording;
    spn_record_event record_events[64];
    char record_text[512];
    uint64_t started;
    uint64_t completed;
    bool is_inside; /* a callback: they are not nested */
};

void sim_reads_init(struct sim *sim);
void sim_reads_free(struct sim *sim);
/* What the caller does in a frame. */
void sim_reads_frame(struct sim *sim);
/* After an update: those without a callback that are over. */
void sim_reads_look(struct sim *sim);
/* Faults are over: nothing is paused any more. */
void sim_reads_heal(struct sim *sim);
/* All plays: reads into the heap for which it has no room beside that wait for
 * ever, and are aborted. */
void sim_reads_give_up(struct sim *sim);
/* Close all; reads must be over. */
void sim_reads_close(struct sim *sim);
bool sim_reads_are_over(const struct sim *sim);
/* Nobody wrote where he must not. */
void sim_reads_check(struct sim *sim);

/* sim_read_ends.c: callbacks, and what they may be told. */
void sim_read_on_async(const spn_read_result *result);
void sim_read_on_done(const spn_read_result *result);
spn_status sim_read_on_storage(const spn_read_want *want, void **buffer);
/* Over without anybody being told. */
void sim_read_forget(struct sim_read *r);
/* Is everything behind its buffer as it was; is its memory, when it is over? */
void sim_read_check_memory(const struct sim_read *r);
/* Nobody may write any more. */
void sim_read_poison(struct sim_read *r);

/* sim_reads.c: a read of anything, in a slot that is free. False: none is. */
bool sim_reads_start_one(struct sim *sim);
/* False: nothing was there to abort. */
bool sim_reads_abort_one(struct sim *sim);

#endif
