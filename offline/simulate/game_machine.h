/* game_machine.h - the runtime and the drive below it, in virtual time.
 *
 * A game_machine is a runtime without threads over the drive emulator over a
 * sim_disc. The disc is one generated file, or holds paks. Paks are mounted in
 * their order before the game begins; faults of the drive count from the
 * game's beginning. Jobs, such as decompression, run inside spn_update and take
 * no virtual time.
 *
 * game_sim.h drives the machine: it starts reads on `rt`, calls spn_update, and
 * advances the clock. One thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_GAME_MACHINE_H
#define OFFLINE_SIMULATE_GAME_MACHINE_H

#include "common/arena.h"
#include "simulate/game_clips.h"
#include "simulate/load.h"
#include "simulate/sim_disc.h"

#include <spindle/emulator.h>
#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

#define GAME_MACHINE_READS 8192u /* slots of the runtime's request table */

/* All pointers are the caller's and must outlive the machine. */
struct game_machine_config {
    const spn_drive_profile *drive;    /* of the emulated drive */
    const spn_drive_profile *believed; /* the profile with which the runtime
                                        * estimates; NULL: `drive` */
    spn_order order;                   /* of reads, in the runtime */
    bool is_fifo; /* the runtime orders reads by arrival as far as it can: it
                   * reads one part of a clip at a time, and does not sort by
                   * place what arrives at other times */
    uint32_t piece_bytes; /* 0: the runtime's default */
    uint32_t heap_mib; /* of the runtime's heap, besides what paks need; 0: as
                        * little as possible */
    const struct load_pak *paks;
    uint32_t pak_count;               /* 0: the disc is one generated file */
    const spn_emulator_fault *faults; /* of the drive; times count from the
                                       * game's beginning */
    uint32_t fault_count;
    const spn_listener *listener; /* of the runtime's reads */
    struct game_clips *clips;     /* opened before the beginning; NULL: none */
};

struct game_machine {
    spn_runtime *rt; /* NULL: the start failed early */
    spn_emulator *emulator;
    spn_file file;     /* the generated file; unused with paks */
    uint64_t mount_us; /* time that mounting took, before the beginning */
    /* private */
    struct sim_disc disc;
    struct sim_disc_file *files;
    spn_emulator_place *places; /* of `files` */
    uint32_t file_count;
    uint64_t begin_us; /* the game's beginning on the disc's clock */
    spn_platform table;
    spn_emulator_fault *faults; /* the config's, on the disc's clock */
    spn_emulator_stats before;  /* at the game's beginning */
    struct arena arena;         /* the files, the faults, the emulator's and the
                         * runtime's block */
};

/* Start the runtime, mount the paks and open the clips. The machine must not
 * move in memory from here on. Returns false when the runtime refuses the
 * config, a pak cannot be mounted, or the clips were refused; call
 * game_machine_finish all the same. */
bool game_machine_start(struct game_machine *machine,
                        const struct game_machine_config *config);
/* Shut the runtime down and free everything. */
void game_machine_finish(struct game_machine *machine);
/* Free everything without a shutdown. For a runtime that lost a read: its
 * shutdown would wait for that read for ever. */
void game_machine_abandon(struct game_machine *machine);

/* Time since the game's beginning. */
uint64_t game_machine_now_us(const struct game_machine *machine);
/* Convert a time on the runtime's clock to one since the game's beginning; 0 if
 * it is earlier. */
uint64_t game_machine_since_us(const struct game_machine *machine,
                               uint64_t clock_us);
/* Convert a time since the game's beginning to the runtime's clock. */
uint64_t game_machine_clock_us(const struct game_machine *machine,
                               uint64_t now_us);
/* Advance the clock to `now_us` since the game's beginning; not backwards. */
void game_machine_advance(struct game_machine *machine, uint64_t now_us);
/* When the drive ends its current access, since the game's beginning;
 * UINT64_MAX: it is idle, or stopped by a fault for ever. */
uint64_t game_machine_due_us(const struct game_machine *machine);

/* Store what the drive did since the game's beginning. */
void game_machine_get_drive(const struct game_machine *machine,
                            spn_emulator_stats *out);

#endif
