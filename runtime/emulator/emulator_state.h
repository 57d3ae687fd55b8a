/* emulator_state.h - the state of an emulator, for emulator.c and its check.
 *
 * An emulator wraps the platform of a game. Its table of files gives each file
 * a position on the disc of a drive; each read goes to the wrapped platform and
 * is delayed until the model of the drive has finished it.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_EMULATOR_EMULATOR_STATE_H
#define SPN_EMULATOR_EMULATOR_STATE_H

#include "emulator/emulated_drive.h"
#include "emulator/emulator_places.h"
#include "emulator/emulator_reads.h"

#include <spindle/emulator.h>
#include <stdbool.h>

/* A file that the runtime has open. Owner: the io thread. */
struct emulated_file {
    spn_platform_file inner; /* of the wrapped platform */
    spn_medium medium;       /* of the wrapped platform */
    uint64_t bytes;          /* size */
    uint64_t offset;         /* on the disc of its drive */
    uint32_t drive;          /* index, or SPN_EMULATOR_NO_DRIVE */
    bool is_open;            /* false: the entry is free */
};

struct spn_emulator {
    /* fixed after init */
    spn_platform inner; /* the wrapped platform */
    uint32_t drive_count;
    uint32_t file_count;                       /* length of `files` */
    spn_medium media[SPN_EMULATOR_DRIVES_MAX]; /* of each drive */
    /* io thread */
    struct emulated_file *files;
    struct emulator_places places;
    struct emulator_reads reads;
    /* See emulated_drive.h for the threads that use them. */
    struct emulated_drive drives[SPN_EMULATOR_DRIVES_MAX];
};

/* Whether all invariants of the files, the reads in flight and the drives hold.
 * O(files + reads + faults). The io thread must not call the emulator
 * meanwhile. */
bool spn__emulator_check(const spn_emulator *emulator);

#endif
