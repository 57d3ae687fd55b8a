/* sim_drive.h - the drives: files, reads, and what goes wrong with them.
 *
 * The file functions of the platform table. One drive a medium; what a read
 * will come to is decided when it is submitted, its bytes arrive at its end.
 * Checks that the runtime keeps platform.h.
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

/* What silent damage a read has. */
enum sim_damage {
    DAMAGE_NONE,
    DAMAGE_FLIP,
    DAMAGE_STALE,
    DAMAGE_PLACE,
    DAMAGE_DISC /* another disc's bytes */
};

/* A read at a drive. */
struct sim_device {
    bool is_reading;
    uint32_t tag;
    uint32_t file;
    uint64_t offset;
    uint64_t bytes;      /* asked for */
    uint64_t bytes_most; /* that arrive */
    uint64_t due_us;     /* of the world */
    spn_status status;
    enum swarm_kind error; /* why it fails; SWARM_KINDS: it does not */
    uint32_t bad;          /* the sector that is why */
    bool is_short;
    bool is_stalled;
    bool is_hanging; /* it ends when it is cancelled */
    bool is_cut;     /* it ends sooner than was drawn */
    enum sim_damage damage;
    uint64_t damage_at;
    spn_extent extents[SPN_PLATFORM_EXTENTS_MAX];
    uint32_t extent_count;
    uint64_t head; /* on the medium */
};

struct sim_place {
    uint32_t file;
    uint64_t first;
    uint64_t limit;
    bool is_felt; /* a bad sector has made a read fail */
};

enum sim_cancel { CANCEL_IGNORED, CANCEL_SOON, CANCEL_AT_ONCE };

struct sim_drive {
    spn_platform table; /* without its threads */
    struct sim_device devices[SPN_MEDIUM_COUNT];
    spn_medium medium[MADE_FILES];
    uint32_t open_count[MADE_FILES];
    uint64_t opens;
    uint64_t closes;
    /* the seed's */
    uint32_t align_bytes;
    uint64_t bytes_per_second;
    uint64_t seek_us;
    uint64_t command_us;
    enum sim_cancel cancel;
    bool is_interrupting; /* tells ends by the io event */
    bool is_blind;        /* cannot tell another disc from this one */
    bool has_places;
    /* going wrong */
    struct sim_place bad[SIM_BAD_SECTORS];
    uint32_t bad_count;
    uint64_t closed_from_us; /* the tray */
    uint64_t right_from_us;  /* the disc */
    bool is_tray_felt;
    bool is_disc_felt;
    /* damage that was delivered, the last ones */
    struct sim_place taints[SIM_TAINTS];
    uint64_t taint_count;
};

void sim_drive_init(struct sim *sim);
/* When the next read ends; UINT64_MAX: none is under way. Of the world. */
uint64_t sim_drive_due(const struct sim *sim);
/* Signals what has ended, where interrupts do. True when it did. */
bool sim_drive_interrupt(struct sim *sim);
/* Faults are over. */
void sim_drive_heal(struct sim *sim);
/* All that is under way ends now: nobody moves the clock in a shutdown. */
void sim_drive_hurry(struct sim *sim);

/* Was this byte ever delivered damaged, since the taint_count `since`? Where
 * that damage ends; 0: it was not. */
uint64_t sim_drive_taint_end(const struct sim *sim, uint32_t file, uint64_t at,
                             uint64_t since);

/* sim_damage.c: the bytes of a read that has ended; counts their damage. */
void sim_damage_deliver(struct sim *sim, struct sim_device *device);

/* Are there time-outs in this seed? */
bool sim_drive_times_out(const struct sim *sim);

/* Has anything of this seed made reads or openings fail? */
bool sim_drive_has_failed(const struct sim *sim);

#endif
