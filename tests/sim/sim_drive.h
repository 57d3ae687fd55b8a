/* sim_drive.h - the drives: files, reads, and their faults.
 *
 * The file functions of the platform table, with one drive for each medium. The
 * result of a read is decided when it is submitted; its bytes arrive at its
 * end. Checks that the runtime follows the contract of platform.h.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_DRIVE_H
#define TESTS_SIM_SIM_DRIVE_H

#include "sim/made_disc.h"

#include "sim/swarm.h"

#include <spindle/platform.h>
#include <stdbool.h>
#include <stdint.h>

#define SIM_BAD_SECTORS 64u
#define SIM_TAINTS 512u
#define SIM_SECTOR 2048u

struct sim;

/* Silent damage of a read. */
enum sim_damage {
    DAMAGE_NONE,
    DAMAGE_FLIP,
    DAMAGE_STALE,
    DAMAGE_PLACE,
    DAMAGE_DISC /* bytes of another disc */
};

/* A read at a drive. */
struct sim_device {
    bool is_reading;
    uint32_t tag;
    uint32_t file;
    uint64_t offset;
    uint64_t bytes;      /* requested bytes */
    uint64_t bytes_most; /* bytes that arrive */
    uint64_t due_us;     /* simulated time of the end */
    spn_status status;
    enum swarm_kind error; /* cause of the error; SWARM_KINDS: none */
    uint32_t bad;          /* the unreadable sector */
    bool is_short;
    bool is_stalled;
    bool is_hanging; /* ends only when it is cancelled */
    bool is_cut;     /* ends earlier than drawn */
    enum sim_damage damage;
    uint64_t damage_at;
    spn_extent extents[SPN_PLATFORM_EXTENTS_MAX];
    uint32_t extent_count;
    uint64_t head; /* position on the medium */
};

struct sim_place {
    uint32_t file;
    uint64_t first;
    uint64_t limit;
    bool is_felt; /* the bad sector has failed a read */
};

enum sim_cancel { CANCEL_IGNORED, CANCEL_SOON, CANCEL_AT_ONCE };

struct sim_drive {
    spn_platform table; /* the table without functions of threads */
    struct sim_device devices[SPN_MEDIUM_COUNT];
    spn_medium medium[MADE_FILES];
    uint32_t open_count[MADE_FILES];
    uint64_t opens;
    uint64_t closes;
    /* drawn from the seed */
    uint32_t align_bytes;
    uint64_t bytes_per_second;
    uint64_t seek_us;
    uint64_t command_us;
    enum sim_cancel cancel;
    bool is_interrupting; /* signals completions by the io event */
    bool is_blind;        /* cannot distinguish another disc from this one */
    bool has_places;
    /* active faults */
    struct sim_place bad[SIM_BAD_SECTORS];
    uint32_t bad_count;
    uint64_t closed_from_us; /* when the tray is closed again */
    uint64_t right_from_us;  /* when the right disc is back */
    bool is_tray_felt;
    bool is_disc_felt;
    /* the last damage that was delivered */
    struct sim_place taints[SIM_TAINTS];
    uint64_t taint_count;
};

void sim_drive_init(struct sim *sim);
/* Simulated time at which the next read ends; UINT64_MAX: none is in
 * progress. */
uint64_t sim_drive_due(const struct sim *sim);
/* Signal completed reads when the drive uses interrupts. True when it
 * signalled. */
bool sim_drive_interrupt(struct sim *sim);
/* End all faults. */
void sim_drive_end_faults(struct sim *sim);
/* End all reads now, because the clock does not advance in a shutdown. */
void sim_drive_end_reads(struct sim *sim);

#endif
