/* game_machine.h - the machine under a simulated game, in virtual time.
 *
 * A runtime without threads, on an emulated drive, on a disc that is a made up
 * one or has paks. These are mounted in their order, as a game does it, before
 * the game begins and before anything goes wrong with the drive. Jobs, the
 * decompression among them, run inside spn_update: on the virtual clock they
 * take no time.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_GAME_MACHINE_H
#define OFFLINE_SIMULATE_GAME_MACHINE_H

#include "simulate/load.h"
#include "simulate/sim_disc.h"

#include <spindle/emulator.h>
#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

#define GAME_MACHINE_READS 8192u

struct game_machine_config {
    const spn_drive_profile *drive;
    const spn_drive_profile *believed; /* what the runtime is told; NULL: the
                                        * truth */
    spn_order order;
    uint32_t piece_bytes;        /* 0: the default */
    const struct load_pak *paks; /* none: a made up disc */
    uint32_t pak_count;
    const spn_emulator_fault *faults; /* of drive 0; from the game's beginning
                                       * on */
    uint32_t fault_count;
    const spn_listener *listener;
};

struct game_machine {
    spn_runtime *rt;
    spn_emulator *emulator;
    spn_file file;     /* the made up disc */
    uint64_t mount_us; /* that the paks took */
    /* private */
    struct sim_disc disc;
    struct sim_disc_file *files;
    spn_emulator_place *places; /* of the files */
    uint32_t file_count;
    uint64_t begin_us; /* of the game, on the disc's clock */
    spn_platform table;
    spn_emulator_fault *faults;
    spn_emulator_stats before; /* the game */
    void *emulator_memory;
    void *memory;
};

/* Until the game can begin. False: the runtime refuses the config, or could not
 * mount a pak; finish it all the same. The machine stays where it is. */
bool game_machine_start(struct game_machine *machine,
                        const struct game_machine_config *config);
void game_machine_finish(struct game_machine *machine);
/* The same without a word to a runtime that has gone wrong: its shutdown waits
 * for every read, and may wait for ever. */
void game_machine_abandon(struct game_machine *machine);

/* Since the game began; and on the runtime's clock. */
uint64_t game_machine_now_us(const struct game_machine *machine);
uint64_t game_machine_clock_us(const struct game_machine *machine,
                               uint64_t now_us);
/* Time goes on, never back. */
void game_machine_advance(struct game_machine *machine, uint64_t now_us);
/* When the drive is done next; UINT64_MAX: it does nothing. */
uint64_t game_machine_due_us(const struct game_machine *machine);

/* What the drive did since then. */
void game_machine_get_drive(const struct game_machine *machine,
                            spn_emulator_stats *out);

#endif
