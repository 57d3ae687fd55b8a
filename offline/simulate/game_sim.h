/* game_sim.h - run a load through the real runtime, in virtual time.
 *
 * A load (load.h) makes read requests. They go through the runtime of
 * libspindle.a: paks, request table, queues, pieces, decompression,
 * completions. Below it the drive emulator answers on a virtual clock. The
 * result is a sim_record: the outcome of each read and the work of the drive.
 * Every byte that is delivered is compared with the load's content.
 *
 * A script of clips (clip_script.h) may play beside the load. The runtime reads
 * the clips itself; the heap then is theirs, and reads of the load have their
 * buffers elsewhere.
 *
 * With the deadline scheduler and the sort key the runtime has all requests at
 * once and chooses among them. FIFO gives it one read at a time, in order of
 * arrival. Beside a script the runtime has one read of a clip besides, of the
 * clip that it needs first, and serves the one that arrived earlier.
 *
 * One thread: the caller's.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_GAME_SIM_H
#define OFFLINE_SIMULATE_GAME_SIM_H

#include "common/diag.h"
#include "simulate/clip_files.h"
#include "simulate/load.h"
#include "simulate/run_record.h"
#include "simulate/sim_record.h"

#include <spindle/emulator.h>
#include <stdbool.h>
#include <stdint.h>

/* In the order in which reports list them. */
enum game_order {
    GAME_ORDER_DEADLINE, /* the runtime's deadline scheduler */
    GAME_ORDER_SORT_KEY, /* the runtime's elevator (schedule/sort_key.h): by
                          * priority, time group, then ascending offset */
    GAME_ORDER_FIFO,     /* order of arrival, for comparison */
    GAME_ORDERS
};
/* "deadline", "key", "fifo" */
extern const char *const game_order_names[GAME_ORDERS];

/* All pointers are the caller's and must outlive the run. */
struct game_sim {
    const spn_drive_profile *drive;    /* of the emulated drive */
    const spn_drive_profile *believed; /* the profile with which the runtime
                                        * estimates; NULL: `drive` */
    enum game_order order;
    uint64_t limit_us;    /* length of the run; UINT64_MAX: until the last read
                           * has ended */
    uint32_t heap_mib;    /* size of the runtime's heap in MiB, 1..511. The
                           * record shows how the reads fill it (sim_heap.h);
                           * it does not limit them */
    uint32_t piece_bytes; /* most bytes of a read in one request to the device;
                           * 0: the runtime's default */
    const spn_emulator_fault *faults; /* of the emulated drive */
    uint32_t fault_count;
    const struct clip_files *clips; /* of the script; NULL: none */
    struct run_record *trace;       /* of all reads of the run; NULL: none */
};

/* Run the load and fill `out`, which the caller releases by sim_record_free in
 * any case. Reads that still wait at the limit are counted as waiting. Then
 * nothing new is requested, and the run continues until they have ended.
 *
 * Returns false after a message to `diag`: EXIT_INTERNAL when the runtime is
 * wrong (a read completed twice or never, a wrong byte, no progress, no start);
 * a refusal when a pak is damaged. */
bool game_sim_run(const struct game_sim *sim, struct load *load,
                  struct sim_record *out, struct diag *diag);

#endif
